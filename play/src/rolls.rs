//! The dice on the table, as far as a seat sees them.

use engine::{ChanceEvent, Player};
use serde_json::Value as Json;
use sim::session::Happening;

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
        let choice = Happening::Choice {
            seat: Player::new(0),
            action: "count 1".to_owned(),
            label: "count 1".to_owned(),
        };
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
