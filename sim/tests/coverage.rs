//! How often the 95 % intervals of a tournament hold the truth, measured on simulated tournaments.

use engine::{Purpose, Randomness, Stream, rng};
use sim::stats::{Method, Moments};

/// How the points of one block come about.
#[derive(Clone, Copy, Debug)]
struct World {
    /// The true share.
    share: f64,
    /// Games in a block.
    games: u32,
    /// Correlation of the games of a block, in `[0, 1]`: with this probability a game repeats the block's own.
    likeness: f64,
    /// Blocks in a tournament.
    blocks: u32,
}

const TOURNAMENTS: u32 = 4_000;

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

/// The part of simulated tournaments for which `holds`.
fn part(world: &World, holds: impl Fn(Moments) -> bool) -> f64 {
    let mut rng = rng::stream(1, 0, Purpose::Analysis);
    let held = (0..TOURNAMENTS).filter(|_| holds(tournament(world, &mut rng))).count();
    held as f64 / f64::from(TOURNAMENTS)
}

fn coverage(world: &World) -> f64 {
    part(world, |moments| moments.share_interval().contains(world.share))
}

#[test]
fn intervals_of_shares_hold_the_truth_in_95_of_100_tournaments() {
    for blocks in [50, 100, 250, 1000] {
        for share in [0.03, 0.25, 0.5, 0.97] {
            for likeness in [0.0, 0.1] {
                let world = World { share, games: 4, likeness, blocks };
                let coverage = coverage(&world);
                assert!((0.93..=0.97).contains(&coverage), "{world:?}: {coverage}");
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
                let coverage = coverage(&world);
                assert!(coverage > 0.935, "{world:?}: {coverage}");
            }
        }
    }
}

/// Where 0.18 events are expected and one is seen, Wilson's interval misses in 16 of 100 tournaments.
#[test]
fn rare_events_are_not_ruled_out_by_one_of_them() {
    for blocks in [5, 25, 100, 1000] {
        for events in [0.05, 0.17, 0.5, 1.0, 2.0, 4.0] {
            for likeness in [0.0, 1.0] {
                let games = if likeness > 0.5 { 1.0 } else { 4.0 };
                let share = events / games / f64::from(blocks);
                let world = World { share, games: 4, likeness, blocks };
                let coverage = coverage(&world);
                assert!(coverage > 0.935, "{world:?}: {coverage}");
            }
        }
    }
}

/// Two agents of equal strength who share all points of a block: the difference of their shares is 2y − 1.
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
    // Eight of ten: n (z/t)² with t(9) = 2.2622 and s² = 0.16·10/9 is 6.756 trials, fewer than the ten of the blocks,
    // whose interval is R's binom.test(8, 10): 0.4439, 0.9748.
    let mut moments = Moments::default();
    (0..10).for_each(|i| moments.add(f64::from(u8::from(i < 8))));
    let interval = moments.share_interval();
    assert!((interval.low - 0.4439).abs() < 5e-5, "{interval:?}");
    assert!((interval.high - 0.9748).abs() < 5e-5, "{interval:?}");
    assert_eq!(moments.share_method(), Method::KornGraubard);
    // Forty blocks: Wilson's, as R's binom::binom.wilson(32, 40): 0.6524, 0.8950.
    let mut moments = Moments::default();
    (0..40).for_each(|i| moments.add(f64::from(u8::from(i % 5 > 0))));
    let interval = moments.share_interval();
    assert!((interval.low - 0.6524).abs() < 5e-5, "{interval:?}");
    assert!((interval.high - 0.8950).abs() < 5e-5, "{interval:?}");
    assert_eq!(moments.share_method(), Method::Wilson);
}

#[test]
fn students_interval_of_a_small_sample() {
    // Values 1, 2, 3: s = 1, t(2) = 4.3027, half width 4.3027 / sqrt(3).
    let mut moments = Moments::default();
    [1.0, 2.0, 3.0].into_iter().for_each(|x| moments.add(x));
    assert!((moments.half_width().unwrap() - 2.4841).abs() < 1e-3);
    assert_eq!(Moments::default().half_width(), None);
}
