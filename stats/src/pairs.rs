//! Anytime-valid order of each pair of a pool: a confidence sequence of how often one agent finishes before the other.
//!
//! The value of a block of a pair is a number from 0 to 1: the part of its games in which the first agent finished
//! before the second; ties count half. Its mean is ½ if neither is better. For each of the m pairs there is the
//! confidence sequence of its blocks ([`super::confidence_sequence()`], by betting; Waudby-Smith and Ramdas 2024,
//! doi:10.1093/jrsssb/qkad009). It misses the mean at any moment with probability `0.05/m` at most. So, by the union
//! bound, *all* sequences hold at *all* moments in 95 of 100 runs, for any dependence between the pairs.
//!
//! **Adaptive allocation is allowed.** A bet on the next block of a pair gains nothing on average, for any rule that
//! decided to play this pair next. The rule may depend on earlier blocks, but the mean of a block of the pair may not.
//! So blocks can go to the undecided pairs ([`Pairs::deal`]), and a run can end at any time. A mean over such blocks is
//! biased: agents with early luck are decided early and keep their luck. So the shares, ratings and rankings of such a
//! run are biased, and none are reported.
//!
//! **Valid** for independent blocks of pairs with a constant mean. Coverage over all looks is measured in
//! `stats/tests/it/sequential/pairs.rs`.

use super::confidence_sequence::{confidence_sequence_at, log_wealths};
use super::interval::Interval;
use super::tally::{Range, Tally};

/// The probability that any sequence ever misses its mean.
pub const ALPHA: f64 = 0.05;
/// The mean of a pair of equal agents.
const EQUAL: f64 = 0.5;

/// The decision on a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The first agent finishes before the second more often than not.
    Before,
    /// The second agent finishes before the first more often than not.
    Behind,
    /// Undecided, which is not the same as equal.
    Open,
}

/// The blocks of all pairs of a pool.
#[derive(Clone, Debug)]
pub struct Pairs {
    agents: usize,
    /// The block values by pair, in the order of [`Pairs::names`].
    tallies: Vec<Tally>,
}

impl Pairs {
    /// Returns the pairs of `agents` agents before their first block.
    ///
    /// # Panics
    /// If there is no pair.
    #[must_use]
    pub fn new(agents: usize) -> Self {
        assert!(agents > 1, "a pair has two agents");
        let tallies = vec![Tally::new(Range::SHARES); agents * (agents - 1) / 2];
        Self { agents, tallies }
    }

    /// Returns the number of pairs.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.tallies.len()
    }

    /// Returns false: there is always a pair.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// Returns the agents of each pair, the first before the second: 0 and 1, 0 and 2, and so on.
    #[must_use]
    pub fn names(&self) -> Vec<(usize, usize)> {
        (0..self.agents).flat_map(|a| (a + 1..self.agents).map(move |b| (a, b))).collect()
    }

    /// Adds the value of a block of a pair.
    pub fn add(&mut self, pair: usize, value: f64) {
        self.tallies[pair].add(value);
    }

    /// Returns the number of blocks of a pair.
    #[must_use]
    pub fn blocks(&self, pair: usize) -> u64 {
        self.tallies[pair].moments().n()
    }

    /// Returns the error probability of each sequence.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        ALPHA / self.len() as f64
    }

    /// Returns the current confidence sequence of a pair; all sequences hold together at all moments.
    #[must_use]
    pub fn interval(&self, pair: usize) -> Interval {
        confidence_sequence_at(&self.tallies[pair], self.alpha())
    }

    /// Returns the decision on a pair: it is decided if its sequence leaves out one half.
    #[must_use]
    pub fn order(&self, pair: usize) -> Order {
        // This is cheaper than the ends of the interval and equivalent: each side has half of the money.
        let most = (2.0 / self.alpha()).ln();
        match log_wealths(&self.tallies[pair], EQUAL) {
            [above, _] if above >= most => Order::Before,
            [_, below] if below >= most => Order::Behind,
            _ => Order::Open,
        }
    }

    /// Returns the undecided pairs, in order.
    #[must_use]
    pub fn open(&self) -> Vec<usize> {
        (0..self.len()).filter(|&pair| self.order(pair) == Order::Open).collect()
    }

    /// Returns the pairs that get the next `blocks` blocks; empty when all pairs are decided.
    ///
    /// Each block goes to the undecided pair with the fewest blocks, the first among several.
    #[must_use]
    pub fn deal(&self, blocks: u64) -> Vec<usize> {
        let open = self.open();
        let mut counts: Vec<u64> = open.iter().map(|&pair| self.blocks(pair)).collect();
        let next = |_| {
            let place = (0..open.len()).min_by_key(|&i| counts[i])?;
            counts[place] += 1;
            Some(open[place])
        };
        (0..blocks).map_while(next).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_go_to_undecided_pairs_that_have_fewest() {
        let mut pairs = Pairs::new(3);
        assert_eq!(pairs.names(), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairs.deal(5), [0, 1, 2, 0, 1]);
        (0..3).for_each(|_| pairs.add(1, 0.5));
        assert_eq!(pairs.deal(5), [0, 2, 0, 2, 0]);
        // Won thirty times in a row: decided.
        (0..30).for_each(|_| pairs.add(0, 1.0));
        (0..30).for_each(|_| pairs.add(2, 0.0));
        assert_eq!(
            [0, 1, 2].map(|pair| pairs.order(pair)),
            [Order::Before, Order::Open, Order::Behind]
        );
        assert_eq!((pairs.open(), pairs.deal(2)), (vec![1], vec![1, 1]));
        (0..30).for_each(|_| pairs.add(1, 1.0));
        assert_eq!((pairs.open(), pairs.deal(2)), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_pair_is_decided_exactly_when_its_interval_leaves_out_one_half() {
        for won in [0_u32, 3, 8, 10, 13, 20] {
            let mut pairs = Pairs::new(4);
            for i in 0..200_u32 {
                pairs.add(5, f64::from(u8::from(i % 20 < won)));
                let interval = pairs.interval(5);
                let expected = match interval {
                    Interval { low, .. } if low > EQUAL => Order::Before,
                    Interval { high, .. } if high < EQUAL => Order::Behind,
                    _ => Order::Open,
                };
                assert_eq!(pairs.order(5), expected, "{won} of 20, {i}: {interval:?}");
            }
        }
    }

    #[test]
    fn more_pairs_need_more_to_be_decided() {
        let needed = |agents: usize| {
            let mut pairs = Pairs::new(agents);
            let is_decided = |_: &u32| {
                pairs.add(0, 1.0);
                pairs.order(0) == Order::Before
            };
            (1..500).find(is_decided).unwrap_or_default()
        };
        assert!(needed(2) < needed(10) && needed(10) < needed(40));
        assert!(needed(40) < 40, "{}", needed(40));
    }
}
