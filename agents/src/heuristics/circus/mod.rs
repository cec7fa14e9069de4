//! Opinions about Circus Maximus: an evaluation in steps, a greedy driver, and what a search knows of the race.

mod evaluation;
mod greedy;
mod guide;

use engine::games::circus::{Circus, State};
use engine::{ByPlayer, Configure};

use crate::agent::Agent;
use crate::greedy::GreedyParams;
use crate::mcts::Config;
use crate::mcts::config::{Backup, Cut, Rollout, Select, Utility};
use crate::playable::{Playable, Style};

pub use self::evaluation::Weights;
pub use self::greedy::GreedyCircus;
pub use self::guide::CircusGuide;

impl Playable for Circus {
    const DEFAULT_LINEUP: &'static [&'static str] = &["greedy", "greedy(epsilon=0.2)", "random"];

    const MEASURED: &'static [&'static str] =
        &["mcts", "mcts(rollout=epsilon, cut=full)", "mcts(rollout=uniform, cut=full)"];

    const HAS_PLACING: bool = true;

    type Guide = CircusGuide;

    fn guide(&self, style: &Style) -> Result<CircusGuide, String> {
        Ok(CircusGuide::new(weights_of(style)?))
    }

    /// A tree whose leaves are valued where they are: a race takes rounds in which nothing is decided, and a playout
    /// of all of them says less than the steps that are left.
    fn search_defaults() -> Config {
        Config {
            select: Select::Puct,
            c: 0.3,
            fpu: 0.0,
            temperature: 1.0,
            backup: Backup::Max,
            rollout: Rollout::Epsilon,
            epsilon: 0.1,
            cut: Cut::Leaf,
            utility: Utility::Points,
            ..Config::default()
        }
    }

    /// The first decision of the third round.
    fn is_typical(&self, state: &State) -> bool {
        state.rounds() >= 2
    }

    fn greedy(&self, params: &GreedyParams) -> Result<Box<dyn Agent<Self>>, String> {
        let driver = GreedyCircus::new(params.epsilon, weights_of(&params.style)?);
        Ok(Box::new(if params.places_at_random { driver.placing_at_random() } else { driver }))
    }

    fn weights() -> &'static [(&'static str, f32, &'static str)] {
        Weights::ALL
    }

    fn extras(&self, state: &State) -> Vec<(&'static str, ByPlayer<i32>)> {
        let mut home = ByPlayer::default();
        let mut steps = ByPlayer::default();
        for seat in 0..engine::Game::n_players(self) {
            home.0[seat] = state.n_home(seat) as i32;
            steps.0[seat] = self.team_steps(state, seat) as i32;
        }
        vec![("home", home), ("steps", steps)]
    }
}

fn weights_of(style: &Style) -> Result<Weights, String> {
    style.must_be_plain_but_for_weights(<Circus as Configure>::about().name)?;
    style.weights.as_deref().map_or_else(|| Ok(Weights::default()), Weights::parse)
}
