//! An adaptive tournament: blocks go to the pairs of a large pool that are still undecided.
//!
//! A block belongs to one pair: both sit at its table. If the table has more seats, other agents of the pool are drawn
//! for each block, in a random order; all seats are rotated. So the mean of the blocks of a pair stays constant,
//! whatever is played when, as [`Pairs`] requires. It measures which of the two finishes first among random others. The
//! others at the table are not rated: earlier results chose the tables.
//!
//! Blocks are dealt in batches of [`BATCH`], each from the results of all earlier batches. A run ends when all pairs are
//! decided, or after the blocks of the plan.

use engine::{MAX_PLAYERS, Purpose, Randomness, rng};

use crate::config::Plan;
use crate::dealt::{Dealer, Dealt, DealtRun};
use crate::schedule::Seating;
use crate::stats::pairs::Pairs;

/// The number of blocks that are dealt at once.
pub const BATCH: u64 = 128;

/// The state of a run of a plan with [`Schedule::Adaptive`](crate::schedule::Schedule::Adaptive).
pub type AdaptiveRun<'a> = DealtRun<'a, Undecided>;

/// A dealer that gives blocks to the undecided pairs.
#[derive(Clone, Debug)]
pub struct Undecided {
    pairs: Pairs,
    names: Vec<(usize, usize)>,
}

impl<'a> AdaptiveRun<'a> {
    /// Returns the run of `plan` before its first block.
    #[must_use]
    pub fn new(plan: &'a Plan) -> Self {
        let pairs = Pairs::new(plan.lineup.len());
        let names = pairs.names();
        Self::start(plan, Undecided { pairs, names })
    }

    /// Returns the pairs with their decisions.
    #[must_use]
    pub const fn pairs(&self) -> &Pairs {
        &self.dealer().pairs
    }
}

impl Dealer for Undecided {
    fn deal(&mut self, plan: &Plan, first: u64) -> Vec<Dealt> {
        let dealt = self.pairs.deal(BATCH.min(plan.blocks - first)).into_iter().zip(first..);
        let block = |(pair, block): (usize, u64)| {
            let (a, b) = self.names[pair];
            Dealt { pair: [a, b], table: table(plan, [a, b], block) }
        };
        dealt.map(block).collect()
    }

    fn add(&mut self, pair: [usize; 2], value: f64) {
        let place = self.names.iter().position(|&(a, b)| [a, b] == pair);
        self.pairs.add(place.expect("only pairs of the pool are dealt"), value);
    }
}

/// Returns the table of `block`: the pair, then the randomly drawn others, in seating order.
fn table(plan: &Plan, [a, b]: [usize; 2], block: u64) -> Seating {
    let mut rng = rng::stream(plan.seed, block, Purpose::Analysis);
    let mut others: Vec<u8> =
        (0..plan.lineup.len()).filter(|&i| i != a && i != b).map(|i| i as u8).collect();
    rng.shuffle(&mut others);
    let mut seated = vec![a as u8, b as u8];
    seated.extend(others.into_iter().take(plan.players - 2));
    rng.shuffle(&mut seated);
    let mut table = [0; MAX_PLAYERS];
    table.iter_mut().zip(seated).for_each(|(seat, entrant)| *seat = entrant);
    table
}
