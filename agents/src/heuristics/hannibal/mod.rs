//! Agents of Hannibal vs. Rome: exact duels, an evaluation with named weights, and a one-ply policy. The greedy agent
//! and the guide of the search are built from them.
//!
//! # Modules
//!
//! - `duel`: the exact duels; `evaluation`; `one_ply`: the policy that greedy agent and guide share; `value`: the value
//!   function.

pub mod duel;
mod evaluation;
mod features;
mod greedy;
mod guide;
mod inputs;
mod one_ply;
mod value;
mod weights;

use engine::ByPlayer;
use engine::games::hannibal::{CARTHAGE, Hannibal, ROME, State};

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

pub use self::greedy::GreedyHannibal;
pub use self::guide::HannibalGuide;
pub use self::weights::Weights;

const NET: Knob = net_knob(
    "the package's net beside the evaluation, which sees the map; auto is on without value=FILE",
);

impl Playable for Hannibal {
    const PARAMS: &'static [Knob] = &[WEIGHTS, VALUE, NET];

    const SEARCH: &'static str = "select=puct, c=0.4, doubt=1, fpu=0, temperature=4, horizon=leaf";

    type Guide = HannibalGuide;

    search_built_here!();

    fn guide(&self, settings: &Settings) -> Result<HannibalGuide, String> {
        let layers = Self::search_weight_layers(settings, engine::Game::n_players(self));
        let policy = policy(self, settings, &layers)?;
        Ok(HannibalGuide::new(policy, LeafValue::over_evaluation::<Evaluation>(self, settings)?))
    }

    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        let layers = Self::greedy_weight_layers(settings, engine::Game::n_players(self));
        let weights = Weights::resolved(&layers, settings)?;
        Ok(Box::new(GreedyHannibal::new(self, settings.number(&EPSILON), weights)))
    }
}

impl Weighted for Hannibal {
    const PRESETS: &'static [Preset] = &[Preset {
        name: "2026-11-22",
        search: "select=puct, c=0.4, fpu=0, temperature=0.5, horizon=leaf",
        weights: include_str!("../../../data/hannibal/presets/2026-11-22/weights.toml"),
    }];

    leaves_valued_here!(Evaluation);

    fn weights() -> Rows {
        Weights::ROWS
    }

    fn greedy_weights(_n_players: usize) -> &'static str {
        include_str!("../../../data/hannibal/greedy.toml")
    }

    fn search_weights(_n_players: usize) -> &'static str {
        include_str!("../../../data/hannibal/search.toml")
    }
}

impl Observable for Hannibal {
    const MEASURED: &'static [&'static str] =
        &["mcts", "mcts(rollout=epsilon, horizon=full)", "mcts(rollout=uniform, horizon=full)"];

    const FEATURES: &'static [Feature] = features::FEATURES;

    fn features(&self, state: &State, out: &mut Vec<ByPlayer<f64>>) {
        features::count(self, state, out);
    }

    fn course(&self, state: &State) -> Course {
        features::course(state)
    }

    fn extras(&self, state: &State) -> Vec<(&'static str, ByPlayer<i32>)> {
        let by_seat = |count: fn(&State, usize) -> u16| {
            let [carthage, rome] = [CARTHAGE, ROME].map(|seat| i32::from(count(state, seat)));
            ByPlayer([carthage, rome, 0, 0, 0, 0])
        };
        let legions = |s: &State, seat: usize| {
            u16::from(s.n_legions(seat)) + u16::from(seat == CARTHAGE && s.hannibal() != 0)
        };
        vec![
            ("legions", by_seat(legions)),
            ("fleets", by_seat(|s, seat| s.n_fleets(seat).into())),
            ("turns", by_seat(|s, _| s.turns())),
        ]
    }
}

/// Returns the value of leaves where the settings name one; otherwise the evaluation as it is.
fn value(game: &Hannibal, settings: &Settings) -> Result<LeafValue, String> {
    let evaluation = LinearValue::first_alone::<Evaluation>();
    LeafValue::read::<Evaluation>(game, settings, evaluation)
}

/// Returns the evaluation that counts the features of a search's value function.
fn counter(game: &Hannibal, settings: &Settings) -> Result<Evaluation, String> {
    let layers = Hannibal::search_weight_layers(settings, engine::Game::n_players(game));
    Ok(policy(game, settings, &layers)?.evaluation)
}

fn policy(
    game: &Hannibal,
    settings: &Settings,
    layers: &[WeightLayer<'_>],
) -> Result<OnePlyPolicy, String> {
    Ok(OnePlyPolicy::new(game, Weights::resolved(layers, settings)?))
}
