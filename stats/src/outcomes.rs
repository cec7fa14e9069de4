//! Games reduced to finishing orders, counted by group of blocks: the data of ratings.
//!
//! Equal outcomes are counted, not kept. So memory is bounded by distinct outcomes ×
//! [`GROUPS`](super::bootstrap::GROUPS), however long a run is. The line-up of a balanced tournament of four has 4
//! seatings × 24 orders (75 with ties).

use std::collections::{BTreeMap, BTreeSet};

use engine::MAX_PLAYERS;

use super::bootstrap;

/// The agent and the place of each seat in one game; equal outcomes are equal observations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Outcome {
    players: u8,
    entrants: [u8; MAX_PLAYERS],
    places: [u8; MAX_PLAYERS],
}

impl Outcome {
    /// Returns the outcome in which agent `entrants[seat]` has rank `ranks[seat]`; lower is better, equal ranks are
    /// ties.
    ///
    /// # Panics
    /// If the lists differ in length, or there are more than [`MAX_PLAYERS`] seats or 255 agents.
    #[must_use]
    pub fn new(entrants: &[usize], ranks: &[f64]) -> Self {
        assert_eq!(entrants.len(), ranks.len(), "a rank for each seat");
        let mut outcome = Self {
            players: entrants.len() as u8,
            entrants: [0; MAX_PLAYERS],
            places: [0; MAX_PLAYERS],
        };
        for (seat, (&entrant, rank)) in entrants.iter().zip(ranks).enumerate() {
            assert!(entrant < usize::from(u8::MAX), "at most 255 agents");
            outcome.entrants[seat] = entrant as u8;
            outcome.places[seat] = ranks.iter().filter(|other| *other < rank).count() as u8;
        }
        outcome
    }

    /// Returns the number of seats.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players as usize
    }

    /// Returns the agent in a seat.
    #[must_use]
    pub fn entrant(&self, seat: usize) -> usize {
        usize::from(self.entrants[seat])
    }

    /// Returns the number of seats that finished before this one.
    #[must_use]
    pub fn place(&self, seat: usize) -> usize {
        usize::from(self.places[seat])
    }

    /// Returns the points head to head of seat `a` against seat `b`: 1, or ½ for a tie, or 0.
    #[must_use]
    pub fn ahead(&self, a: usize, b: usize) -> f64 {
        match self.places[a].cmp(&self.places[b]) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        }
    }
}

/// Counts of each outcome in each group of blocks.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    counts: BTreeMap<(Outcome, u16), u64>,
    games: u64,
    groups: BTreeSet<u16>,
}

impl Outcomes {
    /// Counts the outcome of a game of block `block`.
    pub fn add(&mut self, block: u64, outcome: Outcome) {
        let group = bootstrap::group(block);
        *self.counts.entry((outcome, group)).or_default() += 1;
        self.groups.insert(group);
        self.games += 1;
    }

    /// Returns the number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of groups of blocks with games; a bootstrap draws from these.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Returns the number of entries kept, which measures the memory used.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.counts.len()
    }

    /// Returns every outcome with the place of its group in `0..groups()` and its number of games, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (&Outcome, usize, f64)> {
        let place: BTreeMap<u16, usize> =
            self.groups.iter().enumerate().map(|(place, &group)| (group, place)).collect();
        self.counts
            .iter()
            .map(move |((outcome, group), &count)| (outcome, place[group], count as f64))
    }
}

/// Points head to head and meetings of all pairs of agents.
#[derive(Clone, PartialEq, Debug)]
pub struct PairTotals {
    n: usize,
    points: Vec<f64>,
    meetings: Vec<f64>,
}

impl PairTotals {
    fn new(n: usize) -> Self {
        Self { n, points: vec![0.0; n * n], meetings: vec![0.0; n * n] }
    }

    /// Returns the totals of agents; in `points[a][b]` meetings `a` finished before `b`.
    ///
    /// # Panics
    /// If `points` is not square.
    #[must_use]
    pub fn of(points: &[Vec<f64>]) -> Self {
        let mut totals = Self::new(points.len());
        for (a, row) in points.iter().enumerate() {
            assert_eq!(row.len(), points.len(), "points for each pair");
            for b in (0..points.len()).filter(|&b| b != a) {
                totals.points[a * points.len() + b] = row[b];
                totals.meetings[a * points.len() + b] = row[b] + points[b][a];
            }
        }
        totals
    }

    /// Returns the number of agents.
    #[must_use]
    pub const fn agents(&self) -> usize {
        self.n
    }

    /// Returns the number of meetings of a seat of `a` with a seat of `b`.
    #[must_use]
    pub fn meetings(&self, a: usize, b: usize) -> f64 {
        self.meetings[a * self.n + b]
    }

    /// Returns the number of meetings in which `a` finished before `b`; ties count half.
    #[must_use]
    pub fn points(&self, a: usize, b: usize) -> f64 {
        self.points[a * self.n + b]
    }

    /// Returns the share of meetings in which `a` finished before `b`.
    ///
    /// It is one half for an agent against itself, and for a pair that never met.
    #[must_use]
    pub fn share(&self, a: usize, b: usize) -> f64 {
        if a == b || self.meetings(a, b) <= 0.0 {
            return 0.5;
        }
        self.points(a, b) / self.meetings(a, b)
    }

    /// Returns the logarithm of the odds that `a` finishes before `b`, with half a win and half a defeat added.
    ///
    /// This keeps the estimate finite, and its bias is of second order (Haldane 1956, Anscombe 1956).
    #[must_use]
    pub fn log_odds(&self, a: usize, b: usize) -> f64 {
        let won = self.points(a, b);
        ((won + 0.5) / (self.meetings(a, b) - won + 0.5)).ln()
    }
}

/// [`PairTotals`] by group, for resampling.
#[derive(Clone, Debug)]
pub struct PairGroups {
    agents: usize,
    groups: Vec<PairTotals>,
}

impl PairGroups {
    /// Returns the totals of the pairs of `agents` agents in `outcomes`, by group.
    #[must_use]
    pub fn new(outcomes: &Outcomes, agents: usize) -> Self {
        let mut groups = vec![PairTotals::new(agents); outcomes.groups()];
        for (outcome, group, count) in outcomes.iter() {
            let totals = &mut groups[group];
            for a in 0..outcome.players() {
                for b in 0..outcome.players() {
                    let (i, j) = (outcome.entrant(a), outcome.entrant(b));
                    if i != j {
                        totals.meetings[i * agents + j] += count;
                        totals.points[i * agents + j] += count * outcome.ahead(a, b);
                    }
                }
            }
        }
        Self { agents, groups }
    }

    /// Returns the number of groups.
    #[must_use]
    pub const fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Returns the sum over groups, with each group counted `times` times.
    #[must_use]
    pub fn totals(&self, times: &[f64]) -> PairTotals {
        let mut sum = PairTotals::new(self.agents);
        for (group, &times) in self.groups.iter().zip(times).filter(|(_, times)| **times > 0.0) {
            let add = |sum: &mut [f64], part: &[f64]| {
                sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += times * part);
            };
            add(&mut sum.points, &group.points);
            add(&mut sum.meetings, &group.meetings);
        }
        sum
    }

    /// Returns the number of groups in which each agent met others.
    #[must_use]
    pub fn groups_by_agent(&self) -> Vec<usize> {
        let met =
            |group: &&PairTotals, a: usize| (0..self.agents).any(|b| group.meetings(a, b) > 0.0);
        (0..self.agents).map(|a| self.groups.iter().filter(|group| met(group, a)).count()).collect()
    }

    /// Returns the sum over all groups.
    #[must_use]
    pub fn all(&self) -> PairTotals {
        self.totals(&vec![1.0; self.groups.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_a_place_and_the_points_head_to_head() {
        let outcome = Outcome::new(&[3, 0, 1, 0], &[1.0, 3.5, 2.0, 3.5]);
        let places: Vec<usize> = (0..4).map(|seat| outcome.place(seat)).collect();
        assert_eq!(places, [0, 2, 1, 2]);
        assert!((outcome.ahead(1, 3) - 0.5).abs() < 1e-12 && outcome.ahead(2, 1) > 0.9);
    }

    #[test]
    fn memory_is_bounded_by_distinct_outcomes_and_groups() {
        let mut outcomes = Outcomes::default();
        for block in 0..3_000 {
            outcomes.add(block, Outcome::new(&[0, 1], &[1.0, 2.0]));
            outcomes.add(block, Outcome::new(&[1, 0], &[1.0, 2.0]));
        }
        assert_eq!((outcomes.games(), outcomes.groups(), outcomes.entries()), (6_000, 200, 400));
        assert!((outcomes.iter().map(|(_, _, count)| count).sum::<f64>() - 6_000.0).abs() < 1e-9);
    }

    #[test]
    fn pairs_are_counted_by_seat_and_add_up_over_groups() {
        let mut outcomes = Outcomes::default();
        outcomes.add(7, Outcome::new(&[0, 1, 1], &[2.0, 1.0, 3.0]));
        outcomes.add(9, Outcome::new(&[0, 1, 1], &[1.0, 2.5, 2.5]));
        let pairs = PairGroups::new(&outcomes, 3);
        let all = pairs.all();
        assert!((all.meetings(0, 1) - 4.0).abs() < 1e-12 && (all.points(0, 1) - 3.0).abs() < 1e-12);
        assert!((all.share(1, 0) - 0.25).abs() < 1e-12 && (all.share(0, 2) - 0.5).abs() < 1e-12);
        assert!((pairs.totals(&[2.0, 0.0]).share(0, 1) - 0.5).abs() < 1e-12);
        assert!((all.log_odds(0, 1) + all.log_odds(1, 0)).abs() < 1e-12);
    }
}
