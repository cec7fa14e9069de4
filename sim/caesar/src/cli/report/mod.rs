//! `caesar report`: writes one page from the results of several commands.

mod changes;
mod compared;
pub(super) mod documents;
mod fans;
mod games;
mod names;
pub(super) mod read;
mod recorded;
mod rows;
mod sheets;

use std::path::{Path, PathBuf};

use clap::Args;
use draw::report::{Kind, Source};

use super::files::{refuse_one_file_twice, write_aside};
use super::outputs::{Force, Output};
use super::{Ending, note};
use sim::config::numbers::seats;
use sim::error::Error;
use sim::units;
use sim::visible::visible;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
DIR is written by --out of tournament, compare, ladder, variant, balance or tune, or contains such directories. All \
must be of one game. Results under different rules stand side by side. The page is one file without external links, \
and the same results give the same bytes.
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
    let mut sources = sources(&found, &wish)?;
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

/// Writes the page about the results in `dir` into its file `name`, without replays.
pub(super) fn write_page(dir: &Path, name: &str) -> Result<(), Error> {
    let wish = sheets::Wish { replays: 0, model: None, records: Vec::new() };
    let mut sources = sources(&read::directories(dir)?, &wish)?;
    names::shorten(&mut sources);
    let page = draw::report::report(&sources);
    let place = dir.join(name);
    let written = write_aside(&place, page.as_bytes());
    written.map_err(Error::output(place.display().to_string()))
}

/// Returns the results in directories, each with the name of its rule set if there are several.
fn sources(found: &[PathBuf], wish: &sheets::Wish) -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    for dir in found {
        sources.push(read::source(dir, wish)?);
    }
    refuse_mixed(&sources)?;
    // The changes between rule sets belong to none of them.
    let rules = sources.iter().filter(|(source, _)| source.kind != Kind::Rules);
    let mut sets: Vec<String> = rules.map(|(_, rules)| rules.clone()).collect();
    sets.sort_by_key(|rules| rules != UNCHANGED);
    let mut sides: Vec<String> = Vec::new();
    for set in sets {
        if !sides.contains(&set) {
            sides.push(set);
        }
    }
    let named = |(mut source, rules): (Source, String)| {
        let side = sides.iter().position(|set| *set == rules);
        if let Some(side) = side.filter(|_| sides.len() > 1 && source.kind != Kind::Rules) {
            source.side = side_of(&source.place, side);
        }
        source
    };
    let mut sources: Vec<Source> = sources.into_iter().map(named).collect();
    sources.sort_by_key(|source| ORDER.iter().position(|side| source.side.starts_with(side)));
    Ok(sources)
}

/// The differences of the default rules from themselves.
const UNCHANGED: &str = "{}";
/// Beginnings of the names of rule sets, in the order of a page.
const ORDER: [&str; 2] = ["old rules", "new rules"];

/// Returns the name of a rule set: by the directories of `variant` and `balance rules`, or else by its number.
fn side_of(place: &str, side: usize) -> String {
    let is = |end: &str| place.trim_end_matches('/').ends_with(end);
    match () {
        () if is("-old") => ORDER[0].to_owned(),
        () if is("-new") => ORDER[1].to_owned(),
        () if is("-again") => format!("{}, other seeds", ORDER[0]),
        () => format!("rules {}", side + 1),
    }
}

/// Refuses results of several games: readers would take numbers of one for those of another.
fn refuse_mixed(sources: &[(Source, String)]) -> Result<(), Error> {
    let Some(((first, _), others)) = sources.split_first() else { return Ok(()) };
    match others.iter().find(|(other, _)| other.game != first.game) {
        None => Ok(()),
        Some((other, _)) => Err(Error::Usage(format!(
            "{} and {} are of {} and of {}: a report covers one game; write one for each",
            first.place, other.place, first.game, other.game
        ))),
    }
}
