//! What an experiment can see before it is played, and which ones are refused.
//!
//! The values of a block are means over the seats that were treated in turn. Were its games independent, they would vary
//! by `q(1 − q)/N`, with `q = 1/N` an equal share and N games. That is what is planned with; blocks that are more alike
//! inside find less, and the intervals say so.

use sim::error::Error;
use sim::stats::Family;
use sim::stats::quantiles::normal_quantile;
use sim::units;

/// Fewest blocks of which anything is said.
pub const FEWEST: u64 = 20;
/// The effect that an experiment must be able to see, unless another one is named: points of share.
pub const EFFECT: f64 = 0.1;
/// What is added in standard errors so that 80 % are found at a level of 5 %: the 97.5 % and the 80 % quantile.
const REACH: f64 = 1.959_964 + POWER;
/// The 80 % quantile.
const POWER: f64 = 0.841_621;

/// The standard deviation of a block's value that is planned with.
#[must_use]
pub fn planned_deviation(players: usize) -> f64 {
    let n = players as f64;
    let equal = 1.0 / n;
    (equal * (1.0 - equal) / n).sqrt()
}

/// How many times larger the effect of a seat must be than that of a treatment: a block shows every seat in one game of
/// each kind, not in as many as there are seats, something is said of all seats at once, and the share of a seat that has
/// `effect` more varies more.
#[must_use]
pub fn reach_of_seats(players: usize, effect: f64) -> f64 {
    let equal = 1.0 / players as f64;
    let variance = |share: f64| share * (1.0 - share);
    let wider = (variance((equal + effect).clamp(0.0, 1.0)) / variance(equal)).max(1.0);
    let together = normal_quantile(Family::of(players).tail());
    (players as f64 * wider).sqrt() * (together + POWER) / REACH
}

/// The smallest effect on a share that so many blocks find with 80 % power.
#[must_use]
pub fn smallest_effect(players: usize, blocks: u64) -> f64 {
    REACH * planned_deviation(players) / (blocks as f64).sqrt()
}

/// The blocks that find `effect` with 80 % power.
#[must_use]
pub fn blocks_for(players: usize, effect: f64) -> u64 {
    let root = REACH * planned_deviation(players) / effect;
    ((root * root).ceil() as u64).max(FEWEST)
}

/// Refuses an experiment that can say nothing, or cannot see `effect`, which must be `reach` times larger than that of a
/// treatment to be found.
///
/// # Errors
/// With the number of blocks that is needed.
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
            "they find effects of {} in 8 of 10 runs, and {effect} is asked for: {needed} blocks are needed, or a larger \
             effect",
            units::fixed(reach * smallest_effect(players, blocks), 3)
        )
    };
    Err(Error::value("blocks", blocks.to_string(), message))
}
