//! How much skill there is: a ladder of agents, each in one seat against the one below it in all others.
//!
//! A block is a deal with the stronger agent in each seat in turn; its mean share less an equal share is the step. A game
//! of chance alone has no step, whoever climbs.

use agents::{AgentSpec, Playable};

use crate::error::Error;
use crate::stats::Moments;
use crate::stats::calibration::Figure;
use crate::watched::{self, Deal};

/// A step of the ladder.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The agent that climbs.
    pub upper: String,
    /// The agent in all other seats.
    pub lower: String,
    /// Its share of the points; an equal share is one over the number of players.
    pub share: Figure,
}

/// Plays `blocks` blocks of each step between neighbours of `rungs`.
///
/// # Errors
/// If an agent fails.
pub fn ladder<G: Playable>(
    game: &G,
    rungs: &[AgentSpec],
    seed: u64,
    blocks: u64,
) -> Result<Vec<Step>, Error> {
    let step = |(at, pair): (usize, &[AgentSpec])| {
        let seed = watched::seed_of_part(seed, 1 + at as u64);
        let [lower, upper] = pair else { unreachable!("windows of two") };
        let share = climb(game, [lower, upper], seed, blocks)?;
        Ok(Step { upper: upper.name(), lower: lower.name(), share })
    };
    rungs.windows(2).enumerate().map(step).collect()
}

fn climb<G: Playable>(
    game: &G,
    [lower, upper]: [&AgentSpec; 2],
    seed: u64,
    blocks: u64,
) -> Result<Figure, Error> {
    let n = game.n_players();
    let mut sums = vec![0.0; blocks as usize];
    for seat in 0..n {
        let specs: Vec<AgentSpec> =
            (0..n).map(|at| if at == seat { upper.clone() } else { lower.clone() }).collect();
        let points = watched::blocks(game, &specs, blocks, |seats, index| {
            let minds = index * n as u64 + seat as u64;
            let points = seats.play(Deal { seed, chance: [index; 3], minds }, &mut ())?;
            Ok(points.0[seat])
        })?;
        sums.iter_mut().zip(points).for_each(|(sum, points)| *sum += points / n as f64);
    }
    let mut moments = Moments::default();
    sums.iter().for_each(|&share| moments.add(share));
    Ok(Figure { estimate: moments.mean(), interval: Some(moments.share_interval()) })
}
