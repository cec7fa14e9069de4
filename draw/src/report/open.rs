//! Answers of runs that decide nothing: bounds of what is possible, candidates of screens, and plain facts.

use super::digits::fixed;
use super::finding::{Finding, gain, leads};
use super::rows::found;
use super::units::Unit;
use super::{Kind, Sheet, Source};
use crate::plot::Shape;

/// The advice to people whose question stays open.
const MORE: &str = "Play more: four times the games halve the interval.";

/// Returns the answer of a run without a decided finding.
pub(super) fn open(source: &Source) -> Option<Finding> {
    match source.kind {
        Kind::Tournament => source.sheet("standings").and_then(ranking),
        Kind::Comparison => source.sheet("panel").and_then(|sheet| compared(source, sheet)),
        Kind::Cards | Kind::Provinces => candidates(source),
        Kind::Seats => source.sheet("seats").and_then(|sheet| even(source, sheet)),
        Kind::Search => gain(source).map(|gain| Finding { advice: "Keep the start.", ..gain }),
        Kind::Population => source.sheet("strategies").and_then(heaviest),
        Kind::Dynamics => source.sheet("game").and_then(first_figure),
        Kind::Ladder | Kind::Alliances | Kind::Rules | Kind::WinModel => Some(Finding {
            text: "Nothing is decided, which does not mean that nothing differs".to_owned(),
            ..Finding::default()
        }),
    }
}

/// Returns the strategy with the largest weight.
fn heaviest(sheet: &Sheet) -> Option<Finding> {
    let weights = sheet.rows.iter().map(|row| (row, sheet.estimate(row, "weight")));
    let weights = weights.filter_map(|(row, weight)| Some((row, weight?.0)));
    let (row, weight) = weights.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let name = sheet.text(row, "strategy");
    let text = format!("{name} has the largest weight, {:.0} % of the mixture", 100.0 * weight);
    Some(Finding { text, ..Finding::default() })
}

/// Returns the leader of a ranking that is not decided, with the reason.
pub(super) fn ranking(sheet: &Sheet) -> Option<Finding> {
    let (first, second) = (sheet.rows.first()?, sheet.rows.get(1)?);
    if leads(sheet, first).is_some() {
        return None;
    }
    let (share, within) = sheet.estimate(first, "share")?;
    let [name, next] = [first, second].map(|row| sheet.text(row, "agent"));
    let p = sheet.number(first, "next_p").or_else(|| sheet.number(first, "p"));
    let (text, advice) = match (p, sheet.text(first, "met_next")) {
        (Some(_), _) => (format!("{name} leads {next}, but this is undecided"), MORE),
        (None, "False") => (format!("{name} leads, but never met {next}, the next"), ""),
        (None, "True") => (
            format!("{name} leads {next}, but all blocks are copies of one, so nothing is decided"),
            "",
        ),
        // The candidate of a gauntlet stands first, even if it is weaker.
        (None, _) => (format!("{name} gets this share against the others"), ""),
    };
    Some(Finding { text, advice, p, ..Finding::of(Unit::Percent, share, within, false) })
}

/// Returns the answer of a comparison that found no difference.
fn compared(source: &Source, sheet: &Sheet) -> Option<Finding> {
    let row = sheet.rows.first()?;
    let is_none = sheet.rows.iter().all(|row| sheet.text(row, "verdict") == "no difference");
    let text = match (sheet.rows.len(), is_none) {
        (1, true) => "no difference that is worth finding",
        (1, false) => "undecided, which does not mean equal",
        (_, true) => "no metric differs by more than is worth finding",
        (_, false) => "no difference is decided, which does not mean that nothing differs",
    };
    let advice = match (is_none, source.has_two_rules()) {
        (true, true) => "Choose the rules by taste.",
        (true, false) => "Choose the faster agent.",
        (false, _) => MORE,
    };
    let shown = match sheet.estimate(row, "difference").filter(|_| sheet.rows.len() == 1) {
        Some((value, within)) => {
            Finding::of(source.unit(sheet, row, "difference"), value, within, true)
        }
        None => Finding::default(),
    };
    Some(Finding { text: text.to_owned(), advice, ..shown })
}

/// Returns the largest difference between seats that remains possible, if no difference is decided.
pub(super) fn even(source: &Source, sheet: &Sheet) -> Option<Finding> {
    let (name, zero) = match sheet.column("effect") {
        Some(_) => ("effect", 0.0),
        None => ("share", 1.0 / source.players.max(1) as f64),
    };
    let mut most = 0.0f64;
    for row in &sheet.rows {
        let (_, within) = sheet.estimate(row, name)?;
        if found(sheet, row, within, zero) == Shape::Full {
            return None;
        }
        let [low, high] = within?;
        most = most.max((low - zero).abs()).max((high - zero).abs());
    }
    let text =
        "no seat is decided to differ from an equal share; the largest difference that is possible";
    (most < 1.0 && most > 0.0).then(|| Finding {
        number: format!("{} pp", fixed(100.0 * most, 1)),
        text: text.to_owned(),
        ..Finding::default()
    })
}

/// Returns the number of candidates of a screen and the number confirmed on fresh seeds.
pub(super) fn candidates(source: &Source) -> Option<Finding> {
    let (name, column) = match source.kind {
        Kind::Cards => ("cards", "value"),
        Kind::Provinces => ("provinces", "token"),
        _ => return None,
    };
    let sheet = source.sheet(name)?;
    let count = |sheet: &Sheet, column: &str| {
        let is_found = |row: &&Vec<String>| {
            let within = sheet.estimate(row, column).and_then(|(_, within)| within);
            found(sheet, row, within, 0.0) == Shape::Full
        };
        sheet.rows.iter().filter(is_found).count()
    };
    let (n, of) = (count(sheet, column), sheet.rows.len());
    let Some(again) = source.sheet("confirmed") else {
        return Some(Finding {
            number: format!("{n} of {of}"),
            text: format!(
                "candidates of the screen of {name}; none was played again on fresh seeds, so none is a finding"
            ),
            advice: MORE,
            ..Finding::default()
        });
    };
    let judged = ["surplus", "token"].into_iter().find(|name| again.column(name).is_some());
    let (held, played) = (judged.map_or(0, |name| count(again, name)), again.rows.len());
    Some(Finding {
        number: format!("{held} of {played}"),
        text: format!("candidates confirmed on fresh seeds, after a screen of {of} rows of {name}"),
        ..Finding::default()
    })
}

/// Returns the first figure of a game.
fn first_figure(sheet: &Sheet) -> Option<Finding> {
    let row = sheet.rows.first()?;
    let (value, within) = sheet.estimate(row, "value")?;
    let text = sheet.text(row, "figure").to_owned() + " in a game";
    Some(Finding { text, ..Finding::of(Unit::Plain, value, within, false) })
}
