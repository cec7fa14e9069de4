//! An archive of strategies that play differently: the best of each cell of behaviour (MAP-Elites: Mouret and Clune
//! 2015).
//!
//! **Cells.** A sample of random points of the space plays first. Quantiles of its descriptors cut each of them into
//! equally filled bins. A cell is a bin of every descriptor.
//!
//! **Search.** The first elites are the strategies of the population and the sample. Then elites are drawn, moved at
//! random and played. A candidate takes the cell of its behaviour if it gains more than the elite there. All candidates
//! play the same blocks, against draws from the mixture of the population.
//!
//! **Seeds.** The best of many noisy numbers is biased upwards. The elites therefore play fresh blocks of the pool
//! [`Report`], which chose nothing; all numbers that are printed come from them.

use std::collections::BTreeMap;

use engine::{Purpose, Randomness, rng};

use super::descriptors::Descriptor;
use super::population::PopulationTables;
use super::seats::Strategy;
use crate::tune::evaluator::{Evaluator, Halt, Wanted};
use crate::tune::gain::Gain;
use crate::tune::objective::Field;
use crate::tune::pools::{Blocks, Evidence, Looks, Pool, Report, Train, Use};
use crate::tune::space::{Point, Space, normal};
use sim::stats::{Family, Interval, Moments};

/// The blocks of a candidate.
pub const BLOCKS: u64 = 20;
/// The least number of candidates: with fewer, the sample of their first quarter has no quantiles.
pub const LEAST: u64 = 40;
/// The part of the candidates that are drawn from the whole space, to measure its behaviour.
const SAMPLE: u64 = 4;
/// The candidates between two looks at the archive; independent of the number of threads.
const GENERATION: usize = 16;
/// The standard deviation of a move, in ranges of a dimension.
const STEP: f64 = 0.2;
/// The attempts at a candidate that has not played yet.
const TRIES: usize = 64;
/// The edges of bins are rounded to this part, so that a printed edge is exact.
const EDGE: f64 = 100.0;
/// The address of the archive's seed, beyond those of all rounds.
const ADDRESS: u64 = 1 << 48;

/// An archive to fill.
#[derive(Clone, Debug)]
pub struct Niche {
    /// The descriptors, two to four.
    pub descriptors: Vec<Descriptor>,
    /// The number of candidates, with those of the sample.
    pub candidates: u64,
}

impl Niche {
    /// Returns the number of bins of each descriptor: 16 to 27 cells in all.
    #[must_use]
    pub const fn bins(&self) -> usize {
        match self.descriptors.len() {
            2 => 4,
            3 => 3,
            _ => 2,
        }
    }

    /// Returns the largest number of cells.
    #[must_use]
    pub const fn cells(&self) -> u64 {
        (self.bins() as u64).pow(self.descriptors.len() as u32)
    }
}

/// The strategy of a cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Elite {
    /// The strategy.
    pub strategy: Strategy,
    /// Its gain over the mixture on fresh blocks.
    pub gain: Moments,
    /// Its descriptors on fresh blocks: means over games.
    pub described: Vec<f64>,
    /// True if these lie in its cell, too.
    pub stays: bool,
}

/// A filled archive.
#[derive(Clone, PartialEq, Debug)]
pub struct Archive {
    /// The edges between the bins of each descriptor; none if the sample does not differ.
    pub edges: Vec<Vec<f64>>,
    /// The elites by cell: the number of the bin of each descriptor.
    pub elites: BTreeMap<Vec<usize>, Elite>,
    /// The number of candidates that played.
    pub candidates: u64,
}

impl Archive {
    /// Returns the interval of an elite's gain, which holds together with those of all elites.
    #[must_use]
    pub fn interval(&self, elite: &Elite) -> Interval {
        Gain::Share.together(&elite.gain, Family::of(self.elites.len().max(1)))
    }

    /// Returns all cells, in order.
    #[must_use]
    pub fn cells(&self) -> Vec<Vec<usize>> {
        self.edges.iter().fold(vec![Vec::new()], |cells, edges| {
            let grown = |cell: &Vec<usize>| {
                let cell = cell.clone();
                (0..=edges.len()).map(move |bin| [&cell[..], &[bin]].concat())
            };
            cells.iter().flat_map(grown).collect()
        })
    }
}

/// The games of a candidate.
struct Seen {
    gain: Moments,
    described: Vec<f64>,
}

impl Seen {
    fn of<U: Use>(came: &Evidence<U>, players: usize) -> Self {
        let n = came.parts().len() as f64;
        let mut described = vec![0.0; came.parts().first().map_or(0, Vec::len) - players];
        for block in came.parts() {
            described.iter_mut().zip(&block[players..]).for_each(|(sum, x)| *sum += x);
        }
        // Divided last, so that a thing of every game has a share of exactly one.
        described.iter_mut().for_each(|sum| *sum /= n);
        Self { gain: came.moments(), described }
    }
}

/// The inner edges of `bins` equally filled parts of `values`, rounded and each once.
fn edges(mut values: Vec<f64>, bins: usize) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    let at = |i: usize| (EDGE * values[i * values.len() / bins]).round() / EDGE;
    let mut all: Vec<f64> = (1..bins).map(at).collect();
    all.dedup();
    // A part below the least value would stay empty.
    all.retain(|edge| *edge > values[0]);
    all
}

fn cell(edges: &[Vec<f64>], described: &[f64]) -> Vec<usize> {
    let bin = |(edges, x): (&Vec<f64>, &f64)| edges.iter().filter(|edge| *x >= **edge).count();
    edges.iter().zip(described).map(bin).collect()
}

/// The best candidate of each cell, by its number and its mean gain in the search.
type Best = BTreeMap<Vec<usize>, (usize, f64)>;

/// The search that fills an archive.
pub(super) struct Filling<'a, 'b, 'c> {
    /// The archive.
    pub(super) niche: &'a Niche,
    /// The search space.
    pub(super) space: &'a Space,
    /// The seed of the run.
    pub(super) seed: u64,
    /// The blocks of an elite in the report.
    pub(super) report: u64,
    /// The tables.
    pub(super) tables: &'a PopulationTables<'a>,
    /// The evaluator of the tables.
    pub(super) evaluator: &'b mut Evaluator<'c>,
}

impl Filling<'_, '_, '_> {
    /// Fills the archive among draws from the mixture of a population.
    pub(super) fn fill(mut self, population: &[Strategy], mix: &[f64]) -> Result<Archive, Halt> {
        let seed = self.seed.wrapping_add(ADDRESS);
        self.tables.watch(population, mix, &self.niche.descriptors);
        let mut candidates: Vec<Strategy> = population.to_vec();
        let members = candidates.len();
        let mut stream = rng::stream(seed, 0, Purpose::Analysis);
        let most = members + self.niche.candidates as usize;
        let sample = (self.niche.candidates / SAMPLE) as usize;
        self.grow(&mut candidates, sample, |space| space.draw(&mut stream));
        let blocks = Pool::<Train>::of(seed).fresh(BLOCKS);
        let mut seen = self.play(&candidates, members, &blocks)?;
        // A space of few strategies may be played already: then all of them are the sample.
        let first = if candidates.len() > members { members } else { 0 };
        let of = |i: usize| seen[first..].iter().map(|one| one.described[i]).collect();
        let edges: Vec<Vec<f64>> =
            (0..self.niche.descriptors.len()).map(|i| edges(of(i), self.niche.bins())).collect();
        let mut best = Best::new();
        (0..seen.len()).for_each(|i| enter(&mut best, &edges, &seen, i));
        while candidates.len() < most {
            let from = candidates.len();
            let elites: Vec<Strategy> =
                best.values().map(|(i, _)| candidates[*i].clone()).collect();
            let more = GENERATION.min(most - from);
            self.grow(&mut candidates, more, |space| moved(space, &elites, &mut stream));
            if candidates.len() == from {
                break;
            }
            seen.extend(self.play(&candidates[from..], 0, &blocks)?);
            (from..seen.len()).for_each(|i| enter(&mut best, &edges, &seen, i));
        }
        let chosen: Vec<(Vec<usize>, usize)> =
            best.into_iter().map(|(cell, (i, _))| (cell, i)).collect();
        let elites = self.report(&candidates, members, &chosen, &edges)?;
        Ok(Archive { edges, elites, candidates: seen.len() as u64 })
    }

    /// Adds up to `more` points that are new.
    fn grow(
        &self,
        candidates: &mut Vec<Strategy>,
        more: usize,
        mut draw: impl FnMut(&Space) -> Point,
    ) {
        for _ in 0..more {
            let mut drawn = (0..TRIES).map(|_| Strategy::Point(draw(self.space)));
            candidates.extend(drawn.find(|one| !candidates.contains(one)));
        }
    }

    /// Plays candidates, of which the first `members` are those of the population.
    fn play<U: Use>(
        &mut self,
        candidates: &[Strategy],
        members: usize,
        blocks: &Blocks<U>,
    ) -> Result<Vec<Seen>, Halt> {
        let numbered: Vec<(usize, &Strategy)> = candidates.iter().enumerate().collect();
        self.play_each(&numbered, members, blocks)
    }

    fn play_each<U: Use>(
        &mut self,
        candidates: &[(usize, &Strategy)],
        members: usize,
        blocks: &Blocks<U>,
    ) -> Result<Vec<Seen>, Halt> {
        let wanted = |&(i, one): &(usize, &Strategy)| {
            let blocks = blocks.clone();
            match one {
                Strategy::Point(point) if i >= members => {
                    Wanted { point: point.clone(), field: Field::Pool, blocks }
                }
                _ => Wanted { point: self.space.start(), field: Field::Member(i), blocks },
            }
        };
        let wanted: Vec<Wanted<U>> = candidates.iter().map(wanted).collect();
        let came = self.evaluator.evaluate(&wanted)?;
        self.evaluator.tell(&String::new);
        let players = self.tables.players();
        Ok(came.iter().map(|one| Seen::of(one, players)).collect())
    }

    /// Plays the elites on fresh blocks.
    fn report(
        &mut self,
        candidates: &[Strategy],
        members: usize,
        chosen: &[(Vec<usize>, usize)],
        edges: &[Vec<f64>],
    ) -> Result<BTreeMap<Vec<usize>, Elite>, Halt> {
        let pool = Pool::<Report>::of(self.seed.wrapping_add(ADDRESS));
        let blocks = pool.open(&mut Looks::default()).fresh(self.report);
        let all: Vec<(usize, &Strategy)> =
            chosen.iter().map(|(_, i)| (*i, &candidates[*i])).collect();
        let seen = self.play_each(&all, members, &blocks)?;
        let elite = |((at, i), seen): (&(Vec<usize>, usize), Seen)| {
            let stays = cell(edges, &seen.described) == *at;
            let strategy = candidates[*i].clone();
            let elite = Elite { strategy, gain: seen.gain, described: seen.described, stays };
            (at.clone(), elite)
        };
        Ok(chosen.iter().zip(seen).map(elite).collect())
    }
}

/// Enters a candidate into its cell if it gains more than the elite there.
fn enter(best: &mut Best, edges: &[Vec<f64>], seen: &[Seen], i: usize) {
    let mean = seen[i].gain.mean();
    let own = best.entry(cell(edges, &seen[i].described)).or_insert((i, mean));
    if mean > own.1 {
        *own = (i, mean);
    }
}

/// Returns a random elite with some values moved; a random point for one that is no point.
fn moved(space: &Space, elites: &[Strategy], rng: &mut impl Randomness) -> Point {
    let at = rng.below(elites.len() as u32) as usize;
    let Strategy::Point(point) = &elites[at] else { return space.draw(rng) };
    let always = rng.below(space.len() as u32) as usize;
    let mut places = point.places().to_vec();
    for (i, dimension) in space.dimensions().iter().enumerate() {
        // Half of the values move, at least one.
        if i != always && rng.unit() < 0.5 {
            continue;
        }
        places[i] = match dimension.range.is_ordered() {
            true => (STEP.mul_add(normal(rng), places[i])).clamp(0.0, 1.0),
            false => rng.unit(),
        };
    }
    space.at(&places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_quantiles_and_equal_values_have_none() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(edges(values, 4), [25.0, 50.0, 75.0]);
        assert!(edges(vec![2.0; 9], 4).is_empty());
        assert_eq!(edges(vec![0.0, 0.0, 0.0, 1.0], 4), [1.0]);
        let both = [vec![25.0, 50.0], vec![]];
        assert_eq!(cell(&both, &[25.0, 9.0]), [1, 0]);
        assert_eq!(cell(&both, &[24.9, 9.0]), [0, 0]);
    }
}
