//! The command line of `caesar`: options, files and the terminal.
//!
//! Results go to stdout, progress and notes to stderr. Nothing below this module opens files or prints.

mod agents;
mod agents_check;
mod balance;
mod check;
mod commands;
mod compare;
mod counting;
mod dealt;
mod diagnose;
mod diagnostics;
mod diff;
mod directory;
mod examples;
mod fault;
mod files;
mod fit;
mod games;
mod headings;
mod history;
mod improve;
mod join;
mod kept;
mod ladder;
mod leaks;
mod lines;
mod live;
mod manual;
mod merge;
mod model;
mod odds;
mod output;
mod outputs;
mod outside;
mod packed;
mod perft;
mod play;
mod progress;
mod project;
mod records;
mod renamed;
mod replay;
mod report;
mod results;
mod rows;
mod rules;
mod run_dir_guard;
mod running;
mod runs;
mod shards;
mod show;
mod sink;
mod speed;
mod strategies;
mod sums;
mod tournament;
mod trace;
mod trust;
mod tune;
mod within;

use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use headings::GENERAL;
use output::{Color, clear, complain, look, look_of_stderr, note, print};
use sim::catalogue::{Overrides, Setup};
use sim::config::RuleSet;
use sim::error::Error;
use sim::export::{FORMATS, Format};
pub use within::{Ended, run_within};

/// Monte Carlo AI toolkit for Roman-empire board games
#[derive(Debug, Parser)]
#[command(name = "caesar", version, long_version = VERSION, arg_required_else_help = true)]
#[command(after_help = manual::EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Colours: auto (on a terminal), always, never
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        default_value = "auto",
        hide_possible_values = true,
        help_heading = GENERAL
    )]
    color: Color,
    /// Accept changed files of external agents when a run is resumed or shards are merged; the manifest records it
    #[arg(long, global = true, hide = true)]
    accept_changed: bool,
    /// Read game, players, rules, agents, seed and out from caesar.toml; options on the command line override it
    #[arg(long, global = true, help_heading = GENERAL)]
    project: bool,
    /// Start agent programs that a file names (a configuration, a directory of results); only for files that you
    /// trust
    #[arg(long, global = true, help_heading = GENERAL)]
    run_programs: bool,
}

/// The longest lines of help.
const WIDEST_HELP: usize = 100;

/// The version with the commit, the machine that it is built for and the features.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (commit ",
    env!("CAESAR_COMMIT"),
    ", ",
    env!("CAESAR_BUILD"),
    ")"
);

#[derive(Debug, Subcommand)]
enum Command {
    /// List the games
    Games(games::Options),
    /// List the kinds of agents and their parameters
    Agents(agents::Options),
    /// Print the rules of a game, with sources (TOML)
    Rules(rules::Options),
    /// Play a game yourself, against agents or with other people
    #[command(after_help = play::AFTER_HELP)]
    Play(play::Options),
    /// Run a tournament between agents
    Tournament(tournament::Options),
    /// Test which of two agents is better, or whether two rule sets differ
    #[command(after_help = compare::AFTER_HELP)]
    Compare(compare::Options),
    /// Test the gain of each step of a parameter, such as doubled iterations
    #[command(after_help = ladder::AFTER_HELP)]
    Ladder(ladder::Options),
    /// Test whether an agent uses hidden information
    #[command(after_help = leaks::AFTER_HELP)]
    Leaks(leaks::Options),
    /// Measure how well a search uses its budget
    #[command(after_help = diagnose::AFTER_HELP)]
    Diagnose(diagnose::Options),
    /// Report in sentences what a change of the rules does to a game
    #[command(after_help = balance::VARIANT)]
    Variant(balance::VariantOptions),
    /// Measure the balance of a game: seats, items, rule changes
    Balance(balance::Options),
    /// Find the strategies of a game: which survive, which beat which, how far they can be exploited
    #[command(after_help = strategies::AFTER_HELP)]
    Strategies(strategies::Options),
    /// Fit value functions, evaluation weights or priors to games
    Fit(fit::Options),
    /// Make an agent better: fit, test, tune, and report on fresh seeds
    #[command(after_help = improve::AFTER_HELP)]
    Improve(improve::Options),
    /// Search for better parameters of an agent, and confirm them on fresh seeds
    #[command(after_help = tune::AFTER_HELP)]
    Tune(tune::Options),
    /// Merge the shards of a run into one directory of results
    Merge(shards::Options),
    /// Replay one game of a tournament, by its number
    Replay(replay::Options),
    /// Print recorded games, draw them on a page, or analyse them
    Show(show::Options),
    /// Write an HTML page from directories of results
    #[command(after_help = report::AFTER_HELP)]
    Report(report::Options),
    /// List the runs in a directory: kind, time, games, headline
    Runs(runs::Options),
    /// Compare the settings and the results of two runs
    #[command(after_help = diff::AFTER_HELP)]
    Diff(diff::Options),
    /// Verify records and directories of results
    Check(check::Options),
    /// Count the nodes of the game tree by depth
    Perft(perft::Options),
    /// Serve the rules of a game to a program: actions, successors, views (JSON lines)
    #[command(after_help = model::AFTER_HELP)]
    Model(model::Options),
    Odds(odds::Options),
    /// Measure the speed of random play or of searches
    Speed(speed::Options),
    /// Print a completion script for a shell
    Completions(manual::CompletionOptions),
    /// Print a manual page (view it with `caesar man | man -l -`)
    Man(manual::ManOptions),
}

/// Ending of a command without an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Done,
    FaultsFound,
    Stopped,
}

/// Reads the rules that `rules` names.
fn overrides(rules: &RuleSet) -> Result<Overrides, Error> {
    let file = match &rules.file {
        None => None,
        Some(path) => Some((
            path.clone(),
            files::text(path).map_err(|e| Error::unreadable("rules", path, &e))?,
        )),
    };
    Ok(Overrides { file, settings: rules.settings.clone(), ..Overrides::default() })
}

/// Sets up a game under `rules`, whose file is read.
fn setup(game: &str, players: Option<usize>, rules: &RuleSet) -> Result<Setup, Error> {
    Ok(Setup { game: game.to_owned(), players, overrides: overrides(rules)? })
}

/// `--export`, wherever a run is written.
#[derive(Clone, Debug, Args)]
struct ExportArgs {
    /// Also write these files into --out, comma-separated: seats (seats.csv, a row for each seat of each game),
    /// parquet (games.parquet), seats-parquet, ratings (ratings.json), ratings-csv
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', value_parser = sim::export::format_named)]
    export: Vec<&'static Format>,
}

impl ExportArgs {
    /// Returns whether any is requested.
    const fn is_given(&self) -> bool {
        !self.export.is_empty()
    }

    /// Returns the formats, each once, including those of ratings if requested.
    fn formats(&self, with_ratings: bool) -> Vec<&'static Format> {
        let rated = FORMATS.iter().filter(|format| with_ratings && format.is_rated);
        let mut formats: Vec<_> = self.export.iter().copied().chain(rated).collect();
        formats.sort_by_key(|format| format.file);
        formats.dedup_by_key(|format| format.file);
        formats
    }
}

/// Reads `args`, and once more for a help text of the length that they ask for.
fn matched(args: &[OsString]) -> clap::error::Result<ArgMatches> {
    let mut matches = command(None).try_get_matches_from(args);
    let is_help = |kind| {
        matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand)
    };
    if matches.as_ref().is_err_and(|error| is_help(error.kind())) {
        let is_short =
            args.iter().any(|arg| arg == "-h") && !args.iter().any(|arg| arg == "--help");
        let length = if is_short { HelpLength::Short } else { HelpLength::Long };
        matches = command(Some(length)).try_get_matches_from(args);
    }
    matches.inspect(output::heed_form)
}

/// Runs the command given by `args` (the first is the program) and returns the exit code.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let unread = diagnostics::no_utf8(&args);
    Color::of_args(&args).set();
    // Programs that the project file names were not typed.
    let typed = args.clone();
    let args = match project::filled(args, &command(None)) {
        Ok(args) => args,
        Err(error) => {
            complain(&diagnostics::spelled(&error));
            return error.exit_code();
        }
    };
    let cli = match matched(&args).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, unread.as_deref()),
    };
    trust::accept_changed(cli.accept_changed);
    trust::settle(&typed, cli.run_programs, &cli.command);
    renamed::note_words(&args);
    let ended = carried_out(cli.command);
    // A program that ran this command may go on to play.
    trust::ask_first();
    match ended {
        Ok(Ending::Done) | Err(Error::ClosedPipe) => 0,
        Ok(Ending::FaultsFound) => 1,
        Ok(Ending::Stopped) => 3,
        Err(error @ Error::Stopped) => {
            note(&error.to_string());
            error.exit_code()
        }
        Err(error) => {
            complain(&diagnostics::spelled(&error));
            error.exit_code()
        }
    }
}

/// Carries out a command.
fn carried_out(command: Command) -> Result<Ending, Error> {
    match command {
        Command::Games(options) => games::run(&options),
        Command::Agents(options) => agents::run(&options),
        Command::Rules(options) => rules::run(&options),
        Command::Play(options) => play::run(&options),
        Command::Tournament(options) => play_tournament(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Ladder(options) => ladder::run(&options),
        Command::Leaks(options) => leaks::run(&options),
        Command::Diagnose(options) => diagnose::run(&options),
        Command::Variant(options) => play_variant(&options),
        Command::Balance(options) => balance::run(&options),
        Command::Strategies(options) => strategies::run(&options),
        Command::Fit(options) => fit::run(&options),
        Command::Improve(options) => improve::run(&options),
        Command::Tune(options) => tune::run(&options),
        Command::Merge(options) => shards::join_all(options, join_shards),
        Command::Replay(options) => replay::run(&options),
        Command::Show(options) => show::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Runs(options) => runs::run(&options),
        Command::Diff(options) => diff::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Perft(options) => perft::run(&options),
        Command::Model(options) => model::run(&options),
        Command::Odds(options) => odds::run(&options),
        Command::Speed(options) => speed::run(&options),
        Command::Completions(options) => manual::completions(&options),
        Command::Man(options) => manual::man(&options),
    }
}

/// The length of a help text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HelpLength {
    /// The most used options and two examples (`-h`).
    Short,
    /// All options and the explanations below them (`--help`).
    Long,
}

/// Returns the command line, with headings and examples for a help text of length `help`. A number below 0 is the value
/// of the option before it and no option, so that complaints name the option.
fn command(help: Option<HelpLength>) -> clap::Command {
    let takes = |arg: Arg| {
        let takes_value = arg.get_action().takes_values();
        if takes_value { arg.allow_negative_numbers(true) } else { arg }
    };
    // Help is as wide as tables, up to a width that is easy to read.
    let width = look().width.min(WIDEST_HELP);
    let command = Cli::command().term_width(width);
    // Without a heading, clap's own options would stand first.
    let flag = |name: &'static str, short: char, action: ArgAction, help: &'static str| {
        Arg::new(name).long(name).short(short).action(action).help(help).help_heading(GENERAL)
    };
    let command = command
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(
            flag("help", 'h', ArgAction::Help, "Print help: -h the most used options, --help all")
                .global(true),
        )
        .arg(flag("version", 'V', ArgAction::Version, "Print version"));
    // A short help leaves out what is the same for all commands.
    let command = match help {
        Some(HelpLength::Short) => ["color", "project", "run_programs"]
            .into_iter()
            .fold(command, |command, id| command.mut_arg(id, |arg| arg.hide(true))),
        _ => command,
    };
    let settled = |path: &str, command: clap::Command| {
        let command = command.mut_args(takes);
        match help {
            Some(length) => examples::ended(path, headings::grouped(path, command, length), length),
            None => command,
        }
    };
    let command = command.mut_subcommands(|sub| {
        let name = sub.get_name().to_owned();
        let sub = sub.mut_subcommands(|deeper| {
            let path = format!("{name} {}", deeper.get_name());
            settled(&path, deeper)
        });
        settled(&name, sub)
    });
    commands::grouped(examples::ended("", command, HelpLength::Long), width)
}

/// Prints help, or an error about the options in one or two lines; `unread` is an argument that is not UTF-8.
fn usage(error: &clap::Error, unread: Option<&str>) -> u8 {
    if let (ErrorKind::InvalidUtf8, Some(unread)) = (error.kind(), unread) {
        complain(&format!("{unread}: the name is not UTF-8; rename it"));
        return 2;
    }
    let text = error.render().to_string();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let is_coloured = look().is_coloured;
        return match print(&if is_coloured { error.render().ansi().to_string() } else { text }) {
            Ok(()) => 0,
            Err(error) => error.exit_code(),
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let is_coloured = look_of_stderr().is_coloured;
        let text = if is_coloured { error.render().ansi().to_string() } else { text };
        output::note_painted(text.trim_end());
        return 2;
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let kept: Vec<&str> = lines
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .collect();
    let complaint = kept.join(" ").replacen(" tip:", "\n  tip:", 1);
    complain(complaint.strip_prefix("error: ").unwrap_or(&complaint));
    2
}

/// Plays a tournament of any schedule.
fn play_tournament(options: &tournament::Options) -> Result<Ending, Error> {
    let plan = options.plan()?;
    match plan.timetable.schedule().is_dealt() {
        true => dealt::run(options, &plan),
        false => tournament::run(options, &plan),
    }
}

/// Plays a variant of the rules, and writes the page beside its results.
fn play_variant(options: &balance::VariantOptions) -> Result<Ending, Error> {
    let ending = balance::variant(options)?;
    if let Some((dir, name, is_quiet)) = options.page().filter(|_| ending == Ending::Done) {
        report::write_page(dir, name)?;
        if !is_quiet {
            note(&format!("{}: old and new side by side", dir.join(name).display()));
        }
    }
    Ok(ending)
}

/// Joins shards of any kind.
fn join_shards(options: &shards::Options) -> Result<Ending, Error> {
    let are_of = |is_of: fn(&Path) -> bool| options.shards.iter().any(|dir| is_of(dir));
    if are_of(directory::is_of::<lab::compare::manifest::Manifest>) {
        join::run(options)
    } else if are_of(directory::is_of::<lab::balance::manifest::Manifest>) {
        // Confirmations and reports are played after all shards are read.
        trust::ask_first();
        balance::merge(options)
    } else if are_of(directory::is_of::<lab::dynamics::manifest::Manifest>) {
        balance::merge_watched(options)
    } else if are_of(directory::is_of::<lab::tune::manifest::Manifest>) {
        trust::ask_first();
        tune::merge(options)
    } else if are_of(directory::is_of::<lab::strategies::manifest::Manifest>) {
        trust::ask_first();
        strategies::merge(options)
    } else {
        merge::run(options)
    }
}

#[cfg(test)]
mod tests {
    use clap::builder::Str;

    use super::*;

    /// Value names of numeric options.
    const NUMBERS: [&str; 10] = ["N", "T", "S", "E", "P", "K", "D", "I/N", "EVENTS", "SEED"];
    const BAD: [&str; 10] =
        ["", " ", "x", "-", "-1", "-1.5", "1.5e", "nan", "1e999", "99999999999999999999999"];

    #[test]
    fn a_number_that_is_refused_is_refused_by_the_name_of_its_option_and_in_plain_words() {
        let mut refused = 0;
        for sub in command(Some(HelpLength::Long)).get_subcommands() {
            for arg in sub.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let names: Vec<&str> =
                    arg.get_value_names().into_iter().flatten().map(Str::as_str).collect();
                let Some(long) = arg.get_long().filter(|_| NUMBERS.contains(&names[0])) else {
                    continue;
                };
                for bad in BAD {
                    let words = ["caesar", sub.get_name(), &format!("--{long}"), bad];
                    let Err(error) = command(Some(HelpLength::Long)).try_get_matches_from(words)
                    else {
                        continue;
                    };
                    if error.kind() == ErrorKind::MissingRequiredArgument {
                        continue;
                    }
                    let text = error.to_string();
                    // With square brackets where the number may be left out.
                    let forms = ["<N>", "[<N>]"].map(|n| n.replace('N', names[0]));
                    assert!(
                        forms.iter().any(|forms| text.contains(&format!("--{long} {forms}"))),
                        "{words:?}: {text}"
                    );
                    let jargon = ["digit", "fit in", "u64", "float", "usize", "1..="];
                    let rest = text.replace(&format!("--{long} "), "");
                    assert!(!jargon.iter().any(|word| rest.contains(word)), "{words:?}: {text}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 200, "{refused}");
    }
}
