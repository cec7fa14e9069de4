//! The search agents: the full search, and the usual baselines, which fix some settings.

use super::config::{Config, Determinization};
use crate::evaluators::EVALUATOR;
use crate::param::{Param, Settings, whole};
use crate::presets::PRESET;

/// The variant of a search agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// The full search.
    Tree,
    /// Every ply with equal visits and random rollouts.
    Flat,
    /// Every option with equal visits and the rollouts of the search.
    OnePly,
    /// Some worlds, each searched as a game with full information.
    Determinized,
    /// The true world: cheating.
    Clairvoyant,
}

/// The number of worlds of a determinized search.
const WORLDS: Param = Param {
    name: "worlds",
    domain: whole(1..=256),
    default: "10",
    is_games: false,
    unit: "",
    meaning: "worlds that are searched as if they were known; they share the iterations",
};

/// The parameters of the full search.
const WHOLE: &[Param] = &{
    let mut all = [PRESET; Config::PARAMS.len() + 2];
    all[1] = EVALUATOR;
    let mut i = 0;
    while i < Config::PARAMS.len() {
        all[i + 2] = Config::PARAMS[i];
        i += 1;
    }
    all
};

impl Variant {
    /// Returns the parameters, in the order of a spec.
    #[must_use]
    pub const fn params(self) -> &'static [Param] {
        match self {
            Self::Tree | Self::Clairvoyant => WHOLE,
            Self::Flat => {
                const { &[of("iterations"), of("rollout"), of("epsilon"), of("horizon")] }
            }
            Self::OnePly => {
                const {
                    &[
                        PRESET,
                        of("iterations"),
                        of("rollout"),
                        of("epsilon"),
                        of("horizon"),
                        of("utility"),
                    ]
                }
            }
            Self::Determinized => {
                const {
                    &[
                        PRESET,
                        of("iterations"),
                        WORLDS,
                        of("nodes"),
                        of("select"),
                        of("c"),
                        of("rollout"),
                        of("epsilon"),
                        of("horizon"),
                        of("utility"),
                    ]
                }
            }
        }
    }

    /// Returns the settings that the variant fixes for every game, in the words of a spec.
    #[must_use]
    pub const fn fixed(self) -> &'static str {
        match self {
            Self::Tree | Self::Determinized | Self::Clairvoyant => "",
            // A mixed strategy needs no priors, and these baselines have none.
            Self::Flat => {
                "select=uniform, final_move=value, together=regret, depth=1, plies=0, reuse=off, bias=0, widen=0, \
                 macro_actions=off, rollout=uniform, horizon=full, utility=points"
            }
            Self::OnePly => {
                "select=uniform, final_move=value, together=regret, depth=1, plies=0, reuse=off, bias=0, widen=0"
            }
        }
    }

    /// Returns the settings of this search under `layers`, where later layers override earlier ones.
    #[must_use]
    pub fn config(self, layers: &[&Settings]) -> Config {
        let mut config =
            layers.iter().fold(Config::default(), |config, settings| config.with(settings));
        match self {
            Self::Tree | Self::Flat | Self::OnePly => {}
            Self::Determinized => {
                let worlds = layers.last().map_or(1, |spec| spec.whole(&WORLDS));
                config.trees = worlds as u32;
                config.determinization = Determinization::EachTree;
            }
            Self::Clairvoyant => config.determinization = Determinization::True,
        }
        config
    }
}

/// Returns the parameter of a search called `name`.
const fn of(name: &str) -> Param {
    let mut i = 0;
    while i < Config::PARAMS.len() {
        if is_same(Config::PARAMS[i].name, name) {
            return Config::PARAMS[i];
        }
        i += 1;
    }
    panic!("no such parameter")
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}
