//! The settings of a search as parameters of an agent: names, ranges, meanings, and how a spec sets them.

use super::config::{
    Backup, Commit, Config, Cut, DEFAULT_NODES, Keys, LEAST_NODES, Origin, Rollout, Seek, Select,
    Together, Utility,
};
use super::tree::MOST_NODES;
use crate::kinds::{BATTLES, Domain, PERSONA, Param, VALUE, WEIGHTS};
use crate::spec::AgentSpec;

const ON_OFF: &[&str] = &["on", "off"];

const fn param(
    name: &'static str,
    domain: Domain,
    unit: &'static str,
    meaning: &'static str,
) -> Param {
    Param { name, domain, unit, meaning }
}

const fn number(default: f64, low: f64, high: f64) -> Domain {
    Domain::Number { default, low, high }
}

const fn auto(words: &'static [&'static str]) -> Domain {
    Domain::Choice { default: "auto", words }
}

const fn on_off(default: &'static str) -> Domain {
    Domain::Choice { default, words: ON_OFF }
}

/// The parameters of the kind `mcts`, in the order in which a spec prints them.
#[rustfmt::skip]
pub const PARAMS: &[Param] = &[
    param("iterations", Domain::Whole { default: 1000, low: 1, high: 100_000_000 }, "", "iterations of a decision"),
    param("elsewhere", number(1.0, 0.0, 1000.0), "", "share of the iterations for a decision without plans, in games that have plans; at least one"),
    param("seconds", number(0.0, 0.0, 3600.0), "s", "time of a decision in place of iterations, if above 0; then no two runs are alike"),
    param("streams", Domain::Whole { default: 1, low: 1, high: 256 }, "", "independent trees that share the iterations, searched in parallel"),
    param("nodes", Domain::Whole { default: DEFAULT_NODES as u64, low: LEAST_NODES as u64, high: MOST_NODES as u64 }, "nodes", "most nodes of all trees together; a search that has them goes on without new ones"),
    param("select", auto(Select::WORDS_OR_AUTO), "", "which option an iteration follows"),
    param("c", Domain::Auto { low: 0.0, high: 100.0 }, "utility", "how much few visits are allowed for"),
    param("fpu", Domain::Auto { low: -10.0, high: 10.0 }, "utility", "what an untried option is worth above its node's mean; 10: try all first"),
    param("bias", Domain::Auto { low: 0.0, high: 100.0 }, "utility", "progressive bias: weight of the prior of an option with few visits"),
    param("widen", Domain::Auto { low: 0.0, high: 100.0 }, "options", "progressive widening: options after one visit; 0: all at once"),
    param("grow", Domain::Auto { low: 0.0, high: 1.0 }, "", "progressive widening: exponent of the visits"),
    param("temperature", Domain::Auto { low: 0.01, high: 1000.0 }, "score", "lead that makes an option e times as likely a priori"),
    param("backup", auto(Backup::WORDS_OR_AUTO), "", "what a node hands up"),
    param("mix", number(0.5, 0.0, 1.0), "", "share of the best option with backup=max"),
    param("seek", auto(Seek::WORDS_OR_AUTO), "", "whose good the players of the tree seek"),
    param("ally", number(0.3, 0.0, 1.0), "", "weight of an ally's utility with seek=alliance"),
    param("solver", on_off("on"), "", "whether proven results are used where nothing is hidden or random"),
    param("rollout", auto(Rollout::WORDS_OR_AUTO), "", "how a game is played on from a leaf"),
    param("careful", Domain::Whole { default: 10_000, low: 0, high: 10_000 }, "choices", "how many of rollout=heuristic are made by habit; the rest by reflex"),
    param("epsilon", Domain::Auto { low: 0.0, high: 1.0 }, "probability", "how often rollout=epsilon and rollout=mast play at random"),
    param("decay", number(0.2, 0.0, 1.0), "", "what rollout=mast keeps from one decision to the next"),
    param("cut", auto(Cut::WORDS_OR_AUTO), "", "where an iteration ends and the position is valued"),
    param("rounds", Domain::AutoWhole { low: 1, high: 100 }, "rounds", "how far cut=round looks; not beyond the next scoring"),
    param("utility", auto(Utility::WORDS_OR_AUTO), "", "what a player wants"),
    param("scale", number(1.0, 0.01, 100.0), "", "factor on the lead that utility=logistic takes for large"),
    VALUE,
    param("commit", auto(Commit::WORDS_OR_AUTO), "", "which option is played"),
    param("top", Domain::Whole { default: 16, low: 2, high: 1000 }, "options", "how many enter commit=halving"),
    param("gumbel", number(1.0, 0.0, 10.0), "", "scale of the noise by which they are chosen"),
    param("together", auto(Together::WORDS_OR_AUTO), "", "choice in simultaneous turns"),
    param("gamma", number(0.2, 0.0, 1.0), "probability", "how often a mixed strategy explores"),
    param("prune", Domain::Auto { low: 0.0, high: 0.5 }, "probability", "below it, an option of a mixed strategy is not played"),
    param("keys", auto(Keys::WORDS_OR_AUTO), "", "when two positions are one node"),
    param("links", on_off("on"), "", "whether edges lead straight to their children where nothing is hidden or random"),
    param("plans", on_off("on"), "", "whether plans for whole actions are options"),
    param("plies", Domain::Auto { low: 0.0, high: 1.0 }, "", "least share of visits for single plies beside plans"),
    param("reuse", on_off("on"), "", "whether the tree is kept from one decision to the next"),
    param("origin", Domain::Choice { default: "here", words: Origin::WORDS }, "", "where iterations begin; start: beliefs follow from strategies (small games)"),
    param("depth", Domain::Whole { default: 400, low: 1, high: 10_000 }, "choices", "choices of an iteration that are remembered"),
    BATTLES,
    PERSONA,
    WEIGHTS,
];

/// The parameters under headings, for people: each heading stands before the parameter that it names.
pub const HEADINGS: &[(&str, &str)] = &[
    ("iterations", "how long it thinks"),
    ("select", "how it walks the tree"),
    ("rollout", "what a leaf is worth"),
    ("commit", "what it plays in the end"),
    ("together", "mixed strategies"),
    ("keys", "what the tree is made of"),
    ("battles", "the evaluation"),
];

impl Config {
    /// What `auto` stands for in these settings, for a parameter that may be `auto`.
    #[must_use]
    pub fn auto_text(&self, name: &str) -> Option<String> {
        let number = |x: f32| Some(x.to_string());
        let word = |word: &'static str| Some(word.to_owned());
        match name {
            "select" => word(self.select.word()),
            "c" => number(self.c),
            "fpu" => number(self.fpu),
            "bias" => number(self.bias),
            "widen" => number(self.widen),
            "grow" => number(self.grow),
            "temperature" => number(self.temperature),
            "backup" => word(self.backup.word()),
            "seek" => word(self.seek.word()),
            "rollout" => word(self.rollout.word()),
            "epsilon" => Some(self.epsilon.to_string()),
            "cut" => word(self.cut.word()),
            "rounds" => Some(self.rounds.to_string()),
            "utility" => word(self.utility.word()),
            "commit" => word(self.commit.word()),
            "together" => word(self.together.word()),
            "prune" => number(self.prune),
            "keys" => word(self.keys.word()),
            "plies" => number(self.plies),
            _ => None,
        }
    }

    /// This with what `spec` says; parameters that its kind does not have stay as they are.
    #[must_use]
    pub fn with(mut self, spec: &AgentSpec) -> Self {
        self.read_tree(spec);
        self.read_values(spec);
        self.read_rest(spec);
        self
    }

    fn read_tree(&mut self, spec: &AgentSpec) {
        set_word(spec, "select", Select::of, &mut self.select);
        set_number(spec, "c", &mut self.c);
        set_number(spec, "fpu", &mut self.fpu);
        set_number(spec, "bias", &mut self.bias);
        set_number(spec, "widen", &mut self.widen);
        set_number(spec, "grow", &mut self.grow);
        set_number(spec, "temperature", &mut self.temperature);
        set_word(spec, "together", Together::of, &mut self.together);
        set_number(spec, "gamma", &mut self.gamma);
        set_number(spec, "prune", &mut self.prune);
        set_word(spec, "keys", Keys::of, &mut self.keys);
        set_word(spec, "origin", Origin::of, &mut self.origin);
        set_switch(spec, "links", &mut self.links);
        set_switch(spec, "plans", &mut self.plans);
        set_number(spec, "plies", &mut self.plies);
    }

    fn read_values(&mut self, spec: &AgentSpec) {
        set_word(spec, "backup", Backup::of, &mut self.backup);
        set_number(spec, "mix", &mut self.mix);
        set_word(spec, "seek", Seek::of, &mut self.seek);
        set_number(spec, "ally", &mut self.ally);
        set_switch(spec, "solver", &mut self.solver);
        set_word(spec, "rollout", Rollout::of, &mut self.rollout);
        if let Some(epsilon) = spec.given_number("epsilon") {
            self.epsilon = epsilon;
        }
        if let Some(careful) = spec.given_whole("careful") {
            self.careful = careful as u16;
        }
        set_number(spec, "decay", &mut self.decay);
        set_word(spec, "cut", Cut::of, &mut self.cut);
        if let Some(rounds) = spec.given_whole("rounds") {
            self.rounds = rounds as u32;
        }
        set_word(spec, "utility", Utility::of, &mut self.utility);
        set_number(spec, "scale", &mut self.scale);
    }

    fn read_rest(&mut self, spec: &AgentSpec) {
        if let Some(iterations) = spec.given_whole("iterations") {
            self.iterations = iterations as u32;
        }
        set_number(spec, "elsewhere", &mut self.elsewhere);
        if let Some(seconds) = spec.given_number("seconds") {
            self.seconds = (seconds > 0.0).then_some(seconds);
        }
        if let Some(streams) = spec.given_whole("streams") {
            self.streams = streams as u32;
        }
        if let Some(nodes) = spec.given_whole("nodes") {
            self.nodes = nodes as u32;
        }
        set_word(spec, "commit", Commit::of, &mut self.commit);
        if let Some(top) = spec.given_whole("top") {
            self.top = top as u16;
        }
        set_number(spec, "gumbel", &mut self.gumbel);
        set_switch(spec, "reuse", &mut self.reuse);
        if let Some(depth) = spec.given_whole("depth") {
            self.depth = depth as u16;
        }
    }
}

fn set_word<T>(spec: &AgentSpec, name: &str, of: impl Fn(&str) -> Option<T>, field: &mut T) {
    if let Some(value) = spec.given_word(name).and_then(of) {
        *field = value;
    }
}

fn set_number(spec: &AgentSpec, name: &str, field: &mut f32) {
    if let Some(value) = spec.given_number(name) {
        *field = value as f32;
    }
}

fn set_switch(spec: &AgentSpec, name: &str, field: &mut bool) {
    if let Some(word) = spec.given_word(name) {
        *field = word == "on";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_auto_stands_for_something_that_could_be_said() {
        for param in PARAMS {
            let text = Config::default().auto_text(param.name);
            assert_eq!(text.is_some(), param.domain.default_text() == "auto", "{param:?}");
            assert!(text.is_none_or(|text| param.domain.read(&text).is_some()), "{param:?}");
        }
        for (name, _) in HEADINGS {
            assert!(PARAMS.iter().any(|param| param.name == *name), "{name}");
        }
    }
}
