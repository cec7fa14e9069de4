//! A check of the invariants over random games: plays games at every table and audits every position. Run it with
//! `cargo run --release -p caesar-engine --example audit -- 100000`. Add `classic` or `rise` for another game than
//! conquest2.

use std::process::ExitCode;
use std::thread;

use engine::games::classic::Classic;
use engine::games::conquest2::Conquest2;
use engine::games::rise::Rise;
use engine::{Configure, Event, Rules, Walk};

const SEED: u64 = 1;

#[derive(Default)]
struct Count {
    games: u64,
    plies: u64,
    events: u64,
}

/// A game whose positions can be counted anew.
trait Audited: Configure {
    fn check(&self, before: &Self::State, after: &Self::State) -> Result<(), String>;
}

macro_rules! audited {
    ($($Game:ident)*) => {$(
        impl Audited for $Game {
            fn check(&self, before: &Self::State, after: &Self::State) -> Result<(), String> {
                self.audit(after).and_then(|()| self.audit_step(before, after))
            }
        }
    )*};
}
audited!(Conquest2 Classic Rise);

/// Plays game `index` of the run; a fault names seed, game and step.
fn audit_game<G: Audited>(games: &[G], index: u64, count: &mut Count) -> Result<(), String> {
    let game = &games[index as usize % games.len()];
    let players = game.n_players();
    let mut walk = Walk::new(game, SEED, index);
    for step in 0u32.. {
        let before = *walk.state();
        let event = walk.next();
        game.check(&before, walk.state()).map_err(|fault| {
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
    let at_table = |n| G::configure(n, &Rules::of::<G>()).expect("the default rules are in order");
    let games: Vec<G> = G::about().players.map(at_table).collect();
    let mut count = Count::default();
    for index in (first..n_games).step_by(stride as usize) {
        audit_game(&games, index, &mut count)?;
    }
    Ok(count)
}

fn audit<G: Audited>(n_games: u64) -> ExitCode {
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
    let (least, most) = G::about().players.into_inner();
    println!(
        "{games} games over {least} to {most} players, {plies} plies, {events} chance events, broken invariants 0"
    );
    ExitCode::SUCCESS
}

fn main() -> ExitCode {
    let n_games: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10_000);
    match std::env::args().nth(2).as_deref() {
        None | Some("conquest2") => audit::<Conquest2>(n_games),
        Some("classic") => audit::<Classic>(n_games),
        Some("rise") => audit::<Rise>(n_games),
        Some(other) => {
            println!("there is no audit of {other} (known: conquest2, classic, rise)");
            ExitCode::FAILURE
        }
    }
}
