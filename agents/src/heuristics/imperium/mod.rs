//! Opinions about Imperium: an evaluation with named weights, what a stack looks like it is worth, and the greedy
//! agent and the guide of the search made of them.

mod choice;
mod greedy;
mod guide;
mod outlook;
mod weights;

use engine::ByPlayer;
use engine::games::imperium::{Imperium, State};

use self::choice::Chooser;
use self::outlook::Outlook;
use crate::agent::Agent;
use crate::greedy::EPSILON;
use crate::param::{Knob, Settings};
use crate::playable::{Playable, WEIGHTS};
use crate::presets::{self, Preset};

pub use self::greedy::GreedyImperium;
pub use self::guide::ImperiumGuide;
pub use self::weights::Weights;

impl Playable for Imperium {
    const DEFAULT_LINEUP: &'static [&'static str] = &["greedy", "random"];

    const MEASURED: &'static [&'static str] = &["mcts", "mcts(rollout=uniform, horizon=full)"];

    const PARAMS: &'static [Knob] = &[WEIGHTS];

    /// One round ahead, by the priors of the stacks: with 1,000 iterations regret matching knows too little of each of
    /// 24 stacks, and less of 157 (`experiments/results/imperium.md`).
    const SEARCH: &'static str = "rollout=heuristic, horizon=round, utility=logistic, together=puct, c=0.1, fpu=0, temperature=2, prune=0.3";

    const PRESETS: &'static [Preset] = &[Preset {
        name: "bf4a058",
        search: "rollout=heuristic, horizon=round, utility=logistic, together=puct, c=0.1, fpu=0, temperature=2, prune=0.3",
        weights: include_str!("../../../data/imperium/presets/bf4a058/weights.toml"),
    }];

    type Guide = ImperiumGuide;

    fn guide(&self, settings: &Settings) -> Result<ImperiumGuide, String> {
        Ok(ImperiumGuide::new(chooser(settings)?))
    }

    /// The second round, when pieces are on the board.
    fn is_typical(&self, state: &State) -> bool {
        state.round() == 1
    }

    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        Ok(Box::new(GreedyImperium::new(settings.number(&EPSILON), chooser(settings)?)))
    }

    fn weights() -> &'static [(&'static str, f32, &'static str)] {
        Weights::ALL
    }

    fn extras(&self, state: &State) -> Vec<(&'static str, ByPlayer<i32>)> {
        let mut proconsuls = ByPlayer::default();
        let mut free = ByPlayer::default();
        for seat in 0..engine::Game::n_players(self) {
            proconsuls.0[seat] = state.held(seat).count_ones() as i32;
            free.0[seat] = state.free(seat).into();
        }
        vec![("proconsuls", proconsuls), ("free", free)]
    }
}

fn chooser(settings: &Settings) -> Result<Chooser, String> {
    let weights = Weights::chosen(presets::of_game(settings, Imperium::PRESETS));
    let weights =
        settings.text(&WEIGHTS.param).map_or(Ok(weights), |text| weights.overlay(text))?;
    Ok(Chooser::new(Outlook::new(weights)))
}
