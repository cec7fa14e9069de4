//! A comparison of two rule sets by a panel of metrics, the default if the request names no metric.
//!
//! Four families are tested at once, with a quarter of α each: the shares of the seats, the mean score, the length of
//! the game, and the number of lead changes. The seats divide their quarter evenly. With two seats only one is tested,
//! since the other has the rest of the point. By Bonferroni's inequality the probability of any false "moved" is at
//! most α over a comparison, however the metrics depend on each other. β is the error of each test.
//!
//! Each metric has its own sequential test and verdict; the panel ends when all tests have ended. The effects tested
//! for are 0.05 of a share, 2 % of the mean score and length under A, which a pilot on another seed measures, and 0.1
//! lead changes.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::arms::{self, Block};
use super::block_stats::BlockStats;
use super::forecast::PILOT_BLOCKS;
use super::metric::Metric;
use super::sequential_test::{Answer, SequentialTest};
use super::verdict::Word;
use super::{DEFAULT_ERROR, Plan, Request, hypotheses, pilot_seed};
use sim::document::ReadFile;
use sim::error::Error;
use sim::stats::{Interval, Moments, Question, Range, Sides, Stopped, Verdict};
use sim::units;

/// The number of families among which α is divided.
pub const FAMILIES: u32 = 4;
/// The tested difference in the share of a seat, in points per game.
pub const SHARE: f64 = 0.05;
/// The tested difference in mean score and length, as a fraction of the mean under A.
pub const PART_OF_MEAN: f64 = 0.02;
/// The tested difference in lead changes.
pub const LEAD_CHANGES: f64 = 0.1;
/// The smallest distance of a pilot's mean from 0, in standard errors: a fraction of a mean that may be 0 is no effect
/// size.
const LEAST_DISTANCE: f64 = 4.0;

/// A validated panel that can be played once a pilot has set its effect sizes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The rule sets: A, B.
    pub plans: Vec<Plan>,
    panel_metrics: Vec<PanelMetric>,
    alpha: f64,
    beta: f64,
    request: Request,
}

/// A metric and its effect size.
#[derive(Clone, Debug)]
struct PanelMetric {
    metric: Metric,
    size: Size,
    /// The number of tests that share its family's part of α.
    family: usize,
}

#[derive(Clone, Copy, Debug)]
enum Size {
    Absolute(f64),
    PartOfMean(f64),
}

/// A metric with its test.
#[derive(Clone, Debug)]
pub struct Member {
    /// The compared metric.
    pub metric: Metric,
    /// Its index among the values of a block.
    pub place: usize,
    /// The hypotheses, at the metric's part of α.
    pub question: Question,
    /// α divided by the metric's part of it: the factor of its p-value.
    pub tests: f64,
}

/// A metric that is not tested, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// The name of the metric.
    pub metric: String,
    /// The reason.
    pub why: String,
}

impl Panel {
    /// Returns true if `request` needs a panel: it has two rule sets and no metric.
    #[must_use]
    pub fn is_requested(request: &Request) -> bool {
        request.metric.is_none() && !request.arms.are_empty()
    }

    /// Validates `request`; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn new(request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        refuse_sizes(request)?;
        if request.luck == Some(true) {
            let message = "it is about one metric, and where none is named a panel of them is tested: name one, as in \
                           metric seat=1";
            return Err(Error::value("luck", "true", message));
        }
        hypotheses::check(request)?;
        let (game, players) = super::table(request, read)?;
        let game = game.as_str();
        let (plans, facts) = super::rule_sets(request, game, players, read)?;
        let seats = if players == 2 { 1 } else { players };
        let one = |metric, size| PanelMetric { metric, size, family: 1 };
        let mut panel_metrics: Vec<PanelMetric> = (0..seats)
            .map(|seat| PanelMetric {
                metric: Metric::seat(seat),
                size: Size::Absolute(SHARE),
                family: seats,
            })
            .collect();
        panel_metrics.push(one(Metric::plies(), Size::PartOfMean(PART_OF_MEAN)));
        if facts.iter().all(|facts| facts.has_scores) {
            panel_metrics.push(one(Metric::score(), Size::PartOfMean(PART_OF_MEAN)));
            panel_metrics.push(one(Metric::lead_changes(), Size::Absolute(LEAD_CHANGES)));
        }
        let alpha = request.alpha.unwrap_or(DEFAULT_ERROR);
        let beta = request.beta.unwrap_or(DEFAULT_ERROR);
        let request = Request {
            alpha: Some(alpha),
            beta: Some(beta),
            most_blocks: Some(plans[0].blocks),
            ..super::with_table(request, &plans[0], &plans[0].lineup)
        };
        Ok(Self { plans, panel_metrics, alpha, beta, request })
    }

    /// Returns the request with all defaults filled in: everything that the result depends on, and no more.
    #[must_use]
    pub const fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the command that reproduces this comparison.
    #[must_use]
    pub fn command(&self) -> String {
        self.request.command()
    }

    /// Returns α of the whole panel, and β of each test.
    #[must_use]
    pub const fn errors(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// Returns the requested metrics, in order.
    pub(super) fn metrics(&self) -> Vec<Metric> {
        self.panel_metrics.iter().map(|one| one.metric.clone()).collect()
    }

    /// Plays [`PILOT_BLOCKS`] blocks on a separate seed and returns the metrics under A, for [`Self::settled`]. `look`
    /// gets the number of blocks played so far.
    ///
    /// # Errors
    /// If a game cannot be built or threads cannot be started.
    pub fn pilot(
        &self,
        threads: usize,
        stop: &AtomicBool,
        look: &mut dyn FnMut(usize),
    ) -> Result<Vec<Moments>, Error> {
        let seed = pilot_seed(self.plans[0].seed);
        let short = |plan: &Plan| Plan { seed, blocks: PILOT_BLOCKS, ..plan.clone() };
        let plans: Vec<Plan> = self.plans.iter().map(short).collect();
        let mut means = vec![Moments::default(); self.panel_metrics.len()];
        let mut n = 0;
        arms::play(&plans, &self.metrics(), threads, stop, &mut |blocks| {
            for (mean, value) in means.iter_mut().zip(&blocks[0].values) {
                mean.add(value.mean);
            }
            n += 1;
            look(n);
            ControlFlow::Continue(())
        })?;
        Ok(means)
    }

    /// Returns the tested metrics and those left out, given the metrics under A in a pilot. Both are in the order of
    /// the panel: seats, length, score, lead changes.
    #[must_use]
    pub fn settled(&self, means: &[Moments]) -> (Vec<Member>, Vec<LeftOut>) {
        let (mut members, mut left_out) = (Vec::new(), Vec::new());
        for (place, (panel_metrics, mean)) in self.panel_metrics.iter().zip(means).enumerate() {
            let metric = panel_metrics.metric.clone();
            let Some(h1) = panel_metrics.size.of(mean) else {
                let seen = units::fixed(mean.mean(), 2);
                let part = units::hundredths(PART_OF_MEAN);
                let name = metric.name().to_owned();
                let why = format!(
                    "its mean under A, {seen} in the pilot, may be 0, and {part} % of that is no size: compare \
                     {name} as the only metric, with an effect"
                );
                left_out.push(LeftOut { metric: name, why });
                continue;
            };
            let tests = f64::from(FAMILIES) * panel_metrics.family as f64;
            let question = Question {
                range: metric.range_of_differences(),
                zero: 0.0,
                h0: 0.0,
                h1,
                sides: Sides::Both,
                alpha: self.alpha / tests,
                beta: self.beta,
            };
            members.push(Member { metric, place, question, tests });
        }
        (members, left_out)
    }
}

impl Size {
    /// Returns the effect size for this mean of the metric; `None` for a fraction of a mean that may be 0.
    fn of(self, mean: &Moments) -> Option<f64> {
        match self {
            Self::Absolute(size) => Some(size),
            Self::PartOfMean(part) => {
                let error = (mean.variance() / mean.n().max(1) as f64).sqrt();
                let size = mean.mean().abs();
                (size > LEAST_DISTANCE * error && size > 1e-9).then_some(part * size)
            }
        }
    }
}

/// Refuses options for effect size and length, which a panel sets itself.
fn refuse_sizes(request: &Request) -> Result<(), Error> {
    let number = |value: Option<f64>| value.map(units::given);
    let given = [
        ("effect", number(request.effect)),
        ("h0", number(request.h0)),
        ("h1", number(request.h1)),
        ("fixed", request.fixed.map(|blocks| blocks.to_string())),
    ];
    let Some((name, value)) = given.into_iter().find_map(|(name, v)| Some((name, v?))) else {
        return Ok(());
    };
    let message = "it is about one metric, and where none is named a panel of them is tested, each with a size of its \
                   own: name one, as in metric seat=1";
    Err(Error::value(name, value, message))
}

/// The tests of a panel, which run until all have ended.
#[derive(Clone, Debug)]
pub struct PanelTest {
    tests: Vec<(Member, SequentialTest)>,
    block_stats: BlockStats,
    most_blocks: u64,
}

impl PanelTest {
    /// Creates the tests of `members`, for two arms with `games_per_block` games in a block of each.
    #[must_use]
    pub fn new(members: Vec<Member>, games_per_block: u64, most_blocks: u64) -> Self {
        let test = |member: Member| {
            let test = SequentialTest::new(member.question, 2, games_per_block, most_blocks);
            (member, test)
        };
        let tests = members.into_iter().map(test).collect();
        Self { tests, block_stats: BlockStats::new(2, games_per_block), most_blocks }
    }

    /// Adds a block of each arm; returns `Break` if all tests have ended or no block is left.
    pub fn add(&mut self, blocks: &[Block]) -> ControlFlow<()> {
        self.block_stats.add(blocks, 0);
        for (member, test) in self.tests.iter_mut().filter(|(_, test)| is_open(test)) {
            // The check below asks whether it has ended.
            let _ = test.add_metric(blocks, member.place);
        }
        if self.n_open() == 0 || self.block_stats.blocks() >= self.most_blocks {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Returns the metrics with their tests.
    #[must_use]
    pub fn tests(&self) -> &[(Member, SequentialTest)] {
        &self.tests
    }

    /// Returns the sums over all blocks, by the first metric.
    #[must_use]
    pub const fn block_stats(&self) -> &BlockStats {
        &self.block_stats
    }

    /// Returns the number of tests without a verdict.
    #[must_use]
    pub fn n_open(&self) -> usize {
        self.tests.iter().filter(|(_, test)| is_open(test)).count()
    }

    /// Returns true if it ended before all verdicts and before its last block.
    #[must_use]
    pub fn was_stopped(&self) -> bool {
        self.n_open() > 0 && self.block_stats.blocks() < self.most_blocks
    }
}

fn is_open(test: &SequentialTest) -> bool {
    test.gsprt().verdict() == Verdict::Undecided
}

impl Member {
    /// Returns the result of `test` for this metric: the verdict, the difference of the means with an interval at the
    /// verdict's level, and a p-value adjusted for all tests. Intervals of moved and undecided metrics are
    /// simultaneous over all metrics. That of a metric without a difference above the stated one has error β on each
    /// side.
    #[must_use]
    pub fn answer(&self, test: &SequentialTest) -> Answer {
        let Answer { word, stopped } = test.answer();
        let Some(stopped) = stopped else { return Answer { word, stopped } };
        let interval = match word {
            // An undecided test may stop at any time; both ends stay as near as the evidence allows.
            Word::Undecided => test.sequence_at(self.question.alpha),
            _ => stopped.interval,
        };
        let estimate = test.effect();
        let interval =
            Interval { low: interval.low.min(estimate), high: interval.high.max(estimate) };
        let p = (self.tests * stopped.p).min(1.0);
        Answer { word, stopped: Some(Stopped { estimate, interval, p, ..stopped }) }
    }

    /// Returns the direction in which a metric moved: 1 up, −1 down, 0 if neither is shown.
    #[must_use]
    pub fn moved(test: &SequentialTest) -> i8 {
        match test.word() {
            Word::Better => 1,
            Word::Worse => -1,
            Word::NoDifference | Word::Undecided | Word::None => 0,
        }
    }

    /// Returns true if the metric is a share, with a range.
    #[must_use]
    pub const fn is_share(&self) -> bool {
        matches!(self.question.range, Range::Within(..))
    }
}
