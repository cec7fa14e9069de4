//! The cross table: how often each agent finishes ahead of each other agent.
//!
//! The share of a pair in a block is the part of their meetings in which the first agent finished before the second;
//! ties count half. Each block in which both played is one observation; a block without either of them is none. The
//! interval and the probability of superiority are those of [`Stratified`]: by block, and by the other agents at the
//! table.
//!
//! **Superiority** is the confidence that the share is above one half, as chess tools print it ("likelihood of
//! superiority"): one minus the one-sided p-value. It is not the probability of a win.
//!
//! **Valid** for one pair that was chosen before the run. For the best or worst of many pairs use [`Pair::adjusted_p`],
//! the p-value adjusted by Holm over all pairs of the table.

use std::cmp::Ordering;

use super::family::Family;
use super::interval::Interval;
use super::multiple;
use super::outcomes::Outcome;
use super::proportion::Method;
use super::stratified::{Stratified, Tables};

/// The range of the shares of meetings.
const SHARES: [f64; 2] = [0.0, 1.0];

/// Shares head to head as running sums over blocks; memory grows only with the number of pairs.
#[derive(Clone, Debug)]
pub struct CrossTable {
    agents: usize,
    tables: Tables,
    /// The number of the table of the open block.
    table: Option<u32>,
    open: Vec<Meetings>,
    closed: Vec<Stratified>,
    /// Meetings in which the first agent finished before the second, and meetings in which they were level.
    counts: Vec<[u64; 2]>,
    meetings: Vec<u64>,
}

/// The meetings of a pair in the open block.
#[derive(Clone, Copy, Debug, Default)]
struct Meetings {
    n: u32,
    before: u32,
    level: u32,
}

impl Meetings {
    /// Returns the points head to head; ties count half.
    fn points(self) -> f64 {
        f64::from(self.before) + f64::from(self.level) / 2.0
    }
}

/// The record of a pair of agents.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    /// The number of the first agent.
    pub a: usize,
    /// The number of the second agent.
    pub b: usize,
    /// Blocks in which both played, at least 1.
    pub blocks: u64,
    /// Meetings: in each game, every seat of one agent meets every seat of the other.
    pub meetings: u64,
    /// Meetings in which the first agent finished before the second.
    pub before: u64,
    /// Meetings in which they finished level.
    pub level: u64,
    /// The share of meetings in which the first agent finished before the second, in `[0, 1]`; ties count half.
    pub share: f64,
    /// Its 95 % interval by block.
    pub interval: Interval,
    /// The simultaneous interval over all pairs.
    pub together: Interval,
    /// The method that gave the interval.
    pub method: Method,
    /// The confidence, in `[0, 1]`, that the share is above one half; `None` where blocks are no random sample.
    pub superiority: Option<f64>,
    /// The two-sided p-value of "as often before as behind", adjusted by Holm over all pairs.
    ///
    /// `None` where blocks are no random sample.
    pub adjusted_p: Option<f64>,
}

impl CrossTable {
    /// Returns the table of `agents` agents before their first game.
    #[must_use]
    pub fn new(agents: usize) -> Self {
        Self {
            agents,
            tables: Tables::default(),
            table: None,
            open: vec![Meetings::default(); agents * agents],
            closed: vec![Stratified::default(); agents * agents],
            counts: vec![[0; 2]; agents * agents],
            meetings: vec![0; agents * agents],
        }
    }

    /// Adds a game to the open block.
    pub fn add(&mut self, outcome: &Outcome) {
        let seated = (0..outcome.players()).map(|seat| outcome.entrant(seat));
        self.table.get_or_insert_with(|| self.tables.number(seated));
        for a in 0..outcome.players() {
            for b in 0..outcome.players() {
                let (i, j) = (outcome.entrant(a), outcome.entrant(b));
                if i != j {
                    let pair = &mut self.open[i * self.agents + j];
                    pair.n += 1;
                    match outcome.place(a).cmp(&outcome.place(b)) {
                        Ordering::Less => pair.before += 1,
                        Ordering::Equal => pair.level += 1,
                        Ordering::Greater => {}
                    }
                }
            }
        }
    }

    /// Closes the block: its games are one observation of each pair that met.
    pub fn close_block(&mut self) {
        let Some(table) = self.table.take() else { return };
        for (i, open) in self.open.iter_mut().enumerate().filter(|(_, open)| open.n > 0) {
            self.closed[i].add(table, SHARES, open.points() / f64::from(open.n));
            let [before, level] = &mut self.counts[i];
            *before += u64::from(open.before);
            *level += u64::from(open.level);
            self.meetings[i] += u64::from(open.n);
            *open = Meetings::default();
        }
    }

    /// Returns the blocks of `a` against `b`.
    #[must_use]
    pub fn shares(&self, a: usize, b: usize) -> &Stratified {
        &self.closed[a * self.agents + b]
    }

    /// Returns all pairs that met, with `a < b`, in the order of the agents.
    ///
    /// Pairs for which `is_void` holds are not tested: they have no p-value, and Holm's adjustment does not count them.
    #[must_use]
    pub fn pairs(&self, is_void: impl Fn(usize, usize) -> bool) -> Vec<Pair> {
        let all = (0..self.agents).flat_map(|a| (a + 1..self.agents).map(move |b| (a, b)));
        let mut pairs: Vec<Pair> = all.filter_map(|(a, b)| self.pair(a, b)).collect();
        let family = Family::of(pairs.len());
        for pair in &mut pairs {
            pair.together = self.shares(pair.a, pair.b).together(family);
            if is_void(pair.a, pair.b) {
                (pair.superiority, pair.adjusted_p) = (None, None);
            }
        }
        let p: Vec<f64> = pairs.iter().filter_map(|pair| pair.adjusted_p).collect();
        let tested = pairs.iter_mut().filter_map(|pair| pair.adjusted_p.as_mut());
        tested.zip(multiple::holm(&p)).for_each(|(raw, adjusted)| *raw = adjusted);
        pairs
    }

    /// Returns a single pair with its raw p-value; `None` if the two never met.
    fn pair(&self, a: usize, b: usize) -> Option<Pair> {
        let shares = self.shares(a, b);
        let [before, level] = self.counts[a * self.agents + b];
        (shares.n() > 0).then(|| Pair {
            a,
            b,
            blocks: shares.n(),
            meetings: self.meetings[a * self.agents + b],
            before,
            level,
            share: shares.mean(),
            interval: shares.interval(),
            together: shares.interval(),
            method: shares.method(),
            superiority: Some(shares.superiority(0.5)),
            adjusted_p: Some(shares.p_value(0.5)),
        })
    }
}

impl Pair {
    /// Returns the number of meetings in which the first agent finished behind the second.
    #[must_use]
    pub const fn behind(&self) -> u64 {
        self.meetings - self.before - self.level
    }

    /// Returns this pair as seen from its second agent.
    #[must_use]
    pub fn turned(&self) -> Self {
        let turned = |Interval { low, high }| Interval { low: 1.0 - high, high: 1.0 - low };
        Self {
            a: self.b,
            b: self.a,
            before: self.behind(),
            share: 1.0 - self.share,
            interval: turned(self.interval),
            together: turned(self.together),
            superiority: self.superiority.map(|confidence| 1.0 - confidence),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_in_which_both_played_are_observations() {
        let mut table = CrossTable::new(3);
        for block in 0..30 {
            let other = if block < 20 { 1 } else { 2 };
            table.add(&Outcome::new(&[0, other], &[1.0, 2.0]));
            table.add(&Outcome::new(&[other, 0], &[1.5, 1.5]));
            table.close_block();
        }
        let pairs = table.pairs(|_, _| false);
        let met: Vec<_> = pairs.iter().map(|pair| (pair.a, pair.b, pair.blocks)).collect();
        assert_eq!(met, [(0, 1, 20), (0, 2, 10)]);
        assert!(pairs.iter().all(|pair| (pair.share - 0.75).abs() < 1e-12));
        // All blocks agree: the end is the limit that twenty equal blocks leave, 0.75·0.025^(1/20).
        assert!((pairs[0].interval.low - 0.75 * 0.025_f64.powf(0.05)).abs() < 1e-9, "{pairs:?}");
    }

    #[test]
    fn a_certain_pair_has_a_small_p_value_and_not_zero() {
        let mut table = CrossTable::new(2);
        for block in 0..400 {
            let wins = if block % 40 == 0 { [2.0, 1.0] } else { [1.0, 2.0] };
            table.add(&Outcome::new(&[0, 1], &wins));
            table.close_block();
        }
        let pair = table.pairs(|_, _| false)[0];
        assert!(pair.adjusted_p.is_some_and(|p| p > 0.0 && p < 1e-60), "{pair:?}");
        assert!(pair.superiority > Some(0.999_999));
    }

    #[test]
    fn a_turned_pair_is_the_pair_of_the_other_side() {
        let mut table = CrossTable::new(2);
        for block in 0..50 {
            table.add(&Outcome::new(&[0, 1], &[1.0, if block % 3 == 0 { 0.0 } else { 2.0 }]));
            table.close_block();
        }
        let (pair, there) = (table.pairs(|_, _| false)[0], table.pair(1, 0).unwrap());
        let back = pair.turned();
        assert!((back.share - there.share).abs() < 1e-12);
        assert_eq!((pair.before, pair.level, pair.behind()), (33, 0, 17));
        assert_eq!((back.before, back.behind()), (there.before, there.behind()));
        assert!((back.interval.low - there.interval.low).abs() < 1e-9);
        let [back, there] = [back, there].map(|pair| pair.superiority.unwrap_or(f64::NAN));
        assert!((back - there).abs() < 1e-9);
        // The interval excludes one half exactly if superiority leaves 2.5 to 97.5 %.
        assert_eq!(pair.interval.low > 0.5, pair.superiority > Some(0.975));
    }
}
