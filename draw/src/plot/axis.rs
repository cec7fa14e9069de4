//! Axes: a range of numbers, its pixels, and round numbers on it.

/// A range of numbers along a range of pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// Creates the smallest range that holds all `values`, with a margin, drawn from pixel `from` to pixel `to`.
    #[must_use]
    pub fn holding(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Self {
        let finite = values.into_iter().filter(|x| x.abs() < BEYOND);
        let (low, high) = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let room = if high > low { 0.05 * (high - low) } else { low.abs().max(1.0) * 0.1 };
        Self { low: low - room, high: high + room, from, to }
    }

    /// Creates an axis of exactly this range, drawn from pixel `from` to pixel `to`.
    #[must_use]
    pub const fn of([low, high]: [f64; 2], from: f64, to: f64) -> Self {
        Self { low, high, from, to }
    }

    /// Returns the pixel at which the axis begins.
    #[must_use]
    pub const fn from(&self) -> f64 {
        self.from
    }

    /// Returns the pixel of a number, limited to the axis.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        let part = ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + part * (self.to - self.from)
    }

    /// Returns the range that two axes share; `None` if they share none.
    #[must_use]
    pub fn common(&self, other: &Self) -> Option<[f64; 2]> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low < high).then_some([low, high])
    }

    /// Returns whether a number lies on the axis.
    #[must_use]
    pub fn holds(&self, x: f64) -> bool {
        (self.low..=self.high).contains(&x)
    }

    /// Returns round numbers on the axis, about `most` of them. Their distance is 1, 2 or 5 times a power of ten.
    #[must_use]
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let raw = (self.high - self.low) / most.max(1) as f64;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|&step| step >= raw);
        let step = step.unwrap_or(10.0 * power);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|n| n as f64 * step).collect()
    }

    /// Returns the integers among [`Axis::ticks`], for counts of rounds, seasons or games.
    #[must_use]
    pub fn whole_ticks(&self, most: usize) -> Vec<f64> {
        self.ticks(most).into_iter().filter(|tick| tick.fract() == 0.0).collect()
    }
}

/// The size above which a number cannot be a result: an estimator's guard value, or infinite.
pub(crate) const BEYOND: f64 = 1e12;

/// Returns a number in a short form: three significant digits without an exponent. NaN reads `-`, and numbers from 10¹²
/// on read `beyond any bound`.
#[must_use]
pub fn number(x: f64) -> String {
    if x.is_nan() {
        return "-".to_owned();
    }
    if x.abs() >= BEYOND {
        return "beyond any bound".to_owned();
    }
    let size = x.abs();
    let digits = match size {
        0.0 => 0,
        _ if size >= 100.0 => 0,
        _ if size >= 10.0 => 1,
        _ if size >= 1.0 => 2,
        _ => (3 - size.log10().ceil() as i32).clamp(2, 6) as usize,
    };
    let text = format!("{x:.digits$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_on_the_axis() {
        let axis = Axis::holding([0.213, 0.287], 0.0, 100.0);
        let ticks = axis.ticks(6);
        assert!((3..=7).contains(&ticks.len()), "{ticks:?}");
        assert!(ticks.iter().all(|&x| axis.holds(x)), "{ticks:?}");
        let texts: Vec<String> = ticks.iter().map(|&x| number(x)).collect();
        assert!(texts.iter().all(|text| text.len() <= 4), "{texts:?}");
        assert_eq!(Axis::holding([], 0.0, 1.0).ticks(4).len(), 3);
        assert!(!Axis::holding([3.0], 0.0, 1.0).ticks(4).is_empty());
        let stages = Axis::holding([1.0, 4.0], 0.0, 1.0);
        assert!(stages.ticks(8).contains(&1.5));
        assert_eq!(stages.whole_ticks(8), [1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.25, 1234.5, -0.0312, 12.34, 1e-9, f64::NAN].map(number);
        assert_eq!(texts, ["0", "0.25", "1234", "-0.0312", "12.3", "0", "-"]);
        assert_eq!(number(-3.9e99), "beyond any bound");
    }
}
