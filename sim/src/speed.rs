//! How fast random play is, and how fast searches are ([`search`]): counts of a fixed time on one or several threads.
//!
//! Seeds are fixed, so that two measurements play the same games; only how many of them fit differs.

pub mod search;

use std::time::{Duration, Instant};

use agents::Playable;
use engine::{Purpose, Rules, random_game, rng};

use crate::catalogue::WithGame;

/// What to measure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measure {
    /// Number of threads, at least 1; each plays games of its own.
    pub threads: usize,
    /// Time to measure.
    pub time: Duration,
}

/// What was measured, summed over the threads.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Speed {
    /// Number of players.
    pub players: usize,
    /// Bytes of a state.
    pub state_bytes: usize,
    /// Games played.
    pub games: u64,
    /// Choices of players in them.
    pub plies: u64,
    /// Events of chance in them.
    pub chances: u64,
    /// Games per second.
    pub games_per_second: f64,
}

impl Speed {
    /// Choices of players per second.
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

impl WithGame for Measure {
    type Output = Speed;

    fn run<G: Playable>(self, game: G, _rules: &Rules) -> Speed {
        let mut total = Speed {
            players: game.n_players(),
            state_bytes: size_of::<G::State>(),
            ..Speed::default()
        };
        std::thread::scope(|scope| {
            let game = &game;
            let crew: Vec<_> = (0..self.threads as u64)
                .map(|thread| scope.spawn(move || play_for(game, thread, self.time)))
                .collect();
            for member in crew {
                total.add(&member.join().expect("random play does not panic"));
            }
        });
        total
    }
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
