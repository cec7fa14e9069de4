//! How often the 95 % intervals of a tournament hold the truth, measured on simulated tournaments.

use engine::{Purpose, Randomness, Stream, rng};
use sim::stats::Moments;

/// A world of tournaments: how the points of one block come about.
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

/// A bit per game; mixing in the block's own outcome keeps the mean and correlates the games.
fn block(world: &World, rng: &mut Stream) -> f64 {
    let own = rng.unit() < world.share;
    let won = (0..world.games)
        .filter(|_| {
            let repeats = rng.unit() < world.likeness;
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

fn coverage(world: World) -> f64 {
    let mut rng = rng::stream(1, 0, Purpose::Analysis);
    let held = (0..TOURNAMENTS)
        .filter(|_| tournament(&world, &mut rng).share_interval().contains(world.share))
        .count();
    held as f64 / f64::from(TOURNAMENTS)
}

#[test]
fn probe() {
    for blocks in [5, 10, 20, 50, 100, 250, 1000] {
        for share in [0.01, 0.03, 0.1, 0.25, 0.5, 0.97] {
            for likeness in [0.0, 0.3, 0.7, 1.0] {
                for games in [1, 4] {
                    let world = World { share, games, likeness, blocks };
                    println!("{world:?} {:.4}", coverage(world));
                }
            }
        }
    }
}
