//! The guide of imperium: the evaluation, and prior logits and a rollout policy with one ply of lookahead.

use std::convert::Infallible;

use engine::games::imperium::stacks::PROVINCES;
use engine::games::imperium::{Action, Imperium, State};
use engine::{ByPlayer, Fast, Player};

use super::evaluation::Evaluation;
use super::one_ply::OnePlyPolicy;
use super::value::LeafValue;
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, RolloutPolicy,
};

/// The guide of imperium.
#[derive(Clone, Debug)]
pub struct ImperiumGuide {
    policy: OnePlyPolicy,
    /// The value of leaves; `None` for the evaluation, as presets take it.
    value: Option<LeafValue>,
}

impl ImperiumGuide {
    pub(super) const fn new(policy: OnePlyPolicy, value: Option<LeafValue>) -> Self {
        Self { policy, value }
    }
}

impl Evaluator<Imperium> for ImperiumGuide {
    const CAN_ESTIMATE: bool = true;

    fn estimate(&mut self, game: &Imperium, world: &State) -> ByPlayer<f32> {
        let evaluation = &self.policy.evaluation;
        let value = self.value.as_mut().and_then(|value| value.expect(evaluation, game, world));
        value.unwrap_or_else(|| evaluation.evaluate(game, world))
    }

    fn logistic_scale(&self, game: &Imperium, world: &State) -> f32 {
        match &self.value {
            Some(value) => value.scales::<Evaluation>(game, world)[0],
            None => self.policy.evaluation.logistic_scale(game, world),
        }
    }

    fn softmax_scale(&self, game: &Imperium, world: &State) -> f32 {
        match &self.value {
            Some(value) => value.scales::<Evaluation>(game, world)[1],
            None => self.policy.evaluation.logistic_scale(game, world),
        }
    }
}

impl MacroActions<Imperium> for ImperiumGuide {
    type Macro = Infallible;
}

impl Prior<Imperium> for ImperiumGuide {
    fn logits_simultaneous(
        &mut self,
        game: &Imperium,
        world: &State,
        mover: Player,
        options: &Choices<Imperium, Infallible>,
        out: &mut Vec<f32>,
    ) {
        let actions = options.iter().map(|option| match option {
            Choice::Ply(action) => *action,
            Choice::Macro(never) => match *never {},
        });
        self.policy.prior_logits(game, world, mover, actions, out);
    }
}

impl RolloutPolicy<Imperium> for ImperiumGuide {
    const HAS_ROLLOUT_POLICY: bool = true;

    fn rollout_policy(
        &mut self,
        game: &Imperium,
        world: &State,
        player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, Infallible> {
        Choice::Ply(self.policy.choose(game, world, player, rng))
    }
}

impl Guide<Imperium> for ImperiumGuide {
    /// Returns the progress: a stage is half a lap of the mark. A round has no turns, because all act at once.
    fn progress(&self, _game: &Imperium, world: &State) -> Progress {
        let half = PROVINCES as u32 / 2;
        Progress { stage: world.round() / half, round: world.round() % half, turn: 0 }
    }

    fn situation(&self, _game: &Imperium, world: &State) -> u64 {
        u64::from(world.round()) << 1 | u64::from(world.is_second_choice())
    }
}
