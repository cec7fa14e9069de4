//! The menu of a choice, from the texts of the legal actions.

use super::drawn_game::Asked;
use super::menu::{Choice, Count, Group, Menu};
use super::speech::speak;
use crate::board::Board;
use crate::names::capital;

/// First words of actions that are amounts.
const AMOUNTS: [&str; 2] = ["count", "amount"];

/// Returns the menu of `asked` for its legal `actions`, written for people, after the labels `so_far` of the draft.
#[must_use]
pub fn ask(asked: &Asked<'_>, actions: &[String], so_far: &[String]) -> Menu {
    let (names, board) = (&asked.game.areas, asked.game.drawing.board());
    let mut menu = Menu {
        question: "What do you do?".to_owned(),
        so_far: sentences(asked, so_far),
        ..Menu::default()
    };
    for action in actions {
        let (first, rest) = action.split_once(' ').unwrap_or((action, ""));
        let is_amount = AMOUNTS.contains(&first);
        let value = rest.parse().ok().filter(|_| is_amount);
        let name = capital(&names.spoken(first));
        let group = group(&mut menu.groups, &name);
        if let Some(value) = value
            && let Some(Choice { count: Some(count), .. }) =
                group.options.iter_mut().find(|option| option.words == [first])
        {
            count.values.push(value);
            count.preset = value;
            continue;
        }
        let mut option = Choice {
            words: vec![action.clone()],
            label: capital(&names.spoken(action)),
            areas: areas(board, rest),
            ..Choice::default()
        };
        if let Some(value) = value {
            option.words = vec![first.to_owned()];
            option.label = name;
            option.count = Some(Count { values: vec![value], preset: value, ..Count::default() });
        }
        group.options.push(option);
    }
    speak(asked, &mut menu);
    merge(&mut menu.groups);
    menu
}

/// Puts groups of one option into one group without a name.
fn merge(groups: &mut Vec<Group>) {
    let is_single = |group: &Group| group.options.len() == 1;
    let (single, mut many): (Vec<Group>, Vec<Group>) =
        std::mem::take(groups).into_iter().partition(is_single);
    let options: Vec<Choice> = single.into_iter().flat_map(|group| group.options).collect();
    if !options.is_empty() {
        many.push(Group { name: String::new(), options });
    }
    *groups = many;
}

/// Returns a choice of a seat, of which `actions` were legal, as its draft has it: as its option is called, and amounts with
/// what they count, as in `count 4 infantry`. Words that continue a sentence stay.
#[must_use]
pub fn chosen(asked: &Asked<'_>, actions: &[String], label: &str) -> String {
    let (first, _) = label.split_once(' ').unwrap_or((label, ""));
    let seats = label.split(' ').skip(1).map(|seat| seat.parse::<usize>().ok());
    let seats: Option<Vec<usize>> = seats.collect();
    let name = |seat: usize| asked.name(seat - 1);
    match (first, seats.as_deref()) {
        ("against", Some(&[seat])) => return format!("against {}", name(seat)),
        ("source", Some(&[seat])) => return format!("from {}", name(seat)),
        ("source", _) => return "from the tokens for sale".to_owned(),
        ("propose", Some(&[one, other])) => {
            return format!("for {} in A, {} in B", name(one), name(other));
        }
        _ => {}
    }
    if GO_ON.contains(&first) || label == "done" {
        return label.to_owned();
    }
    let menu = ask(asked, actions, &[]);
    let counts = |option: &&Choice| {
        option.count.is_some() && option.words.last().is_some_and(|word| word == first)
    };
    if let Some(count) = menu.options().find(counts).and_then(|option| option.count.as_ref()) {
        return format!("{label} {}", count.of);
    }
    let option = menu.options().find(|option| option.words == [label]);
    let said = option.map_or_else(|| label.to_owned(), |option| option.label.clone());
    match label.split(' ').collect::<Vec<_>>()[..] {
        ["place", thing, _] => format!("{PLACED}{thing} in {said}"),
        _ => said,
    }
}

/// Beginning of the sentence of a piece that is placed alone.
const PLACED: &str = "Place the ";

/// Words that continue the sentence of the action before them.
const GO_ON: [&str; 6] = ["from", "to", "in", "against", "for", "card"];

/// Returns the labels of a draft as sentences: `Move from Sicilia to Italia: 4 infantry, 1 general`. Amounts of nothing are
/// left out.
fn sentences(asked: &Asked<'_>, so_far: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    // The amounts since the last word.
    let mut amounts: Vec<String> = Vec::new();
    for label in so_far {
        let (first, rest) = label.split_once(' ').unwrap_or((label, ""));
        if AMOUNTS.contains(&first) {
            if !rest.starts_with("0 ") {
                add_amount(&mut all, &mut amounts, one(rest));
            }
            continue;
        }
        match all.last_mut() {
            Some(_) if label == "done" => continue,
            Some(last) if GO_ON.contains(&first) => {
                // `Take a card` becomes `Take Loot`.
                let is_named = first == "card";
                let part = if is_named { rest } else { label };
                if is_named {
                    last.truncate(last.trim_end_matches(" a card").len());
                }
                *last += if amounts.is_empty() { " " } else { "; " };
                *last += &asked.game.areas.spoken(part);
            }
            _ => all.push(capital(&asked.game.areas.spoken(label))),
        }
        amounts.clear();
    }
    all
}

/// Adds an amount to the sentences of a draft, after `amounts` since its last word. Nothing is said twice.
fn add_amount(all: &mut Vec<String>, amounts: &mut Vec<String>, amount: String) {
    let thing = |amount: &str| {
        amount.split_once(' ').map(|(_, thing)| thing.trim_end_matches('s').to_owned())
    };
    let is_same = |other: &String| thing(other) == thing(&amount);
    match all.last_mut() {
        Some(last) if amounts.iter().any(is_same) => *last += &format!("; then {amount}"),
        Some(last) if !amounts.is_empty() => *last += &format!(", {amount}"),
        Some(last) if !last.starts_with(PLACED) => match counted(last, &amount) {
            Some(said) => *last = said,
            None => *last += &format!(": {amount}"),
        },
        _ => all.push(capital(&amount)),
    }
    amounts.push(amount);
}

/// Returns a sentence that names a thing with the amount of it: `Buy 2 catapults in Asia` for `Buy a catapult in Asia`;
/// `None` if it does not name the thing.
fn counted(sentence: &str, amount: &str) -> Option<String> {
    let (_, things) = amount.split_once(' ')?;
    let single = things.trim_end_matches('s');
    let said = [format!(" a {single} "), format!(" an {single} "), format!(" {things} ")];
    let said = said.iter().find(|said| sentence.contains(said.as_str()))?;
    Some(sentence.replacen(said, &format!(" {amount} "), 1))
}

/// Returns an amount, of one thing in the singular: `1 general` for `1 generals`.
fn one(amount: &str) -> String {
    let Some(things) = amount.strip_prefix("1 ") else { return amount.to_owned() };
    let (thing, rest) = things.split_at(things.find(' ').unwrap_or(things.len()));
    format!("1 {}{rest}", thing.trim_end_matches('s'))
}

/// Returns the group of this name, which is added if there is none.
fn group<'a>(groups: &'a mut Vec<Group>, name: &str) -> &'a mut Group {
    let known = groups.iter().position(|group| group.name == name);
    let place = known.unwrap_or_else(|| {
        groups.push(Group { name: name.to_owned(), options: Vec::new() });
        groups.len() - 1
    });
    &mut groups[place]
}

/// Returns the areas of a board that the words of an action name.
fn areas(board: Option<&Board>, text: &str) -> Vec<String> {
    let Some(board) = board else { return Vec::new() };
    let known = |word: &&str| board.place(word).is_some();
    text.split(' ').filter(known).map(str::to_owned).collect()
}
