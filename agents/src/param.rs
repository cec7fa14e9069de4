//! Parameters: their domains, the steps of a tuner, and settings as text.
//!
//! The module is the base of every registry. Agents, searches and games declare their parameters as [`Param`]s, and
//! explicit values come back as [`Settings`]. The module depends on no agent, search or game.

mod layer;
mod renamed;
mod table;

use std::fmt;
use std::ops::RangeInclusive;

use engine::rules::nearest;

pub use self::layer::WeightLayer;
pub use self::renamed::{RENAMED_WORDS, RenamedWord};
pub(crate) use self::table::{Field, settings, words};

/// The steps of a tuner through the values of a parameter.
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

/// The values that a parameter accepts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Domain {
    /// A number in `low..=high`.
    Number {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
        /// True if values scale by factors instead of differences.
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
    /// Returns the accepted values as text for people.
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

    /// Returns the words of a [`Domain::Choice`]; empty for other domains.
    pub(crate) const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Choice(words) => words,
            _ => &[],
        }
    }

    /// Returns the steps of a tuner; `None` if the values cannot be tuned.
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

    /// Returns the value of `text`, if the domain contains it.
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

    /// Returns the error of a text that [`read`](Self::read) refuses.
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
        /// The path of the file.
        path: String,
        /// The content of the file, once it was read.
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

/// The declaration of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name in a spec.
    pub name: &'static str,
    /// The accepted values.
    pub domain: Domain,
    /// The default value as text; empty if there is none.
    pub default: &'static str,
    /// True if a game may set a different default. Then `auto` stands for the default in effect.
    pub is_games: bool,
    /// The unit of the value; empty for a pure number.
    pub unit: &'static str,
    /// The meaning of the parameter.
    pub meaning: &'static str,
}

impl Param {
    /// Returns the default value.
    #[must_use]
    pub fn default_value(&self) -> Option<Value> {
        self.domain.read(&self.default.replace('_', ""))
    }

    /// Returns the accepted values as text for people.
    #[must_use]
    pub fn range_text(&self) -> String {
        let auto = if self.is_games { "auto, " } else { "" };
        auto.to_owned() + &self.domain.range_text()
    }

    /// Returns the value of `text`; `None` for `auto`.
    ///
    /// # Errors
    /// If the value is not accepted: the message lists the accepted values.
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

/// The default search range of a tuner for a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tried {
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
    /// True if values scale by factors instead of differences.
    pub is_log: bool,
}

/// A table of parameters for people and tuners.
#[derive(Clone, Copy, Default, Debug)]
pub struct Rows {
    /// The parameters, in order.
    pub params: &'static [Param],
    /// Headings: the name of the parameter that follows, and the text.
    pub headings: &'static [(&'static str, &'static str)],
}

impl Rows {
    /// Returns the weight called `name` of the game called `game`, whose weights these are.
    ///
    /// # Errors
    /// If there is none: the message names the nearest weight.
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

    /// Returns the value of the weight called `name` for the game called `game`, whose weights these are. `value` may
    /// come from a spec that was read for another game.
    ///
    /// # Errors
    /// If there is no such weight, or if the value is out of range.
    ///
    /// # Panics
    /// If a weight accepts `auto` (a bug of its game, which a test would show).
    pub fn checked(self, game: &str, name: &str, value: &Value) -> Result<Value, String> {
        let read = self.weight(game, name)?.read(&value.to_string());
        let read = read.map_err(|complaint| format!("{game}: {WEIGHT}{complaint}"))?;
        Ok(read.expect("weights have no auto"))
    }
}

/// The prefix of explicit weights in a spec, as in `weights.token=1.5`.
pub const WEIGHT: &str = "weights.";

/// The agents for which a game parameter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// All agents that evaluate positions.
    Evaluators,
    /// Agents that look no further than their own turn.
    Greedy,
    /// Agents that evaluate positions at the end of an iteration.
    Searches,
}

/// A parameter of a game with its audience.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// The parameter.
    pub param: Param,
    /// The agents that have the parameter.
    pub audience: Audience,
}

/// The explicit values of parameters. A value equal to the default is dropped, unless a game could set a different
/// default.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    values: Vec<(&'static Param, Value)>,
    /// Explicit weights. Values equal to the default are kept: a file, a preset or a game could set a different value
    /// below.
    weights: Vec<(&'static Param, Value)>,
}

/// A function that reads an explicit weight from its name and the text of its value.
pub type ReadWeight<'a> = &'a dyn Fn(&str, &str) -> Result<(&'static Param, Value), String>;

impl Settings {
    /// Reads `NAME=VALUE, …`. `find` returns the parameter for a name and the text of a value. `read_weight` reads
    /// explicit weights, if they are allowed.
    ///
    /// # Errors
    /// If a name is unknown or repeated, a value is out of range, or a quote is not closed: the message lists the
    /// accepted values.
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
                    .map_or_else(String::new, |(param, values)| comma_hint(param, values, setting));
                format!("expected NAME=VALUE instead of \"{}\"{hint}", setting.trim())
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
                settings.values.push((param, value));
            }
        }
        Ok(settings)
    }

    /// Returns all explicit parameters, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Param, &Value)> {
        self.values.iter().map(|(param, value)| (*param, value))
    }

    /// Returns all explicit weights, in their order.
    pub fn weights(&self) -> impl Iterator<Item = (&'static Param, &Value)> {
        self.weights.iter().map(|(weight, value)| (*weight, value))
    }

    /// Returns the settings with `weight` set to `value`, which replaces an earlier value.
    #[must_use]
    pub fn with_weight(mut self, weight: &'static Param, value: Value) -> Self {
        self.weights.retain(|(values, _)| values.name != weight.name);
        self.weights.push((weight, value));
        self
    }

    /// Returns the explicit value of the parameter called `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(param, _)| param.name == name).map(|(_, value)| value)
    }

    /// Returns the explicit value of the weight called `name`.
    #[must_use]
    pub fn weight(&self, name: &str) -> Option<&Value> {
        self.weights().find(|(weight, _)| weight.name == name).map(|(_, value)| value)
    }

    fn value(&self, param: &Param) -> Option<Value> {
        self.get(param.name).cloned().or_else(|| param.default_value())
    }

    /// Returns the value of a parameter that is a number.
    ///
    /// # Panics
    /// If the parameter is not a number (a bug of its declaration).
    #[must_use]
    pub fn number(&self, param: &Param) -> f64 {
        match self.value(param) {
            Some(Value::Number(x)) => x,
            other => panic!("{} is no number: {other:?}", param.name),
        }
    }

    /// Returns the value of a parameter that is a whole number.
    ///
    /// # Panics
    /// If the parameter is not a whole number (a bug of its declaration).
    #[must_use]
    pub fn whole(&self, param: &Param) -> u64 {
        match self.value(param) {
            Some(Value::Whole(n)) => n,
            other => panic!("{} is no whole number: {other:?}", param.name),
        }
    }

    /// Returns the value of a parameter that is a choice of words.
    ///
    /// # Panics
    /// If the parameter is not a choice (a bug of its declaration).
    #[must_use]
    pub fn word(&self, param: &Param) -> &'static str {
        match self.value(param) {
            Some(Value::Word(word)) => word,
            other => panic!("{} is no word: {other:?}", param.name),
        }
    }

    /// Returns the explicit text, or the content of the named file; `None` without a value or before the file is read.
    #[must_use]
    pub fn text(&self, param: &Param) -> Option<&str> {
        match self.get(param.name) {
            Some(Value::Text(text)) => Some(text),
            Some(Value::File { text, .. }) => text.as_deref(),
            _ => None,
        }
    }

    /// Returns the named files: parameter, path, and whether the file was read.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str, bool)> {
        self.iter().filter_map(|(param, value)| match value {
            Value::File { path, text } => Some((param.name, path.as_str(), text.is_some())),
            _ => None,
        })
    }

    /// Supplies the text of the file that the parameter called `name` names.
    pub fn supply(&mut self, name: &str, text: String) {
        for (param, value) in &mut self.values {
            if let (true, Value::File { text: old, .. }) = (param.name == name, value) {
                *old = Some(text);
                return;
            }
        }
    }
}

/// Splits settings at commas outside double quotes.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .filter(|setting| !setting.trim().is_empty())
}

/// Returns a hint for a text with a comma, if `begin` may be the first part of a text that continues with `rest`.
fn comma_hint(param: &Param, begin: &str, rest: &str) -> String {
    if !matches!(param.domain, Domain::Text | Domain::File) {
        return String::new();
    }
    let (name, rest) = (param.name, rest.trim_end());
    format!("; a text with a comma stands in double quotes, as in {name}=\"{begin},{rest}\"")
}

/// Returns the error message for an unknown `what` called `name`.
#[must_use]
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(near) => format!("unknown {what} \"{name}\" (nearest: {near})"),
        None if known.is_empty() => format!("unknown {what} \"{name}\" (there is none)"),
        None => format!("unknown {what} \"{name}\" (known: {})", known.join(", ")),
    }
}

/// Returns the domain of the numbers in `range`.
pub(crate) const fn number(range: RangeInclusive<f64>, is_log: bool) -> Domain {
    Domain::Number { low: *range.start(), high: *range.end(), is_log }
}

/// Returns the domain of the whole numbers in `range`.
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
        let values =
            |text: &str| read(text).unwrap().iter().map(|(p, _)| p.name).collect::<Vec<_>>();
        assert!(values("size=3").is_empty());
        assert_eq!(values(" heat = 1 , size = 4"), ["heat", "size"]);
        assert!(values("heat=auto").is_empty());
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
            ("size", "expected NAME=VALUE instead of \"size\""),
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
