//! Imperium (Reiner Knizia, in "Rome", GMT Games 2001): influence in eight provinces, chosen in secret.
//!
//! - **Players** 2 to 5. **Length** about 17 rounds with four random players, with a choice each.
//! - **Hidden**: only stacks while they are chosen, which is a [`Turn::Simultaneous`]; nothing is random.
//! - **Source**: the rulebook, restated in numbered clauses by the project's normative rules page.
//!   `docs/rules/imperium.md` has the rulings where the text is silent, and lists the reconstructed numbers. Clause
//!   numbers here are of that page.
//! - **State**: see [`State`]; 88 bytes. An action is the number of a stack, one byte ([`stacks`]).
//!
//! A round is one simultaneous turn of all players with a free piece. If the Oracle was played, a second turn of those
//! who played it follows. A round in which no player has a free piece is a turn of all players with a single option. So
//! it is a step of the game like every other, and a record can hold the state after it.
//!
//! # Modules
//!
//! - `config`: the configuration as Rust values, and its checks.
//! - `treated`: treatments of a game.
//! - `stacks`: all stacks that can be legal, in an order that makes those of a decision a range, and the legal stacks
//!   of a seat under bans.
//! - `board`: tables built from the configuration.
//! - `state`: the position.
//! - `by_hand`: the check of a position from a document.
//! - `round`: reveal, choose again, place, score, end.
//! - `notation`, `tensor`: text and JSON; numbers of actions and observations.
//! - `position`, `clauses`: tests: positions made by hand, and the clauses on them.

pub mod board;
#[cfg(feature = "data")]
mod by_hand;
#[cfg(test)]
mod clauses;
mod config;
mod notation;
#[cfg(test)]
mod position;
mod round;
pub mod stacks;
mod state;
mod tensor;
mod treated;

use std::sync::Arc;

use self::board::Board;
use self::config::Config;
use crate::data::data;
use crate::game::{Game, Joint, PerfectInformation, Turn};
use crate::player::{ByPlayer, Player, share_the_point};
use crate::rng::Randomness;
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::treatment::Treatment;

pub use self::state::State;

/// Number of seats at the largest table.
pub const MOST_SEATS: usize = 5;

/// A stack of cards by its number; [`Board::stack`] has its cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action(u8);

data!(struct Action(u8));

impl Action {
    /// The stack without cards, for a player who has no free piece.
    pub const EMPTY: Self = Self(0);
    /// The Oracle.
    pub const ORACLE: Self = Self(u8::MAX);
}

/// The rules of Imperium for one number of players.
#[derive(Clone, Debug)]
pub struct Imperium {
    board: Arc<Board>,
    n_players: usize,
}

impl Imperium {
    /// Returns the default rules for `n_players`.
    ///
    /// # Panics
    /// If `n_players` is not within 2 to 5.
    #[must_use]
    pub fn new(n_players: usize) -> Self {
        Self::configure(n_players, &Rules::of::<Self>()).expect("the default rules are in order")
    }

    /// Returns the board and the numbers of the rules.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the number of cards that a seat plays in this round (clauses I2, I2d).
    #[inline]
    fn n_cards(&self, s: &State, seat: usize) -> usize {
        s.free[seat].min(self.board.per_round).into()
    }

    /// Returns the number of stacks without Oracle, and whether the Oracle may be played.
    #[inline]
    fn choices(&self, s: &State, seat: usize) -> (u32, bool) {
        let n_cards = self.n_cards(s, seat);
        let n = match &self.board.allowed {
            None => self.board.stacks.count(n_cards, s.has_ear(seat)),
            Some(allowed) => allowed.of(seat, n_cards, s.has_ear(seat)).len() as u32,
        };
        (n, n_cards > 0 && s.has_oracle(seat))
    }

    #[inline]
    fn nth(&self, s: &State, seat: usize, k: u32) -> Action {
        let (n, _) = self.choices(s, seat);
        match &self.board.allowed {
            _ if k >= n => Action::ORACLE,
            None => self.board.stacks.nth(self.n_cards(s, seat), k),
            Some(allowed) => allowed.of(seat, self.n_cards(s, seat), s.has_ear(seat))[k as usize],
        }
    }

    #[inline]
    fn is_stack(&self, s: &State, player: Player, action: Action) -> bool {
        let seat = player.idx();
        if action == Action::ORACLE {
            return self.choices(s, seat).1;
        }
        let (n_cards, has_ear) = (self.n_cards(s, seat), s.has_ear(seat));
        match &self.board.allowed {
            None => self.board.stacks.is_of(action, n_cards, has_ear),
            Some(allowed) => allowed.of(seat, n_cards, has_ear).contains(&action),
        }
    }
}

impl Game for Imperium {
    type State = State;
    type Action = Action;

    fn n_players(&self) -> usize {
        self.n_players
    }

    fn start(&self) -> State {
        State::new(&self.board, self.n_players)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.choosing.is_empty() { Turn::Over } else { Turn::Simultaneous(state.choosing) }
    }

    fn actions(&self, state: &State, player: Player, out: &mut Vec<Action>) {
        let (n, may_ask_oracle) = self.choices(state, player.idx());
        let n = n + u32::from(may_ask_oracle);
        out.extend((0..n).map(|k| self.nth(state, player.idx(), k)));
    }

    #[inline]
    fn n_actions(&self, state: &State, player: Player, _scratch: &mut Vec<Action>) -> usize {
        let (n, may_ask_oracle) = self.choices(state, player.idx());
        n as usize + usize::from(may_ask_oracle)
    }

    #[inline]
    fn is_legal(
        &self,
        state: &State,
        player: Player,
        action: Action,
        _scratch: &mut Vec<Action>,
    ) -> bool {
        state.choosing.contains(player) && self.is_stack(state, player, action)
    }

    #[inline]
    fn random_action<R: Randomness + ?Sized>(
        &self,
        state: &State,
        player: Player,
        rng: &mut R,
        _scratch: &mut Vec<Action>,
    ) -> Action {
        let (n, may_ask_oracle) = self.choices(state, player.idx());
        self.nth(state, player.idx(), rng.below(n + u32::from(may_ask_oracle)))
    }

    fn apply(&self, _state: &mut State, action: Action) {
        unreachable!("{action:?} alone: all turns are simultaneous")
    }

    #[inline]
    fn apply_joint(&self, state: &mut State, joint: &Joint<Action>) {
        self.reveal(state, joint);
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        share_the_point(&state.points[..self.n_players])
    }

    fn scores(&self, state: &State) -> Option<ByPlayer<i32>> {
        let mut scores = ByPlayer::default();
        scores.0.iter_mut().zip(state.points).for_each(|(score, points)| *score = points as i32);
        Some(scores)
    }

    /// Returns two choices a round: the stacks, and those of the Oracle players again.
    fn max_game_length(&self) -> Option<u32> {
        Some(2 * u32::from(self.board.max_rounds))
    }

    fn determinize<R: Randomness + ?Sized>(&self, _: &mut State, _: Player, _: &mut R) {}

    fn milestone(&self, state: &State) -> u32 {
        state.round()
    }
}

impl PerfectInformation for Imperium {}

impl Configure for Imperium {
    fn about() -> About {
        About {
            name: "imperium",
            title: "Imperium",
            players: 2..=5,
            default_players: 4,
            information: Information::AtOnce("stacks"),
            chance: Chance::None,
            provenance: Provenance::Reconstructed(
                "rulebook; map and some numbers reconstructed (docs/rules/imperium.md)",
            ),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../../data/imperium.toml")
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        super::check_players::<Self>(n_players)?;
        let mut board = Board::new(&Config::read(rules, n_players)?, n_players);
        treated::treat(&mut board, rules, n_players)?;
        Ok(Self { board: Arc::new(board), n_players })
    }
}

impl Treatable for Imperium {
    fn treatments() -> &'static [Treatment] {
        treated::TREATMENTS
    }
}
