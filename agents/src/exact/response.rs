//! The value of a policy and of a best response to it.
//!
//! A policy gives a probability to every action of a player. `value_of` sums the payoffs of all histories, weighted by
//! chance and policy. `best_response` walks over the *information sets* of one player. An information set holds
//! histories that the player cannot distinguish, weighted by chance and the policies of the others. In each set the
//! player takes the action with the largest sum:
//!
//! `b(I) = max_a Σ_{s ∈ I} w(s) · (value after a)`, where `w` is the probability that chance and the others lead to
//! `s`.
//!
//! Positions share an information set on two conditions. [`Game::info_state_key`] is equal for the player, *and* so
//! were all earlier sets and actions of the player. So the player never forgets (perfect recall). This covers hidden
//! cards and simultaneous turns. Everything is enumerated, so it suits games of some ten thousand histories and at most
//! [`MAX_DEPTH`] events.
//!
//! `exploitability = (Σ_i b_i − 1) / n` is the mean gain of the `n` players from leaving the policy. It is `NashConv`
//! over `n`: points add up to one, so the values need not be subtracted one by one. For two players it is zero exactly
//! in an equilibrium, and the policy guarantees its value minus twice the exploitability. For three or more players
//! zero still means a Nash equilibrium, which guarantees little.
//! References: Johanson, Waugh, Bowling and Zinkevich, "Accelerating best response calculation in large
//! extensive games" (2011); Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement
//! learning" (2017), for `NashConv`.

use std::collections::BTreeMap;

use engine::{ByPlayer, Game, Joint, Player, PlayerSet, Turn};

use super::memo::Memo;
use super::{MAX_DEPTH, points};

/// A policy: it appends a probability for each action of a player in a position, in the given order.
///
/// It may depend on the position only through the player's information. The author of the policy must ensure this.
pub type Policy<'p, G> =
    dyn Fn(&<G as Game>::State, Player, &[<G as Game>::Action], &mut Vec<f64>) + 'p;

/// Plays every action with the same probability: the uniform policy.
pub fn uniform<S, A>(_state: &S, _player: Player, actions: &[A], out: &mut Vec<f64>) {
    out.extend(actions.iter().map(|_| 1.0 / actions.len() as f64));
}

/// Returns the expected points of every player when all follow `policy` from the start.
///
/// # Panics
/// If the game is longer than [`MAX_DEPTH`] events, or if the probabilities of `policy` do not add up to one.
#[must_use]
pub fn value_of<G: Game>(game: &G, policy: &Policy<'_, G>) -> ByPlayer<f64> {
    let tree = Tree { game, policy };
    let mut total = ByPlayer::default();
    tree.unfold(&game.start(), 1.0, 0, &PlayerSet::default(), &mut |state, weight| {
        let points = points(game, state);
        total.0.iter_mut().zip(points.0).for_each(|(total, points)| *total += weight * points);
    });
    total
}

/// Returns the most points that `player` can expect against others who follow `policy`, in `[0, 1]`.
///
/// # Panics
/// As for [`value_of`].
#[must_use]
pub fn best_response<G: Game>(game: &G, player: Player, policy: &Policy<'_, G>) -> f64 {
    let responder = Responder { tree: Tree { game, policy }, me: player };
    responder.respond(&[(game.start(), 1.0)], 0)
}

/// Returns the mean gain of a player from leaving `policy` for a best response, in points; zero in an equilibrium.
///
/// # Panics
/// As for [`value_of`].
///
/// # Example
/// ```
/// use agents::exact::{exploitability, uniform};
/// let pennies = engine::TreeGame::new(2, "(& (1 0) (0 1))")?;
/// assert!(exploitability(&pennies, &uniform).abs() < 1e-9);
/// # Ok::<(), engine::tree_game::BadTree>(())
/// ```
#[must_use]
pub fn exploitability<G: Game>(game: &G, policy: &Policy<'_, G>) -> f64 {
    let n_players = game.n_players();
    let best: f64 = Player::all(n_players).map(|p| best_response(game, p, policy)).sum();
    (best - 1.0) / n_players as f64
}

/// A game tree in which some players follow a policy.
struct Tree<'g, G: Game> {
    game: &'g G,
    policy: &'g Policy<'g, G>,
}

impl<G: Game> Tree<'_, G> {
    /// Follows chance and policy from `state` to every end and to every turn of a player in `free`. `visit` receives
    /// each such state with its weight.
    fn unfold(
        &self,
        state: &G::State,
        weight: f64,
        depth: u32,
        free: &PlayerSet,
        visit: &mut dyn FnMut(&G::State, f64),
    ) {
        assert!(depth <= MAX_DEPTH, "more than {MAX_DEPTH} events: too long to be enumerated");
        let branches = match self.game.turn(state) {
            Turn::Over => return visit(state, weight),
            Turn::Player(mover) if free.contains(mover) => return visit(state, weight),
            Turn::Simultaneous(players) if players.iter().any(|p| free.contains(p)) => {
                return visit(state, weight);
            }
            Turn::Player(mover) => self.choices(state, mover),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.outcomes(state, &mut outcomes);
                outcomes
            }
            Turn::Simultaneous(players) => {
                let fixed = Joint::<G::Action>::default();
                for (joint, probability) in self.joints(state, players, fixed) {
                    let mut after = *state;
                    self.game.apply_joint(&mut after, &joint);
                    self.unfold(&after, weight * probability, depth + 1, free, visit);
                }
                return;
            }
        };
        for (branch, probability) in branches.into_iter().filter(|(_, p)| *p > 0.0) {
            let mut after = *state;
            self.game.apply(&mut after, branch);
            self.unfold(&after, weight * probability, depth + 1, free, visit);
        }
    }

    /// Returns the actions of `player` with their probabilities.
    fn choices(&self, state: &G::State, player: Player) -> Vec<(G::Action, f64)> {
        let (mut actions, mut strategy) = (Vec::new(), Vec::new());
        self.game.actions(state, player, &mut actions);
        (self.policy)(state, player, &actions, &mut strategy);
        let is_strategy = strategy.len() == actions.len() && strategy.iter().all(|p| *p >= 0.0);
        let total: f64 = strategy.iter().sum();
        assert!(
            is_strategy && (total - 1.0).abs() < 1e-6,
            "player {player} at {state:?}: {strategy:?}"
        );
        actions.into_iter().zip(strategy).collect()
    }

    /// Returns all joint choices of `players`, with the actions in `fixed` fixed.
    fn joints(
        &self,
        state: &G::State,
        players: PlayerSet,
        fixed: Joint<G::Action>,
    ) -> Vec<(Joint<G::Action>, f64)> {
        let mut joints = vec![(fixed, 1.0)];
        for player in players.iter().filter(|&p| fixed[p].is_none()) {
            let choices = self.choices(state, player);
            let mut longer = Vec::with_capacity(joints.len() * choices.len());
            for (joint, weight) in joints {
                for &(action, probability) in choices.iter().filter(|(_, p)| *p > 0.0) {
                    let mut joint = joint;
                    joint[player] = Some(action);
                    longer.push((joint, weight * probability));
                }
            }
            joints = longer;
        }
        joints
    }
}

/// Positions that `me` cannot distinguish, with their weights.
type Group<S> = Vec<(S, f64)>;

struct Responder<'g, G: Game> {
    tree: Tree<'g, G>,
    me: Player,
}

impl<G: Game> Responder<'_, G> {
    /// Returns the best sum of points from a group on.
    fn respond(&self, group: &[(G::State, f64)], depth: u32) -> f64 {
        let game = self.tree.game;
        let free: PlayerSet = [self.me].into_iter().collect();
        let mut total = 0.0;
        let mut sets: BTreeMap<u64, InformationSet<G::State>> = BTreeMap::new();
        for (state, weight) in group {
            self.tree.unfold(state, *weight, depth, &free, &mut |state, weight| {
                if game.turn(state) == Turn::Over {
                    total += weight * points(game, state)[self.me];
                } else {
                    sets.entry(game.info_state_key(state, self.me))
                        .or_default()
                        .add(*state, weight);
                }
            });
        }
        let best = |set: &InformationSet<G::State>| self.best_of(&set.members, depth);
        total + sets.values().map(best).sum::<f64>()
    }

    /// Returns the sum of points of the best action in an information set.
    fn best_of(&self, members: &Group<G::State>, depth: u32) -> f64 {
        let game = self.tree.game;
        let mut actions = Vec::new();
        game.actions(&members[0].0, self.me, &mut actions);
        let mut best = f64::NEG_INFINITY;
        for &action in &actions {
            let mut after = Vec::with_capacity(members.len());
            for (state, weight) in members {
                self.act(state, *weight, action, &mut after);
            }
            best = best.max(self.respond(&after, depth + 1));
        }
        best
    }

    /// Appends the positions after `action` in one member.
    fn act(&self, state: &G::State, weight: f64, action: G::Action, out: &mut Group<G::State>) {
        let game = self.tree.game;
        let Turn::Simultaneous(players) = game.turn(state) else {
            let mut after = *state;
            game.apply(&mut after, action);
            return out.push((after, weight));
        };
        let mut fixed = Joint::<G::Action>::default();
        fixed[self.me] = Some(action);
        for (joint, probability) in self.tree.joints(state, players, fixed) {
            let mut after = *state;
            game.apply_joint(&mut after, &joint);
            out.push((after, weight * probability));
        }
    }
}

/// The positions of an information set, with equal positions merged.
struct InformationSet<S> {
    members: Group<S>,
    places: Memo<S, usize>,
}

impl<S: Copy + Eq + std::hash::Hash> Default for InformationSet<S> {
    fn default() -> Self {
        Self { members: Vec::new(), places: Memo::new() }
    }
}

impl<S: Copy + Eq + std::hash::Hash> InformationSet<S> {
    fn add(&mut self, state: S, weight: f64) {
        if let Some(&place) = self.places.get(&state) {
            self.members[place].1 += weight;
        } else {
            self.places.insert(state, self.members.len());
            self.members.push((state, weight));
        }
    }
}
