//! A test with a number of blocks fixed before the run: estimate, interval and p-value.
//!
//! **Formula.** The estimate is the mean over blocks. Its 95 % interval is that of [`super::proportion`] for values in
//! a range, and Student's t for values without bounds. The p-value is twice the smaller of the one-sided p-values of
//! the same test at h0. So it is below 0.05 exactly where the interval leaves h0 out. With two sides the hypothesis
//! concerns the size of the effect, `|effect| ≤ h0`. Then p is twice the smaller of the p-value at h0 and, from the
//! other side, that at −h0. An interval inside (−h0, h0) shows that the effect is smaller (two one-sided tests at 2.5
//! %: Schuirmann 1987, doi:10.1007/BF01068419).
//!
//! **Valid** for independent blocks and one look, after the last block. An analyst who looks earlier, or who continues
//! because of a result, needs [`super::gsprt`].

use super::gsprt::Sides;
use super::interval::Interval;
use super::moments::Moments;
use super::tally::Range;

/// The null hypothesis of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Null {
    /// The range of block values.
    pub range: Range,
    /// The mean at which the effect is 0.
    pub zero: f64,
    /// The effect under H0; with two sides its size, at least 0.
    pub h0: f64,
    /// The side or sides of the alternative.
    pub sides: Sides,
}

/// The direction that an interval shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The effect is above h0.
    Above,
    /// The effect is below h0; with two sides below −h0.
    Below,
    /// With two sides: the effect is smaller than h0 in either direction.
    Within,
    /// None of these, which is not the same as equal.
    Nothing,
}

/// The result of a test with a fixed number of blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FixedLength {
    /// The mean of the blocks, as an effect.
    pub estimate: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The probability, if the effect is h0, of blocks with at least this much evidence against it.
    pub p: f64,
    /// The direction that the interval shows.
    pub shown: Shown,
}

impl FixedLength {
    /// Returns the result for blocks with these moments; `None` without blocks.
    ///
    /// For values without bounds, also `None` for fewer than two blocks or if all agree: they show nothing about their
    /// spread.
    #[must_use]
    pub fn new(null: &Null, moments: &Moments) -> Option<Self> {
        if moments.n() == 0 {
            return None;
        }
        let (of_mean, [above, below]) = match null.range {
            Range::Within(low, high) => {
                let tails = |effect| moments.tails_within(low, high, null.zero + effect);
                (moments.interval_within(low, high), null.tails(&tails))
            }
            Range::Anywhere => {
                moments.t_tails(0.0)?;
                let half = moments.half_width()?;
                let tails = |effect| moments.t_tails(null.zero + effect).unwrap_or([1.0; 2]);
                let mean = moments.mean();
                (Interval { low: mean - half, high: mean + half }, null.tails(&tails))
            }
        };
        let interval = Interval { low: of_mean.low - null.zero, high: of_mean.high - null.zero };
        let estimate = moments.mean() - null.zero;
        Some(Self {
            estimate,
            interval,
            p: (2.0 * above.min(below)).min(1.0),
            shown: null.shown(interval),
        })
    }
}

impl Null {
    /// Returns the lowest effect under H0.
    fn lowest(&self) -> f64 {
        if self.sides == Sides::Both { -self.h0 } else { self.h0 }
    }

    /// Returns the p-values of "not above H0" and "not below H0"; `tails` gives those at an effect.
    fn tails(&self, tails: &dyn Fn(f64) -> [f64; 2]) -> [f64; 2] {
        [tails(self.h0)[0], tails(self.lowest())[1]]
    }

    fn shown(&self, Interval { low, high }: Interval) -> Shown {
        if low > self.h0 {
            Shown::Above
        } else if high < self.lowest() {
            Shown::Below
        } else if self.sides == Sides::Both && -self.h0 < low && high < self.h0 {
            Shown::Within
        } else {
            Shown::Nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(values: impl IntoIterator<Item = f64>) -> Moments {
        let mut moments = Moments::default();
        values.into_iter().for_each(|x| moments.add(x));
        moments
    }

    const SHARES: Null = Null { range: Range::SHARES, zero: 0.5, h0: 0.0, sides: Sides::Above };

    #[test]
    fn p_is_that_of_students_table() {
        // Mean 1 and variance 1 of 16 blocks: t = 4 with 15 degrees of freedom, p = 0.001159.
        let plies = Null { range: Range::Anywhere, zero: 0.0, h0: 0.0, sides: Sides::Both };
        let spread = (15.0_f64 / 16.0).sqrt();
        let seen = blocks((0..16).map(|i| 1.0 + if i % 2 == 0 { spread } else { -spread }));
        let result = FixedLength::new(&plies, &seen).unwrap();
        assert!((result.p - 0.001_159).abs() < 2e-6, "{result:?}");
        assert!((result.interval.low - (1.0 - 2.131_45 / 4.0)).abs() < 1e-4, "{result:?}");
        assert_eq!(result.shown, Shown::Above);
        assert_eq!(FixedLength::new(&plies, &blocks([3.0; 40])), None);
        assert_eq!(FixedLength::new(&plies, &blocks([3.0])), None);
        assert_eq!(FixedLength::new(&SHARES, &blocks([])), None);
    }

    #[test]
    fn p_and_interval_agree_at_every_h0() {
        let seen = blocks((0..60).map(|i| [0.0, 0.5, 1.0, 1.0, 0.5, 0.5][i % 6]));
        for (range, sides) in [
            (Range::SHARES, Sides::Above),
            (Range::Within(-1.0, 1.0), Sides::Both),
            (Range::Anywhere, Sides::Both),
        ] {
            for h0 in (0..40).map(|i| f64::from(i) / 100.0) {
                let zero = if sides == Sides::Above { 0.5 } else { 0.0 };
                let result = FixedLength::new(&Null { range, zero, h0, sides }, &seen).unwrap();
                let is_out = matches!(result.shown, Shown::Above | Shown::Below);
                assert_eq!(result.p < 0.05, is_out, "{h0} {result:?}");
            }
        }
    }

    #[test]
    fn a_small_interval_around_no_effect_shows_that_the_effect_is_small() {
        let seen = blocks((0..400).map(|i| f64::from(i % 2) - 0.5));
        let rules = Null { range: Range::DIFFERENCES, zero: 0.0, h0: 0.1, sides: Sides::Both };
        assert_eq!(FixedLength::new(&rules, &seen).unwrap().shown, Shown::Within);
        let none = FixedLength::new(&Null { h0: 0.0, ..rules }, &seen).unwrap();
        assert_eq!(none.shown, Shown::Nothing);
        assert!(none.p > 0.5);
    }

    #[test]
    fn blocks_that_all_agree_show_what_they_can() {
        let won = FixedLength::new(&SHARES, &blocks([1.0; 50])).unwrap();
        assert_eq!(won.shown, Shown::Above);
        assert!(won.p < 1e-10 && won.interval.high < 0.5 + 1e-12, "{won:?}");
    }
}
