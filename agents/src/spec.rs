//! Agents as text: `greedy(epsilon=0.1)` ⇄ [`AgentSpec`] → a boxed [`Agent`].
//!
//! What kinds there are stands in [`KINDS`]. Nothing here reads a file: where a parameter names one, the caller
//! hands the text over ([`AgentSpec::supply`]).

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use engine::rules::nearest;
use serde_json::Value as Json;

use crate::agent::Agent;
use crate::external::{External, ExternalParams};
use crate::greedy::GreedyParams;
use crate::kinds::{Domain, KINDS, Kind, Param, Value};
use crate::mcts::{Mcts, presets};
use crate::playable::{Playable, Style};
use crate::random::Random;

/// An agent as it was asked for: a kind and the parameters that differ from their defaults.
///
/// # Example
/// ```
/// let spec: agents::AgentSpec = "greedy( epsilon = 0.10 )".parse()?;
/// assert_eq!(spec.to_string(), "greedy(epsilon=0.1)");
/// # Ok::<(), agents::BadSpec>(())
/// ```
#[derive(Clone, Debug)]
pub struct AgentSpec {
    kind: &'static Kind,
    values: Vec<Option<Value>>,
    texts: BTreeMap<&'static str, String>,
    /// The overrides of the default rules, for agents that must be told.
    rules: Json,
}

/// A spec that is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadSpec {
    /// The spec as it was written.
    pub spec: String,
    /// What is wrong and what would be accepted.
    pub message: String,
}

impl fmt::Display for BadSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "agent \"{}\": {}", self.spec, self.message)
    }
}

impl std::error::Error for BadSpec {}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name)?;
        let given = self.kind.params.iter().zip(&self.values).filter_map(|(p, value)| {
            let value = value.as_ref()?;
            (p.domain.default_value().as_ref() != Some(value)).then_some((p.name, value))
        });
        let mut open = false;
        for (name, value) in given {
            write!(f, "{}{name}={value}", if open { ", " } else { "(" })?;
            open = true;
        }
        if open { f.write_str(")") } else { Ok(()) }
    }
}

impl FromStr for AgentSpec {
    type Err = BadSpec;

    fn from_str(text: &str) -> Result<Self, BadSpec> {
        let bad = |message: String| BadSpec { spec: text.to_owned(), message };
        let (name, inside) = match text.trim().split_once('(') {
            None => (text.trim(), ""),
            Some((name, rest)) => {
                let inside = rest.strip_suffix(')');
                (name.trim(), inside.ok_or_else(|| bad("the closing \")\" is missing".to_owned()))?)
            }
        };
        let kind = KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
            bad(unknown("kind", name, &KINDS.iter().map(|k| k.name).collect::<Vec<_>>()))
        })?;
        if !inside.matches('"').count().is_multiple_of(2) {
            return Err(bad("the closing double quote is missing".to_owned()));
        }
        let mut spec = Self::plain(kind);
        let mut before = "";
        for setting in split_settings(inside) {
            let set = spec.set(setting);
            set.map_err(|message| bad(message + &spec.comma_hint(before, setting)))?;
            before = setting;
        }
        Ok(spec)
    }
}

impl AgentSpec {
    fn plain(kind: &'static Kind) -> Self {
        let rules = Json::Object(serde_json::Map::new());
        Self { kind, values: vec![None; kind.params.len()], texts: BTreeMap::new(), rules }
    }

    fn set(&mut self, setting: &str) -> Result<(), String> {
        let (name, value) = setting
            .split_once('=')
            .ok_or_else(|| format!("expected NAME=VALUE in place of \"{}\"", setting.trim()))?;
        let (name, value) = (name.trim(), value.trim().trim_matches('"'));
        let names: Vec<_> = self.kind.params.iter().map(|p| p.name).collect();
        let idx = names
            .iter()
            .position(|n| *n == name)
            .ok_or_else(|| unknown("parameter", name, &names))?;
        if self.values[idx].is_some() {
            return Err(format!("{name} is given twice"));
        }
        let domain = self.kind.params[idx].domain;
        let value = domain.read(value).ok_or_else(|| {
            let hint = match domain {
                Domain::Choice { words, .. } => nearest(value, words),
                _ => None,
            };
            let hint = hint.map_or_else(String::new, |near| format!("nearest: {near}; "));
            let (fault, range) = (domain.fault(value), domain.range_text());
            format!("{name} = \"{value}\" {fault} ({hint}accepted: {range})")
        })?;
        self.values[idx] = Some(value);
        Ok(())
    }

    /// How to write a text with a comma, if the setting `before` may be the beginning of one that goes on with `rest`.
    fn comma_hint(&self, before: &str, rest: &str) -> String {
        let Some((name, begin)) = before.split_once('=').filter(|_| !rest.contains('=')) else {
            return String::new();
        };
        let is_text =
            |p: &Param| p.name == name.trim() && matches!(p.domain, Domain::Text | Domain::File);
        if !self.kind.params.iter().any(is_text) {
            return String::new();
        }
        let (name, begin) = (name.trim(), begin.trim().trim_matches('"'));
        format!(
            "; a text with a comma stands in double quotes, as in {name}=\"{begin},{}\"",
            rest.trim_end()
        )
    }

    /// The kind of agent.
    #[must_use]
    pub const fn kind(&self) -> &'static Kind {
        self.kind
    }

    fn value(&self, name: &str) -> Option<Value> {
        let idx = self.kind.params.iter().position(|p| p.name == name)?;
        self.values[idx].clone().or_else(|| self.kind.params[idx].domain.default_value())
    }

    /// The number that `name` stands for; `None` if the kind has no such parameter, or it is left to the game.
    #[must_use]
    pub fn given_number(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Some(Value::Number(x)) => Some(x),
            _ => None,
        }
    }

    /// The whole number that `name` stands for; `None` if the kind has no such parameter.
    #[must_use]
    pub fn given_whole(&self, name: &str) -> Option<u64> {
        match self.value(name) {
            Some(Value::Whole(n)) => Some(n),
            _ => None,
        }
    }

    /// The word that `name` stands for; `None` if the kind has no such parameter.
    #[must_use]
    pub fn given_word(&self, name: &str) -> Option<&'static str> {
        match self.value(name) {
            Some(Value::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The number that `name` stands for.
    ///
    /// # Panics
    /// If the kind has no such parameter, or it is no number (a bug of the caller).
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        self.given_number(name).unwrap_or_else(|| panic!("{name} of {self} is no number"))
    }

    /// The text given for `name`, if any.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        match self.value(name) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The files that the spec names: parameter and path.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.kind.params.iter().zip(&self.values).filter_map(|(p, value)| match value {
            Some(Value::File(path)) => Some((p.name, path.as_str())),
            _ => None,
        })
    }

    /// Hands over the text of the file that parameter `name` names.
    pub fn supply(&mut self, name: &'static str, text: String) {
        self.texts.insert(name, text);
    }

    /// Hands over what differs from the default rules, for agents that know them only by being told.
    pub fn supply_rules(&mut self, overrides: Json) {
        self.rules = overrides;
    }

    /// Whether the agent is a search.
    #[must_use]
    pub fn is_search(&self) -> bool {
        self.kind.params.iter().any(|param| param.name == "iterations")
    }

    /// Whether the agent is a search that goes on for a time: no two runs of it are alike.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.is_search() && self.given_number("seconds").is_some_and(|seconds| seconds > 0.0)
    }

    /// Whether the agent remembers one game in the next, so that only a new one takes a decision without a past.
    #[must_use]
    pub fn remembers_games(&self) -> bool {
        self.given_word("origin") == Some("start")
    }

    /// Whether the agent is another program, whose play nobody here can promise anything of.
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.kind.name == "external"
    }

    fn external(&self) -> Result<ExternalParams, String> {
        let needed = "command is missing, as in external(command=\"python3 bot.py\")";
        let command = self.text("command").ok_or(needed)?;
        Ok(ExternalParams { command, seconds: self.number("seconds"), rules: self.rules.clone() })
    }

    /// Looks for the program of an agent that is one, without starting it.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn find_program(&self) -> Result<(), BadSpec> {
        if !self.is_external() {
            return Ok(());
        }
        let found = self.external().and_then(|params| params.find_program());
        found.map_err(|message| BadSpec { spec: self.to_string(), message })
    }

    /// Builds the agent for `game`.
    ///
    /// # Errors
    /// If the game cannot use a parameter, or a file that was not supplied is needed.
    pub fn build<G: Playable>(&self, game: &G) -> Result<Box<dyn Agent<G>>, BadSpec> {
        let bad = |message: String| BadSpec { spec: self.to_string(), message };
        if let Some((name, path)) = self.files().find(|(name, _)| !self.texts.contains_key(name)) {
            return Err(bad(format!("the file of {name}, \"{path}\", was not read")));
        }
        let style = Style {
            persona: self.given_word("persona").filter(|&word| word != "balanced"),
            weights: self.texts.get("weights").cloned(),
            value: self.texts.get("value").cloned(),
            draws_battles: self.given_word("battles") == Some("odds"),
        };
        match self.kind.name {
            "random" => Ok(Box::new(Random::default())),
            "greedy" => {
                let epsilon = self.number("epsilon");
                let places_at_random = self.given_word("start") == Some("random");
                if places_at_random && !G::HAS_PLACING {
                    let name = G::about().name;
                    return Err(bad(format!(
                        "in {name} nobody places pieces, so start = \"random\" says nothing (accepted: valued)"
                    )));
                }
                game.greedy(&GreedyParams { epsilon, style, places_at_random }).map_err(bad)
            }
            "external" => match self.external().and_then(|params| External::new(&params)) {
                Ok(agent) => Ok(Box::new(agent)),
                Err(message) => Err(bad(message)),
            },
            _ => {
                let config = presets::config(self, G::search_defaults());
                let guide = game.guide(&style).map_err(bad)?;
                Ok(Box::new(Mcts::new(config, guide).map_err(bad)?))
            }
        }
    }
}

/// Settings between commas; a comma inside double quotes does not count.
fn split_settings(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .filter(|setting| !setting.trim().is_empty())
}

fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(near) => format!("unknown {what} \"{name}\" (nearest: {near})"),
        None if known.is_empty() => format!("unknown {what} \"{name}\" (there is none)"),
        None => format!("unknown {what} \"{name}\" (known: {})", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<AgentSpec>().unwrap_err().to_string()
    }

    #[test]
    fn print_of_parse_is_canonical() {
        for (text, canonical) in [
            (" random ", "random"),
            ("random()", "random"),
            ("greedy( epsilon = 5e-1 )", "greedy(epsilon=0.5)"),
            ("greedy(epsilon=0)", "greedy"),
            ("greedy(epsilon=-0)", "greedy"),
            ("greedy(weights=w.toml,epsilon=1)", "greedy(epsilon=1, weights=w.toml)"),
            ("greedy(weights=\"a, b.toml\")", "greedy(weights=\"a, b.toml\")"),
            (
                "external(seconds=10, command=\"sh -c 'f(a, b)'\")",
                "external(command=\"sh -c 'f(a, b)'\")",
            ),
        ] {
            let spec: AgentSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), canonical);
            assert_eq!(canonical.parse::<AgentSpec>().unwrap().to_string(), canonical);
        }
    }

    #[test]
    fn complaints_name_what_would_be_accepted() {
        assert_eq!(refused("gredy"), "agent \"gredy\": unknown kind \"gredy\" (nearest: greedy)");
        assert!(refused("zzz").contains("(known: random, greedy"));
        assert!(refused("greedy(epsilno=1)").contains("(nearest: epsilon)"));
        assert!(refused("random(x=1)").contains("(there is none)"));
        assert!(refused("greedy(epsilon=2)").contains("(accepted: 0 to 1)"));
        assert!(refused("greedy(epsilon=NaN)").contains("(accepted: 0 to 1)"));
        assert!(refused("greedy(epsilon)").contains("expected NAME=VALUE"));
        assert!(refused("greedy(epsilon=1, epsilon=1)").contains("given twice"));
        assert!(refused("greedy(epsilon=1").contains("the closing \")\""));
        assert!(refused("greedy(weights=\"a.toml)").contains("the closing double quote"));
        assert_eq!(
            refused("greedy(weights=a,b.toml)"),
            "agent \"greedy(weights=a,b.toml)\": expected NAME=VALUE in place of \"b.toml\"; a text with a comma \
             stands in double quotes, as in weights=\"a,b.toml\""
        );
        assert!(refused("greedy(epsilon=0.1))").contains("epsilon = \"0.1)\" is no number"));
        assert!(
            refused("greedy(epsilon=)").contains("epsilon = \"\" is no number (accepted: 0 to 1)")
        );
        assert!(
            refused("mcts(iterations=1e3)").contains("is no whole number in digits (accepted:")
        );
        assert!(refused("mcts(iterations=-1)").contains("is out of range (accepted: whole, 1 to"));
        assert!(refused("mcts(select=UCB1)").contains("is none of these (nearest: ucb1; accepted"));
        assert!(refused("greedy(weights=)").contains("weights = \"\" is empty (accepted: a TOML"));
        assert!(refused("greedy(epsilon=0,5)").ends_with("in place of \"5\""));
    }

    #[test]
    fn every_default_is_accepted() {
        for param in KINDS.iter().flat_map(|kind| kind.params) {
            if !matches!(param.domain, Domain::File | Domain::Text) {
                assert!(param.domain.read(&param.domain.default_text()).is_some(), "{param:?}");
            }
        }
    }
}
