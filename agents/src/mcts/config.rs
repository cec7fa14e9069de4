//! What can be set in a search: [`Config`], one row per parameter.

use super::tree::MOST_NODES;
use crate::param::{Param, Settings, Tried, settings, unknown, words};

/// Nodes that every tree may have, whatever it shares: all members of a simultaneous turn fit in.
const LEAST_NODES: u32 = 16;

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
    Simultaneous {
        /// Decoupled UCT: UCB1 on the own options (Tak et al. 2014).
        Duct = "duct",
        /// The same with PUCT: an allowance in proportion to the prior of the own option.
        Puct = "puct",
        /// Regret matching.
        Regret = "regret",
        /// Exponential weights.
        Exp3 = "exp3",
    }
}

words! {
    /// Whose good the players of the tree are taken to seek.
    OpponentModel {
        /// Every player his own (Luckhardt & Irani 1986).
        MaxN = "maxn",
        /// All others the harm of the searching player (Sturtevant & Korf 2000).
        Paranoid = "paranoid",
        /// Only the searching player has nodes; all others act as in rollouts.
        SelfOnly = "self",
        /// Every player his own, and in part that of his allies of the moment.
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
        /// By the game's rollout policy, but at random with probability ε.
        Epsilon = "epsilon",
        /// What has done well anywhere in the search, but at random with probability ε (Finnsson & Björnsson 2008).
        Mast = "mast",
        /// By the game's rollout policy.
        Heuristic = "heuristic",
        /// By the game's fast rollout policy.
        Fast = "fast",
    }
}

words! {
    /// Where an iteration ends and the position is valued: at the same time for all, seen from the root, so that what
    /// they found can be compared.
    Horizon {
        /// At the end of the game.
        Full = "full",
        /// At the end of the stage, as at the next scoring, or of a later one ([`Config::stages`]).
        Stage = "stage",
        /// Some rounds on ([`Config::rounds`]), when it is the searching player's turn again, or at the end of the stage.
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
        /// His share of all scores; at a horizon before the end, his chance to win.
        Share = "share",
        /// The point; at a horizon before the end, a logistic function of the lead over his rivals.
        Logistic = "logistic",
    }
}

words! {
    /// Which option of the root is played.
    FinalMove {
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
    NodeKey {
        /// When they are in one information set of the mover: he knows the same.
        Infoset = "infoset",
        /// When the same choices led there, whatever chance did in between.
        OpenLoop = "open-loop",
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

/// Determinizations that a search plays in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Determinization {
    /// A new one every iteration.
    EachIteration,
    /// One for each tree of the search, as if it were known (determinized UCT).
    EachTree,
    /// The true one: cheating.
    True,
}

settings! {
    /// All settings of a search.
    pub struct Config {
        ["how long it thinks"]
        iterations: u32 = 1000, 1..=100_000_000, integer, spec, "", "iterations of a decision", tried log 10.0 to 1000.0;
        ply_budget: f32 = 1.0, 0.0..=1000.0, linear, spec, "", "share of the iterations for a decision without macro-actions, in games that have some; at least one", tried log 0.05 to 2.0;
        seconds: f64 = 0.0, 0.0..=3600.0, linear, spec, "s", "time of a decision in place of iterations, if above 0; then no two runs are alike";
        trees: u32 = 1, 1..=256, integer, spec, "", "independent trees that share the iterations, searched in parallel", tried linear 1.0 to 8.0;
        nodes: u32 = 250_000, LEAST_NODES as u64..=MOST_NODES as u64, integer, spec, "nodes", "most nodes of all trees together; a search that has them goes on without new ones", tried log 1000.0 to 1_000_000.0;
        ["how it walks the tree"]
        select: Select = Select::Ucb1, Select::WORDS, choice, game, "", "which option an iteration follows";
        c: f32 = 0.7, 0.0..=100.0, linear, game, "utility", "how much few visits are allowed for", tried log 0.05 to 2.0;
        fpu: f32 = 10.0, -10.0..=10.0, linear, game, "utility", "what an untried option is worth above its node's mean; 10: try all first", tried linear -0.5 to 1.0;
        bias: f32 = 0.0, 0.0..=100.0, linear, game, "utility", "progressive bias: weight of the prior of an option with few visits", tried linear 0.0 to 2.0;
        widen: f32 = 0.0, 0.0..=100.0, linear, game, "options", "progressive widening: options after one visit; 0: all at once", tried linear 0.0 to 16.0;
        grow: f32 = 0.4, 0.0..=1.0, linear, game, "", "progressive widening: exponent of the visits";
        temperature: f32 = 1.0, 0.01..=1000.0, log, game, "score", "lead that makes an option e times as likely a priori", tried log 0.1 to 30.0;
        doubt: f32 = 0.0, 0.0..=10.0, linear, game, "", "how fast priors give way to equal ones as a node is visited: what 100 visits weigh against them", tried linear 0.0 to 2.0;
        hold: f32 = 0.0, 0.0..=1_000_000.0, linear, game, "visits", "visits of a node from which select=puct goes on to weigh priors as it does there; 0: they fade with every visit", tried linear 0.0 to 2000.0;
        shrink: f32 = 0.0, 0.0..=1000.0, linear, game, "visits", "visits of the node's mean that are added to each option's in the selection", tried linear 0.0 to 20.0;
        backup: Backup = Backup::Mean, Backup::WORDS, choice, game, "", "what a node hands up";
        max_share: f32 = 0.5, 0.0..=1.0, linear, game, "", "share of the best option with backup=max";
        opponent_model: OpponentModel = OpponentModel::MaxN, OpponentModel::WORDS, choice, game, "", "whose good the players of the tree seek";
        ally: f32 = 0.3, 0.0..=1.0, linear, game, "", "weight of an ally's utility with opponent_model=alliance";
        solver: bool = true, on_off, switch, spec, "", "whether proven results are used where nothing is hidden or random";
        ["what a leaf is worth"]
        rollout: Rollout = Rollout::Uniform, Rollout::WORDS, choice, game, "", "how a game is played on from a leaf";
        heavy_moves: u16 = 10_000, 0..=10_000, integer, game, "choices", "choices of rollout=heuristic by the game's rollout policy; the rest are by its fast one", tried linear 0.0 to 100.0;
        epsilon: f64 = 0.4, 0.0..=1.0, linear, game, "probability", "how often rollout=epsilon and rollout=mast play at random";
        decay: f32 = 0.2, 0.0..=1.0, linear, game, "", "what rollout=mast keeps from one decision to the next";
        horizon: Horizon = Horizon::Full, Horizon::WORDS, choice, game, "", "where an iteration ends and the position is valued";
        rounds: u32 = 1, 1..=100, integer, game, "rounds", "how far horizon=round looks; not beyond the end of the stage", tried linear 1.0 to 4.0;
        stages: u32 = 1, 1..=100, integer, game, "stages", "how far horizon=stage looks", tried linear 1.0 to 4.0;
        utility: Utility = Utility::Points, Utility::WORDS, choice, game, "", "what a player wants";
        scale: f32 = 1.0, 0.01..=100.0, log, game, "", "factor on the lead that utility=logistic takes for large", tried log 0.1 to 10.0;
        ["what it plays in the end"]
        final_move: FinalMove = FinalMove::Visits, FinalMove::WORDS, choice, game, "", "which option is played";
        top: u16 = 16, 2..=1000, integer, game, "options", "how many enter final_move=halving", tried log 2.0 to 32.0;
        gumbel: f32 = 1.0, 0.0..=10.0, linear, game, "", "scale of the noise by which they are chosen", tried linear 0.0 to 2.0;
        ["mixed strategies"]
        together: Simultaneous = Simultaneous::Regret, Simultaneous::WORDS, choice, game, "", "choice in simultaneous turns";
        gamma: f32 = 0.2, 0.0..=1.0, linear, game, "probability", "how often a mixed strategy explores";
        prune: f32 = 0.05, 0.0..=0.5, linear, game, "probability", "below it, an option of a mixed strategy is not played", tried linear 0.0 to 0.2;
        ["what the tree is made of"]
        node_key: NodeKey = NodeKey::Infoset, NodeKey::WORDS, choice, game, "", "when two positions are one node";
        child_links: bool = true, on_off, switch, spec, "", "whether edges lead straight to their children where nothing is hidden or random";
        macro_actions: bool = true, on_off, switch, spec, "", "whether macro-actions are options";
        plies: f32 = 0.1, 0.0..=1.0, linear, game, "", "least share of visits for single plies beside macro-actions";
        reuse: bool = true, on_off, switch, spec, "", "whether the tree is kept from one decision to the next";
        origin: Origin = Origin::Here, Origin::WORDS, choice, spec, "", "where iterations begin; start: beliefs follow from strategies (small games)";
        depth: u16 = 400, 1..=10_000, integer, spec, "choices", "choices of an iteration that are remembered", tried log 10.0 to 1000.0;
    }
    beside {
        /// When a search draws its determinizations.
        determinization: Determinization = Determinization::EachIteration;
    }
}

impl Config {
    /// Nodes that one tree may have: its share, as of the iterations.
    #[must_use]
    pub(super) fn nodes_of_a_tree(&self) -> usize {
        let share = (self.nodes / self.trees.max(1)).max(LEAST_NODES) as usize;
        share.min(MOST_NODES)
    }

    /// Whether priors of options are needed.
    #[must_use]
    pub fn needs_priors(&self) -> bool {
        self.select == Select::Puct
            || self.together == Simultaneous::Puct
            || self.bias > 0.0
            || self.widen > 0.0
            || self.final_move == FinalMove::Halving
    }

    /// Whether every choice in the tree is made by a player in it who chooses for certain, so that in a deterministic
    /// game an edge leads to one node.
    #[must_use]
    pub fn has_certain_nodes(&self) -> bool {
        self.node_key == NodeKey::Infoset
            && self.opponent_model != OpponentModel::SelfOnly
            && matches!(self.horizon, Horizon::Full | Horizon::Leaf)
            && !self.has_mixed_strategies()
    }

    /// Whether players draw from mixed strategies where they choose one after the other.
    #[must_use]
    pub const fn has_mixed_strategies(&self) -> bool {
        matches!(self.select, Select::Regret | Select::Exp3)
    }

    /// The time of a decision in seconds, if that is what limits it.
    #[must_use]
    pub fn time(&self) -> Option<f64> {
        (self.seconds > 0.0).then_some(self.seconds)
    }

    /// Settings in the words of a spec.
    ///
    /// # Errors
    /// If there is no such parameter, or a value is out of range.
    pub fn read(text: &str) -> Result<Settings, String> {
        Settings::read(
            text,
            |name, _| {
                let names: Vec<&str> = Self::PARAMS.iter().map(|param| param.name).collect();
                Self::param(name).ok_or_else(|| unknown("parameter", name, &names))
            },
            None,
        )
    }

    /// The values of the parameter called `name` that a tuner tries where nobody says others; `None` where these are all.
    #[must_use]
    pub fn tried(name: &str) -> Option<Tried> {
        Self::TRIED.iter().find(|(known, _)| *known == name).map(|(_, tried)| *tried)
    }

    /// The parameter called `name`.
    #[must_use]
    pub fn param(name: &str) -> Option<&'static Param> {
        Self::PARAMS.iter().find(|param| param.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_told_and_read_by_its_row() {
        for param in Config::PARAMS {
            let value = Config::default().value(param.name);
            assert_eq!(value, param.default_value(), "{param:?}");
            let other = match param.domain {
                crate::param::Domain::Number { high, .. } => high.to_string(),
                crate::param::Domain::Whole { high, .. } => high.to_string(),
                crate::param::Domain::Choice(words) => words[words.len() - 1].to_owned(),
                _ => "off".to_owned(),
            };
            let settings = Config::read(&format!("{}={other}", param.name)).unwrap();
            let changed = Config::default().with(&settings);
            assert_eq!(changed.value(param.name).unwrap().to_string(), other, "{param:?}");
        }
        for (name, _) in Config::HEADINGS {
            assert!(Config::param(name).is_some(), "{name}");
        }
        for (name, tried) in Config::TRIED {
            let accepts =
                |x: f64| Config::param(name).unwrap().domain.read(&x.to_string()).is_some();
            assert!(tried.low < tried.high && accepts(tried.low) && accepts(tried.high), "{name}");
            assert!(!tried.is_log || tried.low > 0.0, "{name}");
        }
    }
}
