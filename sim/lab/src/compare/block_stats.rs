//! What the blocks of a comparison came to, whatever is tested of them.

use super::arms::Block;
use super::verdict::MOST_FORFEITS;
use sim::stats::Moments;
use sim::stats::control_variate::Regression;
use sim::stats::relative_efficiency::{Efficiency, RelativeEfficiency};

/// Most blocks whose values are kept, so that memory stays flat.
pub const MOST_VALUES: usize = 1 << 20;

/// Sums over blocks.
#[derive(Clone, Debug)]
pub struct BlockStats {
    arms: Vec<ArmSums>,
    moments: Moments,
    values: Vec<f64>,
    efficiency: RelativeEfficiency,
    /// Values by luck, the number after the metric's own, where blocks have it.
    luck: Option<Box<Regression>>,
    games_per_block: u64,
    /// The print of the first block of agents, while all others have the same.
    copied: Option<u32>,
}

/// Games of an arm that agents broke off, so many that nothing can be said of the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spoilt<'a> {
    /// How many they are.
    pub forfeits: u64,
    /// Games of the arm.
    pub games: u64,
    /// Who broke off the first of them, and why.
    pub first: &'a str,
}

/// Sums over one arm.
#[derive(Clone, Debug, Default)]
pub struct ArmSums {
    /// Values of blocks.
    pub values: Moments,
    /// Games that an agent broke off.
    pub forfeits: u64,
    /// Who broke off the first of them, and why.
    pub first_forfeit: Option<String>,
}

impl BlockStats {
    /// Nothing yet, of `n_arms` arms with `games_per_block` games in a block of each.
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

    /// The same where each block also has the luck behind its metric, as [`Metric::luck`](super::metric::Metric::luck)
    /// counts it.
    #[must_use]
    pub fn with_luck(self, has_luck: bool) -> Self {
        Self { luck: has_luck.then(Box::default), ..self }
    }

    /// Takes note of a block of each arm and gives its value, by the metric at this place.
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

    /// Keeps the print of the first block of agents as long as the others have the same.
    fn note_copies(&mut self, blocks: &[Block]) {
        let [block] = blocks else { return };
        if self.blocks() == 0 {
            self.copied = Some(block.print);
        }
        self.copied = self.copied.filter(|first| *first == block.print);
    }

    /// Whether all blocks of agents, at least two, came out the same in points, scores and length: one block again and again,
    /// as of agents that draw no lots in a game without chance.
    #[must_use]
    pub fn are_copies(&self) -> bool {
        self.copied.is_some() && self.blocks() > 1
    }

    /// The arm of which more than [`MOST_FORFEITS`] of the games were forfeited, if there is one.
    #[must_use]
    pub fn spoilt(&self) -> Option<Spoilt<'_>> {
        let games = self.blocks() * self.games_per_block;
        let worst = self.arms.iter().max_by_key(|arm| arm.forfeits)?;
        let first = worst.first_forfeit.as_deref().unwrap_or_default();
        let is_spoilt = worst.forfeits as f64 > MOST_FORFEITS * games as f64;
        is_spoilt.then_some(Spoilt { forfeits: worst.forfeits, games, first })
    }

    /// The values of the blocks, in their order; of the first [`MOST_VALUES`], if there are more.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values by luck, of blocks that have it.
    #[must_use]
    pub fn luck(&self) -> Option<&Regression> {
        self.luck.as_deref()
    }

    /// Number, mean and variance of the values.
    #[must_use]
    pub const fn moments(&self) -> &Moments {
        &self.moments
    }

    /// The arms, in their order.
    #[must_use]
    pub fn arms(&self) -> &[ArmSums] {
        &self.arms
    }

    /// Blocks heard of.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.moments.n()
    }

    /// Games in these blocks, of all arms.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.blocks() * self.games_per_block * self.arms.len() as u64
    }

    /// How many times the games shared chance was worth: the variance that independent games would have had over the
    /// one that was seen. For two arms, that of a difference of independent blocks; for one, that of the mean of
    /// independent games. `None` where nothing varies.
    #[must_use]
    pub fn relative_efficiency(&self) -> Option<Efficiency> {
        self.efficiency.estimate()
    }
}

/// The value of a block of all arms, by the metric at this place: that of the only arm, or B less A.
#[must_use]
pub fn value_of(blocks: &[Block], place: usize) -> f64 {
    match blocks {
        [a, b] => b.values[place].mean - a.values[place].mean,
        others => others.first().map_or(0.0, |block| block.values[place].mean),
    }
}
