//! The place of a value, and a complaint about it.

use std::fmt;

/// The place where a value of the rules was set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleSource {
    /// The default.
    Default,
    /// A line of a rules file.
    File {
        /// The name of the file.
        name: String,
        /// The line, from 1.
        line: usize,
    },
    /// A single setting, `KEY=VALUE` as it was given.
    Setting(String),
    /// The overrides of a record or of a manifest.
    Record,
    /// The number of players.
    Players(usize),
}

impl fmt::Display for RuleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default rules"),
            Self::File { name, line } => write!(f, "{name}:{line}"),
            Self::Setting(text) => f.write_str(text),
            Self::Record => f.write_str("rules"),
            Self::Players(n) => write!(f, "a table of {n}"),
        }
    }
}

/// The error for a configuration that is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadRules {
    /// The place of the refused value.
    pub place: RuleSource,
    /// The fault, and the accepted values.
    pub message: String,
}

impl fmt::Display for BadRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for BadRules {}
