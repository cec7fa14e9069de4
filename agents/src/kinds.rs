//! The registry of agents: [`Kind`] is the only list of kinds. The properties and parameters of a kind are its methods.
//! So parsing, building, help and error messages cannot disagree.

use crate::greedy::EPSILON;
use crate::mcts::Variant;
use crate::param::{Audience, Domain, Param, number, whole};
use crate::presets::PRESET;

/// Declares the kinds: the variants, the list of all, and their names.
macro_rules! kinds {
    ($($kind:ident = $name:literal, $meaning:literal;)*) => {
        /// A kind of agent.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Kind { $(#[doc = $meaning] $kind,)* }

        impl Kind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Returns the name in a spec.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// Returns a description of the agent's play.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$kind => $meaning,)* }
            }
        }
    };
}

kinds! {
    Random = "random", "plays every legal action with the same probability";
    Greedy = "greedy", "plays what looks best right after the action; plays at random where a game has no scores";
    Mcts = "mcts", "Monte Carlo tree search: information sets, chance, simultaneous turns, any number of players";
    Flat = "flat", "flat Monte Carlo: every action tried equally often by random play, the best mean wins";
    OnePly = "one-ply", "every option tried equally often with the rollouts of mcts, the best mean wins";
    Pimc = "pimc", "determinized tree search: some worlds searched as if they were known, the visits added up";
    Clairvoyant = "clairvoyant", "CHEATS: mcts that sees everything hidden; a bound, not a player";
    External = "external", "asks another program, by JSON lines on its standard input and output: see docs/external-agents.md";
}

/// The command of an external program.
pub(crate) const COMMAND: Param = Param {
    name: "command",
    domain: Domain::Text,
    default: "",
    is_games: false,
    unit: "",
    meaning: "the program and its arguments; single quotes keep a word together; required",
};

/// The time limit of an external program.
pub(crate) const SECONDS: Param = Param {
    name: "seconds",
    domain: number(0.001..=3600.0, true),
    default: "10",
    is_games: false,
    unit: "seconds",
    meaning: "wall time for an answer, the start of the program included; a late one forfeits the game",
};

/// The working directory of an external program.
pub(crate) const CWD: Param = Param {
    name: "cwd",
    domain: Domain::Text,
    default: "",
    is_games: false,
    unit: "",
    meaning: "working directory of the program; paths in the command are meant from there",
};

/// The variables of an external program.
pub(crate) const ENV: Param = Param {
    name: "env",
    domain: Domain::Text,
    default: "",
    is_games: false,
    unit: "",
    meaning: "variables of the environment of the program, as in DEPTH=3 'MODE=a b'",
};

/// The clock of an external program.
pub(crate) const CLOCK: Param = Param {
    name: "clock",
    domain: Domain::Text,
    default: "",
    is_games: false,
    unit: "",
    meaning: "wall time for all answers of a game and what each answer adds, in seconds, as in 60+0.5; it runs out: \
              the game is forfeited",
};

/// The version of the protocol with an external program.
pub(crate) const VERSION: Param = Param {
    name: "protocol",
    domain: whole(2..=3),
    default: "3",
    is_games: false,
    unit: "",
    meaning: "version of the lines; 2: without rules, results and model",
};

/// Disclosure of the final position to an external program.
pub(crate) const REVEAL: Param = Param {
    name: "reveal",
    domain: Domain::Switch,
    default: "off",
    is_games: false,
    unit: "",
    meaning: "the end of a game shows the final position, with all that was hidden; for programs that learn",
};

/// The file for the lines of an external program.
pub(crate) const LOG: Param = Param {
    name: "log",
    domain: Domain::Text,
    default: "",
    is_games: false,
    unit: "",
    meaning: "file to which every request and answer is appended, with its time",
};

impl Kind {
    /// Returns the parameters of the kind in every game, in the order of a spec.
    #[must_use]
    pub const fn params(self) -> &'static [Param] {
        match self {
            Self::Random => &[],
            Self::Greedy => &[PRESET, EPSILON],
            Self::External => &[COMMAND, CWD, ENV, SECONDS, CLOCK, VERSION, REVEAL, LOG],
            Self::Mcts | Self::Flat | Self::OnePly | Self::Pimc | Self::Clairvoyant => {
                match self.search() {
                    Some(variant) => variant.params(),
                    None => &[],
                }
            }
        }
    }

    /// Returns whether the kind has the game parameters for this audience.
    #[must_use]
    pub const fn is_among(self, audience: Audience) -> bool {
        match self {
            Self::Random | Self::Flat | Self::External => false,
            Self::Greedy => matches!(audience, Audience::Evaluators | Audience::Greedy),
            Self::Mcts | Self::OnePly | Self::Pimc | Self::Clairvoyant => {
                matches!(audience, Audience::Evaluators | Audience::Searches)
            }
        }
    }

    /// Returns the search variant, if the kind is a search.
    #[must_use]
    pub const fn search(self) -> Option<Variant> {
        match self {
            Self::Random | Self::Greedy | Self::External => None,
            Self::Mcts => Some(Variant::Tree),
            Self::Flat => Some(Variant::Flat),
            Self::OnePly => Some(Variant::OnePly),
            Self::Pimc => Some(Variant::Determinized),
            Self::Clairvoyant => Some(Variant::Clairvoyant),
        }
    }

    /// Returns whether the kind sees hidden information.
    #[must_use]
    pub const fn cheats(self) -> bool {
        matches!(self, Self::Clairvoyant)
    }

    /// Returns whether the kind is an external program. Its play cannot be guaranteed to be reproducible.
    #[must_use]
    pub const fn is_external(self) -> bool {
        matches!(self, Self::External)
    }

    /// Returns whether the kind is a search.
    #[must_use]
    pub const fn is_search(self) -> bool {
        self.search().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Value;

    #[test]
    fn every_default_is_accepted_as_it_is_written() {
        for param in Kind::ALL.iter().flat_map(|kind| kind.params()) {
            let written = param.default_value().map(|value| value.to_string());
            assert_eq!(written.is_none(), param.default.is_empty(), "{param:?}");
            let again = written.as_deref().and_then(|text| param.domain.read(text));
            assert_eq!(again, param.default_value(), "{param:?}");
            assert!(!matches!(again, Some(Value::File { .. })), "{param:?}");
        }
    }

    #[test]
    fn no_name_stands_twice() {
        let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        let params = |kind: &Kind| kind.params().iter().map(|p| p.name).collect();
        for list in Kind::ALL.iter().map(params).chain([names]) {
            let mut list: Vec<&str> = list;
            let n = list.len();
            list.sort_unstable();
            list.dedup();
            assert_eq!(list.len(), n);
        }
    }

    #[test]
    fn who_cheats_searches_a_true_world() {
        for kind in Kind::ALL {
            assert_eq!(kind.cheats(), kind.search() == Some(Variant::Clairvoyant), "{kind:?}");
        }
    }
}
