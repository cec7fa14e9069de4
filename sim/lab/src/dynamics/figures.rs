//! Figures of a game's dynamics, from a model's snapshots of its games ([`Trace`]).
//!
//! | figure | definition |
//! | --- | --- |
//! | lead changes in chance | number of times that another seat has the highest chance by at least [`LEAD`], over the ends of rounds and the result |
//! | lead changes in score | number of times that another seat has the highest score |
//! | surprise | mean length `√Σ(Δp)²` of the change of the chances in a round (Ely, Frankel, Kamenica 2015) |
//! | suspense | `√E Σ(Δp)²` of the next round: over games, the mean expectation equals the mean observation |
//! | decided | fraction of games in which, from this stage on, a seat always had a chance of at least [`SAFE`] |
//! | comeback | mean of the winner's lowest chance at the end of a round |
//! | idle turns | fraction of turns in which no chance changed by [`IDLE`] or more |
//! | after it was decided | fraction of rounds after the last one with all chances below [`SAFE`] |

use sim::stats::calibration::Figure;
use sim::stats::clustered::ClusteredRatio;
use sim::win_model::audit::MOST_ERROR;
pub use sim::win_model::probes::IDLE;
use sim::win_model::probes::{Snapshot, Trace, leader};

/// The chance from which on a game counts as decided.
pub const SAFE: f64 = 0.8;
/// The smallest lead in chance that counts: the largest accepted error of a model.
pub const LEAD: f64 = MOST_ERROR;
/// The leads in the table of comebacks, in standard deviations of the leads after a stage.
const DEFICITS: [f64; 3] = [0.5, 1.0, 2.0];

/// A figure with its name.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedFigure {
    /// The name.
    pub name: String,
    /// The figure.
    pub figure: Figure,
}

impl NamedFigure {
    /// Creates a figure with its name.
    #[must_use]
    pub fn new(name: &str, figure: Figure) -> Self {
        Self { name: name.to_owned(), figure }
    }
}

/// Returns the mean of `of` over the games that have a value.
pub fn mean(
    name: &str,
    traces: &[Trace],
    of: &dyn Fn(&Trace) -> Option<f64>,
) -> Option<NamedFigure> {
    let mut ratio = ClusteredRatio::default();
    for trace in traces {
        of(trace).into_iter().for_each(|value| ratio.add(trace.block, value, 1.0));
    }
    Some(NamedFigure::new(name, Figure::of(&ratio)?))
}

fn share(name: &str, ratio: &ClusteredRatio) -> Option<NamedFigure> {
    Some(NamedFigure::new(name, Figure::of_share(ratio)?))
}

/// Returns the number of changes of the sole leader, with a lead of at least `margin`.
pub fn changes<'a>(looks: impl IntoIterator<Item = &'a [f64]>, margin: f64) -> u32 {
    let mut last = None;
    let mut changes = 0;
    for seat in looks.into_iter().filter_map(|look| leader(look, margin)) {
        changes += u32::from(last.is_some_and(|before| before != seat));
        last = Some(seat);
    }
    changes
}

/// Returns the length of the change between two snapshots.
fn length(from: &[f64], to: &[f64]) -> f64 {
    from.iter().zip(to).map(|(from, to)| (to - from).powi(2)).sum::<f64>().sqrt()
}

fn is_safe(look: &Snapshot) -> bool {
    look.chances.iter().any(|&p| p >= SAFE)
}

/// Returns the snapshots of a game, followed by its points.
fn with_end(trace: &Trace) -> impl Iterator<Item = &[f64]> {
    trace.rounds.iter().map(|look| &look.chances[..]).chain([&trace.points[..]])
}

/// Returns the number of rounds before the first after which some seat is safe to the end.
fn rounds_open(trace: &Trace) -> usize {
    trace.rounds.iter().rposition(|look| !is_safe(look)).map_or(0, |last| last + 1)
}

/// Returns the number of lead changes in score, in a game with scores; it needs no model.
#[must_use]
pub fn score_lead(traces: &[Trace]) -> Option<NamedFigure> {
    let count = |trace: &Trace| trace.turns.lead_changes.map(f64::from);
    let has_scores = traces.iter().all(|trace| trace.turns.lead_changes.is_some());
    mean("lead changes in score", traces, &count).filter(|_| has_scores)
}

/// Returns the figures of the dynamics.
#[must_use]
pub fn of(traces: &[Trace]) -> Vec<NamedFigure> {
    let mut idle = ClusteredRatio::default();
    let mut late = ClusteredRatio::default();
    let mut surprise = ClusteredRatio::default();
    for trace in traces {
        let block = trace.block;
        let turns = trace.turns;
        idle.add(block, turns.idle.into(), turns.looks.saturating_sub(1).into());
        late.add(
            block,
            (trace.rounds.len() - rounds_open(trace)) as f64,
            trace.rounds.len() as f64,
        );
        let looks: Vec<&[f64]> = with_end(trace).collect();
        for pair in looks.windows(2) {
            surprise.add(block, length(pair[0], pair[1]), 1.0);
        }
    }
    let lowest = |trace: &Trace| {
        let winner = leader(&trace.points, 0.0)?;
        trace.rounds.iter().map(|look| look.chances[winner]).min_by(f64::total_cmp)
    };
    let lead = |trace: &Trace| Some(f64::from(changes(with_end(trace), LEAD)));
    [
        mean("lead changes in chance", traces, &lead),
        mean("comeback: lowest chance of winners", traces, &lowest),
        Figure::of(&surprise).map(|figure| NamedFigure::new("surprise of a round", figure)),
        share("idle turns", &idle),
        share("rounds after it was decided", &late),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The figures of a stage.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// The stage, from 1.
    pub stage: usize,
    /// The fraction of games that were decided when it began.
    pub decided: Option<Figure>,
    /// The suspense of its rounds.
    pub suspense: Option<Figure>,
    /// The surprise of its rounds.
    pub surprise: Option<Figure>,
}

/// Returns the figures of the dynamics by stage.
#[must_use]
pub fn by_stage(traces: &[Trace], stages: usize) -> Vec<Stage> {
    let of = |stage: usize| {
        let (mut decided, mut squares, mut surprise) =
            (ClusteredRatio::default(), ClusteredRatio::default(), ClusteredRatio::default());
        for trace in traces {
            let block = trace.block;
            if let Some(first) = trace.rounds.iter().position(|look| look.stage >= stage) {
                let is_decided = rounds_open(trace) <= first;
                decided.add(block, f64::from(u8::from(is_decided)), 1.0);
            }
            let looks: Vec<&[f64]> = with_end(trace).collect();
            for (look, pair) in trace.rounds.iter().zip(looks.windows(2)) {
                if look.stage == stage {
                    let change = length(pair[0], pair[1]);
                    squares.add(block, change * change, 1.0);
                    surprise.add(block, change, 1.0);
                }
            }
        }
        Stage {
            stage: stage + 1,
            decided: Figure::of_share(&decided),
            suspense: Figure::of(&squares).map(root),
            surprise: Figure::of(&surprise),
        }
    };
    (0..stages).map(of).collect()
}

fn root(figure: Figure) -> Figure {
    let root = |x: f64| x.max(0.0).sqrt();
    let interval =
        figure.interval.map(|at| sim::stats::Interval { low: root(at.low), high: root(at.high) });
    Figure { estimate: root(figure.estimate), interval }
}

/// The frequency of wins of a seat that leads, or is behind, in score when a stage begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Lead {
    /// The stage that begins, from 1.
    pub stage: usize,
    /// The minimum lead over all other seats, in points of score; if negative, the minimum deficit to the first.
    pub by: f64,
    /// The number of seats of games with this lead.
    pub seats: f64,
    /// Their share of the points.
    pub wins: Figure,
}

/// Returns the table of leads and comebacks in score. For each stage but the first it has leads and deficits of 0.5, 1
/// and 2 standard deviations of the leads. Leaders that are hard to catch make a runaway game.
#[must_use]
pub fn leads(traces: &[Trace], stages: usize) -> Vec<Lead> {
    (1..stages).flat_map(|stage| leads_at(traces, stage)).collect()
}

fn leads_at(traces: &[Trace], stage: usize) -> Vec<Lead> {
    let mut seen: Vec<(u64, f64, f64)> = Vec::new();
    for trace in traces {
        let block = trace.block;
        let begun = trace.rounds.iter().find(|look| look.stage >= stage);
        let Some(scores) = begun.and_then(|look| look.scores.as_ref()) else { continue };
        for (seat, &score) in scores.iter().enumerate() {
            let others = scores.iter().enumerate().filter(|&(other, _)| other != seat);
            let best = others.map(|(_, &score)| score).max().unwrap_or(score);
            seen.push((block, f64::from(score) - f64::from(best), trace.points[seat]));
        }
    }
    let squares: f64 = seen.iter().map(|(_, lead, _)| lead * lead).sum();
    let spread = (squares / seen.len().max(1) as f64).sqrt();
    let levels = DEFICITS.iter().rev().map(|d| -d).chain(DEFICITS).map(|d| (d * spread).round());
    let mut levels: Vec<f64> = levels.filter(|by| *by != 0.0).collect();
    levels.dedup();
    let look = |by: f64| {
        let mut ratio = ClusteredRatio::default();
        let is_so = |lead: f64| if by > 0.0 { lead >= by } else { lead <= by };
        for &(block, _, points) in seen.iter().filter(|&&(_, lead, _)| is_so(lead)) {
            ratio.add(block, points, 1.0);
        }
        Some(Lead { stage: stage + 1, by, seats: ratio.weight(), wins: Figure::of_share(&ratio)? })
    };
    levels.into_iter().filter_map(look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::win_model::probes::Turns;

    fn look(chances: &[f64], scores: &[i32], stage: usize) -> Snapshot {
        Snapshot { stage, chances: chances.to_vec(), scores: Some(scores.to_vec()) }
    }

    #[test]
    fn a_lead_changes_when_somebody_else_is_alone_in_front() {
        let looks: [&[f64]; 5] = [&[0.0, 0.0], &[1.0, 0.0], &[1.0, 1.0], &[1.0, 2.0], &[3.0, 2.0]];
        assert_eq!(changes(looks, 0.0), 2);
        assert_eq!(changes([], 0.0), 0);
        let near: [&[f64]; 3] = [&[0.6, 0.4], &[0.495, 0.505], &[0.4, 0.6]];
        assert_eq!((changes(near, LEAD), changes([near[0], near[1]], LEAD)), (1, 0));
    }

    /// Returns a game in which the first seat is always two ahead, and wins.
    #[test]
    fn a_runaway_leader_is_one() {
        let game = |block| Trace {
            block,
            rounds: vec![look(&[0.5, 0.5], &[0, 0], 0), look(&[0.9, 0.1], &[2, 0], 1)],
            turns: Turns { looks: 2, idle: 0, lead_changes: Some(0) },
            points: vec![1.0, 0.0],
            plies: 2,
        };
        let traces: Vec<Trace> = (0..50).map(game).collect();
        let leads = leads(&traces, 2);
        let ahead = leads.iter().find(|lead| lead.by > 0.0).unwrap();
        let behind = leads.iter().find(|lead| lead.by < 0.0).unwrap();
        assert_eq!((ahead.by, ahead.wins.estimate), (1.0, 1.0), "{leads:?}");
        assert_eq!((ahead.seats, behind.wins.estimate), (50.0, 0.0), "{leads:?}");
        let stages = by_stage(&traces, 2);
        assert!(stages[0].decided.unwrap().estimate.abs() < 1e-12);
        assert!((stages[1].decided.unwrap().estimate - 1.0).abs() < 1e-12);
        assert!((stages[0].surprise.unwrap().estimate - 0.32f64.sqrt()).abs() < 1e-12);
        let late = of(&traces).into_iter().find(|line| line.name.contains("after")).unwrap();
        assert!((late.figure.estimate - 0.5).abs() < 1e-12);
    }
}
