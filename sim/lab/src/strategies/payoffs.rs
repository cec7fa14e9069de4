//! The points of a population's tables: blocks of every profile, the game of their means, and its resamples.

use sim::stats::bootstrap::GROUPS;
use sim::stats::meta_game::{MetaGame, probability, profiles};
use sim::stats::{Bootstrap, Moments};

/// The points of each place, block by block.
type Blocks = Vec<Vec<f64>>;

/// The blocks of every profile of a population, apart from those with one strategy in all places: they have equal
/// points.
#[derive(Clone, PartialEq, Debug)]
pub struct Payoffs {
    players: usize,
    strategies: usize,
    tables: Vec<(Vec<usize>, Blocks)>,
}

fn is_mixed(profile: &[usize]) -> bool {
    profile.iter().any(|strategy| *strategy != profile[0])
}

impl Payoffs {
    /// Creates the payoffs of a population of one strategy.
    #[must_use]
    pub const fn new(players: usize) -> Self {
        Self { players, strategies: 1, tables: Vec::new() }
    }

    /// Adds the profiles of further strategies, without blocks, until there are `strategies`.
    pub fn grow(&mut self, strategies: usize) {
        let old = std::mem::take(&mut self.tables);
        let mut old = old.into_iter().peekable();
        for profile in profiles(strategies, self.players).into_iter().filter(|one| is_mixed(one)) {
            let known = old.next_if(|(known, _)| *known == profile);
            self.tables.push(known.unwrap_or((profile, Blocks::new())));
        }
        self.strategies = strategies;
    }

    /// Returns the profiles, with the number of blocks of each.
    pub fn tables(&self) -> impl Iterator<Item = (&[usize], u64)> {
        self.tables.iter().map(|(profile, blocks)| (&profile[..], blocks.len() as u64))
    }

    /// Adds blocks of the table `at`: the points of each place, and anything behind them.
    pub fn add(&mut self, at: usize, blocks: &[Vec<f64>]) {
        let players = self.players;
        self.tables[at].1.extend(blocks.iter().map(|block| block[..players].to_vec()));
    }

    /// Returns the number of strategies.
    #[must_use]
    pub const fn strategies(&self) -> usize {
        self.strategies
    }

    /// Returns the game of the mean points.
    #[must_use]
    pub fn game(&self) -> MetaGame {
        self.resampled(&[1.0])
    }

    /// Returns the game in which block b of every profile counts as often as the group `b mod groups`.
    fn resampled(&self, times: &[f64]) -> MetaGame {
        MetaGame::new(self.strategies, self.players, |profile| {
            let Ok(at) = self.tables.binary_search_by(|(one, _)| one[..].cmp(profile)) else {
                return vec![1.0 / self.players as f64; self.players];
            };
            let (mut sums, mut n) = (vec![0.0; self.players], 0.0);
            for (block, points) in self.tables[at].1.iter().enumerate() {
                let times = times[block % times.len()];
                sums.iter_mut().zip(points).for_each(|(sum, points)| *sum += times * points);
                n += times;
            }
            sums.iter_mut().for_each(|sum| *sum /= n);
            sums
        })
    }

    /// Returns the value of `statistic` on resamples of the blocks. Blocks with the same number share their chance and
    /// are drawn together.
    pub fn draws<T>(
        &self,
        plan: Bootstrap,
        mut statistic: impl FnMut(&MetaGame) -> T,
    ) -> (Vec<T>, usize) {
        let fewest = self.tables().map(|(_, blocks)| blocks).min().unwrap_or(0);
        let groups = fewest.min(GROUPS) as usize;
        (plan.draws(groups, |times| statistic(&self.resampled(times))), groups)
    }

    /// Returns the points above an equal share of a seat with `strategy` against `other` in all other seats.
    ///
    /// # Panics
    /// If both are one strategy.
    #[must_use]
    pub fn duel(&self, strategy: usize, other: usize) -> Moments {
        let mut profile = vec![other; self.players - 1];
        profile.push(strategy);
        profile.sort_unstable_by(|a, b| b.cmp(a));
        let found = self.tables.binary_search_by(|(one, _)| one.cmp(&profile));
        let (profile, blocks) = &self.tables[found.expect("two strategies have a table")];
        let own = |block: &Vec<f64>| {
            let seats = profile.iter().zip(block).filter(|(seat, _)| **seat == strategy);
            let points: Vec<f64> = seats.map(|(_, points)| *points).collect();
            points.iter().sum::<f64>() / points.len() as f64
        };
        let mut moments = Moments::default();
        blocks.iter().for_each(|block| moments.add(own(block) - 1.0 / self.players as f64));
        moments
    }

    /// Returns the table whose next blocks tell most about the value of `mix`, with the standard error that it adds.
    #[must_use]
    pub fn most_uncertain(&self, mix: &[f64], given: &[u64]) -> Option<usize> {
        let error = |at: usize| {
            let (profile, blocks) = &self.tables[at];
            let mut first = Moments::default();
            blocks.iter().for_each(|block| first.add(block[0]));
            let n = (blocks.len() as u64 + given[at]) as f64;
            probability(profile, mix) * first.variance().sqrt() / n.sqrt()
        };
        let errors = (0..self.tables.len()).map(|at| (at, error(at)));
        errors.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
    }
}
