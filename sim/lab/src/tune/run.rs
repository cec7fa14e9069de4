//! A complete tuning run: searches on the training pool, a play-off of their finalists on the selection pool, and a
//! confirmation on the report pool. In the confirmation the chosen point meets the start and held-out opponents.
//!
//! **The verdict.** The gain is the share of the candidate less that of the start, block by block under the same
//! chance, against the pool of opponents. The candidate is chosen before the first block of the report pool. Its
//! interval therefore covers like that of an agent named beforehand. "Better" means that the interval is above 0, and
//! that no interval against a held-out opponent, or against the start itself, is below 0. If nothing is better, this
//! happens in at most 2.5 % of runs ([`super::confirm`]).

use super::confirm::{Confirmation, Reported, Verdict};
use super::evaluator::{Evaluator, Halt, Wanted};
use super::gain::Gain;
use super::methods::{Kind, Method, Racing, Terms};
use super::objective::Field;
use super::pools::{Evidence, Looks, Pool, Report, Select, Train};
use super::response::{FittedSurface, Played, Response};
use super::space::{Point, Space};
use super::target::Aim;
use sim::stats::{Interval, Moments};
use sim::units;

/// The way to search for points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// A search by a method.
    By(Kind),
    /// A race over all points of a small space.
    Racing,
}

impl How {
    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::By(kind) => kind.name(),
            Self::Racing => "racing",
        }
    }
}

/// The numbers of blocks of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The blocks of all searches together.
    pub train: u64,
    /// The blocks of all finalists and the start together.
    pub select: u64,
    /// The blocks of the candidate, and of the start, against the pool and against each held-out opponent.
    pub confirm: u64,
}

impl Budget {
    /// The fraction of searching and choosing for the play-off, if finalists must be separated.
    pub const SELECT: f64 = 0.15;
    /// The fraction with one finalist, for which the play-off only decides whether a report is worthwhile.
    const SELECT_ONE: f64 = 0.06;
    /// The smallest number of blocks of a play-off.
    pub const LEAST_SELECT: u64 = 50;

    /// Divides `blocks` between searching and choosing; there must be enough for both.
    #[must_use]
    pub fn of(how: How, runs: u64, blocks: u64, confirm: u64) -> Self {
        let is_one = runs == 1 && matches!(how, How::By(kind) if kind.names_one());
        let part = if is_one { Self::SELECT_ONE } else { Self::SELECT };
        let select = ((part * blocks as f64) as u64).max(Self::LEAST_SELECT).min(blocks);
        Self { train: blocks - select, select, confirm }
    }
}

/// A search to run.
#[derive(Clone, Debug)]
pub struct Search {
    /// The target of a block's parts, for rules; `None` if an agent is tuned.
    pub aim: Option<Aim>,
    /// The search space.
    pub space: Space,
    /// The way to search.
    pub how: How,
    /// The number of independent searches that share the budget.
    pub runs: u64,
    /// The seed.
    pub seed: u64,
    /// The budget in blocks.
    pub budget: Budget,
    /// The number of held-out opponents.
    pub held_out: usize,
}

/// A point in the play-off.
#[derive(Clone, Debug)]
pub struct Finalist {
    /// The point.
    pub point: Point,
    /// The gain over the start.
    pub gain: Moments,
}

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The measure of gains.
    pub gain: Gain,
    /// The start of the search.
    pub start: Point,
    /// The finalists, the best in the play-off first.
    pub finalists: Vec<Finalist>,
    /// The confirmation on the report pool; `None` if nothing was worth a look at it.
    pub confirmation: Option<Confirmation>,
    /// The surface fitted to all search results; `None` without results.
    pub surface: Option<FittedSurface>,
    /// The total number of blocks.
    pub blocks: u64,
}

impl Outcome {
    /// Returns the point chosen in the play-off; `None` if only the start was found.
    #[must_use]
    pub fn candidate(&self) -> Option<&Point> {
        self.finalists.first().map(|finalist| &finalist.point)
    }

    /// Returns the verdict on the candidate.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let confirmation = self.confirmation.as_ref();
        confirmation.map_or(Verdict::NoBetter, |confirmation| confirmation.verdict(self.gain))
    }

    /// Returns the point to use from now on: the candidate if it is better, otherwise the start.
    #[must_use]
    pub fn winner(&self) -> &Point {
        match (self.verdict(), self.candidate()) {
            (Verdict::Better, Some(candidate)) => candidate,
            _ => &self.start,
        }
    }

    /// Returns the bias of the play-off: the candidate's gain there less that in the report, with the interval of a
    /// difference of independent means. `None` without a complete report.
    #[must_use]
    pub fn winners_curse(&self) -> Option<(f64, Interval)> {
        let whole = self.confirmation.as_ref().filter(|confirmation| !confirmation.is_early());
        let (chosen, report) = (&self.finalists.first()?.gain, &whole?.gain);
        let gap = chosen.mean() - report.mean();
        let [a, b] = [chosen, report].map(|moments| self.gain.interval(moments));
        // The difference of independent means by their intervals (Zou and Donner 2008, doi:10.1002/sim.3095).
        let low = (chosen.mean() - a.low).hypot(b.high - report.mean());
        let high = (a.high - chosen.mean()).hypot(report.mean() - b.low);
        Some((gap, Interval { low: gap - low, high: gap + high }))
    }
}

impl Search {
    /// Returns the measure of gains.
    #[must_use]
    pub const fn gain(&self) -> Gain {
        if self.aim.is_some() { Gain::Loss } else { Gain::Share }
    }

    /// Searches, chooses and confirms.
    ///
    /// # Errors
    /// If the run was stopped, blocks cannot be played or logged, or the log belongs to another search.
    pub fn run(&self, evaluator: &mut Evaluator<'_>, looks: &mut Looks) -> Result<Outcome, Halt> {
        let mut seen = Seen::of(&self.space);
        let found = self.search(evaluator, &mut seen)?;
        let start = self.space.start();
        let finalists = self.play_off(evaluator, &start, &found)?;
        let gain = self.gain();
        let surface = seen.played.fit();
        let mut outcome =
            Outcome { gain, start, finalists, confirmation: None, surface, blocks: 0 };
        if let Some(finalist) =
            outcome.finalists.first().filter(|one| gain.interval(&one.gain).high > 0.0)
        {
            let opened = Pool::<Report>::of(self.seed).open(looks);
            let report = Reported {
                candidate: &finalist.point,
                start: &outcome.start,
                blocks: self.budget.confirm,
                held_out: self.held_out,
                gain,
            };
            outcome.confirmation = Some(report.play(evaluator, opened)?);
        }
        outcome.blocks = evaluator.blocks();
        Ok(outcome)
    }

    /// Returns the points found by the searches, without the start.
    fn search(&self, evaluator: &mut Evaluator<'_>, seen: &mut Seen) -> Result<Vec<Point>, Halt> {
        let mut found: Vec<Point> = Vec::new();
        for run in 0..self.runs {
            for point in self.one(evaluator, run, seen)? {
                if !found.contains(&point) {
                    found.push(point);
                }
            }
        }
        Ok(found)
    }

    /// Runs one of the searches, independently of the others, as a shard of the run. Returns its points, the best
    /// first, without the start.
    ///
    /// # Errors
    /// Like [`Self::run`].
    pub fn shard(&self, evaluator: &mut Evaluator<'_>, run: u64) -> Result<Vec<Point>, Halt> {
        self.one(evaluator, run, &mut Seen::of(&self.space))
    }

    fn one(
        &self,
        evaluator: &mut Evaluator<'_>,
        run: u64,
        seen: &mut Seen,
    ) -> Result<Vec<Point>, Halt> {
        let start = self.space.start();
        // Each search has its own blocks, as many as it could ever request.
        let mut pool = Pool::<Train>::of(self.seed).from(run * (self.budget.train / self.runs));
        let mut method = self.method(run);
        while let Some(batch) = method.ask() {
            let blocks = pool.fresh(batch.blocks);
            let wanted = batch.points.iter().map(|point| Wanted {
                point: point.clone(),
                field: Field::Pool,
                blocks: blocks.clone(),
            });
            let evidence = evaluator.evaluate(&wanted.collect::<Vec<_>>())?;
            for (point, came) in batch.points.iter().zip(&evidence) {
                seen.response.add(point, came.values());
            }
            seen.played
                .add(&batch.points, evidence.iter().map(|came| came.values().to_vec()).collect());
            method.tell(&batch, &evidence);
            evaluator.tell(&|| incumbent(&self.space, &*method, &seen.response));
        }
        Ok(method.finalists().into_iter().filter(|point| *point != start).collect())
    }

    fn method(&self, run: u64) -> Box<dyn Method> {
        let blocks = self.budget.train / self.runs;
        match self.how {
            How::By(kind) => {
                let Self { space, aim, seed, .. } = self.clone();
                kind.begin(Terms { space, aim, blocks, seed, run })
            }
            How::Racing => Box::new(Racing::new(every_point(&self.space), blocks)),
        }
    }

    /// Returns the finalists, the best first, compared with the start on blocks that no search has seen.
    fn play_off(
        &self,
        evaluator: &mut Evaluator<'_>,
        start: &Point,
        found: &[Point],
    ) -> Result<Vec<Finalist>, Halt> {
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let blocks =
            Pool::<Select>::of(self.seed).fresh(self.budget.select / (found.len() as u64 + 1));
        let all = std::iter::once(start).chain(found);
        let wanted: Vec<Wanted<Select>> = all
            .map(|point| Wanted {
                point: point.clone(),
                field: Field::Pool,
                blocks: blocks.clone(),
            })
            .collect();
        let evidence: Vec<Evidence<Select>> = evaluator.evaluate(&wanted)?;
        let gains = evidence[1..].iter().map(|came| came.over(&evidence[0]));
        let pairs = found.iter().cloned().zip(gains);
        let mut finalists: Vec<Finalist> =
            pairs.map(|(point, gain)| Finalist { point, gain }).collect();
        finalists.sort_by(|a, b| b.gain.mean().total_cmp(&a.gain.mean()));
        Ok(finalists)
    }
}

/// The results of searches: sums for progress, and all results for the final surface.
struct Seen {
    response: Response,
    played: Played,
}

impl Seen {
    fn of(space: &Space) -> Self {
        Self { response: Response::new(space), played: Played::new(space) }
    }
}

/// Returns the current best point of a search, with its gain over the start by the current surface. It is progress
/// information and no claim, so it has no interval.
fn incumbent(space: &Space, method: &dyn Method, response: &Response) -> String {
    let (start, best) = (space.start(), method.finalists());
    let Some(best) = best.first() else { return "nothing yet".to_owned() };
    let names = space.dimensions().iter().map(|one| one.name.as_str());
    let values: Vec<String> =
        names.zip(best.texts()).take(SHOWN).map(|(name, text)| format!("{name}={text}")).collect();
    let values = values.join(", ") + if best.texts().len() > SHOWN { ", …" } else { "" };
    let fitted = if response.is_quick() { response.clone().fit() } else { None };
    fitted.map_or(values.clone(), |fitted| {
        let gain = fitted.value(best.places()) - fitted.value(start.places());
        format!("{values}, about {} so far", units::signed(gain.clamp(-1.0, 1.0), 4))
    })
}

/// The number of values of a best point that are shown on a line.
const SHOWN: usize = 4;

/// Returns all points of a small space.
fn every_point(space: &Space) -> Vec<Point> {
    let mut all = vec![Vec::new()];
    for one in space.dimensions() {
        let levels = one.range.levels(one.range.size().unwrap_or(1) as usize);
        all = all
            .iter()
            .flat_map(|places: &Vec<f64>| {
                levels.iter().map(move |&place| [&places[..], &[place]].concat())
            })
            .collect();
    }
    all.iter().map(|places| space.at(places)).collect()
}
