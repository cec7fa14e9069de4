//! Text and document of a search's cost and the smallest gain it can detect.

use serde_json::{Value as Json, json};

use lab::tune::gain::Gain;
use lab::tune::study::{POWER, TuningStudy};
use lab::tune::subject::Subject;
use sim::document::document;
use sim::units;

/// Returns the cost and power of a search, for people.
#[must_use]
pub fn plan(study: &TuningStudy, minutes: f64, threads: usize) -> String {
    let budget = study.search.budget;
    let players = study.games_per_block();
    let games = |blocks: u64| units::counted(blocks * players, "game");
    let mut lines = vec![format!(
        "{} of {} in {}:",
        study.search.how.name(),
        study.subject.text(),
        units::counted(study.search.space.len() as u64, "dimension")
    )];
    lines.extend(study.search.space.dimensions().iter().map(|one| {
        format!("  {}: {} ({}), from {}", one.name, one.range.text(), one.range.scale(), one.start)
    }));
    lines.push(format!(
        "search    {} in {}",
        games(budget.train),
        units::counted(study.search.runs, "search")
    ));
    if let Subject::Rules(laws) = &study.subject {
        lines.push(format!("loss      {}", laws.target.loss()));
    }
    lines.push(format!("play-off  {}", games(budget.select)));
    lines.push(format!(
        "report    {}: {} for each of {} sides",
        games(budget.confirm * study.report_arms()),
        games(budget.confirm),
        study.report_arms()
    ));
    lines.push(format!(
        "in all    {}, about {} on {}",
        games(study.games() / players),
        units::seconds(60.0 * minutes),
        units::counted(threads as u64, "thread")
    ));
    lines.push(match study.smallest_gain() {
        Some(gain) => format!(
            "detects   a gain of {}{} with {} % power, and smaller gains if shared dice help",
            units::share(gain),
            if study.search.gain() == Gain::Share { " points of share" } else { "" },
            units::hundredths(POWER)
        ),
        None => "detects   unknown: the spread of games is not known in advance".to_owned(),
    });
    let notes = study.cautions().into_iter().chain(study.hints());
    lines.extend(notes.map(|text| format!("note      {text}")));
    lines.join("\n") + "\n"
}

/// Returns the cost and power of a search as one JSON document.
#[must_use]
pub fn plan_json(study: &TuningStudy, minutes: f64) -> String {
    let budget = study.search.budget;
    let players = study.games_per_block();
    let notes = [study.cautions(), study.hints()].concat();
    let dimensions = study.search.space.dimensions().iter().map(
        |one| json!({"name": one.name, "range": one.range.text(), "scale": one.range.scale(), "start": one.start}),
    );
    document(&json!({
        "method": study.search.how.name(),
        "runs": study.search.runs,
        "space": dimensions.collect::<Vec<Json>>(),
        "search_games": budget.train * players,
        "play_off_games": budget.select * players,
        "report_games": budget.confirm * study.report_arms() * players,
        "games": study.games(),
        "minutes": minutes,
        "smallest_gain": study.smallest_gain(),
        "notes": notes,
        "command": study.request.command(),
    }))
}
