//! Shares of two players on the Elo scale, with intervals.
//!
//! A share `p` of the points corresponds to a difference of `400·log₁₀(p/(1−p))` Elo, the logistic curve of A. Elo, The
//! Rating of Chessplayers, Past and Present (1978). The interval of a difference is the interval of the share by block
//! ([`Moments::share_interval`]) on that scale. It is not symmetric. The curve only rises, so its coverage is that of
//! the share. The delta method, `±z·s/(p(1−p))·400/ln 10`, fails near 0 and 1 and is not used.
//!
//! **At 0 and 1.** A share without a defeat gets half of one: the estimate is taken from `(n + ½)/(n + 1)`, with `n`
//! the number of blocks, and is finite. If the interval of the share ends at 0 or 1, the Elo interval ends at −∞ or ∞:
//! a player who may win everything has no upper bound of strength.
//!
//! **Valid** for two players. In larger games the share of a game is not that of a duel: use [`super::plackett_luce`],
//! or these formulas for a pair of the cross table. The exception is one player against k − 1 equal others at a table
//! of k ([`lead`]). A player with w times the others' weight wins the share `p = w/(w + k − 1)` of the first places
//! (Luce 1959). So the share corresponds to `400·log₁₀((k − 1)·p/(1 − p))` Elo, 0 at an equal share. With k = 2 that is
//! the formula above.

use super::interval::Interval;
use super::moments::Moments;

/// Elo points per unit of the natural logarithm of the odds.
pub const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// A difference of strength between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloDifference {
    /// The difference in Elo, finite; positive if the first player is stronger.
    pub elo: f64,
    /// Its 95 % interval; an end may be infinite.
    pub interval: Interval,
}

/// Returns the difference in Elo at which the stronger player gets the share `share`: −∞ at 0, ∞ at 1.
///
/// ```
/// assert!((stats::elo::of_share(0.75) - 190.85).abs() < 0.01);
/// ```
#[must_use]
pub fn of_share(share: f64) -> f64 {
    let odds = share.clamp(0.0, 1.0) / (1.0 - share.clamp(0.0, 1.0));
    400.0 * odds.log10()
}

/// Returns the difference that corresponds to the first player's mean points over blocks.
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

/// Returns the Elo lead of a player who gets `share` of the points at a table with `players − 1` equal others: −∞ at 0,
/// ∞ at 1.
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

/// Returns the lead in Elo over equal others that corresponds to a share with its interval, at a table of `players`.
///
/// The share was estimated from `blocks` blocks. The curve only rises, so coverage is that of the interval, and a
/// median-unbiased estimate stays median-unbiased.
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
