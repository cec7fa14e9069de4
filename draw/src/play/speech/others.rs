//! The words of games with few kinds of choices.

use super::super::drawn_game::Asked;
use super::super::menu::{Choice, Drag, Menu};
use crate::names::capital;

pub(super) fn options(menu: &mut Menu) -> impl Iterator<Item = &mut Choice> {
    menu.groups.iter_mut().flat_map(|group| &mut group.options)
}

/// Returns gestures for actions that name two areas: those that begin with one of `verbs`.
pub(super) fn drags(menu: &Menu, verbs: &[&str]) -> Vec<Drag> {
    let drag = |verb: &&str| {
        let own = menu.options().filter(|option| option.words[0].starts_with(&format!("{verb} ")));
        let from: Vec<String> = own.filter_map(|option| option.areas.first().cloned()).collect();
        Drag { words: vec![format!("{verb} {{from}} {{to}}")], from }
    };
    verbs.iter().map(drag).filter(|drag| !drag.from.is_empty()).collect()
}

/// Returns a verb with the areas of a way: `March from Roma to Neapolis`.
pub(super) fn on_the_way(asked: &Asked<'_>, verb: &str, from: &str, to: &str) -> String {
    let [from, to] = [from, to].map(|area| asked.game.areas.spoken(area));
    format!("{} from {from} to {to}", capital(verb))
}

/// Speaks as hannibal does.
pub(super) fn hannibal(asked: &Asked<'_>, menu: &mut Menu) {
    menu.drags = drags(menu, &["legion", "fleet", "hannibal"]);
    for option in options(menu) {
        let words: Vec<&str> = option.words[0].split(' ').collect();
        let place = |word: &str| asked.game.areas.spoken(word);
        option.label = match words[..] {
            ["legion", from, to] => on_the_way(asked, "move a legion", from, to),
            ["hannibal", from, to] => on_the_way(asked, "move Hannibal", from, to),
            // The name of a route has the names of its ends.
            ["fleet", from, to] => {
                let route = |id: &str| id.split('-').map(capital).collect::<Vec<_>>().join("–");
                format!("Move a fleet from {} to {}", route(from), route(to))
            }
            ["raise", at] => format!("Give a legion in {} for a fleet", place(at)),
            ["raise-hannibal", at] => format!("Give Hannibal in {} for a fleet", place(at)),
            ["fight", "legion"] => "Fight with a legion".to_owned(),
            ["fight", "hannibal"] => "Fight with Hannibal".to_owned(),
            _ => continue,
        };
    }
    let is_any = |first: &str| menu.options().any(|option| option.words[0].starts_with(first));
    menu.question = if is_any("card ") {
        "Which card do you play in the conflict?"
    } else if is_any("fight ") {
        "Who fights first?"
    } else {
        "What do you move?"
    }
    .to_owned();
}

/// Speaks as imperium does: a stack of three cards, the first on top.
pub(super) fn imperium(asked: &Asked<'_>, menu: &mut Menu) {
    "Which stack of cards do you play?".clone_into(&mut menu.question);
    for option in options(menu) {
        let stack = option.words[0].trim_start_matches("stack ").to_owned();
        let cards = stack.split(' ');
        let name = |card: &str| capital(&asked.game.areas.spoken(card));
        option.label = cards.clone().map(name).collect::<Vec<_>>().join(", ");
        // The map says what a province pays.
        let board = asked.game.drawing.board();
        let special = cards.filter(|card| board.is_none_or(|board| board.place(card).is_none()));
        let noted =
            special.filter_map(|card| Some(format!("{}: {}", name(card), asked.game.note(card)?)));
        option.card = Some(noted.collect::<Vec<_>>().join("; ")).filter(|text| !text.is_empty());
    }
}

/// Speaks as connect four does: the cells of a column belong to the option of the column.
pub(super) fn columns(asked: &Asked<'_>, menu: &mut Menu) {
    "In which column do you drop a disc?".clone_into(&mut menu.question);
    let areas = asked.game.drawing.board().map_or(&[][..], |board| &board.areas);
    for option in options(menu) {
        let column = option.words[0].clone();
        let is_in = |id: &&str| id.split_once('-').is_some_and(|(of, _)| of == column);
        let ids = areas.iter().map(|area| area.id.as_str());
        option.areas = ids.filter(is_in).map(str::to_owned).collect();
        option.label = format!("Column {column}");
    }
}
