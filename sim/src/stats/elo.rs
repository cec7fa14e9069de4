//! Shares of two players on the Elo scale, with error bars.
//!
//! A share `p` of the points stands for a difference of `400·log₁₀(p/(1−p))` Elo, the logistic curve of A. Elo, The
//! Rating of Chessplayers, Past and Present (1978). The interval of a difference is the interval of the share by
//! block ([`Moments::share_interval`]) seen on that scale: it is not symmetric, and its coverage is that of the share,
//! since the curve only rises. The delta method, `±z·s/(p(1−p))·400/ln 10`, fails near 0 and 1 and is not used.
//!
//! **Finite at 0 and 1.** A share without a defeat gets half of one: the point is taken from `(n + ½)/(n + 1)` with
//! `n` the number of blocks. The end of an interval that is 0 or 1 becomes ∓[`MOST_ELO`], odds of a million to one,
//! which no tournament tells from certainty.
//!
//! **Valid** for two players. In games of more the share of a game is not that of a duel: use
//! [`super::plackett_luce`], or these formulas for a pair of the cross table.

use super::interval::{Interval, Moments};

/// Elo points a unit of natural logarithm of odds.
pub const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The largest difference that is told, in Elo: odds of a million to one.
pub const MOST_ELO: f64 = 2_400.0;

/// A difference of strength between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloDifference {
    /// The difference in Elo, within ±[`MOST_ELO`]; positive if the first is stronger.
    pub elo: f64,
    /// Its 95 % interval.
    pub interval: Interval,
}

/// The difference in Elo at which the stronger gets the share `share`, cut off at ±[`MOST_ELO`].
///
/// ```
/// assert!((sim::stats::elo::of_share(0.75) - 190.85).abs() < 0.01);
/// ```
#[must_use]
pub fn of_share(share: f64) -> f64 {
    let odds = share.clamp(0.0, 1.0) / (1.0 - share.clamp(0.0, 1.0));
    (400.0 * odds.log10()).clamp(-MOST_ELO, MOST_ELO)
}

/// The share that a difference of `elo` stands for, in `(0, 1)`.
#[must_use]
pub fn to_share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference that the means over blocks of the first player's points stand for.
#[must_use]
pub fn difference(points: &Moments) -> EloDifference {
    let interval = points.share_interval();
    let certain = 0.5 / (points.n() as f64 + 1.0);
    let share = if points.n() == 0 { 0.5 } else { points.mean() };
    EloDifference {
        elo: of_share(share.clamp(certain, 1.0 - certain)),
        interval: Interval { low: of_share(interval.low), high: of_share(interval.high) },
    }
}

#[cfg(test)]
mod tests {
    use skillratings::elo::{EloRating, expected_score};

    use super::*;

    #[test]
    fn the_curve_is_that_of_everybody_else() {
        for elo in [-700.0, -36.0, 0.0, 100.0, 400.0] {
            let theirs = expected_score(&EloRating { rating: elo }, &EloRating { rating: 0.0 }).0;
            assert!((to_share(elo) - theirs).abs() < 1e-12);
            assert!((of_share(to_share(elo)) - elo).abs() < 1e-9);
        }
    }

    #[test]
    fn a_difference_is_finite_and_inside_its_interval_at_every_share() {
        for won in [0, 1, 20, 39, 40] {
            let mut points = Moments::default();
            (0..40).for_each(|i| points.add(f64::from(u8::from(i < won))));
            let EloDifference { elo, interval } = difference(&points);
            assert!(interval.low.is_finite() && interval.high.is_finite());
            assert!(interval.contains(elo), "{won}: {elo} {interval:?}");
        }
        assert!(difference(&Moments::default()).elo.abs() < 1e-12);
    }
}
