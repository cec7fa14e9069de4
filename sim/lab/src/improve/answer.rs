//! The answer of a road in sentences: use this agent, do not use it, or nothing better was found.

use serde::{Deserialize, Serialize};

use super::road::EFFECT;
use crate::compare::verdict::Word;
use crate::tune::confirm::Verdict;
use sim::stats::Interval;
use sim::units;

/// Points of share in a per cent.
const PER_CENT: f64 = 100.0;

/// The opponents of a search in a sentence.
pub const THE_POOL: &str = "the pool";

/// An estimate in a document, in points of share.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Effect {
    /// The estimate.
    pub estimate: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The number of blocks.
    pub n: u64,
}

/// The gain against a held-out opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeldOut {
    /// The opponent.
    pub opponent: String,
    /// The gain over the start.
    pub effect: Effect,
}

/// The gain in the report of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Confirmed {
    /// The gain over the start.
    pub effect: Effect,
}

/// The document of a search or of a race, as far as a road reads it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Raced {
    /// The verdict.
    pub verdict: String,
    /// The opponents against which the candidate is worse.
    pub worse_against: Vec<String>,
    /// The agent to use.
    pub winner: String,
    /// The best candidate; `None` if none was found.
    pub candidate: Option<String>,
    /// The gain against the pool; `None` if no candidate was worth a report.
    pub confirmation: Option<Confirmed>,
    /// The gains against held-out opponents.
    pub held_out: Vec<HeldOut>,
    /// The smallest gain that the report finds in four of five cases.
    pub smallest_gain: Option<f64>,
    /// The number of games.
    pub games: u64,
}

/// The document of a comparison, as far as a road reads it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tested {
    /// The verdict.
    pub verdict: String,
    /// The result in a sentence.
    pub sentence: String,
    /// The number of games.
    pub games: u64,
}

impl Raced {
    /// Returns whether the candidate is better and worse against nobody.
    #[must_use]
    pub fn is_better(&self) -> bool {
        self.verdict == Verdict::Better.name()
    }

    /// Returns whether the candidate is worse against an opponent.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        let is_behind = |one: &Confirmed| one.effect.high < 0.0;
        !self.worse_against.is_empty() || self.confirmation.as_ref().is_some_and(is_behind)
    }

    /// Returns the gains over the start against each opponent, in words: first against the pool, called `pool`.
    #[must_use]
    pub fn gains(&self, pool: &str) -> String {
        let held_out = self.held_out.iter().map(|one| (one.opponent.as_str(), one.effect));
        let own = self.confirmation.iter().map(|one| (pool, one.effect));
        own.chain(held_out).map(|(whom, gain)| gained(whom, gain)).collect::<Vec<_>>().join("; ")
    }

    /// Returns the verdict in a few words.
    #[must_use]
    pub fn word(&self) -> String {
        match &self.worse_against[..] {
            [] => self.verdict.clone(),
            worse => format!("{}, worse against {}", self.verdict, worse.join(" and ")),
        }
    }

    /// Returns the result of a step in a sentence.
    #[must_use]
    pub fn sentence(&self, pool: &str) -> String {
        match &self.confirmation {
            None => "no candidate gained anything on fresh games".to_owned(),
            Some(_) => format!("{}: {}", self.verdict, self.gains(pool)),
        }
    }
}

/// Returns a gain against an opponent in words.
fn gained(whom: &str, Effect { estimate, low, high, .. }: Effect) -> String {
    let per_cent = |x: f64| units::fixed(PER_CENT * x, 1);
    let interval = format!("[{}, {}]", per_cent(low), per_cent(high));
    let signed = units::signed(PER_CENT * estimate, 1);
    match Word::of_interval(Interval { low, high }, Some(EFFECT)) {
        Word::Better => format!("{signed} % of share {interval} against {whom}"),
        Word::Worse => format!("worse against {whom}, {signed} % of share {interval}"),
        Word::NoDifference => {
            format!("no difference above {} % against {whom} {interval}", PER_CENT * EFFECT)
        }
        Word::Undecided | Word::None => {
            format!("undecided against {whom}, {signed} % of share {interval}")
        }
    }
}

/// A step that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// The name: that of its directory.
    pub name: String,
    /// The command that plays it again.
    pub command: String,
    /// True if the road went on with its agent.
    pub is_accepted: bool,
    /// True if nothing was chosen by it.
    pub is_report: bool,
    /// The verdict, in a few words.
    pub verdict: String,
    /// The result.
    pub sentence: String,
    /// The number of games, if the step counts them.
    pub games: Option<u64>,
}

/// The verdict on a road.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// A better agent.
    Better,
    /// An agent that is worse against an opponent that it was not tuned against.
    Worse,
    /// No better agent.
    Nothing,
}

/// The report at a number of players.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReportAt {
    /// The number of players.
    pub players: usize,
    /// The result.
    pub result: Raced,
}

/// The answer to a road.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The verdict.
    pub verdict: Found,
    /// The agent to use: the start, if nothing better was found.
    pub agent: String,
    /// The start.
    pub start: String,
    /// The accepted agent, if there is one.
    pub candidate: Option<String>,
    /// The answer in a sentence.
    pub answer: String,
    /// The reports, those at the number of players of the road first.
    pub reports: Vec<ReportAt>,
    /// The results at other numbers of players, in sentences.
    pub tables: Vec<String>,
    /// The games that would decide, in a sentence, if nothing better was found.
    pub decides: Option<String>,
    /// The steps, in order.
    pub steps: Vec<Played>,
}

impl Answer {
    /// Returns the answer about a start without an accepted agent; `last` is the last search, which began at it.
    #[must_use]
    pub fn nothing(start: &str, last: &Raced, steps: Vec<Played>) -> Self {
        let worse = last.candidate.as_ref().filter(|_| !last.worse_against.is_empty());
        if let Some(candidate) = worse {
            return Self {
                verdict: Found::Worse,
                agent: start.to_owned(),
                start: start.to_owned(),
                candidate: Some(candidate.clone()),
                answer: format!("Do not use {candidate}: {}; keep {start}", last.gains(THE_POOL)),
                reports: Vec::new(),
                tables: Vec::new(),
                decides: decides(last),
                steps,
            };
        }
        let reasons: Vec<String> = steps
            .iter()
            .filter(|step| !step.is_accepted)
            .map(|step| format!("{}: {}", step.name, step.verdict))
            .collect();
        Self {
            verdict: Found::Nothing,
            agent: start.to_owned(),
            start: start.to_owned(),
            candidate: None,
            answer: format!("Nothing better was found: keep {start} ({})", reasons.join("; ")),
            reports: Vec::new(),
            tables: Vec::new(),
            decides: decides(last),
            steps,
        }
    }

    /// Returns the answer by the reports on `candidate`, that at the number of players of the road first.
    ///
    /// # Panics
    /// If there is no report (a bug: a game has at least one number of players).
    #[must_use]
    pub fn of(start: &str, candidate: &str, reports: Vec<ReportAt>, steps: Vec<Played>) -> Self {
        let own = &reports.first().expect("a game has a number of players").result;
        let verdict = match (own.is_better(), own.is_worse()) {
            (true, _) => Found::Better,
            (false, true) => Found::Worse,
            (false, false) => Found::Nothing,
        };
        let gains = own.gains(start);
        let answer = match verdict {
            Found::Better => format!("Use {candidate}: {gains}"),
            Found::Worse => format!("Do not use {candidate}: {gains}; keep {start}"),
            Found::Nothing => {
                let shown = if gains.is_empty() { "it was behind".to_owned() } else { gains };
                format!(
                    "Nothing better was found: keep {start}; {candidate} was accepted, but the report on fresh games \
                     does not show its gain ({shown})"
                )
            }
        };
        let is_better = verdict == Found::Better;
        Self {
            verdict,
            agent: if is_better { candidate } else { start }.to_owned(),
            start: start.to_owned(),
            candidate: Some(candidate.to_owned()),
            answer,
            tables: reports[1..].iter().map(|report| elsewhere(report, start)).collect(),
            decides: if is_better { None } else { decides(own) },
            reports,
            steps,
        }
    }
}

/// Returns the result at another number of players in a sentence.
fn elsewhere(report: &ReportAt, start: &str) -> String {
    let ReportAt { players, result: raced } = report;
    let gains = raced.gains(start);
    match (raced.is_better(), raced.is_worse()) {
        (true, _) => format!("{players} players: also better, {gains}"),
        (false, true) => format!("{players} players: do not use it there, {gains}"),
        (false, false) if gains.is_empty() => format!("{players} players: no gain"),
        (false, false) => format!("{players} players: no gain is shown, {gains}"),
    }
}

/// Returns the sentence about the games that would decide.
fn decides(raced: &Raced) -> Option<String> {
    let smallest = raced.smallest_gain?;
    let times = (smallest / EFFECT).powi(2);
    let least = units::fixed(PER_CENT * smallest, 1);
    let effect = PER_CENT * EFFECT;
    Some(match times > 1.0 {
        true => format!(
            "gains below {least} % of share are often missed; {effect} % needs {} times as many games",
            times.ceil()
        ),
        false => format!("gains of {least} % of share and more are found in four of five runs"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(estimate: f64) -> Effect {
        Effect { estimate, low: estimate - 0.03, high: estimate + 0.03, n: 100 }
    }

    fn raced(verdict: Verdict, pool: f64, held_out: f64) -> Raced {
        let opponent = "mcts(iterations=50)".to_owned();
        let is_worse = held_out < -0.05;
        Raced {
            verdict: verdict.name().to_owned(),
            worse_against: if is_worse { vec![opponent.clone()] } else { Vec::new() },
            winner: String::new(),
            candidate: Some("new".to_owned()),
            confirmation: Some(Confirmed { effect: effect(pool) }),
            held_out: vec![HeldOut { opponent, effect: effect(held_out) }],
            smallest_gain: Some(0.1),
            games: 400,
        }
    }

    #[test]
    fn the_answer_never_says_more_than_the_report() {
        let answer = |verdict: Verdict, pool: f64, held_out: f64| {
            let at = |players: usize, result: Raced| ReportAt { players, result };
            let here = at(4, raced(verdict, pool, held_out));
            let there = at(2, raced(Verdict::NoBetter, 0.0, 0.0));
            Answer::of("old", "new", vec![here, there], Vec::new())
        };
        let better = answer(Verdict::Better, 0.18, 0.01);
        assert_eq!(
            better.answer,
            "Use new: +18.0 % of share [15.0, 21.0] against old; no difference above 5 % against mcts(iterations=50) \
             [-2.0, 4.0]"
        );
        assert_eq!(
            (better.verdict, better.agent.as_str(), better.decides),
            (Found::Better, "new", None)
        );
        assert!(better.tables[0].starts_with("2 players: no gain is shown"), "{:?}", better.tables);
        let worse = answer(Verdict::PoolOnly, 0.18, -0.26);
        assert!(worse.answer.starts_with("Do not use new"), "{}", worse.answer);
        assert!(worse.answer.contains("worse against mcts(iterations=50), -26.0 % of share"));
        assert_eq!((worse.verdict, worse.agent.as_str()), (Found::Worse, "old"));
        let refused = Answer::nothing("old", &raced(Verdict::PoolOnly, 0.18, -0.26), Vec::new());
        assert_eq!(refused.verdict, Found::Worse);
        assert_eq!(refused.answer, worse.answer.replace("against old", "against the pool"));
        let nothing = answer(Verdict::NoBetter, 0.01, 0.0);
        assert_eq!((nothing.verdict, nothing.agent.as_str()), (Found::Nothing, "old"));
        assert!(nothing.decides.unwrap().contains("5 % needs 4 times as many games"));
    }
}
