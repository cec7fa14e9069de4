//! What can be set in a search: [`Config`], and [`PARAMS`], the same as parameters of an agent.

use crate::kinds::{BATTLES, Domain, PERSONA, Param, WEIGHTS};
use crate::spec::AgentSpec;

/// An enumeration that is written as words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$meaning])* $variant,)* }

        impl $name {
            /// All words.
            pub const WORDS: &'static [&'static str] = &[$($word,)*];
            /// All words, and `auto` for the game's own default.
            pub const WORDS_OR_AUTO: &'static [&'static str] = &["auto", $($word,)*];

            /// The variant that is written `word`.
            #[must_use]
            pub fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }

            /// The word of the variant.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    };
}

words! {
    /// Which option an iteration follows at a node of one player.
    Select {
        /// Mean value plus an allowance for few visits (Auer et al. 2002).
        Ucb1 = "ucb1",
        /// UCB1 with the variance of the option in place of the worst case (Auer et al. 2002).
        Tuned = "tuned",
        /// Mean value plus an allowance in proportion to a prior (Rosin 2011, Silver et al. 2017).
        Puct = "puct",
        /// Regret matching: a mixed strategy (Hart & Mas-Colell 2000).
        Regret = "regret",
        /// Exponential weights: a mixed strategy (Auer et al. 2003).
        Exp3 = "exp3",
        /// Every option equally often.
        Uniform = "uniform",
    }
}

words! {
    /// How the members of a simultaneous turn choose, each for himself.
    Together {
        /// Decoupled UCT: UCB1 on the own options (Tak et al. 2014).
        Duct = "duct",
        /// Regret matching.
        Regret = "regret",
        /// Exponential weights.
        Exp3 = "exp3",
    }
}

words! {
    /// Whose good a player seeks in the tree.
    Seek {
        /// Every player his own (Luckhardt & Irani 1986).
        MaxN = "maxn",
        /// All others the harm of the searching player (Sturtevant & Korf 2000).
        Paranoid = "paranoid",
        /// Only the searching player has nodes; all others act as in rollouts.
        SelfOnly = "self",
        /// Every player his own, and in part that of his allies of the season.
        Alliance = "alliance",
    }
}

words! {
    /// What a node hands up to its parent.
    Backup {
        /// What the iteration found: means of samples.
        Mean = "mean",
        /// In part the value of the node's best option, once it is known a little.
        Max = "max",
    }
}

words! {
    /// How a game is played on from a leaf.
    Rollout {
        /// Uniformly random.
        Uniform = "uniform",
        /// By habit, but at random with probability ε.
        Epsilon = "epsilon",
        /// What has done well anywhere in the search, but at random with probability ε (Finnsson & Björnsson 2008).
        Mast = "mast",
        /// By habit.
        Heuristic = "heuristic",
        /// By reflex: faster and less careful than habit.
        Reflex = "reflex",
    }
}

words! {
    /// Where an iteration ends and the position is valued: at the same time for all, seen from the root, so that what
    /// they found can be compared.
    Cut {
        /// At the end of the game.
        Full = "full",
        /// At the next scoring.
        Season = "season",
        /// After a round: when the turn of the searching player comes again, or at the next scoring.
        Round = "round",
        /// At the end of the turn.
        Turn = "turn",
        /// Nowhere: where the tree ends, whenever that is.
        Leaf = "leaf",
    }
}

words! {
    /// What a player wants.
    Utility {
        /// The point of the game: to win.
        Points = "points",
        /// His share of all scores.
        Share = "share",
        /// A logistic function of the lead over his rivals.
        Logistic = "logistic",
    }
}

words! {
    /// Which option of the root is played.
    Commit {
        /// The one with most visits.
        Visits = "visits",
        /// The one with the best mean among those visited often enough to tell.
        Value = "value",
        /// The last of a sequential halving over the most promising ones (Danihelka et al. 2022).
        Halving = "halving",
    }
}

words! {
    /// When two positions of the tree are one node.
    Keys {
        /// When the mover knows the same.
        Knowledge = "knowledge",
        /// When the same choices led there, whatever chance did in between (open loop).
        Open = "open",
    }
}

words! {
    /// Where iterations begin.
    Origin {
        /// At the position, in a world that the player holds possible.
        Here = "here",
        /// At the start of the game, so that beliefs follow from the strategies found; small games only.
        Start = "start",
    }
}

/// Which worlds a search plays in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worlds {
    /// A new one every iteration.
    Redealt,
    /// One for each stream of the search, as if it were known (determinised UCT).
    OneEach,
    /// The true one: cheating.
    True,
}

/// All settings of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Iterations of a decision, over all streams.
    pub iterations: u32,
    /// Seconds of a decision in place of iterations; such a search cannot be repeated.
    pub seconds: Option<f64>,
    /// Independent trees whose roots are added up, in parallel where threads are free.
    pub streams: u32,
    /// Choice at a node of one player.
    pub select: Select,
    /// Weight of the allowance for few visits, in units of the utility.
    pub c: f32,
    /// What an untried option is worth above the mean of its node, in units of the utility.
    pub fpu: f32,
    /// Weight of progressive bias: the prior, divided by visits plus one.
    pub bias: f32,
    /// Progressive widening: `widen · n^grow` options after `n` visits; 0 for all at once.
    pub widen: f32,
    /// The exponent of progressive widening.
    pub grow: f32,
    /// Units of the score that multiply the prior of an option by e.
    pub temperature: f32,
    /// What a node hands up.
    pub backup: Backup,
    /// The share of the best option in [`Backup::Max`].
    pub mix: f32,
    /// Whose good the players seek.
    pub seek: Seek,
    /// The weight of an ally's utility beside the own in [`Seek::Alliance`].
    pub ally: f32,
    /// Whether proven results are used, in games where nothing is hidden or random.
    pub solver: bool,
    /// How a game is played on from a leaf.
    pub rollout: Rollout,
    /// Choices of a heuristic rollout that are made by habit; the rest are made by reflex.
    pub careful: u16,
    /// How often a rollout is random all the same.
    pub epsilon: f64,
    /// What is left of the rollout statistics from one decision to the next.
    pub decay: f32,
    /// Where an iteration ends.
    pub cut: Cut,
    /// What a player wants.
    pub utility: Utility,
    /// A factor on the lead that counts as large.
    pub scale: f32,
    /// Which option is played.
    pub commit: Commit,
    /// Options that enter a sequential halving.
    pub top: u16,
    /// The scale of the Gumbel noise by which they are chosen.
    pub gumbel: f32,
    /// Choice in simultaneous turns.
    pub together: Together,
    /// How often a mixed strategy explores.
    pub gamma: f32,
    /// Probabilities of a mixed strategy below this are not played.
    pub prune: f32,
    /// When two positions are one node.
    pub keys: Keys,
    /// Whether edges lead straight to their children in games where nothing is hidden or random; without, such a game
    /// goes the general way, where every node is looked up by what its mover knows and nothing is proven.
    pub links: bool,
    /// Whether plans for whole actions are options.
    pub plans: bool,
    /// The least share of the visits of a node with plans that goes to single plies.
    pub plies: f32,
    /// Whether the tree is kept from one decision to the next.
    pub reuse: bool,
    /// Where iterations begin.
    pub origin: Origin,
    /// Choices of an iteration that are remembered.
    pub depth: u16,
    /// Which worlds are searched.
    pub worlds: Worlds,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            iterations: 1000,
            seconds: None,
            streams: 1,
            select: Select::Ucb1,
            c: 0.7,
            fpu: 10.0,
            bias: 0.0,
            widen: 0.0,
            grow: 0.4,
            temperature: 1.0,
            backup: Backup::Mean,
            mix: 0.5,
            seek: Seek::MaxN,
            ally: 0.3,
            solver: true,
            rollout: Rollout::Uniform,
            careful: 10_000,
            epsilon: 0.4,
            decay: 0.2,
            cut: Cut::Full,
            utility: Utility::Points,
            scale: 1.0,
            commit: Commit::Visits,
            top: 16,
            gumbel: 1.0,
            together: Together::Regret,
            gamma: 0.2,
            prune: 0.05,
            keys: Keys::Knowledge,
            links: true,
            plans: true,
            plies: 0.1,
            reuse: true,
            origin: Origin::Here,
            depth: 400,
            worlds: Worlds::Redealt,
        }
    }
}

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
    param("seconds", number(0.0, 0.0, 3600.0), "s", "time of a decision in place of iterations, if above 0; then no two runs are alike"),
    param("streams", Domain::Whole { default: 1, low: 1, high: 256 }, "", "independent trees that share the iterations, searched in parallel"),
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
    param("utility", auto(Utility::WORDS_OR_AUTO), "", "what a player wants"),
    param("scale", number(1.0, 0.01, 100.0), "", "factor on the lead that utility=logistic takes for large"),
    param("commit", auto(Commit::WORDS_OR_AUTO), "", "which option is played"),
    param("top", Domain::Whole { default: 16, low: 2, high: 1000 }, "options", "how many enter commit=halving"),
    param("gumbel", number(1.0, 0.0, 10.0), "", "scale of the noise by which they are chosen"),
    param("together", auto(Together::WORDS_OR_AUTO), "", "choice in simultaneous turns"),
    param("gamma", number(0.2, 0.0, 1.0), "probability", "how often a mixed strategy explores"),
    param("prune", number(0.05, 0.0, 0.5), "probability", "below it, an option of a mixed strategy is not played"),
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
            "utility" => word(self.utility.word()),
            "commit" => word(self.commit.word()),
            "together" => word(self.together.word()),
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
        set_word(spec, "utility", Utility::of, &mut self.utility);
        set_number(spec, "scale", &mut self.scale);
    }

    fn read_rest(&mut self, spec: &AgentSpec) {
        if let Some(iterations) = spec.given_whole("iterations") {
            self.iterations = iterations as u32;
        }
        if let Some(seconds) = spec.given_number("seconds") {
            self.seconds = (seconds > 0.0).then_some(seconds);
        }
        if let Some(streams) = spec.given_whole("streams") {
            self.streams = streams as u32;
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

    /// Whether priors of options are needed.
    #[must_use]
    pub fn needs_priors(&self) -> bool {
        self.select == Select::Puct
            || self.bias > 0.0
            || self.widen > 0.0
            || self.commit == Commit::Halving
    }

    /// Whether every choice in the tree is made by a player in it who chooses for certain, so that in a deterministic
    /// game an edge leads to one node.
    #[must_use]
    pub fn has_certain_nodes(&self) -> bool {
        self.keys == Keys::Knowledge
            && self.seek != Seek::SelfOnly
            && matches!(self.cut, Cut::Full | Cut::Leaf)
            && !self.mixes()
    }

    /// Whether players draw from mixed strategies where they choose one after the other.
    #[must_use]
    pub const fn mixes(&self) -> bool {
        matches!(self.select, Select::Regret | Select::Exp3)
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
