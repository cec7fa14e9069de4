//! The words of circus: the cell that a move reaches.

use serde_json::Value as Json;

use super::super::drawn_game::Asked;
use super::super::menu::Menu;
use crate::story::counted;

/// The names of the directions.
const DIRECTIONS: [(&str, &str); 6] = [
    ("e", "east →"),
    ("ne", "northeast ↗"),
    ("nw", "northwest ↖"),
    ("w", "west ←"),
    ("sw", "southwest ↙"),
    ("se", "southeast ↘"),
];

/// Returns the move of a card in words: `2 cells west ←`.
fn moved(card: &str, way: &str) -> String {
    let way = DIRECTIONS.iter().find(|(id, _)| *id == way).map_or(way, |(_, word)| word);
    let cells = if card == "1" { "cell" } else { "cells" };
    format!("{card} {cells} {way}")
}

pub(super) fn speak(asked: &Asked<'_>, menu: &mut Menu) {
    let due = &asked.view["to_move"][0];
    let number = due[1].as_u64().unwrap_or_default() as usize;
    let letter = char::from(b'a' + (number % 26) as u8);
    let cell = asked.view["players"][asked.seat]["chariots"][number]["cell"].clone();
    let is_start = menu.options().any(|option| option.words[0].starts_with("start "));
    menu.question = if is_start {
        "Where does your chariot start?".to_owned()
    } else {
        format!("Where does your chariot {letter} go?")
    };
    for option in menu.groups.iter_mut().flat_map(|group| &mut group.options) {
        let words: Vec<&str> = option.words[0].split(' ').collect();
        match words[..] {
            ["start", at] => option.label = format!("Cell {at}"),
            ["go", card, way, thrown] => {
                let thrown = counted(thrown.parse().unwrap_or_default(), "card");
                option.label = format!("{}, for {thrown} thrown away", moved(card, way));
            }
            ["go", card, way] => {
                option.label = moved(card, way);
                option.areas = reached(asked, &cell, card, way).into_iter().collect();
            }
            ["waste", card] => option.label = format!("Stay, and waste card {card}"),
            ["stop"] => "Stop here".clone_into(&mut option.label),
            _ => {}
        }
    }
}

/// Returns the cell in a straight line from `cell`, if the board has it. Moves that bend end elsewhere.
fn reached(asked: &Asked<'_>, cell: &Json, card: &str, way: &str) -> Option<String> {
    let rules = &asked.game.rules;
    let cells = rules["board"]["cells"].as_array()?;
    let from = cells.iter().find(|other| other["id"] == *cell)?;
    let n: i64 = card.parse().ok()?;
    let at = |axis: usize, key: &str| {
        Some(from[key].as_i64()? + n * rules["directions"][way][axis].as_i64()?)
    };
    let [q, r] = [at(0, "q")?, at(1, "r")?];
    let end = cells.iter().find(|other| other["q"] == q && other["r"] == r)?;
    Some(end["id"].to_string())
}
