//! Presets: the settings of searches and the weights of an earlier day, which stay whatever later changes the
//! defaults, so that what is tuned can be measured against them.
//!
//! A preset stands in place of the defaults and of what the game says: its own settings of a search here, and those
//! of each game, with the weights of its evaluation, in [`Weighted::PRESETS`](crate::Weighted::PRESETS). A parameter
//! or weight that came later and that a preset does not name keeps its default; `agents/tests/it/presets.rs` holds
//! that no decision of a preset changes by it. Only a fault that is mended in the code of the search or of a game
//! is mended for presets, too.

use crate::param::{Domain, Param, Settings, WeightLayer};

/// What a game adds to a preset.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name of the preset.
    pub name: &'static str,
    /// What the game said of searches, in the words of a spec.
    pub search: &'static str,
    /// All weights of its evaluation, as TOML; empty if it had none.
    pub weights: &'static str,
}

/// What was said of searches in any game, by preset: a value for every parameter there was.
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

/// Whose settings and weights hold where the spec says nothing.
pub const PRESET: Param = Param {
    name: "preset",
    domain: Domain::Choice(WORDS),
    default: NONE,
    is_games: false,
    unit: "",
    meaning: "settings and weights of an earlier day in place of the defaults and of what the game says",
};

/// The preset that `settings` name: its name, and what it says of searches in any game.
#[must_use]
pub fn named(settings: &Settings) -> Option<(&'static str, &'static str)> {
    let name = settings.word(&PRESET);
    SEARCH_PRESETS.iter().find(|(known, _)| *known == name).copied()
}

/// What of `presets`, those of a game, the preset is that `settings` name.
#[must_use]
pub fn of_game(settings: &Settings, presets: &'static [Preset]) -> Option<&'static Preset> {
    let name = settings.word(&PRESET);
    presets.iter().find(|preset| preset.name == name)
}

/// The weights of the preset that `settings` name, if a game has it among its `presets`.
#[must_use]
pub fn weights(settings: &Settings, presets: &'static [Preset]) -> Option<WeightLayer<'static>> {
    let Preset { name, weights: text, .. } = of_game(settings, presets)?;
    Some(WeightLayer { param: PRESET.name, name, text })
}
