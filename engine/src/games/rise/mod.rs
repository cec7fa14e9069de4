//! Rise of Empires (Martin Wallace, 2009): civilizations over three eras.
//!
//! - **Players** 2 to 5. **Length** six turns with six actions for each player; about 210 plies with two random
//!   players, 550 with five.
//! - **Hidden**: nothing; the contents of both kinds of stacks are public. **Chance**: the first turn order, and the
//!   tiles that come.
//! - **Source**: a player aid, restated in numbered clauses by the project's normative rules page; the numbers of map
//!   and tiles are reconstructed. `docs/rules/rise.md` has the rulings. Clause numbers here are of that page.
//! - **State**: see [`State`]; plain numbers and sets without heap memory, below 1,024 bytes.
//! - **Proof**: clauses on positions made by hand, a naive second implementation of the hard parts, an audit that
//!   counts everything anew, and node counts.
//!
//! A stack is unseen and needs no order: a tile is drawn when it comes, out of all that are left.
//!
//! # Modules
//!
//! - `things`: regions, tiles, rows and goods as types, with their numbers.
//! - `config`, `check`: the configuration as Rust values, and its checks.
//! - `treated`: treatments of a game, and sweeps of its rules.
//! - `board`, and `facts` in it: tables built from the configuration.
//! - `state`, `action`: the position; choices and events of chance.
//! - `options`: the options of a decision as sets and ranges, found once.
//! - `tiles`, `turn`, `empire`, `upkeep`: the rules: set-up and the arrival of tiles, actions, empire tiles and
//!   battles, upkeep after the actions.
//! - `length`: the largest number of choices in a game.
//! - `read`: readers for agents.
//! - `by_hand` (`board`, `course`, `action`, `upkeep`): the check of a position from a document.
//! - `notation`, `table`, `tensor`: text and JSON; the position for people; numbers of actions and observations.
//! - `audit`, `position`, `clauses`, `oracle`: tests: invariants counted anew, positions made by hand, clauses on them,
//!   and a naive model of the hard parts.

mod action;
mod audit;
pub mod board;
#[cfg(feature = "data")]
mod by_hand;
mod check;
#[cfg(test)]
mod clauses;
mod config;
mod empire;
mod facts;
mod length;
mod market;
mod notation;
mod options;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod position;
mod read;
mod state;
mod table;
mod tensor;
pub mod things;
mod tiles;
mod treated;
mod turn;
mod upkeep;

use std::sync::Arc;

use self::board::Board;
use self::treated::Outside;
use crate::action_index::ActionBlock;
use crate::game::{Game, PerfectInformation, Turn};
use crate::market::{Market, Precedence, Territory, Uptake};
use crate::player::{ByPlayer, Player, share_the_point};
use crate::rng::{Purpose, Randomness};
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::treatment::{Sweep, Treatment};

pub use self::action::Action;
pub use self::read::Placing;
pub use self::state::{Phase, State, Tiles};
pub use self::upkeep::Standing;

/// The rules of Rise of Empires for one number of players.
#[derive(Clone, Debug)]
pub struct Rise {
    board: Arc<Board>,
    numbers: Arc<[ActionBlock]>,
}

impl Rise {
    /// Returns the default rules for `n_players`.
    ///
    /// # Panics
    /// If `n_players` is not within 2 to 5.
    #[must_use]
    pub fn new(n_players: usize) -> Self {
        Self::configure(n_players, &Rules::of::<Self>()).expect("the default rules are in order")
    }

    /// Returns the tables of the game.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl Game for Rise {
    type State = State;
    type Action = Action;

    fn n_players(&self) -> usize {
        self.board.n_players
    }

    fn start(&self) -> State {
        self.set_up()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Order | Phase::DrawProgress | Phase::DrawTerritory => Turn::Chance,
            Phase::Over => Turn::Over,
            _ => Turn::Player(state.mover()),
        }
    }

    fn actions(&self, state: &State, _player: Player, out: &mut Vec<Action>) {
        self.list(state, out);
    }

    #[inline]
    fn n_actions(&self, state: &State, _player: Player, _scratch: &mut Vec<Action>) -> usize {
        state.n_options.into()
    }

    fn is_legal(
        &self,
        state: &State,
        _player: Player,
        action: Action,
        _scratch: &mut Vec<Action>,
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
        self.carry_out(state, action);
    }

    fn draw<R: Randomness + ?Sized>(&self, state: &State, rng: &mut R) -> Action {
        self.draw_one(state, rng)
    }

    fn chance_purpose(&self, state: &State) -> Purpose {
        if state.phase == Phase::Order { Purpose::Setup } else { Purpose::Decks }
    }

    fn outcomes(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        let total: u32 = self.possible(state).map(|(_, n)| n).sum();
        let chance = |n: u32| f64::from(n) / f64::from(total);
        out.extend(self.possible(state).map(|(outcome, n)| (outcome, chance(n))));
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        // Most points win, then most gold (17).
        let ranks: [(i32, i32); things::MAX_SEATS] =
            std::array::from_fn(|seat| (state.vp[seat], state.gold[seat]));
        share_the_point(&ranks[..self.board.n_players])
    }

    fn scores(&self, state: &State) -> Option<ByPlayer<i32>> {
        let n = self.board.n_players;
        Some(ByPlayer::from_fn(|p| if p.idx() < n { state.vp[p.idx()] } else { 0 }))
    }

    fn max_game_length(&self) -> Option<u32> {
        Some(self.most_choices() as u32)
    }

    /// Changes nothing: stacks are contents without an order, so nothing is hidden.
    fn determinize<R: Randomness + ?Sized>(&self, _: &mut State, _: Player, _: &mut R) {}

    fn is_open_to(&self, _state: &State, _observer: Player) -> bool {
        true
    }

    fn is_deterministic_from(&self, state: &State) -> bool {
        self.nothing_is_drawn_after(state)
    }

    fn milestone(&self, state: &State) -> u32 {
        state.milestone.into()
    }
}

impl PerfectInformation for Rise {}

impl Rise {
    /// Returns whether no later turn draws from a stack.
    fn nothing_is_drawn_after(&self, s: &State) -> bool {
        let is_drawing =
            matches!(s.phase, Phase::Order | Phase::DrawProgress | Phase::DrawTerritory);
        let left = self.n_in_stack(s, self.board.progress_by_era[things::N_ERAS - 1]);
        let last = things::N_TURNS - 1;
        let comes_whole = left <= u32::from(self.board.config.display.progress_per_turn)
            && !self.board.has_territory(last as u8);
        !is_drawing
            && (usize::from(s.turn) >= last || usize::from(s.turn) + 1 == last && comes_whole)
    }
}

impl Configure for Rise {
    fn about() -> About {
        About {
            name: "rise",
            title: "Rise of Empires",
            players: 2..=5,
            default_players: 4,
            information: Information::Perfect,
            chance: Chance::Of("the first turn order, tiles that come"),
            provenance: Provenance::Reconstructed(
                "player aid (Martin Wallace, 2009); map and tiles reconstructed (docs/rules/rise.md)",
            ),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../../data/rise.toml")
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        super::check_players::<Self>(n_players)?;
        let config = check::read(rules, n_players)?;
        let outside = Outside::read(rules, n_players)?;
        let board = Board::new(config, n_players, outside);
        let numbers = tensor::numbers(&board).into();
        Ok(Self { board: Arc::new(board), numbers })
    }
}

impl Treatable for Rise {
    fn treatments() -> &'static [Treatment] {
        treated::TREATMENTS
    }

    fn sweeps() -> &'static [Sweep] {
        treated::SWEEPS
    }

    fn markets() -> &'static [Market] {
        market::MARKETS
    }

    fn territory() -> Option<Territory> {
        Some(market::TERRITORY)
    }

    fn precedence() -> Option<Precedence> {
        Some(market::PRECEDENCE)
    }

    fn available_uptakes<'a>(&'a self, state: &State, _player: Player, out: &mut Vec<Uptake<'a>>) {
        if state.phase == Phase::Object {
            let options = (0..self.n_options(state)).map(|k| self.nth_option(state, k));
            out.extend(options.filter_map(|action| self.taking(action)));
        }
    }

    fn uptake<'a>(
        &'a self,
        _state: &State,
        _player: Player,
        action: Action,
        out: &mut Vec<Uptake<'a>>,
    ) {
        out.extend(self.taking(action));
    }

    fn holdings<'a>(&'a self, state: &State, out: &mut Vec<(&'a str, ByPlayer<u8>)>) {
        out.extend(things::Region::first(things::N_REGIONS).map(|region| {
            let here = state.garrison(region);
            let of = |seat: Player| here.get(seat.idx()).copied().unwrap_or_default();
            (self.board.config.region[region.idx()].id.as_str(), ByPlayer::from_fn(of))
        }));
    }

    fn treats_before_chance() -> bool {
        true
    }

    fn stage(&self, state: &State) -> u8 {
        (state.turn + 1).min(self.n_stages())
    }

    fn n_stages(&self) -> u8 {
        things::N_TURNS as u8
    }
}
