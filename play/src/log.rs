//! Events in words, limited to the knowledge of the people who read them.

use engine::{ChanceEvent, Player};
use serde_json::Value as Json;
use sim::session::Happening;

/// Returns the subject and the text of an event, limited to the common knowledge of `readers`; `name` names a seat.
#[must_use]
pub fn told(
    happening: &Happening,
    readers: &[Player],
    name: &dyn Fn(Player) -> String,
) -> (String, String) {
    match happening {
        Happening::Choice(seat, label) => (name(*seat), label.clone()),
        Happening::Chance(seen) => {
            let first = &seen[readers.first().map_or(0, |reader| reader.idx())];
            let is_open = readers.iter().all(|reader| &seen[reader.idx()] == first);
            if is_open { words(first) } else { words(&secret(first)) }
        }
    }
}

/// Returns events as lines; events of one subject after another share a line.
#[must_use]
pub fn lines(
    happenings: &[Happening],
    readers: &[Player],
    name: &dyn Fn(Player) -> String,
) -> Vec<String> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for happening in happenings {
        let (subject, text) = told(happening, readers, name);
        match lines.last_mut() {
            Some((last, line)) if *last == subject => {
                line.push_str(", ");
                line.push_str(&text);
            }
            _ => lines.push((subject, text)),
        }
    }
    lines.into_iter().map(|(subject, text)| format!("{subject}: {text}")).collect()
}

/// Returns the event without its outcome.
fn secret(event: &ChanceEvent) -> ChanceEvent {
    ChanceEvent { value: Json::Null, ..event.clone() }
}

/// Returns the kind of an event of chance with whom it concerns, and its outcome.
fn words(event: &ChanceEvent) -> (String, String) {
    let plain = |value: &Json| match value {
        Json::String(text) => text.clone(),
        Json::Array(items) => {
            let item = |item: &Json| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            items.iter().map(item).collect::<Vec<_>>().join(", ")
        }
        Json::Null => "hidden from you".to_owned(),
        other => other.to_string(),
    };
    let who = match &event.who {
        Some(Json::Number(seat)) => {
            format!(" of seat {}", seat.as_u64().map_or(0, |seat| seat + 1))
        }
        Some(who) => format!(" of the {}", plain(who)),
        None => String::new(),
    };
    (format!("{}{who}", event.chance), plain(&event.value))
}
