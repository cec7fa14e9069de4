//! Samples of many items, and a test of whether counts are as equal as chance makes them.

use super::READ_BACK;

/// Returns at most about [`READ_BACK`] of `0..n`, evenly spread; another `step` gives others.
pub(super) fn sample(n: usize, step: u32) -> impl Iterator<Item = usize> {
    let stride = n.div_ceil(READ_BACK).max(1);
    (step as usize % stride..n).step_by(stride)
}

/// Returns the deviation of `counts` from equal counts: its chi-square above the mean, in standard deviations (Wilson
/// and Hilferty 1931: the cube root of chi-square over its degrees of freedom is nearly normal).
pub(super) fn deviation(counts: &[u32]) -> f64 {
    let (n, total) = (counts.len() as f64, f64::from(counts.iter().sum::<u32>()));
    if counts.len() < 2 {
        return 0.0;
    }
    let expected = total / n;
    let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
    let spread = 2.0 / (9.0 * (n - 1.0));
    ((chi2 / (n - 1.0)).cbrt() - (1.0 - spread)) / spread.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unequal_counts_deviate_and_equal_ones_do_not() {
        assert!(deviation(&[100, 104, 97, 99]) < 1.0);
        assert!(deviation(&[160, 80, 80, 80]) > 5.0);
    }

    #[test]
    fn a_sample_covers_everything_in_turn() {
        assert_eq!(sample(3, 7).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(sample(2 * READ_BACK, 1).next(), Some(1));
    }
}
