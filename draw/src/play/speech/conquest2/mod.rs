//! The words of conquest2.

mod contest;
mod forms;

use serde_json::Value as Json;

pub(super) use self::contest::contest;
use super::super::drawn_game::Asked;
use super::super::menu::{Choice, Drag, Menu, Repeat};
use super::battle::symbol_of;
use super::text;
use crate::story::{counted, plural};

/// The kinds of land units in the order of a view.
const KINDS: [&str; 5] = ["infantry", "cavalry", "catapult", "general", "caesar"];

/// Places of the kinds of leaders in that order; land units move under a leader.
const LEADERS: [usize; 2] = [3, 4];

/// Actions at the beginning of a turn, with their labels.
const ACTIONS: [(&str, &str); 10] = [
    ("take", "Take a card"),
    ("recruit", "Recruit"),
    ("buy", "Buy influence"),
    ("tax", "Raise a special tax"),
    ("move", "Move"),
    ("battle", "Attack"),
    ("sail", "Sail"),
    ("use", "Use a card"),
    ("pass", "Pass"),
    ("end", "End the turn"),
];

/// Answers of one kind, with their labels.
const ANSWERS: [(&str, &str); 6] = [
    ("stop", "No more influence"),
    ("no-attack", "No attack"),
    ("stay", "Fight on"),
    ("done", "No further move"),
    ("wind yes", "Call it off"),
    ("wind no", "Let them attack"),
];

pub(super) fn speak(asked: &Asked<'_>, menu: &mut Menu) {
    let now = &asked.view["now"];
    let phase = text(now, "/phase");
    menu.form = forms::form(asked, phase);
    menu.question = question(asked, phase, menu.form.len() > 1);
    let of = counted_thing(asked, phase);
    let owner = now["battle"]["owner"].as_u64();
    let takes_all = match phase {
        "losses" => owner.is_none_or(|owner| owner as usize == asked.seat),
        _ => matches!(phase, "move count" | "barbarians count" | "sail count" | "commit"),
    };
    for option in menu.groups.iter_mut().flat_map(|group| &mut group.options) {
        label(asked, phase, option);
        if let Some(count) = &mut option.count {
            of.clone_into(&mut count.of);
            if phase == "amount" {
                count.purse = asked.view["players"][asked.seat]["money"].as_i64();
            }
            if phase == "losses" {
                count.symbol = symbol_of(&counted_kind(now, phase));
            }
            if !takes_all {
                count.preset = count.values[0];
            }
            if let (Some(first), Some(&most)) = (menu.form.first_mut(), count.values.last()) {
                // Galleys carry fewer than there are.
                (first.high, first.preset) = (most.min(first.high), most.min(first.preset));
                count.preset = first.preset.max(count.values[0]);
            }
        }
    }
    if phase == "move count" {
        // Nearly all moves go to one place.
        menu.closing = Some("done".to_owned());
    }
    if phase == "retreat" {
        let stay = menu.options().find(|option| option.words[0] == "stay");
        let words = stay.map(|stay| stay.words.clone());
        let label = "Fight on until somebody is gone".to_owned();
        menu.repeat = words.map(|words| Repeat { words, label });
    }
    menu.may_only = matches!(phase, "move count" | "recruit count");
    menu.drags = drags(asked, phase, menu);
}

/// Returns the kind that is counted; empty if nothing is counted.
fn counted_kind(now: &Json, phase: &str) -> String {
    let of = [text(now, "/under_way/count"), text(now, "/battle/count")].concat();
    match phase {
        _ if !of.is_empty() => of,
        "sail count" => "galley".to_owned(),
        "tax" => "time".to_owned(),
        "amount" => "talent".to_owned(),
        _ => String::new(),
    }
}

/// Names the thing that is counted as a form does; empty if nothing is counted.
fn counted_thing(asked: &Asked<'_>, phase: &str) -> String {
    let (now, of) = (&asked.view["now"], counted_kind(&asked.view["now"], phase));
    let owner = now["battle"]["owner"].as_u64().map(|owner| owner as usize);
    match (text(now, "/battle/zone"), owner) {
        ("", Some(owner)) if owner != asked.seat => {
            format!("{} of {}", plural(&of), asked.name(owner))
        }
        ("", _) if phase == "place count" => {
            forms::units_in(asked, &of, text(now, "/under_way/in"))
        }
        ("", _) if of.is_empty() => of,
        ("", _) => plural(&of),
        (zone, _) => forms::galleys_in(asked, zone),
    }
}

/// Returns the question; `is_form` is true if several amounts answer it.
fn question(asked: &Asked<'_>, phase: &str, is_form: bool) -> String {
    let now = &asked.view["now"];
    let place = |pointer: &str| asked.game.areas.spoken(text(now, pointer));
    let (from, to, inside) =
        (place("/under_way/from"), place("/under_way/to"), place("/under_way/in"));
    let of = match phase {
        "place count" => plural(&counted_kind(now, phase)),
        _ => counted_thing(asked, phase),
    };
    let field = place("/battle/place");
    match phase {
        "commit" if is_form => format!("Which galleys join the battle of {field}?"),
        "lend" if is_form => format!("What do you lend for the battle of {field}?"),
        "losses" if is_form => {
            let side = usize::from(now["battle"]["side"] == "defender");
            let hits = now["battle"]["hits"][side].as_i64().unwrap_or_default();
            format!("What do you lose in {field}? There {}", due(hits))
        }
        "place count" if is_form => "Where do you place your units?".to_owned(),
        "top" => {
            let left = counted(now["actions_left"].as_i64().unwrap_or_default(), "action");
            format!("What do you do? You have {} left", left.replace("an ", "1 "))
        }
        "take card" => "Which card do you take?".to_owned(),
        "recruit in" => "Where do you recruit?".to_owned(),
        "recruit count" => format!("How many {of} do you recruit in {inside}?"),
        "buy in" => "Where do you buy influence?".to_owned(),
        "buy source" => format!("From whom do you buy influence in {inside}?"),
        "buy more" => format!("Do you buy more influence in {inside}?"),
        "tax" => {
            let of = |what: &str| &asked.game.rules["tax"][format!("special_{what}")];
            format!("How often do you raise {} talents for {} chaos?", of("talents"), of("chaos"))
        }
        "move from" => "From where do you move?".to_owned(),
        "move to" => format!("Where do units from {from} go?"),
        "move count" | "barbarians count" => format!("Who goes from {from} to {to}?"),
        "battle in" => "Where do you attack?".to_owned(),
        "battle against" => format!("Whom do you attack in {inside}?"),
        "commit" => format!("How many {of} join the battle of {field}?"),
        "lend" => format!("How many {of} do you lend for the battle of {field}?"),
        "losses" => format!("How many {of} do you lose in {field}?"),
        "retreat" => format!("Do you retreat from {field}?"),
        "withdraw" => format!("Where do you withdraw from {field}?"),
        "sail to" => "Where do your galleys sail?".to_owned(),
        "sail count" => format!("How many galleys sail from {from} to {to}?"),
        "bid" => "Do you bid in the auction of alliances?".to_owned(),
        "propose" => "Which two seats do you propose?".to_owned(),
        "amount" => "How many talents do you bid?".to_owned(),
        "wind" => "Do you call off the attack, by Favorable Wind?".to_owned(),
        "vote" => format!("Which Senators do you show for {}?", place("/vote/card")),
        "place count" => format!("How many {of} do you place in {inside}?"),
        _ if phase.starts_with("place ") => {
            format!("Where do you place your {}?", phase.trim_start_matches("place "))
        }
        _ => "What do you do?".to_owned(),
    }
}

/// Returns the number of hits due, as the end of a sentence.
fn due(hits: i64) -> String {
    if hits == 1 { "is one hit".to_owned() } else { format!("are {hits} hits") }
}

/// Gives an option its label, its areas, its seat and its card.
fn label(asked: &Asked<'_>, phase: &str, option: &mut Choice) {
    let word = option.words[0].clone();
    let (first, rest) = word.split_once(' ').unwrap_or((&word, ""));
    let seats: Vec<usize> = rest.split(' ').filter_map(|word| word.parse().ok()).collect();
    match (first, &seats[..]) {
        ("against" | "target", [seat]) => {
            option.label = asked.name(seat - 1);
            option.seat = Some(*seat);
        }
        ("source", [seat]) => {
            option.label = format!("From {}", asked.name(seat - 1));
            option.seat = Some(*seat);
        }
        ("source", _) => "A token for sale".clone_into(&mut option.label),
        ("propose", [one, other]) => {
            option.label = format!("{} in A, {} in B", asked.name(one - 1), asked.name(other - 1));
        }
        ("show", counts) => option.label = format!("Show {}", senators(counts)),
        ("attack", [seat]) => {
            option.label = format!("Attack {}", asked.name(seat - 1));
            option.seat = Some(*seat);
        }
        ("assassin", [seat]) => option.label = victim(asked, rest, *seat),
        ("card", _) => {
            let name = crate::names::capital(&asked.game.areas.spoken(rest));
            option.label = name.replace('-', " ");
            option.card = asked.game.note(rest);
        }
        ("merchant" | "vote", _) => {
            let card = word.replace(' ', "-");
            option.label = asked.game.areas.spoken(&card);
            option.card = asked.game.note(&card);
        }
        ("loot", _) => {
            "Loot the countryside".clone_into(&mut option.label);
            option.card = asked.game.note(first);
        }
        ("from" | "to" | "in", _) if !option.areas.is_empty() => {
            option.label = asked.game.areas.spoken(rest);
        }
        ("place", _) => {
            let (_, place) = rest.split_once(' ').unwrap_or(("", rest));
            option.label = asked.game.areas.spoken(place);
        }
        ("retreat" | "withdraw", _) if !option.areas.is_empty() => {
            option.label =
                format!("{} to {}", crate::names::capital(first), asked.game.areas.spoken(rest));
        }
        _ => {
            if let Some((_, label)) = ANSWERS.iter().find(|(answer, _)| *answer == word) {
                (*label).clone_into(&mut option.label);
            }
        }
    }
    if phase == "top" {
        if let Some((_, label)) = ACTIONS.iter().find(|(action, _)| *action == first) {
            (*label).clone_into(&mut option.label);
        }
        option.areas = begins(asked, first);
    }
}

/// Names Senators by their numbers of each value: `I and 2 × III`.
fn senators(counts: &[usize]) -> String {
    let shown = ["I", "II", "III", "IV"].iter().zip(counts).filter(|(_, n)| **n > 0);
    let part = |(value, n): (&&str, &usize)| match n {
        1 => (*value).to_owned(),
        n => format!("{n} × {value}"),
    };
    crate::story::and(&shown.map(part).collect::<Vec<_>>())
}

/// Names the victim of a murder: `senator 2` or `general 2 egypt`.
fn victim(asked: &Asked<'_>, text: &str, seat: usize) -> String {
    let name = asked.name(seat - 1);
    match text.rsplit_once(' ') {
        Some((who, place)) if who.starts_with("general ") => {
            format!("The general of {name} in {}", asked.game.areas.spoken(place))
        }
        _ => format!("A Senator of {name}"),
    }
}

/// Returns the areas where an action at the beginning of a turn can begin, as far as a view shows it.
fn begins(asked: &Asked<'_>, action: &str) -> Vec<String> {
    let of = |table: &str, is_in: &dyn Fn(&Json) -> bool| -> Vec<String> {
        let all = asked.view[table].as_object().into_iter().flatten();
        all.filter(|(_, counts)| is_in(counts)).map(|(id, _)| id.clone()).collect()
    };
    let seat = asked.seat;
    let is_own = |counts: &Json| has_some(&counts[seat]);
    let is_led = |counts: &Json| LEADERS.iter().any(|&kind| has_some(&counts[seat][kind]));
    let meets = |counts: &Json| {
        let seats = counts.as_array().map_or(0, |all| all.iter().filter(|n| has_some(n)).count());
        is_own(counts) && seats > 1
    };
    match action {
        "move" => of("land", &is_led),
        "sail" => of("sea", &is_own),
        "battle" => [of("land", &meets), of("sea", &meets)].concat(),
        _ => Vec::new(),
    }
}

/// Returns whether counts of units are not all zero.
fn has_some(units: &Json) -> bool {
    match units {
        Json::Array(all) => all.iter().any(has_some),
        other => other.as_i64().unwrap_or_default() > 0,
    }
}

/// Returns the gestures from area to area: moves on land, and galleys at sea.
fn drags(asked: &Asked<'_>, phase: &str, menu: &Menu) -> Vec<Drag> {
    let drag = |words: &[&str], from: Vec<String>| Drag {
        words: words.iter().map(|&word| word.to_owned()).collect(),
        from,
    };
    let areas = |word: &str| -> Vec<String> {
        let named = |option: &&Choice| option.words[0] == word;
        menu.options().filter(named).flat_map(|option| option.areas.clone()).collect()
    };
    match phase {
        "top" => {
            let from = areas("move");
            // The game does not ask for the only place where a move can begin.
            let words: &[&str] = match from[..] {
                [_] => &["move", "to {to}"],
                _ => &["move", "from {from}", "to {to}"],
            };
            vec![drag(words, from), drag(&["sail", "to {to}"], areas("sail"))]
        }
        "move from" => {
            let from = menu.options().flat_map(|option| option.areas.clone()).collect();
            vec![drag(&["from {from}", "to {to}"], from)]
        }
        "move to" => {
            vec![drag(&["to {to}"], vec![text(asked.view, "/now/under_way/from").to_owned()])]
        }
        _ => Vec::new(),
    }
}
