//! Agents of Imperium: an evaluation with named weights, and a one-ply policy that evaluates stacks. The greedy agent
//! and the guide of the search are built from them.
//!
//! # Modules
//!
//! - `evaluation`; `one_ply`: the policy that greedy agent and guide share; `value`: the value function.

mod evaluation;
mod features;
mod greedy;
mod guide;
mod inputs;
mod one_ply;
mod value;
mod weights;

use engine::ByPlayer;
use engine::games::imperium::{Imperium, State};

use self::evaluation::Evaluation;
use self::one_ply::OnePlyPolicy;
use self::value::LeafValue;
use crate::agent::Agent;
use crate::greedy::EPSILON;
use crate::heuristics::leaf_value::leaves_valued_here;
use crate::heuristics::linear::{LinearValue, VALUE, net_knob};
use crate::observable::Observable;
use crate::of_game::WEIGHTS;
use crate::param::{Knob, Rows, Settings, WeightLayer};
use crate::playable::Playable;
use crate::presets::Preset;
use crate::search_built_here;
use crate::spectator::{Course, Feature};
use crate::weighted::Weighted;

pub use self::greedy::GreedyImperium;
pub use self::guide::ImperiumGuide;
pub use self::weights::Weights;

const NET: Knob = net_knob(
    "the package's net beside the evaluation, which sees the map; auto is on without value=FILE",
);

impl Playable for Imperium {
    const PARAMS: &'static [Knob] = &[WEIGHTS, VALUE, NET];

    /// A search one round ahead, by the priors of the stacks. With 1,000 iterations regret matching gets too few
    /// samples for each of 24 stacks, and still fewer for 157 (`experiments/imperium/README.md`).
    const SEARCH: &'static str = "rollout=heuristic, horizon=round, utility=points, together=puct, c=0.1, fpu=0, temperature=2, prune=0.3";
    /// With nets at the leaves more even visits win at tables of two and five (`experiments/imperium/README.md`).
    const SEARCH_AT: &'static [(usize, &'static str)] =
        &[(2, "c=0.9"), (5, "c=0.35, temperature=0.8")];

    type Guide = ImperiumGuide;

    search_built_here!();

    fn guide(&self, settings: &Settings) -> Result<ImperiumGuide, String> {
        let layers = Self::search_weight_layers(settings, engine::Game::n_players(self));
        Ok(ImperiumGuide::new(
            policy(settings, &layers)?,
            LeafValue::over_evaluation::<Evaluation>(self, settings)?,
        ))
    }

    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        let layers = Self::greedy_weight_layers(settings, engine::Game::n_players(self));
        let policy = policy(settings, &layers)?;
        Ok(Box::new(GreedyImperium::new(settings.number(&EPSILON), policy)))
    }
}

impl Weighted for Imperium {
    const PRESETS: &'static [Preset] = &[Preset {
        name: "2026-11-22",
        search: "rollout=heuristic, horizon=round, utility=logistic, together=puct, c=0.1, fpu=0, temperature=2, prune=0.3",
        weights: include_str!("../../../data/imperium/presets/2026-11-22/weights.toml"),
    }];

    leaves_valued_here!(Evaluation);

    fn weights() -> Rows {
        Weights::ROWS
    }
}

impl Observable for Imperium {
    const MEASURED: &'static [&'static str] = &["mcts", "mcts(rollout=uniform, horizon=full)"];

    /// Returns whether this is the second round, when pieces are on the board.
    fn is_typical(&self, state: &State) -> bool {
        state.round() == 1
    }

    const FEATURES: &'static [Feature] = features::FEATURES;

    fn features(&self, state: &State, out: &mut Vec<ByPlayer<f64>>) {
        features::count(self, state, out);
    }

    fn course(&self, state: &State) -> Course {
        features::course(state)
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

/// Returns the value of leaves where the settings name one; otherwise the evaluation as it is.
fn value(game: &Imperium, settings: &Settings) -> Result<LeafValue, String> {
    let evaluation = LinearValue::first_alone::<Evaluation>();
    LeafValue::read::<Evaluation>(game, settings, evaluation)
}

/// Returns the evaluation that counts the features of a search's value function.
fn counter(game: &Imperium, settings: &Settings) -> Result<Evaluation, String> {
    let layers = Imperium::search_weight_layers(settings, engine::Game::n_players(game));
    Ok(policy(settings, &layers)?.evaluation)
}

fn policy(settings: &Settings, layers: &[WeightLayer<'_>]) -> Result<OnePlyPolicy, String> {
    let weights = Weights::resolved(layers, settings)?;
    Ok(OnePlyPolicy::new(Evaluation::new(weights)))
}
