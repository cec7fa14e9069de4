//! Does a random game ever break an invariant? Plays games over 2 to 6 players and audits every position:
//! `cargo run --release -p engine --example audit -- 100000 classic`; without a name the game is conquest2.

use std::process::ExitCode;
use std::thread;

use engine::games::classic::Classic;
use engine::games::conquest2::Conquest2;
use engine::{Event, Game, Walk};

const SEED: u64 = 1;

/// A game that counts its invariants anew.
trait Audited: Game {
    fn of(n_players: usize) -> Self;
    fn audit_position(&self, state: &Self::State) -> Result<(), String>;
    fn audit_event(&self, before: &Self::State, after: &Self::State) -> Result<(), String>;
}

macro_rules! audited {
    ($($Game:ident)*) => {$(
        impl Audited for $Game {
            fn of(n_players: usize) -> Self {
                Self::new(n_players)
            }
            fn audit_position(&self, state: &Self::State) -> Result<(), String> {
                self.audit(state)
            }
            fn audit_event(&self, before: &Self::State, after: &Self::State) -> Result<(), String> {
                self.audit_step(before, after)
            }
        }
    )*};
}
audited!(Conquest2 Classic);

#[derive(Default)]
struct Count {
    games: u64,
    plies: u64,
    events: u64,
}

/// Plays game `index` of the run; a fault names seed, game and step.
fn audit_game<G: Audited>(games: &[G], index: u64, count: &mut Count) -> Result<(), String> {
    let which = index as usize % games.len();
    let game = &games[which];
    let mut walk = Walk::new(game, SEED, index);
    for step in 0u32.. {
        let before = *walk.state();
        let event = walk.next();
        let after = walk.state();
        let audit = game.audit_position(after).and_then(|()| game.audit_event(&before, after));
        let players = which + 2;
        audit.map_err(|fault| {
            format!("seed {SEED}, game {index} ({players} players), step {step}: {fault}")
        })?;
        match event {
            Some(Event::Chance(_)) => count.events += 1,
            Some(_) => count.plies += 1,
            None => break,
        }
    }
    count.games += 1;
    Ok(())
}

fn audit_share<G: Audited>(first: u64, stride: u64, n_games: u64) -> Result<Count, String> {
    let games: Vec<G> = (2..=6).map(G::of).collect();
    let mut count = Count::default();
    for index in (first..n_games).step_by(stride as usize) {
        audit_game(&games, index, &mut count)?;
    }
    Ok(count)
}

fn audit_games<G: Audited>(n_games: u64) -> ExitCode {
    let n_threads = thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let shares: Vec<_> = (0..n_threads)
        .map(|first| thread::spawn(move || audit_share::<G>(first, n_threads, n_games)))
        .collect();
    let mut total = Count::default();
    for share in shares {
        match share.join().expect("the games run to their end") {
            Ok(count) => {
                total.games += count.games;
                total.plies += count.plies;
                total.events += count.events;
            }
            Err(fault) => {
                println!("{fault}");
                return ExitCode::FAILURE;
            }
        }
    }
    let Count { games, plies, events } = total;
    println!(
        "{games} games over 2 to 6 players, {plies} plies, {events} chance events, broken invariants 0"
    );
    ExitCode::SUCCESS
}

fn main() -> ExitCode {
    let n_games: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10_000);
    match std::env::args().nth(2).as_deref() {
        None | Some("conquest2") => audit_games::<Conquest2>(n_games),
        Some("classic") => audit_games::<Classic>(n_games),
        Some(name) => {
            println!("no audit of {name} (known: conquest2, classic)");
            ExitCode::FAILURE
        }
    }
}
