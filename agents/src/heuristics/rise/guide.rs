//! What a search knows of rise: a value function, whole actions, prior logits, and two rollout policies.

use engine::games::rise::{Action, Rise, State};
use engine::{ByPlayer, Fast, Game, Player, Turn};

use super::evaluation::Evaluation;
use super::policy::Policy;
use super::value::{self, ValueFunction};
use super::whole::WholeAction;
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, RolloutPolicy,
};

/// The guide of rise.
#[derive(Clone, Debug)]
pub struct RiseGuide {
    policy: Policy,
    value: ValueFunction,
    /// Memory for lists of whole actions.
    wholes: Vec<WholeAction>,
}

impl RiseGuide {
    pub(super) const fn new(policy: Policy, value: ValueFunction) -> Self {
        Self { policy, value, wholes: Vec::new() }
    }
}

impl Evaluator<Rise> for RiseGuide {
    const CAN_ESTIMATE: bool = true;

    fn estimate(&mut self, game: &Rise, world: &State) -> ByPlayer<f32> {
        value::expect(&self.value, &self.policy.evaluation, game, world)
    }

    fn logistic_scale(&self, game: &Rise, world: &State) -> f32 {
        self.value.scales::<Evaluation>(game, world)[0]
    }

    fn softmax_scale(&self, game: &Rise, world: &State) -> f32 {
        self.value.scales::<Evaluation>(game, world)[1]
    }
}

impl MacroActions<Rise> for RiseGuide {
    type Macro = WholeAction;

    const HAS_MACROS: bool = true;

    fn macro_actions(
        &mut self,
        game: &Rise,
        world: &State,
        _player: Player,
        out: &mut Choices<Rise, WholeAction>,
    ) {
        self.wholes.clear();
        self.policy.list_wholes(game, world, &mut self.wholes);
        out.extend(self.wholes.iter().map(|&whole| Choice::Macro(whole)));
    }

    fn carry_out(
        &mut self,
        game: &Rise,
        world: &mut State,
        player: Player,
        whole: WholeAction,
        rng: &mut Fast,
    ) {
        self.policy.carry_out_whole(game, world, player, whole, rng);
    }

    fn ply_of(
        &mut self,
        game: &Rise,
        world: &State,
        _player: Player,
        whole: WholeAction,
        is_first: bool,
    ) -> Option<Action> {
        self.policy.ply_of_whole(game, world, whole, is_first)
    }

    fn macro_text(&self, game: &Rise, whole: WholeAction) -> String {
        whole.text(game)
    }
}

impl Prior<Rise> for RiseGuide {
    /// What each option leads to by the end of the action.
    fn logits(
        &mut self,
        game: &Rise,
        world: &State,
        options: &Choices<Rise, WholeAction>,
        _rng: &mut Fast,
        out: &mut Vec<f32>,
    ) {
        let Turn::Player(player) = game.turn(world) else { return };
        let wholes = options.iter().filter_map(|option| match option {
            Choice::Macro(whole) => Some(*whole),
            Choice::Ply(_) => None,
        });
        self.policy.value_wholes(game, world, player, wholes, |value| out.push(value));
        for option in options {
            if let Choice::Ply(action) = option {
                out.push(self.policy.value_of(game, world, player, *action, 1));
            }
        }
    }
}

impl RolloutPolicy<Rise> for RiseGuide {
    const HAS_ROLLOUT_POLICY: bool = true;

    /// What the greedy agent does.
    fn rollout_policy(
        &mut self,
        game: &Rise,
        world: &State,
        _player: Player,
        _rng: &mut Fast,
    ) -> Choice<Action, WholeAction> {
        self.wholes.clear();
        self.policy.list_wholes(game, world, &mut self.wholes);
        match self.policy.best_whole(game, world, &self.wholes) {
            Some(whole) => Choice::Macro(whole),
            None => Choice::Ply(self.policy.choose(game, world)),
        }
    }

    /// The ply after which the position looks best, but for a disc, of which any is as good as another.
    fn fast_rollout_policy(
        &mut self,
        game: &Rise,
        world: &State,
        _player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, WholeAction> {
        Choice::Ply(self.policy.at_a_glance(game, world, rng))
    }
}

impl Guide<Rise> for RiseGuide {
    /// A stage is a turn of the game, a round one of its six, a turn the action of a player.
    fn progress(&self, game: &Rise, world: &State) -> Progress {
        let place = match game.turn(world) {
            Turn::Player(player) => world.place_of(player) as u32,
            _ => 0,
        };
        Progress { stage: world.turn().into(), round: world.round().into(), turn: place }
    }
}
