//! Methods of searching: each asks for points to be played and is told what they came to.
//!
//! A method sees a space, a number of blocks and a seed, and nothing of games; what it asks next depends on what it was
//! told and on its seed alone. All points of a batch are played on the same blocks, so that they meet the same chance.
//! What a method names at the end are finalists: they are compared again on blocks that it has never seen.

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

/// Points that are to be played on the same blocks.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// The points.
    pub points: Vec<Point>,
    /// How many blocks each plays.
    pub blocks: u64,
}

impl Batch {
    /// What it costs.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.points.len() as u64 * self.blocks
    }
}

/// A method of searching.
pub trait Method {
    /// What is to be played next; `None` when no budget is left for it.
    fn ask(&mut self) -> Option<Batch>;

    /// What a batch came to: evidence for each of its points.
    fn tell(&mut self, batch: &Batch, evidence: &[Evidence<Train>]);

    /// The points that it would choose now, the best first; none is there twice.
    fn finalists(&self) -> Vec<Point>;
}

/// What a search is given.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What is searched.
    pub space: Space,
    /// Of rules, what the parts of a block should be: who fits something may fit them, and not the loss.
    pub aim: Option<Aim>,
    /// How many blocks it may play in all.
    pub blocks: u64,
    /// The seed of the run.
    pub seed: u64,
    /// Which of several searches of the run it is.
    pub run: u64,
}

impl Terms {
    /// The random numbers of the search.
    #[must_use]
    pub fn stream(&self) -> Stream {
        // Addresses above those of seeds of pools.
        rng::stream(self.seed, (1 << 32) + self.run, Purpose::Analysis)
    }
}

/// Which method searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Points drawn at random, all played equally often: what every other method has to beat.
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

    /// The name.
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

    /// A search by this method.
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

    /// Whether a search names one finalist, and not several that a play-off has to tell from one another.
    #[must_use]
    pub const fn names_one(self) -> bool {
        matches!(self, Self::Surface | Self::CmaEs | Self::Spsa)
    }

    /// How many independent searches a budget is divided into by default: what gains by a play-off of several.
    #[must_use]
    pub const fn usual_runs(self) -> u64 {
        match self {
            Self::Ntbea => 3,
            _ => 1,
        }
    }

    /// The fewest blocks with which a search of so many dimensions is one at all.
    #[must_use]
    pub const fn least_blocks(self, dimensions: usize) -> u64 {
        let dimensions = dimensions as u64;
        match self {
            Self::Random | Self::Halving => 64,
            Self::Spsa | Self::CmaEs | Self::Ntbea => 64 + 16 * dimensions,
            // Twice as many as an additive quadratic surface has coefficients, and the same once more.
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

/// The points with the highest values, the best first, each once; at most `most`.
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

/// Finalists of a method: more would thin out the blocks that choose among them.
pub(super) const FINALISTS: usize = 4;
