//! The contract between rules and everything else: [`Game`].
//!
//! A game is two things: *rules* (parameters and tables, shared and immutable) and *states* (plain `Copy`
//! values). Rules hold no opinions, never read a clock, a file or an ambient random number, and do not
//! allocate while a game is played.

use std::fmt;
use std::hash::Hash;

use crate::hash::hash_of;
use crate::player::{ByPlayer, Player, PlayerSet};
use crate::rng::{Purpose, Randomness};

/// Who acts next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// One player chooses.
    Player(Player),
    /// Everyone in the set chooses at once, unseen by the others.
    Simultaneous(PlayerSet),
    /// Chance: [`Game::draw`] says what happens.
    Chance,
    /// The game is over.
    Over,
}

/// One action per acting player, for a [`Turn::Simultaneous`].
pub type Joint<A> = ByPlayer<Option<A>>;

/// An action that is not legal where it was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalAction;

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the action is not legal here")
    }
}

impl std::error::Error for IllegalAction {}

/// The rules of one game, with its parameters.
///
/// Decisions with exactly one legal action are taken by the game itself: where [`Game::turn`] names a single
/// player, there are at least two actions. (Members of a [`Turn::Simultaneous`] may have one.)
pub trait Game: Clone + Send + Sync + 'static {
    /// A position. `Copy` is the guarantee that it owns no heap memory; equal states have equal futures.
    type State: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;
    /// A choice of a player or an outcome of chance; at most eight bytes.
    type Action: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// Number of players, `1..=MAX_PLAYERS`.
    fn n_players(&self) -> usize;

    /// The state before the first event.
    fn start(&self) -> Self::State;

    /// Who acts next.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal actions of `player`: no duplicates, in an order that depends on `state` only.
    fn actions(&self, state: &Self::State, player: Player, out: &mut Vec<Self::Action>);

    /// Number of legal actions of `player`; games that know it without a list override this.
    fn n_actions(
        &self,
        state: &Self::State,
        player: Player,
        scratch: &mut Vec<Self::Action>,
    ) -> usize {
        scratch.clear();
        self.actions(state, player, scratch);
        scratch.len()
    }

    /// Whether `action` is legal for `player` now.
    fn is_legal(
        &self,
        state: &Self::State,
        player: Player,
        action: Self::Action,
        scratch: &mut Vec<Self::Action>,
    ) -> bool {
        scratch.clear();
        self.actions(state, player, scratch);
        scratch.contains(&action)
    }

    /// One uniformly random legal action. `scratch` lends the memory; games that can draw without a list
    /// override this with the same distribution.
    fn random_action<R: Randomness + ?Sized>(
        &self,
        state: &Self::State,
        player: Player,
        rng: &mut R,
        scratch: &mut Vec<Self::Action>,
    ) -> Self::Action {
        scratch.clear();
        self.actions(state, player, scratch);
        scratch[rng.below(scratch.len() as u32) as usize]
    }

    /// Applies a legal action, or a possible outcome of chance, and every forced decision after it.
    ///
    /// # Panics
    /// May panic, or leave a meaningless state, if `action` is not legal. Never undefined behaviour.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Applies the actions of a [`Turn::Simultaneous`].
    ///
    /// # Panics
    /// If the game has no simultaneous turns.
    fn apply_joint(&self, _state: &mut Self::State, _joint: &Joint<Self::Action>) {
        unreachable!("this game has no simultaneous turns")
    }

    /// Draws an outcome of the chance event that is due.
    ///
    /// # Panics
    /// If the game has no chance events.
    fn draw<R: Randomness + ?Sized>(&self, _state: &Self::State, _rng: &mut R) -> Self::Action {
        unreachable!("this game has no chance events")
    }

    /// The stream from which the chance event that is due draws in a reproducible run.
    fn chance_purpose(&self, _state: &Self::State) -> Purpose {
        Purpose::Dice
    }

    /// Appends all outcomes of the chance event that is due, with probabilities that add up to one.
    ///
    /// # Panics
    /// If the game has no chance events.
    fn outcomes(&self, _state: &Self::State, _out: &mut Vec<(Self::Action, f64)>) {
        unreachable!("this game has no chance events")
    }

    /// Points that add up to one: a sole winner gets 1, tied winners share it. Only at [`Turn::Over`].
    fn payoffs(&self, state: &Self::State) -> ByPlayer<f32>;

    /// The score as the rules count it, at any time (conquest2: victory points).
    fn scores(&self, _state: &Self::State) -> Option<ByPlayer<i32>> {
        None
    }

    /// Redraws everything that `observer` cannot know, from the exact posterior given what he has seen.
    /// No default body, on purpose: forgetting it is silent cheating.
    fn determinize<R: Randomness + ?Sized>(
        &self,
        state: &mut Self::State,
        observer: Player,
        rng: &mut R,
    );

    /// Whether `observer` sees all of `state`, so that [`Game::determinize`] would change nothing and draw no number. `false`
    /// is always safe.
    fn is_open_to(&self, _state: &Self::State, _observer: Player) -> bool {
        false
    }

    /// The key of the information state of `observer`, a hash of all that they know: equal for two states that they cannot tell apart. Nothing that is written depends
    /// on it, so that it may be another one in another release ([`key_of`](crate::key_of)).
    fn info_state_key(&self, state: &Self::State, _observer: Player) -> u64 {
        hash_of(state)
    }

    /// Whether anything can be hidden from a player at this table; asked only of games that hide something at
    /// some table. (Two players of conquest2 see everything.)
    fn hides_at_this_table(&self) -> bool {
        true
    }

    /// Whether nothing is ever hidden, random or simultaneous: a sequence of actions always leads to the same
    /// state, so that a search may keep what it has found below each of them. `false` is always safe.
    fn is_deterministic(&self) -> bool {
        false
    }

    /// The same from `state` on: nothing hidden, random or simultaneous comes any more. A game in which chance acts at
    /// the start only says so here. `false` is always safe.
    fn is_deterministic_from(&self, _state: &Self::State) -> bool {
        self.is_deterministic()
    }

    /// Counts the points of the game at which a record holds a full state (see `records`): it grows by one
    /// when such a point is passed. It is 0 at the start, unless the start is such a point itself.
    fn milestone(&self, _state: &Self::State) -> u32 {
        0
    }

    /// Checked twin of [`Game::apply`]: for people, files and foreign agents.
    ///
    /// # Errors
    /// If it is not the turn of `player` alone, or `action` is not legal for him; the state is unchanged.
    fn try_apply(
        &self,
        state: &mut Self::State,
        player: Player,
        action: Self::Action,
    ) -> Result<(), IllegalAction> {
        let is_his_turn = self.turn(state) == Turn::Player(player);
        if !is_his_turn || !self.is_legal(state, player, action, &mut Vec::new()) {
            return Err(IllegalAction);
        }
        self.apply(state, action);
        Ok(())
    }
}

/// A game in which nothing is ever hidden, so that agents may see its states.
pub trait PerfectInformation: Game {}
