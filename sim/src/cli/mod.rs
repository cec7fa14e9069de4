//! The command line of `caesar`: options, files and the terminal.
//!
//! Results go to stdout, progress and notes to stderr. Nothing below this module opens files or prints.

mod agents;
mod check;
mod compare;
mod desk;
mod files;
mod games;
mod live;
mod merge;
mod odds;
mod output;
mod perft;
mod progress;
mod replay;
mod results;
mod rules;
mod show;
mod speed;
mod tournament;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};

use crate::catalogue::{Overrides, Setup};
use crate::error::Error;
use output::{note, print};

/// Monte Carlo play of Roman-empire board games: bots, tournaments, records
#[derive(Debug, Parser)]
#[command(name = "caesar", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done, 1 failed while running or faults found, 2 wrong usage \
or input, 3 stopped early with everything so far saved.";

#[derive(Debug, Subcommand)]
enum Command {
    /// List the games with players, information, chance, state bytes and sources
    Games(games::Options),
    /// List the kinds of agents with every parameter
    Agents(agents::Options),
    /// Print the whole rules configuration of a game as TOML
    Rules(rules::Options),
    /// Let bots play against bots and print the ranking
    Tournament(tournament::Options),
    /// Test whether an agent is better than another, or whether two rule sets differ, until decided
    #[command(after_help = compare::AFTER_HELP)]
    Compare(compare::Options),
    /// Join the shards of a tournament into the results of one run
    Merge(merge::Options),
    /// Play one game of a finished or unfinished tournament again, by its number
    Replay(replay::Options),
    /// Print records as readable text, game by game, and what a search thinks of them
    Show(show::Options),
    /// Replay records under the rules and name the line of each first fault
    Check(check::Options),
    /// Count the nodes of the legal tree by depth
    Perft(perft::Options),
    Odds(odds::Options),
    /// Measure uniformly random play, or searches, on this machine
    Speed(speed::Options),
}

/// What a command came to, apart from errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Done,
    FaultsFound,
    Stopped,
}

/// `--rules` and `--set`, wherever a game is built.
#[derive(Clone, Debug, Args)]
struct RulesArgs {
    /// Rules file (TOML) over the default rules
    #[arg(long, value_name = "FILE")]
    rules: Option<String>,
    /// Change one rule, as in options.rounds=5 (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl RulesArgs {
    fn overrides(&self) -> Result<Overrides, Error> {
        let file = match &self.rules {
            None => None,
            Some(path) => Some((
                path.clone(),
                std::fs::read_to_string(path).map_err(Error::file(format!("--rules {path}")))?,
            )),
        };
        Ok(Overrides { file, settings: self.set.clone(), recorded: None })
    }

    fn setup(&self, game: &str, players: Option<usize>) -> Result<Setup, Error> {
        Ok(Setup { game: game.to_owned(), players, overrides: self.overrides()? })
    }
}

/// A whole number, for options that take one.
fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number".to_owned())
}

/// A number of seats; whether the game has such a table is seen later.
fn seats(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number".to_owned())
}

/// Runs the command given by `args` (the first is the program) and returns the exit code.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let result = match cli.command {
        Command::Games(options) => games::run(&options),
        Command::Agents(options) => agents::run(&options),
        Command::Rules(options) => rules::run(&options),
        Command::Tournament(options) => tournament::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Merge(options) => merge::run(&options),
        Command::Replay(options) => replay::run(&options),
        Command::Show(options) => show::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Perft(options) => perft::run(&options),
        Command::Odds(options) => odds::run(&options),
        Command::Speed(options) => speed::run(&options),
    };
    match result {
        Ok(Ending::Done) | Err(Error::ClosedPipe) => 0,
        Ok(Ending::FaultsFound) => 1,
        Ok(Ending::Stopped) => 3,
        Err(error) => {
            note(&format!("error: {error}"));
            error.exit_code()
        }
    }
}

/// Prints help, or a complaint about the options in one or two lines.
fn usage(error: &clap::Error) -> u8 {
    let text = error.render().to_string();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match print(&text) {
            Ok(()) | Err(Error::ClosedPipe) => 0,
            Err(error) => error.exit_code(),
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        note(text.trim_end());
        return 2;
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let kept: Vec<&str> = lines
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .collect();
    note(&kept.join(" ").replacen(" tip:", "\n  tip:", 1));
    2
}
