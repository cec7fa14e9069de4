//! The words of games with few kinds of choices.

use super::super::drawn_game::Asked;
use super::super::menu::{Choice, Drag, Menu};
use super::text;

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
            _ => {}
        }
        if let Some(count) = &mut option.count {
            "pieces".clone_into(&mut count.of);
        }
    }
}

/// Speaks as hannibal does.
pub(super) fn hannibal(menu: &mut Menu) {
    menu.drags = drags(menu, &["legion", "fleet", "hannibal"]);
    if menu.options().any(|option| option.words[0].starts_with("card ")) {
        "Which card do you play in the conflict?".clone_into(&mut menu.question);
    }
}

/// Speaks as imperium does: a stack of three cards, the first on top.
pub(super) fn imperium(menu: &mut Menu) {
    "Which stack of cards do you play?".clone_into(&mut menu.question);
    for option in options(menu) {
        option.label = option.label.trim_start_matches("Stack ").replace(' ', ", ");
        option.label = crate::names::capital(&option.label);
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
