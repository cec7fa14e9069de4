//! The words of games with few kinds of choices.

use super::super::drawn_game::Asked;
use super::super::menu::{Choice, Drag, Menu};
use super::text;
use crate::names::capital;
use crate::story::{counted, plural};

fn options(menu: &mut Menu) -> impl Iterator<Item = &mut Choice> {
    menu.groups.iter_mut().flat_map(|group| &mut group.options)
}

/// Returns gestures for actions that name two areas: those that begin with one of `verbs`.
fn drags(menu: &Menu, verbs: &[&str]) -> Vec<Drag> {
    let drag = |verb: &&str| {
        let own = menu.options().filter(|option| option.words[0].starts_with(&format!("{verb} ")));
        let from: Vec<String> = own.filter_map(|option| option.areas.first().cloned()).collect();
        Drag { words: vec![format!("{verb} {{from}} {{to}}")], from }
    };
    verbs.iter().map(drag).filter(|drag| !drag.from.is_empty()).collect()
}

/// Returns a verb with the areas of a way: `March Roma → Neapolis`.
fn on_the_way(asked: &Asked<'_>, verb: &str, way: &[&str]) -> String {
    let areas = way.iter().filter(|word| **word != "to");
    let areas: Vec<String> = areas.map(|area| asked.game.areas.spoken(area)).collect();
    format!("{} {}", capital(verb), areas.join(" → "))
}

/// Speaks as classic does.
pub(super) fn classic(asked: &Asked<'_>, menu: &mut Menu) {
    menu.drags = drags(menu, &["march", "sail", "convoy"]);
    for option in options(menu) {
        let words: Vec<&str> = option.words[0].split(' ').collect();
        match words[..] {
            ["attack", _, seat] => {
                if let Ok(seat) = seat.parse::<usize>() {
                    let zone = asked.game.areas.spoken(words[1]);
                    option.label = format!("Attack {} in {zone}", asked.name(seat - 1));
                    option.seat = Some(seat);
                }
            }
            ["ransom", captor, talents] => {
                if let Ok(seat) = captor.parse::<usize>() {
                    option.label = format!(
                        "Offer {talents} talents to {} for a captive",
                        asked.name(seat - 1)
                    );
                    option.seat = Some(seat);
                }
            }
            ["done"] => "Done".clone_into(&mut option.label),
            ["buy", what, place] => {
                option.label =
                    format!("Buy {} in {}", counted(1, what), asked.game.areas.spoken(place));
            }
            [verb @ ("march" | "sail" | "convoy" | "board"), ref way @ ..] => {
                option.label = on_the_way(asked, verb, way);
            }
            _ => {}
        }
        if let Some(count) = &mut option.count {
            "pieces".clone_into(&mut count.of);
        }
    }
}

/// Speaks as hannibal does.
pub(super) fn hannibal(asked: &Asked<'_>, menu: &mut Menu) {
    menu.drags = drags(menu, &["legion", "fleet", "hannibal"]);
    for option in options(menu) {
        let words: Vec<&str> = option.words[0].split(' ').collect();
        if let [verb @ ("legion" | "fleet" | "hannibal"), way @ ..] = &words[..] {
            option.label = on_the_way(asked, verb, way);
        }
    }
    if menu.options().any(|option| option.words[0].starts_with("card ")) {
        "Which card do you play in the conflict?".clone_into(&mut menu.question);
    }
}

/// Speaks as imperium does: a stack of three cards, the first on top.
pub(super) fn imperium(asked: &Asked<'_>, menu: &mut Menu) {
    "Which stack of cards do you play?".clone_into(&mut menu.question);
    for option in options(menu) {
        let cards = option.words[0].trim_start_matches("stack ").split(' ');
        let cards = cards.map(|card| capital(&asked.game.areas.spoken(card)));
        option.label = cards.collect::<Vec<_>>().join(", ");
    }
}

/// Speaks as rise does.
pub(super) fn rise(asked: &Asked<'_>, menu: &mut Menu) {
    for option in options(menu) {
        let words: Vec<&str> = option.words[0].split(' ').collect();
        match words[..] {
            ["battle", region, seat] => {
                if let Ok(seat) = seat.parse::<usize>() {
                    let region = asked.game.areas.spoken(region);
                    option.label = format!("Fight {} in {region}", asked.name(seat - 1));
                    option.seat = Some(seat);
                }
            }
            ["no-battle"] => "No battle".clone_into(&mut option.label),
            [verb @ ("pay" | "take"), "vp", n] => {
                option.label = format!("{} {n} VP", capital(verb));
            }
            [verb @ ("pay" | "take"), kind, n] => {
                let kind = if n == "1" {
                    kind.trim_end_matches('s').to_owned()
                } else {
                    plural(kind.trim_end_matches('s'))
                };
                option.label = format!("{} {n} {kind}", capital(verb));
            }
            [verb @ ("city" | "progress" | "drop" | "territory"), what] => {
                let what = capital(&asked.game.areas.spoken(what));
                option.label = format!("{} {what}", capital(verb));
            }
            _ => {}
        }
        if let Some(count) = &mut option.count {
            "cubes".clone_into(&mut count.of);
        }
    }
    let turn = text(asked.view, "/phase");
    if !turn.is_empty() {
        menu.question = format!("What do you do? ({turn})");
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
