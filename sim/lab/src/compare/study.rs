//! A comparison from the request to the end of its test, for one metric or a panel.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::arms::{self, Block};
use super::block_stats::BlockStats;
use super::fixed_test::FixedTest;
use super::metric::Metric;
use super::panel::{LeftOut, Member, Panel, PanelTest};
use super::sequential_test::SequentialTest;
use super::{Comparison, Design, Request};
use sim::config::Plan;
use sim::document::ReadFile;
use sim::error::Error;
use sim::stats::{Gsprt, Moments, Sides};

/// A comparison that can be played once its pilot has set the open effect sizes.
#[derive(Clone, Debug)]
pub struct ComparisonStudy {
    /// The tested metric or panel.
    pub what: What,
    settled: Option<Settled>,
}

/// The tested metric or panel.
#[derive(Clone, Debug)]
pub enum What {
    /// A comparison by one metric.
    One(Box<Comparison>),
    /// A comparison by several metrics; its members are known after the pilot.
    Panel(Box<Panel>, Vec<Member>, Vec<LeftOut>),
}

/// The results of a pilot. They are kept in the manifest, so that no second pilot replaces them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Settled {
    /// The metrics of a panel under A, in its order.
    Means(Vec<Moments>),
}

impl ComparisonStudy {
    /// Validates `request`; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn new(request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let what = match Panel::is_requested(request) {
            true => What::Panel(Box::new(Panel::new(request, read)?), Vec::new(), Vec::new()),
            false => What::One(Box::new(Comparison::new(request, read)?)),
        };
        Ok(Self { what, settled: None })
    }

    /// Returns the request with all defaults filled in.
    #[must_use]
    pub fn request(&self) -> &Request {
        match &self.what {
            What::One(comparison) => comparison.request(),
            What::Panel(panel, ..) => panel.request(),
        }
    }

    /// Returns the tournaments: one for agents, two (A, B) for rule sets.
    #[must_use]
    pub fn plans(&self) -> &[Plan] {
        match &self.what {
            What::One(comparison) => &comparison.plans,
            What::Panel(panel, ..) => &panel.plans,
        }
    }

    /// Returns the metrics of a block, in order.
    #[must_use]
    pub fn metrics(&self) -> Vec<Metric> {
        match &self.what {
            What::One(comparison) => comparison.metrics(),
            What::Panel(panel, ..) => panel.metrics(),
        }
    }

    /// Returns the largest number of blocks.
    #[must_use]
    pub fn most_blocks(&self) -> u64 {
        self.plans()[0].blocks
    }

    /// Returns true if a pilot is needed and has not been played.
    #[must_use]
    pub fn needs_pilot(&self) -> bool {
        matches!(self.what, What::Panel(..)) && self.settled.is_none()
    }

    /// Plays the pilot and returns its results, which are meaningless once `stop` is raised. `look` gets the number of
    /// blocks played so far. Returns `None` if there is no pilot.
    ///
    /// # Errors
    /// If a game cannot be built or threads cannot be started.
    pub fn pilot(
        &self,
        threads: usize,
        stop: &AtomicBool,
        look: &mut dyn FnMut(usize),
    ) -> Result<Option<Settled>, Error> {
        match &self.what {
            What::One(_) => Ok(None),
            What::Panel(panel, ..) => {
                panel.pilot(threads, stop, look).map(|means| Some(Settled::Means(means)))
            }
        }
    }

    /// Adopts the results of a pilot.
    ///
    /// # Errors
    /// If the pilot belongs to another comparison.
    pub fn settle(&mut self, settled: Settled) -> Result<(), Error> {
        match (&mut self.what, &settled) {
            (What::Panel(panel, members, left_out), Settled::Means(means))
                if means.len() == panel.metrics().len() =>
            {
                (*members, *left_out) = panel.settled(means);
            }
            _ => {
                let text = "the pilot that is kept is not the one of this comparison";
                return Err(Error::Usage(text.to_owned()));
            }
        }
        self.settled = Some(settled);
        Ok(())
    }

    /// Returns the results of the pilot, if one was played.
    #[must_use]
    pub const fn settled(&self) -> Option<&Settled> {
        self.settled.as_ref()
    }

    /// Creates the test, without blocks.
    #[must_use]
    pub fn test(&self) -> Test {
        match &self.what {
            What::One(comparison) => match comparison.design {
                Design::Sequential(question) => {
                    Test::Sequential(Box::new(comparison.sequential_test(question)))
                }
                Design::Fixed(null, effect) => {
                    Test::Fixed(Box::new(comparison.fixed_test(null, effect)))
                }
            },
            What::Panel(panel, members, _) => {
                let per_block = panel.plans[0].games_per_block();
                let test = PanelTest::new(members.clone(), per_block, self.most_blocks());
                Test::Panel(Box::new(test))
            }
        }
    }

    /// Plays `blocks` until `on_blocks` breaks, all are played, or `stop` is raised.
    ///
    /// # Errors
    /// If a game cannot be built, threads cannot be started, or a fault of the machine stops an agent
    /// ([`Error::Host`]). Blocks before the error are reported.
    pub fn play(
        &self,
        blocks: Range<u64>,
        threads: usize,
        stop: &AtomicBool,
        on_blocks: &mut dyn FnMut(&[Block]) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        arms::play_blocks(self.plans(), blocks, &self.metrics(), threads, stop, on_blocks)
    }
}

/// The test of a study.
#[derive(Clone, Debug)]
pub enum Test {
    /// A sequential test of one metric.
    Sequential(Box<SequentialTest>),
    /// A test of one metric after a fixed number of blocks.
    Fixed(Box<FixedTest>),
    /// Sequential tests of several metrics.
    Panel(Box<PanelTest>),
}

impl Test {
    /// Adds a block of each arm; returns `Break` if the test has ended.
    pub fn add(&mut self, blocks: &[Block]) -> ControlFlow<()> {
        match self {
            Self::Sequential(test) => test.add(blocks),
            Self::Fixed(test) => test.add(blocks),
            Self::Panel(test) => test.add(blocks),
        }
    }

    /// Returns the sums over the blocks.
    #[must_use]
    pub fn block_stats(&self) -> &BlockStats {
        match self {
            Self::Sequential(test) => test.block_stats(),
            Self::Fixed(test) => test.block_stats(),
            Self::Panel(test) => test.block_stats(),
        }
    }

    /// Returns true if it has ended, by a verdict or by its last block.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        !match self {
            Self::Sequential(test) => test.was_stopped(),
            Self::Fixed(test) => test.was_stopped(),
            Self::Panel(test) => test.was_stopped(),
        }
    }

    /// Returns the column names of [`Self::state`]. A test of fixed length has none: it is evaluated only after the
    /// last block.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        match self {
            Self::Sequential(test) => columns(test.gsprt(), ""),
            Self::Fixed(_) => Vec::new(),
            Self::Panel(test) => {
                let names = |(member, test): &(Member, SequentialTest)| {
                    columns(test.gsprt(), &format!("{}_", member.metric.name()))
                };
                test.tests().iter().flat_map(names).collect()
            }
        }
    }

    /// Returns the state of the test as texts: the mean effect so far, the log-likelihood ratios (empty if the spread
    /// is unknown), and H0, H1 or undecided. A panel has these for each metric; they stay fixed once its test has
    /// ended.
    #[must_use]
    pub fn state(&self) -> Vec<String> {
        match self {
            Self::Sequential(test) => state(test.gsprt()),
            Self::Fixed(_) => Vec::new(),
            Self::Panel(test) => {
                test.tests().iter().flat_map(|(_, test)| state(test.gsprt())).collect()
            }
        }
    }
}

fn columns(test: &Gsprt, prefix: &str) -> Vec<String> {
    let ratios: &[&str] = match test.question().sides {
        Sides::Above => &["llr"],
        Sides::Both => &["llr_above", "llr_below"],
    };
    let names = ["mean_effect"].iter().chain(ratios).chain(&["verdict"]);
    names.map(|name| format!("{prefix}{name}")).collect()
}

fn state(test: &Gsprt) -> Vec<String> {
    let numbers = std::iter::once(Some(test.effect())).chain(test.known_ratios());
    // Adding 0.0 avoids a negative zero.
    let numbers = numbers.map(|x| x.map_or_else(String::new, |x| (x + 0.0).to_string()));
    numbers.chain([test.verdict().name().to_owned()]).collect()
}
