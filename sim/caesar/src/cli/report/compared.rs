//! Source of a report from a comparison. Its test is recomputed from the rows of its trace, independently of its
//! summary.

use std::path::Path;

use draw::report::{Sheet, Source};
use engine::rules::Change;
use serde_json::Value as Json;

use crate::cli::compare::ComparisonOutput;
use crate::cli::directory;
use crate::cli::rows::Blocks;
use crate::cli::trace::{Ear, replay};
use lab::compare::manifest::Manifest;
use lab::compare::metric::spelled_from_one;
use lab::compare::sequential_test::SequentialTest;
use lab::compare::study::{ComparisonStudy, Test};
use lab::compare::trace::TraceCsv;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::stats::Interval;
use sim::units;

/// Points of a thinned line.
const POINTS: usize = 300;
/// Keys on which the summary and the trace must agree.
const TOLD: [&str; 5] = ["verdict", "effect", "low", "high", "p"];

/// Reads the comparison in `dir` into `source`; `summary` is its summary (null without one).
///
/// # Errors
/// If manifest or trace cannot be read, or are damaged.
pub(super) fn read(dir: &Path, source: &mut Source, summary: &Json) -> Result<(), Error> {
    let Some(manifest) = directory::found::<Manifest>(dir)? else { return Ok(()) };
    let study = manifest.study(&dir.join(MANIFEST).display().to_string())?;
    let (csv, range) = (TraceCsv::new(&study), manifest.range());
    let mut ear = Ear::new(&study, manifest.shard.is_some());
    let mut courses = Courses::default();
    let mut rows = Blocks::open(dir, &csv, range.start)?;
    replay(&mut rows, &range, &mut ear, &mut |ear| courses.look(ear))?;
    source.blocks = ear.block_stats().blocks();
    source.games = ear.block_stats().games();
    let Some(test) = ear.test() else {
        let what =
            "a shard of a comparison has no result of its own; caesar merge joins the shards";
        source.caveats.push(format!("{}: {what}.", source.place));
        return Ok(());
    };
    let document = ComparisonOutput::new(&study, test, None, false).document();
    let result: Json = serde_json::from_str(&document).unwrap_or_default();
    if !summary.is_null() && differs(summary, &result) {
        source.caveats.push(format!(
            "{}: summary.json disagrees with the blocks of trace.csv. It is ignored; the page is computed from the \
             blocks.",
            source.place
        ));
    }
    source.statements.extend(sentence(&study, &result));
    source.sheets.push(verdicts(&study, &result));
    source.sheets.extend(courses.sheets());
    Ok(())
}

/// Returns whether a summary contradicts the test.
fn differs(summary: &Json, result: &Json) -> bool {
    let members = |json: &Json| json["members"].as_array().cloned().unwrap_or_default();
    let (there, here) = (members(summary), members(result));
    let same = |a: &Json, b: &Json| TOLD.iter().all(|key| a[*key] == b[*key]);
    !same(summary, result)
        || there.len() != here.len()
        || there.iter().zip(&here).any(|(a, b)| a["metric"] != b["metric"] || !same(a, b))
}

/// Returns the result of a comparison as a sentence.
fn sentence(study: &ComparisonStudy, result: &Json) -> Option<String> {
    if let Some(sentence) = result["sentence"].as_str() {
        return Some(sentence.to_owned());
    }
    if let Some(members) = result["members"].as_array() {
        let of = |wanted: &str| -> Vec<String> {
            let rows = members.iter().filter(|one| word(one) == wanted);
            rows.filter_map(|one| one["metric"].as_str()).map(shown).collect()
        };
        let part = |wanted: &str| {
            let names = of(wanted);
            (!names.is_empty()).then(|| format!("{wanted}: {}", names.join(", ")))
        };
        let parts: Vec<String> = ["larger", "smaller", "no difference", "undecided"]
            .into_iter()
            .filter_map(part)
            .collect();
        return Some(format!("under B against A, {}", parts.join("; ")));
    }
    let names = study.plans()[0].names();
    let (a, b) = match study.plans().len() {
        1 => (names.first()?.as_str(), names.get(1)?.as_str()),
        _ => ("B", "A"),
    };
    let [effect, low, high] = ["effect", "low", "high"].map(|key| result[key].as_f64());
    let size = |x: f64| units::fixed(x, 4);
    let within = low
        .zip(high)
        .map_or_else(String::new, |(low, high)| format!(" [{}, {}]", size(low), size(high)));
    let gain = effect
        .map_or_else(String::new, |effect| format!(": {}{within} points per game", size(effect)));
    Some(match word(result) {
        "better" | "larger" => format!("{a} is better than {b}{gain}"),
        "worse" | "smaller" => format!("{a} is worse than {b}{gain}"),
        "no difference" => {
            let above = result["h1"].as_f64().map(size).unwrap_or_default();
            format!("no difference above {above} between {a} and {b}{gain}")
        }
        _ => format!("undecided between {a} and {b} (this does not mean equal){gain}"),
    })
}

/// Returns the verdict of a result; for a one-sided test the verdict of its interval.
fn word(result: &Json) -> &str {
    let [low, high] = ["low", "high"].map(|key| result[key].as_f64());
    match result["verdict"].as_str().unwrap_or_default() {
        "same" => "no difference",
        "H0" | "H1" if low.is_some_and(|low| low > 0.0) => "better",
        "H0" | "H1" if high.is_some_and(|high| high < 0.0) => "worse",
        "H0" if low.zip(result["h1"].as_f64()).is_some_and(|(low, h1)| low > -h1) => {
            "no difference"
        }
        "H0" | "H1" => "undecided",
        word => word,
    }
}

/// Returns the name of a metric for people, with its seat counted from 1.
fn shown(metric: &str) -> String {
    spelled_from_one(metric).map_or_else(|| metric.to_owned(), |name| name.replace('=', " "))
}

/// Returns the results metric by metric.
fn verdicts(study: &ComparisonStudy, result: &Json) -> Sheet {
    let one = [result.clone()];
    let members = result["members"].as_array().map_or(&one[..], Vec::as_slice);
    let arms: &[&str] = if study.plans().len() == 1 { &["candidate"] } else { &["A", "B"] };
    let mut columns = vec!["metric".to_owned()];
    columns.extend(arms.iter().map(|&arm| arm.to_owned()));
    columns.extend(
        [
            "difference",
            "difference_low",
            "difference_high",
            "p",
            "worth_finding",
            "verdict",
            "blocks",
        ]
        .map(str::to_owned),
    );
    let cell = |json: &Json| match json {
        Json::Number(x) => x
            .as_f64()
            .filter(|x| units::is_sensible(*x))
            .map_or_else(String::new, |x| x.to_string()),
        Json::String(text) => text.clone(),
        _ => String::new(),
    };
    let row = |member: &Json| {
        let mut cells = vec![shown(&cell(&member["metric"]))];
        cells.extend((0..arms.len()).map(|arm| cell(&member["means"][arm])));
        cells.extend(["effect", "low", "high", "p", "h1"].map(|key| cell(&member[key])));
        cells.extend([word(member).to_owned(), cell(&member["blocks"])]);
        cells
    };
    Sheet {
        name: "panel".to_owned(),
        caption: "Result of the comparison".to_owned(),
        columns,
        rows: members.iter().map(row).collect(),
    }
}

/// Courses of effects by blocks, thinned: one for each metric.
#[derive(Default)]
struct Courses(Vec<Course>);

/// Course of one effect by blocks.
#[derive(Default)]
struct Course {
    metric: String,
    every: u64,
    seen: u64,
    rows: Vec<[f64; 4]>,
}

impl Courses {
    /// Adds the current means and their confidence sequences.
    fn look(&mut self, ear: &Ear) {
        match ear.test() {
            Some(Test::Sequential(test)) => self.course(0, "").look(test),
            Some(Test::Panel(panel)) => {
                for (place, (member, test)) in panel.tests().iter().enumerate() {
                    self.course(place, &shown(member.metric.name())).look(test);
                }
            }
            Some(Test::Fixed(_)) | None => {}
        }
    }

    fn course(&mut self, place: usize, metric: &str) -> &mut Course {
        if self.0.len() <= place {
            self.0.push(Course { metric: metric.to_owned(), ..Course::default() });
        }
        &mut self.0[place]
    }

    fn sheets(&self) -> impl Iterator<Item = Sheet> {
        self.0.iter().filter_map(Course::sheet)
    }
}

impl Course {
    fn look(&mut self, test: &SequentialTest) {
        // A finished test of a panel accepts no more blocks.
        if test.blocks() == self.seen {
            return;
        }
        self.seen = test.blocks();
        if !self.seen.is_multiple_of(self.every.max(1)) {
            return;
        }
        let Interval { low, high } = test.sequence();
        self.rows.push([self.seen as f64, test.effect(), low, high]);
        if self.rows.len() > POINTS {
            self.every = self.every.max(1) * 2;
            self.rows.retain(|row| (row[0] as u64).is_multiple_of(self.every));
        }
    }

    fn sheet(&self) -> Option<Sheet> {
        let cell = |x: f64| if units::is_sensible(x) { x.to_string() } else { String::new() };
        let columns = ["blocks", "effect", "effect_low", "effect_high"].map(str::to_owned).to_vec();
        let rows = self.rows.iter().map(|row| row.map(cell).to_vec()).collect();
        let caption = match self.metric.as_str() {
            "" => "Running mean".to_owned(),
            metric => format!("Running mean: {metric}"),
        };
        (self.rows.len() > 1).then(|| Sheet { name: "course".to_owned(), caption, columns, rows })
    }
}

/// Returns the changed rules as a table: of one rule set beside the default, or of two beside each other.
pub(super) fn changed(arms: &[Vec<Change>]) -> Option<Sheet> {
    let mut rules: Vec<&Change> = Vec::new();
    for change in arms.iter().flatten() {
        if !rules.iter().any(|known| known.shown_key() == change.shown_key()) {
            rules.push(change);
        }
    }
    let row = |rule: &&Change| {
        let default = match rule.was {
            Json::Null => "none".to_owned(),
            _ => rule.was.to_string(),
        };
        let now = |changes: &Vec<Change>| {
            let own = changes.iter().rfind(|change| change.shown_key() == rule.shown_key());
            own.map_or_else(|| default.clone(), |change| change.now.to_string())
        };
        [rule.shown_key(), default.clone()].into_iter().chain(arms.iter().map(now)).collect()
    };
    let rows: Vec<Vec<String>> = rules.iter().map(row).collect();
    let names: &[&str] = if arms.len() == 1 { &["here"] } else { &["under A", "under B"] };
    let columns = ["rule", "default"].iter().chain(names).map(|name| (*name).to_owned()).collect();
    (!rows.is_empty()).then(|| Sheet {
        name: "changed_rules".to_owned(),
        caption: "Changed rules".to_owned(),
        columns,
        rows,
    })
}
