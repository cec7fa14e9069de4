//! Means over blocks that were played at different tables, with 95 % intervals.
//!
//! **Reason.** In a pool larger than the table, blocks of one agent differ in the agents beside it. The schedule
//! decides this, not chance: a repeated tournament has the same schedule. Only the events at each table vary. So each
//! table, as the agents that sit at it, is a *stratum*. The variance of the mean of B blocks is `Σ n_h s_h² / B²` over
//! the tables h with `n_h` blocks of variance `s_h²` each (Cochran, Sampling Techniques, 1977, section 5A; Lohr,
//! Sampling: Design and Analysis, 2010, chapter 3). Blocks taken as one sample would count the difference between easy
//! and hard opponents as noise. The estimate is the mean over the scheduled blocks. In an unfinished cycle it leans
//! towards the tables played more often, as the run reports.
//!
//! **Degrees of freedom** are Satterthwaite's, `(Σ a_h)² / Σ (a_h²/(n_h + 1)) − 2` with `a_h = n_h s_h²`. This is n − 1
//! for one table, and between 1 and B minus the number of strata.
//!
//! **Tables with one block** have no variance of their own. They are joined into one stratum, which counts the
//! differences between them as noise, so the interval is too wide rather than too narrow (collapsed strata, Cochran
//! 5A.12). A single such table is joined with the table that has the fewest blocks. So a run of less than one cycle has
//! the variance of blocks taken as one sample.
//!
//! **Several seats.** The points per game of an agent with k seats at a table are at most 1, and those per seat at most
//! 1/k. A difference to an agent with j seats lies between −1/j and 1/k. The mean over blocks lies in the mean of these
//! ranges, and is mapped from there to 0..1.

use std::collections::{BTreeMap, BTreeSet};

use engine::MAX_PLAYERS;

use super::family::Family;
use super::interval::Interval;
use super::moments::{ALIKE, Moments, superiority};
use super::proportion::{Evidence, Method, Sample};
use super::quantiles::t_quantile;

/// The largest number of tables that are kept apart; the others of a pool are one stratum, so that memory is bounded.
const MOST_TABLES: usize = 2_048;
/// The stratum of all other tables.
const OTHERS: u32 = u32::MAX;

/// The numbers of the tables of a pool, by the agents that sit there.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    known: BTreeMap<[u8; MAX_PLAYERS], u32>,
}

impl Tables {
    /// Returns the number of the table at which `agents` sit, in any order.
    pub fn number(&mut self, agents: impl Iterator<Item = usize>) -> u32 {
        let mut seated = [u8::MAX; MAX_PLAYERS];
        seated.iter_mut().zip(agents).for_each(|(seat, agent)| *seat = agent as u8);
        seated.sort_unstable();
        let next = self.known.len();
        if next >= MOST_TABLES {
            return self.known.get(&seated).copied().unwrap_or(OTHERS);
        }
        *self.known.entry(seated).or_insert(next as u32)
    }
}

/// Block values by table.
#[derive(Clone, Debug, Default)]
pub struct Stratified {
    all: Moments,
    /// The blocks by table and range, with the range as the bits of its ends.
    strata: BTreeMap<(u32, [u64; 2]), Moments>,
}

/// The difference of two means over blocks; both agents, or one of them, have a part in each block.
///
/// In a complete cycle of a schedule every entrant plays equally many blocks. So the difference of two means is the sum
/// of one value a block, divided by that number: a difference where both sat, a share of one of them otherwise. Its
/// variance is that of such a sum by tables, as in [`Stratified`]. The imbalance of an unfinished cycle moves the
/// interval but does not change its width.
#[derive(Clone, Debug)]
pub struct Difference {
    all: Stratified,
    scale: f64,
    shift: f64,
}

impl Difference {
    /// Returns the difference of the means.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.scale * self.all.mean() + self.shift
    }

    /// Returns the 95 % interval of the difference, within -1 and 1.
    #[must_use]
    pub fn interval(&self) -> Interval {
        let Interval { low, high } = self.all.interval();
        let [low, high] = [low, high].map(|end| (self.scale * end + self.shift).clamp(-1.0, 1.0));
        Interval { low, high }
    }

    /// Returns the two-sided p-value, in (0, 1], of "the difference is 0"; below 0.05 exactly where the interval leaves
    /// 0 out.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        self.all.p_value(-self.shift / self.scale)
    }
}

/// Blocks of one or several strata, with their values counted from the low ends of their ranges.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    n: f64,
    mean: f64,
    /// The sum of squared distances from the mean.
    squares: f64,
}

impl Part {
    fn with(self, other: Self) -> Self {
        let n = self.n + other.n;
        if n <= 0.0 {
            return self;
        }
        let apart = other.mean - self.mean;
        Self {
            n,
            mean: self.mean + apart * other.n / n,
            squares: self.squares + other.squares + apart * apart * self.n * other.n / n,
        }
    }
}

impl Stratified {
    /// Adds the value of a block at a table with this number; `range` is the range of such values.
    pub fn add(&mut self, table: u32, range: [f64; 2], value: f64) {
        self.all.add(value);
        self.strata.entry((table, range.map(f64::to_bits))).or_default().add(value);
    }

    /// Returns the number of blocks.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.all.n()
    }

    /// Returns the moments of all blocks, regardless of their table.
    #[must_use]
    pub const fn all(&self) -> &Moments {
        &self.all
    }

    /// Returns the mean over all blocks; 0 without any.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.all.mean()
    }

    /// Returns the 95 % interval of the mean, within the limits of its range.
    ///
    /// # Panics
    /// If the range of a block has no bounds.
    #[must_use]
    pub fn interval(&self) -> Interval {
        let [low, high] = self.range();
        assert!(low.is_finite() && high.is_finite(), "values have bounds");
        self.evidence().interval().stretched(low, high)
    }

    /// Returns the simultaneous interval of the mean for `family`; all intervals of the family hold in 95 of 100
    /// tournaments.
    ///
    /// # Panics
    /// If the range of a block has no bounds.
    #[must_use]
    pub fn together(&self, family: Family) -> Interval {
        let [low, high] = self.range();
        assert!(low.is_finite() && high.is_finite(), "values have bounds");
        self.evidence().interval_at(family.tail()).stretched(low, high)
    }

    /// Returns the method that gives the interval.
    #[must_use]
    pub fn method(&self) -> Method {
        self.evidence().method()
    }

    /// Returns the one-sided p-values, in (0, 1], of "the mean is not above `at`" and of "the mean is not below it".
    ///
    /// They are below 2.5 % exactly where the interval excludes `at`.
    #[must_use]
    pub fn tails(&self, at: f64) -> [f64; 2] {
        let [low, high] = self.range();
        self.evidence().tails((at - low) / (high - low))
    }

    /// Returns the confidence, in (0, 1), that the mean is above `at`; one half without blocks.
    #[must_use]
    pub fn superiority(&self, at: f64) -> f64 {
        superiority(self.tails(at))
    }

    /// Returns half the width of Student's t interval of the mean.
    ///
    /// `None` if there is no estimate of the variance: for fewer than two blocks, and if all blocks of a table agree.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        let (error, degrees) = self.error();
        (error > 0.0).then(|| t_quantile(degrees) * error.sqrt())
    }

    /// Returns the two-sided p-value, in (0, 1], of "the mean is `at`".
    #[must_use]
    pub fn p_value(&self, at: f64) -> f64 {
        let [above, below] = self.tails(at);
        (2.0 * above.min(below)).min(1.0)
    }

    /// Returns the difference of the mean of `first` and that of `second`, over all blocks of both.
    ///
    /// `both` holds the blocks in which both have a value, as differences. `None` if there are none, if one has more
    /// than 1.5 times the blocks of the other, or if there were too many tables.
    #[must_use]
    pub fn difference(first: &Self, second: &Self, both: &Self) -> Option<Difference> {
        let (n, m) = (first.n() as f64, second.n() as f64);
        let is_even = n.max(m) <= 1.5 * n.min(m);
        let others = |of: &Self| of.strata.keys().any(|&(table, _)| table == OTHERS);
        if both.n() == 0 || !is_even || others(first) || others(second) {
            return None;
        }
        let mut all = both.clone();
        let met: BTreeSet<u32> = both.strata.keys().map(|&(table, _)| table).collect();
        let mut take = |table: u32, [low, high]: [f64; 2], moments: Moments| {
            all.all.merge(&moments);
            all.strata.entry((table, [low, high].map(f64::to_bits))).or_default().merge(&moments);
        };
        for (&(table, ends), moments) in first.strata.iter().filter(|((t, _), _)| !met.contains(t))
        {
            take(table, ends.map(f64::from_bits), *moments);
        }
        for (&(table, ends), moments) in second.strata.iter().filter(|((t, _), _)| !met.contains(t))
        {
            let [low, high] = ends.map(f64::from_bits);
            take(table, [-high, -low], moments.negated());
        }
        // A block counts for each agent as one of `n`, and for the mean of all as one of the union.
        let scale = all.n() as f64 / f64::midpoint(n, m);
        let mean = if all.n() == both.n() { both.mean() } else { first.mean() - second.mean() };
        // The imbalance of an unfinished cycle.
        let shift = mean - scale * all.mean();
        Some(Difference { all, scale, shift })
    }

    /// Returns the mean of the ranges of all blocks; `[0, 1]` without blocks.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        if self.n() == 0 {
            return [0.0, 1.0];
        }
        if let Some((&(_, ends), _)) = self.strata.first_key_value()
            && self.strata.len() == 1
        {
            return ends.map(f64::from_bits);
        }
        let mut sums = [0.0; 2];
        for (&(_, ends), moments) in &self.strata {
            for (sum, end) in sums.iter_mut().zip(ends) {
                *sum += moments.n() as f64 * f64::from_bits(end);
            }
        }
        sums.map(|sum| sum / self.n() as f64)
    }

    fn evidence(&self) -> Evidence {
        let [low, high] = self.range();
        let size = high - low;
        if size <= 0.0 {
            // Only one value is possible, as for an agent that holds all seats.
            return Evidence::Alike { value: 0.0, blocks: self.n() as f64 };
        }
        let (error, degrees) = self.error();
        let sizes =
            self.strata.keys().map(|&(_, [low, high])| f64::from_bits(high) - f64::from_bits(low));
        let mut ranges: Vec<[u64; 2]> = self.strata.keys().map(|&(_, range)| range).collect();
        ranges.dedup();
        let sample = Sample {
            blocks: self.n(),
            mean: (self.mean() - low) / size,
            error: error / (size * size),
            degrees,
            widest: sizes.fold(size, f64::max) / size,
            is_alike: ranges.len() <= 1 && self.all.variance() / (size * size) < ALIKE,
        };
        sample.evidence()
    }

    /// Returns the variance of the mean and its degrees of freedom; the variance is 0 if there is no estimate.
    fn error(&self) -> (f64, f64) {
        let blocks = self.n() as f64;
        if self.strata.len() <= 1 {
            return (self.all.variance() / blocks.max(1.0), (blocks - 1.0).max(0.0));
        }
        let parts = self.parts();
        let (mut sum, mut squares) = (0.0, 0.0);
        for part in &parts {
            let share = part.n * part.squares / (part.n - 1.0);
            sum += share;
            squares += share * share / (part.n + 1.0);
        }
        let most = blocks - parts.len() as f64;
        let degrees = if sum > 0.0 { sum * sum / squares - 2.0 } else { most };
        (sum / (blocks * blocks), degrees.clamp(1.0, most.max(1.0)))
    }

    /// Returns the strata with at least two blocks each, unless there is only one block.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::with_capacity(self.strata.len());
        let mut single = Part::default();
        for (&(_, [low, _]), moments) in &self.strata {
            let low = f64::from_bits(low);
            let n = moments.n() as f64;
            let shift = if low.is_finite() { low } else { 0.0 };
            let squares = moments.variance() * (n - 1.0);
            let part = Part { n, mean: moments.mean() - shift, squares };
            if moments.n() == 1 {
                single = single.with(part);
            } else {
                parts.push(part);
            }
        }
        if single.n >= 2.0 {
            parts.push(single);
        } else if single.n > 0.0
            && let Some(fewest) = parts.iter_mut().min_by(|a, b| a.n.total_cmp(&b.n))
        {
            *fewest = fewest.with(single);
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARES: [f64; 2] = [0.0, 1.0];

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn one_table_is_the_plain_interval() {
        let (mut stratified, mut plain) = (Stratified::default(), Moments::default());
        for i in 0..40 {
            let value = f64::from(i * 7 % 5) / 4.0;
            stratified.add(3, SHARES, value);
            plain.add(value);
        }
        assert_eq!(stratified.interval(), plain.share_interval());
        assert!(near(stratified.superiority(0.5), plain.superiority()));
        assert_eq!(stratified.half_width(), plain.half_width());
    }

    #[test]
    fn what_lies_between_tables_is_no_noise() {
        // Two tables, of mean 0.2 and 0.8, whose blocks vary by 0.1.
        let mut both = Stratified::default();
        for i in 0..100_u32 {
            let noise = if i / 2 % 2 == 0 { 0.1 } else { -0.1 };
            let table = i % 2;
            both.add(table, SHARES, 0.2 + 0.6 * f64::from(table) + noise);
        }
        let (error, degrees) = both.error();
        // s² = 0.01·50/49 in both.
        assert!(near(error, 0.01 * 50.0 / 49.0 / 100.0), "{error}");
        assert!(near(degrees, 98.0), "{degrees}");
        assert!(both.all().variance() > 0.09);
    }

    #[test]
    fn tables_with_one_block_are_joined() {
        let values = [0.1, 0.5, 0.4, 0.9, 0.2, 0.3];
        let mut apart = Stratified::default();
        (0..).zip(values).for_each(|(table, value)| apart.add(table, SHARES, value));
        let all = apart.all().variance() / 6.0;
        assert!(near(apart.error().0, all) && near(apart.error().1, 5.0), "{:?}", apart.error());
        // Another block of table 0 makes it a stratum: 0.1 and 0.3, and the other five.
        apart.add(0, SHARES, 0.3);
        let rest = Moments::default();
        let rest = values[1..].iter().fold(rest, |mut rest, &x| {
            rest.add(x);
            rest
        });
        let expected = (2.0 * 0.02 + 5.0 * rest.variance()) / 49.0;
        assert!(near(apart.error().0, expected), "{:?} {expected}", apart.error());
        // A single block beside a stratum is joined with it.
        let mut two = Stratified::default();
        for (table, value) in [(0, 0.1), (0, 0.3), (1, 0.8)] {
            two.add(table, SHARES, value);
        }
        assert!(near(two.error().0, two.all().variance() / 3.0));
        assert!(near(two.error().1, 2.0));
    }

    /// The difference of two means over all blocks of a pool, compared with its variance block by block.
    #[test]
    fn a_difference_counts_the_blocks_of_one_of_two_as_well_as_those_of_both() {
        // Three agents at tables of two, 60 blocks a table: 0 against 1, 0 against 2, 1 against 2.
        let share = |table: u32, block: u32| f64::from((block * 7 + table * 3) % 11) / 10.0;
        let (mut first, mut second, mut both) =
            (Stratified::default(), Stratified::default(), Stratified::default());
        let (mut sums, mut squares) = ([0.0; 3], 0.0);
        for block in 0..60 {
            let [x, y, z] = [0, 1, 2].map(|table| share(table, block));
            first.add(0, SHARES, x);
            second.add(0, SHARES, 1.0 - x);
            both.add(0, [-1.0, 1.0], 2.0 * x - 1.0);
            first.add(1, SHARES, y);
            second.add(2, SHARES, z);
            sums.iter_mut().zip([2.0 * x - 1.0, y, z]).for_each(|(sum, value)| *sum += value);
        }
        let means = sums.map(|sum| sum / 60.0);
        for block in 0..60 {
            let [x, y, z] = [0, 1, 2].map(|table| share(table, block));
            let values = [2.0 * x - 1.0, y, z];
            squares +=
                values.iter().zip(means).map(|(value, mean)| (value - mean).powi(2)).sum::<f64>();
        }
        let difference = Stratified::difference(&first, &second, &both).unwrap();
        assert!(near(difference.mean(), first.mean() - second.mean()), "{difference:?}");
        // Variances of 60 blocks each, of a sum that is divided by the 120 blocks of an agent.
        let error = (60.0 * squares / 59.0).sqrt() / 120.0;
        let Interval { low, high } = difference.interval();
        assert!(low < difference.mean() && difference.mean() < high);
        assert!(((high - low) / (2.0 * 1.96 * error) - 1.0).abs() < 0.05, "{low} {high} {error}");
        assert_eq!(difference.p_value() < 0.05, low > 0.0 || high < 0.0);
        // A pair that never met is not compared.
        assert!(Stratified::difference(&first, &second, &Stratified::default()).is_none());
    }

    #[test]
    fn several_seats_bound_the_mean_and_tables_may_differ_in_them() {
        let mut both = Stratified::default();
        for i in 0..60 {
            // Two seats at one table, one at another; all of the points at both.
            let (table, most) = if i % 2 == 0 { (0, 0.5) } else { (1, 1.0) };
            both.add(table, [0.0, most], most);
        }
        let found = both.interval();
        assert!(near(found.high, 0.75) && found.low < 0.75 && found.low > 0.6, "{found:?}");
        // No points of a third: five blocks exclude means above 0.174, and not means below 0.52.
        let mut third = Stratified::default();
        (0..5).for_each(|_| third.add(0, [0.0, 1.0 / 3.0], 0.0));
        assert!((third.interval().high - (1.0 - 0.025_f64.powf(0.2)) / 3.0).abs() < 1e-9);
        // A difference to five others that win all: the true range is −1/5 to 1.
        let mut difference = Stratified::default();
        (0..90).for_each(|_| difference.add(0, [-0.2, 1.0], -0.2));
        let found = difference.interval();
        assert!(near(found.low, -0.2) && found.high < -0.15, "{found:?}");
        assert!(difference.tails(0.0)[1] < 1e-6, "{:?}", difference.tails(0.0));
    }

    #[test]
    fn tables_are_those_who_sit_there_and_no_more_than_can_be_kept() {
        let mut tables = Tables::default();
        let first = tables.number([3, 1, 2].into_iter());
        assert_eq!(first, tables.number([2, 3, 1].into_iter()));
        assert_ne!(first, tables.number([2, 3, 3].into_iter()));
        for a in 0..64 {
            for b in 0..64 {
                tables.number([a, b].into_iter());
            }
        }
        assert_eq!(tables.known.len(), MOST_TABLES);
        assert_eq!(tables.number([62, 63].into_iter()), OTHERS);
        assert_eq!(first, tables.number([1, 2, 3].into_iter()));
    }
}
