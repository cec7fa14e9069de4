//! Parameters: what values there are, how a tuner steps through them, and settings as text.
//!
//! The ground of every registry: agents, searches and games declare what can be said of them as [`Param`]s, and
//! what was said comes back as [`Settings`]. Nothing here knows an agent, a search or a game.

mod layer;
mod renamed;
mod table;

use std::fmt;
use std::ops::RangeInclusive;

use engine::rules::nearest;

pub use self::layer::WeightLayer;
pub use self::renamed::{RENAMED_WORDS, RenamedWord};
pub(crate) use self::table::{Field, settings, words};

/// How a tuner steps through the values of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Equal differences.
    Linear,
    /// Equal factors.
    Log,
    /// Whole numbers, by equal differences.
    Integer,
    /// Words without an order.
    Choice,
    /// Off or on.
    Switch,
}

/// What values a parameter takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Domain {
    /// A number in `low..=high`.
    Number {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
        /// Whether factors count, and not differences.
        is_log: bool,
    },
    /// A whole number in `low..=high`.
    Whole {
        /// The least value.
        low: u64,
        /// The greatest value.
        high: u64,
    },
    /// One of some words.
    Choice(&'static [&'static str]),
    /// `on` or `off`.
    Switch,
    /// Any text.
    Text,
    /// The path of a file.
    File,
}

impl Domain {
    /// The accepted values, for people.
    #[must_use]
    pub fn range_text(self) -> String {
        match self {
            Self::Number { low, high, .. } => format!("{low} to {high}"),
            Self::Whole { low, high } => format!("whole, {low} to {high}"),
            Self::Choice(words) => words.join(", "),
            Self::Switch => "on, off".to_owned(),
            Self::Text => "any text".to_owned(),
            Self::File => "a TOML file".to_owned(),
        }
    }

    /// The words of a [`Domain::Choice`]; none of all others.
    pub(crate) const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Choice(words) => words,
            _ => &[],
        }
    }

    /// How a tuner steps through the values; `None` where there is nothing to tune.
    #[must_use]
    pub const fn scale(self) -> Option<Scale> {
        match self {
            Self::Number { is_log: false, .. } => Some(Scale::Linear),
            Self::Number { is_log: true, .. } => Some(Scale::Log),
            Self::Whole { .. } => Some(Scale::Integer),
            Self::Choice(_) => Some(Scale::Choice),
            Self::Switch => Some(Scale::Switch),
            Self::Text | Self::File => None,
        }
    }

    /// The value that is written `text`, if it is one.
    #[must_use]
    pub fn read(self, text: &str) -> Option<Value> {
        match self {
            Self::Number { low, high, .. } => text
                .parse()
                .ok()
                .filter(|x| (low..=high).contains(x))
                .map(|x: f64| Value::Number(x + 0.0)),
            Self::Whole { low, high } => {
                text.parse().ok().filter(|n| (low..=high).contains(n)).map(Value::Whole)
            }
            Self::Choice(words) => {
                words.iter().find(|word| **word == text).map(|word| Value::Word(word))
            }
            Self::Switch => match text {
                "on" => Some(Value::Switch(true)),
                "off" => Some(Value::Switch(false)),
                _ => None,
            },
            Self::Text => (!text.is_empty()).then(|| Value::Text(text.to_owned())),
            Self::File => {
                (!text.is_empty()).then(|| Value::File { path: text.to_owned(), text: None })
            }
        }
    }

    /// What is wrong with a text that [`read`](Self::read) refuses.
    fn fault(self, text: &str) -> &'static str {
        let is_number = text.parse::<f64>().is_ok();
        let is_whole =
            is_number && text.trim_start_matches('-').chars().all(|c| c.is_ascii_digit());
        match self {
            Self::Text | Self::File => "is empty",
            Self::Choice(_) | Self::Switch => "is none of these",
            _ if !is_number => "is no number",
            Self::Whole { .. } if !is_whole => "is no whole number in digits",
            _ => "is out of range",
        }
    }
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(u64),
    /// One of the words of a [`Domain::Choice`].
    Word(&'static str),
    /// Off or on.
    Switch(bool),
    /// Any text.
    Text(String),
    /// A file.
    File {
        /// Its path.
        path: String,
        /// What it says, once somebody has read it.
        text: Option<String>,
    },
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => x.fmt(f),
            Self::Whole(n) => n.fmt(f),
            Self::Word(word) => word.fmt(f),
            Self::Switch(is_on) => if *is_on { "on" } else { "off" }.fmt(f),
            Self::Text(text) | Self::File { path: text, .. }
                if text.contains([',', '(', ')', '=', ' ']) =>
            {
                write!(f, "\"{text}\"")
            }
            Self::Text(text) | Self::File { path: text, .. } => text.fmt(f),
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name in a spec.
    pub name: &'static str,
    /// The accepted values.
    pub domain: Domain,
    /// The value when nobody says another, as it is written; empty if there is none.
    pub default: &'static str,
    /// Whether a game may have a default of its own. Then `auto` stands for whatever holds if nothing is said.
    pub is_games: bool,
    /// The unit of the value; empty for a pure number.
    pub unit: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

impl Param {
    /// The value when nobody says another.
    #[must_use]
    pub fn default_value(&self) -> Option<Value> {
        self.domain.read(&self.default.replace('_', ""))
    }

    /// The accepted values, for people.
    #[must_use]
    pub fn range_text(&self) -> String {
        let auto = if self.is_games { "auto, " } else { "" };
        auto.to_owned() + &self.domain.range_text()
    }

    /// The value that is written `text`; `None` for `auto`.
    ///
    /// # Errors
    /// If it is not accepted: the message says what would be.
    pub(crate) fn read(&self, text: &str) -> Result<Option<Value>, String> {
        if self.is_games && text == "auto" {
            return Ok(None);
        }
        let text = renamed::word_of_today(self.name, text);
        self.domain.read(text).map(Some).ok_or_else(|| {
            let hint = nearest(text, self.domain.words());
            let hint = hint.map_or_else(String::new, |near| format!("nearest: {near}; "));
            let (name, fault, range) = (self.name, self.domain.fault(text), self.range_text());
            format!("{name} = \"{text}\" {fault} ({hint}accepted: {range})")
        })
    }
}

/// The values of a number that a tuner tries where nobody says others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tried {
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
    /// Whether factors count, and not differences.
    pub is_log: bool,
}

/// A table of parameters for people and tuners.
#[derive(Clone, Copy, Default, Debug)]
pub struct Rows {
    /// The parameters, in order.
    pub params: &'static [Param],
    /// Headings: the name of the parameter below, and the text.
    pub headings: &'static [(&'static str, &'static str)],
}

impl Rows {
    /// The weight called `name`, where these are the weights of `game`.
    ///
    /// # Errors
    /// If none is: the message says which is nearest.
    pub fn weight(self, game: &str, name: &str) -> Result<&'static Param, String> {
        self.params.iter().find(|weight| weight.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.params.iter().map(|weight| weight.name).collect();
            let hint = match nearest(name, &names) {
                Some(near) => format!("nearest: {near}"),
                None if names.is_empty() => "there is none".to_owned(),
                None => format!("known: {}", names.join(", ")),
            };
            format!("unknown weight \"{name}\" of {game} ({hint})")
        })
    }

    /// The value of the weight called `name`, as a spec says it in whatever game, for `game`, whose weights these are.
    ///
    /// # Errors
    /// If there is no such weight, or the value is out of its range.
    ///
    /// # Panics
    /// If a weight takes `auto` (a bug of its game, which a test would show).
    pub fn said(self, game: &str, name: &str, value: &Value) -> Result<Value, String> {
        let read = self.weight(game, name)?.read(&value.to_string());
        let read = read.map_err(|complaint| format!("{game}: {WEIGHT}{complaint}"))?;
        Ok(read.expect("weights have no auto"))
    }
}

/// With what the names of single weights begin in a spec, as in `weights.token=1.5`.
pub const WEIGHT: &str = "weights.";

/// Which agents a parameter of a game is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// All that value positions.
    Evaluators,
    /// Those that look no further than their own turn.
    Greedy,
    /// Those that value positions at the end of an iteration.
    Searches,
}

/// A parameter that one game has, and those who evaluate it.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// The parameter.
    pub param: Param,
    /// Whom it is for.
    pub audience: Audience,
}

/// What was said of some parameters. What is their default is not kept, unless a game could have another one.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    said: Vec<(&'static Param, Value)>,
    /// Of single weights, whose defaults are kept too: a file, a preset or what a game puts below could have another one.
    weights: Vec<(&'static Param, Value)>,
}

/// What reads a single weight: its name, and the value as it is written.
pub type ReadWeight<'a> = &'a dyn Fn(&str, &str) -> Result<(&'static Param, Value), String>;

impl Settings {
    /// Reads `NAME=VALUE, …`; `find` knows the parameters by name and by the text of a value, and `read_weight`, if there can be any, single weights.
    ///
    /// # Errors
    /// If a name is unknown or said twice, a value out of range, or a quote not closed: the message says what would be
    /// accepted.
    pub fn read(
        text: &str,
        find: impl Fn(&str, &str) -> Result<&'static Param, String>,
        read_weight: Option<ReadWeight<'_>>,
    ) -> Result<Self, String> {
        if !text.matches('"').count().is_multiple_of(2) {
            return Err("the closing double quote is missing".to_owned());
        }
        let mut settings = Self::default();
        let mut names = Vec::new();
        let mut before = None;
        for setting in split(text) {
            let (name, value) = setting.split_once('=').ok_or_else(|| {
                let hint = before
                    .map_or_else(String::new, |(param, said)| comma_hint(param, said, setting));
                format!("expected NAME=VALUE in place of \"{}\"{hint}", setting.trim())
            })?;
            let (name, text) = (name.trim(), value.trim().trim_matches('"'));
            if names.contains(&name) {
                return Err(format!("{name} is given twice"));
            }
            names.push(name);
            if let (Some(weight), Some(read)) = (name.strip_prefix(WEIGHT), read_weight) {
                settings.weights.push(read(weight, text)?);
                before = None;
                continue;
            }
            let param = find(name, text)?;
            before = Some((param, text));
            let value = param.read(text)?;
            let is_default = !param.is_games && value == param.default_value();
            if let Some(value) = value.filter(|_| !is_default) {
                settings.said.push((param, value));
            }
        }
        Ok(settings)
    }

    /// Everything that was said, in that order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Param, &Value)> {
        self.said.iter().map(|(param, value)| (*param, value))
    }

    /// Every single weight that was said, in that order.
    pub fn weights(&self) -> impl Iterator<Item = (&'static Param, &Value)> {
        self.weights.iter().map(|(weight, value)| (*weight, value))
    }

    /// The same, and the single weight `weight` is `value`, whatever was said of it before.
    #[must_use]
    pub fn with_weight(mut self, weight: &'static Param, value: Value) -> Self {
        self.weights.retain(|(said, _)| said.name != weight.name);
        self.weights.push((weight, value));
        self
    }

    /// What was said of the parameter called `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(param, _)| param.name == name).map(|(_, value)| value)
    }

    /// What was said of the single weight called `name`.
    #[must_use]
    pub fn weight(&self, name: &str) -> Option<&Value> {
        self.weights().find(|(weight, _)| weight.name == name).map(|(_, value)| value)
    }

    fn value(&self, param: &Param) -> Option<Value> {
        self.get(param.name).cloned().or_else(|| param.default_value())
    }

    /// The value of a parameter that is a number.
    ///
    /// # Panics
    /// If it is none (a bug of whoever declared it).
    #[must_use]
    pub fn number(&self, param: &Param) -> f64 {
        match self.value(param) {
            Some(Value::Number(x)) => x,
            other => panic!("{} is no number: {other:?}", param.name),
        }
    }

    /// The value of a parameter that is a whole number.
    ///
    /// # Panics
    /// If it is none (a bug of whoever declared it).
    #[must_use]
    pub fn whole(&self, param: &Param) -> u64 {
        match self.value(param) {
            Some(Value::Whole(n)) => n,
            other => panic!("{} is no whole number: {other:?}", param.name),
        }
    }

    /// The value of a parameter that is one of some words.
    ///
    /// # Panics
    /// If it is none (a bug of whoever declared it).
    #[must_use]
    pub fn word(&self, param: &Param) -> &'static str {
        match self.value(param) {
            Some(Value::Word(word)) => word,
            other => panic!("{} is no word: {other:?}", param.name),
        }
    }

    /// The text that was said, or that the file says that was named; `None` if nothing was, or nobody read the file.
    #[must_use]
    pub fn text(&self, param: &Param) -> Option<&str> {
        match self.get(param.name) {
            Some(Value::Text(text)) => Some(text),
            Some(Value::File { text, .. }) => text.as_deref(),
            _ => None,
        }
    }

    /// The files that were named: parameter, path, and whether somebody has read it.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str, bool)> {
        self.iter().filter_map(|(param, value)| match value {
            Value::File { path, text } => Some((param.name, path.as_str(), text.is_some())),
            _ => None,
        })
    }

    /// Hands over the text of the file that the parameter called `name` names.
    pub fn supply(&mut self, name: &str, text: String) {
        for (param, value) in &mut self.said {
            if let (true, Value::File { text: old, .. }) = (param.name == name, value) {
                *old = Some(text);
                return;
            }
        }
    }
}

/// Settings between commas; a comma inside double quotes does not count.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .filter(|setting| !setting.trim().is_empty())
}

/// How to write a text with a comma, if what was said last may be the beginning of one that goes on with `rest`.
fn comma_hint(param: &Param, begin: &str, rest: &str) -> String {
    if !matches!(param.domain, Domain::Text | Domain::File) {
        return String::new();
    }
    let (name, rest) = (param.name, rest.trim_end());
    format!("; a text with a comma stands in double quotes, as in {name}=\"{begin},{rest}\"")
}

/// The complaint that no `what` is called `name`.
#[must_use]
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(near) => format!("unknown {what} \"{name}\" (nearest: {near})"),
        None if known.is_empty() => format!("unknown {what} \"{name}\" (there is none)"),
        None => format!("unknown {what} \"{name}\" (known: {})", known.join(", ")),
    }
}

/// The domain of the numbers in `range`.
pub(crate) const fn number(range: RangeInclusive<f64>, is_log: bool) -> Domain {
    Domain::Number { low: *range.start(), high: *range.end(), is_log }
}

/// The domain of the whole numbers in `range`.
pub(crate) const fn whole(range: RangeInclusive<u64>) -> Domain {
    Domain::Whole { low: *range.start(), high: *range.end() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Param = Param {
        name: "size",
        domain: whole(1..=10),
        default: "3",
        is_games: false,
        unit: "",
        meaning: "how large",
    };
    const HEAT: Param = Param {
        name: "heat",
        domain: number(0.5..=2.0, true),
        default: "1",
        is_games: true,
        unit: "",
        meaning: "how hot",
    };

    fn read(text: &str) -> Result<Settings, String> {
        Settings::read(
            text,
            |name, _| match name {
                "size" => Ok(&SIZE),
                "heat" => Ok(&HEAT),
                _ => Err(unknown("parameter", name, &["size", "heat"])),
            },
            None,
        )
    }

    #[test]
    fn a_default_is_kept_only_where_a_game_could_have_another() {
        let said = |text: &str| read(text).unwrap().iter().map(|(p, _)| p.name).collect::<Vec<_>>();
        assert!(said("size=3").is_empty());
        assert_eq!(said(" heat = 1 , size = 4"), ["heat", "size"]);
        assert!(said("heat=auto").is_empty());
        let settings = read("heat=1.5").unwrap();
        assert_eq!((settings.whole(&SIZE), settings.number(&HEAT)), (3, 1.5));
    }

    #[test]
    fn what_is_not_accepted_is_refused_with_what_is() {
        for (text, message) in [
            ("size=11", "size = \"11\" is out of range (accepted: whole, 1 to 10)"),
            ("heat=3", "heat = \"3\" is out of range (accepted: auto, 0.5 to 2)"),
            ("size=auto", "size = \"auto\" is no number (accepted: whole, 1 to 10)"),
            ("size=1e0", "size = \"1e0\" is no whole number in digits (accepted: whole, 1 to 10)"),
            ("size=-1", "size = \"-1\" is out of range (accepted: whole, 1 to 10)"),
            ("heat=", "heat = \"\" is no number (accepted: auto, 0.5 to 2)"),
            ("sise=1", "unknown parameter \"sise\" (nearest: size)"),
            ("size=1, size=3", "size is given twice"),
            ("heat=auto, heat=1", "heat is given twice"),
            ("size", "expected NAME=VALUE in place of \"size\""),
        ] {
            assert_eq!(read(text).unwrap_err(), message);
        }
    }

    #[test]
    fn scales_follow_from_domains() {
        assert_eq!(SIZE.domain.scale(), Some(Scale::Integer));
        assert_eq!(HEAT.domain.scale(), Some(Scale::Log));
        assert_eq!(Domain::File.scale(), None);
    }
}
