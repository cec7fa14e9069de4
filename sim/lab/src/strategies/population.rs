//! A population as an [`Objective`]: its tables, and candidates against draws from its mixture.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use engine::MAX_PLAYERS;

use super::descriptors::Descriptor;
use super::seats::{Seats, Strategy, WatchedGame};
use crate::tune::objective::{Batch, Evaluation, Field, Objective};
use sim::error::Error;
use sim::population::drawn;

/// A population with its mixture, which both change from round to round.
#[derive(Clone, PartialEq, Default, Debug)]
struct Current {
    strategies: Vec<Strategy>,
    mix: Vec<f64>,
    /// The descriptors of games that are watched; empty where none are.
    descriptors: Vec<Descriptor>,
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
        self.watch(strategies, mix, &[]);
    }

    /// Replaces the population and its mixture; from now on games are watched for `descriptors`.
    pub(super) fn watch(&self, strategies: &[Strategy], mix: &[f64], descriptors: &[Descriptor]) {
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let descriptors = descriptors.to_vec();
        *now = Current { strategies: strategies.to_vec(), mix: mix.to_vec(), descriptors };
    }

    /// Returns the number of seats.
    pub(super) fn players(&self) -> usize {
        self.seats.players()
    }

    /// Plays blocks of one table. The parts of a block are the points of each place, then the trace; or, if games are
    /// watched, the descriptors of the first place: means over its games.
    fn blocks(
        &self,
        places: &[Strategy],
        batch: &Batch,
        blocks: &[u64],
        descriptors: &[Descriptor],
    ) -> Result<Vec<Vec<f64>>, Error> {
        let is_trial = matches!(batch.field, Field::Pool);
        if descriptors.is_empty() {
            let came = self.seats.play(places, batch.seed, blocks, is_trial)?;
            return Ok(came
                .into_iter()
                .map(|one| [&one.points[..], &[one.trace]].concat())
                .collect());
        }
        let games = self.seats.watch(places, batch.seed, blocks, is_trial)?;
        let players = self.players();
        let mean = |of: &dyn Fn(&WatchedGame) -> f64, games: &[WatchedGame]| {
            games.iter().map(of).sum::<f64>() / players as f64
        };
        let block = |games: &[WatchedGame]| -> Vec<f64> {
            let points = (0..players).map(|place| mean(&|game| game.points[place], games));
            points
                .chain(descriptors.iter().map(|one| mean(&|game| one.of(game, 0), games)))
                .collect()
        };
        Ok(games.chunks(players).map(block).collect())
    }
}

impl Objective for PopulationTables<'_> {
    /// Plays a batch. The parts of a block are the points of each place, then the trace; or, for an archive, the
    /// descriptors of the first place.
    fn play(&self, batch: &Batch) -> Result<Evaluation, Error> {
        let now = self.now.read().unwrap_or_else(PoisonError::into_inner).clone();
        let players = self.players();
        let strategy = |&number: &usize| now.strategies[number].clone();
        let mut tables: BTreeMap<Vec<usize>, Vec<u64>> = BTreeMap::new();
        let first = match batch.field {
            Field::Table(_) => None,
            Field::Member(number) => Some(strategy(&number)),
            _ => Some(Strategy::Point(batch.point.clone())),
        };
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
            let places: Vec<Strategy> =
                first.clone().into_iter().chain(others.iter().map(strategy)).collect();
            let came = self.blocks(&places, batch, &blocks, &now.descriptors)?;
            all.extend(blocks.into_iter().zip(came));
        }
        let equal = 1.0 / players as f64;
        let values = all.values().map(|parts: &Vec<f64>| parts[0] - equal).collect();
        Ok(Evaluation { values, parts: all.into_values().collect() })
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
