//! The agents that are a search with some settings fixed: the baselines of the field.

use super::config::{Commit, Config, Cut, Rollout, Select, Together, Utility, Worlds};
use super::params::PARAMS;
use crate::kinds::{Domain, Param};
use crate::spec::AgentSpec;

/// The parameter of [`PARAMS`] called `name`.
const fn of_search(name: &str) -> Param {
    let mut i = 0;
    while i < PARAMS.len() {
        if is_same(PARAMS[i].name, name) {
            return PARAMS[i];
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

/// The parameters of `flat`.
pub const FLAT: &[Param] =
    &[of_search("iterations"), of_search("rollout"), of_search("epsilon"), of_search("cut")];

/// The parameters of `one-ply`.
pub const ONE_PLY: &[Param] = &[
    of_search("iterations"),
    of_search("rollout"),
    of_search("epsilon"),
    of_search("cut"),
    of_search("utility"),
    of_search("persona"),
    of_search("weights"),
];

/// The parameters of `pimc`.
pub const PIMC: &[Param] = &[
    of_search("iterations"),
    Param {
        name: "worlds",
        domain: Domain::Whole { default: 10, low: 1, high: 256 },
        unit: "",
        meaning: "worlds that are searched as if they were known; they share the iterations",
    },
    of_search("nodes"),
    of_search("select"),
    of_search("c"),
    of_search("rollout"),
    of_search("epsilon"),
    of_search("cut"),
    of_search("utility"),
    of_search("persona"),
    of_search("weights"),
];

/// The settings of the agent `spec`, which is a search or a preset of one; `base` is what the game has by default.
#[must_use]
pub fn config(spec: &AgentSpec, base: Config) -> Config {
    let one_ply = Config {
        select: Select::Uniform,
        commit: Commit::Value,
        // A lottery needs no priors, and these baselines know none.
        together: Together::Regret,
        depth: 1,
        plies: 0.0,
        reuse: false,
        bias: 0.0,
        widen: 0.0,
        ..base
    };
    match spec.kind().name {
        "flat" => Config {
            plans: false,
            rollout: Rollout::Uniform,
            cut: Cut::Full,
            utility: Utility::Points,
            ..one_ply
        }
        .with(spec),
        "one-ply" => one_ply.with(spec),
        "pimc" => Config {
            worlds: Worlds::OneEach,
            streams: spec.given_whole("worlds").unwrap_or(1) as u32,
            ..base
        }
        .with(spec),
        "clairvoyant" => Config { worlds: Worlds::True, ..base }.with(spec),
        _ => base.with(spec),
    }
}
