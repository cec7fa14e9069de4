//! The words of rise.

use super::super::drawn_game::Asked;
use super::super::menu::{Choice, Menu};
use super::others::options;
use super::text;
use crate::names::capital;
use crate::story::plural;

/// Questions by the first word of an option: that of the first word that a menu has.
const QUESTIONS: [(&str, &str); 11] = [
    ("place", "On which row do you put your disc?"),
    ("remove", "Which disc do you take back?"),
    ("seat", "Which place do you take in the order of the next turn?"),
    ("battle", "Do you fight?"),
    ("pay", "How do you pay?"),
    ("take", "What do you take?"),
    ("count", "How many cubes go there?"),
    ("to", "Where do your cubes go?"),
    ("drop", "Which tile do you give up?"),
    ("use", "Do you use a tile?"),
    ("skip", "What do you do with your disc?"),
];

pub(super) fn speak(asked: &Asked<'_>, menu: &mut Menu) {
    let has =
        |word: &str| menu.options().any(|option| option.words[0].split(' ').next() == Some(word));
    let question = QUESTIONS.iter().find(|(word, _)| has(word));
    let question = question.map_or("What do you do?", |(_, question)| question).to_owned();
    let turn = text(asked.view, "/phase");
    menu.question = if turn.is_empty() { question } else { format!("{question} ({turn})") };
    for option in options(menu) {
        label(asked, option);
        if let Some(count) = &mut option.count {
            "cubes".clone_into(&mut count.of);
        }
    }
}

/// Returns an amount of goods: `2 cubes`.
fn goods(kind: &str, n: &str) -> String {
    let kind = kind.trim_end_matches('s');
    match (kind, n) {
        ("vp", _) => format!("{n} VP"),
        (_, "1") => format!("1 {kind}"),
        _ => format!("{n} {}", plural(kind)),
    }
}

fn label(asked: &Asked<'_>, option: &mut Choice) {
    let text = option.words[0].clone();
    let words: Vec<&str> = text.split(' ').collect();
    let spoken = |word: &str| capital(&asked.game.areas.spoken(word));
    let rival = match words[..] {
        ["battle", _, seat] => seat.parse::<usize>().ok(),
        _ => None,
    };
    option.label = match words[..] {
        ["battle", region, _] => {
            let name = rival.map_or_else(String::new, |seat| asked.name(seat - 1));
            format!("Fight {name} in {}", spoken(region))
        }
        ["no-battle"] => "No battle".to_owned(),
        ["abandon"] => "Give up everything on the map".to_owned(),
        ["keep"] => "Keep what is left".to_owned(),
        ["end"] => "End the turn".to_owned(),
        ["skip"] => "Do nothing with it".to_owned(),
        ["empire", tile] => format!("Empire {tile}"),
        ["trade", number] => format!("Trade in box {number}"),
        ["place", row] => format!("{} row", capital(row)),
        ["remove", row, circle] => format!("The disc on the {row} row, circle {circle}"),
        ["seat", place] => format!("Place {place} in the order"),
        ["to", region] => spoken(region),
        ["use", tile] => format!("Use {}", spoken(tile)),
        ["use", tile, region] => format!("Use {} in {}", spoken(tile), spoken(region)),
        ["drop", tile] => format!("Give up {}", spoken(tile)),
        [verb @ ("pay" | "take"), kind, n] => format!("{} {}", capital(verb), goods(kind, n)),
        ["city" | "progress" | "territory", tile] => {
            option.card = asked.game.note(tile);
            spoken(tile)
        }
        _ => return,
    };
    option.seat = rival;
}
