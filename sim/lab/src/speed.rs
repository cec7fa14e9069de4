//! The speed of random play, and of searches ([`search`]): counts over a fixed time on one or several threads.
//!
//! Seeds are fixed, so that two measurements play the same games; they differ only in how many.

pub mod search;

use std::thread;
use std::time::{Duration, Instant};

use agents::Playable;
use engine::{Purpose, Rules, random_game, rng};

use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;

/// The settings of a measurement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measure {
    /// Number of threads, at least 1; each plays its own games.
    pub threads: usize,
    /// The time to measure.
    pub time: Duration,
}

/// The counts of a measurement, summed over the threads.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Speed {
    /// Number of players.
    pub players: usize,
    /// Bytes of a state.
    pub state_bytes: usize,
    /// Games played.
    pub games: u64,
    /// Choices of players in these games.
    pub plies: u64,
    /// Chance events in these games.
    pub chances: u64,
    /// Games per second.
    pub games_per_second: f64,
}

impl Speed {
    /// Returns the choices of players per second.
    #[must_use]
    pub fn plies_per_second(&self) -> f64 {
        self.games_per_second * self.plies as f64 / self.games.max(1) as f64
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.chances += other.chances;
        self.games_per_second += other.games_per_second;
    }
}

/// Measures random play of the game of `setup`.
///
/// # Errors
/// If the game cannot be built or threads cannot be started.
pub fn measure(setup: &Setup, measure: Measure) -> Result<Speed, Error> {
    with_game(setup, measure)?
}

impl WithGame for Measure {
    type Output = Result<Speed, Error>;

    fn run<G: Playable>(self, game: G, _rules: &Rules) -> Self::Output {
        let mut total = Speed {
            players: game.n_players(),
            state_bytes: size_of::<G::State>(),
            ..Speed::default()
        };
        for part in on_threads(self.threads, &|thread| play_for(&game, thread, self.time))? {
            total.add(&part);
        }
        Ok(total)
    }
}

/// Measures on `threads` threads at once; `measure` gets the number of its thread.
fn on_threads<T: Send>(
    threads: usize,
    measure: &(dyn Fn(u64) -> T + Sync),
) -> Result<Vec<T>, Error> {
    thread::scope(|scope| {
        let start = |number| thread::Builder::new().spawn_scoped(scope, move || measure(number));
        let crew: Result<Vec<_>, _> = (0..threads as u64).map(start).collect();
        let crew =
            crew.map_err(|e| Error::Failed(format!("cannot start {threads} threads: {e}")))?;
        Ok(crew.into_iter().map(|one| one.join().expect("no measurement panics")).collect())
    })
}

fn play_for<G: Playable>(game: &G, thread: u64, time: Duration) -> Speed {
    let mut fast = rng::fast(&mut rng::stream(1, thread, Purpose::Analysis));
    let mut scratch = Vec::new();
    let mut speed = Speed::default();
    let mut play = |n: u64, speed: &mut Speed| {
        for _ in 0..n {
            let (_, length) = random_game(game, &mut fast, &mut scratch);
            speed.plies += u64::from(length.plies);
            speed.chances += u64::from(length.chances);
        }
        speed.games += n;
    };
    let warm_until = Instant::now() + time / 10;
    while Instant::now() < warm_until {
        play(16, &mut Speed::default());
    }
    let since = Instant::now();
    while since.elapsed() < time {
        play(16, &mut speed);
    }
    speed.games_per_second = speed.games as f64 / since.elapsed().as_secs_f64();
    speed
}
