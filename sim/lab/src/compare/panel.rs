//! Two rule sets compared by a panel of metrics, where nobody has named one: what a change of rules may move.
//!
//! Four families are asked at once, with a quarter of α each: the shares of the seats, the mean score, the length of the
//! game, and how often the lead changes. The seats divide their quarter evenly; of two seats one is tested, since the
//! other has what it has not. By Bonferroni's inequality something that did not move is called moved in at most α of
//! all comparisons, however the metrics depend on each other. β is that of each test.
//!
//! Each metric has its own sequential test, which ends by its own verdict; the panel ends when all have ended. What is
//! worth finding: 0.05 of a share, 2 % of the mean score and length under A, which a pilot on another seed measures, and
//! 0.1 changes of the lead.

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

/// The families among which α is divided.
pub const FAMILIES: u32 = 4;
/// The difference in the share of a seat that is looked for, in points per game.
pub const SHARE: f64 = 0.05;
/// The difference in mean score and length that is looked for, as a part of the mean under A.
pub const PART_OF_MEAN: f64 = 0.02;
/// The difference in changes of the lead that is looked for.
pub const LEAD_CHANGES: f64 = 0.1;
/// Least standard errors of the pilot between a mean and 0: of a mean that may be 0 there is no part.
const LEAST_DISTANCE: f64 = 4.0;

/// A panel that can be played, but for the sizes that a pilot has to say.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The rule sets: A, B.
    pub plans: Vec<Plan>,
    asked: Vec<PanelMetric>,
    alpha: f64,
    beta: f64,
    said: Request,
}

/// A metric and what is looked for in it.
#[derive(Clone, Debug)]
struct PanelMetric {
    metric: Metric,
    size: Size,
    /// Tests among which its family divides its part of α.
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
    /// What is compared.
    pub metric: Metric,
    /// Its place among the values of a block.
    pub place: usize,
    /// What is tested of it, at its part of α.
    pub question: Question,
    /// How many times its part α is: what its p-value is multiplied by.
    pub tests: f64,
}

/// A metric that is not tested, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// Its name.
    pub metric: String,
    /// Why.
    pub why: String,
}

impl Panel {
    /// Whether `request` asks for a panel: two rule sets and no metric.
    #[must_use]
    pub fn is_asked(request: &Request) -> bool {
        request.metric.is_none() && !request.arms.are_empty()
    }

    /// Checks `request`; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first thing that is wrong.
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
        let mut asked: Vec<PanelMetric> = (0..seats)
            .map(|seat| PanelMetric {
                metric: Metric::seat(seat),
                size: Size::Absolute(SHARE),
                family: seats,
            })
            .collect();
        asked.push(one(Metric::plies(), Size::PartOfMean(PART_OF_MEAN)));
        if facts.iter().all(|facts| facts.has_scores) {
            asked.push(one(Metric::score(), Size::PartOfMean(PART_OF_MEAN)));
            asked.push(one(Metric::lead_changes(), Size::Absolute(LEAD_CHANGES)));
        }
        let alpha = request.alpha.unwrap_or(DEFAULT_ERROR);
        let beta = request.beta.unwrap_or(DEFAULT_ERROR);
        let said = Request {
            alpha: Some(alpha),
            beta: Some(beta),
            most_blocks: Some(plans[0].blocks),
            ..super::table_said(request, &plans[0], &plans[0].lineup)
        };
        Ok(Self { plans, asked, alpha, beta, said })
    }

    /// What it was made from, everything said: what the result depends on, and nothing else.
    #[must_use]
    pub const fn asked(&self) -> &Request {
        &self.said
    }

    /// The command that makes this comparison again.
    #[must_use]
    pub fn command(&self) -> String {
        self.said.command()
    }

    /// The errors α, of the whole panel, and β, of each test.
    #[must_use]
    pub const fn errors(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The metrics that are asked for, in their order.
    pub(super) fn metrics(&self) -> Vec<Metric> {
        self.asked.iter().map(|asked| asked.metric.clone()).collect()
    }

    /// Plays [`PILOT_BLOCKS`] blocks on a seed of their own: the metrics under A, as [`Self::settled`] takes them;
    /// `look` hears how many are played.
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
        let mut means = vec![Moments::default(); self.asked.len()];
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

    /// What is tested and what is left out, by the values of the metrics under A in a pilot, in the order in which they
    /// are asked: seats, length, score, changes of the lead.
    #[must_use]
    pub fn settled(&self, means: &[Moments]) -> (Vec<Member>, Vec<LeftOut>) {
        let (mut members, mut left_out) = (Vec::new(), Vec::new());
        for (place, (asked, mean)) in self.asked.iter().zip(means).enumerate() {
            let metric = asked.metric.clone();
            let Some(h1) = asked.size.of(mean) else {
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
            let tests = f64::from(FAMILIES) * asked.family as f64;
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
    /// The size where the metric has this mean; `None` where it is a part of nothing.
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

/// The sizes of a panel are its own, and it ends when all is decided.
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

/// Hears of blocks until every test of a panel has ended.
#[derive(Clone, Debug)]
pub struct PanelTest {
    tests: Vec<(Member, SequentialTest)>,
    block_stats: BlockStats,
    most_blocks: u64,
}

impl PanelTest {
    /// Tests of `members`, of two arms with `games_per_block` games in a block of each.
    #[must_use]
    pub fn new(members: Vec<Member>, games_per_block: u64, most_blocks: u64) -> Self {
        let test = |member: Member| {
            let test = SequentialTest::new(member.question, 2, games_per_block, most_blocks);
            (member, test)
        };
        let tests = members.into_iter().map(test).collect();
        Self { tests, block_stats: BlockStats::new(2, games_per_block), most_blocks }
    }

    /// Takes note of a block of each arm; `Break` when all tests have ended or no block is left.
    pub fn add(&mut self, blocks: &[Block]) -> ControlFlow<()> {
        self.block_stats.add(blocks, 0);
        for (member, test) in self.tests.iter_mut().filter(|(_, test)| is_open(test)) {
            // Whether it has ended is asked below.
            let _ = test.hear_metric(blocks, member.place);
        }
        if self.n_open() == 0 || self.block_stats.blocks() >= self.most_blocks {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// The metrics with their tests.
    #[must_use]
    pub fn tests(&self) -> &[(Member, SequentialTest)] {
        &self.tests
    }

    /// All that was played, by the first metric.
    #[must_use]
    pub const fn block_stats(&self) -> &BlockStats {
        &self.block_stats
    }

    /// Tests that have no verdict yet.
    #[must_use]
    pub fn n_open(&self) -> usize {
        self.tests.iter().filter(|(_, test)| is_open(test)).count()
    }

    /// Whether it ended before all verdicts and before its last block.
    #[must_use]
    pub fn was_stopped(&self) -> bool {
        self.n_open() > 0 && self.block_stats.blocks() < self.most_blocks
    }
}

fn is_open(test: &SequentialTest) -> bool {
    test.gsprt().verdict() == Verdict::Undecided
}

impl Member {
    /// Returns what `test` says of this metric: its word, and the difference of the means with an interval at the level
    /// of the word and a p-value that counts all tests. Intervals of metrics that moved, and of those that are undecided,
    /// hold together with those of all other metrics; that of one without a difference above the stated one holds with
    /// β on each side.
    #[must_use]
    pub fn answer(&self, test: &SequentialTest) -> Answer {
        let Answer { word, told } = test.answer();
        let Some(told) = told else { return Answer { word, told } };
        let interval = match word {
            // Whenever somebody stops, and at both ends as near as what is known allows.
            Word::Undecided => test.sequence_at(self.question.alpha),
            _ => told.interval,
        };
        let estimate = test.effect();
        let interval =
            Interval { low: interval.low.min(estimate), high: interval.high.max(estimate) };
        let p = (self.tests * told.p).min(1.0);
        Answer { word, told: Some(Stopped { estimate, interval, p, ..told }) }
    }

    /// In which direction a metric moved: 1 up, −1 down, 0 where that is not shown.
    #[must_use]
    pub fn moved(test: &SequentialTest) -> i8 {
        match test.word() {
            Word::Better => 1,
            Word::Worse => -1,
            Word::NoDifference | Word::Undecided | Word::None => 0,
        }
    }

    /// Whether the metric is a share, with a range.
    #[must_use]
    pub const fn is_share(&self) -> bool {
        matches!(self.question.range, Range::Within(..))
    }
}
