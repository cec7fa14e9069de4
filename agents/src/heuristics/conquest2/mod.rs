//! Agents of Conquest of the Empire II: an evaluation with named weights, macro-actions, a lookahead of one
//! macro-action, and rollout policies. The greedy agent and the guide of the search are built from them.
//!
//! # Modules
//!
//! - `evaluation`; `baseline`: the evaluation of many positions after one common position; `personas`: sets of weights,
//!   as files in `agents/data/conquest2/personas`.
//! - `macro_actions` and their `lookahead`; `rollout_policy` for single plies; `fast_rollout_policy`, which needs no
//!   list of options.
//! - `odds`: exact odds of battles; `luck`: the luck of their rolls.
//! - `input_groups`: the groups of inputs of a net, of a seat, the table and an option; `inputs` and `option_inputs` count
//!   them, for the net beside the value function and for the priors of a turn.
//! - `value` and `guide`: the value function and the guide of the search; `boundaries`: tests of both at the ends of
//!   seasons.

mod baseline;
#[cfg(test)]
mod boundaries;
mod evaluation;
mod fast_rollout_policy;
mod features;
mod greedy;
mod guide;
mod input_groups;
mod inputs;
mod lookahead;
mod luck;
mod macro_actions;
mod macro_text;
pub mod odds;
mod option_inputs;
mod personas;
mod rollout_policy;
pub mod value;
mod weights;

use crate::heuristics::leaf_value::{NetBeside, OwnNets};
use crate::heuristics::linear::{VALUE, net_knob};
use crate::heuristics::personas::{knob, layer};

use engine::ByPlayer;
use engine::games::conquest2::{Conquest2, Phase, State};

use crate::agent::Agent;
use crate::fitting::{Evaluation, ValueTable};
use crate::greedy::EPSILON;
use crate::luck::DiceLuck;
use crate::net::{Net, NetInputs, is_net};
use crate::observable::Observable;
use crate::odds::BattleCalculator;
use crate::of_game::WEIGHTS;
use crate::outcome_odds::OutcomeOdds;
use crate::param::{Audience, Domain, Knob, Param, Rows, Settings, WeightLayer};
use crate::playable::{Lineup, Playable};
use crate::presets::{self, Preset};
use crate::search_built_here;
use crate::spectator::{Course, Feature};
use crate::weighted::{Weighted, named_weights};

use self::inputs::Counted;
use self::lookahead::Lookahead;
use self::luck::BattleLuck;
use self::odds::{Arena, BattleOddsCache, Verdict};
use self::value::{FittedTable, ValueFunction};

pub use self::baseline::evaluate;
pub use self::greedy::GreedyConquest2;
pub use self::guide::Conquest2Guide;
pub use self::macro_actions::MacroAction;
pub use self::personas::PERSONAS;
pub use self::weights::Weights;

/// The name of the game in files of nets.
const NAME: &str = "conquest2";

/// The parameter for the weights of a persona.
const PERSONA: Knob = knob("persona", personas::NAMES);

/// The word of [`BATTLES`] for exact odds.
const BY_ODDS: &str = "odds";

/// The parameter for the resolution of tried battles.
const BATTLES: Knob = Knob {
    param: Param {
        name: "battles",
        domain: Domain::Choice(&["roll", BY_ODDS]),
        default: "roll",
        is_games: false,
        unit: "",
        meaning: "how it judges and tries out a battle: by a rule of thumb and roll by roll, or by exact odds",
    },
    audience: Audience::Evaluators,
};

/// The words of [`CARDS`].
const BY_THUMB: &str = "thumb";
const IN_TREE: &str = "tree";

/// The parameter for the decision of a card's details in the tree.
const CARDS: Knob = Knob {
    param: Param {
        name: "cards",
        domain: Domain::Choice(&[BY_THUMB, IN_TREE]),
        default: BY_THUMB,
        is_games: false,
        unit: "",
        meaning: "who says in the tree where or against whom a card goes: rules of thumb, or the tree",
    },
    audience: Audience::Searches,
};

/// The words of [`CANDIDATES`].
const USUAL: &str = "usual";
const WIDE: &str = "wide";

/// The parameter for the list of macro-actions.
const CANDIDATES: Knob = Knob {
    param: Param {
        name: "candidates",
        domain: Domain::Choice(&[USUAL, WIDE]),
        default: USUAL,
        is_games: false,
        unit: "",
        meaning: "macro-actions: those of greedy, or also what is rarely best, as one token where two can be bought",
    },
    audience: Audience::Searches,
};

const NET: Knob = net_knob(
    "the package's net beside the value function, which sees the map; auto is on without value=FILE",
);

/// The nets of the package.
const OWN_NETS: OwnNets = OwnNets {
    by_table: &[
        (2, include_str!("../../../data/conquest2/net-2.toml")),
        (3, include_str!("../../../data/conquest2/net-3.toml")),
        (4, include_str!("../../../data/conquest2/net-4.toml")),
        (5, include_str!("../../../data/conquest2/net-5.toml")),
        (6, include_str!("../../../data/conquest2/net-6.toml")),
    ],
};

impl Playable for Conquest2 {
    const LINEUP: Lineup = Lineup {
        specs: &["mcts(iterations=120)", "greedy", "greedy(persona=provincial)", "random"],
        blocks: 30,
    };

    const PARAMS: &'static [Knob] = &[PERSONA, WEIGHTS, BATTLES, CARDS, CANDIDATES, VALUE, NET];

    /// A search with doubt about its prior, and with win probabilities that add up to one. Each of the two wins more
    /// than the preset does (experiments/search).
    const SEARCH: &'static str = "select=puct, c=0.3, doubt=1, shrink=15, fpu=0, temperature=1.5, rollout=fast, horizon=round, rounds=1, utility=points, node_key=infoset";

    type Guide = Conquest2Guide;

    search_built_here!();

    fn guide(&self, settings: &Settings) -> Result<Conquest2Guide, String> {
        let leaves_cards = settings.word(&CARDS.param) == IN_TREE;
        let lists_rare = settings.word(&CANDIDATES.param) == WIDE;
        let (lookahead, value) = (lookahead_of(self, settings)?, value_of(self, settings)?);
        let net = self.net(settings)?.map(|net| NetBeside::new(net, &input_groups::LAYOUT));
        Ok(Conquest2Guide::new(lookahead, &value, leaves_cards, lists_rare).with_net(net))
    }

    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        let layers = Self::greedy_weight_layers(settings, engine::Game::n_players(self));
        let lookahead = lookahead_with(self, settings, &Weights::resolved(&layers, settings)?);
        Ok(Box::new(GreedyConquest2::with_lookahead(settings.number(&EPSILON), lookahead)))
    }
}

impl Weighted for Conquest2 {
    const PRESETS: &'static [Preset] = &[Preset {
        name: "2026-11-22",
        search: "select=puct, c=1, fpu=0, temperature=1.5, rollout=fast, horizon=round, rounds=2, utility=logistic, node_key=infoset",
        weights: include_str!("../../../data/conquest2/presets/2026-11-22/weights.toml"),
    }];

    fn evaluation(&self, settings: &Settings) -> Result<Option<Box<dyn Evaluation<Self>>>, String> {
        Ok(Some(Box::new(Evaluated(weights_of(settings)?))))
    }

    fn value_table(
        &self,
        settings: &Settings,
    ) -> Result<Option<Box<dyn ValueTable<Self>>>, String> {
        let (value, weights) = (value_of(self, settings)?, weights_of(settings)?);
        Ok(Some(Box::new(FittedTable { n_players: engine::Game::n_players(self), value, weights })))
    }

    fn net_inputs(&self, settings: &Settings) -> Result<Option<Box<dyn NetInputs<Self>>>, String> {
        Ok(Some(Box::new(Counted(weights_of(settings)?))))
    }

    fn net(&self, settings: &Settings) -> Result<Option<Net>, String> {
        OWN_NETS.net(settings, NAME, engine::Game::n_players(self), &input_groups::LAYOUT)
    }

    fn net_file<'a>(&self, settings: &'a Settings) -> Result<Option<&'a str>, String> {
        OWN_NETS.text(settings, engine::Game::n_players(self))
    }

    fn weights() -> Rows {
        Weights::ROWS
    }

    /// Returns the greedy weights of this table size. The defaults come from games of greedy agents at a table of 4,
    /// and searches use them at every table.
    fn greedy_weights(n_players: usize) -> &'static str {
        match n_players {
            2 => include_str!("../../../data/conquest2/greedy-2.toml"),
            3 => include_str!("../../../data/conquest2/greedy-3.toml"),
            5 => include_str!("../../../data/conquest2/greedy-5.toml"),
            // These weights were fitted at a table of 4. At 6 they are better than the weights fitted there.
            _ => include_str!("../../../data/conquest2/greedy-4.toml"),
        }
    }

    /// Returns the layers with the persona on top. A persona overrides the weights below it, also those of a preset.
    fn weight_layers(settings: &Settings) -> Vec<WeightLayer<'_>> {
        let persona = layer(&PERSONA, settings, personas::text);
        let preset = presets::weights(settings, Self::PRESETS);
        named_weights(settings).into_iter().chain([persona]).chain(preset).collect()
    }
}

impl Observable for Conquest2 {
    const STYLES: &'static [&'static str] =
        &["greedy(persona=central)", "greedy(persona=provincial)"];

    const MEASURED: &'static [&'static str] = &["mcts", "mcts(rollout=uniform, horizon=full)"];

    /// Returns whether this is the start of the first action round.
    fn is_typical(&self, state: &State) -> bool {
        state.phase() == Phase::Top
    }

    const FEATURES: &'static [Feature] = features::FEATURES;

    fn features(&self, state: &State, out: &mut Vec<ByPlayer<f64>>) {
        features::count(self, state, out);
    }

    fn course(&self, state: &State) -> Course {
        features::course(self, state)
    }

    fn extras(&self, state: &State) -> Vec<(&'static str, ByPlayer<i32>)> {
        let situation = self.situation(state);
        let mut influence = ByPlayer::default();
        let mut chaos = ByPlayer::default();
        for seat in situation.players() {
            influence[seat] = situation.influence(seat).into();
            chaos[seat] = situation.chaos(seat).into();
        }
        vec![("influence", influence), ("chaos", chaos)]
    }

    const DICE: Option<&'static str> = Some("rolls in battles");

    fn dice_luck(&self) -> Option<Box<dyn DiceLuck<Self>>> {
        Some(Box::new(BattleLuck::new(self, &Weights::default())))
    }

    fn battle_calculator(&self) -> Option<Box<dyn BattleCalculator>> {
        Some(Box::new(Arena::of(self.clone())))
    }

    fn outcome_odds(&self) -> Option<Box<dyn OutcomeOdds<Self>>> {
        Some(Box::new(BattleOddsCache::growing(self)))
    }
}

impl OutcomeOdds<Conquest2> for BattleOddsCache {
    fn look(&mut self, game: &Conquest2, state: &State) -> Vec<(&'static str, f64)> {
        let situation = game.situation(state);
        let fight = self.under_way(&situation).or_else(|| self.under_way_at_sea(&situation));
        let Some(odds) = fight.and_then(|fight| self.odds(&fight)) else { return Vec::new() };
        let ends = [
            ("the attacker wins", Verdict::Attacker),
            ("the defender", Verdict::Defender),
            ("both are gone", Verdict::BothGone),
            ("undecided", Verdict::Undecided),
        ];
        let chances = ends.map(|(what, verdict)| (what, odds.chance(verdict)));
        chances.into_iter().filter(|(_, chance)| *chance > 0.0).collect()
    }
}

/// The evaluation of the greedy agent, for each seat separately.
#[derive(Debug)]
struct Evaluated(Weights);

impl Evaluation<Conquest2> for Evaluated {
    fn values(&mut self, game: &Conquest2, state: &State) -> ByPlayer<f64> {
        let situation = game.situation(state);
        let mut values = ByPlayer::default();
        for seat in situation.players() {
            values[seat] = evaluate(&self.0, &situation, seat).into();
        }
        values
    }

    fn scale(&mut self, _game: &Conquest2, _state: &State) -> f64 {
        1.0
    }

    fn has_scale(&self) -> bool {
        false
    }
}

fn value_of(game: &Conquest2, settings: &Settings) -> Result<ValueFunction, String> {
    let n = engine::Game::n_players(game);
    match (settings.text(&VALUE.param), presets::of_game(settings, Conquest2::PRESETS)) {
        (Some(text), _) if !is_net(text) => ValueFunction::parse_for(text, n),
        (_, Some(preset)) => Ok(ValueFunction::of_preset(preset.name, n)),
        (_, None) => Ok(ValueFunction::fitted(n)),
    }
}

fn lookahead_of(game: &Conquest2, settings: &Settings) -> Result<Lookahead, String> {
    Ok(lookahead_with(game, settings, &weights_of(settings)?))
}

fn lookahead_with(game: &Conquest2, settings: &Settings, weights: &Weights) -> Lookahead {
    let lookahead = Lookahead::new(weights);
    let draws = settings.word(&BATTLES.param) == BY_ODDS;
    if draws { lookahead.drawing_battles(game) } else { lookahead }
}

fn weights_of(settings: &Settings) -> Result<Weights, String> {
    Weights::resolved(&Conquest2::weight_layers(settings), settings)
}
