//! `caesar show FILE`.

use std::ops::RangeInclusive;
use std::time::Instant;

use agents::{AgentSpec, SearchTally};
use clap::Args;

use super::check::{at_input, fault_line, input_name};
use super::{Ending, files, note, print, ranged, seats, whole};
use crate::config::supply_files;
use crate::error::Error;
use crate::record::analysis::Analysis;
use crate::record::stream::{Checked, Telling, check};
use crate::units;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Records of one game or many; - for stdin
    file: String,
    /// Show this game only, counted from 1
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(1, u64::MAX))]
    game: Option<u64>,
    /// Show these plies only, counted from 1, as in 12 or 12-20
    #[arg(long, value_name = "N", value_parser = plies, allow_hyphen_values = true)]
    ply: Option<RangeInclusive<u64>>,
    /// Say under each ply what a search thinks of the decision [default SPEC: mcts]
    #[arg(long, value_name = "SPEC", num_args = 0..=1, default_missing_value = "mcts")]
    analyse: Option<String>,
    /// Options of each decision that are shown
    #[arg(long, value_name = "N", requires = "analyse", default_value_t = 5, value_parser = seats)]
    best: usize,
    /// Seed of the analysis [default: that of the record]
    #[arg(long, value_name = "S", requires = "analyse", value_parser = whole)]
    seed: Option<u64>,
    /// Print a JSON document for each decision that is analysed, one a line, and nothing else
    #[arg(long, requires = "analyse")]
    json: bool,
}

fn plies(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err("expected a number from 1 or a range, as in 12 or 12-20".to_owned()),
    }
}

impl Options {
    fn telling(&self) -> Result<Telling, Error> {
        let analysis = match &self.analyse {
            None => None,
            Some(text) => {
                let mut spec: AgentSpec = text.parse()?;
                if !spec.is_search() {
                    return Err(Error::Usage(format!(
                        "--analyse \"{spec}\": it does not search, so it cannot say what it thinks (mcts can)"
                    )));
                }
                supply_files(&mut spec, &files::text, &mut Vec::new())?;
                Some(Analysis { spec, seed: self.seed, best: self.best })
            }
        };
        Ok(Telling { text: !self.json, game: self.game, plies: self.ply.clone(), analysis })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let telling = options.telling()?;
    let mut input = files::open(&options.file)?;
    let mut ending = Ending::Done;
    let mut games = 0;
    let mut searched = SearchTally::default();
    let since = Instant::now();
    check(&mut *input, &telling, &mut |checked: Checked| {
        games += 1;
        searched += checked.searched;
        print(&checked.text)?;
        if let Some(fault) = checked.fault {
            note(fault_line(&options.file, &fault).trim_end());
            ending = Ending::FaultsFound;
        }
        print(if options.json { "" } else { "\n" })
    })
    .map_err(|error| at_input(error, &options.file))?;
    if games == 0 {
        let which = match options.game {
            None => "no record: it is empty".to_owned(),
            Some(game) => format!("no game {game}"),
        };
        return Err(Error::Usage(format!("{}: {which}", input_name(&options.file))));
    }
    if telling.analysis.is_some() {
        note(&told_of(searched, since.elapsed().as_secs_f64()));
    }
    Ok(ending)
}

/// How much was searched, and how fast.
fn told_of(searched: SearchTally, seconds: f64) -> String {
    format!(
        "{} analysed: {} in {}",
        units::counted(searched.decisions, "decision"),
        units::counted(searched.iterations, "iteration"),
        units::seconds(seconds)
    )
}
