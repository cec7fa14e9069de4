//! The guide of conquest2: macro-actions, a value function, prior logits and rollout policies.

use engine::games::conquest2::{Action, Conquest2, Phase, State};
use engine::{ByPlayer, Fast, Game, Player, PlayerSet, hash_of};

use super::baseline::Gains;
use super::fast_rollout_policy::fast_macro;
use super::inputs::count;
use super::lookahead::{Candidates, Course, Lookahead};
use super::macro_actions::{MacroAction, rare_actions};
use super::macro_text::macro_text;
use super::option_inputs::count_options;
use super::rollout_policy::rollout_ply;
use super::value::{Features, ValueFunction};
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, Prospects, RolloutPolicy,
};
use crate::heuristics::leaf_value::NetBeside;
use crate::net::{Inputs, OptionInputs};

/// The guide of conquest2.
#[derive(Clone, Debug)]
pub struct Conquest2Guide {
    lookahead: Lookahead,
    value: ValueFunction,
    /// The net that is added to the value, if there is one.
    net: Option<NetBeside>,
    /// True if the tree decides the details of a card.
    leaves_cards: bool,
    /// True if options that are rarely best are listed.
    lists_rare: bool,
    macros: Vec<MacroAction>,
}

impl Conquest2Guide {
    /// Creates a guide with this lookahead and this value function at the horizon. The details of a card are decided by
    /// the tree or by rules of thumb. Options that are rarely best are listed or not.
    pub(super) const fn new(
        lookahead: Lookahead,
        value: &ValueFunction,
        leaves_cards: bool,
        lists_rare: bool,
    ) -> Self {
        Self { lookahead, value: *value, net: None, leaves_cards, lists_rare, macros: Vec::new() }
    }

    /// Returns the guide with a net beside the value function.
    pub(super) fn with_net(self, net: Option<NetBeside>) -> Self {
        Self { net, ..self }
    }
}

/// A choice of conquest2 in a search.
type Option2 = Choice<Action, MacroAction>;

impl Evaluator<Conquest2> for Conquest2Guide {
    const CAN_ESTIMATE: bool = true;

    fn estimate(&mut self, game: &Conquest2, world: &State) -> ByPlayer<f32> {
        let Self { lookahead, value, net, .. } = self;
        let situation = game.situation(world);
        let Some((net, phase)) = net.as_mut().zip(ValueFunction::phase_number(&situation)) else {
            return value.expect(&lookahead.weights, &situation);
        };
        let features = Features::of(&lookahead.weights, &situation);
        let linear = value.expect_by(&features, &situation);
        net.correct(&linear, value.softmax_scale(&situation), |inputs| {
            count(&situation, phase, &features, inputs);
        })
    }

    fn logistic_scale(&self, game: &Conquest2, world: &State) -> f32 {
        self.value.logistic_scale(&game.situation(world))
    }

    fn softmax_scale(&self, game: &Conquest2, world: &State) -> f32 {
        self.value.softmax_scale(&game.situation(world))
    }
}

impl MacroActions<Conquest2> for Conquest2Guide {
    type Macro = MacroAction;

    const HAS_MACROS: bool = true;

    fn macro_actions(
        &mut self,
        game: &Conquest2,
        world: &State,
        _player: Player,
        out: &mut Choices<Conquest2, MacroAction>,
    ) {
        if world.phase() == Phase::Top {
            self.macros.clear();
            let _ = self.lookahead.list(game, world, &mut self.macros);
            if self.lists_rare {
                let weights = &self.lookahead.weights;
                rare_actions(weights, &game.situation(world), &mut self.macros);
            }
            out.extend(self.macros.iter().map(|&macro_action| Choice::Macro(macro_action)));
        }
    }

    fn carry_out(
        &mut self,
        game: &Conquest2,
        world: &mut State,
        player: Player,
        macro_action: MacroAction,
        rng: &mut Fast,
    ) {
        let (seat, leaves_cards) = (player, self.leaves_cards);
        let course = Course { macro_action: &macro_action, seat, leaves_cards, has_begun: false };
        self.lookahead.play(game, world, course, rng, Conquest2::apply);
    }

    fn ply_of(
        &mut self,
        game: &Conquest2,
        world: &State,
        _player: Player,
        macro_action: MacroAction,
        is_first: bool,
    ) -> Option<Action> {
        let is_top = world.phase() == Phase::Top;
        if is_top == is_first { macro_action.answer(&game.situation(world)) } else { None }
    }

    fn macro_text(&self, game: &Conquest2, macro_action: MacroAction) -> String {
        macro_text(game, macro_action)
    }
}

impl Prior<Conquest2> for Conquest2Guide {
    fn logits(
        &mut self,
        game: &Conquest2,
        world: &State,
        options: &Choices<Conquest2, MacroAction>,
        rng: &mut Fast,
        out: &mut Vec<f32>,
    ) {
        let (usual, ply) = (self.lookahead.weights.prior_usual, self.lookahead.weights.prior_ply);
        let start = out.len();
        let macros = options.iter().filter_map(|option| match option {
            Choice::Macro(macro_action) => Some(*macro_action),
            Choice::Ply(_) => None,
        });
        let candidates = Candidates { macros, gains: Gains::default() };
        self.lookahead.value_each(game, world, candidates, rng, |value| out.push(value));
        if out.len() > start {
            let worst = out[start..].iter().copied().fold(f32::MAX, f32::min);
            out.resize(start + options.len(), worst - ply);
            self.correct(game, world, options, &mut out[start..]);
            return;
        }
        let chosen = Choice::Ply(rollout_ply(&self.lookahead.weights, &game.situation(world)));
        out.extend(options.iter().map(|&option| if option == chosen { usual } else { 0.0 }));
    }

    fn count_options(
        &mut self,
        game: &Conquest2,
        world: &State,
        options: Prospects<'_, Option2>,
        inputs: &Inputs,
        out: &mut OptionInputs,
    ) {
        count_options(&game.situation(world), options, inputs, out);
    }

    fn leave_out_policy(&mut self) {
        self.net = self.net.take().map(NetBeside::without_policy);
    }
}

impl Conquest2Guide {
    /// Changes the `logits` of the options of a turn by the policy head of the net, if there is one.
    fn correct(
        &mut self,
        game: &Conquest2,
        world: &State,
        options: &Choices<Conquest2, MacroAction>,
        logits: &mut [f32],
    ) {
        let Some(net) = self.net.as_mut().filter(|net| net.has_policy()) else { return };
        let (situation, weights) = (game.situation(world), &self.lookahead.weights);
        let Some(phase) = ValueFunction::phase_number(&situation) else { return };
        let fill = |inputs: &mut Inputs| {
            count(&situation, phase, &Features::of(weights, &situation), inputs);
        };
        net.correct_priors(situation.actor(), logits, fill, |logits, inputs, out| {
            count_options(&situation, Prospects { options, logits }, inputs, out);
        });
    }
}

impl RolloutPolicy<Conquest2> for Conquest2Guide {
    const HAS_ROLLOUT_POLICY: bool = true;

    fn rollout_policy(
        &mut self,
        game: &Conquest2,
        world: &State,
        _player: Player,
        rng: &mut Fast,
    ) -> Option2 {
        if world.phase() != Phase::Top {
            return Choice::Ply(rollout_ply(&self.lookahead.weights, &game.situation(world)));
        }
        self.macros.clear();
        let gains = self.lookahead.list(game, world, &mut self.macros);
        Choice::Macro(self.lookahead.best_of(game, world, &self.macros, gains, rng))
    }

    fn fast_rollout_policy(
        &mut self,
        game: &Conquest2,
        world: &State,
        _player: Player,
        rng: &mut Fast,
    ) -> Option2 {
        let situation = game.situation(world);
        if world.phase() != Phase::Top {
            return Choice::Ply(rollout_ply(&self.lookahead.weights, &situation));
        }
        if let Some(card) = self.lookahead.best_use(game, world, rng) {
            return Choice::Macro(card);
        }
        Choice::Macro(fast_macro(&self.lookahead.weights, &situation, rng, &mut self.macros))
    }
}

impl Guide<Conquest2> for Conquest2Guide {
    /// Returns the progress: a stage is a season, which ends with a scoring.
    fn progress(&self, game: &Conquest2, world: &State) -> Progress {
        let situation = game.situation(world);
        Progress {
            stage: situation.season() as u32,
            round: situation.rounds_over() as u32,
            turn: situation.turn_number() as u32,
        }
    }

    fn allies(&self, game: &Conquest2, world: &State, player: Player) -> PlayerSet {
        let situation = game.situation(world);
        situation.players().filter(|&q| q != player && situation.are_allied(player, q)).collect()
    }

    fn situation(&self, game: &Conquest2, world: &State) -> u64 {
        let situation = game.situation(world);
        hash_of(&(situation.phase() as u8, self.progress(game, world), situation.actions_left()))
    }
}
