//! Uniformly random games: plies per second, for every game and number of players.

use agents::Playable;
use benches::SEED;
use criterion::{BenchmarkId, Criterion, Throughput};
use engine::{Purpose, Rules, random_game, rng};

/// Approximate number of plies in an iteration: enough that no branch predictor learns the games by heart.
const PLIES: u64 = 200_000;

fn bench<G: Playable>(criterion: &mut Criterion) {
    let about = G::about();
    let mut group = criterion.benchmark_group("playout");
    for players in about.players {
        let game = G::configure(players, &Rules::of::<G>()).expect("default rules are accepted");
        let games = (50 * PLIES / play(&game, 50, &mut Vec::new())).max(50);
        let plies = play(&game, games, &mut Vec::new());
        group.throughput(Throughput::Elements(plies));
        group.bench_function(BenchmarkId::new(about.name, players), |bencher| {
            let mut scratch = Vec::new();
            bencher.iter(|| assert_eq!(play(&game, games, &mut scratch), plies));
        });
    }
    group.finish();
}

/// Plays the first `games` games of a fixed seed, and returns the number of plies.
fn play<G: Playable>(game: &G, games: u64, scratch: &mut Vec<G::Action>) -> u64 {
    let mut fast = rng::fast(&mut rng::stream(SEED, 0, Purpose::Analysis));
    (0..games).map(|_| u64::from(random_game(game, &mut fast, scratch).1.plies)).sum()
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
