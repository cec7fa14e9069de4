//! The contract between rules and all other code: [`Game`].
//!
//! A game is two things: *rules* (parameters and tables, shared and immutable) and *states* (plain `Copy` values).
//! Rules hold no opinions. They never read a clock, a file or an ambient random number. They do not allocate while a
//! game is played.

use std::fmt;
use std::hash::Hash;

use crate::hash::hash_of;
use crate::player::{ByPlayer, Player, PlayerSet};
use crate::rng::{Purpose, Randomness};

/// The next to act: a player, several players, or chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A single player chooses.
    Player(Player),
    /// All players in the set choose at once, unseen by the others.
    Simultaneous(PlayerSet),
    /// Chance decides, through [`Game::draw`].
    Chance,
    /// The game is over.
    Over,
}

/// An action for each acting player of a [`Turn::Simultaneous`].
pub type Joint<A> = ByPlayer<Option<A>>;

/// The error for an action that is not legal in its state.
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
/// The game itself takes every decision with exactly one legal action. Where [`Game::turn`] names a single player,
/// there are at least two actions. (Members of a [`Turn::Simultaneous`] may have one.)
pub trait Game: Clone + Send + Sync + 'static {
    /// A position. `Copy` guarantees that it owns no heap memory; equal states have equal futures.
    type State: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;
    /// A choice of a player or an outcome of chance; at most eight bytes.
    type Action: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// Returns the number of players, `1..=MAX_PLAYERS`.
    fn n_players(&self) -> usize;

    /// Returns the state before the first event.
    fn start(&self) -> Self::State;

    /// Returns the next to act.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal actions of `player`: no duplicates, in an order that depends on `state` only.
    fn actions(&self, state: &Self::State, player: Player, out: &mut Vec<Self::Action>);

    /// Returns the number of legal actions of `player`. Games that can count without a list override this.
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

    /// Returns whether `action` is legal for `player` now.
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

    /// Returns a uniformly random legal action. `scratch` lends the memory. Games that can draw without a list override
    /// this with the same distribution.
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

    /// Returns the stream from which a reproducible run draws the chance event that is due.
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

    /// Returns points that add up to one: a sole winner gets 1, tied winners share it. Only valid at [`Turn::Over`].
    fn payoffs(&self, state: &Self::State) -> ByPlayer<f32>;

    /// Returns the scores as the rules count them, at any time (conquest2: victory points).
    fn scores(&self, _state: &Self::State) -> Option<ByPlayer<i32>> {
        None
    }

    /// Redraws everything hidden from `observer`, from the exact posterior given all that they have seen. The world is a
    /// function of what they have seen and of the random numbers alone: whoever knows the numbers learns nothing else.
    /// No default body, on purpose: forgetting it is silent cheating.
    fn determinize<R: Randomness + ?Sized>(
        &self,
        state: &mut Self::State,
        observer: Player,
        rng: &mut R,
    );

    /// Returns whether `observer` sees all of `state`. [`Game::determinize`] would then change nothing and draw no
    /// number. `false` is always safe.
    fn is_open_to(&self, _state: &Self::State, _observer: Player) -> bool {
        false
    }

    /// Returns the key of the information state of `observer`: a hash of all their information. Two states that they
    /// cannot distinguish have equal keys. No file may depend on the key, so that another release may compute it
    /// differently ([`key_of`](crate::key_of)).
    fn info_state_key(&self, state: &Self::State, _observer: Player) -> u64 {
        hash_of(state)
    }

    /// Returns whether anything can be hidden from a player at this table. The result matters only for games that hide
    /// something at some table. (Two players of conquest2 see everything.)
    fn hides_at_this_table(&self) -> bool {
        true
    }

    /// Returns whether nothing in the game is ever hidden, random or simultaneous. A sequence of actions then always
    /// leads to the same state, and a search may keep its results for each of them. `false` is always safe.
    fn is_deterministic(&self) -> bool {
        false
    }

    /// Returns whether the game is deterministic from `state` on: no hidden, random or simultaneous event comes any
    /// more. A game with chance only at its start overrides this method, and not [`Game::is_deterministic`]. `false` is
    /// always safe.
    fn is_deterministic_from(&self, _state: &Self::State) -> bool {
        self.is_deterministic()
    }

    /// Returns the largest number of choices in a game, where those of a simultaneous turn count as one; `None` where the
    /// rules set no such bound, or a game does not know it.
    fn max_game_length(&self) -> Option<u32> {
        None
    }

    /// Returns the number of milestones passed: points of the game at which a record holds a full state (see
    /// `records`). It grows by one when such a point is passed. It is 0 at the start, unless the start itself is a
    /// milestone.
    fn milestone(&self, _state: &Self::State) -> u32 {
        0
    }

    /// Applies an action after checking it: [`Game::apply`] for people, files and foreign agents.
    ///
    /// # Errors
    /// If it is not the turn of `player` alone, or `action` is not legal for them; the state is unchanged.
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

/// A game that never hides anything, so that agents may see its states.
pub trait PerfectInformation: Game {}
