//! The one-ply policy: the best turn by the evaluation, the better fighter, and a card drawn from the optimal mixed
//! strategy of the conflict. The greedy agent, the prior logits and the rollout policy of the search share it.

use engine::bits::each;
use engine::games::hannibal::{Action, CARTHAGE, Hand, Hannibal, Phase, ROME, State};
use engine::{Game, Player, Randomness};

use super::duel::Duel;
use super::evaluation::Evaluation;
use super::weights::Weights;

/// A policy that looks one ply ahead with an evaluation.
#[derive(Clone, Debug)]
pub(super) struct OnePlyPolicy {
    pub(super) evaluation: Evaluation,
    actions: Vec<Action>,
    best: Vec<Action>,
    strategy: Vec<f64>,
}

/// The difference below which turns count as equally good. It is above the rounding error of equal positions and below
/// any weight.
const AS_GOOD: f32 = 1e-4;

impl OnePlyPolicy {
    pub(super) fn new(game: &Hannibal, weights: Weights) -> Self {
        Self {
            evaluation: Evaluation::new(game, weights),
            actions: Vec::new(),
            best: Vec::new(),
            strategy: Vec::new(),
        }
    }

    /// Returns the action of `player` in the due decision.
    pub(super) fn decide<R: Randomness + ?Sized>(
        &mut self,
        game: &Hannibal,
        s: &State,
        player: Player,
        rng: &mut R,
    ) -> Action {
        match (s.phase(), Duel::of(s)) {
            (Phase::Fight, Some(duel)) => Action::Fight(self.evaluation.duels.best_fighter(&duel)),
            (Phase::Duel, Some(duel)) => self.draw_card(&duel, player.idx(), rng),
            _ => self.best_turn(game, s, player, rng),
        }
    }

    fn draw_card<R: Randomness + ?Sized>(
        &mut self,
        duel: &Duel,
        seat: usize,
        rng: &mut R,
    ) -> Action {
        self.strategy.clear();
        self.evaluation.duels.strategy(duel, seat, &mut self.strategy);
        let mut left = rng.unit();
        let drawn = each(duel.hands[seat].into()).zip(&self.strategy).find(|(_, probability)| {
            left -= **probability;
            left < 0.0
        });
        let highest = Hand::BITS as u8 - 1 - duel.hands[seat].leading_zeros() as u8;
        Action::Card(drawn.map_or(highest, |(card, _)| card))
    }

    /// Returns the turn with the largest lead for the mover, ties at random.
    fn best_turn<R: Randomness + ?Sized>(
        &mut self,
        game: &Hannibal,
        s: &State,
        player: Player,
        rng: &mut R,
    ) -> Action {
        self.actions.clear();
        game.actions(s, player, &mut self.actions);
        self.best.clear();
        let mut best_value = f32::MIN;
        for i in 0..self.actions.len() {
            let value = self.value_of(game, s, self.actions[i]);
            if value > best_value + AS_GOOD {
                self.best.clear();
            }
            if value > best_value - AS_GOOD {
                self.best.push(self.actions[i]);
                best_value = best_value.max(value);
            }
        }
        self.best[rng.below(self.best.len() as u32) as usize]
    }

    /// Returns the lead of the deciding side after `action`, in legions.
    pub(super) fn value_of(&mut self, game: &Hannibal, s: &State, action: Action) -> f32 {
        let seat = if s.phase() == Phase::Fight { CARTHAGE } else { s.mover() };
        let mut after = *s;
        game.apply(&mut after, action);
        let lead = self.evaluation.lead(game, &after);
        if seat == ROME { -lead } else { lead }
    }
}
