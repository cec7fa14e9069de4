//! Figures of a game's arc, from what a model told at looks at its games ([`Trace`]).
//!
//! | figure | what it is |
//! | --- | --- |
//! | lead changes | how often somebody else has the highest chance, from look to look at the ends of rounds; a tie changes nothing |
//! | lead changes in score | the same of the scores |
//! | surprise | the mean length `√Σ(Δp)²` of the change of the chances in a round (Ely, Frankel, Kamenica 2015) |
//! | suspense | `√E Σ(Δp)²` of the round to come: over games, the mean of what was expected is the mean of what came |
//! | decided | the part of the games in which, from this stage on, somebody always had a chance of at least [`SAFE`] |
//! | comeback | the mean of the lowest chance that the winner had at the end of a round |
//! | idle turns | the part of the turns in which nobody's chance changed by [`IDLE`] or more |
//! | after it was decided | the part of the rounds that came after the last with all chances below [`SAFE`] |

use super::study::Line;
use crate::stats::calibration::Figure;
use crate::stats::clustered::Ratio;
use crate::win_model::looks::{Told, Trace};

/// The chance from which on a game counts as decided.
pub const SAFE: f64 = 0.8;
/// A change of a chance that counts for nothing.
pub const IDLE: f64 = 0.005;
/// Leads of so many standard deviations of the leads after a stage stand in the table of comebacks.
const DEFICITS: [f64; 3] = [0.5, 1.0, 2.0];

/// A figure with what it is of.
fn mean(name: &str, values: impl IntoIterator<Item = f64>) -> Option<Line> {
    Some(Line::new(name, Figure::of(&Ratio::of_means(values))?))
}

fn share(name: &str, ratio: &Ratio) -> Option<Line> {
    Some(Line::new(name, Figure::of_share(ratio)?))
}

/// Whoever is alone in front.
fn leader<T: PartialOrd + Copy>(values: &[T]) -> Option<usize> {
    let mut best = 0;
    for (seat, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = seat;
        }
    }
    let is_alone = |(seat, value): (usize, &T)| seat == best || *value < values[best];
    (!values.is_empty() && values.iter().enumerate().all(is_alone)).then_some(best)
}

/// How often somebody else is alone in front.
pub fn changes<'a, T: PartialOrd + Copy + 'a>(looks: impl IntoIterator<Item = &'a [T]>) -> u32 {
    let mut last = None;
    let mut changes = 0;
    for seat in looks.into_iter().filter_map(leader) {
        changes += u32::from(last.is_some_and(|before| before != seat));
        last = Some(seat);
    }
    changes
}

/// The length of the change from one look to the next.
fn length(from: &[f64], to: &[f64]) -> f64 {
    from.iter().zip(to).map(|(from, to)| (to - from).powi(2)).sum::<f64>().sqrt()
}

fn is_safe(told: &Told) -> bool {
    told.chances.iter().any(|&p| p >= SAFE)
}

/// The looks at a game, its points last.
fn with_end(trace: &Trace) -> impl Iterator<Item = &[f64]> {
    trace.rounds.iter().map(|told| &told.chances[..]).chain([&trace.points[..]])
}

/// Rounds before the first after which somebody is safe to the end.
fn rounds_open(trace: &Trace) -> usize {
    trace.rounds.iter().rposition(|told| !is_safe(told)).map_or(0, |last| last + 1)
}

/// How often the lead in score changes: of a game that keeps scores, whatever a model says.
#[must_use]
pub fn score_lead(traces: &[Trace]) -> Option<Line> {
    let count = |trace: &Trace| {
        let scores: Option<Vec<&[i32]>> =
            trace.turns.iter().map(|told| told.scores.as_deref()).collect();
        Some(f64::from(changes(scores?)))
    };
    let counts: Option<Vec<f64>> = traces.iter().map(count).collect();
    mean("lead changes in score", counts?)
}

/// The figures of the arc.
#[must_use]
pub fn of(traces: &[Trace]) -> Vec<Line> {
    let mut idle = Ratio::default();
    let mut late = Ratio::default();
    let mut surprise = Ratio::default();
    for (game, trace) in (0..).zip(traces) {
        for pair in trace.turns.windows(2) {
            let moved =
                pair[0].chances.iter().zip(&pair[1].chances).any(|(a, b)| (a - b).abs() >= IDLE);
            idle.add(game, f64::from(u8::from(!moved)), 1.0);
        }
        late.add(game, (trace.rounds.len() - rounds_open(trace)) as f64, trace.rounds.len() as f64);
        let looks: Vec<&[f64]> = with_end(trace).collect();
        for pair in looks.windows(2) {
            surprise.add(game, length(pair[0], pair[1]), 1.0);
        }
    }
    let lowest = |trace: &Trace| {
        let winner = leader(&trace.points)?;
        trace.rounds.iter().map(|told| told.chances[winner]).min_by(f64::total_cmp)
    };
    let lead = |trace: &Trace| f64::from(changes(with_end(trace)));
    [
        mean("lead changes in chance", traces.iter().map(lead)),
        mean("comeback: lowest chance of winners", traces.iter().filter_map(lowest)),
        Figure::of(&surprise).map(|figure| Line::new("surprise of a round", figure)),
        share("idle turns", &idle),
        share("rounds after it was decided", &late),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What is told of a stage.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// Counted from 1.
    pub stage: usize,
    /// The part of the games that were decided when it began.
    pub decided: Option<Figure>,
    /// The suspense of its rounds.
    pub suspense: Option<Figure>,
    /// The surprise of its rounds.
    pub surprise: Option<Figure>,
}

/// The figures of the arc by stage.
#[must_use]
pub fn by_stage(traces: &[Trace], stages: usize) -> Vec<Stage> {
    let of = |stage: usize| {
        let (mut decided, mut squares, mut surprise) =
            (Ratio::default(), Ratio::default(), Ratio::default());
        for (game, trace) in (0..).zip(traces) {
            if let Some(first) = trace.rounds.iter().position(|told| told.stage >= stage) {
                let is_decided = rounds_open(trace) <= first;
                decided.add(game, f64::from(u8::from(is_decided)), 1.0);
            }
            let looks: Vec<&[f64]> = with_end(trace).collect();
            for (told, pair) in trace.rounds.iter().zip(looks.windows(2)) {
                if told.stage == stage {
                    let change = length(pair[0], pair[1]);
                    squares.add(game, change * change, 1.0);
                    surprise.add(game, change, 1.0);
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
        figure.interval.map(|at| crate::stats::Interval { low: root(at.low), high: root(at.high) });
    Figure { estimate: root(figure.estimate), interval }
}

/// How often a seat wins that leads, or is behind, in score when a stage begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Lead {
    /// The stage that begins, counted from 1.
    pub stage: usize,
    /// Points by which the seat is at least ahead of all others; below 0 by which it is at least behind the first.
    pub by: f64,
    /// Seats of games that are so.
    pub seats: f64,
    /// Their share of the points.
    pub wins: Figure,
}

/// The table of leads and comebacks in score: for each stage but the first, leads and deficits of half a standard
/// deviation of the leads, of one and of two. Leaders that are hard to catch make a runaway game.
#[must_use]
pub fn leads(traces: &[Trace], stages: usize) -> Vec<Lead> {
    (1..stages).flat_map(|stage| leads_at(traces, stage)).collect()
}

fn leads_at(traces: &[Trace], stage: usize) -> Vec<Lead> {
    let mut seen: Vec<(u64, f64, f64)> = Vec::new();
    for (game, trace) in (0..).zip(traces) {
        let begun = trace.rounds.iter().find(|told| told.stage >= stage);
        let Some(scores) = begun.and_then(|told| told.scores.as_ref()) else { continue };
        for (seat, &score) in scores.iter().enumerate() {
            let others = scores.iter().enumerate().filter(|&(other, _)| other != seat);
            let best = others.map(|(_, &score)| score).max().unwrap_or(score);
            seen.push((game, f64::from(score) - f64::from(best), trace.points[seat]));
        }
    }
    let squares: f64 = seen.iter().map(|(_, lead, _)| lead * lead).sum();
    let spread = (squares / seen.len().max(1) as f64).sqrt();
    let levels = DEFICITS.iter().rev().map(|d| -d).chain(DEFICITS).map(|d| (d * spread).round());
    let mut levels: Vec<f64> = levels.filter(|by| *by != 0.0).collect();
    levels.dedup();
    let told = |by: f64| {
        let mut ratio = Ratio::default();
        let is_so = |lead: f64| if by > 0.0 { lead >= by } else { lead <= by };
        for &(game, _, points) in seen.iter().filter(|&&(_, lead, _)| is_so(lead)) {
            ratio.add(game, points, 1.0);
        }
        Some(Lead { stage: stage + 1, by, seats: ratio.weight(), wins: Figure::of_share(&ratio)? })
    };
    levels.into_iter().filter_map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(chances: &[f64], scores: &[i32], stage: usize) -> Told {
        Told { stage, chances: chances.to_vec(), scores: Some(scores.to_vec()) }
    }

    #[test]
    fn a_lead_changes_when_somebody_else_is_alone_in_front() {
        let looks: [&[i32]; 5] = [&[0, 0], &[1, 0], &[1, 1], &[1, 2], &[3, 2]];
        assert_eq!(changes(looks), 2);
        assert_eq!(changes::<i32>([]), 0);
    }

    /// A game in which the first seat is always two ahead, and wins.
    #[test]
    fn a_runaway_leader_is_one() {
        let game = |_| Trace {
            rounds: vec![told(&[0.5, 0.5], &[0, 0], 0), told(&[0.9, 0.1], &[2, 0], 1)],
            turns: vec![told(&[0.5, 0.5], &[0, 0], 0), told(&[0.9, 0.1], &[2, 0], 1)],
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
