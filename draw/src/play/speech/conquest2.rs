//! The words of conquest2.

use serde_json::Value as Json;

use super::super::drawn_game::Asked;
use super::super::menu::{Amount, Choice, Drag, Menu};
use super::text;
use crate::story::counted;

/// The kinds of land units in the order of a view.
const KINDS: [&str; 5] = ["infantry", "cavalry", "catapult", "general", "caesar"];

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

pub(super) fn speak(asked: &Asked<'_>, menu: &mut Menu) {
    let now = &asked.view["now"];
    let phase = text(now, "/phase");
    menu.question = question(asked, phase);
    let of = counted_kind(now, phase);
    let takes_all = matches!(phase, "move count" | "barbarians count" | "sail count" | "commit");
    for option in menu.groups.iter_mut().flat_map(|group| &mut group.options) {
        label(asked, phase, option);
        if let Some(count) = &mut option.count {
            of.clone_into(&mut count.of);
            if !takes_all {
                count.preset = count.values[0];
            }
        }
    }
    if phase == "move count" {
        menu.form = form(asked, &of);
        // Nearly all moves go to one place.
        menu.closing = Some("done".to_owned());
    }
    menu.may_only = matches!(phase, "move count" | "recruit count");
    menu.drags = drags(asked, phase, menu);
}

/// Returns the kind that is counted; empty if nothing is counted.
fn counted_kind(now: &Json, phase: &str) -> String {
    let of = [text(now, "/under_way/count"), text(now, "/battle/count")].concat();
    match phase {
        _ if !of.is_empty() => of,
        "sail count" => "galleys".to_owned(),
        "tax" => "special tax".to_owned(),
        "amount" => "talents".to_owned(),
        _ => String::new(),
    }
}

fn question(asked: &Asked<'_>, phase: &str) -> String {
    let now = &asked.view["now"];
    let place = |pointer: &str| asked.game.areas.spoken(text(now, pointer));
    let (from, to, inside) =
        (place("/under_way/from"), place("/under_way/to"), place("/under_way/in"));
    let of = counted_kind(now, phase);
    let field = place("/battle/place");
    match phase {
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
        "tax" => "How much special tax do you raise?".to_owned(),
        "move from" => "From where do you move?".to_owned(),
        "move to" => format!("Where do units from {from} go?"),
        "move count" | "barbarians count" => format!("Who goes from {from} to {to}?"),
        "battle in" => "Where do you attack?".to_owned(),
        "battle against" => format!("Whom do you attack in {inside}?"),
        "commit" => format!("How many {of}s join the battle of {field}?"),
        "lend" => format!("How many {of} do you lend for the battle of {field}?"),
        "losses" => format!("How many {of} do you lose in {field}?"),
        "retreat" => format!("Do you retreat from {field}?"),
        "withdraw" => format!("Where do you withdraw from {field}?"),
        "sail to" => "Where do your galleys sail?".to_owned(),
        "sail count" => format!("How many galleys sail from {from} to {to}?"),
        "bid" => "Do you bid in the auction of alliances?".to_owned(),
        "propose" => "Which two seats do you propose?".to_owned(),
        "amount" => "How many talents do you bid?".to_owned(),
        "vote" => format!("Which Senators do you show for {}?", place("/vote/card")),
        "place count" => format!("How many {of} do you place in {inside}?"),
        _ if phase.starts_with("place ") => {
            format!("Where do you place your {}?", phase.trim_start_matches("place "))
        }
        _ => "What do you do?".to_owned(),
    }
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
            option.label = format!("{}, then {}", asked.name(one - 1), asked.name(other - 1));
        }
        ("show", counts) => {
            let shown = ["I", "II", "III", "IV"].iter().zip(counts).filter(|(_, n)| **n > 0);
            let parts: Vec<String> = shown
                .map(
                    |(value, n)| {
                        if *n == 1 { (*value).to_owned() } else { format!("{n} × {value}") }
                    },
                )
                .collect();
            option.label = format!("Show {}", crate::story::and(&parts));
        }
        ("card", _) => {
            option.label = crate::names::capital(&asked.game.areas.spoken(rest));
            let cost = asked.game.rules["cards"][rest]["cost"].as_i64();
            option.card = cost.map(|cost| format!("costs {}", counted(cost, "talent")));
        }
        ("from" | "to" | "in", _) if !option.areas.is_empty() => {
            option.label = asked.game.areas.spoken(rest);
        }
        ("done", _) => "No further move".clone_into(&mut option.label),
        _ => {}
    }
    if phase == "top" {
        if let Some((_, label)) = ACTIONS.iter().find(|(action, _)| *action == first) {
            (*label).clone_into(&mut option.label);
        }
        option.areas = begins(asked, first);
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
    let meets = |counts: &Json| {
        let seats = counts.as_array().map_or(0, |all| all.iter().filter(|n| has_some(n)).count());
        is_own(counts) && seats > 1
    };
    match action {
        "move" => of("land", &is_own),
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

/// Returns the amounts of a move from the kind `of` on: a move asks for each kind in turn.
fn form(asked: &Asked<'_>, of: &str) -> Vec<Amount> {
    let from = text(asked.view, "/now/under_way/from");
    let there = &asked.view["land"][from][asked.seat];
    let kinds = KINDS.iter().enumerate().skip_while(|(_, kind)| **kind != of);
    let amount = |(i, kind): (usize, &&str)| {
        let high = there[i].as_i64().unwrap_or_default();
        (high > 0).then(|| Amount { of: (*kind).to_owned(), high })
    };
    kinds.filter_map(amount).collect()
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
        "top" => vec![
            drag(&["move", "from {from}", "to {to}"], areas("move")),
            drag(&["sail", "to {to}"], areas("sail")),
        ],
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
