//! Monte Carlo tree search for several players, chance, hidden information and simultaneous turns.
//!
//! Every iteration draws a world that is possible for the searching player. It walks down the tree, plays on from the
//! leaf, and adds every player's utility to the edges of its path. At a node of one player, the mover takes the option
//! with the largest *mean + allowance for few visits*. At a node of a simultaneous turn, every member follows a
//! separate mixed strategy. In the end the most visited option of the root is played, or the average strategy is
//! sampled.
//!
//! The search is valid for:
//!
//! - 1 to 6 players (max^n by default),
//! - chance (open loop, or nodes by the mover's information),
//! - hidden information (single-observer information-set search),
//! - simultaneous turns (decoupled).
//!
//! All worlds come from one observer, so the others' beliefs about the observer are not modelled. With hidden
//! information the search converges to an equilibrium only with `origin=start` and mixed strategies, in games small
//! enough for this. See `docs/mcts.md`.
//!
//! References: Kocsis & Szepesvári 2006 (UCT); Sturtevant 2008 (max^n); Cowling, Powley & Whitehouse 2012 (information
//! sets); Chaslot et al. 2008 (widening, bias; parallel trees); Winands, Björnsson & Saito 2008 (solver); Lanctot, Lisý
//! & Winands 2014 (simultaneous turns); Danihelka et al. 2022 (sequential halving at the root).
//!
//! # Modules, each of which uses only those before it
//!
//! - `config`: the settings, one row per parameter; `variant`: the baselines, which fix some settings.
//! - `hash`, `index`: nodes and joint choices by key.
//! - `strategies`: mixed strategies as functions over slices: the rules `regret` and `exp3`, learning from draws in
//!   `sampled`, from a table of joint choices in `table`.
//! - `tree`: the arena; `path`: the path of an iteration and its sampling; `root`: the decision at the root; `scratch`:
//!   memory.
//! - `select`, `prior`, `evaluator`, `rollout`: the steps of an iteration; `leaf`: an iteration without a tree;
//!   `backup`: the way of results up the path.
//! - `search`: iterations at the nodes of one tree; `walk`: an iteration; `solver` and `fixed`: proven results, and
//!   iterations in deterministic games.
//! - `final_move`, `report`: the choice at the root and the report of a search.

mod backup;
pub mod config;
pub(crate) mod evaluator;
mod final_move;
mod fixed;
mod hash;
mod index;
mod leaf;
mod path;
mod prior;
mod report;
mod rollout;
mod root;
mod scratch;
mod search;
mod select;
mod solver;
mod strategies;
mod tree;
mod variant;
mod walk;

use std::time::{Duration, Instant};

use engine::{Game, Notation, Player, Randomness, Stream, Turn, View, rng};

use crate::agent::{Agent, Fault, RootVisits, SearchReport, SearchTally};
use crate::evaluators::AtLeaves;
use crate::guide::{Choice, Guide};
use crate::halt;
use crate::side_by_side::change_side_by_side;

pub use self::config::Config;
use self::config::{Determinization, FinalMove, NodeKey, Origin};
use self::final_move::Halving;
pub use self::leaf::Leaves;
use self::root::RootOption;
use self::search::Search;
pub use self::variant::Variant;

/// Maximum number of edges of a tree that is kept for the next decision.
const MOST_EDGES: usize = 1 << 22;
/// Iterations between two checks of the clock, in searches with a time limit.
const BETWEEN_LOOKS: u64 = 16;

/// The search agent.
#[derive(Clone, Debug)]
pub struct Mcts<G: Game, H: Guide<G>> {
    config: Config,
    root_visits: RootVisits,
    guide: H,
    searches: Vec<Search<G, H>>,
    /// The macro-action in progress.
    macro_action: Option<H::Macro>,
    options: Vec<RootOption<Choice<G::Action, H::Macro>>>,
    shares: Vec<f64>,
    actions: Vec<G::Action>,
    chosen: usize,
    /// A world of the last searched decision.
    world: Option<G::State>,
    tally: SearchTally,
}

impl<G: Game, H: Guide<G>> Mcts<G, H> {
    /// Creates the agent with these settings.
    ///
    /// # Errors
    /// If the settings need features that `guide` lacks.
    pub fn new(config: Config, guide: H) -> Result<Self, String> {
        Self::evaluated_by(config, guide, None)
    }

    /// Creates the agent with these settings, whose leaves and priors are those of `evaluator`, if there is one.
    ///
    /// # Errors
    /// If the settings need features that `guide` lacks, or do not go with an evaluator.
    pub fn evaluated_by(
        config: Config,
        guide: H,
        evaluator: Option<&AtLeaves<G>>,
    ) -> Result<Self, String> {
        use config::{Horizon, Rollout};
        if evaluator.is_some() && (config.horizon != Horizon::Leaf || config.macro_actions) {
            return Err(
                "an evaluator values the leaves of single actions: it goes with horizon=leaf and macro_actions=off"
                    .to_owned(),
            );
        }
        if config.horizon != Horizon::Full && !H::CAN_ESTIMATE && evaluator.is_none() {
            let word = config.horizon.word();
            return Err(format!(
                "horizon = \"{word}\" needs an evaluation, and the game has none (full)"
            ));
        }
        if matches!(config.rollout, Rollout::Epsilon | Rollout::Heuristic | Rollout::Fast)
            && !H::HAS_ROLLOUT_POLICY
        {
            let word = config.rollout.word();
            return Err(format!(
                "rollout = \"{word}\" needs a heuristic, and the game has none (accepted: uniform, mast)"
            ));
        }
        let seeded = rng::fast(&mut rng::stream(0, 0, engine::Purpose::Analysis));
        let n_trees = config.trees.max(1) as usize;
        let search = || {
            let mut search = Search::new(config, guide.clone(), seeded.clone());
            search.evaluator = evaluator.cloned();
            search
        };
        let searches = (0..n_trees).map(|_| search()).collect();
        Ok(Self {
            config,
            root_visits: RootVisits::Preferred,
            guide,
            searches,
            macro_action: None,
            options: Vec::new(),
            shares: Vec::new(),
            actions: Vec::new(),
            chosen: 0,
            world: None,
            tally: SearchTally::default(),
        })
    }

    /// Returns the settings.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Searches the decision of the view's observer.
    fn search(&mut self, view: View<'_, G>, rng: &mut Stream) {
        for search in &mut self.searches {
            search.rng = rng::fast(rng);
        }
        let n_trees = self.searches.len() as u64;
        let (all, visits) = (u64::from(self.config.iterations), self.root_visits);
        let share = |i: usize| all / n_trees + u64::from((i as u64) < all % n_trees);
        match &mut self.searches[..] {
            [only] => run(only, view, all, visits),
            many => change_side_by_side(many, &|i, one| run(one, view, share(i), visits)),
        }
        self.options.clear();
        for search in &self.searches {
            search.root.gather(&search.tree, &mut self.options);
        }
    }

    /// Returns the choice for the searched decision.
    fn final_move(
        &mut self,
        me: Player,
        is_mixed: bool,
        rng: &mut Stream,
    ) -> Choice<G::Action, H::Macro> {
        self.shares.clear();
        self.chosen = if is_mixed {
            final_move::strategy(&self.options, &self.config, &mut self.shares);
            final_move::draw(&self.shares, rng)
        } else {
            final_move::choose(&self.options, me, &self.config)
        };
        self.note_search();
        self.options[self.chosen].label
    }

    /// Returns whether a tree needed more nodes than its limit.
    fn is_limited(&self) -> bool {
        self.searches.iter().any(|search| search.effort.is_limited)
    }

    /// Adds the searched decision to the tally.
    fn note_search(&mut self) {
        let is_macro = |option: &RootOption<_>| matches!(option.label, Choice::Macro(_));
        let has_macros = self.options.iter().any(is_macro);
        self.tally.decisions += 1;
        self.tally.iterations += self.searches.iter().map(|one| one.effort.iterations).sum::<u64>();
        self.tally.choices += self.searches.iter().map(|one| one.effort.choices).sum::<u64>();
        self.tally.limited += u64::from(self.is_limited());
        self.tally.with_macros += u64::from(has_macros);
        self.tally.left_macros += u64::from(has_macros && !is_macro(&self.options[self.chosen]));
    }

    /// Returns whether the decision is played by a mixed strategy.
    fn is_mixed(&self, turn: Turn) -> bool {
        matches!(turn, Turn::Simultaneous(_)) || self.config.has_mixed_strategies()
    }
}

/// Runs the iterations of one tree for one decision.
fn run<G: Game, H: Guide<G>>(
    search: &mut Search<G, H>,
    view: View<'_, G>,
    n: u64,
    visits: RootVisits,
) {
    let (game, config) = (view.game(), search.config);
    let shared_world = match config.determinization {
        Determinization::True => view.truth().copied(),
        Determinization::EachTree => Some(view.determinization(&mut search.rng)),
        Determinization::EachIteration => None,
    };
    let world = shared_world.unwrap_or_else(|| view.determinization(&mut search.rng));
    let may_keep = config.reuse
        && (config.node_key == NodeKey::Infoset)
        && shared_world.is_none()
        && search.tree.edges.len() < MOST_EDGES;
    search.set_root(game, &world, view.observer(), may_keep);
    let has_macros = search.tree.nodes[search.root.node as usize].has_macros;
    let share = if H::HAS_MACROS && !has_macros { f64::from(config.ply_budget) } else { 1.0 };
    let n = ((n as f64 * share).round() as u64).max(n.min(1));
    let can_link =
        game.is_deterministic_from(&world) && !H::HAS_MACROS && config.has_certain_nodes();
    let is_fixed = can_link && config.child_links;
    let mut halving = Halving::default();
    if config.final_move == FinalMove::Halving {
        let range = search.tree.range(search.root.node);
        halving.begin(&search.tree.edges[range], &config, n, &mut search.rng);
    }
    let mut budget = Budget::new(n, config.time().map(|seconds| seconds * share));
    while budget.goes_on() && !search.is_broken() && !halt::is_raised() {
        let range = search.tree.range(search.root.node);
        search.root.forced = match visits.option(search.effort.iterations, range.len()) {
            None if config.final_move == FinalMove::Halving => {
                Some(halving.next(&search.tree.edges[range]))
            }
            forced => forced,
        };
        if is_fixed {
            if fixed::is_solved(search) {
                return;
            }
            fixed::iterate(search, game, world);
        } else if config.origin == Origin::Start {
            walk::iterate(search, game, game.start());
        } else {
            let world = shared_world.unwrap_or_else(|| view.determinization(&mut search.rng));
            walk::iterate(search, game, world);
        }
    }
    search.mast.decay(config.decay);
}

/// The limit of a search: iterations or time.
struct Budget {
    left: u64,
    done: u64,
    until: Option<Instant>,
}

impl Budget {
    fn new(iterations: u64, seconds: Option<f64>) -> Self {
        // This is the only clock in the package. A search with a time limit is not reproducible, and its spec shows
        // that.
        let until = seconds.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
        Self { left: iterations, done: 0, until }
    }

    fn goes_on(&mut self) -> bool {
        self.done += 1;
        match self.until {
            None if self.left == 0 => false,
            None => {
                self.left -= 1;
                true
            }
            Some(until) => !self.done.is_multiple_of(BETWEEN_LOOKS) || Instant::now() < until,
        }
    }
}

impl<G: Notation, H: Guide<G>> Agent<G> for Mcts<G, H> {
    fn start(&mut self, _game: &G, _seat: Player) {
        self.macro_action = None;
        self.options.clear();
        for search in &mut self.searches {
            search.tree.clear();
            search.mast.forget();
        }
    }

    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action {
        let (game, me) = (view.game(), view.observer());
        self.options.clear();
        let mut dice = rng::fast(rng);
        let world = view.determinization(&mut dice);
        if let Some(macro_action) = self.macro_action
            && let Some(action) = self.guide.ply_of(game, &world, me, macro_action, false)
        {
            return action;
        }
        self.macro_action = None;
        self.actions.clear();
        view.actions(&mut self.actions);
        if let [only] = self.actions[..] {
            return only;
        }
        self.search(view, rng);
        self.world = Some(world);
        let is_mixed = self.is_mixed(game.turn(&world));
        match self.final_move(me, is_mixed, rng) {
            Choice::Ply(action) => action,
            Choice::Macro(macro_action) => {
                self.macro_action = Some(macro_action);
                let first = self.guide.ply_of(game, &world, me, macro_action, true);
                first.unwrap_or_else(|| *rng.pick(&self.actions))
            }
        }
    }

    fn visit_root(&mut self, visits: RootVisits) -> bool {
        self.root_visits = visits;
        true
    }

    fn fault(&mut self) -> Option<Fault> {
        let mut evaluators = self.searches.iter_mut().flat_map(|search| &mut search.evaluator);
        if let Some(reason) = evaluators.find_map(AtLeaves::take_fault) {
            return Some(Fault::Agent(reason));
        }
        let is_short = self.searches.iter().any(|search| search.tree.is_short());
        is_short.then(|| {
            let Config { nodes, trees, .. } = self.config;
            let reason = format!(
                "there is no memory for the tree of a search (nodes={nodes}, trees={trees}): lower nodes"
            );
            Fault::Host { reason, remedy: None }
        })
    }

    fn cheats(&self) -> bool {
        self.config.determinization == Determinization::True
    }

    fn tally(&mut self) -> SearchTally {
        std::mem::take(&mut self.tally)
    }

    fn report(&self, game: &G) -> Option<SearchReport> {
        (!self.options.is_empty()).then(|| report::report(self, game))
    }
}
