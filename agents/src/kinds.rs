//! The registry of agents: [`KINDS`] is the only list of kinds and of their parameters, each with its default,
//! range, unit and meaning, so that parsing, printing, help and complaints cannot disagree.

use std::fmt;

use crate::mcts;

/// What values a parameter takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Domain {
    /// A number in `low..=high`.
    Number {
        /// The value when nothing is said.
        default: f64,
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// A number in `low..=high`; the default is the game's own.
    Auto {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// A whole number in `low..=high`; the default is the game's own.
    AutoWhole {
        /// The least value.
        low: u64,
        /// The greatest value.
        high: u64,
    },
    /// A whole number in `low..=high`.
    Whole {
        /// The value when nothing is said.
        default: u64,
        /// The least value.
        low: u64,
        /// The greatest value.
        high: u64,
    },
    /// One of some words.
    Choice {
        /// The word when nothing is said.
        default: &'static str,
        /// All words that are accepted.
        words: &'static [&'static str],
    },
    /// Any text; none by default.
    Text,
    /// The path of a file; none by default.
    File,
}

impl Domain {
    /// The default as it would be written.
    #[must_use]
    pub fn default_text(self) -> String {
        match self {
            Self::Number { default, .. } => default.to_string(),
            Self::Whole { default, .. } => default.to_string(),
            Self::Auto { .. } | Self::AutoWhole { .. } => "auto".to_owned(),
            Self::Choice { default, .. } => default.to_owned(),
            Self::Text | Self::File => "none".to_owned(),
        }
    }

    /// The accepted values, for people.
    #[must_use]
    pub fn range_text(self) -> String {
        match self {
            Self::Number { low, high, .. } => format!("{low} to {high}"),
            Self::Auto { low, high } => format!("auto, {low} to {high}"),
            Self::AutoWhole { low, high } => format!("auto, whole, {low} to {high}"),
            Self::Whole { low, high, .. } => format!("whole, {low} to {high}"),
            Self::Choice { words, .. } => words.join(", "),
            Self::Text => "any text".to_owned(),
            Self::File => "a TOML file".to_owned(),
        }
    }

    /// What is wrong with a text that [`read`](Self::read) refuses.
    pub(crate) fn fault(self, text: &str) -> &'static str {
        let is_number = text.parse::<f64>().is_ok();
        let is_whole =
            is_number && text.trim_start_matches('-').chars().all(|c| c.is_ascii_digit());
        match self {
            Self::Text | Self::File => "is empty",
            Self::Choice { .. } => "is none of these",
            _ if !is_number => "is no number",
            Self::Whole { .. } | Self::AutoWhole { .. } if !is_whole => {
                "is no whole number in digits"
            }
            _ => "is out of range",
        }
    }

    pub(crate) fn default_value(self) -> Option<Value> {
        match self {
            Self::Number { default, .. } => Some(Value::Number(default)),
            Self::Whole { default, .. } => Some(Value::Whole(default)),
            Self::Choice { default, .. } => Some(Value::Word(default)),
            Self::Auto { .. } | Self::AutoWhole { .. } => Some(Value::Word("auto")),
            Self::Text | Self::File => None,
        }
    }

    pub(crate) fn read(self, text: &str) -> Option<Value> {
        match self {
            Self::Number { low, high, .. } => text
                .parse()
                .ok()
                .filter(|x| (low..=high).contains(x))
                .map(|x: f64| Value::Number(x + 0.0)),
            Self::Auto { .. } | Self::AutoWhole { .. } if text == "auto" => {
                Some(Value::Word("auto"))
            }
            Self::Auto { low, high } => Self::Number { default: low, low, high }.read(text),
            Self::AutoWhole { low, high } => Self::Whole { default: low, low, high }.read(text),
            Self::Whole { low, high, .. } => {
                text.parse().ok().filter(|n| (low..=high).contains(n)).map(Value::Whole)
            }
            Self::Choice { words, .. } => {
                words.iter().find(|word| **word == text).map(|word| Value::Word(word))
            }
            Self::Text => (!text.is_empty()).then(|| Value::Text(text.to_owned())),
            Self::File => (!text.is_empty()).then(|| Value::File(text.to_owned())),
        }
    }
}

/// A parameter of a kind of agent.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name in a spec.
    pub name: &'static str,
    /// The accepted values and the default.
    pub domain: Domain,
    /// The unit of the value; empty for a pure number.
    pub unit: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// A kind of agent.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name in a spec.
    pub name: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// Its parameters, in the order in which a spec prints them.
    pub params: &'static [Param],
}

/// Whose weights an evaluation takes, for every kind that evaluates.
pub(crate) const PERSONA: Param = Param {
    name: "persona",
    domain: Domain::Choice {
        default: "balanced",
        words: &["balanced", "central", "provincial", "senate", "raider", "turtle", "merchant"],
    },
    unit: "",
    meaning: "whose weights the evaluation takes, for games that have personas",
};

/// Weights of an evaluation, for every kind that evaluates.
pub(crate) const WEIGHTS: Param = Param {
    name: "weights",
    domain: Domain::File,
    unit: "",
    meaning: "weights of the evaluation, for games that have one of their own; over those of the persona",
};

/// What leaves are worth, for every kind that values them.
pub(crate) const VALUE: Param = Param {
    name: "value",
    domain: Domain::File,
    unit: "",
    meaning: "value function of the leaves, for games that have a fitted one (conquest2: `just value` makes such files)",
};

/// How battles are tried out, for every kind that does so.
pub(crate) const BATTLES: Param = Param {
    name: "battles",
    domain: Domain::Choice { default: "roll", words: &["roll", "odds"] },
    unit: "",
    meaning: "how it judges and tries out a battle: by a rule of thumb and roll by roll, or by exact odds, for games that have them",
};

/// All kinds of agents.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "random",
        meaning: "plays every legal action with the same probability",
        params: &[],
    },
    Kind {
        name: "greedy",
        meaning: "plays what looks best right after the action; plays at random where a game has no scores",
        params: &[
            Param {
                name: "epsilon",
                domain: Domain::Number { default: 0.0, low: 0.0, high: 1.0 },
                unit: "probability",
                meaning: "how often it plays a random action instead",
            },
            PERSONA,
            WEIGHTS,
            BATTLES,
            Param {
                name: "start",
                domain: Domain::Choice { default: "valued", words: &["valued", "random"] },
                unit: "",
                meaning: "where it places its pieces before the game, for games with such a choice (circus): where they look best, or on every free place with the same probability",
            },
        ],
    },
    Kind {
        name: "mcts",
        meaning: "Monte Carlo tree search: information sets, chance, simultaneous turns, any number of players",
        params: mcts::params::PARAMS,
    },
    Kind {
        name: "flat",
        meaning: "flat Monte Carlo: every action tried equally often by random play, the best mean wins",
        params: mcts::presets::FLAT,
    },
    Kind {
        name: "one-ply",
        meaning: "every option tried equally often with the rollouts of mcts, the best mean wins",
        params: mcts::presets::ONE_PLY,
    },
    Kind {
        name: "pimc",
        meaning: "determinised tree search: some worlds searched as if they were known, the visits added up",
        params: mcts::presets::PIMC,
    },
    Kind {
        name: "clairvoyant",
        meaning: "CHEATS: mcts that sees everything hidden; a bound, not a player",
        params: mcts::params::PARAMS,
    },
    Kind {
        name: "external",
        meaning: "asks another program, by JSON lines on its standard input and output: see docs/external-agents.md",
        params: &[
            Param {
                name: "command",
                domain: Domain::Text,
                unit: "",
                meaning: "the program and its arguments; single quotes keep a word together; required",
            },
            Param {
                name: "seconds",
                domain: Domain::Number { default: 10.0, low: 0.001, high: 3600.0 },
                unit: "seconds",
                meaning: "wall time for an answer, the start of the program included; a late one forfeits the game",
            },
        ],
    },
];

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Number(f64),
    Whole(u64),
    Word(&'static str),
    Text(String),
    File(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => x.fmt(f),
            Self::Whole(n) => n.fmt(f),
            Self::Word(word) => word.fmt(f),
            Self::Text(text) | Self::File(text) if text.contains([',', '(', ')', '=', ' ']) => {
                write!(f, "\"{text}\"")
            }
            Self::Text(text) | Self::File(text) => text.fmt(f),
        }
    }
}
