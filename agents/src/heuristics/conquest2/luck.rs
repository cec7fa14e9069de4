//! The luck of dice in battles: the change of win probability by each roll, beyond its exact odds.
//!
//! The odds of a roll are those of its hits. The faces of the die and the rolling army fix them exactly. The worth of a
//! number of hits is the mean win probability over the ends of the battle. The battle continues with the losses,
//! retreats and refuges of the rollout policy ([`BattleOddsCache`], also exact). At sea only the current round is
//! finished.
//!
//! The win probability comes from the value function of a preset and its logistic scale. So luck does not change when
//! searches evaluate positions differently. If players decide differently, or if the value function is wrong, luck
//! explains less of the result. Its mean stays 0 (see [`crate::luck`]).

use engine::games::conquest2::{Action, Conquest2, Phase, Situation, State};
use engine::{ByPlayer, Game, Player, Turn};

use super::odds::{BattleOddsCache, End, RollOdds, Verdict};
use super::rollout_policy::rollout_ply;
use super::value::ValueFunction;
use super::weights::Weights;
use crate::luck::{DiceLuck, chances_to_win};

/// Win probabilities, by seat.
type Chances = ByPlayer<f64>;

/// The end of a battle: the units lost by both sides from a roll on, and the winner.
type Fate = ([u8; 2], Verdict);

/// The preset whose value function evaluates the ends of battles.
const VALUED_BY: &str = "2026-11-22";

/// The measure of luck in battle rolls.
#[derive(Clone, Debug)]
pub(super) struct BattleLuck {
    weights: Weights,
    value: ValueFunction,
    odds: BattleOddsCache,
    ends: Vec<End>,
    /// The commanders in the battle of the present roll.
    commanders: [Option<Player>; 2],
    /// The units of both sides before the roll.
    units: [u8; 2],
    /// The worth of the ends met so far for the roll. Equal losses lead to equal positions, in any rounds.
    known: Vec<(Fate, Chances)>,
}

impl BattleLuck {
    pub(super) fn new(game: &Conquest2, weights: &Weights) -> Self {
        Self {
            weights: *weights,
            value: ValueFunction::of_preset(VALUED_BY, game.n_players()),
            odds: BattleOddsCache::new(game),
            ends: Vec::new(),
            commanders: [None; 2],
            units: [0; 2],
            known: Vec::new(),
        }
    }

    /// Calls `tell` with each number of hits, its probability and its worth, in order; not at all if the roll is too
    /// large.
    fn each_worth(
        &mut self,
        game: &Conquest2,
        state: &State,
        mut tell: impl FnMut(u8, f64, &Chances),
    ) {
        let situation = game.situation(state);
        let Some(roll) = self.roll(&situation) else { return };
        self.commanders = situation.commanders();
        self.units = units(&situation);
        self.known.clear();
        for (n, chance) in roll.hits() {
            let mut after = *state;
            game.strike(&mut after, n);
            tell(n, chance, &self.worth(game, after));
        }
    }

    fn roll(&mut self, situation: &Situation<'_>) -> Option<RollOdds> {
        let side = rolling_side(situation);
        self.odds.roll(situation.battle_armies()[side], situation.battle_dice()[side])
    }

    /// Returns the mean win probabilities after a roll, over all continuations of the battle.
    fn worth(&mut self, game: &Conquest2, mut state: State) -> Chances {
        self.settle(game, &mut state);
        let situation = game.situation(&state);
        // Slaves may have gone on to their next target, which is another battle.
        if state.phase() != Phase::Dice || situation.commanders() != self.commanders {
            return self.at(game, &state);
        }
        if situation.is_round_due() {
            return self.fought_out(game, &state);
        }
        let Some(roll) = self.roll(&situation) else { return self.at(game, &state) };
        let mut mean = Chances::default();
        for (n, chance) in roll.hits() {
            let mut after = state;
            game.strike(&mut after, n);
            add(&mut mean, chance, &self.worth(game, after));
        }
        mean
    }

    /// Returns the mean win probabilities before a round, over all continuations of the battle.
    fn fought_out(&mut self, game: &Conquest2, state: &State) -> Chances {
        let situation = game.situation(state);
        let fight = self.odds.under_way(&situation);
        let Some(odds) = fight.and_then(|fight| self.odds.odds(&fight)) else {
            return self.at(game, state);
        };
        let first = usize::from(!odds.fight().is_siege);
        let left = units(&situation);
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        ends.extend_from_slice(odds.ends());
        let mut mean = Chances::default();
        for end in &ends {
            let lost = [0, 1].map(|side| self.units[side] - left[side] + end.lost[side]);
            let fate = (lost, end.verdict);
            let worth = match self.known.iter().find(|(known, _)| *known == fate) {
                Some((_, worth)) => *worth,
                None => {
                    let worth = self.at_the_end(game, *state, end, first);
                    self.known.push((fate, worth));
                    worth
                }
            };
            add(&mut mean, end.chance, &worth);
        }
        self.ends = ends;
        mean
    }

    /// Returns the win probabilities after this end of a battle. `first` is the side that is struck first.
    fn at_the_end(&self, game: &Conquest2, mut state: State, end: &End, first: usize) -> Chances {
        for side in [first, 1 - first] {
            game.strike(&mut state, end.lost[side]);
            while state.phase() == Phase::Losses {
                self.decide(game, &mut state);
            }
        }
        self.settle(game, &mut state);
        self.at(game, &state)
    }

    /// Decides losses, retreats and refuges by the rollout policy.
    fn settle(&self, game: &Conquest2, state: &mut State) {
        while matches!(state.phase(), Phase::Losses | Phase::Retreat | Phase::Withdraw) {
            self.decide(game, state);
        }
    }

    fn decide(&self, game: &Conquest2, state: &mut State) {
        let ply = rollout_ply(&self.weights, &game.situation(state));
        game.apply(state, ply);
    }

    /// Returns the win probabilities of the position.
    fn at(&self, game: &Conquest2, state: &State) -> Chances {
        if game.turn(state) == Turn::Over {
            return ByPlayer(game.payoffs(state).0.map(f64::from));
        }
        let situation = game.situation(state);
        let points = ByPlayer(self.value.expect(&self.weights, &situation).0.map(f64::from));
        chances_to_win(&points, game.n_players(), self.value.logistic_scale(&situation).into())
    }
}

impl DiceLuck<Conquest2> for BattleLuck {
    fn add(&mut self, game: &Conquest2, state: &State, outcome: Action, luck: &mut ByPlayer<f64>) {
        if state.phase() != Phase::Dice {
            return;
        }
        let situation = game.situation(state);
        let army = situation.battle_armies()[rolling_side(&situation)];
        let rolled: u8 = army.iter().zip(outcome.args()).map(|(&n, shown)| n.min(shown)).sum();
        self.each_worth(game, state, |hits, chance, worth| {
            let is_rolled = f64::from(u8::from(hits == rolled));
            add(luck, is_rolled - chance, worth);
        });
    }
}

/// Returns the side whose roll is due.
fn rolling_side(situation: &Situation<'_>) -> usize {
    usize::from(situation.is_round_due() == situation.is_siege())
}

/// Returns the number of units of both sides.
fn units(situation: &Situation<'_>) -> [u8; 2] {
    // Battles beyond the range of a byte are not computed.
    situation.battle_armies().map(|army| army.iter().fold(0, |sum: u8, &n| sum.saturating_add(n)))
}

fn add(sum: &mut Chances, weight: f64, worth: &Chances) {
    sum.0.iter_mut().zip(worth.0).for_each(|(sum, worth)| *sum += weight * worth);
}
