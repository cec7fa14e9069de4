//! The story of a game: one sentence for each action, told from its events and the positions between them.
//!
//! A game has a [`Teller`]; it hears of every event with the position after it, both as records write them, and says what
//! happened when an action is over. So what the rules decided without asking anybody stands in the sentence, too: it is
//! read off the position. A game without a teller of its own is told by [`Plain`].

use serde_json::Value as Json;

/// What happened.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A seat chose an action.
    Choice {
        /// Who.
        seat: usize,
        /// The action as records write it.
        action: &'a str,
    },
    /// Chance came to an outcome.
    Chance {
        /// What kind of event.
        kind: &'a str,
        /// Whom it concerns, as records write it.
        who: Option<&'a Json>,
        /// The outcome, as records write it.
        value: &'a Json,
    },
    /// A turn passed in which nobody had a choice.
    Forced,
}

/// Where a game stands, as JSON.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Position {
    /// The whole state, as a record holds it.
    pub state: Json,
    /// What the first seat sees of it, which in some games says more of what is under way.
    pub view: Json,
    /// Exact chances of what is under way, each with its name; empty where nobody knows them.
    pub odds: Vec<(&'static str, f64)>,
    /// The board as text, with a newline at its end; empty where nobody asked for it.
    pub text: String,
    /// How likely each seat is to win, by some model; empty where there is none.
    pub chances: Vec<f64>,
}

impl Position {
    /// How many seats there are.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.state["players"].as_array().map_or(0, Vec::len)
    }

    /// The exact chances in words, as `the attacker wins 71 %, the defender 20 %, undecided 9 %`; nothing where nobody
    /// knows them.
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

    /// A number of the state by the way to it; 0 if there is none.
    #[must_use]
    pub fn number(&self, way: &str) -> i64 {
        self.state.pointer(way).and_then(Json::as_i64).unwrap_or_default()
    }
}

/// How much something matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// A heading: a long stretch of the game begins, as a season.
    Stage,
    /// A heading: a round begins.
    Round,
    /// What changes the course of the game: battles, scores, votes.
    Main,
    /// An action.
    Deed,
    /// A part of what stands above or below it: a roll, a pass, a bid.
    Part,
}

/// A sentence of the story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// How much it matters.
    pub level: Level,
    /// Whose deed it is, if it is one of a seat.
    pub seat: Option<usize>,
    /// The sentence, without a full stop.
    pub text: String,
}

impl Sentence {
    /// A sentence that is of no seat.
    #[must_use]
    pub fn new(level: Level, text: impl Into<String>) -> Self {
        Self { level, seat: None, text: text.into() }
    }

    /// A sentence about what the player in `seat` (from 0) did: `seat 3 WHAT`, counted from 1.
    #[must_use]
    pub fn of(level: Level, seat: usize, what: impl AsRef<str>) -> Self {
        Self { level, seat: Some(seat), text: format!("{} {}", seated(seat), what.as_ref()) }
    }
}

/// Tells a game while it is heard of.
pub trait Teller {
    /// Hears of an event and of the position after it; `None` while others still choose at the same time.
    fn hear(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Sentence>);

    /// Whether it says nothing that records do not say.
    fn is_plain(&self) -> bool {
        false
    }

    /// Whether it announces rounds.
    fn has_rounds(&self) -> bool {
        true
    }

    /// The last event was heard; tells what is left.
    fn finish(&mut self, _out: &mut Vec<Sentence>) {}
}

/// Tells any game: an action a sentence, in the words of its records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Teller for Plain {
    fn hear(&mut self, event: &Event<'_>, _after: Option<&Position>, out: &mut Vec<Sentence>) {
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

/// Returns what people call a seat, counted from 1, of its number in records, counted from 0: `seat 3` of 2.
#[must_use]
pub fn seated(seat: usize) -> String {
    format!("seat {}", seat + 1)
}

/// Returns what people call the seat that a word of a record names: `seat 3` of `2`. Other words stay as they are.
#[must_use]
pub fn seated_word(word: &str) -> String {
    word.parse().map_or_else(|_| format!("seat {word}"), seated)
}

/// Returns the numbers of the seats in a list of a record, counted from 1: `1, 3` of `[0, 2]`.
#[must_use]
pub fn seat_numbers(list: &Json) -> String {
    let seats = list.as_array().into_iter().flatten().filter_map(Json::as_u64);
    seats.map(|seat| (seat + 1).to_string()).collect::<Vec<_>>().join(", ")
}

/// An event of chance in a few words: `die: 3`.
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

/// A value in words: texts without quotes, lists divided by commas.
#[must_use]
pub fn words(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(all) => all.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Things in a row: `a, b and c`.
#[must_use]
pub fn and(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Things of one kind: `a galley`, `2 galleys`, and `1 infantry` where the word has no plural.
#[must_use]
pub fn counted(n: i64, word: &str) -> String {
    match (n, word) {
        (_, "infantry" | "cavalry" | "influence" | "chaos" | "VP") => format!("{n} {word}"),
        (_, "caesar") => "the caesar".to_owned(),
        (1, _) if word.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {word}"),
        (1, _) => format!("a {word}"),
        _ => format!("{n} {word}s"),
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
