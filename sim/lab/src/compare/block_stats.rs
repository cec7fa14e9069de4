//! Sums over the blocks of a comparison, shared by all its tests.

use super::arms::Block;
use super::verdict::MOST_FORFEITS;
use sim::stats::Moments;
use sim::stats::control_variate::Regression;
use sim::stats::relative_efficiency::{Efficiency, RelativeEfficiency};

/// The largest number of blocks whose values are kept, so that memory stays bounded.
pub const MOST_VALUES: usize = 1 << 20;

/// Sums over blocks.
#[derive(Clone, Debug)]
pub struct BlockStats {
    arms: Vec<ArmSums>,
    moments: Moments,
    values: Vec<f64>,
    efficiency: RelativeEfficiency,
    /// The regression of values on luck, if blocks have a luck value after the metric's value.
    luck: Option<Box<Regression>>,
    games_per_block: u64,
    /// The hash of the first block of a comparison of agents, while all later blocks have the same.
    copied: Option<u32>,
}

/// The forfeits of an arm, if there are too many for a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spoilt<'a> {
    /// The number of forfeits.
    pub forfeits: u64,
    /// The number of games of the arm.
    pub games: u64,
    /// The agent of the first forfeit and the reason.
    pub first: &'a str,
}

/// Sums over one arm.
#[derive(Clone, Debug, Default)]
pub struct ArmSums {
    /// Values of blocks.
    pub values: Moments,
    /// Games forfeited by an agent.
    pub forfeits: u64,
    /// The agent of the first forfeit and the reason.
    pub first_forfeit: Option<String>,
}

impl BlockStats {
    /// Creates sums without blocks, for `n_arms` arms with `games_per_block` games in a block of each.
    #[must_use]
    pub fn new(n_arms: usize, games_per_block: u64) -> Self {
        let efficiency = match n_arms {
            1 => RelativeEfficiency::of_blocks(games_per_block),
            _ => RelativeEfficiency::of_pairs(),
        };
        let arms = vec![ArmSums::default(); n_arms];
        let (moments, values) = (Moments::default(), Vec::new());
        Self { arms, moments, values, efficiency, luck: None, games_per_block, copied: None }
    }

    /// Adds a regression on luck if each block also has the luck behind its metric, as counted by
    /// [`Metric::luck`](super::metric::Metric::luck).
    #[must_use]
    pub fn with_luck(self, has_luck: bool) -> Self {
        Self { luck: has_luck.then(Box::default), ..self }
    }

    /// Adds a block of each arm and returns its value by the metric at this index.
    pub fn add(&mut self, blocks: &[Block], place: usize) -> f64 {
        for (arm, block) in self.arms.iter_mut().zip(blocks) {
            arm.values.add(block.values[place].mean);
            arm.forfeits += block.forfeits;
            if arm.first_forfeit.is_none() {
                arm.first_forfeit.clone_from(&block.first_forfeit);
            }
        }
        self.note_copies(blocks);
        let value = value_of(blocks, place);
        self.moments.add(value);
        if let Some(luck) = &mut self.luck {
            luck.add(value, value_of(blocks, place + 1));
        }
        if self.values.len() < MOST_VALUES {
            self.values.push(value);
        }
        match blocks {
            [a, b] => self.efficiency.add_pair(a.values[place].mean, b.values[place].mean),
            others => others.iter().map(|block| block.values[place]).for_each(|value| {
                self.efficiency.add_block(value.mean, value.square);
            }),
        }
        value
    }

    /// Keeps the hash of the first block of agents while all later blocks have the same.
    fn note_copies(&mut self, blocks: &[Block]) {
        let [block] = blocks else { return };
        if self.blocks() == 0 {
            self.copied = Some(block.print);
        }
        self.copied = self.copied.filter(|first| *first == block.print);
    }

    /// Returns true if there are at least two blocks of agents and all have the same points, scores and length. They
    /// are then copies of one block, as with deterministic agents in a game without chance.
    #[must_use]
    pub fn are_copies(&self) -> bool {
        self.copied.is_some() && self.blocks() > 1
    }

    /// Returns the arm with the most forfeits if these exceed [`MOST_FORFEITS`] of its games.
    #[must_use]
    pub fn spoilt(&self) -> Option<Spoilt<'_>> {
        let games = self.blocks() * self.games_per_block;
        let worst = self.arms.iter().max_by_key(|arm| arm.forfeits)?;
        let first = worst.first_forfeit.as_deref().unwrap_or_default();
        let is_spoilt = worst.forfeits as f64 > MOST_FORFEITS * games as f64;
        is_spoilt.then_some(Spoilt { forfeits: worst.forfeits, games, first })
    }

    /// Returns the values of the blocks in order; only the first [`MOST_VALUES`], if there are more.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the regression of values on luck, if blocks have a luck value.
    #[must_use]
    pub fn luck(&self) -> Option<&Regression> {
        self.luck.as_deref()
    }

    /// Returns the number, mean and variance of the values.
    #[must_use]
    pub const fn moments(&self) -> &Moments {
        &self.moments
    }

    /// Returns the arms, in order.
    #[must_use]
    pub fn arms(&self) -> &[ArmSums] {
        &self.arms
    }

    /// Returns the number of blocks added.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.moments.n()
    }

    /// Returns the number of games in these blocks, of all arms.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.blocks() * self.games_per_block * self.arms.len() as u64
    }

    /// Returns the relative efficiency of shared chance: the variance of independent games, divided by the observed
    /// variance. For two arms it refers to a difference of independent blocks, for one to the mean of independent
    /// games. `None` if nothing varies.
    #[must_use]
    pub fn relative_efficiency(&self) -> Option<Efficiency> {
        self.efficiency.estimate()
    }
}

/// Returns the value of a block of all arms, by the metric at this index: that of the only arm, or B less A.
#[must_use]
pub fn value_of(blocks: &[Block], place: usize) -> f64 {
    match blocks {
        [a, b] => b.values[place].mean - a.values[place].mean,
        others => others.first().map_or(0.0, |block| block.values[place].mean),
    }
}
