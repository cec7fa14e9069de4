//! Agents as text: `greedy(epsilon=0.1)` ⇄ [`AgentSpec`]. [`crate::assemble`] builds an agent from a spec.
//!
//! A label may stand before a spec, as in `fast=mcts(iterations=100)`. It is a name for tables. It is not part of the
//! canonical spec and does not affect the play.
//!
//! [`Kind`] lists the kinds and [`GAMES`] the additions of each game. The module reads no file. If a parameter names a
//! file, the caller supplies its text ([`AgentSpec::supply`]).

use std::fmt;
use std::str::FromStr;

use crate::external::Consent;
use crate::games::GAMES;
use crate::kinds::{COMMAND, Kind};
use crate::of_game::{OfGame, WEIGHTS};
use crate::param::{Param, ReadWeight, Settings, Value, WEIGHT, unknown};
use engine::rules::nearest;

pub use crate::agent_spec::AgentSpec;

/// The refusal of a spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadSpec {
    /// The spec as it was written.
    pub spec: String,
    /// The error and the accepted values.
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
        let params = params_anywhere(self.kind)
            .filter_map(|param| Some((param.name.to_owned(), self.settings.get(param.name)?)));
        let weights = weights_anywhere(self.kind).filter_map(|weight| {
            Some((format!("{WEIGHT}{}", weight.name), self.settings.weight(weight.name)?))
        });
        // Several games can share the name of a parameter or weight.
        let mut parts: Vec<(String, &Value)> = Vec::new();
        for (name, value) in params.chain(weights) {
            if parts.iter().all(|(other, _)| *other != name) {
                parts.push((name, value));
            }
        }
        let parts: Vec<String> =
            parts.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(self.kind.name())?;
        if parts.is_empty() { Ok(()) } else { write!(f, "({})", parts.join(", ")) }
    }
}

/// Returns the parameters of a kind, followed by those that games add.
pub(crate) fn params_anywhere(kind: Kind) -> impl Iterator<Item = &'static Param> {
    kind.params().iter().chain(GAMES.iter().flat_map(move |game| game.params_of(kind)))
}

/// Returns the parameter called `name` of the first game that accepts `text` for it. The values for the played game are
/// checked once that game is known ([`AgentSpec::check_names`]).
fn find_param(kind: Kind, name: &str, text: &str) -> Result<&'static Param, String> {
    let called = |param: &&'static Param| param.name == name;
    let first = params_anywhere(kind).find(called).ok_or_else(|| {
        let names: Vec<_> = params_anywhere(kind).map(|param| param.name).collect();
        unknown("parameter", name, &names)
    })?;
    let fits = params_anywhere(kind).filter(called).find(|param| param.read(text).is_ok());
    let of_games =
        GAMES.iter().filter_map(|game| Some((game.name, game.params_of(kind).find(called)?)));
    let ranges: Vec<(&str, String)> =
        of_games.map(|(game, param)| (game, param.range_text())).collect();
    match fits {
        Some(param) => Ok(param),
        // There is only one range, so reading reports the error.
        None if ranges.iter().all(|(_, range)| *range == first.range_text()) => Ok(first),
        None => {
            let ranges: Vec<String> =
                ranges.iter().map(|(game, range)| format!("in {game} {range}")).collect();
            let words: Vec<&str> = params_anywhere(kind)
                .filter(called)
                .flat_map(|param| param.domain.words())
                .copied()
                .collect();
            let near = nearest(text, &words);
            let hint = near.map_or_else(String::new, |near| format!("nearest: {near}; "));
            let ranges = ranges.join("; ");
            Err(format!("{name} = \"{text}\" is not accepted ({hint}accepted: {ranges})"))
        }
    }
}

/// Returns the weights of all games that a spec of this kind can set.
pub(crate) fn weights_anywhere(kind: Kind) -> impl Iterator<Item = &'static Param> {
    GAMES.iter().flat_map(move |game| game.weights_of(kind).params)
}

/// Returns the weight called `name` of the first game that accepts `text` for it. The values for the played game are
/// checked once that game is known ([`AgentSpec::check_names`]).
fn read_weight(kind: Kind, name: &str, text: &str) -> Result<(&'static Param, Value), String> {
    let mut complaint = None;
    for weight in weights_anywhere(kind).filter(|weight| weight.name == name) {
        match weight.read(text) {
            Ok(value) => return Ok((weight, value.expect("weights have no auto"))),
            Err(message) => complaint = complaint.or(Some(format!("{WEIGHT}{message}"))),
        }
    }
    Err(complaint.unwrap_or_else(|| {
        let mut names: Vec<&str> = weights_anywhere(kind).map(|weight| weight.name).collect();
        names.sort_unstable();
        names.dedup();
        unknown("weight", name, &names)
    }))
}

impl FromStr for AgentSpec {
    type Err = BadSpec;

    fn from_str(whole: &str) -> Result<Self, BadSpec> {
        let bad = |message: String| BadSpec { spec: whole.to_owned(), message };
        let (label, text, kind) = head(whole).map_err(bad)?;
        let inside = match text.trim().split_once('(') {
            None => "",
            Some((_, rest)) => rest
                .strip_suffix(')')
                .ok_or_else(|| bad("the closing \")\" is missing".to_owned()))?,
        };
        let find = |name: &str, text: &str| find_param(kind, name, text);
        let read = |name: &str, text: &str| read_weight(kind, name, text);
        let has_weights = weights_anywhere(kind).next().is_some();
        let read: Option<ReadWeight<'_>> = if has_weights { Some(&read) } else { None };
        let settings = Settings::read(inside, find, read).map_err(bad)?;
        Ok(Self { label: label.map(str::to_owned), settings, ..kind.into() })
    }
}

/// Splits a spec into its label, if there is one, the spec itself, and its kind.
pub(crate) fn head(whole: &str) -> Result<(Option<&str>, &str, Kind), String> {
    let (label, text) = labelled(whole)?;
    let name = text.split_once('(').map_or(text, |(name, _)| name).trim();
    let kind = Kind::ALL.iter().copied().find(|kind| kind.name() == name).ok_or_else(|| {
        let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        unknown("kind", name, &names)
    })?;
    Ok((label, text, kind))
}

/// Words that pandas, R or polars read as a missing value, in any case. Their other such words are no valid labels.
const MISSING: [&str; 4] = ["NA", "NaN", "null", "None"];

/// Maximum length of a label in characters.
const LONGEST_LABEL: usize = 24;

/// Splits a text into the label, if there is one, and the spec.
fn labelled(text: &str) -> Result<(Option<&str>, &str), String> {
    let Some((label, spec)) = text.split_once('=').filter(|(before, _)| !before.contains('('))
    else {
        return Ok((None, text));
    };
    let label = label.trim();
    let is_in = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let is_word = label.starts_with(|c: char| c.is_ascii_alphabetic()) && label.chars().all(is_in);
    if !is_word || label.len() > LONGEST_LABEL {
        return Err(format!(
            "\"{label}\" is no label (accepted: a letter, then letters, digits, - _ . +, at most {LONGEST_LABEL} in \
             all, as in fast=mcts(iterations=100))"
        ));
    }
    if MISSING.iter().any(|word| word.eq_ignore_ascii_case(label)) {
        return Err(format!(
            "the label \"{label}\" is what data frames read as a missing value: take another, as in my-{label}={spec}"
        ));
    }
    if Kind::ALL.iter().any(|kind| kind.name() == label) {
        return Err(format!(
            "the label \"{label}\" is a kind of agent: take another, as in my-{label}={label}"
        ));
    }
    Ok((Some(label), spec))
}

impl AgentSpec {
    /// Returns the spec with `value` for the parameter called `name`. The text of files must be supplied again.
    ///
    /// # Errors
    /// If there is no such parameter, or if it does not accept the value.
    pub fn saying(&self, name: &str, value: &str) -> Result<Self, BadSpec> {
        let weights = self.settings.weights();
        let weights = weights.map(|(weight, value)| format!("{WEIGHT}{}={value}", weight.name));
        self.rebuilt(weights, name, value)
    }

    /// Returns the spec with the file of weights `path` in place of its explicit weights and of another file of
    /// weights. The text of files must be supplied again.
    ///
    /// # Errors
    /// If no game has weights for agents of this kind.
    pub fn with_weights_in(&self, path: &str) -> Result<Self, BadSpec> {
        self.rebuilt(std::iter::empty(), WEIGHTS.param.name, path)
    }

    /// Returns the spec with these weights, and with `value` for the parameter called `name`.
    fn rebuilt(
        &self,
        weights: impl Iterator<Item = String>,
        name: &str,
        value: &str,
    ) -> Result<Self, BadSpec> {
        let written = |text: &str| match text.contains([',', '(', ')', '=', ' ']) {
            true => format!("\"{text}\""),
            false => text.to_owned(),
        };
        let params = self.settings.iter().filter(|(param, _)| param.name != name);
        let params = params.map(|(param, value)| format!("{}={value}", param.name));
        let new = format!("{name}={}", written(value));
        let names: Vec<String> = params.chain(weights).chain([new]).collect();
        format!("{}({})", self.kind.name(), names.join(", ")).parse()
    }

    /// Returns the BLAKE3 hashes of the files in the command of an external agent, with their words: the program, and
    /// each argument that is a file. The list is empty for other agents; unreadable files are left out.
    #[must_use]
    pub fn program_files(&self) -> Vec<(String, String)> {
        let params = self.is_external().then(|| self.external().ok()).flatten();
        params.map_or_else(Vec::new, |params| params.file_hashes())
    }

    /// Refuses agents that are programs without consent to start. It refuses all of them at once, so that the user sees
    /// every command.
    ///
    /// # Errors
    /// If there is such an agent.
    pub fn need_consent(specs: &[Self]) -> Result<(), BadSpec> {
        let named = |spec: &&Self| spec.is_external() && spec.settings.text(&COMMAND).is_some();
        let programs: Vec<&Self> = specs.iter().filter(named).collect();
        let written = |spec: &&Self| spec.external().ok().map(|params| params.written());
        let commands: Vec<String> = programs.iter().filter_map(written).collect();
        let consent = Consent::to(&commands.iter().map(String::as_str).collect::<Vec<_>>());
        consent.map(drop).map_err(|message| {
            let spec = programs.first().map_or_else(String::new, ToString::to_string);
            BadSpec { spec, message }
        })
    }

    /// Searches for the program of an external agent, without starting it, unless nothing plays.
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

    /// Refuses parameters and weights that only other games have, and weights out of range in this game.
    ///
    /// # Errors
    /// If there is one: the message lists the names of this game.
    pub fn check_names(&self, game: &OfGame) -> Result<(), BadSpec> {
        self.check(game).map_err(|message| BadSpec { spec: self.to_string(), message })
    }

    fn check(&self, game: &OfGame) -> Result<(), String> {
        let weights = game.weights_of(self.kind);
        for (weight, value) in self.settings.weights() {
            weights.checked(game.name, weight.name, value)?;
        }
        for (param, value) in self.settings.iter() {
            let own = game.params_of(self.kind).find(|own| own.name == param.name);
            if let Some(own) = own.filter(|own| own.domain != param.domain) {
                let read = own.read(&value.to_string());
                read.map_err(|complaint| format!("{}: {complaint}", game.name))?;
            }
        }
        let names = |params: &mut dyn Iterator<Item = &'static Param>| -> Vec<&'static str> {
            params.map(|param| param.name).collect()
        };
        let own = names(&mut game.params_of(self.kind));
        let all = [names(&mut self.kind.params().iter()), own.clone()].concat();
        let stranger = self.settings.iter().find(|(param, _)| !all.contains(&param.name));
        stranger.map_or(Ok(()), |(param, _)| {
            let near = nearest(param.name, &all);
            let near = near.map_or_else(String::new, |near| format!("nearest: {near}; "));
            let own = if own.is_empty() { "none".to_owned() } else { own.join(", ") };
            let (game, name) = (game.name, param.name);
            Err(format!("{game} has no parameter \"{name}\" ({near}its own: {own})"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<AgentSpec>().unwrap_err().to_string()
    }

    #[test]
    fn a_parameter_of_one_name_takes_what_the_game_that_is_played_accepts() {
        let of = |name: &str| *GAMES.iter().find(|game| game.name == name).unwrap();
        let spec: AgentSpec = "greedy(style=farmer)".parse().unwrap();
        assert_eq!(spec.to_string(), "greedy(style=farmer)");
        assert!(spec.check_names(&of("rise")).is_ok());
        let stranger = spec.check_names(&of("classic")).unwrap_err().to_string();
        assert!(stranger.contains("classic: style = \"farmer\" is none of these"), "{stranger}");
        assert!(refused("greedy(style=farmr)").contains("(nearest: farmer; accepted: in classic"));
        let nowhere = refused("greedy(style=nobody)");
        for range in ["in classic balanced, hoarder", "in rise balanced, "] {
            assert!(nowhere.contains(range), "{nowhere}");
        }
    }

    /// The default words of pandas, NA of R, and longer words that begin like them.
    #[test]
    fn a_label_that_data_frames_read_as_missing_is_refused() {
        let pandas = "#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null";
        for word in pandas.split('|').chain(["na", "none", "NONE", "Null"]) {
            let refusal = refused(&format!("{word}=random"));
            assert!(
                refusal.contains("missing value") || refusal.contains("is no label"),
                "{refusal}"
            );
        }
        for word in ["N_A", "n.a.", "nana", "inf", "nullarbor", "NA2"] {
            let spec: AgentSpec = format!("{word}=random").parse().unwrap();
            assert_eq!(spec.label(), Some(word));
        }
    }

    #[test]
    fn print_of_parse_is_canonical() {
        for (text, canonical) in [
            (" random ", "random"),
            ("random()", "random"),
            ("greedy( epsilon = 5e-1 )", "greedy(epsilon=0.5)"),
            ("greedy(epsilon=0)", "greedy"),
            ("greedy(epsilon=-0)", "greedy"),
            ("mcts(iterations=5, preset=2026-11-22)", "mcts(preset=2026-11-22, iterations=5)"),
            ("greedy(preset=none)", "greedy"),
            ("mcts(c=auto, gamma=0.2, top=16)", "mcts(top=16, gamma=0.2)"),
            ("greedy(weights=w.toml,epsilon=1)", "greedy(epsilon=1, weights=w.toml)"),
            ("greedy(weights=\"a, b.toml\")", "greedy(weights=\"a, b.toml\")"),
            // Defaults are printed here, because a file or a lower layer could set different values. The order is that
            // of the table of weights, after all parameters.
            (
                "greedy(weights.city = 3, epsilon=0.1, weights.token=1.50, weights=w.toml)",
                "greedy(epsilon=0.1, weights=w.toml, weights.token=1.5, weights.city=3)",
            ),
            ("mcts(weights.city=5)", "mcts(weights.city=5)"),
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
    fn a_weight_of_another_game_is_refused_where_it_is_not() {
        let refused = |spec: &str| {
            let spec: AgentSpec = spec.parse().unwrap();
            spec.build(&engine::games::tic_tac_toe::TicTacToe).err().unwrap().to_string()
        };
        for spec in ["greedy(weights.city=5)", "mcts(weights.city=5)"] {
            let complaint =
                format!("agent \"{spec}\": unknown weight \"city\" of tic-tac-toe (there is none)");
            assert_eq!(refused(spec), complaint);
        }
    }

    #[test]
    fn a_label_is_a_name_and_no_part_of_the_spec() {
        let spec: AgentSpec = " fast = mcts( iterations=5 ) ".parse().unwrap();
        assert_eq!((spec.label(), spec.to_string().as_str()), (Some("fast"), "mcts(iterations=5)"));
        assert_eq!(
            (spec.name(), spec.with_label()),
            ("fast".into(), "fast=mcts(iterations=5)".into())
        );
        let again: AgentSpec = spec.with_label().parse().unwrap();
        assert_eq!(again.with_label(), spec.with_label());
        let plain: AgentSpec = "mcts(iterations=5)".parse().unwrap();
        assert_eq!((plain.label(), plain.name()), (None, plain.to_string()));
        assert_eq!(plain.with_label(), plain.to_string());
        for bad in ["=greedy", "1a=greedy", "a b=greedy", "ä=greedy", "a#1=greedy", "a,b=greedy"] {
            assert!(refused(bad).contains("is no label (accepted: a letter, then"), "{bad}");
        }
        assert!(refused(&format!("{}=greedy", "x".repeat(25))).contains("is no label"));
        assert!(refused("greedy=greedy").ends_with("take another, as in my-greedy=greedy"));
        assert!(refused("fast=gredy").contains("(nearest: greedy)"));
        assert!(refused("fast=").contains("unknown kind \"\""));
        assert!(refused("a=b=greedy").contains("unknown kind \"b=greedy\""));
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
            "agent \"greedy(weights=a,b.toml)\": expected NAME=VALUE instead of \"b.toml\"; a text with a comma \
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
        assert!(
            refused("greedy(weights.cty=5)").ends_with("unknown weight \"cty\" (nearest: city)")
        );
        assert!(
            refused("greedy(weights.city=50.1)")
                .ends_with("weights.city = \"50.1\" is out of range (accepted: 0 to 50)")
        );
        assert!(refused("greedy(weights.city=x)").contains("weights.city = \"x\" is no number"));
        assert!(
            refused("greedy(weights.city=1, weights.city=1)")
                .contains("weights.city is given twice")
        );
        assert!(refused("random(weights.city=1)").contains("unknown parameter \"weights.city\""));
        assert!(refused("flat(weights.city=1)").contains("unknown parameter \"weights.city\""));
        assert!(refused("greedy(epsilon=0,5)").ends_with("instead of \"5\""));
    }
}
