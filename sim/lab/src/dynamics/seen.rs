//! Observations of games as the fields of a row: snapshots for a fit, chances by round, and options that were tried.

use agents::spectator::Course;
use csv::StringRecord;

use super::choices::{Finding, Findings};
use super::mix::Counts;
use super::rows::{Written, maybe, number, numbers, read_maybe, strokes};
use sim::win_model::Probe;
use sim::win_model::fit::Seen;
use sim::win_model::probes::{Snapshot, Trace, Turns};

/// Returns the names of the fields of a game that a model is fitted to.
#[must_use]
pub fn columns_of_fit() -> Vec<String> {
    ["plies", "points", "looks"].map(str::to_owned).to_vec()
}

impl Written for Seen {
    fn fields(&self) -> Vec<String> {
        let looks: Vec<String> = self.looks.iter().map(look).collect();
        vec![self.plies.to_string(), numbers(&self.points), looks.join(" ")]
    }

    fn read(fields: &StringRecord) -> Option<Self> {
        let mut fields = fields.iter();
        let (plies, points) = (fields.next()?.parse().ok()?, strokes(fields.next()?)?);
        let looks = fields.next()?.split(' ').filter(|text| !text.is_empty());
        Some(Self { plies, points, looks: looks.map(read_look).collect::<Option<_>>()? })
    }
}

/// Writes a snapshot: stage, round and progress, plies, round number, and the counts by feature and seat.
fn look(look: &Probe) -> String {
    let Course { stage, round, done } = look.course;
    let (stage, round, done) = (maybe(stage), maybe(round), maybe(done.map(number)));
    format!("{stage}/{round}/{done}/{}/{}:{}", look.plies, look.round, numbers(&look.counts))
}

fn read_look(text: &str) -> Option<Probe> {
    let (place, counts) = text.split_once(':')?;
    let parts: Vec<&str> = place.split('/').collect();
    let [stage, round, done, plies, at] = parts[..] else { return None };
    Some(Probe {
        course: Course {
            stage: read_maybe(stage)?,
            round: read_maybe(round)?,
            done: read_maybe(done)?,
        },
        plies: plies.parse().ok()?,
        round: at.parse().ok()?,
        counts: strokes(counts)?.into(),
    })
}

/// The observations of a held-out game.
#[derive(Clone, PartialEq, Debug)]
pub struct ObservedGame {
    /// The chances by round.
    pub trace: Trace,
    /// The change of each seat's chance by chance events.
    pub fortune: Vec<f64>,
    /// The options that were tried and those that were offered; `None` if only the model is audited.
    pub choices: Option<(Findings, Counts)>,
}

/// Returns the names of the fields of a held-out game, with or without its choices.
#[must_use]
pub fn columns_of_watched(with_choices: bool) -> Vec<String> {
    let more: &[&str] = if with_choices { &["tried", "options"] } else { &[] };
    let all = ["plies", "points", "fortune", "turns", "rounds"];
    all.iter().chain(more).map(|&name| name.to_owned()).collect()
}

impl Written for ObservedGame {
    fn fields(&self) -> Vec<String> {
        // The number of the row is the number of the block.
        let Trace { block: _, rounds, turns, points, plies } = &self.trace;
        let rounds: Vec<String> = rounds.iter().map(written).collect();
        let turns = format!("{}/{}/{}", turns.looks, turns.idle, maybe(turns.lead_changes));
        let mut fields = vec![
            plies.to_string(),
            numbers(points),
            numbers(&self.fortune),
            turns,
            rounds.join(" "),
        ];
        if let Some((found, counts)) = &self.choices {
            fields.extend([findings(found), counts.text()]);
        }
        fields
    }

    fn read(fields: &StringRecord) -> Option<Self> {
        let mut fields = fields.iter();
        let plies = fields.next()?.parse().ok()?;
        let points = strokes(fields.next()?)?;
        let fortune = strokes(fields.next()?)?;
        let turns: Vec<&str> = fields.next()?.split('/').collect();
        let [looks, idle, lead_changes] = turns[..] else { return None };
        let turns = Turns {
            looks: looks.parse().ok()?,
            idle: idle.parse().ok()?,
            lead_changes: read_maybe(lead_changes)?,
        };
        let rounds = fields.next()?.split(' ').filter(|text| !text.is_empty());
        let rounds = rounds.map(read_snapshot).collect::<Option<_>>()?;
        let choices = match fields.next() {
            Some(tried) => Some((read_findings(tried)?, Counts::read(fields.next()?)?)),
            None => None,
        };
        Some(Self { trace: Trace { block: 0, rounds, turns, points, plies }, fortune, choices })
    }
}

/// Writes a snapshot: stage, chances, and scores if there are any.
fn written(snapshot: &Snapshot) -> String {
    let scores = snapshot
        .scores
        .as_ref()
        .map(|scores| scores.iter().map(i32::to_string).collect::<Vec<_>>().join("/"));
    format!("{}:{}:{}", snapshot.stage, numbers(&snapshot.chances), maybe(scores))
}

fn read_snapshot(text: &str) -> Option<Snapshot> {
    let parts: Vec<&str> = text.split(':').collect();
    let [stage, chances, scores] = parts[..] else { return None };
    let scores = if scores == "-" { None } else { Some(strokes(scores)?) };
    Some(Snapshot { stage: stage.parse().ok()?, chances: strokes(chances)?, scores })
}

/// Writes the numbers of decisions, and the evaluations of two of them.
fn findings(found: &Findings) -> String {
    let one = |finding: Option<Finding>| {
        finding.map_or_else(
            || "-".to_owned(),
            |Finding { options, spread, matters, kingmaking }| {
                let (spread, matters) = (number(spread), u8::from(matters));
                format!("{options}/{spread}/{matters}/{}", number(kingmaking))
            },
        )
    };
    let [all, hopeless] = found.decisions;
    format!("{all}/{hopeless} {} {}", one(found.any), one(found.hopeless))
}

fn read_findings(text: &str) -> Option<Findings> {
    let one = |text: &str| -> Option<Option<Finding>> {
        if text == "-" {
            return Some(None);
        }
        let parts: Vec<&str> = text.split('/').collect();
        let [options, spread, matters, kingmaking] = parts[..] else { return None };
        Some(Some(Finding {
            options: options.parse().ok()?,
            spread: spread.parse().ok()?,
            matters: matters == "1",
            kingmaking: kingmaking.parse().ok()?,
        }))
    };
    let parts: Vec<&str> = text.split(' ').collect();
    let [decisions, any, hopeless] = parts[..] else { return None };
    let decisions = strokes(decisions)?.try_into().ok()?;
    Some(Findings { decisions, any: one(any)?, hopeless: one(hopeless)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again<T: Written>(what: &T) -> Option<T> {
        T::read(&what.fields().into_iter().collect())
    }

    #[test]
    fn what_was_seen_is_read_as_it_was() {
        let course = Course { stage: Some(2), round: None, done: Some(1.0 / 3.0) };
        let look = |course| Probe { course, plies: 7, round: 3, counts: [0.1, -2.0, 3.0].into() };
        let looks = vec![look(course), look(Course::default())];
        let seen = Seen { looks, points: vec![0.5, 0.5], plies: 9 };
        assert_eq!(again(&seen), Some(seen));
        let rounds = [Some(vec![-3, 4]), None].map(|scores| Snapshot {
            stage: 1,
            chances: vec![1.0 / 3.0, 2.0 / 3.0],
            scores,
        });
        let turns = Turns { looks: 4, idle: 1, lead_changes: None };
        let (rounds, points) = (rounds.to_vec(), vec![1.0, 0.0]);
        let trace = Trace { block: 0, rounds, turns, points, plies: 12 };
        let judged = ObservedGame { trace, fortune: vec![1e-7, -0.25], choices: None };
        assert_eq!(again(&judged), Some(judged.clone()));
        let finding = Finding { options: 3, spread: 0.125, matters: true, kingmaking: 0.0 };
        let found = Findings { decisions: [7, 1], any: Some(finding), hopeless: None };
        let watched = ObservedGame { choices: Some((found, Counts::default())), ..judged };
        assert_eq!(again(&watched), Some(watched.clone()));
        let mut cut: Vec<String> = watched.fields();
        cut[4] = cut[4].replace(':', ";");
        assert_eq!(ObservedGame::read(&cut.into_iter().collect()), None);
    }
}
