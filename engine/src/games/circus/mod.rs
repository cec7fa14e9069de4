//! Circus Maximus (Reiner Knizia, in "Rome", GMT Games 2001): a chariot race on hexes.
//!
//! - **Players** 2 to 5, with three chariots and the cards 1 to 5 each. **Length** about 135 decisions with three
//!   greedy players, and about 1,440 with random ones, who hardly ever come home in 100 rounds.
//! - **Hidden**: nothing. **Chance**: the first player to place.
//! - **Source**: the rulebook, restated in numbered clauses by the project's normative rules page.
//!   `docs/rules/circus.md` has the rulings where the text is silent, and lists the reconstructed numbers of the board.
//!   Clause numbers here are of that page.
//! - **State**: see [`State`]; 208 bytes without heap memory.
//! - **Proof**: `engine/tests/perft/circus.txt`, counted by a program that shares no code with this one.
//!
//! # Modules
//!
//! - `treated`: treatments of a race.
//! - `limits`: limits on a board.
//! - `config`: the configuration as Rust values, and its checks.
//! - `board`: tables built from it: lines of bits, goals of cards, gates of the finish, steps to go.
//! - `state`: the position, and its readers for agents.
//! - `moves`: the options of a decision, counted, listed and drawn as bits.
//! - `turn`, `ranking`: the course of the race, and the final placing.
//! - `by_hand`: the check of a position from a document.
//! - `notation`, `drawing`, `tensor`: text, JSON, and the board as a drawing; numbers of actions and observations.
//! - `clauses`, `oracle`, `position`: tests: clauses on positions made by hand, and a naive walker beside the tables.

mod board;
#[cfg(feature = "data")]
mod by_hand;
#[cfg(test)]
mod clauses;
mod config;
mod drawing;
mod limits;
mod moves;
mod notation;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod position;
mod ranking;
mod state;
mod tensor;
mod treated;
mod turn;

use std::sync::Arc;

use self::board::Board;
use self::config::Config;
use self::state::Phase;
use crate::action_index::ActionBlock;
use crate::game::{Game, PerfectInformation, Turn};
use crate::hash::hash_of;
use crate::player::{ByPlayer, Player};
use crate::rng::{Purpose, Randomness};
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::treatment::Treatment;

pub use self::limits::DIRECTION_IDS;
pub use self::moves::Action;
pub use self::state::{Chariot, State};

/// The rules of Circus Maximus for one number of players.
#[derive(Clone, Debug)]
pub struct Circus {
    board: Arc<Board>,
    numbers: Arc<[ActionBlock]>,
    n_players: usize,
    straight_only: bool,
}

impl Circus {
    /// Returns the default rules for `n_players`.
    ///
    /// # Panics
    /// If `n_players` is not within 2 to 5.
    #[must_use]
    pub fn new(n_players: usize) -> Self {
        Self::configure(n_players, &Rules::of::<Self>()).expect("the default rules are in order")
    }

    /// Returns the number of chariots of a player.
    #[must_use]
    pub fn chariots_per_player(&self) -> usize {
        self.board.team
    }

    /// Returns the largest number of cards of a chariot in a round.
    #[must_use]
    pub fn cards_per_chariot(&self) -> usize {
        self.board.most_cards.into()
    }
}

impl Game for Circus {
    type State = State;
    type Action = Action;

    fn n_players(&self) -> usize {
        self.n_players
    }

    fn start(&self) -> State {
        State::new(self.board.empty)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::First => Turn::Chance,
            Phase::Place => Turn::Player(Player::new(self.placer(state))),
            Phase::Begin | Phase::Continue => {
                Turn::Player(Player::new(state.mover() / limits::TEAM))
            }
            Phase::Over => Turn::Over,
        }
    }

    fn actions(&self, state: &State, _player: Player, out: &mut Vec<Action>) {
        self.list(state, out);
    }

    fn n_actions(&self, state: &State, _player: Player, _scratch: &mut Vec<Action>) -> usize {
        state.n_options.into()
    }

    fn is_legal(
        &self,
        state: &State,
        _player: Player,
        action: Action,
        _: &mut Vec<Action>,
    ) -> bool {
        self.is_option(state, action)
    }

    #[inline]
    fn random_action<R: Randomness + ?Sized>(
        &self,
        state: &State,
        _player: Player,
        rng: &mut R,
        _scratch: &mut Vec<Action>,
    ) -> Action {
        self.random_option(state, rng)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        if state.is_fresh {
            (state.is_fresh, state.closing) = (false, [0; limits::MAX_SEATS]);
        }
        self.step(state, action);
        self.settle(state);
    }

    fn draw<R: Randomness + ?Sized>(&self, _state: &State, rng: &mut R) -> Action {
        Action::First(Player::of(rng.below(self.n_players as u32) as u8))
    }

    fn chance_purpose(&self, _state: &State) -> Purpose {
        Purpose::Setup
    }

    fn outcomes(&self, _state: &State, out: &mut Vec<(Action, f64)>) {
        let probability = 1.0 / self.n_players as f64;
        out.extend(Player::all(self.n_players).map(|player| (Action::First(player), probability)));
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        self.points(state)
    }

    fn scores(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(self.placings(state))
    }

    /// Returns a choice for the start of each chariot, and one for each card that it may use in each round.
    fn max_game_length(&self) -> Option<u32> {
        let chariots = (self.n_players * self.board.team) as u32;
        let choices = u32::from(self.board.most_cards.max(1));
        Some(chariots * (1 + self.board.config.max_rounds as u32 * choices))
    }

    fn determinize<R: Randomness + ?Sized>(&self, _: &mut State, _: Player, _: &mut R) {}

    fn info_state_key(&self, state: &State, _observer: Player) -> u64 {
        hash_of(state)
    }

    fn is_deterministic_from(&self, state: &State) -> bool {
        state.phase != Phase::First
    }

    fn milestone(&self, state: &State) -> u32 {
        state.round.into()
    }
}

impl PerfectInformation for Circus {}

impl Configure for Circus {
    fn about() -> About {
        About {
            name: "circus",
            title: "Circus Maximus",
            players: 2..=5,
            default_players: 3,
            information: Information::Perfect,
            chance: Chance::Of("who places first"),
            provenance: Provenance::Reconstructed(
                "rulebook (Reiner Knizia, Rome, GMT Games 2001); parts of the board reconstructed",
            ),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../../data/circus.toml")
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        super::check_players::<Self>(n_players)?;
        let config = Config::read(rules, n_players)?;
        let straight_only = config.straight_only;
        let mut board = Board::new(rules, config)?;
        treated::treat(&mut board, rules, n_players)?;
        let numbers = tensor::numbers(&board, straight_only).into();
        Ok(Self { board: Arc::new(board), numbers, n_players, straight_only })
    }
}

impl Treatable for Circus {
    fn treatments() -> &'static [Treatment] {
        treated::TREATMENTS
    }
}
