//! Presets: the search settings and evaluation weights of an earlier date. Later changes of the defaults do not affect
//! them, so tuned agents can be measured against them.
//!
//! A preset replaces the defaults and the settings of the game. Its search settings stand here. The settings and
//! weights of each game stand in [`Weighted::PRESETS`](crate::Weighted::PRESETS). A newer parameter or weight that the
//! preset does not name keeps its default. `agents/tests/it/presets.rs` checks that this changes no decision of a
//! preset. Fixes of bugs in the code of the search or of a game apply to presets as well.

use crate::param::{Domain, Param, Settings, WeightLayer};

/// The part of a game in a preset.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name of the preset.
    pub name: &'static str,
    /// The game's search settings, in the words of a spec.
    pub search: &'static str,
    /// All weights of the evaluation, as TOML; empty if there were none.
    pub weights: &'static str,
}

/// The search settings of each preset for every game: a value for each parameter of its date.
const SEARCH_PRESETS: &[(&str, &str)] = &[(
    "2026-11-22",
    "iterations=1000, ply_budget=1, seconds=0, trees=1, \
     select=ucb1, c=0.7, fpu=10, bias=0, widen=0, grow=0.4, temperature=1, doubt=0, hold=0, shrink=0, backup=mean, max_share=0.5, opponent_model=maxn, ally=0.3, solver=on, \
     rollout=uniform, heavy_moves=10000, epsilon=0.4, decay=0.2, horizon=full, rounds=1, stages=1, utility=points, scale=1, \
     final_move=visits, top=16, gumbel=1, together=regret, gamma=0.2, prune=0.05, \
     node_key=infoset, child_links=on, macro_actions=on, plies=0.1, reuse=on, origin=here, depth=400",
)];

/// The word for no preset.
const NONE: &str = "none";

/// The words of [`PRESET`].
const WORDS: &[&str] = &{
    let mut words = [NONE; SEARCH_PRESETS.len() + 1];
    let mut i = 0;
    while i < SEARCH_PRESETS.len() {
        words[i + 1] = SEARCH_PRESETS[i].0;
        i += 1;
    }
    words
};

/// The parameter that names the preset, whose settings and weights are in effect below the spec.
pub const PRESET: Param = Param {
    name: "preset",
    domain: Domain::Choice(WORDS),
    default: NONE,
    is_games: false,
    unit: "",
    meaning: "settings and weights of an earlier day in place of the defaults and of what the game says",
};

/// Returns the preset that `settings` name: its name and its search settings for every game.
#[must_use]
pub fn named(settings: &Settings) -> Option<(&'static str, &'static str)> {
    let name = settings.word(&PRESET);
    SEARCH_PRESETS.iter().find(|(known, _)| *known == name).copied()
}

/// Returns the preset of `settings` among `presets`, the presets of a game.
#[must_use]
pub fn of_game(settings: &Settings, presets: &'static [Preset]) -> Option<&'static Preset> {
    let name = settings.word(&PRESET);
    presets.iter().find(|preset| preset.name == name)
}

/// Returns the weights of the preset that `settings` name, if it is among the game's `presets`.
#[must_use]
pub fn weights(settings: &Settings, presets: &'static [Preset]) -> Option<WeightLayer<'static>> {
    let Preset { name, weights: text, .. } = of_game(settings, presets)?;
    Some(WeightLayer { param: PRESET.name, name, text })
}
