//! Conquest of the Empire II (Glenn Drover, Eagle Games 2005), the main game of the toolkit.
//!
//! - **Players** 2 to 6. **Length** about 490 decisions and 115 events of chance with four random players.
//! - **Hidden**: Senators that were bribed, from all but thief and victim; the order of deck and bag, which is drawn
//!   when it is revealed.
//! - **Source**: the rulebook, restated in numbered clauses by the project's normative rules page.
//!   `docs/rules/conquest2.md` has the rulings where the text is silent. Clause numbers here are of that page.
//! - **State**: see [`State`]; 1,392 bytes without heap memory.
//!
//! A turn is cut into small decisions ([`Phase`]). [`Game::apply`] carries out one of them and every forced step after
//! it. It stops at the next event of chance or decision of at least two options.
//!
//! # Modules, each of which uses only those above it
//!
//! - `model` (`config`, `check`): the configuration as Rust values, and its checks.
//! - `model` (`place`, `cards`; `units` in `shared`): provinces, zones, keys, cards and units as types.
//! - `model` (`board`): tables and masks built from the configuration.
//! - `model` (`phase`, `action`, `options`, `counts`): the decision or event that is due; words and numbers of a
//!   choice; options as a set or a range; counts that follow each other.
//! - `model` (`log`): events of Senators.
//! - `model` (`treatments`, and `treated`, `reader` and `sweeps` beside it): the list of treatments, those of one
//!   configuration by season and seat, their reader, and the sweeps of the rules.
//! - `model` (`state`, and `battle`, `detail`, `takes`, `packed`, `digest` beside it): the position, its battle, the
//!   choices of the action under way, the cards taken by the player in turn, packed words, the hash.
//! - `knowledge` (`posterior`, `hands`): each seat's information about Senators; worlds.
//! - `flow` (`setup`, `outside` (effects of treatments), `auction`, `turn`, `movement`, `battle`, `campaign`,
//!   `immediate`, `uses`, `senate`, `scoring`): the rules by section of the rules page.
//! - `flow` (`choice`, `chance`, `due`): options as actions; events of chance; by phase, the functions that find the
//!   options and carry out a choice.
//! - `api` (`read`, `changes`, `decision`): readers for agents of a position, of the differences between two, and of
//!   the decision that is due.
//! - `api` (`length`): the largest number of choices in a game.
//! - `api` (`macro_actions`): whole actions, or their beginnings, for evaluations of their results.
//! - `api` (`combat`): battles for evaluations: their numbers, their sides, a roll given as hits, a battle set up by
//!   hand.
//! - `by_hand` (`board`, `senators`, `course`, `turn`, `battle`): the check of a position from a document.
//! - `text` (`notation`, `table`, `observation`, `tensor`): text and JSON; the view of a seat; numbers of actions and
//!   observations.
//! - `proof` (`audit`, `position`, `clauses`): tests: invariants of a position counted anew from the board, positions
//!   made by hand, and clauses on them.
//! - `proof` (`outside`): tests: treated games beside their controls.
//! - `proof` (`course`): tests: the course of the game as drawn in `docs/rules/conquest2-phases.md`, as tabled in
//!   `phase`, as played.

mod api;
#[cfg(feature = "data")]
mod by_hand;
mod flow;
mod knowledge;
mod model;
mod proof;
mod text;

use std::sync::Arc;

use self::model::board::Board;
use self::model::check;
use self::model::digest::AtTable;
use self::model::options::Options;
use self::model::sweeps::SWEEPS;
use self::model::treated::Treatments;
use self::model::treatments::{MARKET, PRECEDENCE, TERRITORY, TREATMENTS};
use crate::action_index::ActionBlock;
use crate::game::{Game, Turn};
use crate::hash::key_of;
use crate::market::{Market, Placings, Precedence, Territory, Uptake};
use crate::player::{ByPlayer, Player};
use crate::rng::{Purpose, Randomness};
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::treatment::{Sweep, Treatment};

pub use self::api::combat::{BattleRules, Muster};
pub use self::api::read::Situation;
pub use self::model::action::{Action, Source, Verb};
pub use self::model::battle::Side;
pub use self::model::cards::{Card, CardKind, CardSet};
pub use self::model::counts::{Mover, N_MOVERS};
pub use self::model::phase::Phase;
pub use self::model::place::{Key, KeySet, Place, PlaceSet, Site, SiteSet, Zone, ZoneSet};
pub use self::model::state::State;
pub use self::model::{board, cards, units};

/// The rules of Conquest of the Empire II for one number of players.
#[derive(Clone, Debug)]
pub struct Conquest2 {
    board: Arc<Board>,
    numbers: Arc<[ActionBlock]>,
    n_players: usize,
}

impl Conquest2 {
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

    /// Plays an action as [`Game::apply`] does, for evaluations of its result. Where the turn goes on after the action,
    /// it computes no options: the position then has none, and no decision can be made in it.
    #[inline]
    pub fn try_out(&self, state: &mut State, action: Action) {
        self.carry_on(state, action, Self::is_turn_going_on);
    }

    /// Returns whether a turn goes on, where an evaluation stops.
    #[inline]
    fn is_turn_going_on(s: &State) -> bool {
        s.phase() == Phase::Top && s.actions_left > 0
    }

    #[inline]
    fn carry_on(&self, s: &mut State, action: Action, is_enough: impl Fn(&State) -> bool) {
        self.step(s, action);
        self.go_on(s, is_enough);
    }

    /// Goes on to the next event of chance or decision of at least two options.
    fn settle(&self, s: &mut State) {
        self.go_on(s, |_| false);
    }

    /// Goes on as [`Self::settle`] does, or until `is_enough`.
    #[inline]
    fn go_on(&self, s: &mut State, is_enough: impl Fn(&State) -> bool) {
        loop {
            if s.phase().is_chance() || s.phase() == Phase::Over || is_enough(s) {
                s.options = Options::NONE;
                return;
            }
            s.options = self.options(s);
            debug_assert!(s.options.n() > 0, "no option in {:?}", s.phase());
            if s.options.n() > 1 {
                return;
            }
            self.step(s, self.option(s, 0));
        }
    }
}

impl Game for Conquest2 {
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
        match state.phase() {
            Phase::Over => Turn::Over,
            phase if phase.is_chance() => Turn::Chance,
            _ => Turn::Player(state.actor()),
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
        self.carry_on(state, action, |_| false);
    }

    #[inline]
    fn draw<R: Randomness + ?Sized>(&self, state: &State, rng: &mut R) -> Action {
        self.draw_event(state, rng)
    }

    fn chance_purpose(&self, state: &State) -> Purpose {
        Self::purpose_of(state)
    }

    fn outcomes(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        self.list_events(state, out);
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        self.points(state)
    }

    fn scores(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(ByPlayer(state.vp.0.map(i32::from)))
    }

    fn determinize<R: Randomness + ?Sized>(
        &self,
        state: &mut State,
        observer: Player,
        rng: &mut R,
    ) {
        if state.determinize_senators(observer, rng) && state.phase() == Phase::Vote {
            state.options = self.options(state); // voters may hold other Senators now
        }
    }

    fn is_open_to(&self, state: &State, observer: Player) -> bool {
        state.has_seen_all_bribes(observer)
    }

    fn info_state_key(&self, state: &State, observer: Player) -> u64 {
        if state.hides_nothing_from(observer) {
            return key_of(&AtTable(state, self.n_players));
        }
        key_of(&AtTable(&state.as_known_to(observer), self.n_players))
    }

    fn hides_at_this_table(&self) -> bool {
        self.n_players > 2
    }

    fn max_game_length(&self) -> Option<u32> {
        self.most_choices()
    }

    fn milestone(&self, state: &State) -> u32 {
        state.milestone.into()
    }
}

impl Configure for Conquest2 {
    fn about() -> About {
        About {
            name: "conquest2",
            title: "Conquest of the Empire II",
            players: 2..=6,
            default_players: 4,
            information: Information::Hidden("bribed Senators are hidden"),
            chance: Chance::Of("dice, cards, tokens"),
            provenance: Provenance::Reconstructed(
                "rulebook; map and some numbers reconstructed (docs/rules/conquest2.md)",
            ),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../../data/conquest2.toml")
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        super::check_players::<Self>(n_players)?;
        let mut board = Board::new(check::read(rules, n_players)?);
        board.treated = Treatments::read(rules, &board, n_players)?;
        let numbers = text::numbers(&board, n_players).into();
        Ok(Self { board: Arc::new(board), numbers, n_players })
    }
}

impl Treatable for Conquest2 {
    fn treatments() -> &'static [Treatment] {
        TREATMENTS
    }

    fn sweeps() -> &'static [Sweep] {
        SWEEPS
    }

    fn markets() -> &'static [Market] {
        &[MARKET]
    }

    fn territory() -> Option<Territory> {
        Some(TERRITORY)
    }

    fn precedence() -> Option<Precedence> {
        Some(PRECEDENCE)
    }

    fn placings(&self, state: &State) -> Option<Placings> {
        Some(Placings {
            settled: (self.n_players - state.unallied.len()) as u8,
            order: state.order,
            second: state.alliance_b,
            money: ByPlayer(state.money.0.map(i32::from)),
        })
    }

    fn stage(&self, state: &State) -> u8 {
        state.season + 1
    }

    fn n_stages(&self) -> u8 {
        self.board.config.options.seasons as u8
    }

    fn available_uptakes<'a>(&'a self, state: &State, _player: Player, out: &mut Vec<Uptake<'a>>) {
        self.list_available_uptakes(state, out);
    }

    fn uptake<'a>(
        &'a self,
        state: &State,
        _player: Player,
        action: Action,
        out: &mut Vec<Uptake<'a>>,
    ) {
        self.list_uptake(state, action, out);
    }

    fn holdings<'a>(&'a self, state: &State, out: &mut Vec<(&'a str, ByPlayer<u8>)>) {
        out.extend(Key::first(self.board.n_keys).map(|key| {
            (self.board.name_of(key), ByPlayer::from_fn(|seat| state.influence_of(seat, key)))
        }));
    }

    /// Returns the place of a battle on land, or of a revolt.
    fn fighting<'a>(&'a self, state: &State) -> Option<&'a str> {
        let key = self.board.key_of[state.battle.place?.idx()]?;
        Some(self.board.name_of(key))
    }
}
