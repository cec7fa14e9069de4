//! The guide of rise: a value function, macro-actions, prior logits, and two rollout policies.

use engine::games::rise::{Action, Rise, State};
use engine::{ByPlayer, Fast, Game, Player, Turn};

use super::evaluation::Evaluation;
use super::macro_actions::MacroAction;
use super::policy::Policy;
use super::value::LeafValue;
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, RolloutPolicy,
};

/// The guide of rise.
#[derive(Clone, Debug)]
pub struct RiseGuide {
    policy: Policy,
    value: LeafValue,
    /// Scratch for lists of macro-actions.
    macro_actions: Vec<MacroAction>,
}

impl RiseGuide {
    pub(super) const fn new(policy: Policy, value: LeafValue) -> Self {
        Self { policy, value, macro_actions: Vec::new() }
    }
}

impl Evaluator<Rise> for RiseGuide {
    const CAN_ESTIMATE: bool = true;

    fn estimate(&mut self, game: &Rise, world: &State) -> ByPlayer<f32> {
        let evaluation = &self.policy.evaluation;
        let value = self.value.expect(evaluation, game, world);
        value.unwrap_or_else(|| evaluation.values(game, world))
    }

    fn logistic_scale(&self, game: &Rise, world: &State) -> f32 {
        self.value.scales::<Evaluation>(game, world)[0]
    }

    fn softmax_scale(&self, game: &Rise, world: &State) -> f32 {
        self.value.scales::<Evaluation>(game, world)[1]
    }
}

impl MacroActions<Rise> for RiseGuide {
    type Macro = MacroAction;

    const HAS_MACROS: bool = true;

    fn macro_actions(
        &mut self,
        game: &Rise,
        world: &State,
        _player: Player,
        out: &mut Choices<Rise, MacroAction>,
    ) {
        self.macro_actions.clear();
        self.policy.list_macro_actions(game, world, &mut self.macro_actions);
        out.extend(self.macro_actions.iter().map(|&macro_action| Choice::Macro(macro_action)));
    }

    fn carry_out(
        &mut self,
        game: &Rise,
        world: &mut State,
        player: Player,
        macro_action: MacroAction,
        rng: &mut Fast,
    ) {
        self.policy.carry_out_macro_action(game, world, player, macro_action, rng);
    }

    fn ply_of(
        &mut self,
        game: &Rise,
        world: &State,
        _player: Player,
        macro_action: MacroAction,
        is_first: bool,
    ) -> Option<Action> {
        self.policy.ply_of_macro_action(game, world, macro_action, is_first)
    }

    fn macro_text(&self, game: &Rise, macro_action: MacroAction) -> String {
        macro_action.text(game)
    }
}

impl Prior<Rise> for RiseGuide {
    /// Appends the value of each option at the end of the action.
    fn logits(
        &mut self,
        game: &Rise,
        world: &State,
        options: &Choices<Rise, MacroAction>,
        _rng: &mut Fast,
        out: &mut Vec<f32>,
    ) {
        let Turn::Player(player) = game.turn(world) else { return };
        let macro_actions = options.iter().filter_map(|option| match option {
            Choice::Macro(macro_action) => Some(*macro_action),
            Choice::Ply(_) => None,
        });
        self.policy
            .value_macro_actions(game, world, player, macro_actions, |value| out.push(value));
        for option in options {
            if let Choice::Ply(action) = option {
                out.push(self.policy.value_of(game, world, player, *action, 1));
            }
        }
    }
}

impl RolloutPolicy<Rise> for RiseGuide {
    const HAS_ROLLOUT_POLICY: bool = true;

    /// Returns the action of the greedy agent.
    fn rollout_policy(
        &mut self,
        game: &Rise,
        world: &State,
        _player: Player,
        _rng: &mut Fast,
    ) -> Choice<Action, MacroAction> {
        self.macro_actions.clear();
        self.policy.list_macro_actions(game, world, &mut self.macro_actions);
        match self.policy.best_macro_action(game, world, &self.macro_actions) {
            Some(macro_action) => Choice::Macro(macro_action),
            None => Choice::Ply(self.policy.choose(game, world)),
        }
    }

    /// Returns the ply with the best position after it. For a disc any ply counts as equal.
    fn fast_rollout_policy(
        &mut self,
        game: &Rise,
        world: &State,
        _player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, MacroAction> {
        Choice::Ply(self.policy.at_a_glance(game, world, rng))
    }
}

impl Guide<Rise> for RiseGuide {
    /// Returns the progress: a stage is a turn of the game, a round is one of its six rounds, a turn is a player's
    /// action.
    fn progress(&self, game: &Rise, world: &State) -> Progress {
        let place = match game.turn(world) {
            Turn::Player(player) => world.place_of(player) as u32,
            _ => 0,
        };
        Progress { stage: world.turn().into(), round: world.round().into(), turn: place }
    }
}
