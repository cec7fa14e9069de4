//! A whole run: searches on the pool of training, a play-off of what they found on the pool of selection, and at the end
//! always a confirmation on the pool of reports, where the one that was chosen meets the start and opponents that were
//! held out.
//!
//! **The claim.** The gain is the share of the candidate less that of the start, block by block under the same chance,
//! against the pool of opponents. The candidate was chosen before the first block of the pool of reports, so that its
//! interval covers as that of any agent that somebody names beforehand. Better means that the interval lies above 0, and
//! that none against an opponent that was held out, or against the start itself, lies below: where nothing is better this
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

/// How points are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// By a method.
    By(Kind),
    /// A race over all points of a space, which are few.
    Racing,
}

impl How {
    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::By(kind) => kind.name(),
            Self::Racing => "racing",
        }
    }
}

/// How many blocks there are for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// All searches together.
    pub train: u64,
    /// All finalists and the start together.
    pub select: u64,
    /// Each of the chosen one and the start, against the pool and against each opponent that was held out.
    pub confirm: u64,
}

impl Budget {
    /// The part of searching and choosing that goes to the play-off, where finalists have to be told from one another.
    pub const SELECT: f64 = 0.15;
    /// The same where there is one, of which nothing is asked but whether it is worth a report.
    const SELECT_ONE: f64 = 0.06;
    /// The fewest blocks of a play-off.
    pub const LEAST_SELECT: u64 = 50;

    /// What `blocks` of searching and choosing are for, of which there are enough for both.
    #[must_use]
    pub fn of(how: How, runs: u64, blocks: u64, confirm: u64) -> Self {
        let is_one = runs == 1 && matches!(how, How::By(kind) if kind.names_one());
        let part = if is_one { Self::SELECT_ONE } else { Self::SELECT };
        let select = ((part * blocks as f64) as u64).max(Self::LEAST_SELECT).min(blocks);
        Self { train: blocks - select, select, confirm }
    }
}

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Search {
    /// Of rules, what the parts of a block should be; `None` where an agent is tuned.
    pub aim: Option<Aim>,
    /// What is searched.
    pub space: Space,
    /// How.
    pub how: How,
    /// How many independent searches divide the budget.
    pub runs: u64,
    /// The seed.
    pub seed: u64,
    /// The blocks.
    pub budget: Budget,
    /// How many opponents were held out.
    pub held_out: usize,
}

/// A point in the play-off.
#[derive(Clone, Debug)]
pub struct Finalist {
    /// The point.
    pub point: Point,
    /// What it gains over the start.
    pub gain: Moments,
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What gains are counted in.
    pub gain: Gain,
    /// Where it started.
    pub start: Point,
    /// The finalists, the best in the play-off first.
    pub finalists: Vec<Finalist>,
    /// What the pool of reports says; `None` if nothing was worth a look at it.
    pub confirmation: Option<Confirmation>,
    /// The surface through everything that was searched with; `None` where nothing was.
    pub surface: Option<FittedSurface>,
    /// Blocks in all.
    pub blocks: u64,
}

impl Outcome {
    /// The point that was chosen in the play-off; `None` if nothing but the start was found.
    #[must_use]
    pub fn candidate(&self) -> Option<&Point> {
        self.finalists.first().map(|finalist| &finalist.point)
    }

    /// The claim about the candidate.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let confirmation = self.confirmation.as_ref();
        confirmation.map_or(Verdict::NoBetter, |confirmation| confirmation.verdict(self.gain))
    }

    /// What is to be used from now on: the candidate where it is better, or else the start.
    #[must_use]
    pub fn winner(&self) -> &Point {
        match (self.verdict(), self.candidate()) {
            (Verdict::Better, Some(candidate)) => candidate,
            _ => &self.start,
        }
    }

    /// By how much the play-off flattered the candidate: its gain there less that in the report, with the interval of a
    /// difference of independent means; `None` without a report that came to its end.
    #[must_use]
    pub fn winners_curse(&self) -> Option<(f64, Interval)> {
        let whole = self.confirmation.as_ref().filter(|confirmation| !confirmation.is_early());
        let (chosen, report) = (&self.finalists.first()?.gain, &whole?.gain);
        let gap = chosen.mean() - report.mean();
        let [a, b] = [chosen, report].map(|moments| self.gain.interval(moments));
        // Of independent means by their intervals (Zou and Donner 2008, doi:10.1002/sim.3095).
        let low = (chosen.mean() - a.low).hypot(b.high - report.mean());
        let high = (a.high - chosen.mean()).hypot(report.mean() - b.low);
        Some((gap, Interval { low: gap - low, high: gap + high }))
    }
}

impl Search {
    /// What a gain is counted in.
    #[must_use]
    pub const fn gain(&self) -> Gain {
        if self.aim.is_some() { Gain::Loss } else { Gain::Share }
    }

    /// Searches, chooses and confirms.
    ///
    /// # Errors
    /// If it was stopped, cannot be played or not be written, or the log is of another search.
    pub fn run(&self, evaluator: &mut Evaluator<'_>, looks: &mut Looks) -> Result<Outcome, Halt> {
        let mut seen = Seen::of(&self.space);
        let found = self.search(evaluator, &mut seen)?;
        let start = self.space.start();
        let finalists = self.play_off(evaluator, &start, &found)?;
        let gain = self.gain();
        let told = seen.played.fit();
        let mut outcome =
            Outcome { gain, start, finalists, confirmation: None, surface: told, blocks: 0 };
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

    /// What the searches found, the start left out.
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

    /// One of the searches alone, which knows nothing of the others: a shard of the run. What it found, the best first
    /// and the start left out.
    ///
    /// # Errors
    /// As for [`Self::run`].
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
        // Each search has blocks of its own, as many as it could ever ask for.
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

    /// The finalists, the best first, compared with the start on blocks that no search has seen.
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

/// What searches have played: sums for whoever watches, and everything for the surface at the end.
struct Seen {
    response: Response,
    played: Played,
}

impl Seen {
    fn of(space: &Space) -> Self {
        Self { response: Response::new(space), played: Played::new(space) }
    }
}

/// What a search would choose now, with what it gains over the start by the surface through everything so far: for whoever
/// watches, and no claim, so that it has no interval.
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

/// Values of an incumbent that are shown on a line.
const SHOWN: usize = 4;

/// All points of a space of few.
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
