//! Whole tournaments of random agents: games per second on 1, 2, 4 … threads, up to the cores of the machine.

use std::sync::atomic::AtomicBool;

use benches::SEED;
use criterion::{BenchmarkId, Criterion, Throughput};
use sim::catalogue::{NAMES, about};
use sim::config::{Plan, TournamentConfig};
use sim::stats::Standings;
use sim::tournament::{Options, play};

/// Number of games in an iteration, before rounding up to blocks.
const GAMES: u64 = 2_000;

fn bench(criterion: &mut Criterion, name: &str) {
    let players = about(name).expect("a game of the catalogue").default_players;
    let config = TournamentConfig {
        game: Some(name.to_owned()),
        agents: Some(vec!["random".to_owned(); players]),
        games: Some(GAMES),
        seed: Some(SEED),
        ..TournamentConfig::default()
    };
    let plan = Plan::new(config, &|_| unreachable!("no file is named")).expect("a good plan");
    let n_games = plan.blocks * plan.games_per_block();
    let mut group = criterion.benchmark_group("tournament");
    group.throughput(Throughput::Elements(n_games));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, 2, 4, 8, 16, 32, 64].into_iter().filter(|&threads| threads <= cores) {
        let options = Options { threads, records: false, extras: false };
        group.bench_function(BenchmarkId::new(name, threads), |bencher| {
            bencher.iter(|| {
                let mut standings =
                    Standings::new(&plan.specs(), plan.players, plan.games_per_block());
                let blocks = play(&plan, options, &mut standings, &AtomicBool::new(false));
                assert_eq!((blocks.ok(), standings.games()), (Some(plan.blocks), n_games));
            });
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    NAMES.iter().for_each(|name| bench(criterion, name));
}

benches::run!(all);
