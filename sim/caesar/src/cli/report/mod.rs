//! `caesar report`: writes one page from the results of several commands.

mod compared;
mod fans;
mod games;
mod names;
mod read;
mod recorded;
mod rows;
mod sheets;

use std::path::PathBuf;

use clap::Args;
use draw::report::Source;

use super::files::refuse_one_file_twice;
use super::outputs::{Force, Output};
use super::{Ending, note};
use sim::config::numbers::seats;
use sim::error::Error;
use sim::units;
use sim::visible::visible;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
DIR is written by --out of tournament, compare, ladder, balance or tune, or contains such directories. All must \
be of one game under the same rules. The page is one file without external links, and the same results give the \
same bytes.
For a tournament with records (--records), the page shows replays of the closest finishes. With --model it also \
charts the win probabilities of its games, if the model is calibrated on them.";

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Directories of results
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// Page to write (HTML); - for stdout
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Number of replays for each tournament with records
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = seats)]
    replays: usize,
    /// Model of win probability (from `caesar balance win-model`), for replays and for charts of the chances to win
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    /// File of records outside the directory of a tournament; it is read only if you name it here (repeatable)
    #[arg(long, value_name = "FILE")]
    records: Vec<PathBuf>,
    /// Suppress notes
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let output = Output::of("out", &options.out, options.force)?;
    let mut found = Vec::new();
    for dir in &options.dirs {
        found.extend(read::directories(dir)?);
    }
    let read: Vec<(String, PathBuf)> = found
        .iter()
        .flat_map(|dir| read::files(dir))
        .map(|path| (format!("the input {}", path.display()), path))
        .collect();
    refuse_one_file_twice(&output.named().into_iter().collect::<Vec<_>>(), &read)?;
    output.check()?;
    let wish = sheets::Wish {
        replays: options.replays,
        model: options.model.clone(),
        records: options.records.clone(),
    };
    let mut sources = Vec::new();
    for dir in &found {
        let (source, rules) = read::source(dir, &wish)?;
        sources.push((source, rules));
    }
    refuse_mixed(&sources)?;
    let mut sources: Vec<Source> = sources.into_iter().map(|(source, _)| source).collect();
    if !options.quiet {
        sources.iter().flat_map(|source| &source.caveats).for_each(|caveat| note(&visible(caveat)));
    }
    names::shorten(&mut sources);
    let page = draw::report::report(&sources);
    output.write(page.as_bytes())?;
    if !options.quiet {
        note(&format!(
            "{}: {}, {} kB",
            output.place(),
            units::counted(sources.len() as u64, "run"),
            page.len().div_ceil(1000)
        ));
    }
    Ok(Ending::Done)
}

/// Refuses results of several games or rule sets: readers would take numbers of one for those of another.
fn refuse_mixed(sources: &[(Source, String)]) -> Result<(), Error> {
    let Some(((first, rules), others)) = sources.split_first() else { return Ok(()) };
    for (other, differs) in others {
        let mixed = match (first.game == other.game, rules == differs) {
            (false, _) => format!("of {} and of {}", first.game, other.game),
            (true, false) => {
                format!("under other rules ({rules} and {differs} differ from the default)")
            }
            (true, true) => continue,
        };
        return Err(Error::Usage(format!(
            "{} and {} are {mixed}: a report covers one game under the same rules; write one for each",
            first.place, other.place
        )));
    }
    Ok(())
}
