//! What can be set in a search: [`Config`].

use super::tree::MOST_NODES;

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
        /// The same with PUCT: an allowance in proportion to the prior of the own option.
        Puct = "puct",
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
        /// Some rounds on ([`Config::rounds`]), when it is the searching player's turn again, or at the next scoring.
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
    /// Iterations of a decision without plans, as a share of those of one with plans; in games that have plans.
    pub elsewhere: f32,
    /// Seconds of a decision in place of iterations; such a search cannot be repeated.
    pub seconds: Option<f64>,
    /// Independent trees whose roots are added up, in parallel where threads are free.
    pub streams: u32,
    /// Nodes that all trees together may have; a search that has them goes on without new ones.
    pub nodes: u32,
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
    /// How many rounds on [`Cut::Round`] looks.
    pub rounds: u32,
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

/// [`Config::nodes`] where nothing else is said: some 300 MB in the largest game.
pub(super) const DEFAULT_NODES: u32 = 250_000;
/// Nodes that every tree may have, whatever it shares: all members of a simultaneous turn fit in.
pub(super) const LEAST_NODES: u32 = 16;

impl Default for Config {
    fn default() -> Self {
        Self {
            iterations: 1000,
            elsewhere: 1.0,
            seconds: None,
            streams: 1,
            nodes: DEFAULT_NODES,
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
            rounds: 1,
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

impl Config {
    /// Nodes that one tree may have: its share, as of the iterations.
    #[must_use]
    pub(super) fn nodes_of_a_tree(&self) -> usize {
        let share = (self.nodes / self.streams.max(1)).max(LEAST_NODES) as usize;
        share.min(MOST_NODES)
    }

    /// Whether priors of options are needed.
    #[must_use]
    pub fn needs_priors(&self) -> bool {
        self.select == Select::Puct
            || self.together == Together::Puct
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
