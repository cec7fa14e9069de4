//! Sources of the numbers of the default rules, and changes to them.
//!
//! The default document names the sources in comments. Such a comment stands beside a value or on the lines right above
//! its key. For all values of a table it stands beside or above the table's header (for a list of tables, that of its
//! first entry). A comment names its [sources](Source) by their words.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use toml_edit::{Decor, DocumentMut, Item, RawString, Table};

use super::document::{EntryLine, line_of, table_of_line};

/// The source of a number of the default rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Printed in the rules.
    Rulebook,
    /// Published reports of sessions, lists of parts.
    Report,
    /// Other public material.
    Found,
    /// Follows from the rules.
    Inferred,
    /// Chosen to fit all published facts.
    Reconstructed,
    /// The rules are silent: decided, and documented on the page of rulings.
    Ruling,
}

/// The words that name the sources in comments.
const WORDS: [(&str, Source); 9] = [
    ("rulebook", Source::Rulebook),
    ("text", Source::Rulebook),
    ("report", Source::Report),
    ("found", Source::Found),
    ("infer", Source::Inferred),
    ("inferred", Source::Inferred),
    ("reconstructed", Source::Reconstructed),
    ("recon", Source::Reconstructed),
    ("ruling", Source::Ruling),
];

impl Source {
    /// Returns the sources that a comment names, in their order, each once.
    fn named_in(comment: &str) -> Vec<Self> {
        let mut sources = Vec::new();
        for word in comment.split(|c: char| !c.is_alphanumeric()) {
            let known = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
            if let Some(&(_, source)) = known
                && !sources.contains(&source)
            {
                sources.push(source);
            }
        }
        sources
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rulebook => "rulebook",
            Self::Report => "report",
            Self::Found => "found",
            Self::Inferred => "inferred",
            Self::Reconstructed => "reconstructed",
            Self::Ruling => "ruling",
        })
    }
}

/// A value that differs from the default.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The key, as in `options.rounds`.
    pub key: String,
    /// The default; null if the default rules have none.
    pub was: Json,
    /// The value.
    pub now: Json,
    /// The sources of the default; empty where it names none.
    pub sources: Vec<Source>,
}

impl Change {
    /// Returns the key as people read it: a seat in it, which keys count from 0, stands beside it counted from 1.
    #[must_use]
    pub fn shown_key(&self) -> String {
        seat_of(&self.key)
            .map_or_else(|| self.key.clone(), |seat| format!("{} (seat {seat})", self.key))
    }
}

/// Returns the seat, counted from 1, that a key names with a step such as `seat0`, or `None` where it names none.
pub(super) fn seat_of(key: &str) -> Option<u64> {
    let number = |step: &str| step.strip_prefix("seat")?.parse::<u64>().ok();
    key.split('.').find_map(number).map(|seat| seat + 1)
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sources: Vec<String> = self.sources.iter().map(Source::to_string).collect();
        let remark = remark(&was("", &self.was), &sources.join(", "));
        write!(f, "{} = {}, {remark}", self.shown_key(), shown(&self.now))
    }
}

/// Returns the remark on a changed value: `changed (was 4; rulebook)`.
fn remark(was: &str, source: &str) -> String {
    match source {
        "" => format!("changed ({was})"),
        source => format!("changed ({was}; {source})"),
    }
}

/// Returns the former value as text; `inside` is its key within the line, if it has one.
fn was(inside: &str, default: &Json) -> String {
    let name = if inside.is_empty() { String::new() } else { format!("{inside} ") };
    match default {
        Json::Null => format!("{name}was not given"),
        default => format!("{name}was {}", shown(default)),
    }
}

/// Returns a value on a line, a long list as its length.
fn shown(value: &Json) -> String {
    const LONG: usize = 60;
    let text = value.to_string();
    match value {
        Json::Array(list) if text.len() > LONG => format!("a list of {}", list.len()),
        _ if text.chars().count() > LONG => text.chars().take(LONG).collect::<String>() + "…",
        _ => text,
    }
}

/// Returns the comment beside an item.
fn beside(decor: &Decor) -> Option<String> {
    let text = decor.suffix().and_then(RawString::as_str)?.trim();
    Some(text.strip_prefix('#')?.trim().to_owned())
}

/// Returns the comment on the lines right above an item.
fn above(decor: &Decor) -> Option<String> {
    let text = decor.prefix().and_then(RawString::as_str)?;
    let mut lines: Vec<&str> = Vec::new();
    // A comment does not belong to the item below it if a blank line is between them. The end of a comment beside the
    // value before does not either.
    for line in text.lines().rev() {
        match line.strip_prefix('#') {
            Some(comment) => lines.insert(0, comment.trim()),
            None => break,
        }
    }
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// Returns the comment of a table's header.
fn of_header(table: &Table) -> Option<String> {
    beside(table.decor()).or_else(|| above(table.decor()))
}

/// Returns the comment on the value at `steps` of the default document, and whether it stands beside the value.
fn comment(default: &DocumentMut, steps: &[String]) -> Option<(String, bool)> {
    let EntryLine { table, first_entry, key, .. } = line_of(default.as_table(), steps);
    let own = table.get(key).and_then(Item::as_value).and_then(|value| beside(value.decor()));
    if let Some(own) = own {
        return Some((own, true));
    }
    let shared = table
        .key(key)
        .and_then(|key| above(key.leaf_decor()))
        .or_else(|| of_header(table))
        .or_else(|| first_entry.and_then(of_header))?;
    Some((shared, false))
}

/// Returns the sources of the default value at `steps`.
pub(super) fn sources(default: &DocumentMut, steps: &[String]) -> Vec<Source> {
    comment(default, steps).map_or_else(Vec::new, |(text, _)| Source::named_in(&text))
}

/// Notes beside the line of `steps` in `document` that it was changed. `changes` are all changed values of that line,
/// each with its steps inside the line and its default.
pub(super) fn mark(
    default: &DocumentMut,
    document: &mut DocumentMut,
    steps: &[String],
    changes: &[(String, Json)],
) {
    let all: Vec<String> = changes.iter().map(|(inside, default)| was(inside, default)).collect();
    let source = match comment(default, steps) {
        Some((own, true)) => own.trim_end_matches([';', ',']).to_owned(),
        Some((shared, false)) => {
            let named = Source::named_in(&shared);
            named.iter().map(Source::to_string).collect::<Vec<_>>().join(", ")
        }
        None => String::new(),
    };
    let key = line_of(default.as_table(), steps).key;
    let table = table_of_line(document.as_table_mut(), steps);
    let Some(value) = table.get_mut(key).and_then(Item::as_value_mut) else { return };
    let old = value.decor().suffix().and_then(RawString::as_str).unwrap_or_default();
    let blanks = &old[..old.find('#').unwrap_or_default()];
    let blanks = if blanks.is_empty() { "  " } else { blanks };
    let text = format!("{blanks}# {}", remark(&all.join(", "), &source));
    value.decor_mut().set_suffix(text);
}
