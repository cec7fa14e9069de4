//! What a search knows of rise: the evaluation, prior logits, and two rollout policies.

use std::convert::Infallible;

use engine::games::rise::{Action, Rise, State};
use engine::{ByPlayer, Fast, Game, Player, Turn};

use super::policy::Policy;
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, RolloutPolicy,
};

/// The guide of rise.
#[derive(Clone, Debug)]
pub struct RiseGuide {
    policy: Policy,
}

impl RiseGuide {
    pub(super) const fn new(policy: Policy) -> Self {
        Self { policy }
    }
}

impl Evaluator<Rise> for RiseGuide {
    const CAN_ESTIMATE: bool = true;

    fn estimate(&mut self, game: &Rise, world: &State) -> ByPlayer<f32> {
        self.policy.evaluation.values(game, world)
    }

    fn logistic_scale(&self, game: &Rise, world: &State) -> f32 {
        self.policy.evaluation.logistic_scale(game, world)
    }
}

impl MacroActions<Rise> for RiseGuide {
    type Macro = Infallible;
}

impl Prior<Rise> for RiseGuide {
    /// What each option leads to by the end of the action.
    fn logits(
        &mut self,
        game: &Rise,
        world: &State,
        options: &Choices<Rise, Infallible>,
        _rng: &mut Fast,
        out: &mut Vec<f32>,
    ) {
        let Turn::Player(player) = game.turn(world) else { return };
        for option in options {
            out.push(match option {
                Choice::Ply(action) => self.policy.value_of(game, world, player, *action, 1),
                Choice::Macro(whole) => match *whole {},
            });
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
    ) -> Choice<Action, Infallible> {
        Choice::Ply(self.policy.choose(game, world))
    }

    /// The ply after which the position looks best, but for a disc, of which any is as good as another.
    fn fast_rollout_policy(
        &mut self,
        game: &Rise,
        world: &State,
        _player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, Infallible> {
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
