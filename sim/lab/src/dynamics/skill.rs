//! Skill: a ladder of agents, each in one seat against the one below it in all others.
//!
//! A block is a deal with the stronger agent in each seat in turn. The step is its mean share less an equal share. A
//! game of pure chance has a step of zero between any two agents.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use agents::{AgentSpec, Playable};
use csv::StringRecord;

use super::rows::{Written, numbers, strokes};
use sim::game_loop::Address;
use sim::observed_play;
use sim::runner::Piece;
use sim::stats::Moments;
use sim::stats::calibration::Figure;

/// A step of the ladder.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The stronger agent, in one seat.
    pub upper: String,
    /// The agent in all other seats.
    pub lower: String,
    /// The share of the stronger agent; an equal share is one over the number of players.
    pub share: Figure,
}

/// The points of the stronger agent in a block, by step and seat.
#[derive(Clone, PartialEq, Debug)]
pub struct Climbed(Vec<Vec<f64>>);

/// Returns the names of the fields of a block with `steps` steps.
#[must_use]
pub fn columns(steps: usize) -> Vec<String> {
    (1..=steps).map(|step| format!("step_{step}")).collect()
}

impl Written for Climbed {
    fn fields(&self) -> Vec<String> {
        self.0.iter().map(|points| numbers(points)).collect()
    }

    fn read(fields: &StringRecord) -> Option<Self> {
        Some(Self(fields.iter().map(strokes).collect::<Option<_>>()?))
    }
}

/// Plays some blocks of every step between neighbours of `rungs`; `None` if `stop` is raised.
///
/// # Errors
/// If an agent fails.
pub fn climb<G: Playable>(
    game: &G,
    rungs: &[AgentSpec],
    seed: u64,
    blocks: Range<u64>,
    stop: &AtomicBool,
) -> Piece<Climbed> {
    let n = game.n_players();
    let mut all = vec![Climbed(Vec::new()); (blocks.end - blocks.start) as usize];
    for (at, pair) in rungs.windows(2).enumerate() {
        let seed = observed_play::seed_of_part(seed, 1 + at as u64);
        let [lower, upper] = pair else { unreachable!("windows of two") };
        all.iter_mut().for_each(|block| block.0.push(Vec::with_capacity(n)));
        for seat in 0..n {
            let specs: Vec<AgentSpec> =
                (0..n).map(|at| if at == seat { upper.clone() } else { lower.clone() }).collect();
            let points =
                observed_play::piece(game, &specs, blocks.clone(), stop, |seats, index| {
                    let minds = index * n as u64 + seat as u64;
                    let points = seats.play(Address::of_block(seed, index, minds), &mut ())?;
                    Ok(points.0[seat])
                })?;
            let Some(points) = points else { return Ok(None) };
            all.iter_mut().zip(points).for_each(|(block, points)| block.0[at].push(points));
        }
    }
    Ok(Some(all))
}

/// Returns the steps between neighbours of `rungs`, estimated from the blocks.
#[must_use]
pub fn ladder(rungs: &[AgentSpec], blocks: &[Climbed]) -> Vec<Step> {
    let step = |(at, pair): (usize, &[AgentSpec])| {
        let mut moments = Moments::default();
        for Climbed(block) in blocks {
            let n = block[at].len() as f64;
            moments.add(block[at].iter().fold(0.0, |sum, points| sum + points / n));
        }
        let share = Figure { estimate: moments.mean(), interval: Some(moments.share_interval()) };
        Step { upper: pair[1].name(), lower: pair[0].name(), share }
    };
    rungs.windows(2).enumerate().map(step).collect()
}
