//! First sentence of a comparison: the verdict, the effect, and its uncertainty.

use super::metric::{estimate, interval, number};
use super::table::{Mark, Note};
use lab::compare::Comparison;
use lab::compare::block_stats::{BlockStats, Spoilt};
use lab::compare::fixed_test::FixedTest;
use lab::compare::sequential_test::{Answer, SequentialTest};
use lab::compare::verdict::{MOST_FORFEITS, Word};
use sim::stats::{Interval, Sides, Verdict};
use sim::units;

/// Finding of a test of any kind.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) word: Word,
    /// Effect with its interval; `None` if the spread is unknown.
    pub(super) effect: Option<(f64, Interval)>,
    /// The level of the interval.
    pub(super) level: Option<f64>,
    /// The p-value against h0.
    pub(super) p: Option<f64>,
    /// Smallest effect of interest.
    pub(super) above: Option<f64>,
    /// The effect under H0.
    pub(super) h0: f64,
    /// Details of a one-sided test that its verdict does not contain.
    more: Option<String>,
}

impl Finding {
    /// Returns the finding of a sequential test.
    pub(super) fn of(comparison: &Comparison, test: &SequentialTest) -> Self {
        let Answer { word, stopped } = test.answer();
        let question = test.gsprt().question();
        let size = |x: f64| number(comparison, x, false);
        let is_open = word == Word::Undecided && question.sides == Sides::Above;
        let more = match test.gsprt().verdict() {
            Verdict::H0 if is_open => Some(format!("it gains less than {}", size(question.h1))),
            Verdict::H1 if is_open => Some(format!("it gains more than {}", size(question.h0))),
            _ => None,
        };
        Self {
            word,
            effect: stopped.map(|stopped| (stopped.estimate, stopped.interval)),
            level: stopped.map(|stopped| stopped.level),
            p: stopped.map(|stopped| stopped.p),
            above: Some(test.no_difference_above()),
            h0: question.h0,
            more,
        }
    }

    /// Returns the finding of a fixed-length test.
    pub(super) fn of_fixed(test: &FixedTest) -> Self {
        let result = test.result();
        Self {
            word: test.word(),
            effect: result.map(|result| (result.estimate, result.interval)),
            level: result.map(|_| 0.95),
            p: result.map(|result| result.p),
            above: test.effect(),
            h0: test.null().h0,
            more: None,
        }
    }

    /// Returns the verdict in documents.
    pub(super) const fn name(&self, comparison: &Comparison) -> &'static str {
        self.word.name(comparison.plans.len())
    }

    /// Returns the sentence in the colour of its word.
    pub(super) fn note(&self, comparison: &Comparison, block_stats: &BlockStats) -> Note {
        Note::new(self.sentence(comparison, block_stats))
            .marked(mark(self.word, comparison.plans.len()))
    }

    /// Returns the sentence.
    pub(super) fn sentence(&self, comparison: &Comparison, block_stats: &BlockStats) -> String {
        let numbers = || self.numbers(comparison, block_stats);
        match self.word {
            Word::None => no_verdict(comparison, block_stats),
            Word::Undecided => {
                let blocks = units::counted(block_stats.blocks(), "block");
                let about = self.about(comparison);
                let more = self.more.iter().map(|more| format!("; {more}")).collect::<String>();
                format!(
                    "undecided after {blocks} {about} (this does not mean equal){more}: {}",
                    numbers()
                )
            }
            Word::Better | Word::Worse | Word::NoDifference => {
                format!("{}: {}", self.claim(comparison), numbers())
            }
        }
    }

    /// Returns the claim of a decided test.
    fn claim(&self, comparison: &Comparison) -> String {
        let names = comparison.plans[0].names();
        let metric = comparison.metric.shown();
        let size = |x: f64| number(comparison, x, false);
        let is_agents = comparison.plans.len() == 1;
        let by = match self.h0 > 0.0 && !is_agents {
            true => format!(" by more than {}", size(self.h0)),
            false => String::new(),
        };
        match (self.word, is_agents) {
            (Word::NoDifference, _) => {
                let above = self.above.map(|x| format!(" above {}", size(x))).unwrap_or_default();
                match is_agents {
                    true => format!("no difference{above} between {} and {}", names[0], names[1]),
                    false => format!("no difference{above} in {metric} between A and B"),
                }
            }
            (word, true) => format!("{} is {} than {}", names[0], word.name(1), names[1]),
            (word, false) => format!("{metric} is {} under B than under A{by}", word.name(2)),
        }
    }

    fn about(&self, comparison: &Comparison) -> String {
        let names = comparison.plans[0].names();
        match comparison.plans.len() {
            1 => format!("whether {} is better or worse than {}", names[0], names[1]),
            _ => format!("whether {} differs between A and B", comparison.metric.shown()),
        }
    }

    /// Returns the effect with its interval and p-value.
    fn numbers(&self, comparison: &Comparison, block_stats: &BlockStats) -> String {
        let unit = comparison.metric.unit();
        let Some((effect, within)) = self.effect else {
            let mean = block_stats.moments().mean() - comparison.design.zero();
            let mean = number(comparison, mean, true);
            return match block_stats.blocks() {
                0 => "no block is played".to_owned(),
                1 => format!("{mean} {unit} in 1 block"),
                n => format!("exactly {mean} {unit} in each of {} blocks", units::count(n)),
            };
        };
        let effect = estimate(comparison, effect, within);
        let within = interval(comparison, within);
        let level = units::hundredths(self.level.unwrap_or_default());
        let p = self.p.map(units::p_value).unwrap_or_default();
        let against = match self.h0 == 0.0 {
            true => String::new(),
            false => format!(" against {}", number(comparison, self.h0, true)),
        };
        format!("{effect} {unit} {within} ({level} %), {p}{against}")
    }
}

/// Returns the reason for a missing verdict.
fn no_verdict(comparison: &Comparison, block_stats: &BlockStats) -> String {
    if let Some(spoilt) = block_stats.spoilt() {
        return forfeited(&spoilt);
    }
    let mean = number(comparison, block_stats.moments().mean(), false);
    format!(
        "no verdict: all {} blocks are the same games. {} gets {mean} points a game in each, and further blocks \
         would add nothing",
        units::count(block_stats.blocks()),
        comparison.plans[0].names()[0]
    )
}

/// Returns the sentence on too many forfeits for a verdict.
pub(super) fn forfeited(spoilt: &Spoilt<'_>) -> String {
    format!(
        "no verdict: {} of {} were forfeited, more than {} %; {}",
        units::count(spoilt.forfeits),
        units::counted(spoilt.games, "game"),
        units::hundredths(MOST_FORFEITS),
        spoilt.first
    )
}

/// Returns the colour of a verdict: green for better, red for worse or unknown. Of two rule sets neither is better.
pub(super) const fn mark(word: Word, n_arms: usize) -> Mark {
    match (word, n_arms) {
        (Word::Better, 1) => Mark::Winner,
        (Word::Worse, 1) | (Word::None, _) => Mark::Caveat,
        (Word::Undecided, _) => Mark::Open,
        (Word::Better | Word::Worse | Word::NoDifference, _) => Mark::Plain,
    }
}
