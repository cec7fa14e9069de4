//! A population as an [`Objective`]: its tables, and candidates against draws from its mixture.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use engine::MAX_PLAYERS;

use super::seats::{Seats, Strategy};
use crate::tune::objective::{Batch, Evaluation, Field, Objective};
use sim::error::Error;
use sim::population::drawn;

/// A population with its mixture, which both change from round to round.
#[derive(Clone, PartialEq, Default, Debug)]
struct Current {
    strategies: Vec<Strategy>,
    mix: Vec<f64>,
}

/// The tables of a population.
///
/// In the field [`Field::Pool`] the candidate takes the first place, and every other place draws a strategy from the
/// mixture, for each block anew. All candidates meet the same draws and the same chance. A mixture against itself gets
/// an equal share, so that a value is the candidate's gain over the mixture.
pub struct PopulationTables<'a> {
    seats: &'a dyn Seats,
    now: RwLock<Current>,
}

impl std::fmt::Debug for PopulationTables<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PopulationTables({} players)", self.seats.players())
    }
}

impl<'a> PopulationTables<'a> {
    /// Creates the tables of no strategy yet.
    #[must_use]
    pub fn new(seats: &'a dyn Seats) -> Self {
        Self { seats, now: RwLock::default() }
    }

    /// Replaces the population and its mixture.
    pub fn set(&self, strategies: &[Strategy], mix: &[f64]) {
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        *now = Current { strategies: strategies.to_vec(), mix: mix.to_vec() };
    }
}

impl Objective for PopulationTables<'_> {
    /// Plays a batch. The parts of a block are the points of each place, then the trace.
    fn play(&self, batch: &Batch) -> Result<Evaluation, Error> {
        let now = self.now.read().unwrap_or_else(PoisonError::into_inner).clone();
        let players = self.seats.players();
        let strategy = |&number: &usize| now.strategies[number].clone();
        let mut tables: BTreeMap<Vec<usize>, Vec<u64>> = BTreeMap::new();
        let is_trial = !matches!(batch.field, Field::Table(_));
        for block in batch.blocks.clone() {
            let others = match batch.field {
                Field::Table(places) => {
                    places[..players].iter().map(|&place| usize::from(place)).collect()
                }
                _ => drawn(&now.mix, players - 1, batch.seed, block),
            };
            tables.entry(others).or_default().push(block);
        }
        let mut all = BTreeMap::new();
        for (others, blocks) in tables {
            let candidate = is_trial.then(|| Strategy::Point(batch.point.clone()));
            let places: Vec<Strategy> =
                candidate.into_iter().chain(others.iter().map(strategy)).collect();
            let came = self.seats.play(&places, batch.seed, &blocks, is_trial)?;
            all.extend(blocks.into_iter().zip(came));
        }
        let equal = 1.0 / players as f64;
        let values = all.values().map(|block| block.points[0] - equal).collect();
        let parts = all.into_values().map(|block| [&block.points[..], &[block.trace]].concat());
        Ok(Evaluation { values, parts: parts.collect() })
    }

    fn games_per_block(&self) -> u64 {
        self.seats.players() as u64
    }
}

/// Returns the field of the table with these strategies, by number.
///
/// # Panics
/// If there are more places than seats in any game, or more strategies than a byte can number.
#[must_use]
pub fn table(places: &[usize]) -> Field {
    let mut all = [0; MAX_PLAYERS];
    for (place, &strategy) in all.iter_mut().zip(places) {
        *place = u8::try_from(strategy).expect("a population is small");
    }
    Field::Table(all)
}
