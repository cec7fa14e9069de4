//! The words of classic.

use super::super::drawn_game::Asked;
use super::super::menu::{Choice, Menu, Repeat};
use super::super::standing::Standing;
use super::battle::{battle, symbol_of, units};
use super::others::{drags, on_the_way, options};
use super::text;
use crate::story::{counted, plural};

/// Questions by the first word of an option. The first one that a menu has decides.
const QUESTIONS: [(&str, &str); 6] = [
    ("claim", "Which province do you claim?"),
    ("place", "Where do you place your pieces?"),
    ("crown", "Which general becomes your caesar?"),
    ("accept", "Do you accept the offer?"),
    ("raze", "Which city do you raze?"),
    ("to", "Where do they go?"),
];

pub(super) fn speak(asked: &Asked<'_>, menu: &mut Menu) {
    menu.drags = drags(menu, &["march", "sail", "convoy"]);
    let firsts: Vec<&str> =
        menu.options().filter_map(|option| option.words[0].split(' ').next()).collect();
    let is_all = |word: &str| match word {
        "accept" => firsts.contains(&word),
        _ => firsts.iter().all(|first| *first == word),
    };
    let may_stay = firsts.contains(&"stay");
    if let Some((_, question)) = QUESTIONS.iter().find(|(word, _)| is_all(word)) {
        (*question).clone_into(&mut menu.question);
    }
    let one = text(asked.view, "/asked/kind");
    let kind = plural(one);
    let action = text(asked.view, "/asked/action");
    match action {
        "" => {}
        "go" => menu.question = format!("How many {kind} go along?"),
        "sail" | "fight" => menu.question = format!("How many {kind} {action}?"),
        "keep" => menu.question = format!("How many {kind} do you keep as captives?"),
        _ => menu.question = format!("How many {kind} do you {action}?"),
    }
    for option in options(menu) {
        label(asked, option);
        if let Some(count) = &mut option.count {
            kind.clone_into(&mut count.of);
            if action.starts_with("lose") {
                count.symbol = symbol_of(one);
            }
        }
    }
    if text(asked.view, "/battle/phase") == "retreat" {
        retreat(asked, menu, may_stay);
    }
}

/// Sets the question about a retreat, and the way to fight on if the side may stay.
fn retreat(asked: &Asked<'_>, menu: &mut Menu, may_stay: bool) {
    let place = asked.game.areas.spoken(text(asked.view, "/battle/place"));
    if !may_stay {
        menu.question = format!("Where do you retreat from {place}?");
        return;
    }
    menu.question = format!("Do you retreat from {place}?");
    let label = "Fight on until somebody is gone".to_owned();
    menu.repeat = Some(Repeat { words: vec!["stay".to_owned()], label });
}

/// Returns the battle under way on land: armies, hits, and the legions that fight this round.
pub(super) fn contest(asked: &Asked<'_>) -> Option<Standing> {
    let now = &asked.view["battle"];
    let phase = text(now, "/phase");
    let has_dice = matches!(phase, "losses" | "retreat" | "pursuit");
    let mut standing = battle(asked, now, "the guard", has_dice)?;
    // Losses are not taken from a legion, which is mustered anew each round.
    if matches!(phase, "legion" | "losses") {
        for (row, legion) in standing.rows.iter_mut().zip(now["legions"].as_array()?) {
            let legion = units(legion, "");
            let is_none = legion.is_empty();
            row.cells.insert(1, if is_none { legion } else { format!("{legion} in its legion") });
        }
    }
    Some(standing)
}

fn label(asked: &Asked<'_>, option: &mut Choice) {
    let text = option.words[0].clone();
    let words: Vec<&str> = text.split(' ').collect();
    let place = |word: &str| asked.game.areas.spoken(word);
    let of = |seat: &str| seat.parse::<usize>().ok().map(|seat| (seat, asked.name(seat - 1)));
    let rival = match words[..] {
        ["attack", _, seat] | ["ransom", seat, _] | ["exchange", seat] => of(seat),
        _ => None,
    };
    let name = rival.as_ref().map_or("", |(_, name)| name);
    option.label = match words[..] {
        ["attack", zone, _] => format!("Attack {name} in {}", place(zone)),
        ["ransom", _, talents] => format!("Offer {talents} talents to {name} for a captive"),
        ["exchange", _] => format!("Offer {name} general for general"),
        ["done"] => "Done".to_owned(),
        ["stay"] => "Fight on".to_owned(),
        ["claim", at] | ["to", at] => place(at),
        ["retreat", to] => format!("Retreat to {}", place(to)),
        ["raze", at] => format!("Raze the city in {}", place(at)),
        ["crown", at] => format!("The general in {}", place(at)),
        ["place", one, at, other, there] if (one, at) == (other, there) => {
            format!("{} in {}", counted(2, one), place(at))
        }
        ["place", ref pairs @ ..] => {
            let pairs = pairs.chunks_exact(2);
            let all = pairs.map(|pair| format!("{} in {}", counted(1, pair[0]), place(pair[1])));
            crate::names::capital(&crate::story::and(&all.collect::<Vec<_>>()))
        }
        ["buy", "road", from, to] => on_the_way(asked, "buy a road", from, to),
        ["buy", what @ ("infantry" | "cavalry"), at] => format!("Buy {what} in {}", place(at)),
        ["buy", what, at] => format!("Buy {} in {}", counted(1, what), place(at)),
        ["board", from, zone] => format!("Go aboard in {} from {}", place(zone), place(from)),
        [verb @ ("march" | "sail"), from, to] => on_the_way(asked, verb, from, to),
        ["convoy", from, to] => on_the_way(asked, "ship units", from, to),
        _ => return,
    };
    option.seat = rival.map(|(seat, _)| seat);
}
