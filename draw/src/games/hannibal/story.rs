//! The story of hannibal.

use serde_json::Value as Json;

use crate::story::{Event, Level, Position, Sentence, Teller};

const SIDES: [&str; 2] = ["Carthage", "Rome"];

/// The narrator of hannibal.
#[derive(Clone, Debug)]
pub struct Story {
    last: Position,
    /// The cards of the current conflict, each with its seat.
    cards: Vec<(usize, String)>,
    has_begun: bool,
}

impl Story {
    /// Creates the story of a game that begins at `start`.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        Self { last: start.clone(), cards: Vec::new(), has_begun: false }
    }

    /// Adds the result of both cards.
    fn duel(&mut self, after: &Position, out: &mut Vec<Sentence>) {
        let cards: Vec<String> =
            self.cards.iter().map(|(seat, card)| format!("{} {card}", SIDES[seat % 2])).collect();
        self.cards.clear();
        let lost: Vec<String> = (0..2).filter_map(|seat| lost(&self.last, after, seat)).collect();
        let lost =
            if lost.is_empty() { "nobody loses anything".to_owned() } else { lost.join(", ") };
        let goes_on = if after.state.get("conflict").is_some() { "; it goes on" } else { "" };
        out.push(Sentence::new(
            Level::Main,
            format!("cards: {}: {lost}{goes_on}", cards.join(", ")),
        ));
    }
}

/// Returns the number of a seat's pieces over all places of a table.
fn total(position: &Position, table: &str, seat: usize) -> i64 {
    let places = position.state[table].as_object();
    places.map_or(0, |all| all.values().filter_map(|counts| counts[seat].as_i64()).sum())
}

/// Returns the losses of a side in words; `None` without losses.
fn lost(before: &Position, after: &Position, seat: usize) -> Option<String> {
    let gone = |table: &str| total(before, table, seat) - total(after, table, seat);
    let mut parts = Vec::new();
    for (table, word) in [("legions", "legion"), ("fleets", "fleet")] {
        if gone(table) > 0 {
            parts.push(crate::story::counted(gone(table), word));
        }
    }
    if seat == 0 && !before.state["hannibal"].is_null() && after.state["hannibal"].is_null() {
        parts.push("Hannibal".to_owned());
    }
    (!parts.is_empty()).then(|| format!("{} loses {}", SIDES[seat], parts.join(" and ")))
}

/// Returns an action in words.
fn deed(action: &str) -> String {
    let words: Vec<&str> = action.split(' ').collect();
    match words.as_slice() {
        ["legion", from, to] => format!("moves a legion from {from} to {to}"),
        ["hannibal", from, to] => format!("moves Hannibal from {from} to {to}"),
        ["fleet", from, to] => format!("moves a fleet from {from} to {to}"),
        ["raise", place] => format!("gives a legion in {place} for a fleet"),
        ["raise-hannibal", place] => format!("gives Hannibal in {place} for a fleet"),
        ["fight", with] => {
            format!("fights with {}", if *with == "legion" { "a legion" } else { "Hannibal" })
        }
        ["pass"] => "passes".to_owned(),
        _ => format!("plays {action}"),
    }
}

impl Teller for Story {
    fn narrate(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Sentence>) {
        if !self.has_begun {
            self.has_begun = true;
            out.push(Sentence::new(Level::Stage, "the war begins"));
        }
        if let Event::Choice { seat, action } = event {
            match action.strip_prefix("card ") {
                Some(card) => self.cards.push((*seat, card.to_owned())),
                None => {
                    let side = SIDES[seat % 2];
                    out.push(Sentence::of(
                        Level::Deed,
                        *seat,
                        format!("({side}) {}", deed(action)),
                    ));
                }
            }
        }
        let Some(after) = after else { return };
        let site = |position: &Position| position.state.pointer("/conflict/place").cloned();
        if !self.cards.is_empty() {
            self.duel(after, out);
        } else if let (None, Some(Json::String(place))) = (site(&self.last), site(after)) {
            out.push(Sentence::new(Level::Part, format!("a conflict in {place}")));
        }
        self.last = after.clone();
    }

    fn has_rounds(&self) -> bool {
        false
    }
}
