//! The guide of hannibal: the evaluation, prior logits and two rollout policies. Logits and rollout policy look one ply
//! ahead. The fast rollout policy takes an immediate win.

use std::convert::Infallible;

use engine::bits::each;
use engine::games::hannibal::{Action, CARTHAGE, Hannibal, Phase, ROME, State};
use engine::{ByPlayer, Fast, Game, Player};

use super::duel::Duel;
use super::evaluation::Evaluation;
use super::one_ply::OnePlyPolicy;
use super::value::{LeafValue, halves};
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, RolloutPolicy,
};

/// The guide of hannibal.
#[derive(Clone, Debug)]
pub struct HannibalGuide {
    policy: OnePlyPolicy,
    /// The value of leaves; `None` for the evaluation, as presets take it.
    value: Option<LeafValue>,
}

impl HannibalGuide {
    pub(super) const fn new(policy: OnePlyPolicy, value: Option<LeafValue>) -> Self {
        Self { policy, value }
    }
}

/// Returns the lead of Carthage by a value function, as the logarithm of its odds; in a conflict the mean over its ends,
/// where a win counts as the evaluation counts it.
fn log_odds(
    value: &mut LeafValue,
    evaluation: &mut Evaluation,
    game: &Hannibal,
    s: &State,
) -> Option<f32> {
    let mut at_turn = |evaluation: &Evaluation, s: &State| {
        let values = value.expect(evaluation, game, s)?;
        let [_, scale] = value.scales::<Evaluation>(game, s);
        Some((values.0[CARTHAGE] - values.0[ROME]) / scale)
    };
    let Some(duel) = Duel::of(s) else { return at_turn(evaluation, s) };
    let win = evaluation.weights.win / evaluation.weights.logistic_scale;
    let mean = evaluation.mean_over_ends(game, s, &duel, win, |evaluation, after| {
        at_turn(evaluation, after).unwrap_or_default()
    });
    Some(mean)
}

impl Evaluator<Hannibal> for HannibalGuide {
    const CAN_ESTIMATE: bool = true;

    fn estimate(&mut self, game: &Hannibal, world: &State) -> ByPlayer<f32> {
        let evaluation = &mut self.policy.evaluation;
        let value = self.value.as_mut();
        let lead = value.and_then(|value| log_odds(value, evaluation, game, world));
        halves(lead.unwrap_or_else(|| evaluation.lead(game, world)))
    }

    /// Returns the scale of the evaluation; that of a value function is 1.
    fn logistic_scale(&self, _game: &Hannibal, _world: &State) -> f32 {
        if self.value.is_some() { 1.0 } else { self.policy.evaluation.weights.logistic_scale }
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
