//! The power of an experiment before it is played, and the refusal of experiments that are too small.
//!
//! The value of a block is a mean over the seats treated in turn. If its games were independent, its variance would be
//! `q(1 − q)/N`, with `q = 1/N` an equal share and N games. The plan uses this variance. Blocks with positively
//! correlated games have less power, and their intervals show it.

use sim::error::Error;
use sim::stats::Family;
use sim::stats::quantiles::normal_quantile;
use sim::units;

/// The smallest number of blocks for any statement.
pub const FEWEST: u64 = 20;
/// The default effect that an experiment must be able to detect, in points of share.
pub const EFFECT: f64 = 0.1;
/// The standard errors that give 80 % power at a level of 5 %: the sum of the 97.5 % and 80 % quantiles.
const REACH: f64 = 1.959_964 + POWER;
/// The 80 % quantile.
const POWER: f64 = 0.841_621;

/// Returns the planned standard deviation of a block value.
#[must_use]
pub fn planned_deviation(players: usize) -> f64 {
    let n = players as f64;
    let equal = 1.0 / n;
    (equal * (1.0 - equal) / n).sqrt()
}

/// Returns the factor by which the effect of a seat must exceed that of a treatment to be found. Reasons: a block
/// shows every seat in one game of each kind, not in one per seat; all seats are tested at once; and a share larger by
/// `effect` has more variance.
#[must_use]
pub fn reach_of_seats(players: usize, effect: f64) -> f64 {
    let equal = 1.0 / players as f64;
    let variance = |share: f64| share * (1.0 - share);
    let wider = (variance((equal + effect).clamp(0.0, 1.0)) / variance(equal)).max(1.0);
    let together = normal_quantile(Family::of(players).tail());
    (players as f64 * wider).sqrt() * (together + POWER) / REACH
}

/// Returns the smallest effect on a share that `blocks` blocks find with 80 % power.
#[must_use]
pub fn smallest_effect(players: usize, blocks: u64) -> f64 {
    REACH * planned_deviation(players) / (blocks as f64).sqrt()
}

/// Returns the number of blocks that find `effect` with 80 % power.
#[must_use]
pub fn blocks_for(players: usize, effect: f64) -> u64 {
    let root = REACH * planned_deviation(players) / effect;
    ((root * root).ceil() as u64).max(FEWEST)
}

/// Refuses an experiment with too few blocks for any statement, or for `effect`. To be found, `effect` must be `reach`
/// times that of a treatment.
///
/// # Errors
/// If `blocks` is too small; the message has the number needed.
pub fn check(reach: f64, players: usize, blocks: u64, effect: f64) -> Result<(), Error> {
    let needed = blocks_for(players, effect / reach);
    if blocks >= needed {
        return Ok(());
    }
    let message = if blocks < FEWEST {
        format!(
            "too few for any statement (at least {FEWEST}); {needed} blocks find effects of {effect} in 8 of 10 runs"
        )
    } else {
        format!(
            "they find effects of {} in 8 of 10 runs, and the effect is {effect}: use {needed} blocks or \
             a larger effect",
            units::fixed(reach * smallest_effect(players, blocks), 3)
        )
    };
    Err(Error::value("blocks", blocks.to_string(), message))
}
