//! The settings of a search: [`Config`], with one row per parameter.

use super::tree::MOST_NODES;
use crate::param::{Param, Settings, Tried, settings, unknown, words};

/// The least node limit of a tree, whatever its share. All members of a simultaneous turn fit in.
const LEAST_NODES: u32 = 16;

words! {
    /// The selection rule at a node of one player.
    Select {
        /// The mean value plus an allowance for few visits (Auer et al. 2002).
        Ucb1 = "ucb1",
        /// UCB1 with the variance of the option instead of the worst case (Auer et al. 2002).
        Tuned = "tuned",
        /// The mean value plus an allowance proportional to a prior (Rosin 2011, Silver et al. 2017).
        Puct = "puct",
        /// Regret matching: a mixed strategy (Hart & Mas-Colell 2000).
        Regret = "regret",
        /// Exponential weights: a mixed strategy (Auer et al. 2003).
        Exp3 = "exp3",
        /// Equal visits of all options.
        Uniform = "uniform",
    }
}

words! {
    /// The selection rule of each member of a simultaneous turn.
    Simultaneous {
        /// Decoupled UCT: UCB1 on the member's options (Tak et al. 2014).
        Duct = "duct",
        /// Decoupled PUCT: an allowance proportional to the prior of the member's option.
        Puct = "puct",
        /// Regret matching.
        Regret = "regret",
        /// Exponential weights.
        Exp3 = "exp3",
    }
}

words! {
    /// The model of the players' goals in the tree.
    OpponentModel {
        /// The own utility of every player (Luckhardt & Irani 1986).
        MaxN = "maxn",
        /// The harm of the searching player, for all others (Sturtevant & Korf 2000).
        Paranoid = "paranoid",
        /// The own utility of the searching player. All others have no nodes and act as in rollouts.
        SelfOnly = "self",
        /// The own utility of every player, and in part that of the present allies.
        Alliance = "alliance",
    }
}

words! {
    /// The value that a node passes up to its parent.
    Backup {
        /// The result of the iteration: means of samples.
        Mean = "mean",
        /// In part the value of the node's best option, after a few visits.
        Max = "max",
    }
}

words! {
    /// The policy that plays a game on from a leaf.
    Rollout {
        /// Uniformly random play.
        Uniform = "uniform",
        /// The game's rollout policy, but random play with probability ε.
        Epsilon = "epsilon",
        /// The actions with the best means anywhere in the search, but random play with probability ε (Finnsson &
        /// Björnsson 2008).
        Mast = "mast",
        /// The game's rollout policy.
        Heuristic = "heuristic",
        /// The game's fast rollout policy.
        Fast = "fast",
    }
}

words! {
    /// The point at which an iteration ends and the position is evaluated. Seen from the root it is equal for all
    /// iterations, so that their results are comparable.
    Horizon {
        /// The end of the game.
        Full = "full",
        /// The end of the stage, for example the next scoring, or of a later stage ([`Config::stages`]).
        Stage = "stage",
        /// Some rounds on ([`Config::rounds`]), when the searching player is to move again, or the end of the stage.
        Round = "round",
        /// The end of the turn.
        Turn = "turn",
        /// The end of the tree, at any time.
        Leaf = "leaf",
    }
}

words! {
    /// The goal of a player.
    Utility {
        /// The point of the game: to win.
        Points = "points",
        /// The player's share of all scores; at a horizon before the end, the player's win probability.
        Share = "share",
        /// The point; at a horizon before the end, a logistic function of the lead over the rivals.
        Logistic = "logistic",
    }
}

words! {
    /// The rule that chooses the option to play at the root.
    FinalMove {
        /// The option with most visits.
        Visits = "visits",
        /// The option with the best mean among those with enough visits.
        Value = "value",
        /// The last option of a sequential halving over the most promising ones (Danihelka et al. 2022).
        Halving = "halving",
    }
}

words! {
    /// The condition under which two positions of the tree share a node.
    NodeKey {
        /// Positions in one information set of the mover, with equal information.
        Infoset = "infoset",
        /// Positions after the same choices, with any chance between them.
        OpenLoop = "open-loop",
    }
}

words! {
    /// The starting point of iterations.
    Origin {
        /// The present position, in a world that is possible for the player.
        Here = "here",
        /// The start of the game, so that beliefs follow from the strategies found; for small games only.
        Start = "start",
    }
}

/// The determinizations in which a search plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Determinization {
    /// A new determinization for every iteration.
    EachIteration,
    /// A determinization for each tree, which is searched as a game with full information (determinized UCT).
    EachTree,
    /// The true state: cheating.
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
        /// The use of determinizations, which the variant sets.
        determinization: Determinization = Determinization::EachIteration;
    }
}

impl Config {
    /// Returns the node limit of a tree: its share of the nodes, as of the iterations.
    #[must_use]
    pub(super) fn nodes_of_a_tree(&self) -> usize {
        let share = (self.nodes / self.trees.max(1)).max(LEAST_NODES) as usize;
        share.min(MOST_NODES)
    }

    /// Returns whether the search needs priors of options.
    #[must_use]
    pub fn needs_priors(&self) -> bool {
        self.select == Select::Puct
            || self.together == Simultaneous::Puct
            || self.bias > 0.0
            || self.widen > 0.0
            || self.final_move == FinalMove::Halving
    }

    /// Returns whether every choice in the tree is made without sampling by a player with nodes. Then in a
    /// deterministic game an edge leads to one node.
    #[must_use]
    pub fn has_certain_nodes(&self) -> bool {
        self.node_key == NodeKey::Infoset
            && self.opponent_model != OpponentModel::SelfOnly
            && matches!(self.horizon, Horizon::Full | Horizon::Leaf)
            && !self.has_mixed_strategies()
    }

    /// Returns whether players sample from mixed strategies at their single decisions.
    #[must_use]
    pub const fn has_mixed_strategies(&self) -> bool {
        matches!(self.select, Select::Regret | Select::Exp3)
    }

    /// Returns the time limit of a decision in seconds; `None` for a limit in iterations.
    #[must_use]
    pub fn time(&self) -> Option<f64> {
        (self.seconds > 0.0).then_some(self.seconds)
    }

    /// Reads settings in the words of a spec.
    ///
    /// # Errors
    /// If there is no such parameter, or if a value is out of range.
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

    /// Returns the default search range of a tuner for the parameter called `name`; `None` if it is the whole range.
    #[must_use]
    pub fn tried(name: &str) -> Option<Tried> {
        Self::TRIED.iter().find(|(known, _)| *known == name).map(|(_, tried)| *tried)
    }

    /// Returns the parameter called `name`.
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
