//! Stories of games: one sentence for each action, made from the events and the positions between them.
//!
//! A game has a [`Teller`]. It receives every event with the position after it, as records write them, and describes an
//! action when it is complete. It reads forced effects from the position, so they also stand in the sentence. [`Plain`]
//! serves games without a teller of their own.

use serde_json::Value as Json;

/// An event of a game.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A seat chose an action.
    Choice {
        /// The seat, from 0.
        seat: usize,
        /// The action as records write it.
        action: &'a str,
    },
    /// Chance came to an outcome.
    Chance {
        /// The kind of event.
        kind: &'a str,
        /// The seat or side that it concerns, as records write it.
        who: Option<&'a Json>,
        /// The outcome, as records write it.
        value: &'a Json,
    },
    /// A turn without any choice.
    Forced,
}

/// A position of a game, as JSON.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Position {
    /// The whole state, as a record holds it.
    pub state: Json,
    /// The first seat's view, which in some games describes more of the action under way.
    pub view: Json,
    /// Exact chances of the outcomes under way, each with its name; empty if none are computed.
    pub odds: Vec<(&'static str, f64)>,
    /// The board as text, with a newline at its end; empty unless requested.
    pub text: String,
    /// Each seat's chance to win, from 0 to 1, by a model; empty without a model.
    pub chances: Vec<f64>,
}

impl Position {
    /// Returns the number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.state["players"].as_array().map_or(0, Vec::len)
    }

    /// Returns the exact chances in words: `the attacker wins 71 %, the defender 20 %, undecided 9 %`. Returns `None`
    /// without chances.
    #[must_use]
    pub fn odds_text(&self) -> Option<String> {
        let percent = |chance: f64| match 100.0 * chance {
            x if x < 0.5 => "< 1".to_owned(),
            x if x > 99.5 && chance < 1.0 => "> 99".to_owned(),
            x => format!("{x:.0}"),
        };
        let text = |&(what, chance): &(&str, f64)| format!("{what} {} %", percent(chance));
        let all: Vec<String> = self.odds.iter().map(text).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// Returns a number of the state by its JSON pointer; 0 if there is none.
    #[must_use]
    pub fn number(&self, way: &str) -> i64 {
        self.state.pointer(way).and_then(Json::as_i64).unwrap_or_default()
    }
}

/// The importance of a sentence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// A heading: a long stretch of the game begins, such as a season.
    Stage,
    /// A heading: a round begins.
    Round,
    /// An event that changes the course of the game: a battle, a score, a vote.
    Main,
    /// An action.
    Deed,
    /// A part of the action above or below it: a roll, a pass, a bid.
    Part,
}

impl Level {
    /// Returns the importance in a word, as pages write it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stage => "stage",
            Self::Round => "round",
            Self::Main => "main",
            Self::Deed => "deed",
            Self::Part => "part",
        }
    }

    /// Returns the indent of a line of text.
    #[must_use]
    pub const fn indent(self) -> &'static str {
        match self {
            Self::Stage => "",
            Self::Round => "  ",
            Self::Main | Self::Deed => "    ",
            Self::Part => "      ",
        }
    }
}

/// A sentence of the story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// Its importance.
    pub level: Level,
    /// The acting seat, from 0; `None` if no seat acts.
    pub seat: Option<usize>,
    /// The sentence, without a full stop.
    pub text: String,
}

impl Sentence {
    /// Creates a sentence without a seat.
    #[must_use]
    pub fn new(level: Level, text: impl Into<String>) -> Self {
        Self { level, seat: None, text: text.into() }
    }

    /// Creates a sentence about an action of the player in `seat` (from 0): `seat 3 WHAT`, counted from 1.
    #[must_use]
    pub fn of(level: Level, seat: usize, what: impl AsRef<str>) -> Self {
        Self { level, seat: Some(seat), text: format!("{} {}", seated(seat), what.as_ref()) }
    }
}

/// A narrator that receives the events of a game in order.
pub trait Teller {
    /// Receives an event and the position after it, and appends sentences to `out`. `after` is `None` while other seats
    /// still choose at the same time.
    fn narrate(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Sentence>);

    /// Returns whether the story only repeats the words of the records.
    fn is_plain(&self) -> bool {
        false
    }

    /// Returns whether the story announces rounds.
    fn has_rounds(&self) -> bool {
        true
    }

    /// Appends the remaining sentences after the last event.
    fn finish(&mut self, _out: &mut Vec<Sentence>) {}
}

/// The narrator of any game: a sentence for each action, in the words of its records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Teller for Plain {
    fn narrate(&mut self, event: &Event<'_>, _after: Option<&Position>, out: &mut Vec<Sentence>) {
        out.push(match event {
            Event::Choice { seat, action } => {
                Sentence::of(Level::Deed, *seat, format!("plays {action}"))
            }
            Event::Chance { .. } => Sentence::new(Level::Deed, chance(event)),
            Event::Forced => return,
        });
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn has_rounds(&self) -> bool {
        false
    }
}

/// Returns the name of a seat for people, counted from 1: `seat 3` for the number 2 of records.
#[must_use]
pub fn seated(seat: usize) -> String {
    format!("seat {}", seat + 1)
}

/// Returns the name of the seat that a word of a record names: `seat 3` for `2`. Other words stay as they are.
#[must_use]
pub fn seated_word(word: &str) -> String {
    word.parse().map_or_else(|_| format!("seat {word}"), seated)
}

/// Returns the numbers of the seats in a list of a record, counted from 1: `1, 3` for `[0, 2]`.
#[must_use]
pub fn seat_numbers(list: &Json) -> String {
    let seats = list.as_array().into_iter().flatten().filter_map(Json::as_u64);
    seats.map(|seat| (seat + 1).to_string()).collect::<Vec<_>>().join(", ")
}

/// Returns an event of chance in a few words: `die: 3`.
#[must_use]
pub fn chance(event: &Event<'_>) -> String {
    let Event::Chance { kind, who, value } = event else { return String::new() };
    let who = match who {
        None => String::new(),
        Some(Json::Number(seat)) => format!(" of {}", seated_word(&seat.to_string())),
        Some(who) => format!(" of the {}", words(who)),
    };
    format!("{kind}{who}: {}", words(value))
}

/// Returns a value in words: texts without quotes, lists divided by commas, `hidden` for an outcome that its reader does
/// not see.
#[must_use]
pub fn words(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Null => "hidden".to_owned(),
        Json::Array(all) => all.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Returns an enumeration of things: `a, b and c`.
#[must_use]
pub fn and(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the plural of a thing; some have none.
#[must_use]
pub fn plural(word: &str) -> String {
    match word {
        "infantry" | "cavalry" | "influence" | "chaos" | "VP" | "caesar" | "food" | "gold" => {
            word.to_owned()
        }
        _ => format!("{word}s"),
    }
}

/// Returns a number of things in words: `a galley`, `2 galleys`, and `1 infantry` for words without a plural.
#[must_use]
pub fn counted(n: i64, word: &str) -> String {
    match (n, word) {
        (_, "caesar") => "the caesar".to_owned(),
        _ if plural(word) == word => format!("{n} {word}"),
        (1, _) if word.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {word}"),
        (1, _) => format!("a {word}"),
        _ => format!("{n} {}", plural(word)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_those_of_people() {
        let some = ["a".to_owned(), "b".to_owned(), "c".to_owned()];
        assert_eq!((and(&some), and(&some[..1])), ("a, b and c".to_owned(), "a".to_owned()));
        let texts = [(1, "galley"), (2, "galley"), (1, "infantry"), (1, "caesar"), (1, "army")];
        let texts = texts.map(|(n, word)| counted(n, word));
        assert_eq!(texts, ["a galley", "2 galleys", "1 infantry", "the caesar", "an army"]);
        let value = json!(["infantry", "blank"]);
        let event = Event::Chance { kind: "dice", who: Some(&json!("attacker")), value: &value };
        assert_eq!(chance(&event), "dice of the attacker: infantry, blank");
    }
}
