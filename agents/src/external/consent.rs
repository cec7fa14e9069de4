//! Consent to start programs: an agent that a file names starts nothing until somebody has allowed its command.
//!
//! The process begins without any consent. Whoever reads a command from a person allows it ([`allow_program`]); what
//! manifests, records and configurations name is refused, or asked for.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A decision about one command. Only [`Consent::to`] makes one, and no program starts without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Consent {
    may_start: bool,
}

/// A question to a person: may these commands be started?
pub type Ask = fn(&[&str]) -> bool;

struct Given {
    all: bool,
    commands: BTreeSet<String>,
    /// What commands with an open number begin with.
    beginnings: BTreeSet<String>,
    /// Agents are built to be looked at; nothing starts that was not allowed.
    only_looks: bool,
    ask: Option<Ask>,
    remedy: &'static str,
}

static GIVEN: Mutex<Given> = Mutex::new(Given {
    all: false,
    commands: BTreeSet::new(),
    beginnings: BTreeSet::new(),
    only_looks: false,
    ask: None,
    remedy: "allow it first",
});

fn given() -> MutexGuard<'static, Given> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allows every program that an agent names, from now on.
pub fn allow_all_programs() {
    given().all = true;
}

/// Allows the program of `command`, as the parameter of an agent gives it.
pub fn allow_program(command: &str) {
    given().commands.insert(command.to_owned());
}

/// Allows every command that begins so, as those of an agent with a number that is left open.
pub fn allow_programs_beginning_with(start: &str) {
    given().beginnings.insert(start.to_owned());
}

/// Builds agents whose programs nobody has allowed, and lets none of these programs start.
pub fn only_look_at_programs() {
    given().only_looks = true;
}

/// Sets who is asked about a program that nobody has allowed, and what a refusal offers (a fragment of a sentence). Agents
/// are built to play, from now on.
pub fn ask_about_programs(ask: Option<Ask>, remedy: &'static str) {
    let mut given = given();
    (given.ask, given.remedy, given.only_looks) = (ask, remedy, false);
}

/// Commands without consent, as a refusal names them.
struct Refused<'a>(&'a [&'a str], &'static str);

impl fmt::Display for Refused<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commands: Vec<String> = self.0.iter().map(|command| format!("{command:?}")).collect();
        let what = if commands.len() == 1 { "the program" } else { "the programs" };
        write!(f, "this would start {what} {}: {}", commands.join(" and "), self.1)
    }
}

impl Consent {
    /// Returns the consent to each of `commands`; a person is asked once for all that lack it.
    ///
    /// # Errors
    /// If one is not allowed: the message names every such command and the remedy.
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
