//! The errors of a run, in messages of one or two lines, and the exit code of each.

use std::io;

use agents::BadSpec;
use engine::BadRules;

/// A game without a result, because the machine failed an agent: it counts as no agent's defeat.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "game {n}: {reason}\n  the machine lacked a resource, so no agent is to blame{helps}", n = index + 1,
    helps = remedy.map_or_else(String::new, |remedy| format!(": {remedy}"))
)]
pub struct HostFault {
    /// The index of the game in the run.
    pub index: u64,
    /// The agent's message.
    pub reason: String,
    /// The remedy, if the reason does not state it.
    pub remedy: Option<&'static str>,
    /// True if the machine is unharmed and all games were told to end (`agents::halt`).
    pub is_halt: bool,
}

/// The error of a run that could not start or could not finish.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Refused rules.
    #[error("{bad}")]
    Rules {
        /// The complaint with its place.
        bad: BadRules,
        /// The side of a comparison, if only that side has the refused rules.
        arm: Option<Arm>,
    },
    /// A refused agent spec.
    #[error("{0}")]
    Spec(#[from] BadSpec),
    /// A refused value of an option or of a configuration key.
    #[error("{name} {value}: {message}")]
    Value {
        /// The name, without dashes.
        name: &'static str,
        /// The value.
        value: String,
        /// The reason, and the accepted values.
        message: String,
    },
    /// A comparison of agents with the wrong number of agents.
    #[error(
        "{given} agents given: two are needed, the candidate and the baseline, or two rule sets"
    )]
    Candidates {
        /// The number of agents given.
        given: usize,
    },
    /// A comparison of two equal rule sets.
    #[error("both rule sets are the same")]
    SameRules,
    /// Any other wrong input; the message names the value, its place and the accepted values.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be used as requested.
    #[error("{place}: {source}")]
    File {
        /// The file as given, with the option.
        place: String,
        /// The cause.
        source: io::Error,
    },
    /// Results that could not be written while running.
    #[error("cannot write {place}: {source}")]
    Output {
        /// The file.
        place: String,
        /// The cause.
        source: io::Error,
    },
    /// Input that cannot be read to its end.
    #[error("cannot read the input: {0}")]
    Input(#[from] io::Error),
    /// A closed output pipe: the reader has enough, so this is no error.
    #[error("the reader of the output has gone")]
    ClosedPipe,
    /// A game that the machine prevented: the run ends before its block.
    #[error("{0}")]
    Host(HostFault),
    /// Games that were dropped because all games were told to end.
    #[error("stopped early: games in progress are dropped, written results stay")]
    Stopped,
    /// Any other failure while running.
    #[error("{0}")]
    Failed(String),
}

/// A side of a comparison of rule sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arm {
    /// The first side.
    A,
    /// The second side.
    B,
}

impl Arm {
    /// Returns the suffix of the names of the side's options.
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
    /// Returns the error for a refused value.
    #[must_use]
    pub fn value(name: &'static str, value: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Value { name, value: value.into(), message: message.into() }
    }

    /// Returns the error for an unreadable file at `path`, given by the option `name`.
    ///
    /// This is wrong input, unless the machine lacks the resources for reading.
    #[must_use]
    pub fn unreadable(name: &'static str, path: &str, source: &io::Error) -> Self {
        match is_shortage(source) {
            true => Self::Failed(format!("cannot read {path}: {source}")),
            false => Self::value(name, path, source.to_string()),
        }
    }

    /// Returns the exit code of the command: 2 for wrong input, 1 for a failure while running.
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

    /// Returns the error for a file that cannot be read or created before the run.
    pub fn file(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let place = place.into();
        move |source| Self::File { place, source }
    }

    /// Returns the error for output that cannot be opened before the run.
    ///
    /// An impossible place, or one that another run writes to, is wrong usage. Denied access and a full disk are
    /// failures.
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

    /// Returns the error for output that cannot be written during the run.
    pub fn output(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let place = place.into();
        move |source| match source.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Output { place, source },
        }
    }
}

/// Returns whether the machine lacks a resource for a file: descriptors (of the process or of all), or memory.
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
