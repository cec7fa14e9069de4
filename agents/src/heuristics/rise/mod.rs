//! Agents of Rise of Empires: an evaluation with named weights, and a policy of macro-actions. The greedy agent and the
//! guide of the search are built from them.
//!
//! # Modules
//!
//! - `evaluation`; `policy`: the policy of macro-actions, with the plans for cubes in `placing`; `macro_actions`:
//!   macro-actions as options of a search; `personas`: styles; `value`: the value function.

mod evaluation;
mod features;
mod greedy;
mod guide;
mod inputs;
mod macro_actions;
mod personas;
mod placing;
mod policy;
mod value;
mod weights;

use engine::ByPlayer;
use engine::games::rise::{Rise, State};

use self::evaluation::Evaluation;
use self::policy::Policy;
use self::value::LeafValue;
use crate::agent::Agent;
use crate::greedy::EPSILON;
use crate::heuristics::leaf_value::leaves_valued_here;
use crate::heuristics::linear::{VALUE, net_knob};
use crate::heuristics::personas::{knob, layer};
use crate::observable::Observable;
use crate::of_game::WEIGHTS;
use crate::param::{Knob, Rows, Settings, WeightLayer};
use crate::playable::{Lineup, Playable};
use crate::search_built_here;
use crate::spectator::{Course, Feature};
use crate::weighted::{Weighted, named_weights};

pub use self::greedy::GreedyRise;
pub use self::guide::RiseGuide;
pub use self::macro_actions::MacroAction;
pub use self::personas::PERSONAS;
pub use self::weights::Weights;

/// Returns the weights of `greedy` and of searches at a table of `n_players`: those that were fitted to the values of
/// options in searches, or the response to them that a search for strategies found, which is better at three and more
/// and worse at two (`experiments/strategies`).
fn weights_at(n_players: usize) -> &'static str {
    match n_players {
        2 => include_str!("../../../data/rise/fitted.toml"),
        _ => include_str!("../../../data/rise/response.toml"),
    }
}

/// The parameter for the weights of a persona.
const PERSONA: Knob = knob("style", personas::NAMES);

const NET: Knob = net_knob(
    "the package's net beside the value function, which sees the map; there is one for tables of 4; auto is on there without value=FILE",
);

impl Playable for Rise {
    const LINEUP: Lineup =
        Lineup { specs: &["greedy", "greedy(epsilon=0.2)", "random"], blocks: 20 };

    const PARAMS: &'static [Knob] = &[PERSONA, WEIGHTS, VALUE, NET];

    /// A search that evaluates the leaves of its tree at the end of an action. By then the action is decided.
    const SEARCH: &'static str = "select=puct, c=1, fpu=0, temperature=1, rollout=epsilon, epsilon=0.1, horizon=leaf, utility=logistic";

    type Guide = RiseGuide;

    search_built_here!();

    fn guide(&self, settings: &Settings) -> Result<RiseGuide, String> {
        let layers = Self::search_weight_layers(settings, engine::Game::n_players(self));
        let policy = policy(settings, &layers)?;
        Ok(RiseGuide::new(policy, value(self, settings)?))
    }

    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        let layers = Self::greedy_weight_layers(settings, engine::Game::n_players(self));
        Ok(Box::new(GreedyRise::new(settings.number(&EPSILON), policy(settings, &layers)?)))
    }
}

impl Weighted for Rise {
    leaves_valued_here!(Evaluation);

    fn weights() -> Rows {
        Weights::ROWS
    }

    fn greedy_weights(n_players: usize) -> &'static str {
        weights_at(n_players)
    }

    fn search_weights(n_players: usize) -> &'static str {
        weights_at(n_players)
    }

    /// Returns the layers with the persona on top. A persona overrides the weights below it, also those of a preset.
    fn weight_layers(settings: &Settings) -> Vec<WeightLayer<'_>> {
        let persona = layer(&PERSONA, settings, personas::text);
        named_weights(settings).into_iter().chain([persona]).collect()
    }
}

impl Observable for Rise {
    const STYLES: &'static [&'static str] =
        &["greedy(style=farmer)", "greedy(style=conqueror)", "greedy(style=trader)"];

    const MEASURED: &'static [&'static str] = &["mcts", "mcts(rollout=uniform, horizon=full)"];

    /// Returns whether this is the first decision of the third turn.
    fn is_typical(&self, state: &State) -> bool {
        state.turn() >= 2
    }

    const FEATURES: &'static [Feature] = features::FEATURES;

    fn features(&self, state: &State, out: &mut Vec<ByPlayer<f64>>) {
        features::count(self, state, out);
    }

    fn course(&self, state: &State) -> Course {
        features::course(self, state)
    }

    fn extras(&self, state: &State) -> Vec<(&'static str, ByPlayer<i32>)> {
        let (mut gold, mut regions, mut tiles) =
            (ByPlayer::default(), ByPlayer::default(), ByPlayer::default());
        for seat in 0..engine::Game::n_players(self) {
            gold.0[seat] = state.gold(seat);
            regions.0[seat] = state.held(seat).len() as i32;
            tiles.0[seat] = state.progress(seat).len() as i32;
        }
        vec![("gold", gold), ("regions", regions), ("progress", tiles)]
    }
}

fn value(game: &Rise, settings: &Settings) -> Result<LeafValue, String> {
    let fitted = value::fitted(engine::Game::n_players(game));
    LeafValue::read::<Evaluation>(game, settings, fitted)
}

/// Returns the evaluation that counts the features of a search's value function.
fn counter(game: &Rise, settings: &Settings) -> Result<Evaluation, String> {
    let layers = Rise::search_weight_layers(settings, engine::Game::n_players(game));
    Ok(policy(settings, &layers)?.evaluation)
}

fn policy(settings: &Settings, layers: &[WeightLayer<'_>]) -> Result<Policy, String> {
    let weights = Weights::resolved(layers, settings)?;
    Ok(Policy::new(Evaluation::new(weights)))
}
