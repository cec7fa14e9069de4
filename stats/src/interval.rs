//! A 95 % confidence interval as two numbers, and the functions that move and stretch it.

/// A 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Returns whether `x` lies inside.
    #[must_use]
    pub fn contains(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// Returns the interval of a number `factor` times as large; `factor` is above 0.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }

    /// Returns the interval of a number that is larger by `more`.
    #[must_use]
    pub fn plus(self, more: f64) -> Self {
        Self { low: self.low + more, high: self.high + more }
    }

    /// Returns the interval after a linear change of scale that maps 0 and 1 to `low` and `high`.
    pub(super) fn stretched(self, low: f64, high: f64) -> Self {
        let place = |x: f64| x.mul_add(high - low, low);
        Self { low: place(self.low), high: place(self.high) }
    }
}
