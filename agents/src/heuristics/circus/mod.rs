//! Agents of Circus Maximus: an evaluation in steps, a greedy driver, and a guide for searches.

mod evaluation;
mod features;
mod greedy;
mod guide;

use engine::ByPlayer;
use engine::games::circus::{Circus, State};

use crate::agent::Agent;
use crate::greedy::EPSILON;
use crate::observable::Observable;
use crate::of_game::WEIGHTS;
use crate::param::{Audience, Domain, Knob, Param, Rows, Settings};
use crate::playable::{Lineup, Playable};
use crate::presets::Preset;
use crate::search_built_here;
use crate::spectator::{Course, Feature};
use crate::weighted::Weighted;

pub use self::evaluation::Weights;
pub use self::greedy::GreedyCircus;
pub use self::guide::CircusGuide;

/// The word of [`START`] for a random start.
const AT_RANDOM: &str = "random";

/// The parameter for the placing of a greedy driver's chariots.
const START: Knob = Knob {
    param: Param {
        name: "start",
        domain: Domain::Choice(&["valued", AT_RANDOM]),
        default: "valued",
        is_games: false,
        unit: "",
        meaning: "where it places its chariots before the race: where they look best, or on every free cell with the same probability",
    },
    audience: Audience::Greedy,
};

impl Playable for Circus {
    const LINEUP: Lineup =
        Lineup { specs: &["greedy", "greedy(epsilon=0.2)", "random"], ..Lineup::USUAL };

    const PARAMS: &'static [Knob] = &[WEIGHTS, START];

    /// A search that evaluates the leaves of its tree where they are. A race has rounds in which nothing is decided. A
    /// playout of all of them is less accurate than the remaining steps.
    const SEARCH: &'static str = "select=puct, c=0.3, fpu=0, temperature=1, backup=max, rollout=epsilon, epsilon=0.1, horizon=leaf, utility=points";

    type Guide = CircusGuide;

    search_built_here!();

    fn guide(&self, settings: &Settings) -> Result<CircusGuide, String> {
        Ok(CircusGuide::new(weights_of(settings)?))
    }

    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        let layers = Self::greedy_weight_layers(settings, engine::Game::n_players(self));
        let weights = Weights::resolved(&layers, settings)?;
        let driver = GreedyCircus::new(settings.number(&EPSILON), weights);
        let at_random = settings.word(&START.param) == AT_RANDOM;
        Ok(Box::new(if at_random { driver.placing_at_random() } else { driver }))
    }
}

impl Weighted for Circus {
    const PRESETS: &'static [Preset] = &[Preset {
        name: "2026-11-22",
        search: "select=puct, c=0.3, fpu=0, temperature=1, backup=max, rollout=epsilon, epsilon=0.1, horizon=leaf, utility=points",
        weights: include_str!("../../../data/circus/presets/2026-11-22/weights.toml"),
    }];

    fn weights() -> Rows {
        Weights::ROWS
    }

    fn greedy_weights(_n_players: usize) -> &'static str {
        include_str!("../../../data/circus/greedy.toml")
    }
}

impl Observable for Circus {
    const MEASURED: &'static [&'static str] =
        &["mcts", "mcts(rollout=epsilon, horizon=full)", "mcts(rollout=uniform, horizon=full)"];

    /// Returns whether this is the first decision of the third round.
    fn is_typical(&self, state: &State) -> bool {
        state.rounds() >= 2
    }

    const FEATURES: &'static [Feature] = features::FEATURES;

    fn features(&self, state: &State, out: &mut Vec<ByPlayer<f64>>) {
        features::count(self, state, out);
    }

    fn course(&self, state: &State) -> Course {
        features::course(state)
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

fn weights_of(settings: &Settings) -> Result<Weights, String> {
    Weights::resolved(&Circus::weight_layers(settings), settings)
}
