//! Quantiles and tails of the normal distribution and of Student's t.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The normal quantile of a two-sided 95 % interval.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;
/// The tail probability of one side of a 95 % interval.
pub(super) const TAIL: f64 = 0.025;
/// The number of halvings that find the end of an interval.
pub(super) const HALVINGS: u32 = 48;

/// Returns the probability that Student's t with these degrees of freedom, or a normal variable, exceeds `x`.
///
/// It avoids the rounding of one minus the rest.
pub(super) fn upper_tail(x: f64, degrees: Option<f64>) -> f64 {
    let student = |degrees: f64| StudentsT::new(0.0, 1.0, degrees).ok();
    match degrees.and_then(student) {
        Some(t) => t.cdf(-x),
        None => Normal::standard().cdf(-x),
    }
}

/// Returns the two-sided 95 % quantile of Student's t.
///
/// `degrees` above 0; above 10,000 the normal quantile.
#[must_use]
pub fn t_quantile(degrees: f64) -> f64 {
    if degrees > 10_000.0 {
        return NORMAL_95;
    }
    StudentsT::new(0.0, 1.0, degrees).map_or(NORMAL_95, |t| t.inverse_cdf(1.0 - TAIL))
}

/// Returns the quantile of Student's t beyond which `tail` lies, at most 2.5 %; normal where [`t_quantile`] is.
pub(super) fn t_quantile_at(degrees: f64, tail: f64) -> f64 {
    if tail >= TAIL {
        return t_quantile(degrees);
    }
    let student = StudentsT::new(0.0, 1.0, degrees).ok().filter(|_| degrees <= 10_000.0);
    let Some(student) = student else { return normal_quantile(tail) };
    // By bisection: the library's inverse has few digits in the far tail.
    let (mut inside, mut outside) = (t_quantile(degrees), 2.0 * t_quantile(degrees));
    while student.sf(outside) > tail {
        (inside, outside) = (outside, 2.0 * outside);
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        if student.sf(middle) > tail {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}

/// Returns the part of the normal distribution beyond `x`.
#[must_use]
pub fn normal_tail(x: f64) -> f64 {
    upper_tail(x, None)
}

/// Returns the normal quantile beyond which `tail` lies.
///
/// `tail` in `(0, 1)`.
#[must_use]
pub fn normal_quantile(tail: f64) -> f64 {
    -Normal::standard().inverse_cdf(tail)
}

/// Returns the probability of more than `t` under Student's t with this many degrees of freedom; normal where
/// [`t_quantile`] is.
pub(super) fn t_tail(t: f64, degrees: u64) -> f64 {
    let degrees = degrees as f64;
    let tail = StudentsT::new(0.0, 1.0, degrees).ok().filter(|_| degrees <= 10_000.0);
    let tail = tail.map_or_else(|| Normal::standard().sf(t), |student| student.sf(t));
    tail.clamp(f64::MIN_POSITIVE, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_far_out_are_those_of_the_tables() {
        // R: qt(1 - 0.0005, 10), qt(1 - 1e-5, 4), qnorm(1 - 1e-5).
        assert!((t_quantile_at(10.0, 0.000_5) - 4.586_894).abs() < 1e-5);
        assert!(
            (t_quantile_at(4.0, 1e-5) - 23.332_18).abs() < 1e-3,
            "{}",
            t_quantile_at(4.0, 1e-5)
        );
        assert!((t_quantile_at(1e6, 1e-5) - 4.264_891).abs() < 1e-5);
        assert!((t_quantile_at(10.0, 0.025) - t_quantile(10.0)).abs() < 1e-12);
    }
}
