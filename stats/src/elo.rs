//! Shares of two players on the Elo scale, with error bars.
//!
//! A share `p` of the points stands for a difference of `400·log₁₀(p/(1−p))` Elo, the logistic curve of A. Elo, The
//! Rating of Chessplayers, Past and Present (1978). The interval of a difference is the interval of the share by
//! block ([`Moments::share_interval`]) seen on that scale: it is not symmetric, and its coverage is that of the share,
//! since the curve only rises. The delta method, `±z·s/(p(1−p))·400/ln 10`, fails near 0 and 1 and is not used.
//!
//! **At 0 and 1.** A share without a defeat gets half of one: the point is taken from `(n + ½)/(n + 1)` with `n` the
//! number of blocks, and is finite. The end of an interval of the share that is 0 or 1 is −∞ or ∞: how much stronger
//! somebody is who may win everything, has no bound.
//!
//! **Valid** for two players. In games of more the share of a game is not that of a duel: use
//! [`super::plackett_luce`], or these formulas for a pair of the cross table. One player against k − 1 equal others at
//! a table of k is the exception ([`lead`]): who has w times their weight wins the share `p = w/(w + k − 1)` of the
//! first places (Luce 1959), so the share stands for `400·log₁₀((k − 1)·p/(1 − p))` Elo, 0 at an equal share; with
//! k = 2 that is the formula above.

use super::interval::Interval;
use super::moments::Moments;

/// Elo points a unit of natural logarithm of odds.
pub const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// A difference of strength between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloDifference {
    /// The difference in Elo, finite; positive if the first is stronger.
    pub elo: f64,
    /// Its 95 % interval, of which an end may be infinite.
    pub interval: Interval,
}

/// The difference in Elo at which the stronger gets the share `share`: −∞ at 0, ∞ at 1.
///
/// ```
/// assert!((stats::elo::of_share(0.75) - 190.85).abs() < 0.01);
/// ```
#[must_use]
pub fn of_share(share: f64) -> f64 {
    let odds = share.clamp(0.0, 1.0) / (1.0 - share.clamp(0.0, 1.0));
    400.0 * odds.log10()
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

/// The Elo by which a player is ahead of `players − 1` equal others of whose points at one table he gets `share`: −∞ at
/// 0, ∞ at 1.
///
/// ```
/// assert!(stats::elo::of_share_among(0.25, 4).abs() < 1e-9);
/// ```
#[must_use]
pub fn of_share_among(share: f64, players: usize) -> f64 {
    let others = players.max(2) as f64 - 1.0;
    let share = share.clamp(0.0, 1.0);
    400.0 * (others * share / (1.0 - share)).log10()
}

/// An estimate of a share at a table of `players` after `blocks` blocks, with its interval, as a lead in Elo over the
/// others, who are equal. Coverage is that of the interval, and a median-unbiased estimate stays one: the curve only
/// rises.
#[must_use]
pub fn lead(share: f64, interval: Interval, blocks: u64, players: usize) -> EloDifference {
    let certain = 0.5 / (blocks as f64 + 1.0);
    let elo = |share| of_share_among(share, players);
    let interval = Interval { low: elo(interval.low), high: elo(interval.high) };
    let point = elo(share.clamp(certain, 1.0 - certain));
    EloDifference { elo: point.max(interval.low).min(interval.high), interval }
}

#[cfg(test)]
mod tests {
    use skillratings::elo::{EloRating, expected_score};

    use super::*;

    #[test]
    fn the_curve_is_that_of_everybody_else() {
        for elo in [-700.0, -36.0, 0.0, 100.0, 400.0] {
            let theirs = expected_score(&EloRating { rating: elo }, &EloRating { rating: 0.0 }).0;
            assert!((of_share(theirs) - elo).abs() < 1e-9);
        }
    }

    #[test]
    fn a_lead_at_a_table_is_that_of_the_weights_that_make_the_share() {
        for players in 2..=6 {
            for elo in [-300.0_f64, 0.0, 50.0, 400.0] {
                let weight = 10_f64.powf(elo / 400.0);
                let share = weight / (weight + players as f64 - 1.0);
                assert!((of_share_among(share, players) - elo).abs() < 1e-9, "{players} {elo}");
            }
        }
        assert!((of_share_among(0.7, 2) - of_share(0.7)).abs() < 1e-12);
        for share in [0.0, 0.3, 1.0] {
            let seen = Interval { low: share * 0.8, high: 0.2 + share * 0.8 };
            let EloDifference { elo, interval } = lead(share, seen, 40, 4);
            assert!(interval.contains(elo) && elo.is_finite(), "{share}: {elo}");
            assert_eq!(interval.low == f64::NEG_INFINITY, share == 0.0, "{interval:?}");
            assert_eq!(interval.high == f64::INFINITY, share > 0.9, "{interval:?}");
        }
    }

    #[test]
    fn a_difference_is_finite_and_its_interval_open_where_nothing_bounds_it() {
        for won in [0, 1, 20, 39, 40] {
            let mut points = Moments::default();
            (0..40).for_each(|i| points.add(f64::from(u8::from(i < won))));
            let EloDifference { elo, interval } = difference(&points);
            assert!(elo.is_finite() && interval.contains(elo), "{won}: {elo} {interval:?}");
            assert_eq!(interval.low.is_finite(), won > 0, "{won}: {interval:?}");
            assert_eq!(interval.high.is_finite(), won < 40, "{won}: {interval:?}");
        }
        assert!(difference(&Moments::default()).elo.abs() < 1e-12);
    }
}
