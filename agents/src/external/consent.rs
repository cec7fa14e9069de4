//! Consent to start programs. An agent from a file starts no program until the user allows its command.
//!
//! The process begins without any consent. A command that the user typed is allowed by the caller ([`allow_program`]).
//! Commands from manifests, records and configurations are refused, or the user is prompted.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A decision about one command. Only [`Consent::to`] creates one, and no program starts without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Consent {
    may_start: bool,
}

/// A prompt to the user that returns whether these commands may start.
pub type Ask = fn(&[&str]) -> bool;

struct Given {
    all: bool,
    commands: BTreeSet<String>,
    /// The beginnings of allowed commands with an open number.
    beginnings: BTreeSet<String>,
    /// True if agents are only inspected. Then programs without consent do not start.
    only_looks: bool,
    /// True if nothing plays, so that the programs and evaluators of agents need not be here.
    plays_nothing: bool,
    ask: Option<Ask>,
    remedy: &'static str,
}

static GIVEN: Mutex<Given> = Mutex::new(Given {
    all: false,
    commands: BTreeSet::new(),
    beginnings: BTreeSet::new(),
    only_looks: false,
    plays_nothing: false,
    ask: None,
    remedy: "allow it first",
});

fn given() -> MutexGuard<'static, Given> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allows every program of an agent, from now on.
pub fn allow_all_programs() {
    given().all = true;
}

/// Allows the program of `command`: the agent's parameter, or [`written`](super::written) with a directory or variables.
pub fn allow_program(command: &str) {
    given().commands.insert(command.to_owned());
}

/// Allows every command with this beginning, for agents with an open number.
pub fn allow_programs_beginning_with(start: &str) {
    given().beginnings.insert(start.to_owned());
}

/// Lets agents be built without consent, and prevents their programs from starting.
pub fn only_look_at_programs() {
    given().only_looks = true;
}

/// Lets agents also be built whose programs and evaluators are not here: nothing plays.
pub fn only_read_agents() {
    let mut given = given();
    (given.only_looks, given.plays_nothing) = (true, true);
}

/// Returns whether nothing plays.
pub(crate) fn plays_nothing() -> bool {
    given().plays_nothing
}

/// Sets the prompt for programs without consent, and the remedy in a refusal (a fragment of a sentence). Agents are
/// built for play from now on.
pub fn ask_about_programs(ask: Option<Ask>, remedy: &'static str) {
    let mut given = given();
    (given.ask, given.remedy) = (ask, remedy);
    (given.only_looks, given.plays_nothing) = (false, false);
}

/// The commands without consent, as text for a refusal.
struct Refused<'a>(&'a [&'a str], &'static str);

impl fmt::Display for Refused<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commands: Vec<String> = self.0.iter().map(|command| format!("{command:?}")).collect();
        let what = if commands.len() == 1 { "the program" } else { "the programs" };
        write!(f, "this would start {what} {}: {}", commands.join(" and "), self.1)
    }
}

impl Consent {
    /// Returns the consent to each of `commands`. One prompt covers all commands without consent.
    ///
    /// # Errors
    /// If a command is not allowed: the message names every such command and the remedy.
    pub fn to(commands: &[&str]) -> Result<Self, String> {
        let mut given = given();
        let begins =
            |command: &str| given.beginnings.iter().any(|start| command.starts_with(start));
        let known =
            |command: &&&str| given.all || given.commands.contains(**command) || begins(command);
        let mut unknown: Vec<&str> = commands.iter().filter(|c| !known(c)).copied().collect();
        unknown.dedup();
        if unknown.is_empty() {
            return Ok(Self { may_start: true });
        }
        if given.only_looks {
            return Ok(Self { may_start: false });
        }
        if given.ask.is_some_and(|ask| ask(&unknown)) {
            given.commands.extend(unknown.iter().map(|&command| command.to_owned()));
            return Ok(Self { may_start: true });
        }
        Err(Refused(&unknown, given.remedy).to_string())
    }

    /// Returns whether the program may start.
    pub(super) const fn may_start(self) -> bool {
        self.may_start
    }

    #[cfg(test)]
    pub(super) const fn of_tests() -> Self {
        Self { may_start: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_needs_its_own_consent_and_a_refusal_names_all_that_lack_it() {
        allow_program("typed --by hand");
        assert_eq!(Consent::to(&["typed --by hand"]), Ok(Consent { may_start: true }));
        let refusal = Consent::to(&["typed", "typed --by hand", "sh 'e\u{1b}[2J'"]).unwrap_err();
        assert!(
            refusal.starts_with("this would start the programs \"typed\" and \"sh "),
            "{refusal}"
        );
        assert!(!refusal.contains('\u{1b}') && !refusal.contains("by hand"), "{refusal}");
    }
}
