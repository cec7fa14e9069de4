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

/// Returns the last dice of each side, as far as `reader` sees them: the sides with their faces, of the last events of
/// chance in a row whose outcomes are faces.
#[must_use]
pub fn rolls(happenings: &[Happening], reader: Player) -> Vec<(&str, Vec<&str>)> {
    let all = happenings.iter().rev().map(|happening| faces(happening, reader));
    all.skip_while(Option::is_none).map_while(|roll| roll).collect()
}

/// Returns the side and the faces of a roll of dice; `None` for other events.
fn faces(happening: &Happening, reader: Player) -> Option<(&str, Vec<&str>)> {
    let Happening::Chance(seen) = happening else { return None };
    let ChanceEvent { who, value, .. } = &seen[reader.idx()];
    let faces = value.as_array()?.iter().map(Json::as_str).collect::<Option<_>>()?;
    Some((who.as_ref()?.as_str()?, faces))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_dice_of_each_side_come_first_and_end_at_another_event() {
        let roll = |who: &str, faces: &[&str]| {
            let event =
                ChanceEvent { chance: "dice".into(), who: Some(who.into()), value: json!(faces) };
            Happening::Chance(vec![event.clone(), ChanceEvent { value: Json::Null, ..event }])
        };
        let choice = Happening::Choice(Player::new(0), "count 1".to_owned());
        let all = [
            roll("one", &["a"]),
            choice.clone(),
            roll("one", &["b", "c"]),
            roll("other", &["d"]),
            choice,
        ];
        let seen = rolls(&all, Player::new(0));
        assert_eq!(seen, [("other", vec!["d"]), ("one", vec!["b", "c"])]);
        assert_eq!(rolls(&all, Player::new(1)), [], "a seat to which they are hidden");
    }
}
