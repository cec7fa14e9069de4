//! Exact odds of battles: the whole distribution of the ends of a battle, and draws from it.
//!
//! # Method
//! A commander loses units in an order that does not depend on the rounds of the losses (see `rollout_policy::losses`).
//! The order is: troops without an owner, loans of earlier seats, own units from the least scoring one on, other loans.
//! So an army is a *sequence* ([`Ranks`]), and a battle is a pair of counts of lost units that only increase. With `a`
//! and `d` units there are `(a + 1)(d + 1)` pairs. A pair changes with the probability of its hits, computed from the
//! faces of the die in the rules configuration. If a round leaves a pair unchanged with probability `s`, the pair is
//! visited `1 / (1 - s)` times on average. So one forward pass gives the exact probability of every end and the
//! expected number of rounds.
//!
//! A battle that ends without a loser after a number of rounds (clause 15.7, and always at sea) breaks the closed form.
//! The pass also sums `2^rounds`, which bounds the probability of a battle longer than the limit (Markov). If the bound
//! is above [`NEVER`], the battle is computed round by round. This is exact as well, and slower.
//!
//! # Cost
//! `cargo bench -p benches --bench odds`: 2.7 µs per battle, 0.10 s for all 37,636 pairs of armies with three dice
//! each. The armies have at most 12 infantry, 4 cavalry and 2 catapults. Fighting a cached battle to its end takes 0.48
//! µs by one draw, and 0.42 µs with dice and the simplest losses.
//!
//! # Retreats
//! A force without a [`Flight`] fights to the end. A force with one retreats when `rollout_policy::retreat` does.
//!
//! # Limits
//! The odds do not hold for other orders of losses, or for players who change their decision with the dice.

mod arena;
mod cache;
mod rounds;

use engine::Randomness;
use engine::games::conquest2::units::N_MILITARY;

use super::super::arms;
use super::rollout_policy::{loss_cost, next_loss};

pub use engine::games::conquest2::Side;
pub use engine::games::conquest2::units::Unit;

pub use crate::heuristics::hits::MOST_DICE;
pub use crate::odds::Verdict;

pub use self::arena::{Arena, Tally, describe, parse};
pub use self::cache::BattleOddsCache;

/// An army: infantry, cavalry, catapults, galleys.
pub type Army = [u8; N_MILITARY];

/// Maximum number of units of one side.
pub const MOST_UNITS: usize = arms::MOST_UNITS;
/// The probability below which an event counts as impossible.
pub const NEVER: f64 = 1e-9;

/// Maximum number of different costs per kind. More units of a kind make none of them cheaper.
const MOST_COSTS: usize = 5;

/// The value of units for their commander, by kind and number left. The least valuable is lost first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossOrder {
    cost: [[f32; MOST_COSTS + 1]; N_MILITARY],
}

impl LossOrder {
    /// Creates the order for the `price` of each kind, in talents.
    #[must_use]
    pub fn new(price: &[u16; N_MILITARY]) -> Self {
        let cost = |unit: Unit, left| loss_cost(unit, left as u8, price[unit]);
        Self { cost: Unit::MILITARY.map(|unit| std::array::from_fn(|left| cost(unit, left))) }
    }
}

/// An army as the sequence of its units in the order of loss, at most [`MOST_UNITS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Ranks {
    /// The kinds of the units, two bits each.
    kinds: u128,
    size: u8,
}

impl Ranks {
    /// Creates an army that its commander owns entirely; `None` if it is larger than [`MOST_UNITS`].
    #[must_use]
    pub fn of(army: Army, order: &LossOrder) -> Option<Self> {
        let mut ranks = Self::default();
        ranks.add_own(army, order)?;
        Some(ranks)
    }

    /// Appends units of one kind.
    fn add(&mut self, unit: Unit, number: u8) -> Option<()> {
        if usize::from(self.size) + usize::from(number) > MOST_UNITS {
            return None;
        }
        for _ in 0..number {
            self.kinds |= (unit as u128) << (2 * self.size);
            self.size += 1;
        }
        Some(())
    }

    /// Appends units that their commander owns, in the order in which the commander gives them up.
    fn add_own(&mut self, army: Army, order: &LossOrder) -> Option<()> {
        let mut left = army;
        let cost = |unit: Unit, n: u8| order.cost[unit][usize::from(n).min(MOST_COSTS)];
        while let Some(unit) = next_loss(left, cost) {
            left[unit] -= 1;
            self.add(unit, 1)?;
        }
        Some(())
    }

    /// Returns the number of units.
    #[must_use]
    pub const fn size(self) -> u8 {
        self.size
    }

    const fn unit(self, place: u8) -> Unit {
        Unit::MILITARY[(self.kinds >> (2 * place) & 3) as usize]
    }

    /// Returns the army after the loss of the first `lost` units.
    #[must_use]
    pub fn after(self, lost: u8) -> Army {
        let mut army = [0; N_MILITARY];
        (lost..self.size).for_each(|place| army[self.unit(place)] += 1);
        army
    }

    /// Returns the number of losses after which no land unit remains between the places `first` and `end`.
    fn last_land(self, first: u8, end: u8) -> u8 {
        (first..end)
            .rev()
            .find(|&place| self.unit(place) != Unit::Galley)
            .map_or(0, |place| place + 1)
    }
}

/// The condition for a side to retreat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Flight {
    /// True if the commander has a leader there. Then a retreat is always possible.
    pub has_leader: bool,
    /// The number of losses below which a retreat is possible without a leader. It counts the units before the last own
    /// land unit.
    pub until: u8,
}

/// One side of a battle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Force {
    /// The units in the order of loss.
    pub ranks: Ranks,
    /// The number of dice for an army of any size.
    pub dice: u8,
    /// The additional dice per galley, at sea.
    pub galley_dice: u8,
    /// The condition for a retreat; `None` means never.
    pub flight: Option<Flight>,
}

/// A battle before the first roll of a round: all inputs of its outcome apart from the die.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Fight {
    /// Attacker and defender.
    pub sides: [Force; 2],
    /// True if the defender rolls first and the attacker loses units before answering (clause 15.6).
    pub is_siege: bool,
    /// The number of rounds after which the battle ends without a loser.
    pub rounds: u8,
}

/// A possible end of a battle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End {
    /// Units lost by attacker and defender.
    pub lost: [u8; 2],
    /// The winner.
    pub verdict: Verdict,
    /// Its probability.
    pub chance: f64,
}

/// The distribution of hits of one roll.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RollOdds {
    chances: [f64; MOST_DICE + 1],
    /// The number of valid entries.
    number: usize,
}

impl RollOdds {
    /// Returns the numbers of hits in order, with their probabilities.
    pub fn hits(&self) -> impl Iterator<Item = (u8, f64)> + use<> {
        let chances = self.chances.into_iter().take(self.number);
        chances.enumerate().map(|(hits, chance)| (hits as u8, chance))
    }
}

/// The distribution of the ends of a [`Fight`].
#[derive(Clone, Default, Debug)]
pub struct Odds {
    fight: Fight,
    ends: Vec<End>,
    rounds: f64,
}

impl Odds {
    fn with_capacity(ends: usize) -> Self {
        Self { ends: Vec::with_capacity(ends), ..Self::default() }
    }

    /// Returns the battle.
    #[must_use]
    pub const fn fight(&self) -> &Fight {
        &self.fight
    }

    /// Returns all ends with a positive probability.
    #[must_use]
    pub fn ends(&self) -> &[End] {
        &self.ends
    }

    /// Returns the probability of a verdict.
    #[must_use]
    pub fn chance(&self, verdict: Verdict) -> f64 {
        let ends = self.ends.iter().filter(|end| end.verdict == verdict);
        ends.fold(0.0, |sum, end| sum + end.chance)
    }

    /// Returns the expected number of rounds.
    #[must_use]
    pub const fn rounds(&self) -> f64 {
        self.rounds
    }

    /// Returns the remaining units of both armies at an end.
    #[must_use]
    pub fn armies(&self, end: &End) -> [Army; 2] {
        Side::ALL.map(|side| self.fight.sides[side].ranks.after(end.lost[side]))
    }

    /// Returns the expected survivors of a side, by unit kind.
    #[must_use]
    pub fn survivors(&self, side: Side) -> [f64; N_MILITARY] {
        let mut mean = [0.0; N_MILITARY];
        for end in &self.ends {
            let army = self.fight.sides[side].ranks.after(end.lost[side]);
            mean.iter_mut().zip(army).for_each(|(m, n)| *m += end.chance * f64::from(n));
        }
        mean
    }

    /// Draws an end.
    ///
    /// # Panics
    /// If the battle was never computed: a computed one has an end.
    pub fn draw<R: Randomness + ?Sized>(&self, rng: &mut R) -> &End {
        let mut left = rng.unit();
        for end in &self.ends {
            left -= end.chance;
            if left < 0.0 {
                return end;
            }
        }
        // The probabilities add up to one except for rounding.
        self.ends.last().expect("a battle has an end")
    }

    /// Draws the remaining units of both armies.
    ///
    /// # Panics
    /// As [`Odds::draw`].
    pub fn sample<R: Randomness + ?Sized>(&self, rng: &mut R) -> [Army; 2] {
        self.armies(self.draw(rng))
    }
}
