//! Which programs this process may start.
//!
//! The command of an agent may come from a file that somebody else wrote: the manifest of a run, a configuration, a log.
//! Starting it unasked would let a directory of results run anything. So whoever reads such files restricts what may be
//! started to what a person has named; it is checked where a program is started and nowhere else, so that no way to an
//! agent goes around it. A library that restricts nothing starts what it is given.

use std::sync::{PoisonError, RwLock};

/// The commands that may be started; `None` for all.
static ALLOWED: RwLock<Option<Vec<Allowed>>> = RwLock::new(None);

/// A command that may be started, or what all of several begin with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allowed {
    /// This command.
    Command(String),
    /// Every command that begins so, as one with a number that is left open.
    BeginningWith(String),
}

impl Allowed {
    fn holds(&self, command: &str) -> bool {
        match self {
            Self::Command(allowed) => allowed == command,
            Self::BeginningWith(start) => command.starts_with(start),
        }
    }
}

/// Restricts what may be started to `allowed`, in place of what was said before; `None` lifts all restrictions.
pub fn restrict(allowed: Option<Vec<Allowed>>) {
    *ALLOWED.write().unwrap_or_else(PoisonError::into_inner) = allowed;
}

/// Allows one more command.
pub fn allow(command: String) {
    let mut allowed = ALLOWED.write().unwrap_or_else(PoisonError::into_inner);
    allowed.iter_mut().for_each(|all| all.push(Allowed::Command(command.clone())));
}

/// Returns whether `command` may be started.
#[must_use]
pub fn is_given(command: &str) -> bool {
    let allowed = ALLOWED.read().unwrap_or_else(PoisonError::into_inner);
    allowed.as_ref().is_none_or(|all| all.iter().any(|one| one.holds(command)))
}
