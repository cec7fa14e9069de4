//! The variation of an option's value between searches of one position.

/// Returns the unbiased variance of `values`; `None` for fewer than two.
#[must_use]
pub fn variance(values: &[f64]) -> Option<f64> {
    let n = values.len();
    if n < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    Some(values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1) as f64)
}

/// Returns the root of the mean of `variances`, weighted by `times`: the spread of all positions together.
#[must_use]
pub fn pooled(variances: &[f64], times: &[f64]) -> f64 {
    let weighed: f64 = variances.iter().zip(times).map(|(variance, times)| variance * times).sum();
    (weighed / times.iter().sum::<f64>()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_a_root_mean_square() {
        assert_eq!(variance(&[1.0]), None);
        assert_eq!(variance(&[1.0, 3.0]), Some(2.0));
        assert!((pooled(&[1.0, 4.0], &[1.0, 1.0]) - 2.5_f64.sqrt()).abs() < 1e-12);
        assert!((pooled(&[1.0, 4.0], &[2.0, 0.0]) - 1.0).abs() < 1e-12);
    }
}
