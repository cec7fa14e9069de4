//! `caesar play`: people at the table, in the terminal or through a pipe.

mod prompt;
mod saved;
mod screen;
mod seating;
#[cfg(feature = "web")]
mod web;

use std::path::PathBuf;

use agents::external::kill_all_programs;
use clap::Args;

use self::saved::{Kept, opened};
use super::outputs::Force;
use super::{Ending, note, print};
use sim::config::numbers::{ranged, whole};
use sim::config::{DEFAULT_SEED, Played, RuleSet};
use sim::error::Error;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
At the prompt, type an option, its number, or the beginning of its words. Several words play several choices: \
'move sicilia italia 4' moves four of the first kind from Sicilia to Italia. Type ? for all commands.
Choices can be taken back with u until dice, cards or another seat answer them.
With --records the game is kept after every final choice. --resume goes on with it, also after a crash.";

/// Default search for hints (h), without --hint.
const HINT: &str = "mcts";

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    played: Played,
    /// Agent in each seat: 'human' for a person, or a spec; a label is the name at the table, as in Anna=human
    /// (repeatable) [default: human, then greedy]
    #[arg(long = "agent", value_name = "SPEC")]
    agents: Vec<String>,
    /// Seat of the first agent named; the others follow in turn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = ranged::<usize>(1, engine::MAX_PLAYERS as u64))]
    seat: usize,
    /// Seed of the dice, cards and agents
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    seed: u64,
    #[command(flatten)]
    rules: RuleSet,
    /// Begin at a recorded position: before ply PLY of game GAME in FILE (both from 1), under the rules of that game; --set
    /// adds treatments. FILE alone is a position made by hand, as `caesar show --position` prints it
    #[arg(long, value_name = "FILE:GAME:PLY", conflicts_with_all = ["game", "players"])]
    from: Option<String>,
    /// Keep the record of the game in a file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Continue the unfinished game of a record, with its game, rules, agents and seed (a game that began with --from
    /// needs it again)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["records", "game", "players", "agents", "seed", "rules", "set", "seat"])]
    resume: Option<PathBuf>,
    /// Agent that answers h, from the view of the seat that asks
    #[arg(long, value_name = "SPEC", default_value = HINT)]
    hint: String,
    /// No hints
    #[arg(long, conflicts_with = "hint")]
    no_hints: bool,
    /// Play on a page in the browser: prints an address for each person
    #[arg(long)]
    web: bool,
    /// Port of the page; 0 for a free one
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = ranged::<u16>(0, 65_535), requires = "web")]
    port: u16,
    /// Do not print the board before each turn
    #[arg(long)]
    no_board: bool,
    /// Seconds to wait after each choice of an agent; 0 through a pipe
    #[arg(long, value_name = "T", default_value_t = 0.6, value_parser = seconds)]
    pace: f64,
    #[command(flatten)]
    force: Force,
}

fn seconds(text: &str) -> Result<f64, String> {
    let accepted = text.parse().ok().filter(|t| (0.0..=60.0).contains(t));
    accepted.ok_or_else(|| "accepted: 0 to 60".to_owned())
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    if options.web && cfg!(not(feature = "web")) {
        return Err(Error::Usage(
            "--web: this build has no pages; `cargo run --release --features web -- play --web` builds one that has them"
                .to_owned(),
        ));
    }
    let (hosted, kept) = opened(options)?;
    let left = left(options, kept.as_ref());
    say_on_signal(left.clone())?;
    #[cfg(feature = "web")]
    if options.web {
        return web::run(options, hosted, kept);
    }
    match prompt::run(options, hosted, kept)? {
        Ending::Stopped => note(&left),
        Ending::Done | Ending::FaultsFound => return Ok(Ending::Done),
    }
    Ok(Ending::Stopped)
}

/// Prints `left` and ends the command on Ctrl-C. Whatever is final stands in the record already.
fn say_on_signal(left: String) -> Result<(), Error> {
    let handler = move || {
        note(&left);
        kill_all_programs();
        std::process::exit(3);
    };
    ctrlc::set_handler(handler).map_err(|e| Error::Failed(format!("cannot listen for Ctrl-C: {e}")))
}

/// Names the record at `place` of a game that is over.
fn over(place: Option<&str>) -> Result<Ending, Error> {
    if let Some(place) = place {
        print(&format!("Record: {place} (caesar show {place} tells the game)\n"))?;
    }
    Ok(Ending::Done)
}

/// Returns the note about a game that is left.
fn left(options: &Options, kept: Option<&Kept>) -> String {
    match kept {
        Some(kept) => {
            let from = options.from.as_ref().map(|from| format!(" --from {from}"));
            let from = from.unwrap_or_default();
            format!("the game is kept: caesar play --resume {}{from}", kept.place.display())
        }
        None => "the game is not over and not kept (--records FILE keeps a game)".to_owned(),
    }
}
