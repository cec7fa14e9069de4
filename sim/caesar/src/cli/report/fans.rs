//! Courses of win probability over the recorded games of a tournament, by a model that the same games evaluate.

use std::path::Path;

use draw::report::Source;

use super::recorded::Beside;
use super::sheets::sheet;
use crate::cli::files;
use crate::report::{dynamics, win_model};
use lab::dynamics::recorded::{ModelFile, Recorded, Records, recorded};
use lab::dynamics::{fans, figures};
use sim::catalogue::{Overrides, Setup};
use sim::error::Error;
use sim::manifest::Manifest;
use sim::units;

/// Adds fans, lead changes and suspense by the model in the file `path` to `source`, or the reason for their absence.
///
/// # Errors
/// If records or model cannot be read, or the model is of another game, table, version or set of rules.
pub(super) fn read(
    records: &Path,
    beside: &Beside,
    manifest: &Manifest,
    path: &str,
    source: &mut Source,
) -> Result<(), Error> {
    let text = files::text(path).map_err(|e| Error::unreadable("model", path, &e))?;
    let setup = Setup {
        game: source.game.clone(),
        players: Some(source.players),
        overrides: Overrides { recorded: Some(manifest.overrides.clone()), ..Overrides::default() },
    };
    let place = records.display().to_string();
    let per_block = manifest.games_per_block;
    let records = Records { place: &place, has: &|number| beside.has(number), per_block };
    let open = &|| files::open(&place);
    let Recorded { judged, traces, faults } =
        recorded(&setup, ModelFile { name: path, text: &text }, records, open)?;
    source.caveats.extend(faults);
    let (agent, games) = (&judged.model.subject.agent, units::count(traces.len() as u64));
    let by = format!("by the model {path}, fitted to games of {agent} in all seats");
    if let Some(why) = judged.audit.dynamics_refusal() {
        let what = format!(
            "Win probabilities, lead changes and suspense are withheld {by}: on {games} recorded games of this run \
             {why}."
        );
        source.caveats.push(what);
    } else {
        source.statements.push(format!(
            "Win probabilities, lead changes and suspense come from {games} recorded games of this run, {by}. The \
             model sees the whole state. Expected calibration error on these games: {}; intervals by block.",
            judged.audit.whole.expected_error().map_or_else(|| "-".to_owned(), |error| units::share(error.estimate))
        ));
        let lines = figures::score_lead(&traces).into_iter().chain(figures::of(&traces));
        let stages = figures::by_stage(&traces, judged.model.clock.n_stages());
        let fans = fans::of(&traces);
        let tables = [dynamics::lines(lines), dynamics::stages(&stages), dynamics::fans(&fans)];
        source.sheets.extend(tables.iter().map(sheet).collect::<Result<Vec<_>, Error>>()?);
    }
    let tables = win_model::tables(&judged);
    source.sheets.extend(tables.iter().map(sheet).collect::<Result<Vec<_>, Error>>()?);
    Ok(())
}
