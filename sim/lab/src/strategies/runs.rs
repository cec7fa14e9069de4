//! Independent loops, whose survivors begin the loop that is reported.
//!
//! A loop ends at the first response that is not confirmed, so it stands where its own start led it. Further loops
//! begin with other corners and search with other games. Each is a part of the run that can be played alone, as a shard.

use std::sync::{Mutex, PoisonError};

use super::findings::SURVIVES;
use super::population::PopulationTables;
use super::run::{Loop, Plan, Round};
use super::seats::Strategy;
use super::study::{MOST_TABLES, tables};
use crate::tune::evaluator::{Evaluator, Halt};
use crate::tune::journal::{Memory, Row};
use crate::tune::objective::{Batch, Evaluation, Objective};
use sim::error::Error;
use sim::stats::meta_game::Solver;

/// The distance of the seed of the reported loop from that of the first independent one: no round has it.
pub(super) const COMMON: u64 = 1 << 40;
/// The distance between the seeds of two independent loops.
const APART: u64 = 1 << 41;

/// A strategy that survived a loop, with its weight.
pub type Survivor = (Strategy, f64);

impl Plan {
    /// Returns the plan of one of the independent loops, from 0.
    fn of_run(&self, run: u64) -> Self {
        let seed = self.seed.wrapping_add(run.wrapping_mul(APART));
        let given = self.given().count();
        let start = Self::start(&self.space, given, self.corners, seed);
        Self { start, seed, runs: 1, niche: None, ..self.clone() }
    }

    /// Returns the agents of the start that are no points.
    fn given(&self) -> impl Iterator<Item = &Strategy> {
        self.start.iter().filter(|one| matches!(one, Strategy::Given(_)))
    }

    /// Returns the largest number of strategies of the reported loop.
    pub(super) fn most(&self, players: u64) -> u64 {
        let own = 1 + self.given().count() as u64;
        let all = own + self.runs * (self.start.len() as u64 + self.rounds);
        let room = Room { solver: self.solver, players: players as usize, more: self.rounds };
        (1..=all).rev().find(|&n| room.holds(n)).unwrap_or(1) + self.rounds
    }

    /// Runs one of the independent loops, from 0, as a shard of the run.
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn shard(
        &self,
        tables: &PopulationTables<'_>,
        evaluator: &mut Evaluator<'_>,
        run: u64,
    ) -> Result<Vec<Survivor>, Halt> {
        Ok(self.of_run(run).grown(tables, evaluator)?.1)
    }

    /// Runs the loop; returns its rounds and survivors.
    pub(super) fn grown(
        &self,
        tables: &PopulationTables<'_>,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<(Vec<Round>, Vec<Survivor>), Halt> {
        let mut state = Loop::new(self, tables, evaluator);
        state.gather()?;
        let (rounds, mix) = state.answer(tables.players())?;
        let weighed = state.strategies.into_iter().zip(mix);
        Ok((rounds, weighed.filter(|(_, weight)| *weight >= SURVIVES).collect()))
    }

    /// Runs the independent loops if there are several. Returns the plan of the reported loop, which begins with the
    /// start and the survivors, and the number of those that were left out.
    pub(super) fn joined(
        &self,
        tables: &PopulationTables<'_>,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<(Self, usize), Halt> {
        if self.runs == 1 {
            return Ok((self.clone(), 0));
        }
        // The agent's own values and the given agents are never left out.
        let own = self.start.iter().take(1).chain(self.given());
        let mut groups: Vec<Vec<Survivor>> =
            vec![own.map(|one| (one.clone(), f64::INFINITY)).collect()];
        for run in 0..self.runs {
            groups.push(self.shard(tables, evaluator, run)?);
        }
        let room = Room { solver: self.solver, players: tables.players(), more: self.rounds };
        let (start, left_out) = room.common(groups);
        Ok((Self { start, seed: self.seed.wrapping_add(COMMON), ..self.clone() }, left_out))
    }

    /// Plays the rows of `chosen` numbers of an independent loop again; returns the number of those that were played.
    /// The other rows answer for themselves.
    ///
    /// # Errors
    /// If a row has another result, the rows are not those of this loop, or blocks cannot be played.
    pub fn play_again(
        &self,
        tables: &PopulationTables<'_>,
        run: u64,
        rows: &[Row],
        chosen: &dyn Fn(u64) -> bool,
    ) -> Result<u64, Error> {
        let chosen: Vec<bool> = (0..rows.len() as u64).map(chosen).collect();
        let stored = Stored { tables, rows, chosen: &chosen, next: Mutex::default() };
        let (stop, mut memory) = (false.into(), Memory::default());
        let mut look = |_, _: &dyn Fn() -> String| {};
        let mut evaluator = Evaluator::new(&stored, &mut memory, &stop, None, &mut look);
        match self.shard(tables, &mut evaluator, run) {
            Err(Halt::Failed(error)) => Err(error),
            _ => Ok(chosen.iter().filter(|one| **one).count() as u64),
        }
    }
}

/// Tables that answer from stored rows, in their order, and play the chosen ones again.
struct Stored<'a> {
    tables: &'a PopulationTables<'a>,
    rows: &'a [Row],
    chosen: &'a [bool],
    next: Mutex<usize>,
}

impl Objective for Stored<'_> {
    fn games_per_block(&self) -> u64 {
        self.tables.games_per_block()
    }

    fn play(&self, batch: &Batch) -> Result<Evaluation, Error> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let at = *next;
        *next += 1;
        let row = self.rows.get(at).filter(|row| row.is_of(row.number, &row.pool, batch));
        let Some(row) = row else {
            let message =
                format!("row {at} of the log is not of this loop, which plays other blocks there");
            return Err(Error::Usage(message));
        };
        if self.chosen[at] && self.tables.play(batch)? != row.came {
            return Err(Error::Failed(format!(
                "row {at} has another result here; the machine that played it or this one is faulty"
            )));
        }
        Ok(row.came.clone())
    }
}

/// The room for strategies: the solver and the tables bound their number.
pub(super) struct Room {
    pub(super) solver: Solver,
    pub(super) players: usize,
    /// Strategies that are added later.
    pub(super) more: u64,
}

impl Room {
    /// Returns the strategies of all groups without repetition, the lightest left out while there are too many, and the
    /// number of those.
    pub(super) fn common(
        &self,
        groups: impl IntoIterator<Item = Vec<Survivor>>,
    ) -> (Vec<Strategy>, usize) {
        let mut all: Vec<Survivor> = Vec::new();
        for (strategy, weight) in groups.into_iter().flatten() {
            match all.iter_mut().find(|(known, _)| *known == strategy) {
                Some((_, known)) => *known = known.max(weight),
                None => all.push((strategy, weight)),
            }
        }
        let n = all.len();
        while all.len() > 1 && !self.holds(all.len() as u64) {
            let lightest = (0..all.len()).min_by(|&i, &j| all[i].1.total_cmp(&all[j].1));
            lightest.map(|at| all.remove(at));
        }
        let left_out = n - all.len();
        (all.into_iter().map(|(strategy, _)| strategy).collect(), left_out)
    }

    fn holds(&self, strategies: u64) -> bool {
        let most = strategies + self.more;
        tables(most, self.players as u64) <= MOST_TABLES
            && self.solver.refusal(most as usize, self.players).is_none()
    }
}
