//! What can go wrong, in messages of one or two lines, and the exit code of each.

use std::io;

use agents::BadSpec;
use engine::BadRules;

/// A game without a result, because the machine failed an agent: it is nobody's defeat.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "game {n}: {reason}\n  this machine is short of something, which is nobody's defeat{helps}", n = index + 1,
    helps = remedy.map_or_else(String::new, |remedy| format!(": {remedy}"))
)]
pub struct HostFault {
    /// The index of the game in the run.
    pub index: u64,
    /// What the agent said.
    pub reason: String,
    /// What helps, where the reason does not say it.
    pub remedy: Option<&'static str>,
    /// Whether the machine is no worse than before, but everything was told to end (`agents::halt`).
    pub is_halt: bool,
}

/// A run that could not start or could not finish.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Rules that are refused.
    #[error("{bad}")]
    Rules {
        /// The complaint with its place.
        bad: BadRules,
        /// The side of a comparison that alone has what is refused.
        arm: Option<Arm>,
    },
    /// An agent that is refused.
    #[error("{0}")]
    Spec(#[from] BadSpec),
    /// A value that was given by name, as an option or as a key of a configuration.
    #[error("{name} {value}: {message}")]
    Value {
        /// The name, without dashes.
        name: &'static str,
        /// The value.
        value: String,
        /// What is wrong and what would be accepted.
        message: String,
    },
    /// A comparison of agents without its two agents.
    #[error(
        "{given} agents given: two are needed, the candidate and the baseline, or two rule sets"
    )]
    Candidates {
        /// How many there are.
        given: usize,
    },
    /// A comparison of two rule sets that are one.
    #[error("both rule sets are the same: they must make a difference")]
    SameRules,
    /// Any other wrong input: the message names the value, where it stands and what is accepted.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be used as asked.
    #[error("{place}: {source}")]
    File {
        /// The file as it was named, with the option.
        place: String,
        /// Why not.
        source: io::Error,
    },
    /// Results that could not be written while running.
    #[error("cannot write {place}: {source}")]
    Output {
        /// The file.
        place: String,
        /// Why not.
        source: io::Error,
    },
    /// Input that cannot be read to its end.
    #[error("cannot read the input: {0}")]
    Input(#[from] io::Error),
    /// Whoever read our output has had enough: no error at all.
    #[error("the reader of the output has gone")]
    ClosedPipe,
    /// A game that the machine kept from being played: the run ends before its block.
    #[error("{0}")]
    Host(HostFault),
    /// Games that were dropped because everything was told to end.
    #[error("stopped early: the games that were being played are dropped, what was written stays")]
    Stopped,
    /// Something else that failed while running.
    #[error("{0}")]
    Failed(String),
}

/// A side of a comparison of rule sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arm {
    /// The first.
    A,
    /// The second.
    B,
}

impl Arm {
    /// What the names of its options end in.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::A => "-a",
            Self::B => "-b",
        }
    }
}

impl From<HostFault> for Error {
    fn from(fault: HostFault) -> Self {
        if fault.is_halt { Self::Stopped } else { Self::Host(fault) }
    }
}

impl From<BadRules> for Error {
    fn from(bad: BadRules) -> Self {
        Self::Rules { bad, arm: None }
    }
}

impl Error {
    /// A value that is refused.
    #[must_use]
    pub fn value(name: &'static str, value: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Value { name, value: value.into(), message: message.into() }
    }

    /// A file at `path`, which was given by `name`, that cannot be read: wrong input, unless the machine lacks what reading
    /// takes.
    #[must_use]
    pub fn unreadable(name: &'static str, path: &str, source: &io::Error) -> Self {
        match is_shortage(source) {
            true => Self::Failed(format!("cannot read {path}: {source}")),
            false => Self::value(name, path, source.to_string()),
        }
    }

    /// The exit code of the command: 2 for wrong input, 1 for a failure while running.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::File { source, .. } | Self::Input(source) if is_shortage(source) => 1,
            Self::Rules { .. }
            | Self::Value { .. }
            | Self::Spec(_)
            | Self::Candidates { .. }
            | Self::SameRules
            | Self::Usage(_)
            | Self::File { .. }
            | Self::Input(_) => 2,
            Self::Output { .. } | Self::Host(_) | Self::Failed(_) => 1,
            Self::ClosedPipe => 0,
            Self::Stopped => 3,
        }
    }

    /// A file that cannot be read or made before the run.
    pub fn file(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let place = place.into();
        move |source| Self::File { place, source }
    }

    /// Output that cannot be opened before the run: a place that cannot be, or that another run writes to, is wrong
    /// usage, one that refuses us or has no room left is a failure.
    pub fn opening(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        use io::ErrorKind::{
            AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
            ResourceBusy,
        };
        let place = place.into();
        move |source| match source.kind() {
            AlreadyExists | InvalidFilename | InvalidInput | IsADirectory | NotADirectory
            | NotFound | ResourceBusy => Self::File { place, source },
            _ => Self::Output { place, source },
        }
    }

    /// Output that cannot be written during the run.
    pub fn output(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let place = place.into();
        move |source| match source.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Output { place, source },
        }
    }
}

/// Whether the machine is short of what a file takes: descriptors (of a process, of all), or memory.
fn is_shortage(error: &io::Error) -> bool {
    const SHORTAGES: [i32; 2] = if cfg!(windows) { [4, 8] } else { [24, 23] };
    let is_code = |code| SHORTAGES.contains(&code);
    error.kind() == io::ErrorKind::OutOfMemory || error.raw_os_error().is_some_and(is_code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_is_short_of_descriptors_is_no_wrong_input() {
        let short = || io::Error::from_raw_os_error(if cfg!(windows) { 4 } else { 24 });
        assert_eq!(Error::file("x")(short()).exit_code(), 1);
        assert_eq!(Error::opening("x")(short()).exit_code(), 1);
        assert_eq!(Error::unreadable("rules", "x", &short()).exit_code(), 1);
        assert_eq!(Error::from(short()).exit_code(), 1);
        let missing = io::Error::from(io::ErrorKind::NotFound);
        assert_eq!(Error::unreadable("rules", "x", &missing).exit_code(), 2);
    }

    #[test]
    fn a_directory_that_refuses_us_is_a_failure_and_one_that_cannot_be_is_wrong_usage() {
        let code = |kind: io::ErrorKind| Error::opening("--out x")(kind.into()).exit_code();
        assert_eq!(code(io::ErrorKind::PermissionDenied), 1);
        assert_eq!(code(io::ErrorKind::ReadOnlyFilesystem), 1);
        assert_eq!(code(io::ErrorKind::StorageFull), 1);
        assert_eq!(code(io::ErrorKind::NotADirectory), 2);
        let text = Error::opening("--out x")(io::ErrorKind::PermissionDenied.into()).to_string();
        assert_eq!(text, "cannot write --out x: permission denied");
    }
}
