//! The guide of hannibal: the evaluation, prior logits and two rollout policies. Logits and rollout policy look one ply
//! ahead. The fast rollout policy takes an immediate win.

use std::convert::Infallible;

use engine::bits::each;
use engine::games::hannibal::{Action, Hannibal, Phase, State};
use engine::{ByPlayer, Fast, Game, Player};

use super::one_ply::OnePlyPolicy;
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, RolloutPolicy,
};

/// The guide of hannibal.
#[derive(Clone, Debug)]
pub struct HannibalGuide {
    policy: OnePlyPolicy,
}

impl HannibalGuide {
    pub(super) const fn new(policy: OnePlyPolicy) -> Self {
        Self { policy }
    }
}

impl Evaluator<Hannibal> for HannibalGuide {
    const CAN_ESTIMATE: bool = true;

    fn estimate(&mut self, game: &Hannibal, world: &State) -> ByPlayer<f32> {
        // Only the difference of the values matters, so each side gets half of the lead.
        let half = self.policy.evaluation.lead(game, world) / 2.0;
        ByPlayer([half, -half, 0.0, 0.0, 0.0, 0.0])
    }

    fn logistic_scale(&self, _game: &Hannibal, _world: &State) -> f32 {
        self.policy.evaluation.weights.logistic_scale
    }
}

impl MacroActions<Hannibal> for HannibalGuide {
    type Macro = Infallible;
}

impl Prior<Hannibal> for HannibalGuide {
    fn logits(
        &mut self,
        game: &Hannibal,
        world: &State,
        options: &Choices<Hannibal, Infallible>,
        _rng: &mut Fast,
        out: &mut Vec<f32>,
    ) {
        for option in options {
            out.push(match option {
                Choice::Ply(Action::Card(_)) => 0.0,
                Choice::Ply(action) => self.policy.value_of(game, world, *action),
                Choice::Macro(never) => match *never {},
            });
        }
    }
}

impl RolloutPolicy<Hannibal> for HannibalGuide {
    const HAS_ROLLOUT_POLICY: bool = true;

    fn rollout_policy(
        &mut self,
        game: &Hannibal,
        world: &State,
        player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, Infallible> {
        Choice::Ply(self.policy.decide(game, world, player, rng))
    }

    /// Returns the entry into the enemy capital if a legion can make it, otherwise a random action.
    fn fast_rollout_policy(
        &mut self,
        game: &Hannibal,
        world: &State,
        player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, Infallible> {
        let winner = winning_entry(game, world, player.idx());
        Choice::Ply(
            winner.unwrap_or_else(|| game.random_action(world, player, rng, &mut Vec::new())),
        )
    }
}

impl Guide<Hannibal> for HannibalGuide {
    /// Returns the progress: a round is a turn of each side. There is no scoring before the end.
    fn progress(&self, _game: &Hannibal, world: &State) -> Progress {
        let turns = u32::from(world.turns());
        Progress { stage: 0, round: turns / 2, turn: turns % 2 }
    }
}

/// Returns the move of a legion or of Hannibal into the enemy capital, if there is one.
fn winning_entry(game: &Hannibal, s: &State, seat: usize) -> Option<Action> {
    if s.phase() != Phase::Turn || !game.capital_entry_wins() {
        return None;
    }
    let to = game.capital(1 - seat);
    let is_near = |&from: &u8| game.reach(from, s.routes(seat)) >> to & 1 == 1;
    let from = each(s.held(seat).into()).find(is_near)?;
    let entry = if s.legions(seat, from) > 0 {
        Action::Legion { from, to }
    } else {
        Action::Hannibal { from, to }
    };
    game.is_legal(s, Player::new(seat), entry, &mut Vec::new()).then_some(entry)
}
