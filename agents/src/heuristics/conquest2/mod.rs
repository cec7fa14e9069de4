//! Opinions about Conquest of the Empire II: an evaluation with named weights, plans for whole actions, rules of
//! thumb for everything else, and the greedy agent made of them.

mod evaluation;
mod greedy;
mod habits;
pub mod odds;
mod plans;
mod weights;

use engine::ByPlayer;
use engine::games::conquest2::{Conquest2, State};

use crate::agent::Agent;
use crate::greedy::GreedyParams;
use crate::playable::Playable;

pub use self::evaluation::evaluate;
pub use self::greedy::GreedyConquest2;
pub use self::weights::Weights;

impl Playable for Conquest2 {
    const DEFAULT_LINEUP: &'static [&'static str] =
        &["greedy", "greedy(epsilon=0.02)", "greedy(epsilon=0.1)", "random"];

    fn greedy(&self, params: &GreedyParams) -> Result<Box<dyn Agent<Self>>, String> {
        let weights =
            params.weights.as_deref().map_or_else(|| Ok(Weights::default()), Weights::parse)?;
        let greedy = GreedyConquest2::new(params.epsilon, weights);
        Ok(Box::new(if params.draws_battles { greedy.drawing_battles() } else { greedy }))
    }

    fn weights() -> &'static [(&'static str, f32, &'static str)] {
        Weights::ALL
    }

    fn extras(&self, state: &State) -> Vec<(&'static str, ByPlayer<i32>)> {
        let table = self.table(state);
        let mut influence = ByPlayer::default();
        let mut chaos = ByPlayer::default();
        for seat in 0..table.n_players() {
            influence.0[seat] = table.influence(seat).into();
            chaos.0[seat] = table.chaos(seat).into();
        }
        vec![("influence", influence), ("chaos", chaos)]
    }
}
