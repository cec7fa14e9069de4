//! Programs that a command may start: those typed, and those that files name if the user allows it.
//!
//! A directory, a record or a configuration may come from somebody else, and an agent in it may name any command. Every
//! agent requires [`agents::external::Consent`] when it is built. This module holds the user's consent.

use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};

use agents::external::{
    allow_all_programs, allow_program, allow_programs_beginning_with, ask_about_programs,
    only_look_at_programs, only_read_agents, written,
};

use super::output::stderr_is_terminal;
use super::{Command, note};

/// The remedy in a refusal.
const REMEDY: &str = "only a file names it, not the command line; if you trust the file, start it with \
--run-programs";

/// Allows the commands in `args`, which were typed by hand; all others need `run_programs`, or a yes on the terminal.
pub(super) fn settle(args: &[OsString], run_programs: bool, command: &Command) {
    let words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    // An open number, as ? of a ladder or {depth:1..9} of a search, matches any number.
    words.flat_map(typed).for_each(|command| match command.find(['?', '{']) {
        None => allow_program(&command),
        Some(open) => allow_programs_beginning_with(&command[..open]),
    });
    if run_programs {
        return allow_all_programs();
    }
    match looks_only(command) {
        // A merge plays games again, and may go on to play.
        true if matches!(command, Command::Merge(_)) => only_look_at_programs(),
        true => only_read_agents(),
        false => ask_first(),
    }
}

/// Requires permission before a program starts that the user has not allowed, also when a command that reads
/// directories begins to play.
pub(super) fn ask_first() {
    let has_reader = io::stdin().is_terminal() && stderr_is_terminal();
    ask_about_programs(if has_reader { Some(ask) } else { None }, REMEDY);
}

/// Flag for a run that continues with programs that have changed since.
static ACCEPTS_CHANGED: AtomicBool = AtomicBool::new(false);

/// Allows runs to continue, and shards to be joined, although files of their programs have changed.
pub(super) fn accept_changed(is_accepted: bool) {
    ACCEPTS_CHANGED.store(is_accepted, Ordering::Relaxed);
}

/// Returns whether they may.
pub(super) fn accepts_changed() -> bool {
    ACCEPTS_CHANGED.load(Ordering::Relaxed)
}

/// Returns whether the command plays nothing with a run's agents and may therefore read them without a question. A
/// merge that continues play requests permission by itself.
fn looks_only(command: &Command) -> bool {
    match command {
        Command::Merge(_)
        | Command::Report(_)
        | Command::Runs(_)
        | Command::Diff(_)
        | Command::Check(_)
        | Command::Show(_)
        | Command::Games(_)
        | Command::Rules(_)
        | Command::Perft(_)
        | Command::Model(_)
        | Command::Odds(_)
        | Command::Completions(_)
        | Command::Man(_) => true,
        Command::Agents(options) => options.check.is_none(),
        Command::Play(_)
        | Command::Tournament(_)
        | Command::Compare(_)
        | Command::Ladder(_)
        | Command::Leaks(_)
        | Command::Diagnose(_)
        | Command::Variant(_)
        | Command::Balance(_)
        | Command::Fit(_)
        | Command::Improve(_)
        | Command::Strategies(_)
        | Command::Tune(_)
        | Command::Replay(_)
        | Command::Speed(_) => false,
    }
}

/// Returns the commands of the agents in a word of the command line, with their directories and variables.
fn typed(word: &str) -> impl Iterator<Item = String> {
    word.match_indices("external").filter_map(|(at, kind)| {
        let inside = word[at + kind.len()..].trim_start().strip_prefix('(')?;
        let mut is_quoted = false;
        let mut is_end = |c: char| {
            is_quoted ^= c == '"';
            !is_quoted && (c == ',' || c == ')')
        };
        let list = inside.split_inclusive(&mut is_end);
        let mut is_open = true;
        let own = list.take_while(|part| std::mem::replace(&mut is_open, !part.ends_with(')')));
        let parameters: Vec<(&str, &str)> = own
            .filter_map(|part| part.trim_end_matches([',', ')']).split_once('='))
            .map(|(name, value)| (name.trim(), value.trim().trim_matches('"')))
            .collect();
        let value = |name: &str| parameters.iter().find(|(known, _)| *known == name);
        let value = |name: &str| value(name).map(|(_, value)| *value);
        Some(written(value("command")?, value("cwd"), value("env")))
    })
}

/// Requests permission on the terminal; any answer but yes is a refusal.
fn ask(commands: &[&str]) -> bool {
    commands.iter().for_each(|command| note(&format!("a file names this program: {command:?}")));
    note("start it on this machine? [y/N]");
    let mut answer = String::new();
    let is_read = io::stdin().lock().read_line(&mut answer).is_ok();
    is_read && matches!(answer.trim(), "y" | "Y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_were_typed_are_found_in_every_spelling_of_an_agent() {
        let found = |word: &str| typed(word).collect::<Vec<_>>();
        assert_eq!(found("external(command=\"sh 'a, b).sh' x\", seconds=5)"), ["sh 'a, b).sh' x"]);
        assert_eq!(found("--agent=b=external( seconds=?1..5, command = bot )"), ["bot"]);
        let two = "external(command=a);external (command=\"b\")";
        assert_eq!(found(two), ["a", "b"]);
        let all = "x=external(cwd=\"b, c\", command=\"env x=1\", env=\"A=1 'B=2)'\"), external(command=b)";
        assert_eq!(found(all), ["env -C 'b, c' A=1 'B=2)' env x=1", "b"]);
        for none in ["external", "external.toml", "greedy(weights=external)", "external(seconds=5)"]
        {
            assert_eq!(found(none), [""; 0], "{none}");
        }
    }
}
