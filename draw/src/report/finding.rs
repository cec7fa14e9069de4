//! Findings: short claims with their numbers, intervals and consequences.

use super::digits::{fixed, half, interval, p_value, signed};
use super::units::Unit;
use super::{Sheet, Source};
use crate::html::escape;

/// Half of a 95 % interval, in standard errors.
pub(super) const HALF: f64 = 1.96;

/// An answer to the question of a run, decided or not.
#[derive(Default)]
pub(super) struct Finding {
    /// Its number with its unit, formatted with its decimals.
    pub(super) number: String,
    /// Its interval.
    pub(super) interval: String,
    /// Its claim, as a sentence without a full stop.
    pub(super) text: String,
    /// The consequence for a user, as a sentence; empty if there is none.
    pub(super) advice: &'static str,
    /// Its p-value.
    pub(super) p: Option<f64>,
    /// Its distance from no effect, in standard errors.
    pub(super) strength: f64,
}

impl Finding {
    /// Returns a finding with an estimate in its unit; differences have a sign.
    pub(super) fn of(
        unit: Unit,
        value: f64,
        within: Option<[f64; 2]>,
        is_difference: bool,
    ) -> Self {
        let scaled = within.map(|ends| ends.map(|end| unit.factor() * end));
        let digits = scaled.map_or(1, |ends| unit.places(half(ends)));
        let x = unit.factor() * value;
        let number = if is_difference { signed(x, digits) } else { fixed(x, digits) };
        Self {
            number: number + unit.sign(),
            interval: scaled.map_or_else(String::new, |ends| interval(ends, digits)),
            ..Self::default()
        }
    }

    /// Returns the finding as a sentence.
    pub(super) fn sentence(&self) -> String {
        let p = self.p.map_or_else(String::new, |p| format!("({})", p_value(p)));
        let numbers = [self.number.as_str(), self.interval.as_str(), p.as_str()];
        let numbers: Vec<&str> = numbers.into_iter().filter(|text| !text.is_empty()).collect();
        let colon = if numbers.is_empty() { "" } else { ": " };
        let advice =
            if self.advice.is_empty() { String::new() } else { format!(" {}", self.advice) };
        format!("{}{colon}{}.{advice}", self.text, numbers.join(" "))
    }

    /// Returns the card as HTML.
    pub(super) fn card(&self, source: &Source) -> String {
        let part = |class: &str, text: &str| match text {
            "" => String::new(),
            text => format!("<span class=\"{class}\">{}</span>", escape(text)),
        };
        let interval = part("interval", &self.interval);
        let number = match self.number.as_str() {
            "" => String::new(),
            number => format!("<strong>{}{interval}</strong>", escape(number)),
        };
        let basis: Vec<String> = self.p.map(p_value).into_iter().chain([basis(source)]).collect();
        format!(
            "<li>{}{number}{}{}{}</li>\n",
            part("question", source.question()),
            part("claim", &sentence_case(&self.text, source)),
            part("advice", self.advice),
            part("basis", &basis.join(", "))
        )
    }
}

/// Returns the basis of a source: its games and its place.
pub(super) fn basis(source: &Source) -> String {
    match source.games {
        0 => source.place.clone(),
        n => format!("{} games, {}", fixed(n as f64, 0), source.place),
    }
}

/// Returns the distance of an estimate from no effect in standard errors, from its interval or else from its p-value.
pub(super) fn strength(by: f64, within: Option<[f64; 2]>, p: Option<f64>) -> f64 {
    let error = within.map(|ends| half(ends) / HALF).filter(|error| error.is_finite());
    match (error, p) {
        (Some(error), _) if error > 0.0 => by.abs() / error,
        (None, Some(p)) => (-2.0 * p.max(1e-300).ln()).sqrt(),
        (Some(_), _) => f64::MAX,
        (None, None) => 0.0,
    }
}

/// Returns a sentence up to its first colon.
pub(super) fn short(text: &str) -> &str {
    text.split(": ").next().unwrap_or(text)
}

/// Returns the p-value by which the first of a ranking is ahead of the second, if that is decided. A table without
/// `next_difference` needs no such check, because its p-value belongs to the order of its rows.
pub(super) fn leads(sheet: &Sheet, first: &[String]) -> Option<f64> {
    let p = sheet.number(first, "next_p").or_else(|| sheet.number(first, "p"))?;
    let is_ahead = sheet.number(first, "next_difference").is_none_or(|difference| difference > 0.0);
    (p < 0.05 && is_ahead).then_some(p)
}

/// Returns the gain of a search over its start.
pub(super) fn gain(source: &Source) -> Option<Finding> {
    let sheet = source.sheet("verdict")?;
    let row = sheet.rows.first()?;
    let (gain, within) = sheet.estimate(row, "gain")?;
    within?;
    let said = source.statements.first().map_or("the search ended", |text| short(text));
    Some(Finding {
        text: said.to_owned(),
        strength: strength(gain, within, None),
        ..Finding::of(source.unit(sheet, row, "gain"), gain, within, true)
    })
}

/// Returns `text` with a capital first letter, unless it begins with an agent: one of the source, or a spec with
/// parameters.
pub(super) fn sentence_case(text: &str, source: &Source) -> String {
    let is_spec = text.split_whitespace().next().is_some_and(|word| word.contains('('));
    if is_spec || source.agents.iter().any(|agent| text.starts_with(agent.as_str())) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
