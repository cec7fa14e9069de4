//! Opinions about Imperium: an evaluation with named weights, what a stack looks like it is worth, and the greedy
//! agent and the guide of the search made of them.

mod choice;
mod greedy;
mod guide;
mod outlook;
mod weights;

use engine::games::imperium::{Imperium, State};
use engine::{ByPlayer, Configure};

use self::choice::Chooser;
use self::outlook::Outlook;
use crate::agent::Agent;
use crate::greedy::GreedyParams;
use crate::mcts::Config;
use crate::mcts::config::{Cut, Rollout, Together, Utility};
use crate::playable::{Playable, Style};

pub use self::greedy::GreedyImperium;
pub use self::guide::ImperiumGuide;
pub use self::weights::Weights;

impl Playable for Imperium {
    const DEFAULT_LINEUP: &'static [&'static str] = &["greedy", "random"];

    const MEASURED: &'static [&'static str] = &["mcts", "mcts(rollout=uniform, cut=full)"];

    type Guide = ImperiumGuide;

    fn guide(&self, style: &Style) -> Result<ImperiumGuide, String> {
        Ok(ImperiumGuide::new(chooser(style)?))
    }

    /// One round ahead, by the priors of the stacks: with 1,000 iterations regret matching knows too little of each of
    /// 24 stacks, and less of 157 (`experiments/results/imperium.md`).
    fn search_defaults() -> Config {
        Config {
            rollout: Rollout::Heuristic,
            cut: Cut::Round,
            utility: Utility::Logistic,
            together: Together::Puct,
            c: 0.1,
            fpu: 0.0,
            temperature: 2.0,
            prune: 0.3,
            ..Config::default()
        }
    }

    /// The second round, when pieces are on the board.
    fn is_typical(&self, state: &State) -> bool {
        state.round() == 1
    }

    fn greedy(&self, params: &GreedyParams) -> Result<Box<dyn Agent<Self>>, String> {
        Ok(Box::new(GreedyImperium::new(params.epsilon, chooser(&params.style)?)))
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

fn chooser(style: &Style) -> Result<Chooser, String> {
    style.must_be_plain_but_for_weights(<Imperium as Configure>::about().name)?;
    let weights = Weights::default();
    let weights = style.weights.as_deref().map_or(Ok(weights), |text| weights.overlay(text))?;
    Ok(Chooser::new(Outlook::new(weights)))
}
