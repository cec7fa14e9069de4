//! Search methods: each requests points to be played and receives their results.
//!
//! A method knows a space, a number of blocks and a seed, but no game. Its requests depend on earlier results and its
//! seed alone. All points of a batch are played on the same blocks, so that they meet the same chance. At the end a
//! method names finalists, which are compared again on fresh blocks.

mod cma_es;
mod halving;
mod ntbea;
mod racing;
mod random;
mod spsa;
mod surface;

use std::str::FromStr;

use engine::{Purpose, Stream, rng};

use super::pools::{Evidence, Train};
use super::space::{Point, Space};
use super::target::Aim;

pub use racing::Racing;

/// Points to be played on the same blocks.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// The points.
    pub points: Vec<Point>,
    /// The number of blocks of each point.
    pub blocks: u64,
}

impl Batch {
    /// Returns the total number of blocks.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.points.len() as u64 * self.blocks
    }
}

/// A search method.
pub trait Method {
    /// Returns the next batch; `None` if the budget is spent.
    fn ask(&mut self) -> Option<Batch>;

    /// Takes the results of a batch: evidence for each of its points.
    fn tell(&mut self, batch: &Batch, evidence: &[Evidence<Train>]);

    /// Returns the points that it would choose now, the best first, without duplicates.
    fn finalists(&self) -> Vec<Point>;
}

/// The inputs of a search.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The search space.
    pub space: Space,
    /// The target of a block's parts, for rules: a method may fit the parts instead of the loss.
    pub aim: Option<Aim>,
    /// The total number of blocks.
    pub blocks: u64,
    /// The seed of the run.
    pub seed: u64,
    /// The number of this search within the run.
    pub run: u64,
}

impl Terms {
    /// Returns the random numbers of the search.
    #[must_use]
    pub fn stream(&self) -> Stream {
        // Addresses above those of the seeds of pools.
        rng::stream(self.seed, (1 << 32) + self.run, Purpose::Analysis)
    }
}

/// The kind of search method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Points drawn at random, all played equally often: the baseline for every other method.
    Random,
    /// Simultaneous perturbation stochastic approximation.
    Spsa,
    /// The N-tuple bandit evolutionary algorithm.
    Ntbea,
    /// Covariance matrix adaptation.
    CmaEs,
    /// Successive halving of points drawn at random.
    Halving,
    /// A quadratic response surface.
    Surface,
}

impl Kind {
    /// All methods.
    pub const ALL: [Self; 6] =
        [Self::Surface, Self::CmaEs, Self::Spsa, Self::Ntbea, Self::Halving, Self::Random];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Spsa => "spsa",
            Self::Ntbea => "ntbea",
            Self::CmaEs => "cma-es",
            Self::Halving => "halving",
            Self::Surface => "surface",
        }
    }

    /// Begins a search by this method.
    #[must_use]
    pub fn begin(self, terms: Terms) -> Box<dyn Method> {
        match self {
            Self::Random => Box::new(random::Random::new(terms)),
            Self::Spsa => Box::new(spsa::Spsa::new(terms)),
            Self::Ntbea => Box::new(ntbea::Ntbea::new(terms)),
            Self::CmaEs => Box::new(cma_es::CmaEs::new(terms)),
            Self::Halving => Box::new(halving::Halving::new(&terms)),
            Self::Surface => Box::new(surface::Surface::new(terms)),
        }
    }

    /// Returns true if a search names one finalist; false if it names several for a play-off.
    #[must_use]
    pub const fn names_one(self) -> bool {
        matches!(self, Self::Surface | Self::CmaEs | Self::Spsa)
    }

    /// Returns the default number of independent searches that share a budget; more than one if a play-off of several
    /// helps.
    #[must_use]
    pub const fn usual_runs(self) -> u64 {
        match self {
            Self::Ntbea => 3,
            _ => 1,
        }
    }

    /// Returns the smallest number of blocks for a meaningful search of `dimensions` dimensions.
    #[must_use]
    pub const fn least_blocks(self, dimensions: usize) -> u64 {
        let dimensions = dimensions as u64;
        match self {
            Self::Random | Self::Halving => 64,
            Self::Spsa | Self::CmaEs | Self::Ntbea => 64 + 16 * dimensions,
            // Twice the number of coefficients of an additive quadratic surface, and as many again.
            Self::Surface => 64 + 8 * dimensions,
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| format!("there is no such method (accepted: {}, racing)", names()))
    }
}

/// Returns the points with the highest values, the best first, without duplicates; at most `most`.
pub(super) fn best<'a>(scored: impl Iterator<Item = (&'a Point, f64)>, most: usize) -> Vec<Point> {
    let mut scored: Vec<(&Point, f64)> = scored.collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut kept: Vec<Point> = Vec::new();
    for (point, _) in scored {
        if kept.len() == most {
            break;
        }
        if !kept.contains(point) {
            kept.push(point.clone());
        }
    }
    kept
}

/// The number of finalists of a method: more would thin out the blocks of the play-off.
pub(super) const FINALISTS: usize = 4;
