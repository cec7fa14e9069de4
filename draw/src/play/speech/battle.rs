//! Battles as rows of their sides.

use serde_json::Value as Json;

use super::super::drawn_game::Asked;
use super::super::standing::{Row, Standing};
use super::text;
use crate::chip::{Chip, ChipLook, symbols};
use crate::story::{and, counted};

/// The kinds of units in a battle in the order of its armies, with their symbols.
const MILITARY: [(&str, &str); 4] =
    [("infantry", "i"), ("cavalry", "c"), ("catapult", "k"), ("galley", "g")];

/// Returns the symbol of a kind of units that fights on land.
pub(super) fn symbol_of(kind: &str) -> Option<char> {
    MILITARY.iter().find(|(known, _)| *known == kind)?.1.chars().next()
}

/// Returns units, by kind, in words; `nothing` if there are none.
pub(super) fn units(army: &Json, nothing: &str) -> String {
    let all = counts(army).map(|(word, _, n)| counted(n, word)).collect::<Vec<_>>();
    if all.is_empty() { nothing.to_owned() } else { and(&all) }
}

/// Returns the kinds of an army that it has, with symbols and numbers.
fn counts(army: &Json) -> impl Iterator<Item = (&'static str, &'static str, i64)> {
    let numbers = army.as_array().into_iter().flatten();
    let all = MILITARY.iter().zip(numbers);
    all.map(|((word, symbol), n)| (*word, *symbol, n.as_i64().unwrap_or_default()))
        .filter(|(_, _, n)| *n > 0)
}

/// Returns a battle of a view: the army of each side and the hits that it takes. Whoever has no seat is `nobody`.
pub(super) fn battle(
    asked: &Asked<'_>,
    battle: &Json,
    nobody: &str,
    has_dice: bool,
) -> Option<Standing> {
    let armies = battle["armies"].as_array()?;
    let row = |(i, side): (usize, &str)| {
        let who = battle[side].as_u64().map(|seat| seat as usize);
        let words = units(&armies[i], "nothing left");
        let hits = match battle["hits"][i].as_i64().unwrap_or_default() {
            0 => "no hits due".to_owned(),
            n => format!("{} due", counted(n, "hit")),
        };
        let code = symbols(counts(&armies[i]).map(|(_, symbol, n)| (symbol, n)));
        Row {
            seat: who,
            name: who.map_or_else(|| nobody.to_owned(), |who| asked.name(who)),
            pieces: (!code.is_empty())
                .then(|| Chip::new(who, ChipLook::Units, code, words.clone())),
            cells: vec![words, hits],
            dice: has_dice.then(|| side.to_owned()),
        }
    };
    let place = asked.game.areas.spoken(text(battle, "/place"));
    let round = battle["round"].as_i64().unwrap_or_default();
    let round = if round > 0 { format!(", round {round}") } else { String::new() };
    Some(Standing {
        title: format!("Battle of {place}{round}"),
        rows: ["attacker", "defender"].into_iter().enumerate().map(row).collect(),
    })
}
