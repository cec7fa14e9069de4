//! The expected time of a game of a study, from a few probe games.

use agents::Playable;
use agents::side_by_side::within;
use engine::Rules;

use super::request::ValidatedDynamics;
use sim::catalogue::{WithGame, with_game};
use sim::error::Error;
use sim::game_loop::Address;
use sim::observed_play;
use sim::runner::start_threads;

/// The number of probe games.
const PROBED: u64 = 8;

/// Plays a few games of a study on `threads` threads and returns the seconds for one. The time depends on this machine
/// and is not a result.
///
/// # Errors
/// If the game or its agents cannot be built, or threads cannot be started.
pub fn seconds_of_a_game(validated: &ValidatedDynamics, threads: usize) -> Result<f64, Error> {
    let since = std::time::Instant::now();
    let pool = start_threads(threads)?;
    within(&pool, || with_game(&validated.setup, Probe(validated)))??;
    Ok(since.elapsed().as_secs_f64() / PROBED as f64)
}

struct Probe<'a>(&'a ValidatedDynamics);

impl WithGame for Probe<'_> {
    type Output = Result<(), Error>;

    fn run<G: Playable>(self, game: G, _: &Rules) -> Self::Output {
        let study = &self.0.study;
        let specs = vec![study.spec.clone(); game.n_players()];
        observed_play::blocks(&game, &specs, PROBED, |seats, index| {
            seats.play(Address::of_game(study.seed, index), &mut ()).map(|_| ())
        })?;
        Ok(())
    }
}
