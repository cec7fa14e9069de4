//! The loop: payoffs, mixture, best response, acceptance, until no response gains. Then a report on fresh games.
//!
//! **Seeds.** Payoffs choose the mixture, training blocks choose a candidate, and fresh selection blocks accept or
//! reject it. All statements about the result rest on report blocks, which choose nothing ([`pools`](crate::tune::pools)
//! keeps the four apart by type).
//!
//! **Acceptance.** A candidate enters the population if the 95 % interval of its gain over the mixture lies above 0.
//! The loop ends with the first that does not. If nothing matters, at most 2.5 % of runs accept a candidate. A gain of
//! [`Plan::epsilon`] is found with the power for which [`Plan::confirm`] was chosen.
//!
//! **Copies.** A strategy is a copy of another if blocks of both take the same course against every strategy of the
//! population: the same points in every game and the same lengths. Copies are merged, however they are spelled.

use std::collections::BTreeMap;

use engine::{Purpose, rng};

use super::archive::{Archive, Filling, Niche};
use super::payoffs::Payoffs;
use super::population::{PopulationTables, table};
use super::seats::Strategy;
use crate::tune::evaluator::{Evaluator, Halt, Wanted};
use crate::tune::gain::Gain;
use crate::tune::methods::Kind;
use crate::tune::objective::Field;
use crate::tune::pools::{Blocks, Looks, Opened, Payoff, Pool, Report, Select};
use crate::tune::run::{Budget, How, Search};
use crate::tune::space::{Point, Space};
use sim::stats::Moments;
use sim::stats::meta_game::Solver;

/// The blocks in which two strategies must take the same course to be copies.
pub const COPY: u64 = 24;
/// The blocks that the most uncertain table gets at a time.
const MORE: u64 = 8;

/// A run to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The search space.
    pub space: Space,
    /// The strategies of the start, the first of which is the start of the space.
    pub start: Vec<Strategy>,
    /// The solver of the game between the strategies.
    pub solver: Solver,
    /// The method of the best response.
    pub method: Kind,
    /// The largest number of responses.
    pub rounds: u64,
    /// The blocks of the search of a response.
    pub train: u64,
    /// The blocks of the acceptance of a response.
    pub confirm: u64,
    /// The blocks of each table in the report.
    pub report: u64,
    /// The smallest gain that matters, in points.
    pub epsilon: f64,
    /// The random corners at the start of each independent loop.
    pub corners: u64,
    /// The number of independent loops whose survivors begin the reported one; 1 reports the first loop itself.
    pub runs: u64,
    /// The seed.
    pub seed: u64,
    /// The archive by behaviour to fill at the end, if any.
    pub niche: Option<Niche>,
}

impl Plan {
    /// Returns the start of a population: the start of the space, the given agents, then random points.
    #[must_use]
    pub fn start(space: &Space, given: usize, corners: u64, seed: u64) -> Vec<Strategy> {
        let mut stream = rng::stream(seed, 2 << 32, Purpose::Analysis);
        let first = Strategy::Point(space.start());
        let mut all: Vec<Strategy> =
            std::iter::once(first).chain((0..given).map(Strategy::Given)).collect();
        for _ in 0..corners {
            // A corner has every ordered value at an end of its range, and words as they fall.
            let drawn = space.draw(&mut stream);
            let ends = space.dimensions().iter().zip(drawn.places());
            let places: Vec<f64> = ends
                .map(|(one, place)| if one.range.is_ordered() { place.round() } else { *place })
                .collect();
            let corner = Strategy::Point(space.at(&places));
            if !all.contains(&corner) {
                all.push(corner);
            }
        }
        all
    }
}

/// A response to the mixture of a round.
#[derive(Clone, Debug)]
pub struct Response {
    /// The point.
    pub point: Point,
    /// Its gain over the mixture on selection blocks; without blocks for a copy.
    pub gain: Moments,
    /// The strategy of the population that it is a copy of, if any.
    pub copy_of: Option<usize>,
}

impl Response {
    /// Returns true if its gain is confirmed.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.copy_of.is_none() && Gain::Share.interval(&self.gain).low > 0.0
    }
}

/// A round of the loop.
#[derive(Clone, Debug)]
pub struct Round {
    /// The mixture of the population.
    pub mix: Vec<f64>,
    /// The response that the search found; `None` if it found only strategies of the population.
    pub response: Option<Response>,
}

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The strategies, in the order of their entry.
    pub strategies: Vec<Strategy>,
    /// Strategies of the start that were merged, each with the number of the one that it is a copy of.
    pub merged: Vec<(Strategy, usize)>,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// The payoffs that chose the mixtures.
    pub payoffs: Payoffs,
    /// The payoffs of the report.
    pub report: Payoffs,
    /// The archive by behaviour.
    pub archive: Option<Archive>,
    /// The survivors of independent loops, the lightest, that were left out because tables would be too many.
    pub left_out: usize,
    /// The seed of the reported loop.
    pub seed: u64,
    /// The total number of blocks.
    pub blocks: u64,
}

/// Returns the response that ended the loop; `None` if the rounds ran out, or if no new strategy was found.
#[must_use]
pub fn last(rounds: &[Round]) -> Option<&Response> {
    rounds.last()?.response.as_ref().filter(|response| !response.is_accepted())
}

/// Returns true if the loop ended because no response gained.
#[must_use]
pub fn is_closed(rounds: &[Round]) -> bool {
    rounds.last().is_some_and(|round| !round.response.as_ref().is_some_and(Response::is_accepted))
}

/// The state of a run.
pub(super) struct Loop<'a, 'b, 'c> {
    plan: &'a Plan,
    tables: &'a PopulationTables<'a>,
    evaluator: &'b mut Evaluator<'c>,
    pub(super) strategies: Vec<Strategy>,
    payoffs: Payoffs,
    /// The course of the blocks in which one strategy meets another in all other places.
    courses: BTreeMap<(usize, usize), Vec<Vec<f64>>>,
}

impl Plan {
    /// Makes the run on `tables`, which are also the objective of `evaluator`.
    ///
    /// # Errors
    /// If the run was stopped, blocks cannot be played or logged, or the log belongs to another run.
    pub fn run(
        &self,
        tables: &PopulationTables<'_>,
        players: usize,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Outcome, Halt> {
        let (plan, left_out) = self.joined(tables, evaluator)?;
        let mut state = Loop::new(&plan, tables, evaluator);
        let merged = state.gather()?;
        let (rounds, mix) = state.answer(players)?;
        let opened = Pool::<Report>::of(plan.seed).open(&mut Looks::default());
        let report = state.report(opened, players)?;
        let archive = plan.niche.as_ref().map(|niche| state.archive(niche, &mix)).transpose()?;
        let Loop { strategies, payoffs, evaluator, .. } = state;
        let (blocks, seed) = (evaluator.blocks(), plan.seed);
        Ok(Outcome { strategies, merged, rounds, payoffs, report, archive, left_out, seed, blocks })
    }
}

impl<'a, 'b, 'c> Loop<'a, 'b, 'c> {
    /// Creates the state of a run before its first block.
    pub(super) fn new(
        plan: &'a Plan,
        tables: &'a PopulationTables<'a>,
        evaluator: &'b mut Evaluator<'c>,
    ) -> Self {
        let payoffs = Payoffs::new(tables.players());
        Loop { plan, tables, evaluator, strategies: Vec::new(), payoffs, courses: BTreeMap::new() }
    }

    /// Adds confirmed responses until none gains; returns the rounds and the last mixture.
    pub(super) fn answer(&mut self, players: usize) -> Result<(Vec<Round>, Vec<f64>), Halt> {
        let mut rounds = Vec::new();
        while (rounds.len() as u64) < self.plan.rounds {
            let round = self.round(rounds.len() as u64, players)?;
            let accepted = round.response.as_ref().filter(|response| response.is_accepted());
            let accepted = accepted.map(|response| response.point.clone());
            rounds.push(round);
            let Some(point) = accepted else { break };
            self.strategies.push(Strategy::Point(point));
        }
        let mix = self.fill(players)?;
        Ok((rounds, mix))
    }

    /// Gathers the strategies of the start, without copies; returns the copies.
    pub(super) fn gather(&mut self) -> Result<Vec<(Strategy, usize)>, Halt> {
        let mut merged = Vec::new();
        for strategy in &self.plan.start {
            match self.copy_of(strategy)? {
                Some(known) => merged.push((strategy.clone(), known)),
                None => self.strategies.push(strategy.clone()),
            }
        }
        Ok(merged)
    }

    /// Returns the strategy of the population that `strategy` is a copy of, by games.
    fn copy_of(&mut self, strategy: &Strategy) -> Result<Option<usize>, Halt> {
        let n = self.strategies.len();
        let mut all = self.strategies.clone();
        all.push(strategy.clone());
        self.tables.set(&all, &[]);
        // What was learnt of another candidate with this number is of no use.
        self.courses.retain(|pair, _| pair.0 < n && pair.1 < n);
        let found = (0..n).map(|known| {
            for other in 0..=n {
                if self.course(known, other)? != self.course(n, other)? {
                    return Ok(None);
                }
            }
            Ok(Some(known))
        });
        found.collect::<Result<Vec<_>, Halt>>().map(|found| found.into_iter().flatten().next())
    }

    /// Returns the course of blocks of `one` against `other` in all other places.
    fn course(&mut self, one: usize, other: usize) -> Result<Vec<Vec<f64>>, Halt> {
        if let Some(known) = self.courses.get(&(one, other)) {
            return Ok(known.clone());
        }
        let mut places = vec![other; engine::MAX_PLAYERS];
        places[0] = one;
        let blocks = Pool::<Payoff>::of(self.plan.seed).fresh(COPY);
        let wanted = Wanted { point: self.plan.space.start(), field: table(&places), blocks };
        let came = self.evaluator.evaluate(&[wanted])?[0].parts().to_vec();
        self.courses.insert((one, other), came.clone());
        Ok(came)
    }

    /// Plays the tables of the population, finds a response to its mixture and tests it.
    fn round(&mut self, number: u64, players: usize) -> Result<Round, Halt> {
        let mix = self.fill(players)?;
        // The addresses of the rounds differ from that of the run, whose pools serve payoffs and the report.
        let seed = self.plan.seed.wrapping_add((number + 1) << 32);
        let search = Search {
            aim: None,
            space: self.plan.space.clone(),
            how: How::By(self.plan.method),
            runs: 1,
            seed,
            budget: Budget { train: self.plan.train, select: 0, confirm: self.plan.confirm },
            held_out: 0,
        };
        self.tables.set(&self.strategies, &mix);
        let found = search.shard(self.evaluator, 0)?;
        let is_new = |point: &Point| !self.strategies.contains(&Strategy::Point(point.clone()));
        let Some(point) = found.into_iter().find(is_new) else {
            return Ok(Round { mix, response: None });
        };
        let copy_of = self.copy_of(&Strategy::Point(point.clone()))?;
        let mut gain = Moments::default();
        if copy_of.is_none() {
            self.tables.set(&self.strategies, &mix);
            let blocks = Pool::<Select>::of(seed).fresh(self.plan.confirm);
            let wanted = Wanted { point: point.clone(), field: Field::Pool, blocks };
            gain = self.evaluator.evaluate(&[wanted])?[0].moments();
        }
        Ok(Round { mix, response: Some(Response { point, gain, copy_of }) })
    }

    /// Plays the tables of new strategies, then those that are most uncertain under the mixture; returns the mixture.
    fn fill(&mut self, players: usize) -> Result<Vec<f64>, Halt> {
        self.payoffs.grow(self.strategies.len());
        self.tables.set(&self.strategies, &[]);
        // Half of the blocks that a table gets in the report; the other half goes where it helps.
        let each = self.plan.report / 2;
        let missing: Vec<u64> =
            self.payoffs.tables().map(|(_, blocks)| each.saturating_sub(blocks)).collect();
        let new = missing.iter().filter(|blocks| **blocks > 0).count() as u64;
        self.play(&missing, players)?;
        let mix = self.plan.solver.solve(&self.payoffs.game());
        // As many blocks again go where the value of the mixture is uncertain.
        let mut given = vec![0; missing.len()];
        for _ in 0..new * each / MORE {
            let Some(at) = self.payoffs.most_uncertain(&mix, &given) else { break };
            given[at] += MORE;
        }
        self.play(&given, players)?;
        Ok(self.plan.solver.solve(&self.payoffs.game()))
    }

    /// Plays further blocks of each table.
    fn play(&mut self, more: &[u64], players: usize) -> Result<(), Halt> {
        let pool = |first| Pool::<Payoff>::of(self.plan.seed).from(first);
        let tables = self.payoffs.tables().zip(more).enumerate();
        let wanted: (Vec<usize>, Vec<Wanted<Payoff>>) = tables
            .filter(|(_, (_, more))| **more > 0)
            .map(|(at, ((profile, first), more))| {
                let blocks = pool(first).fresh(*more);
                (at, wanted(&self.plan.space, &profile[..players], blocks))
            })
            .unzip();
        let came = self.evaluator.evaluate(&wanted.1)?;
        wanted.0.iter().zip(came).for_each(|(at, came)| self.payoffs.add(*at, came.parts()));
        Ok(())
    }

    /// Fills an archive among draws from the mixture.
    fn archive(&mut self, niche: &Niche, mix: &[f64]) -> Result<Archive, Halt> {
        let Plan { space, seed, report, .. } = self.plan;
        let (seed, report, evaluator) = (*seed, *report, &mut *self.evaluator);
        let filling = Filling { niche, space, seed, report, tables: self.tables, evaluator };
        filling.fill(&self.strategies, mix)
    }

    /// Plays every table on blocks of the report.
    pub(super) fn report(&mut self, mut opened: Opened, players: usize) -> Result<Payoffs, Halt> {
        let mut report = Payoffs::new(players);
        report.grow(self.strategies.len());
        let blocks = opened.fresh(self.plan.report);
        let all: Vec<Wanted<Report>> = report
            .tables()
            .map(|(profile, _)| wanted(&self.plan.space, profile, blocks.clone()))
            .collect();
        let came = self.evaluator.evaluate(&all)?;
        (0..).zip(came).for_each(|(at, came)| report.add(at, came.parts()));
        Ok(report)
    }
}

/// Returns the request of a table; the candidate of the request does not play.
fn wanted<U>(space: &Space, profile: &[usize], blocks: Blocks<U>) -> Wanted<U> {
    Wanted { point: space.start(), field: table(profile), blocks }
}
