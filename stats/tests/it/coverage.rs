//! Coverage of the 95 % intervals of a tournament, measured on simulated tournaments.

use engine::{Purpose, Randomness, Stream, rng};
use stats::Moments;

/// The distribution of the points of a block.
#[derive(Clone, Copy, Debug)]
struct World {
    /// The true share.
    share: f64,
    /// The number of games in a block.
    games: u32,
    /// The correlation of the games of a block, in `[0, 1]`: with this probability a game repeats the block's own.
    likeness: f64,
    /// The number of blocks in a tournament.
    blocks: u32,
}

const TOURNAMENTS: u32 = 2_000;
/// The number of tournaments in settings that need the incomplete beta function: the standard error of 95 % is half a
/// point.
const FEWER: u32 = 2_000;

fn block(world: &World, rng: &mut Stream) -> f64 {
    let own = rng.unit() < world.share;
    let won = (0..world.games)
        .filter(|_| {
            let repeats = rng.unit() < world.likeness.sqrt();
            let fresh = rng.unit() < world.share;
            if repeats { own } else { fresh }
        })
        .count();
    won as f64 / f64::from(world.games)
}

fn tournament(world: &World, rng: &mut Stream) -> Moments {
    let mut moments = Moments::default();
    (0..world.blocks).for_each(|_| moments.add(block(world, rng)));
    moments
}

/// Returns the part of simulated tournaments for which `holds`.
fn part(world: &World, tournaments: u32, holds: impl Fn(Moments) -> bool) -> f64 {
    let mut rng = rng::stream(1, 0, Purpose::Analysis);
    let held = (0..tournaments).filter(|_| holds(tournament(world, &mut rng))).count();
    held as f64 / f64::from(tournaments)
}

fn coverage(world: &World, tournaments: u32) -> f64 {
    part(world, tournaments, |moments| moments.share_interval().contains(world.share))
}

#[test]
fn intervals_of_shares_hold_the_truth_in_95_of_100_tournaments() {
    for blocks in [50, 100, 250, 1000] {
        for share in [0.03, 0.25, 0.5, 0.97] {
            for likeness in [0.0, 0.1] {
                let world = World { share, games: 4, likeness, blocks };
                let coverage = coverage(&world, TOURNAMENTS);
                // If few games are won, or lost, the interval is wider.
                let events = f64::from(4 * blocks) * share.min(1.0 - share);
                let most = if events < 12.0 { 0.985 } else { 0.97 };
                assert!((0.93..=most).contains(&coverage), "{world:?}: {coverage}");
            }
        }
    }
}

/// Few blocks, and blocks whose games all repeat each other.
#[test]
fn few_blocks_of_games_that_repeat_each_other_hold_the_truth_too() {
    for blocks in [5, 10, 20, 25, 50, 100] {
        for share in [0.005, 0.03, 0.1, 0.25, 0.5, 0.97] {
            for likeness in [0.5, 1.0] {
                let world = World { share, games: 4, likeness, blocks };
                let coverage = coverage(&world, FEWER);
                assert!(coverage > 0.925, "{world:?}: {coverage}");
            }
        }
    }
}

/// Wilson's interval misses in 16 of 100 tournaments if 0.18 events are expected and one occurs.
#[test]
fn rare_events_are_not_ruled_out_by_one_of_them() {
    for blocks in [5, 25, 100, 1000] {
        for events in [0.05, 0.17, 0.5, 1.0, 2.0, 4.0, 5.5] {
            for likeness in [0.0, 1.0] {
                let games = if likeness > 0.5 { 1.0 } else { 4.0 };
                let share = events / games / f64::from(blocks);
                if share > 0.9 {
                    continue;
                }
                let world = World { share, games: 4, likeness, blocks };
                let coverage = coverage(&world, FEWER);
                assert!(coverage > 0.92, "{world:?}: {coverage}");
            }
        }
    }
}

/// Returns the difference of the shares of two equal agents that share all points of a block: 2y − 1 by block.
fn difference(moments_of_first: &World, rng: &mut Stream) -> Moments {
    let mut difference = Moments::default();
    for _ in 0..moments_of_first.blocks {
        difference.add(2.0 * block(moments_of_first, rng) - 1.0);
    }
    difference
}

fn decided(world: &World) -> f64 {
    let mut rng = rng::stream(2, 0, Purpose::Analysis);
    let decided = (0..TOURNAMENTS)
        .filter(|_| !difference(world, &mut rng).difference_interval().contains(0.0))
        .count();
    f64::from(decided as u32) / f64::from(TOURNAMENTS)
}

#[test]
fn equal_agents_are_told_apart_in_5_of_100_tournaments() {
    for blocks in [50, 250] {
        let world = World { share: 0.5, games: 2, likeness: 0.1, blocks };
        let decided = decided(&world);
        assert!((0.03..=0.07).contains(&decided), "{world:?}: {decided}");
    }
}

#[test]
fn a_planted_difference_is_found() {
    // 250 blocks of 2 games: a standard error of 0.022, so 0.57 lies three of them away (power 0.86).
    let world = World { share: 0.57, games: 2, likeness: 0.0, blocks: 250 };
    let found = decided(&world);
    assert!(found > 0.8, "{found}");
    let strong = World { share: 0.97, games: 4, likeness: 0.1, blocks: 50 };
    assert!(decided(&strong) > 0.999);
}

#[test]
fn blocks_that_agree_give_an_interval_that_shrinks_but_never_closes() {
    let mut last = 1.0;
    for blocks in [1, 2, 10, 100, 1000] {
        for share in [0.0, 0.25, 1.0] {
            let mut moments = Moments::default();
            (0..blocks).for_each(|_| moments.add(share));
            let interval = moments.share_interval();
            assert!(interval.high - interval.low > 1.0 / f64::from(blocks + 4), "{interval:?}");
            assert!(interval.contains(share));
            if share > 0.99 {
                assert!(interval.high - interval.low < last);
                last = interval.high - interval.low;
            }
        }
    }
}

#[test]
fn known_values_of_intervals_of_few_blocks() {
    // Eight of ten: the variance gives fewer than ten trials, so ten trials count, and the interval is R's
    // binom.test(8, 10): 0.4439, 0.9748.
    let counted = won_or_lost(10, 8);
    assert!((counted.share_interval().low - 0.4439).abs() < 5e-5, "{counted:?}");
    assert!((counted.share_interval().high - 0.9748).abs() < 5e-5, "{counted:?}");
    // A hundred blocks: Wilson's, as R's binom::binom.wilson(80, 100): 0.7112, 0.8666.
    let counted = won_or_lost(100, 80);
    assert!((counted.share_interval().low - 0.7112).abs() < 5e-5, "{counted:?}");
    assert!((counted.share_interval().high - 0.8666).abs() < 5e-5, "{counted:?}");
}

/// Returns blocks of which the first `won` are won and the others lost.
fn won_or_lost(blocks: u32, won: u32) -> Moments {
    let mut moments = Moments::default();
    (0..blocks).for_each(|i| moments.add(f64::from(u8::from(i < won))));
    moments
}

#[test]
fn students_interval_of_a_small_sample() {
    // Values 1, 2, 3: s = 1, t(2) = 4.3027, half width 4.3027 / sqrt(3).
    let mut moments = Moments::default();
    [1.0, 2.0, 3.0].into_iter().for_each(|x| moments.add(x));
    assert!((moments.half_width().unwrap() - 2.4841).abs() < 1e-3);
    assert_eq!(Moments::default().half_width(), None);
}

/// Mean scores and mean ranks have Student's interval over blocks. Scores of a block are a mean of four games of an
/// exponential score with luck of the block, which is as skewed as scores of games are.
#[test]
fn students_intervals_of_skewed_scores_hold_the_mean() {
    for blocks in [10_u64, 30, 100] {
        let mut rng = rng::stream(17, blocks, Purpose::Analysis);
        let mut score = |luck: f64| luck - (1.0 - rng.unit()).ln() * 50.0;
        let mut held = 0;
        for _ in 0..TOURNAMENTS {
            let mut moments = Moments::default();
            for _ in 0..blocks {
                let luck = score(0.0);
                moments.add((0..4).map(|_| score(luck)).sum::<f64>() / 4.0);
            }
            let half = moments.half_width().unwrap();
            held += u32::from((moments.mean() - 100.0).abs() <= half);
        }
        crate::measured(
            "tournament: mean score, mean rank",
            &format!("planted: skewed scores, {blocks} blocks"),
            [held, TOURNAMENTS].map(f64::from),
            "students_intervals_of_skewed_scores_hold_the_mean",
        );
        let part = f64::from(held) / f64::from(TOURNAMENTS);
        assert!((0.90..=0.97).contains(&part), "{blocks} blocks: {part}");
    }
}
