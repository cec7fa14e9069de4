//! Battles of conquest2: computed anew, looked up, and fought to the end by one draw or by dice.

use agents::heuristics::conquest2::odds::{Army, BattleOddsCache, Verdict};
use benches::SEED;
use criterion::{Criterion, Throughput};
use engine::games::conquest2::{Conquest2, Muster, Phase, State};
use engine::{Game, Purpose, Turn, rng};

/// Returns the army with the numbers of infantry, cavalry and catapults that are the digits of `n`.
fn army(n: usize, [infantry, cavalry, _]: [usize; 3]) -> Army {
    let per_catapult = (infantry + 1) * (cavalry + 1);
    [n % (infantry + 1), n % per_catapult / (infantry + 1), n / per_catapult, 0].map(|n| n as u8)
}

/// Measures all battles between armies of at most 12 infantry, 4 cavalry, 2 catapults: 194² of them.
fn fill(criterion: &mut Criterion) {
    const MOST: [usize; 3] = [12, 4, 2];
    let armies: Vec<Army> = (1..13 * 5 * 3).map(|n| army(n, MOST)).collect();
    let game = Conquest2::new(4);
    let mut odds = BattleOddsCache::new(&game);
    let mut group = criterion.benchmark_group("odds");
    group.sample_size(10);
    group.throughput(Throughput::Elements((armies.len() * armies.len()) as u64));
    group.bench_function("compute", |bencher| {
        bencher.iter(|| {
            let mut sum = 0.0;
            for &a in &armies {
                for &d in &armies {
                    let sides = [a, d].map(|army| Muster { army, ..Muster::default() });
                    let fight = odds.land(sides, false).expect("a small battle");
                    sum += odds.odds(&fight).expect("a small battle").chance(Verdict::Attacker);
                }
            }
            assert!(sum > 0.4 * (armies.len() * armies.len()) as f64, "half of them, less ties");
        });
    });
    group.finish();
}

/// Measures one battle repeatedly, from the first roll to the end.
fn fight(criterion: &mut Criterion) {
    let game = Conquest2::new(4);
    let sides = [[6, 1, 1, 0], [5, 2, 0, 0]].map(|army| Muster {
        army,
        has_leader: true,
        ..Muster::default()
    });
    let start = game.battle_between(sides).expect("a small battle");
    let mut odds = BattleOddsCache::new(&game);
    let mut dice = rng::fast(&mut rng::stream(SEED, 0, Purpose::Dice));
    let mut group = criterion.benchmark_group("battle");
    group.throughput(Throughput::Elements(1));
    group.bench_function("draw", |bencher| {
        bencher.iter(|| {
            let mut state = start;
            assert!(odds.resolve(&game, &mut state, &mut dice));
            state.phase()
        });
    });
    group.bench_function("dice", |bencher| {
        bencher.iter(|| {
            let mut state = start;
            roll(&game, &mut state, &mut dice);
            state.phase()
        });
    });
    group.finish();
}

/// Rolls to the end; losses as they come, no side retreats.
fn roll(game: &Conquest2, state: &mut State, dice: &mut engine::Fast) {
    while matches!(state.phase(), Phase::Dice | Phase::Losses | Phase::Retreat) {
        let action = match (game.turn(state), state.phase()) {
            (Turn::Chance, _) => game.draw(state, dice),
            (_, Phase::Losses) => game.situation(state).number(u16::MAX),
            _ => game.situation(state).member(63),
        };
        game.apply(state, action);
    }
}

benches::run!(fill, fight);
