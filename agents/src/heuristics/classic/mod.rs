//! Agents of classic: an evaluation with named weights, a lookahead to the end of a turn's combat, and rounds of
//! purchases as macro-actions. The greedy agent and the guide of the search are built from them.
//!
//! # Modules
//!
//! - `evaluation`; `power`: the strength of armies; `lookahead`: the rest of a turn's combat.
//! - `round`: the purchases of a market as a macro-action; `purchase_values`: their evaluation; `buyer`: their play.
//! - `features`: the features of a spectator; `macro_actions`: macro-actions as options of a search; `value`: the value
//!   function; `personas`: styles; `odds`: exact odds of battles.

mod buyer;
mod evaluation;
mod features;
mod greedy;
mod guide;
mod inputs;
mod lookahead;
mod macro_actions;
mod odds;
mod personas;
mod power;
mod purchase_values;
mod round;
mod value;
mod weights;

use engine::games::classic::{Classic, Phase, State};
use engine::{ByPlayer, Game, Player};

use self::buyer::Buyer;
use self::evaluation::Evaluation;
use self::lookahead::Lookahead;
use self::odds::ClassicBattles;
use self::purchase_values::PurchaseValues;
use self::value::LeafValue;
use crate::agent::Agent;
use crate::greedy::EPSILON;
use crate::heuristics::leaf_value::leaves_valued_here;
use crate::heuristics::linear::{VALUE, net_knob};
use crate::heuristics::personas::{knob, layer};
use crate::observable::Observable;
use crate::odds::BattleCalculator;
use crate::of_game::WEIGHTS;
use crate::outcome_odds::OutcomeOdds;
use crate::param::{Audience, Domain, Knob, Param, Rows, Settings, WeightLayer};
use crate::playable::{Lineup, Playable};
use crate::search_built_here;
use crate::spectator::{Course, Feature};
use crate::weighted::{Weighted, named_weights};

pub use self::greedy::GreedyClassic;
pub use self::guide::ClassicGuide;
pub use self::macro_actions::{MacroAction, MacroLine};
pub use self::personas::PERSONAS;
pub use self::weights::Weights;

/// The parameter for the weights of a persona.
const PERSONA: Knob = knob("style", personas::NAMES);

/// The words of [`PURCHASES`].
const BY_ROUND: &str = "round";
const BY_LINE: &str = "line";
const FORMER: &str = "former";

/// The parameter for the method of purchasing.
const PURCHASES: Knob = Knob {
    param: Param {
        name: "purchases",
        domain: Domain::Choice(&[BY_ROUND, BY_LINE, FORMER]),
        default: BY_ROUND,
        is_games: false,
        unit: "",
        meaning: "how purchases are weighed: all of a market as a whole, line by line, or as it was before (the end of a market by the march of the next player, crossings by their first goal)",
    },
    audience: Audience::Evaluators,
};

const NET: Knob = net_knob(
    "the package's net beside the value function, which sees the map; there is one for tables of 4; auto is on there without value=FILE",
);

impl Playable for Classic {
    const LINEUP: Lineup = Lineup { blocks: 20, ..Lineup::USUAL };

    const PARAMS: &'static [Knob] = &[PERSONA, WEIGHTS, PURCHASES, VALUE, NET];

    /// A search to the end of the round, with the evaluation there. Its priors follow the result at the end of the
    /// turn, with greedy's choice level with the best. It was tuned together with the weights below.
    const SEARCH: &'static str = "select=puct, c=0.6, hold=100, shrink=5, fpu=0, temperature=1.433, plies=0, rollout=heuristic, horizon=stage, utility=points";

    type Guide = ClassicGuide;

    search_built_here!();

    fn guide(&self, settings: &Settings) -> Result<ClassicGuide, String> {
        let layers = Self::search_weight_layers(settings, Game::n_players(self));
        let lookahead = lookahead(settings, &layers)?;
        let buyer = buyer(self, settings, &lookahead);
        Ok(ClassicGuide::new(lookahead, value(self, settings)?, buyer))
    }

    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        let lookahead = lookahead(settings, &Self::weight_layers(settings))?;
        let buyer = buyer(self, settings, &lookahead);
        Ok(Box::new(GreedyClassic::new(settings.number(&EPSILON), lookahead, buyer)))
    }
}

impl Weighted for Classic {
    leaves_valued_here!(Evaluation);

    fn weights() -> Rows {
        Weights::ROWS
    }

    fn search_weights(_n_players: usize) -> &'static str {
        include_str!("../../../data/classic/search.toml")
    }

    /// Returns the layers with the persona on top. A persona overrides the weights below it, also those of a preset.
    fn weight_layers(settings: &Settings) -> Vec<WeightLayer<'_>> {
        let persona = layer(&PERSONA, settings, personas::text);
        named_weights(settings).into_iter().chain([persona]).collect()
    }
}

impl Observable for Classic {
    /// A saver, a raider, a builder, and a hunter of caesars.
    const STYLES: &'static [&'static str] = &[
        "greedy(style=hoarder)",
        "greedy(style=raider)",
        "greedy(style=builder)",
        "greedy(style=caesar-hunter)",
    ];

    /// Returns whether this is the movement of the second round.
    fn is_typical(&self, state: &State) -> bool {
        state.round() == 2 && state.phase() == Phase::Move
    }

    fn battle_calculator(&self) -> Option<Box<dyn BattleCalculator>> {
        Some(Box::new(ClassicBattles::new(self)))
    }

    fn outcome_odds(&self) -> Option<Box<dyn OutcomeOdds<Self>>> {
        Some(Box::new(ClassicBattles::new(self)))
    }

    const FEATURES: &'static [Feature] = features::FEATURES;

    fn features(&self, state: &State, out: &mut Vec<ByPlayer<f64>>) {
        features::each(self, state, &mut |count| out.push(count));
    }

    fn course(&self, state: &State) -> Course {
        features::course(state)
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

fn value(game: &Classic, settings: &Settings) -> Result<LeafValue, String> {
    LeafValue::read::<Evaluation>(game, settings, value::fitted(game.n_players()))
}

/// Returns the evaluation that counts the features of a search's value function.
fn counter(game: &Classic, settings: &Settings) -> Result<Evaluation, String> {
    let layers = Classic::search_weight_layers(settings, game.n_players());
    Ok(lookahead(settings, &layers)?.evaluation)
}

/// Returns the buyer of whole rounds, if the settings choose it.
fn buyer(game: &Classic, settings: &Settings, lookahead: &Lookahead) -> Option<Buyer> {
    let is_by_round = settings.word(&PURCHASES.param) == BY_ROUND;
    is_by_round.then(|| Buyer::new(PurchaseValues::new(game, lookahead.evaluation.clone())))
}

/// Returns the lookahead with the weights of `layers`.
fn lookahead(settings: &Settings, layers: &[WeightLayer<'_>]) -> Result<Lookahead, String> {
    let weights = Weights::resolved(layers, settings)?;
    let is_former = settings.word(&PURCHASES.param) == FORMER;
    Ok(Lookahead::new(Evaluation::new(weights), is_former))
}
