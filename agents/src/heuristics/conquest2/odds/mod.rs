//! Exact odds of battles: the whole distribution of how a battle ends, and one end drawn from it.
//!
//! # Method
//! A commander loses his units in an order that does not depend on the rounds in which he loses them (see
//! `rollout_policy::losses`: troops without an owner, loans of earlier seats, then his own from the one that scores
//! least, then other loans). So an army is a *sequence* ([`Ranks`]), a battle is a pair of counts of lost units,
//! and it only moves forward. With `a` and `d` units there are `(a + 1)(d + 1)` pairs; each is left with the
//! probability of its hits, computed from the faces of the die in the rules configuration, and a pair that a
//! round can leave unchanged with probability `s` is visited `1 / (1 - s)` times on average. One forward pass
//! therefore gives the exact chance of every end and the expected number of rounds.
//!
//! A battle that ends without a loser after so many rounds (clause 15.7, and always at sea) breaks the closed
//! form. The pass also sums `2^rounds`, which bounds the chance of a battle longer than the limit (Markov). If
//! the bound is above [`NEVER`], the battle is computed round by round instead, which is exact too and slower.
//!
//! # Cost
//! `cargo bench -p benches --bench odds`: 2.7 µs a battle for all 37,636 pairs of armies of at most 12 infantry,
//! 4 cavalry and 2 catapults with three dice each (0.10 s for all); 0.48 µs to fight a kept battle to its end by
//! one draw, against 0.42 µs with dice and the simplest losses.
//!
//! # Retreats
//! A force without a [`Flight`] fights to the end. With one it retreats when `rollout_policy::retreat` would.
//!
//! # What it is not
//! An answer for other orders of losses, or for players who change their mind with the dice.

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

/// Infantry, cavalry, catapults, galleys.
pub type Army = [u8; N_MILITARY];

/// Units of one side at most.
pub const MOST_UNITS: usize = arms::MOST_UNITS;
/// A chance that is taken for none.
pub const NEVER: f64 = 1e-9;

/// More units of a kind than this make none of them cheaper.
const MOST_COSTS: usize = 5;

/// What units are worth to their commander, by kind and number left: the least is lost first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossOrder {
    cost: [[f32; MOST_COSTS + 1]; N_MILITARY],
}

impl LossOrder {
    /// The order at the `price` of each kind in talents.
    #[must_use]
    pub fn new(price: &[u16; N_MILITARY]) -> Self {
        let cost = |unit: Unit, left| loss_cost(unit, left as u8, price[unit]);
        Self { cost: Unit::MILITARY.map(|unit| std::array::from_fn(|left| cost(unit, left))) }
    }
}

/// An army as the sequence of its units, the first to be lost first; at most [`MOST_UNITS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Ranks {
    /// Two bits a unit.
    kinds: u128,
    size: u8,
}

impl Ranks {
    /// An army of which its commander owns everything; `None` if it is larger than [`MOST_UNITS`].
    #[must_use]
    pub fn of(army: Army, order: &LossOrder) -> Option<Self> {
        let mut ranks = Self::default();
        ranks.add_own(army, order)?;
        Some(ranks)
    }

    /// Puts units of one kind at the end.
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

    /// Puts units that their commander owns at the end, in the order in which he gives them up.
    fn add_own(&mut self, army: Army, order: &LossOrder) -> Option<()> {
        let mut left = army;
        let cost = |unit: Unit, n: u8| order.cost[unit][usize::from(n).min(MOST_COSTS)];
        while let Some(unit) = next_loss(left, cost) {
            left[unit] -= 1;
            self.add(unit, 1)?;
        }
        Some(())
    }

    /// The number of units.
    #[must_use]
    pub const fn size(self) -> u8 {
        self.size
    }

    const fn unit(self, place: u8) -> Unit {
        Unit::MILITARY[(self.kinds >> (2 * place) & 3) as usize]
    }

    /// The army after the first `lost` units are lost.
    #[must_use]
    pub fn after(self, lost: u8) -> Army {
        let mut army = [0; N_MILITARY];
        (lost..self.size).for_each(|place| army[self.unit(place)] += 1);
        army
    }

    /// After how many losses no land unit is left of those from place `first` on, up to place `end`.
    fn last_land(self, first: u8, end: u8) -> u8 {
        (first..end)
            .rev()
            .find(|&place| self.unit(place) != Unit::Galley)
            .map_or(0, |place| place + 1)
    }
}

/// When a side can retreat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Flight {
    /// Whether the commander has a leader there: then he always can.
    pub has_leader: bool,
    /// Otherwise he can as long as his side has lost fewer units than this: those before the last land unit of
    /// his own.
    pub until: u8,
}

/// One side of a battle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Force {
    /// Its units in the order in which they are lost.
    pub ranks: Ranks,
    /// Dice, whatever its size.
    pub dice: u8,
    /// More dice for each galley: at sea.
    pub galley_dice: u8,
    /// When it can retreat; `None` means never.
    pub flight: Option<Flight>,
}

/// A battle before the first roll of a round: everything that its outcome depends on, apart from the die.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Fight {
    /// Attacker and defender.
    pub sides: [Force; 2],
    /// Whether the defender rolls first and the attacker loses units before he answers (clause 15.6).
    pub is_siege: bool,
    /// Rounds after which the battle ends without a loser.
    pub rounds: u8,
}

/// One way in which a battle can end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End {
    /// Units lost by attacker and defender.
    pub lost: [u8; 2],
    /// Who has won.
    pub verdict: Verdict,
    /// Its probability.
    pub chance: f64,
}

/// The distribution of the hits of one roll.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RollOdds {
    chances: [f64; MOST_DICE + 1],
    /// Of which so many count.
    number: usize,
}

impl RollOdds {
    /// Numbers of hits in their order, with their chances.
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

    /// The battle.
    #[must_use]
    pub const fn fight(&self) -> &Fight {
        &self.fight
    }

    /// All ends with a positive probability.
    #[must_use]
    pub fn ends(&self) -> &[End] {
        &self.ends
    }

    /// The probability of a verdict.
    #[must_use]
    pub fn chance(&self, verdict: Verdict) -> f64 {
        let ends = self.ends.iter().filter(|end| end.verdict == verdict);
        ends.fold(0.0, |sum, end| sum + end.chance)
    }

    /// Expected number of rounds.
    #[must_use]
    pub const fn rounds(&self) -> f64 {
        self.rounds
    }

    /// What is left of both armies at an end.
    #[must_use]
    pub fn armies(&self, end: &End) -> [Army; 2] {
        Side::ALL.map(|side| self.fight.sides[side].ranks.after(end.lost[side]))
    }

    /// Expected survivors by unit kind of a side.
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
        // The chances add up to one but for rounding.
        self.ends.last().expect("a battle has an end")
    }

    /// Draws what is left of both armies.
    ///
    /// # Panics
    /// As [`Odds::draw`].
    pub fn sample<R: Randomness + ?Sized>(&self, rng: &mut R) -> [Army; 2] {
        self.armies(self.draw(rng))
    }
}
