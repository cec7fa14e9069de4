//! Rules alone: nodes of the legal tree per second, from a position soon after the start of each game.

use std::hint::black_box;

use benches::{SEED, default_game};
use criterion::{Criterion, Throughput};
use engine::perft::{perft, position_after};
use engine::{Configure, Game};

/// Number of events played before the position.
const AFTER: usize = 2;
/// Largest number of nodes of a tree here.
const MOST_NODES: u64 = 200_000;

fn bench<G: Configure>(criterion: &mut Criterion) {
    let game: G = default_game();
    let state = position_after(&game, SEED, AFTER);
    let (depth, nodes) = deepest(&game, &state);
    let mut group = criterion.benchmark_group("rules");
    group.throughput(Throughput::Elements(nodes));
    group.bench_function(G::about().name, |bencher| {
        bencher.iter(|| {
            let counts = perft(&game, black_box(&state), depth);
            assert_eq!(counts.iter().sum::<u64>(), nodes);
        });
    });
    group.finish();
}

/// Returns the greatest depth (up to 8) with few enough nodes, and their number.
fn deepest<G: Game>(game: &G, state: &G::State) -> (u32, u64) {
    let mut best = (0, 1);
    for depth in 1..=8 {
        let nodes = perft(game, state, depth).iter().sum();
        if nodes > MOST_NODES {
            break;
        }
        best = (depth, nodes);
    }
    best
}

macro_rules! bench_all {
    ($($name:literal => $game:ty),* $(,)?) => {
        fn all(criterion: &mut Criterion) {
            $(bench::<$game>(criterion);)*
        }
    };
}
engine::catalogue!(bench_all);

benches::run!(all);
