//! Differences between two positions of conquest2, as data and in words.

use serde_json::Value as Json;

use crate::story::{Position, and, counted, seated};

/// The kinds of land units in the order of records.
pub(super) const LAND: [&str; 5] = ["infantry", "cavalry", "catapult", "general", "caesar"];

/// Units of each kind; negative numbers are losses.
pub(super) type Units = [i64; 5];

/// Returns the keys of a table in either position, in board order.
fn keys<'a>(before: &'a Position, after: &'a Position, table: &str) -> Vec<&'a str> {
    let keys = |position: &'a Position| -> Vec<&'a str> {
        let map = position.state.get(table).and_then(Json::as_object);
        map.map_or_else(Vec::new, |map| map.keys().map(String::as_str).collect())
    };
    let mut all = keys(before);
    for key in keys(after) {
        if !all.contains(&key) {
            all.push(key);
        }
    }
    all
}

/// Returns the land units of a seat in a province.
pub(super) fn units(position: &Position, seat: usize, place: &str) -> Units {
    let there = &position.state["land"][place][seat];
    std::array::from_fn(|unit| there[unit].as_i64().unwrap_or_default())
}

/// Returns the changes of a seat's land units, by province.
pub(super) fn land(before: &Position, after: &Position, seat: usize) -> Vec<(String, Units)> {
    let change = |place: &&str| -> Units {
        let [then, now] = [before, after].map(|position| units(position, seat, place));
        std::array::from_fn(|unit| now[unit] - then[unit])
    };
    let places =
        keys(before, after, "land").into_iter().map(|place| (place.to_owned(), change(&place)));
    places.filter(|(_, units)| *units != [0; 5]).collect()
}

/// Returns the changes of a seat's numbers, by place, in a table of numbers by place and seat.
pub(super) fn table(
    before: &Position,
    after: &Position,
    name: &str,
    seat: usize,
) -> Vec<(String, i64)> {
    let at = |position: &Position, place: &str| {
        position.state[name][place][seat].as_i64().unwrap_or_default()
    };
    let places = keys(before, after, name).into_iter();
    let change = |place: &str| (place.to_owned(), at(after, place) - at(before, place));
    places.map(change).filter(|(_, n)| *n != 0).collect()
}

/// Returns a number of a seat: `money`, `chaos` or `vp`.
pub(super) fn of_seat(position: &Position, seat: usize, key: &str) -> i64 {
    position.state["players"][seat][key].as_i64().unwrap_or_default()
}

/// Returns the change of a number of a seat.
pub(super) fn gain(before: &Position, after: &Position, seat: usize, key: &str) -> i64 {
    of_seat(after, seat, key) - of_seat(before, seat, key)
}

/// Returns units in words, kind by kind.
pub(super) fn kinds(units: Units) -> Vec<String> {
    let kinds = LAND.iter().zip(units).filter(|(_, n)| *n != 0);
    kinds.map(|(word, n)| counted(n.abs(), word)).collect()
}

/// Returns units in words: `3 infantry and a general`.
pub(super) fn army(units: Units) -> String {
    and(&kinds(units))
}

/// Returns the gained units of a change, or with `-1` the lost ones.
pub(super) fn part(units: Units, sign: i64) -> Units {
    units.map(|n| (n * sign).max(0))
}

/// Returns the effects of a change on a seat, in words; `has_money` includes the money.
fn effects_of(before: &Position, after: &Position, seat: usize, has_money: bool) -> Vec<String> {
    let mut parts = Vec::new();
    for (key, word) in [("money", "talents"), ("chaos", "chaos"), ("vp", "VP")] {
        match gain(before, after, seat, key) {
            0 => {}
            _ if key == "money" && !has_money => {}
            n => parts.push(format!("{n:+} {word}")),
        }
    }
    let mut total: Units = [0; 5];
    for (_, units) in land(before, after, seat) {
        (0..5).for_each(|unit| total[unit] += units[unit]);
    }
    for (word, n) in LAND.iter().zip(total).filter(|(_, n)| *n != 0) {
        parts.push(format!("{n:+} {word}"));
    }
    for (name, word) in [("sea", "galleys"), ("influence", "influence")] {
        for (place, n) in table(before, after, name, seat) {
            parts.push(format!("{n:+} {word} in {place}"));
        }
    }
    // A view has the Senators that its observer does not know apart.
    let senators = |position: &Position| -> i64 {
        let player = &position.state["players"][seat];
        let hand = player["senators"].as_array();
        let known: i64 = hand.map_or(0, |hand| hand.iter().filter_map(Json::as_i64).sum());
        known + player["unseen"].as_i64().unwrap_or_default()
    };
    match senators(after) - senators(before) {
        0 => {}
        n => parts.push(format!("{n:+} Senator{}", if n.abs() == 1 { "" } else { "s" })),
    }
    parts
}

/// Returns the effects of a change on each seat, in words; empty without effects. The payment of `buyer` stands
/// elsewhere in the story, so it is left out.
pub(super) fn effects(before: &Position, after: &Position, buyer: Option<usize>) -> String {
    let of = |seat: usize| {
        let parts = effects_of(before, after, seat, buyer != Some(seat));
        (!parts.is_empty()).then(|| format!("{}: {}", seated(seat), parts.join(", ")))
    };
    let mut all: Vec<String> = (0..after.seats()).filter_map(of).collect();
    for place in keys(before, after, "cities") {
        let owner = |position: &Position| position.state["cities"][place].as_i64();
        if owner(before) != owner(after)
            && let Some(seat) = owner(after)
        {
            all.push(format!("the city in {place} is of seat {}", seat + 1));
        }
    }
    all.join("; ")
}

/// Returns the texts of the list `more` that `less` lacks, each as often as it is missing.
pub(super) fn beyond(more: &Json, less: &Json) -> Vec<String> {
    let list = |value: &Json| -> Vec<String> {
        let all = value.as_array().into_iter().flatten();
        all.filter_map(Json::as_str).map(str::to_owned).collect()
    };
    let mut rest = list(more);
    for gone in list(less) {
        if let Some(i) = rest.iter().position(|text| *text == gone) {
            rest.remove(i);
        }
    }
    rest
}
