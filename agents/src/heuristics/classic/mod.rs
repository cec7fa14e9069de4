//! Opinions about classic: an evaluation with named weights, a lookahead to the end of a turn's combat, and the greedy
//! agent and the guide of the search made of them.

mod evaluation;
mod greedy;
mod guide;
mod lookahead;
mod weights;

use engine::games::classic::{Classic, Phase, State};
use engine::{ByPlayer, Game, Player};

use self::evaluation::Evaluation;
use self::lookahead::Lookahead;
use crate::agent::Agent;
use crate::agents_built_here;
use crate::greedy::EPSILON;
use crate::param::{Knob, Rows, Settings};
use crate::playable::{Playable, WEIGHTS};

pub use self::greedy::GreedyClassic;
pub use self::guide::ClassicGuide;
pub use self::weights::Weights;

impl Playable for Classic {
    const DEFAULT_LINEUP: &'static [&'static str] = &["greedy", "random"];

    const DEFAULT_BLOCKS: u64 = 20;

    /// Who saves, who raids, who builds, and who hunts caesars.
    const STYLES: &'static [&'static str] = &[
        "greedy(weights.talents=1.2, weights.danger=1)",
        "greedy(weights.rival=1, weights.front=4, weights.danger=0.2)",
        "greedy(weights.tribute=1.4, weights.prestige=4, weights.front=0.5)",
        "greedy(weights.captive=30, weights.rival=0.8, weights.caesar=30)",
    ];

    const PARAMS: &'static [Knob] = &[WEIGHTS];

    /// To the end of the round, by what positions are worth there; first what looks good, and soon the rest too.
    const SEARCH: &'static str = "select=puct, c=0.3, doubt=0.3, shrink=5, fpu=0, temperature=3, rollout=heuristic, horizon=stage, utility=logistic";

    type Guide = ClassicGuide;

    agents_built_here!();

    fn guide(&self, settings: &Settings) -> Result<ClassicGuide, String> {
        Ok(ClassicGuide::new(lookahead(settings)?))
    }

    /// The movement of the second round.
    fn is_typical(&self, state: &State) -> bool {
        state.round() == 2 && state.phase() == Phase::Move
    }

    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        Ok(Box::new(GreedyClassic::new(settings.number(&EPSILON), lookahead(settings)?)))
    }

    fn weights() -> Rows {
        Weights::ROWS
    }

    fn extras(&self, state: &State) -> Vec<(&'static str, ByPlayer<i32>)> {
        let seats = Player::all(self.n_players());
        let of = |count: &dyn Fn(Player) -> i32| {
            let mut all = ByPlayer::default();
            seats.clone().for_each(|q| all[q] = count(q));
            all
        };
        vec![
            ("homes", of(&|q| (state.owned(q) & self.homes()).len() as i32)),
            ("provinces", of(&|q| state.owned(q).len() as i32)),
            ("talents", of(&|q| i32::from(state.talents(q)))),
        ]
    }
}

fn lookahead(settings: &Settings) -> Result<Lookahead, String> {
    let weights = Weights::said(&Classic::weight_layers(settings), settings)?;
    Ok(Lookahead::new(Evaluation::new(weights)))
}
