//! `caesar play`: people at the table, in the terminal or through a pipe.

mod prompt;
mod saved;
mod screen;
mod seating;

use std::path::PathBuf;

use clap::Args;
use play::table::Table;

use self::saved::{Kept, opened};
use self::seating::built;
use super::outputs::Force;
use super::{Ending, note};
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
    /// adds treatments
    #[arg(long, value_name = "FILE:GAME:PLY", conflicts_with_all = ["game", "players"])]
    from: Option<String>,
    /// Keep the record of the game in a file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Go on with the game of a record that is not finished; game, rules, agents and seed are the record's (a game that
    /// began with --from needs it again)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["records", "game", "players", "agents", "seed", "rules", "set", "seat"])]
    resume: Option<PathBuf>,
    /// Agent that answers h, from the view of the seat that asks
    #[arg(long, value_name = "SPEC", default_value = HINT)]
    hint: String,
    /// No hints
    #[arg(long, conflicts_with = "hint")]
    no_hints: bool,
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
    let (session, names, kept) = opened(options)?;
    let adviser = match options.no_hints {
        true => None,
        false => Some(built(session.game(), &options.hint)?.0),
    };
    prompt::run(options, Table::new(session, names, adviser), kept)
}

/// Names the command that goes on with a game that is left.
fn left(options: &Options, kept: Option<&Kept>) -> Ending {
    note(&match kept {
        Some(kept) => {
            let from = options.from.as_ref().map(|from| format!(" --from {from}"));
            let from = from.unwrap_or_default();
            format!("the game is kept: caesar play --resume {}{from}", kept.place.display())
        }
        None => "the game is not over and not kept (--records FILE keeps a game)".to_owned(),
    });
    Ending::Stopped
}
