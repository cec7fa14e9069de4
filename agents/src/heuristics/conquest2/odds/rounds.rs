//! The computation of odds: hit probabilities, and the pass over pairs of losses.

use engine::games::conquest2::units::{N_MILITARY, Unit};
use engine::games::conquest2::{BattleRules, Side};

use super::super::rollout_policy::{Strength, flees};
use super::{Army, End, Fight, Force, MOST_UNITS, NEVER, Odds, Ranks, RollOdds, Verdict};
use crate::heuristics::hits::{Hits, MOST_DICE, Ways, chances_of_hits, no_ways};

/// An army after each number of losses.
#[derive(Clone, Debug)]
struct Column {
    size: usize,
    /// The hit probabilities, each with its number of valid entries.
    hits: Vec<(Hits, usize)>,
    strength: Vec<Strength>,
}

impl Column {
    fn new() -> Self {
        Self {
            size: 0,
            hits: Vec::with_capacity(MOST_UNITS + 1),
            strength: Vec::with_capacity(MOST_UNITS + 1),
        }
    }

    fn fill(&mut self, force: &Force, faces: &[f64; N_MILITARY + 1], ways: &mut Ways) {
        self.size = force.ranks.size().into();
        self.hits.clear();
        self.strength.clear();
        let mut before = None;
        let mut army = force.ranks.after(0);
        for lost in 0..=force.ranks.size() {
            if let Some(last) = lost.checked_sub(1) {
                army[force.ranks.unit(last)] -= 1;
            }
            let dice = n_dice(force, army);
            // Units of a kind beyond the number of dice change nothing, so long stretches share their probabilities.
            let useful = (dice, army.map(|n| n.min(dice)));
            let hits = match (before, self.hits.last()) {
                (Some(same), Some(last)) if same == useful => *last,
                _ => chances_of_hits(faces, army, dice.into(), ways),
            };
            before = Some(useful);
            self.hits.push(hits);
            self.strength.push(Strength::of(army));
        }
    }

    fn hits(&self, lost: usize) -> &[f64] {
        let (chances, number) = &self.hits[lost];
        &chances[..*number]
    }
}

/// Returns the number of dice of a force with the remaining `army`.
fn n_dice(force: &Force, army: Army) -> u8 {
    force.dice.saturating_add(force.galley_dice.saturating_mul(army[Unit::Galley]))
}

/// A solver of battles with reusable memory.
#[derive(Clone, Debug)]
pub(super) struct BattleSolver {
    faces: [f64; N_MILITARY + 1],
    columns: [Column; 2],
    ways: Box<Ways>,
    mass: Vec<f64>,
    other: Vec<f64>,
    done: Vec<f64>,
}

impl BattleSolver {
    pub(super) fn new(rules: &BattleRules) -> Self {
        const CELLS: usize = (MOST_UNITS + 1) * (MOST_UNITS + 1);
        let total: u32 = rules.faces.iter().map(|&n| u32::from(n)).sum();
        Self {
            faces: rules.faces.map(|n| f64::from(n) / f64::from(total)),
            columns: [Column::new(), Column::new()],
            ways: no_ways(),
            mass: vec![0.0; CELLS],
            other: vec![0.0; CELLS],
            done: vec![0.0; CELLS],
        }
    }

    /// Returns the odds of one roll.
    pub(super) fn roll(&mut self, army: Army, dice: usize) -> RollOdds {
        let (chances, number) = chances_of_hits(&self.faces, army, dice, &mut self.ways);
        RollOdds { chances, number }
    }

    /// Returns whether `fight` is small enough.
    pub(super) fn can(fight: &Fight) -> bool {
        fight.sides.iter().all(|force| {
            let dice = n_dice(force, force.ranks.after(0));
            force.ranks != Ranks::default() && usize::from(dice) <= MOST_DICE
        })
    }

    /// Computes `fight` into `odds`.
    pub(super) fn solve(&mut self, fight: &Fight, odds: &mut Odds) {
        for (column, force) in self.columns.iter_mut().zip(&fight.sides) {
            column.fill(force, &self.faces, &mut self.ways);
        }
        odds.fight = *fight;
        if !self.closed_form(fight, odds) {
            self.round_by_round(fight, odds);
        }
    }

    const fn width(&self) -> usize {
        self.columns[1].size + 1
    }

    const fn n_cells(&self) -> usize {
        (self.columns[0].size + 1) * self.width()
    }

    /// Calls `to` with every pair of losses after one round and its probability.
    fn spread(&self, fight: &Fight, [i, j]: [usize; 2], mut to: impl FnMut(usize, f64)) {
        let [attacker, defender] = &self.columns;
        for (k, &p) in defender.hits(j).iter().enumerate() {
            let i_after = attacker.size.min(i + k);
            let strikes = attacker.hits(if fight.is_siege { i_after } else { i });
            for (h, &q) in strikes.iter().enumerate() {
                to(i_after * self.width() + defender.size.min(j + h), p * q);
            }
        }
    }

    /// Returns the verdict if the battle is over with these losses, before or after a round.
    fn verdict(&self, fight: &Fight, [i, j]: [usize; 2]) -> Option<Verdict> {
        let [attacker, defender] = &self.columns;
        let flees = |side: Side, lost: usize, theirs: usize| {
            let [mine, other] = match side {
                Side::Attacker => [attacker, defender],
                Side::Defender => [defender, attacker],
            };
            fight.sides[side].flight.is_some_and(|flight| {
                (flight.has_leader || lost < flight.until.into())
                    && flees(mine.strength[lost], other.strength[theirs], flight.has_leader)
            })
        };
        match (i == attacker.size, j == defender.size) {
            (true, true) => Some(Verdict::BothGone),
            (true, false) => Some(Verdict::Defender),
            (false, true) => Some(Verdict::Attacker),
            _ if flees(Side::Defender, j, i) => Some(Verdict::Attacker),
            _ if flees(Side::Attacker, i, j) => Some(Verdict::Defender),
            _ => None,
        }
    }

    /// Computes the closed form. Returns false if the limit of rounds matters.
    fn closed_form(&mut self, fight: &Fight, odds: &mut Odds) -> bool {
        odds.ends.clear();
        odds.rounds = 0.0;
        let (n_cells, width) = (self.n_cells(), self.width());
        // `tilt` weighs every course of the battle with two to the power of its rounds.
        let mut mass = std::mem::take(&mut self.mass);
        let mut tilt = std::mem::take(&mut self.other);
        mass[..n_cells].fill(0.0);
        tilt[..n_cells].fill(0.0);
        (mass[0], tilt[0]) = (1.0, 1.0);
        let mut tail = 0.0;
        for cell in 0..n_cells {
            let (m, t) = (mass[cell], tilt[cell]);
            let pair = [cell / width, cell % width];
            if m <= 0.0 {
                continue;
            }
            let verdict = self.verdict(fight, pair);
            if let Some(verdict) = verdict.filter(|_| cell > 0) {
                odds.ends.push(End { lost: pair.map(|n| n as u8), verdict, chance: m });
                tail += t;
                continue;
            }
            let stay = self.columns[0].hits(pair[0])[0] * self.columns[1].hits(pair[1])[0];
            // At the start of the battle one round is fought before a side can retreat.
            let again = if verdict.is_some() { 0.0 } else { stay };
            let visits = m / (1.0 - again);
            let tilted = 2.0 * t / (1.0 - 2.0 * again);
            odds.rounds += visits;
            if 2.0 * again >= 1.0 {
                tail = f64::INFINITY;
                break;
            }
            if let Some(verdict) = verdict.filter(|_| stay > 0.0) {
                odds.ends.push(End { lost: [0, 0], verdict, chance: visits * stay });
                tail += tilted * stay;
            }
            self.spread(fight, pair, |to, p| {
                if to != cell {
                    mass[to] += visits * p;
                    tilt[to] += tilted * p;
                }
            });
        }
        (self.mass, self.other) = (mass, tilt);
        (0..=fight.rounds).for_each(|_| tail *= 0.5);
        tail <= NEVER
    }

    /// Computes the odds round by round, up to the limit.
    fn round_by_round(&mut self, fight: &Fight, odds: &mut Odds) {
        odds.ends.clear();
        odds.rounds = 0.0;
        let (n_cells, width) = (self.n_cells(), self.width());
        let pair = |cell: usize| [cell / width, cell % width];
        let mut now = std::mem::take(&mut self.mass);
        let mut next = std::mem::take(&mut self.other);
        let mut done = std::mem::take(&mut self.done);
        now[..n_cells].fill(0.0);
        done[..n_cells].fill(0.0);
        now[0] = 1.0;
        for _ in 0..fight.rounds {
            next[..n_cells].fill(0.0);
            for cell in (0..n_cells).filter(|&cell| now[cell] > 0.0) {
                let m = now[cell];
                odds.rounds += m;
                self.spread(fight, pair(cell), |to, p| next[to] += m * p);
            }
            for cell in 0..n_cells {
                if next[cell] > 0.0 && self.verdict(fight, pair(cell)).is_some() {
                    done[cell] += std::mem::take(&mut next[cell]);
                }
            }
            std::mem::swap(&mut now, &mut next);
        }
        for cell in 0..n_cells {
            let lost = pair(cell).map(|n| n as u8);
            let verdict = self.verdict(fight, pair(cell)).unwrap_or(Verdict::Undecided);
            let chance = done[cell] + now[cell];
            if chance > 0.0 {
                odds.ends.push(End { lost, verdict, chance });
            }
        }
        (self.mass, self.other, self.done) = (now, next, done);
    }
}
