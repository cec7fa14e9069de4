//! A game written as a text such as `(1 0 (0 1) 1/2)`, or drawn at random: the test double for search.
//!
//! A [`TreeGame`] is an explicit tree: its right answers can be seen, or enumerated in a few lines. It is not in the
//! catalogue, since it exists to prove agents. It has up to six players, and two where turns are simultaneous.
//!
//! | text | meaning |
//! | --- | --- |
//! | `1/2`, `0.5` | the end, in a game for two: points of player 0, the rest is player 1's |
//! | `1/2,1/4,1/4` | the end: points of every player, which add up to one |
//! | `(X Y …)` | a decision of the next player: those on the way here decide in turn, beginning with player 0 |
//! | `(@2 X Y …)` | a decision of player 2 |
//! | `(? X Y …)` | chance, every branch equally likely |
//! | `(? 1/4:X 3/4:Y)` | chance with probabilities |
//! | `(& (X Y) (Z W))` | players 0 and 1 choose at once: 0 the row, 1 the column |
//! | `(?! …)`, `(?!0 …)`, `(@1! …)` | the outcome is seen by nobody, by player 0, by the mover only |
//!
//! Hidden branches make information sets. A player has the record of the branches that they saw, in order, and of the
//! existence of others. Positions that a player cannot distinguish must have the same kind of turn and, on their own
//! turn, as many options; a text that breaks this is refused. At the end everything is shown. A determinization draws a
//! position that the observer cannot distinguish from the true one. Chance weighs it, and all options of other players
//! count as equally likely. A decision or chance event has at least two branches, for forced decisions are no turns
//! ([`Game`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::game::{Game, Joint, Turn};
use crate::games::check_players;
use crate::hash::hash_of;
use crate::notation::{ChanceEvent, Notation};
use crate::player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet};
use crate::rng::Randomness;
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;

mod text;

/// Largest distance from one of a sum of points or probabilities.
const TOLERANCE: f64 = 1e-6;

/// A position: its number in the tree, from the root in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// A branch by its number, from 0: an option of a player or an outcome of chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Branch(pub u16);

/// The error for a text that is no tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadTree {
    /// Bytes before the place of the complaint.
    pub at: usize,
    /// The fault, and the accepted forms.
    pub message: String,
}

impl fmt::Display for BadTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.message)
    }
}

impl std::error::Error for BadTree {}

/// An explicit tree and its number of players.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeGame {
    n_players: usize,
    nodes: Vec<Node>,
    hides: bool,
}

#[derive(Clone, PartialEq, Debug)]
struct Node {
    kind: Kind,
    children: Vec<NodeId>,
    /// The offset in the text.
    at: usize,
    /// The branches that each player has seen on the way here.
    seen: ByPlayer<u64>,
    /// Probability that chance and uniformly random players lead here.
    reach: f64,
}

#[derive(Clone, PartialEq, Debug)]
enum Kind {
    /// Points of each player.
    Leaf(ByPlayer<f32>),
    /// A player's choice, and the players who see it.
    Decision(Player, PlayerSet),
    /// Probabilities by branch, and the players who see it.
    Chance(Vec<f64>, PlayerSet),
    /// A choice of players 0 and 1 at once; the children stand row by row, with this number of columns.
    Simultaneous { columns: u16 },
}

impl Kind {
    const fn name(&self) -> &'static str {
        match self {
            Self::Leaf(_) => "an end",
            Self::Decision(..) => "a decision",
            Self::Chance(..) => "chance",
            Self::Simultaneous { .. } => "a choice at once",
        }
    }
}

impl Node {
    const fn new(kind: Kind, at: usize) -> Self {
        Self { kind, children: Vec::new(), at, seen: ByPlayer([0; MAX_PLAYERS]), reach: 1.0 }
    }

    fn probability(&self, branch: usize) -> f64 {
        match &self.kind {
            Kind::Chance(probabilities, _) => probabilities[branch],
            _ => 1.0 / self.children.len() as f64,
        }
    }

    fn is_seen_by(&self, player: Player) -> bool {
        match &self.kind {
            Kind::Decision(_, seers) | Kind::Chance(_, seers) => seers.contains(player),
            Kind::Leaf(_) | Kind::Simultaneous { .. } => true,
        }
    }

    /// Returns the number of options of `player` here, or zero if it is not their turn.
    fn n_options(&self, player: Player) -> usize {
        match self.kind {
            Kind::Decision(mover, _) if mover == player => self.children.len(),
            Kind::Simultaneous { columns } => {
                [self.children.len() / usize::from(columns), columns.into(), 0, 0, 0, 0]
                    [player.idx()]
            }
            _ => 0,
        }
    }

    fn turn(&self) -> Turn {
        match self.kind {
            Kind::Leaf(_) => Turn::Over,
            Kind::Decision(mover, _) => Turn::Player(mover),
            Kind::Chance(..) => Turn::Chance,
            Kind::Simultaneous { .. } => Turn::Simultaneous(PlayerSet::first(2)),
        }
    }
}

impl TreeGame {
    /// Returns the game for `n_players` with the text `text`.
    ///
    /// # Errors
    /// If the text is no tree for `n_players`; the complaint names the place.
    ///
    /// # Panics
    /// If `n_players` is not in `2..=MAX_PLAYERS`.
    ///
    /// # Example
    /// ```
    /// use engine::{Game, tree_game::{Branch, TreeGame}};
    /// let game = TreeGame::new(2, "(1 0 (0 1) 1/2)")?;
    /// let mut state = game.start();
    /// game.apply(&mut state, Branch(3));
    /// assert_eq!(game.payoffs(&state).first(2), [0.5, 0.5]);
    /// # Ok::<(), engine::tree_game::BadTree>(())
    /// ```
    pub fn new(n_players: usize, text: &str) -> Result<Self, BadTree> {
        Self::link(n_players, text::read(n_players, text)?)
    }

    /// Returns a random tree: decisions of random players, at most `depth` events above each end, two to `branching`
    /// branches. With `with_chance`, every fourth turn is chance with unequal probabilities. Nothing is hidden. No
    /// player gets the same points at two ends.
    ///
    /// # Panics
    /// If `n_players` is not in `2..=MAX_PLAYERS`, or `branching` is below two.
    pub fn random<R: Randomness + ?Sized>(
        n_players: usize,
        depth: u32,
        branching: u16,
        rng: &mut R,
        with_chance: bool,
    ) -> Self {
        assert!((2..=MAX_PLAYERS).contains(&n_players) && branching >= 2);
        let mut nodes = Vec::new();
        let mut plan = Sketch { n_players, branching, with_chance, paid: BTreeSet::new() };
        plan.grow(depth, rng, &mut nodes);
        Self::link(n_players, nodes).expect("a tree that hides nothing is consistent")
    }

    /// Fills in the fields that follow from the branches, and checks the information of the players.
    fn link(n_players: usize, mut nodes: Vec<Node>) -> Result<Self, BadTree> {
        const UNSEEN: u16 = u16::MAX;
        let everyone = PlayerSet::first(n_players);
        for i in 0..nodes.len() {
            for branch in 0..nodes[i].children.len() {
                let (above, child) = (&nodes[i], nodes[i].children[branch].0);
                let reach = above.reach * above.probability(branch);
                let mut seen = above.seen;
                for player in everyone.iter() {
                    let sign = if above.is_seen_by(player) { branch as u16 } else { UNSEEN };
                    seen[player] = hash_of(&(seen[player], sign));
                }
                let child = &mut nodes[child as usize];
                (child.seen, child.reach) = (seen, reach);
            }
            if let Kind::Leaf(_) = nodes[i].kind {
                nodes[i].seen.0.fill(hash_of(&("shown", i as u32)));
            }
        }
        let hides = nodes.iter().any(|node| everyone.iter().any(|p| !node.is_seen_by(p)));
        let game = Self { n_players, nodes, hides };
        Player::all(n_players).try_for_each(|player| game.check_knowledge(player))?;
        Ok(game)
    }

    /// Checks that positions look alike to a player who cannot distinguish them.
    fn check_knowledge(&self, player: Player) -> Result<(), BadTree> {
        let mut known: BTreeMap<u64, &Node> = BTreeMap::new();
        for node in &self.nodes {
            let first = known.entry(node.seen[player]).or_insert(node);
            let is_same = first.turn() == node.turn();
            if !is_same || first.n_options(player) != node.n_options(player) {
                let (here, there) = (node.kind.name(), first.kind.name());
                let message = format!(
                    "player {player} could tell {here} here from {there} at byte {}: let both be the same turn with \
                     as many options",
                    first.at
                );
                return Err(BadTree { at: node.at, message });
            }
        }
        Ok(())
    }

    fn node(&self, place: NodeId) -> &Node {
        &self.nodes[place.0 as usize]
    }

    /// Returns a branch drawn with its probability.
    fn draw_branch<R: Randomness + ?Sized>(node: &Node, rng: &mut R) -> Branch {
        let mut left = rng.unit();
        let last = (0..node.children.len()).rfind(|&i| node.probability(i) > 0.0).unwrap_or(0);
        for branch in 0..last {
            left -= node.probability(branch);
            if left < 0.0 {
                return Branch(branch as u16);
            }
        }
        Branch(last as u16)
    }
}

/// The parameters and progress of a growing random tree.
struct Sketch {
    n_players: usize,
    branching: u16,
    with_chance: bool,
    /// Points that a player gets at some end, as bits.
    paid: BTreeSet<(usize, u32)>,
}

impl Sketch {
    fn grow<R: Randomness + ?Sized>(&mut self, depth: u32, rng: &mut R, nodes: &mut Vec<Node>) {
        let here = nodes.len();
        if depth == 0 {
            nodes.push(Node::new(Kind::Leaf(self.points(rng)), here));
            return;
        }
        let n_branches = 2 + rng.below(u32::from(self.branching) - 1) as usize;
        let everyone = PlayerSet::first(self.n_players);
        let kind = if self.with_chance && rng.below(4) == 0 {
            Kind::Chance(shares(n_branches, rng), everyone)
        } else {
            Kind::Decision(Player::new(rng.below(self.n_players as u32) as usize), everyone)
        };
        nodes.push(Node::new(kind, here));
        for _ in 0..n_branches {
            let child = NodeId(nodes.len() as u32);
            nodes[here].children.push(child);
            // Some ends come early, never right below the root.
            let is_cut = depth > 1 && here > 0 && rng.below(8) == 0;
            self.grow(if is_cut { 0 } else { depth - 1 }, rng, nodes);
        }
    }

    /// Returns points that no player gets elsewhere.
    fn points<R: Randomness + ?Sized>(&mut self, rng: &mut R) -> ByPlayer<f32> {
        loop {
            let mut points = ByPlayer::default();
            let shares = shares(self.n_players, rng);
            points.0.iter_mut().zip(shares).for_each(|(points, share)| *points = share as f32);
            let keys = |seat: usize| (seat, points.0[seat].to_bits());
            if (0..self.n_players).all(|seat| !self.paid.contains(&keys(seat))) {
                self.paid.extend((0..self.n_players).map(keys));
                return points;
            }
        }
    }
}

/// Returns random positive numbers that add up to one.
fn shares<R: Randomness + ?Sized>(n: usize, rng: &mut R) -> Vec<f64> {
    let parts: Vec<f64> = (0..n).map(|_| 0.05 + rng.unit()).collect();
    let total: f64 = parts.iter().sum();
    parts.iter().map(|part| part / total).collect()
}

impl Game for TreeGame {
    type State = NodeId;
    type Action = Branch;

    fn n_players(&self) -> usize {
        self.n_players
    }

    fn start(&self) -> NodeId {
        NodeId(0)
    }

    fn turn(&self, state: &NodeId) -> Turn {
        self.node(*state).turn()
    }

    fn actions(&self, state: &NodeId, player: Player, out: &mut Vec<Branch>) {
        out.extend((0..self.node(*state).n_options(player)).map(|i| Branch(i as u16)));
    }

    fn apply(&self, state: &mut NodeId, action: Branch) {
        *state = self.node(*state).children[usize::from(action.0)];
    }

    fn apply_joint(&self, state: &mut NodeId, joint: &Joint<Branch>) {
        let Kind::Simultaneous { columns } = self.node(*state).kind else {
            unreachable!("nobody chooses at once: {joint:?}")
        };
        let [Some(row), Some(column), ..] = joint.0 else { unreachable!("no choice: {joint:?}") };
        self.apply(state, Branch(row.0 * columns + column.0));
    }

    fn draw<R: Randomness + ?Sized>(&self, state: &NodeId, rng: &mut R) -> Branch {
        Self::draw_branch(self.node(*state), rng)
    }

    fn outcomes(&self, state: &NodeId, out: &mut Vec<(Branch, f64)>) {
        if let Kind::Chance(probabilities, _) = &self.node(*state).kind {
            out.extend(probabilities.iter().enumerate().map(|(i, &p)| (Branch(i as u16), p)));
        }
    }

    fn payoffs(&self, state: &NodeId) -> ByPlayer<f32> {
        match self.node(*state).kind {
            Kind::Leaf(points) => points,
            _ => unreachable!("the game goes on at {state:?}"),
        }
    }

    fn determinize<R: Randomness + ?Sized>(
        &self,
        state: &mut NodeId,
        observer: Player,
        rng: &mut R,
    ) {
        if !self.hides {
            return;
        }
        let known = self.node(*state).seen[observer];
        let worlds = || self.nodes.iter().enumerate().filter(|(_, n)| n.seen[observer] == known);
        let mut left = rng.unit() * worlds().map(|(_, node)| node.reach).sum::<f64>();
        for (i, node) in worlds().filter(|(_, node)| node.reach > 0.0) {
            *state = NodeId(i as u32);
            left -= node.reach;
            if left < 0.0 {
                return;
            }
        }
    }

    fn info_state_key(&self, state: &NodeId, observer: Player) -> u64 {
        self.node(*state).seen[observer]
    }

    fn hides_at_this_table(&self) -> bool {
        self.hides
    }

    fn is_deterministic(&self) -> bool {
        !self.hides
            && self.nodes.iter().all(|node| matches!(node.kind, Kind::Leaf(_) | Kind::Decision(..)))
    }
}

#[derive(Deserialize)]
struct Parameters {
    tree: String,
}

impl Configure for TreeGame {
    fn about() -> About {
        About {
            name: "tree",
            title: "A tree",
            players: 2..=MAX_PLAYERS,
            default_players: 2,
            information: Information::Hidden("as the tree says"),
            chance: Chance::Of("as the tree says"),
            provenance: Provenance::Published("the text of its rules"),
        }
    }

    fn default_rules() -> &'static str {
        "tree = \"(1 0 (0 1) 1/2)\"  # the game, as engine::tree_game describes it\n"
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        check_players::<Self>(n_players)?;
        let Parameters { tree } = rules.read()?;
        Self::new(n_players, &tree).map_err(|error| rules.bad("tree", error))
    }
}

impl Treatable for TreeGame {}

/// The text that [`TreeGame::new`] reads.
impl fmt::Display for TreeGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(self, self.start(), f)
    }
}

impl Notation for TreeGame {
    fn write_action(&self, action: Branch, f: &mut dyn fmt::Write) -> fmt::Result {
        write!(f, "{}", action.0)
    }

    fn chance_event(&self, _state: &NodeId, outcome: Branch) -> ChanceEvent {
        ChanceEvent { chance: "branch".to_owned(), who: None, value: outcome.0.into() }
    }

    /// Hides the outcome of a secret node from everyone who does not see it.
    fn seen_chance(&self, state: &NodeId, outcome: Branch, observer: Player) -> ChanceEvent {
        let event = self.chance_event(state, outcome);
        let is_seen = self.node(*state).is_seen_by(observer);
        if is_seen { event } else { ChanceEvent { value: Value::Null, ..event } }
    }

    fn state_json(&self, state: &NodeId) -> Value {
        json!({ "place": state.0 })
    }

    /// Returns the rest of the tree.
    /// The places that the observer holds possible.
    fn view_json(&self, state: &NodeId, observer: Player) -> Value {
        let known = self.info_state_key(state, observer);
        let places = (0..self.nodes.len() as u32).map(NodeId);
        let possible = places.filter(|place| self.info_state_key(place, observer) == known);
        let seat = observer.idx();
        json!({ "seat": seat, "places": possible.map(|place| place.0).collect::<Vec<_>>() })
    }

    fn write_view(&self, state: &NodeId, observer: Player, f: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(f, "{}", self.view_json(state, observer))
    }

    fn write_state(&self, state: &NodeId, f: &mut dyn fmt::Write) -> fmt::Result {
        let mut rest = String::new();
        text::write(self, *state, &mut rest)?;
        writeln!(rest)?;
        f.write_str(&rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance;
    use crate::rng::{Purpose, stream};

    const POKER: &str = "(?!0 (@0 (@1 0 1) 1/4) (@0 (@1 1 1/2) 3/4))";

    fn tree(n_players: usize, text: &str) -> TreeGame {
        TreeGame::new(n_players, text).unwrap()
    }

    fn refused(n_players: usize, text: &str) -> String {
        TreeGame::new(n_players, text).unwrap_err().to_string()
    }

    #[test]
    fn trees_keep_the_promises_of_a_game() {
        for (n_players, text) in [
            (2, "(1 0 (0 1) 1/2)"),
            (2, "(? 1/4:(0 1) 0:1/2 3/4:(@1 0.25 0.75))"),
            (2, "(& (1 0 (0 1)) ((? 0 1) 1/2 1/3))"),
            (2, POKER),
            (2, "(@0! (@1 1 0) (@1 0 1))"),
            (2, "(?! (0 1) (1 0))"),
            (3, "(@2 1,0,0 (? 0,1,0 (@1 0,0,1 1/2,1/2,0)))"),
        ] {
            let game = tree(n_players, text);
            conformance::check(&game, 1, 40);
            assert_eq!(tree(n_players, &game.to_string()).to_string(), game.to_string());
        }
    }

    #[test]
    fn random_trees_keep_the_promises_and_pay_differently_everywhere() {
        let mut rng = stream(1, 0, Purpose::Analysis);
        for n_players in 2..=MAX_PLAYERS {
            let game = TreeGame::random(n_players, 4, 3, &mut rng, n_players % 2 == 0);
            conformance::check(&game, 1, 20);
            let points = |node: &Node| match node.kind {
                Kind::Leaf(points) => Some(points.0[0].to_bits()),
                _ => None,
            };
            let mut paid: Vec<u32> = game.nodes.iter().filter_map(points).collect();
            let n_ends = paid.len();
            paid.sort_unstable();
            paid.dedup();
            assert_eq!(paid.len(), n_ends);
        }
    }

    #[test]
    fn the_same_seed_grows_the_same_tree() {
        let grow = |seed| TreeGame::random(3, 5, 4, &mut stream(seed, 0, Purpose::Analysis), true);
        assert_eq!(grow(7), grow(7));
        assert_ne!(grow(7), grow(8));
    }

    #[test]
    fn players_decide_in_turn_unless_they_are_named() {
        let game = tree(2, "((? (0 1) (1 0)) (@0 1 0))");
        let turn_after = |branches: &[u16]| {
            let mut state = game.start();
            branches.iter().for_each(|&branch| game.apply(&mut state, Branch(branch)));
            game.turn(&state)
        };
        assert_eq!(turn_after(&[]), Turn::Player(Player::new(0)));
        assert_eq!(turn_after(&[0, 1]), Turn::Player(Player::new(1)));
        assert_eq!(turn_after(&[1]), Turn::Player(Player::new(0)));
    }

    #[test]
    fn determinizations_are_weighed_by_chance() {
        let game = tree(2, "(?!1 1/4:(0 1) 3/4:(1 0))");
        let (mut rng, mut second) = (stream(1, 0, Purpose::Analysis), 0);
        let truth = game.node(NodeId(0)).children[0];
        for _ in 0..4_000 {
            let mut world = truth;
            game.determinize(&mut world, Player::new(0), &mut rng);
            second += i32::from(world != truth);
            let mut same = truth;
            game.determinize(&mut same, Player::new(1), &mut rng);
            assert_eq!(same, truth, "player 1 has seen the branch");
        }
        assert!((second - 3_000).abs() < 140, "{second} of 4000 (3000 expected, 5 sigma)");
    }

    #[test]
    fn bad_trees_are_refused_with_their_place() {
        assert_eq!(refused(2, "(1)"), "byte 0: 1 branch, but a turn needs at least two");
        assert!(refused(2, "(1 2)").starts_with("byte 3: points 2 are not between 0 and 1"));
        assert!(refused(3, "(1,0,0 0,1)").contains("points of 2 players, expected 3"));
        assert!(refused(2, "(? 1/4:1 1/4:0)").contains("probabilities add up to 0.5"));
        assert!(refused(2, "(@2 1 0)").contains("no player 2"));
        assert!(refused(2, "(1 0").contains("\")\" is missing"));
        assert!(refused(2, "(1 0) 1").contains("after the end"));
        assert!(refused(2, "(& (1 0) (1))").contains("1 column, expected 2"));
        assert!(refused(2, "(@0! (@1 0 1) (@1 0 1 1))").contains("player 1 could tell"));
        assert!(refused(2, "(x 0)").contains("expected a number"));
    }
}
