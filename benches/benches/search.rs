//! Searches: iterations per second of the searches that each game lists for benches, at a fixed position.

use agents::agent::view_for;
use agents::observable::search_position;
use agents::playable::decider;
use agents::{AgentSpec, Observable, Playable};
use benches::{SEED, default_game};
use criterion::{BenchmarkId, Criterion, Throughput};
use engine::{Purpose, rng};

fn bench<G: Playable + Observable>(criterion: &mut Criterion) {
    let game: G = default_game();
    let state = search_position(&game, SEED);
    let seat = decider(&game, &state).expect("somebody decides there");
    let mut group = criterion.benchmark_group("search");
    for text in G::MEASURED {
        let spec: AgentSpec = text.parse().expect("a good spec");
        let mut agent = spec.build(&game).expect("an agent that the game can use");
        let mut decide = || {
            agent.start(&game, seat);
            let view = view_for(&*agent, &game, &state, seat);
            let action = agent.choose(view, &mut rng::stream(SEED, 0, Purpose::Analysis));
            (action, agent.tally())
        };
        let first = decide();
        group.throughput(Throughput::Elements(first.1.iterations));
        group.bench_function(BenchmarkId::new(G::about().name, text), |bencher| {
            bencher.iter(|| assert_eq!(decide(), first, "a decision taken anew is the same"));
        });
    }
    group.finish();
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
