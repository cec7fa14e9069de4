//! Options for the targets of fits to searches.

use clap::Args;

use lab::fit::priors::Target;
use sim::error::Error;
use sim::units;

/// The words of `--to`.
const VISITS: &str = "visits";
const VALUES: &str = "values";

/// The target of a fit to searches.
#[derive(Debug, Args)]
pub(super) struct Targets {
    /// Target of the fit: visits (of the search) or values (of options that are visited equally often)
    #[arg(long, value_name = "WHAT", default_value = VISITS, value_parser = [VISITS, VALUES])]
    to: String,
    /// With --to values: the difference, in points of the game, that makes an option e times as likely
    #[arg(long, value_name = "POINTS", default_value_t = 0.03)]
    spread: f64,
}

impl Targets {
    /// Returns the target.
    pub(super) fn target(&self) -> Result<Target, Error> {
        let is_spread = self.spread.is_finite() && self.spread > 0.0;
        match &self.to[..] {
            VISITS => Ok(Target::Visits),
            _ if is_spread => Ok(Target::Values { spread: self.spread }),
            _ => Err(Error::value("spread", self.spread.to_string(), "it is not above 0")),
        }
    }
}

/// Returns the note on positions that give no target.
pub(super) fn unused(skipped: u64) -> Option<String> {
    let positions = units::counted(skipped, "position");
    (skipped > 0).then(|| {
        format!(
            "{positions} are not used: one option, no search, or other options than the search has"
        )
    })
}
