//! Hannibal vs. Rome, the first game of Reiner Knizia's "Rome" (GMT Games 2001).
//!
//! - **Players** 2: Carthage in seat 0 moves first, Rome has seat 1. **Length** 77 plies with two random players.
//! - **Hidden**: only the cards of a duel while they are chosen ([`Turn::Simultaneous`]); nothing is random.
//! - **Source**: the rulebook, restated in numbered clauses (H1 to H6) by the project's normative rules page; the map
//!   is reconstructed in part. `docs/rules/hannibal.md` has the rulings where the text is silent.
//! - **State**: see [`State`]; 70 bytes: pieces by place and side, sets of places beside them, two hands.
//! - **Proof**: clauses on positions made by hand, random games against a second implementation without bit tricks, and
//!   node counts from a third.
//!
//! Options are never listed in play. They are sets of edges, routes and areas, looked up by the places of a side's
//! legions and fleets. Counting them and drawing one take a few instructions.
//!
//! # Modules
//!
//! - `limits`: limits on a map and a side.
//! - `config`: the configuration as Rust values, and its checks.
//! - `board`: tables and masks built from it.
//! - `treated`: treatments of a game.
//! - `state`: the position.
//! - `options`: the options of a turn, as sets that are counted and drawn from.
//! - `turn`, `conflict`: the rules: a turn from choice to end, and duels.
//! - `by_hand`: the check of a position from a document.
//! - `position`, `read`: positions made by hand; readers for agents.
//! - `notation`, `tensor`: text and JSON; numbers of actions and observations.
//! - `clauses`, `oracle`: tests: clauses on positions made by hand, and a naive model of the rules, compared with them
//!   in random games.

mod board;
#[cfg(feature = "data")]
mod by_hand;
#[cfg(test)]
mod clauses;
mod config;
mod conflict;
mod limits;
mod notation;
mod options;
#[cfg(test)]
mod oracle;
mod position;
mod read;
mod state;
mod tensor;
mod treated;
mod turn;

use std::sync::Arc;

use self::board::Board;
use self::config::Config;
use crate::action_index::ActionBlock;
use crate::game::{Game, Joint, Turn};
use crate::player::{ByPlayer, Player, PlayerSet};
use crate::rng::Randomness;
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::treatment::Treatment;

pub use self::board::{Areas, Hand, Routes};
pub use self::options::Action;
pub use self::position::Position;
pub use self::state::{CARTHAGE, Fighter, Outcome, Phase, ROME, Site, State};

/// The rules of Hannibal vs. Rome.
#[derive(Clone, Debug)]
pub struct Hannibal {
    board: Arc<Board>,
    numbers: Arc<[ActionBlock]>,
}

impl Default for Hannibal {
    /// Returns the default rules.
    fn default() -> Self {
        Self::configure(2, &Rules::of::<Self>()).expect("the default rules are in order")
    }
}

impl Game for Hannibal {
    type State = State;
    type Action = Action;

    fn n_players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State::start(&self.board)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Turn => Turn::Player(state.mover),
            Phase::Fight => Turn::Player(Player::new(CARTHAGE)),
            Phase::Duel => Turn::Simultaneous(PlayerSet::first(2)),
            Phase::Over => Turn::Over,
        }
    }

    fn actions(&self, state: &State, player: Player, out: &mut Vec<Action>) {
        self.list(state, player, out);
    }

    #[inline]
    fn n_actions(&self, state: &State, player: Player, _scratch: &mut Vec<Action>) -> usize {
        self.count(state, player) as usize
    }

    fn is_legal(
        &self,
        state: &State,
        player: Player,
        action: Action,
        _scratch: &mut Vec<Action>,
    ) -> bool {
        self.allows(state, player, action)
    }

    #[inline]
    fn random_action<R: Randomness + ?Sized>(
        &self,
        state: &State,
        player: Player,
        rng: &mut R,
        _scratch: &mut Vec<Action>,
    ) -> Action {
        self.pick(state, player, rng)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Fight(fighter) => self.choose_fighter(state, fighter),
            Action::Card(_) => unreachable!("{action:?} alone"),
            turn => self.make_turn(state, turn),
        }
    }

    #[inline]
    fn apply_joint(&self, state: &mut State, joint: &Joint<Action>) {
        let cards = [CARTHAGE, ROME].map(|seat| match joint.0[seat] {
            Some(Action::Card(value)) => value,
            _ => unreachable!("no card: {joint:?}"),
        });
        self.resolve(state, cards);
        self.go_on_fighting(state);
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        let mut points = ByPlayer::default();
        match state.outcome {
            Some(Outcome::Won(side)) => points[side] = 1.0,
            Some(Outcome::Draw) | None => points.0[..2].fill(0.5),
        }
        points
    }

    /// Returns a choice for each turn, and two for each piece of the set-up: every duel costs at least one, and at most one
    /// choice of a fighter comes before it.
    fn max_game_length(&self) -> Option<u32> {
        let pieces = self.board.sides.iter().map(|side| {
            u32::from(side.legions) + u32::from(side.fleets) + u32::from(side.has_hannibal)
        });
        Some(u32::from(self.board.max_turns) + 2 * pieces.sum::<u32>())
    }

    fn determinize<R: Randomness + ?Sized>(&self, _: &mut State, _: Player, _: &mut R) {}
}

impl crate::game::PerfectInformation for Hannibal {}

impl Configure for Hannibal {
    fn about() -> About {
        About {
            name: "hannibal",
            title: "Hannibal vs. Rome",
            players: 2..=2,
            default_players: 2,
            information: Information::AtOnce("cards of a duel"),
            chance: Chance::None,
            provenance: Provenance::Reconstructed(
                "rulebook; map reconstructed in part (docs/rules/hannibal.md)",
            ),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../../data/hannibal.toml")
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        super::check_players::<Self>(n_players)?;
        let mut board = Board::new(&Config::read(rules)?);
        treated::treat(&mut board, rules)?;
        let numbers = tensor::numbers(&board).into();
        Ok(Self { board: Arc::new(board), numbers })
    }
}

impl Treatable for Hannibal {
    fn treatments() -> &'static [Treatment] {
        treated::TREATMENTS
    }
}
