//! The calibration of a search's leaf values against the ends of games.
//!
//! Every option of a position is played several times to the horizon of the search, and valued there as the search
//! values it. It is then played to the end of the game by the agent that the position comes from. A search learns the
//! mean of an option's leaves; it should learn the mean of the ends. These means are compared over the options of a
//! position. The **slope** is the difference at the end for each unit of difference between two options' leaves; it is
//! 1 for calibrated leaves. The **correlation** measures the agreement of both orders; it is 1 for perfect leaves.
//!
//! Both are about means without noise. Products are taken only between different plays of an option, as in a
//! U-statistic (Hoeffding 1948). Therefore neither the number of plays nor the shared end of one play biases them, and
//! leaves of any horizon, value and rollout can be compared. In small samples a correlation can exceed 1.

use std::convert::Infallible;

use agents::Playable;
use agents::guide::{Guide, Progress};
use agents::mcts::Leaves;
use agents::of_game::OfGame;
use agents::{Agent, AgentSpec};
use engine::{Mover, Player, Purpose, Stream, View, hash_of, play_event, rng};

use super::estimate::Estimate;
use super::positions::{Position, plain_guide};
use sim::error::Error;
use sim::stats::Interval;

/// The covariance of leaves and ends over the options of a position: sums of products of differences from the mean of
/// all options, without the noise of plays.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Within {
    /// The sum for leaf values with ends.
    leaf_times_end: f64,
    /// The sum for leaf values with themselves.
    leaf_squared: f64,
    /// The sum for ends with themselves.
    came: f64,
    /// The number of options.
    n: f64,
    /// True if any two plays ended differently.
    ends_differ: bool,
}

impl Within {
    /// Returns the sums for `options`; each has several plays with a leaf value and an end.
    #[must_use]
    pub fn of(options: &[Vec<[f64; 2]>]) -> Self {
        let product = |a: usize, b: usize| {
            let n = options.len() as f64;
            let (mut own, mut plain, mut sums) = (0.0, 0.0, [0.0; 2]);
            for plays in options {
                let times = plays.len() as f64;
                let sum = |i: usize| plays.iter().map(|play| play[i]).sum::<f64>();
                let same: f64 = plays.iter().map(|play| play[a] * play[b]).sum();
                let (first, second) = (sum(a), sum(b));
                // Products over all pairs of plays, without those of a play with itself.
                own += (first * second - same) / (times * (times - 1.0));
                plain += first * second / (times * times);
                sums[0] += first / times;
                sums[1] += second / times;
            }
            own - (sums[0] * sums[1] - plain + own) / n
        };
        let mut ends = options.iter().flatten().map(|play| play[1]);
        let first = ends.next();
        Self {
            ends_differ: ends.any(|end| Some(end) != first),
            leaf_times_end: product(0, 1),
            leaf_squared: product(0, 0),
            came: product(1, 1),
            n: options.len() as f64,
        }
    }
}

/// The calibration of an agent's leaves over some positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LeafCalibration {
    /// The number of positions.
    pub positions: usize,
    /// The difference at the end for each unit of difference between leaves.
    pub slope: Option<Estimate>,
    /// The correlation of leaf values with ends over options.
    pub correlation: Option<Estimate>,
    /// The standard deviation of leaf values over the options of a position, without noise.
    pub spread: f64,
}

/// Returns the calibration over all positions; without a slope if all leaf values, or all ends, are equal.
#[must_use]
pub fn calibration(all: &[Within], seed: u64) -> LeafCalibration {
    let sum = |times: &[f64], of: fn(&Within) -> f64| -> f64 {
        all.iter().zip(times).map(|(one, times)| of(one) * times).sum()
    };
    // Resamples without any difference have no ratio: an interval that needs them is not reported.
    let ratio = |times: &[f64]| {
        over(sum(times, |one| one.leaf_times_end), sum(times, |one| one.leaf_squared))
    };
    let together = |times: &[f64]| {
        let squares =
            sum(times, |one| one.leaf_squared).max(0.0) * sum(times, |one| one.came).max(0.0);
        over(sum(times, |one| one.leaf_times_end), squares.sqrt())
    };
    let once = vec![1.0; all.len()];
    let [leaf_squared, came] = [sum(&once, |one| one.leaf_squared), sum(&once, |one| one.came)];
    let free = sum(&once, |one| one.n - 1.0).max(1.0);
    let says_something = leaf_squared > 0.0 && all.iter().any(|one| one.ends_differ);
    let estimate = |is_known: bool, of: &dyn Fn(&[f64]) -> f64| {
        let found = if is_known { Estimate::of(all.len(), seed, of)? } else { return None };
        let is_known = |interval: &Interval| interval.low.is_finite() && interval.high.is_finite();
        Some(Estimate { interval: found.interval.filter(is_known), ..found })
    };
    LeafCalibration {
        positions: all.len(),
        slope: estimate(says_something, &ratio),
        correlation: estimate(says_something && came > 0.0, &together),
        spread: (leaf_squared.max(0.0) / free).sqrt(),
    }
}

/// Returns a ratio to a number that is not negative; infinite if it is 0.
fn over(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { f64::INFINITY.copysign(a) }
}

/// Plays each option of `position` `times` times to the leaves of the search `spec`, and then to the end by `by`.
///
/// # Errors
/// If an agent cannot be built, or `spec` is not a search.
pub fn look<G: Playable>(
    game: &G,
    position: &Position<G::State>,
    spec: &AgentSpec,
    by: &AgentSpec,
    times: u32,
    seed: u64,
) -> Result<Within, Error> {
    let config = spec.config(Some(&OfGame::at_table_of(game)));
    let config = config.ok_or_else(|| Error::Usage(format!("agent \"{spec}\" does not search")))?;
    let guide = game.guide(spec.settings()).map_err(Error::Usage)?;
    let stream = |what: u8, time: u32| {
        rng::stream(hash_of(&(seed, what, time)), position.game, Purpose::Analysis)
    };
    let mut leaves = Leaves::new(config, guide, rng::fast(&mut stream(0, 0)));
    let Position { state, player, .. } = position;
    let options = leaves.options(game, state, *player);
    let mut seats: Vec<Box<dyn Agent<G>>> = Vec::new();
    for _ in 0..game.n_players() {
        seats.push(by.build(game)?);
    }
    let mut play = |choice, time| {
        let mut dice = stream(1, time);
        let mut world = *state;
        let leaf_squared = leaves.look(game, &mut world, *player, choice, rng::fast(&mut dice));
        play_to_the_end(game, &mut world, &mut seats, &mut dice);
        [leaf_squared[*player], game.payoffs(&world)[*player]].map(f64::from)
    };
    let all = options.iter().enumerate().map(|(option, &choice)| {
        (0..times).map(|time| play(choice, option as u32 * times + time)).collect()
    });
    Ok(Within::of(&all.collect::<Vec<_>>()))
}

/// Returns the progress of the game in a position, by which positions are sectioned.
pub fn progress<G: Playable>(game: &G, position: &Position<G::State>) -> Progress {
    plain_guide(game).progress(game, &position.state)
}

/// Plays to the end of the game, with one agent in each seat.
fn play_to_the_end<G: Playable>(
    game: &G,
    state: &mut G::State,
    seats: &mut [Box<dyn Agent<G>>],
    stream: &mut Stream,
) {
    for (seat, agent) in seats.iter_mut().enumerate() {
        agent.start(game, Player::new(seat));
    }
    let mut decide = |state: &G::State, mover: Mover| {
        Ok::<_, Infallible>(match mover.player() {
            Some(player) => seats[player.idx()].choose(View::new(game, state, player), stream),
            None => game.draw(state, stream),
        })
    };
    while let Ok(true) = play_event(game, state, &mut decide) {}
}

#[cfg(test)]
mod tests {
    use engine::Randomness;

    use super::*;

    /// The ends of options are 0.6 of their leaf values, plus an equal part that the leaves miss. Both have noise that
    /// a play shares. The slope and correlation are those without noise.
    #[test]
    fn a_planted_slope_and_correlation_are_found_and_covered() {
        let mut stream = rng::stream(31, 0, Purpose::Analysis);
        let (mut slopes, mut correlations) = (0, 0);
        for sample in 0..100 {
            let mut position = || {
                let level = stream.unit();
                let mut option = |_| {
                    let (known, unknown) = (0.2 * stream.unit(), 0.12 * stream.unit());
                    let mut play = |_| {
                        let shared = 0.4 * (stream.unit() - 0.5);
                        [level + known + shared, level / 2.0 + 0.6 * known + unknown + shared]
                    };
                    (0..4).map(&mut play).collect()
                };
                Within::of(&(0..10).map(&mut option).collect::<Vec<_>>())
            };
            let all: Vec<Within> = (0..80).map(|_| position()).collect();
            let found = calibration(&all, sample);
            let covers = |of: Option<Estimate>, truth: f64| {
                usize::from(of.unwrap().interval.unwrap().contains(truth))
            };
            slopes += covers(found.slope, 0.6);
            correlations += covers(found.correlation, std::f64::consts::FRAC_1_SQRT_2);
        }
        let test = "a_planted_slope_and_correlation_are_found_and_covered";
        for (what, held) in [("slope", slopes), ("correlation", correlations)] {
            println!(
                "measured | diagnose --leaves: slope, correlation | planted: the {what} | {held} | 100 | {test}"
            );
        }
        assert!((88..=100).contains(&slopes), "{slopes} of 100");
        assert!((88..=100).contains(&correlations), "{correlations} of 100");
    }

    #[test]
    fn leaves_that_say_the_same_of_all_have_no_slope() {
        let same =
            vec![Within::of(&[vec![[0.5, 1.0], [0.5, 1.0]], vec![[0.5, 0.0], [0.5, 0.0]]]); 12];
        let of_same = calibration(&same, 1);
        assert_eq!((of_same.slope, of_same.correlation, of_same.spread), (None, None, 0.0));
        assert_eq!(of_same.positions, 12);
        // A few positions with small differences: each estimate is finite, or missing.
        let hardly = [
            Within::of(&[vec![[0.5, 1.0], [0.6, 0.0]], vec![[0.6, 0.0], [0.7, 1.0]]]),
            Within::of(&[vec![[0.5, 1.0], [0.4, 1.0]], vec![[0.7, 0.0], [0.4, 0.0]]]),
        ];
        let of_hardly = calibration(&hardly.repeat(6), 1);
        for estimate in [of_hardly.slope, of_hardly.correlation].into_iter().flatten() {
            let ends = estimate.interval.map_or([0.0; 2], |interval| [interval.low, interval.high]);
            assert!(ends.iter().all(|end| end.abs() < 1e6), "{estimate:?}");
        }
        let certain = vec![Within::of(&[vec![[0.0; 2]; 2], vec![[1.0; 2]; 2]]); 12];
        let of_certain = calibration(&certain, 1);
        assert!((of_certain.slope.unwrap().value - 1.0).abs() < 1e-12);
        assert!((of_certain.correlation.unwrap().value - 1.0).abs() < 1e-12);
    }
}
