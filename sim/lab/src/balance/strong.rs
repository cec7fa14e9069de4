//! The first rows of a study of cards or places, repeated with a stronger agent.
//!
//! The rows of a stage are one study of that agent, with fresh seeds. P-values are Holm's over all rows. A verdict holds
//! if the stronger agent has it also: found, with the same sign.

use engine::hash_of;

use super::cards::{Item, LEVEL};
use super::cell::Experiment;
use super::effect_accumulator::EffectAccumulator;
use super::estimate::Estimate;
use super::plan;
use super::request::{Bans, Request};
use super::study::BalanceStudy;
use sim::document::ReadFile;
use sim::error::Error;
use sim::stats::multiple::holm;

/// A row of a study: its subject, the estimate that its verdict is about, and whether it gets a verdict.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The thing or place, and the stage.
    pub item: Item,
    /// The surplus of a thing, or the worth of a token.
    pub estimate: Estimate,
    /// True unless the agents never take the thing.
    pub is_told: bool,
}

/// A row that was asked of two agents.
#[derive(Clone, PartialEq, Debug)]
pub struct Again {
    /// The row as the agent of the study has it.
    pub weak: Line,
    /// The row as the stronger agent has it.
    pub strong: Line,
    /// The p-value of the stronger agent's row, adjusted over all rows (Holm).
    pub adjusted_p: f64,
}

/// The verdict on a row that was repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// Found again, with the same sign.
    Yes,
    /// Found with the other sign.
    Reversed,
    /// Not found, which does not mean that there is nothing.
    Undecided,
    /// The stronger agent never takes the thing.
    NoStatement,
}

impl Again {
    /// Returns the verdict.
    #[must_use]
    pub fn holds(&self) -> Holds {
        let is_same = self.strong.estimate.value * self.weak.estimate.value > 0.0;
        match self.adjusted_p < LEVEL {
            _ if !self.strong.is_told => Holds::NoStatement,
            true if is_same => Holds::Yes,
            true => Holds::Reversed,
            false => Holds::Undecided,
        }
    }
}

/// Returns the rows of a study as `effects` have them.
fn lines(study: &BalanceStudy, effects: &EffectAccumulator) -> Vec<Line> {
    match study {
        BalanceStudy::Cards(cards) => {
            let lines = cards.screen(effects).into_iter();
            lines.map(|l| line(l.has_verdict(), (l.name.clone(), l.stage), l.surplus)).collect()
        }
        BalanceStudy::Provinces(provinces) => {
            let lines = provinces.lines(effects).into_iter();
            lines.map(|l| line(true, (l.name, l.stage), l.token)).collect()
        }
        BalanceStudy::Seats(_) | BalanceStudy::Alliances(_) => Vec::new(),
    }
}

fn line(is_told: bool, item: Item, estimate: Estimate) -> Line {
    Line { item, estimate, is_told }
}

/// Returns the first rows of a study: those of its confirmation, and then those of the screen by their p-values.
#[must_use]
pub fn first_rows(
    study: &BalanceStudy,
    screen: &EffectAccumulator,
    again: Option<&(Experiment, EffectAccumulator)>,
    most: usize,
) -> Vec<Line> {
    let mut first: Vec<Line> = match (study, again) {
        (BalanceStudy::Cards(cards), Some((experiment, effects))) => {
            let lines = cards.confirmed(experiment, effects, screen).into_iter();
            lines.map(|l| line(l.has_verdict(), (l.name.clone(), l.stage), l.surplus)).collect()
        }
        (BalanceStudy::Provinces(provinces), Some((experiment, effects))) => {
            let lines = provinces.confirmed(experiment, effects, screen).into_iter();
            lines.map(|l| line(true, (l.name, l.stage), l.token)).collect()
        }
        _ => Vec::new(),
    };
    let p = |line: &Line| line.estimate.p.unwrap_or(1.0);
    let mut rest = lines(study, screen);
    rest.retain(|one| one.is_told && first.iter().all(|known| known.item != one.item));
    rest.sort_by(|a, b| p(a).total_cmp(&p(b)));
    first.extend(rest);
    first.truncate(most);
    first
}

/// Returns the studies that ask `agent` about `rows`: one for each stage, with `blocks` blocks.
///
/// # Errors
/// If the agent or the number of blocks is refused.
pub fn studies(
    study: &BalanceStudy,
    rows: &[Line],
    agent: &str,
    blocks: u64,
    read: ReadFile<'_>,
) -> Result<Vec<BalanceStudy>, Error> {
    let mut stages: Vec<u8> = rows.iter().map(|row| row.item.1).collect();
    stages.sort_unstable();
    stages.dedup();
    let one = |stage: u8| {
        let names = rows.iter().filter(|row| row.item.1 == stage).map(|row| row.item.0.clone());
        let request = Request {
            name: names.collect(),
            stage: vec![stage.into()],
            seed: Some(hash_of(&("strong", study.validated().seed, stage)) >> 11),
            ..request(study, agent, blocks)
        };
        BalanceStudy::new(study.validated().what, &request, read)
    };
    stages.into_iter().map(one).collect()
}

/// Checks that `agent` can be asked in so many blocks.
///
/// # Errors
/// If the agent or the number of blocks is refused.
pub fn check(
    study: &BalanceStudy,
    agent: &str,
    blocks: u64,
    read: ReadFile<'_>,
) -> Result<(), Error> {
    BalanceStudy::new(study.validated().what, &request(study, agent, blocks), read).map(drop)
}

/// Returns the request of a study in which `agent` has all seats.
fn request(study: &BalanceStudy, agent: &str, blocks: u64) -> Request {
    let asked = study.validated();
    let smallest = plan::smallest_effect(asked.facts.players, blocks.max(1));
    Request {
        agents: vec![agent.to_owned()],
        blocks: Some(blocks),
        effect: Some((100.0 * smallest).ceil() / 100.0),
        sweep: false,
        bans: Some(Bans::None),
        ..asked.request.clone()
    }
}

/// Returns the rows with those of the stronger agent, whose studies have these effects.
#[must_use]
pub fn asked_again(rows: Vec<Line>, played: &[(BalanceStudy, EffectAccumulator)]) -> Vec<Again> {
    let strong: Vec<Line> =
        played.iter().flat_map(|(study, effects)| lines(study, effects)).collect();
    let pair = |weak: Line| {
        let strong = strong.iter().find(|strong| strong.item == weak.item)?.clone();
        Some(Again { weak, strong, adjusted_p: 1.0 })
    };
    let mut all: Vec<Again> = rows.into_iter().filter_map(pair).collect();
    let p: Vec<f64> = all.iter().map(|one| one.strong.estimate.p.unwrap_or(1.0)).collect();
    all.iter_mut().zip(holm(&p)).for_each(|(one, p)| one.adjusted_p = p);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_holds_only_where_it_is_found_again_with_its_sign() {
        let row = |value: f64, is_told: bool| Line {
            item: ("loot".to_owned(), 1),
            estimate: Estimate { value, interval: None, p: Some(0.01), n: 40 },
            is_told,
        };
        let again = |strong: f64, is_told: bool, adjusted_p: f64| {
            Again { weak: row(-0.05, true), strong: row(strong, is_told), adjusted_p }.holds()
        };
        assert_eq!(again(-0.1, true, 0.01), Holds::Yes);
        assert_eq!(again(0.1, true, 0.01), Holds::Reversed);
        assert_eq!(again(-0.1, true, 0.2), Holds::Undecided);
        assert_eq!(again(-0.1, false, 0.01), Holds::NoStatement);
    }
}
