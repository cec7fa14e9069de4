//! Conquest of the Empire (Classic, 2005) with the Friz 1.3 variant: marches, legions and tribute on the map of the
//! empire.
//!
//! - **Players** 2 to 6. **Length** about 490 decisions and 45 events of chance with four random players.
//! - **Hidden**: nothing. **Chance**: dice of battles, and the die that ends the game.
//! - **Source**: the text of the Friz 1.3 variant and published reports of the base game, restated in numbered clauses
//!   by the project's normative rules page. `docs/rules/classic.md` has the rulings where that is silent. Clause
//!   numbers here are of that page.
//! - **State**: see [`State`]; no more than 1,536 bytes without heap memory.
//!
//! A turn is cut into small decisions ([`Phase`]). [`Game::apply`] carries out one of them and every forced step after
//! it. It stops at the next event of chance or decision of at least two options.
//!
//! # Modules, each of which uses only those above it
//!
//! - `model` (`config`, `check`, `gifts`, `treated`): the configuration as Rust values, its checks, the gifts of a
//!   game, and its treatments and sweeps.
//! - `model` (`place`, `board`): provinces and zones in one order; tables and masks built from the configuration.
//! - `model` (`phase`, `action`, `rows`): the decision or event that is due; words and numbers of a choice; menus of
//!   pairs as rows that are counted without a list.
//! - `model` (`state`, and `battle`, `detail` beside it): the position, its battle, the choices of the action under
//!   way.
//! - `flow` (`setup`, `turn`, `movement`, `group`, `naval`, `land`, `conquest`, `fall`, `market`, `scoring`): the rules
//!   by section of the rules page; `group` has the members of a group and their arrival, `fall` has fallen leaders and
//!   players who are out.
//! - `flow` (`choice`, `chance`): options as actions; events of chance.
//! - `api` (`read`, `reply`, `purchase`, `length`): readers of a position for agents; a plain policy for the rest of a
//!   turn; purchases in any order, for evaluations; the largest number of choices in a game.
//! - `by_hand` (`board`, `course`, `battle`): the check of a position from a document.
//! - `text` (`notation`, `table`, `tensor`): text and JSON; numbers of actions and observations.
//! - `proof` (`audit`, `position`, `clauses`): invariants of a position counted anew from the board; positions made by
//!   hand, and clauses on them.
//! - `proof` (`oracle`, `beside`): tests: a naive model of movement, compared with the rules in random games.

mod api;
#[cfg(feature = "data")]
mod by_hand;
mod flow;
mod model;
mod proof;
mod text;

use std::sync::Arc;

use self::model::board::Board;
use self::model::check;
use self::model::gifts::Treatments;
use self::model::treated::{SWEEPS, TREATMENTS};
use self::text::Numbers;
use crate::game::{Game, PerfectInformation, Turn};
use crate::games::shared::options::Options;
use crate::hash::hash_of;
use crate::player::{ByPlayer, Player};
use crate::rng::{Purpose, Randomness};
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::treatment::{Sweep, Treatment};

pub use self::api::{BattleRules, Engagement, Muster};
pub use self::model::action::{Action, Verb};
pub use self::model::battle::Side;
pub use self::model::board;
pub use self::model::detail::{Group, Kind, Way};
pub use self::model::phase::Phase;
pub use self::model::place::{Place, PlaceSet};
pub use self::model::state::State;
pub use crate::games::shared::units;

/// The rules of Conquest of the Empire for one number of players.
#[derive(Clone, Debug)]
pub struct Classic {
    board: Arc<Board>,
    numbers: Arc<Numbers>,
    n_players: usize,
}

impl Classic {
    /// Returns the default rules for `n_players`.
    ///
    /// # Panics
    /// If `n_players` is not within 2 to 6.
    #[must_use]
    pub fn new(n_players: usize) -> Self {
        Self::configure(n_players, &Rules::of::<Self>()).expect("the default rules are in order")
    }

    /// Returns the players, in seat order.
    fn players(&self) -> impl DoubleEndedIterator<Item = Player> + Clone + use<> {
        Player::all(self.n_players)
    }

    /// Returns the home of a player of the table.
    fn home(&self, player: Player) -> Place {
        self.board.home[player].expect("every seat of the table has a home")
    }

    /// Returns whether a player owns their home.
    fn has_home(&self, s: &State, player: Player) -> bool {
        s.owned[player].contains(self.home(player))
    }

    /// Goes on to the next event of chance or decision of at least two options.
    fn settle(&self, s: &mut State) {
        loop {
            if s.phase == Phase::Over || s.phase.is_chance() {
                s.options = Options::NONE;
                return;
            }
            s.options = self.options(s);
            debug_assert!(s.options.n() > 0, "no option in {:?}", s.phase);
            if s.options.n() > 1 {
                return;
            }
            self.step(s, self.option(s, 0));
        }
    }

    /// Returns the options of the decision that is due.
    fn options(&self, s: &State) -> Options {
        match s.phase {
            Phase::Move | Phase::Attack | Phase::Market => self.menu_options(s),
            Phase::Claim => Options::of(self.open_claims(s, s.actor)),
            Phase::Place => Self::placement_options(s),
            Phase::SailCount => Self::sail_options(s),
            Phase::BoardTo => self.crossing_options(s),
            Phase::Group => self.group_options(s),
            Phase::Legion => self.legion_options(s),
            Phase::Losses | Phase::PursuitLosses => Self::loss_options(s),
            Phase::Retreat => self.retreat_options(s),
            Phase::Keep => Self::keep_options(s),
            Phase::Crown => Self::crown_options(s),
            Phase::Answer => Options::of(0b11u64),
            Phase::Buy => self.buy_options(s),
            Phase::NavalDice | Phase::Dice | Phase::Pursuit | Phase::EndDie | Phase::Over => {
                Options::NONE
            }
        }
    }

    /// Carries out one decision, and stops there.
    fn step(&self, s: &mut State, action: Action) {
        let arg = action.args[0];
        match s.phase {
            Phase::Move => self.choose_move(s, action),
            Phase::Attack => self.attack(s, action),
            Phase::Market => self.choose_market(s, action),
            Phase::Claim => self.claim(s, Place::new(arg)),
            Phase::Place => self.place(s, action),
            Phase::SailCount => self.sail(s, arg),
            Phase::BoardTo => Self::board_to(s, Place::new(arg)),
            Phase::Group => self.count_group(s, arg),
            Phase::Legion => self.choose_legion(s, arg),
            Phase::Losses | Phase::PursuitLosses => self.lose(s, arg),
            Phase::Retreat => self.retreat(s, action),
            Phase::Keep => self.keep(s, arg),
            Phase::Crown => self.crown(s, Place::new(arg)),
            Phase::Answer => self.answer(s, action),
            Phase::Buy => self.buy(s, arg),
            phase => unreachable!("{phase:?} is no decision"),
        }
    }
}

impl Game for Classic {
    type State = State;
    type Action = Action;

    fn n_players(&self) -> usize {
        self.n_players
    }

    fn start(&self) -> State {
        let mut state = State::new(&self.board, self.n_players);
        self.seek_claim(&mut state);
        self.settle(&mut state);
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Over => Turn::Over,
            phase if phase.is_chance() => Turn::Chance,
            _ => Turn::Player(state.actor),
        }
    }

    fn actions(&self, state: &State, _player: Player, out: &mut Vec<Action>) {
        self.list_options(state, out);
    }

    fn n_actions(&self, state: &State, _player: Player, _scratch: &mut Vec<Action>) -> usize {
        state.options.n().into()
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
        self.option(state, rng.below(state.options.n().into()) as u16)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        Self::forget_closing(state);
        if state.phase.is_chance() {
            self.event(state, action);
        } else {
            self.step(state, action);
        }
        self.settle(state);
    }

    #[inline]
    fn draw<R: Randomness + ?Sized>(&self, state: &State, rng: &mut R) -> Action {
        self.draw_event(state, rng)
    }

    fn chance_purpose(&self, _state: &State) -> Purpose {
        Purpose::Dice
    }

    fn outcomes(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        self.list_events(state, out);
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        self.points(state)
    }

    fn scores(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(self.all_scores(state))
    }

    fn determinize<R: Randomness + ?Sized>(&self, _: &mut State, _: Player, _: &mut R) {}

    fn is_open_to(&self, _state: &State, _observer: Player) -> bool {
        true
    }

    fn info_state_key(&self, state: &State, _observer: Player) -> u64 {
        hash_of(state)
    }

    fn max_game_length(&self) -> Option<u32> {
        self.most_choices()
    }

    fn milestone(&self, state: &State) -> u32 {
        state.milestone.into()
    }
}

impl PerfectInformation for Classic {}

impl Configure for Classic {
    fn about() -> About {
        About {
            name: "classic",
            title: "Conquest of the Empire",
            players: 2..=6,
            default_players: 4,
            information: Information::Perfect,
            chance: Chance::Of("dice"),
            provenance: Provenance::Reconstructed(
                "text of the Friz 1.3 variant; base game from reports, map and some numbers reconstructed (docs/rules/classic.md)",
            ),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../../data/classic.toml")
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        super::check_players::<Self>(n_players)?;
        let mut board = Board::new(check::read(rules, n_players)?, n_players);
        board.treated = Treatments::read(rules, &board, n_players)?;
        let numbers = Arc::new(Numbers::new(&board, n_players));
        Ok(Self { board: Arc::new(board), numbers, n_players })
    }
}

impl Treatable for Classic {
    fn treatments() -> &'static [Treatment] {
        TREATMENTS
    }

    fn sweeps() -> &'static [Sweep] {
        SWEEPS
    }

    fn treats_before_chance() -> bool {
        true
    }

    fn stage(&self, state: &State) -> u8 {
        state.round.max(1)
    }

    fn n_stages(&self) -> u8 {
        self.board.last_round()
    }

    fn holdings<'a>(&'a self, state: &State, out: &mut Vec<(&'a str, ByPlayer<u8>)>) {
        out.extend(self.board.homes.iter().map(|home| {
            let name = self.board.ids[home.idx()].as_str();
            (name, ByPlayer::from_fn(|seat| state.owned[seat].contains(home).into()))
        }));
    }
}
