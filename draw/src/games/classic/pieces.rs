//! The pieces of classic in two positions: arrivals, losses, and encounters.

use serde_json::Value as Json;

use crate::story::{Position, and, counted, seated};

/// The kinds of pieces in the order of records.
const KINDS: [&str; 6] = ["infantry", "cavalry", "catapult", "galley", "general", "caesar"];

/// Pieces of a seat at a place, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Pieces([i64; KINDS.len()]);

impl Pieces {
    pub(super) fn is_none(&self) -> bool {
        self.0.iter().all(|&n| n == 0)
    }

    /// Returns the pieces in words: `3 infantry and a general`.
    pub(super) fn text(&self) -> String {
        let some = KINDS.iter().zip(self.0).filter(|(_, n)| *n > 0);
        and(&some.map(|(kind, n)| counted(n, kind)).collect::<Vec<_>>())
    }

    /// Returns the pieces in excess of `other`, kind by kind.
    fn beyond(self, other: Self) -> Self {
        Self(std::array::from_fn(|kind| (self.0[kind] - other.0[kind]).max(0)))
    }
}

/// Returns the talents of a seat.
pub(super) fn talents(position: &Position, seat: usize) -> i64 {
    position.state["players"][seat]["talents"].as_i64().unwrap_or_default()
}

/// Returns the pieces of a seat in a province or a sea zone.
pub(super) fn at(position: &Position, seat: usize, place: &str) -> Pieces {
    let of = |table: &str, kind: usize| position.state[table][place][seat][kind].as_i64();
    Pieces(std::array::from_fn(|kind| of("land", kind).or(of("sea", kind)).unwrap_or_default()))
}

/// Returns the pieces of a seat that came to a place.
pub(super) fn more(before: &Position, after: &Position, seat: usize, place: &str) -> Pieces {
    at(after, seat, place).beyond(at(before, seat, place))
}

/// Returns the names of the places in a table.
fn places<'a>(position: &'a Position, table: &str) -> impl Iterator<Item = &'a str> {
    let map = position.state.get(table).and_then(Json::as_object);
    map.into_iter().flat_map(|map| map.keys().map(String::as_str))
}

/// Returns all pieces of a seat.
fn all(position: &Position, seat: usize) -> Pieces {
    let mut sum = Pieces::default();
    for place in places(position, "land").chain(places(position, "sea")) {
        let there = at(position, seat, place);
        sum.0.iter_mut().zip(there.0).for_each(|(sum, n)| *sum += n);
    }
    sum
}

/// Returns the pieces that a seat lost in a battle, by place. It is empty unless `is_a_battle` is true and the seat has
/// fewer pieces in total; pieces that only moved are no losses.
pub(super) fn fewer(
    before: &Position,
    after: &Position,
    seat: usize,
    is_a_battle: bool,
) -> Vec<(String, Pieces)> {
    let lost = all(before, seat).beyond(all(after, seat));
    if lost.is_none() || !is_a_battle {
        return Vec::new();
    }
    let gone = |place: &str| at(before, seat, place).beyond(at(after, seat, place));
    let all = places(before, "land").chain(places(before, "sea"));
    let fields = all.map(|place| (place.to_owned(), gone(place)));
    fields.filter(|(_, gone)| !gone.is_none()).collect()
}

/// Returns `PLACE: WHO with WHAT, …` for each place with pieces of several seats, or of a seat and a guard.
pub(super) fn battlefields(position: &Position) -> Vec<String> {
    let who = |place: &str| -> Vec<String> {
        let armies = (0..position.seats()).map(|seat| (seat, at(position, seat, place)));
        let mut all: Vec<String> = armies
            .filter(|(_, pieces)| !pieces.is_none())
            .map(|(seat, pieces)| format!("{} with {}", seated(seat), pieces.text()))
            .collect();
        if let Some(strength) = position.state["guard"][place].as_i64() {
            all.push(format!("a guard of {strength}"));
        }
        all
    };
    let fields = places(position, "land").map(|place| (place, who(place)));
    let met = fields.filter(|(_, who)| who.len() > 1);
    met.map(|(place, who)| format!("{place}: {}", who.join(", "))).collect()
}
