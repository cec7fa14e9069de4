//! Positions made by hand for tests: built from pools, deck and bag, so that every one passes the audit.

use crate::game::{Game, Turn};
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::battle::Side;
use crate::games::conquest2::model::cards::{Card, CardKind, Family, N_CITY_CARDS};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Key, Place, Zone};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::Unit;
use crate::notation::Notation;
use crate::player::{Player, PlayerSet};
use crate::rules::{Configure, Rules};

/// A position in the first turn of round 1: the turn of player 0 in the order 0, 1, 2, …; even seats are alliance A.
#[derive(Clone)]
pub(crate) struct Position {
    pub(crate) game: Conquest2,
    pub(crate) state: State,
}

impl Position {
    const LAND_UNITS: [Unit; 4] = [Unit::Infantry, Unit::Cavalry, Unit::Catapult, Unit::General];

    pub(crate) fn new(n_players: usize) -> Self {
        Self::with(n_players, &[])
    }

    pub(crate) fn with(n_players: usize, settings: &[&str]) -> Self {
        let mut rules = Rules::of::<Conquest2>();
        settings.iter().for_each(|s| rules.set(s).expect("a setting"));
        let game = Conquest2::configure(n_players, &rules).expect("good rules");
        let mut state = game.start();
        state.stand_at(Phase::Top);
        let first = Some(Player::new(0));
        (state.actor, state.first_player) = (first, first);
        (state.milestone, state.unallied) = (1, PlayerSet::EMPTY);
        state.alliance_b = Player::all(n_players).filter(|q| q.idx() % 2 == 1).collect();
        state.round = 1;
        state.actions_left = game.board.config.options.actions as u8;
        let drawn = game.board.config.start.influence as usize * n_players;
        (0..drawn).for_each(|i| state.bag[i % game.board.n_keys] -= 1);
        Self { game, state }
    }

    pub(crate) fn place(&self, id: &str) -> Place {
        let place = self.game.board.province_ids.iter().position(|p| p == id);
        Place::new(place.unwrap_or_else(|| panic!("no province {id}")) as u8)
    }

    fn zone(&self, id: &str) -> Zone {
        let zone = self.game.board.zone_ids.iter().position(|z| z == id);
        Zone::new(zone.unwrap_or_else(|| panic!("no sea zone {id}")) as u8)
    }

    fn key(&self, id: &str) -> Key {
        let key = self.game.board.key_of[self.place(id).idx()];
        key.unwrap_or_else(|| panic!("{id} is no key province"))
    }

    /// Adds infantry, cavalry, catapults and generals.
    pub(crate) fn units(mut self, player: u8, place: &str, units: [u8; 4]) -> Self {
        let p = self.place(place);
        for (unit, number) in Self::LAND_UNITS.into_iter().zip(units) {
            self.state.pool[Player::of(player)][unit] -= number;
            self.state.add_troops(Player::of(player), p, unit, number as i8);
        }
        self
    }

    pub(crate) fn caesar(mut self, player: u8, place: &str) -> Self {
        let p = self.place(place);
        self.state.move_caesar(Player::of(player), p);
        self
    }

    pub(crate) fn galleys(mut self, player: u8, zone: &str, number: u8) -> Self {
        let z = self.zone(zone);
        self.state.pool[Player::of(player)][Unit::Galley] -= number;
        self.state.add_galleys(Player::of(player), z, number as i8);
        self
    }

    pub(crate) fn influence(mut self, player: u8, place: &str, number: u8) -> Self {
        let key = self.key(place);
        self.state.gain_influence(Player::of(player), key, number);
        self
    }

    pub(crate) fn tokens(mut self, place: &str, number: u8) -> Self {
        let key = self.key(place);
        self.state.bag[key.idx()] -= number;
        self.state.tokens[key.idx()] += number;
        self
    }

    pub(crate) fn city(mut self, place: &str, owner: u8) -> Self {
        let mut cards = (0..N_CITY_CARDS as u8).rev().map(|i| Card::city(i).idx());
        let card = cards.find(|&c| self.state.deck[c] > 0).expect("a city card");
        self.state.deck[card] -= 1;
        let site = self.game.board.city_site[self.place(place).idx()].expect("a city site");
        self.state.set_city_owner(site, Player::of(owner));
        self
    }

    fn card(id: &str) -> Card {
        Card::all().find(|c| c.id() == id).unwrap_or_else(|| panic!("no card {id}"))
    }

    /// Puts a card from the deck into the display.
    pub(crate) fn shows(mut self, id: &str) -> Self {
        let card = Self::card(id);
        self.state.deck[card.idx()] -= 1;
        self.state.add_to_display(card, 1);
        self
    }

    /// Puts a multi-use, Diplomacy or passive card in front of a player.
    pub(crate) fn holds(mut self, player: u8, id: &str) -> Self {
        let card = Self::card(id);
        let is_held = !matches!(card.family(), Family::Senator | Family::Immediate);
        assert!(is_held, "{id} is not held in front of a player");
        if matches!(card.kind(), CardKind::Vote(_)) {
            self.state.take_from_display(card);
        } else {
            self.state.deck[card.idx()] -= 1;
        }
        self.state.add_held(Player::of(player), card);
        self
    }

    /// Sets the whole hand of Senators.
    pub(crate) fn senators(mut self, player: u8, hand: [u8; 4]) -> Self {
        let old = &mut self.state.senators[Player::of(player)];
        for v in 0..4 {
            self.state.deck[v] = self.state.deck[v] + old[v] - hand[v];
        }
        *old = hand;
        self
    }

    pub(crate) fn money(mut self, money: &[u16]) -> Self {
        self.state.money.0[..money.len()].copy_from_slice(money);
        self
    }

    pub(crate) fn chaos(mut self, chaos: &[u16]) -> Self {
        self.state.chaos.0[..chaos.len()].copy_from_slice(chaos);
        self
    }

    pub(crate) fn vp(mut self, vp: &[i16]) -> Self {
        self.state.vp.0[..vp.len()].copy_from_slice(vp);
        self
    }

    /// Goes to the last turn of a season: `pass` with the last action ends it.
    pub(crate) fn last_turn(mut self) -> Self {
        self.state.round = self.game.board.config.options.rounds as u8;
        self.state.turn = self.game.n_players as u8 - 1;
        self.state.actor = Some(self.state.order[usize::from(self.state.turn)]);
        self.state.actions_left = 1;
        self
    }

    /// Goes on to the first decision.
    pub(crate) fn ready(mut self) -> Self {
        self.game.settle(&mut self.state);
        self.audit();
        self
    }

    fn audit(&self) {
        assert_eq!(self.game.audit(&self.state), Ok(()), "{:?}", self.state.phase());
    }

    fn apply(&mut self, action: Action) -> &mut Self {
        let before = self.state;
        self.game.apply(&mut self.state, action);
        self.audit();
        assert_eq!(self.game.audit_step(&before, &self.state), Ok(()));
        self
    }

    /// Returns the seats in turn order.
    pub(crate) fn order(&self) -> Vec<u8> {
        self.state.order[..self.game.n_players].iter().map(|q| q.number()).collect()
    }

    /// Returns the seat that decides, or "chance", or "over".
    pub(crate) fn actor(&self) -> String {
        match self.game.turn(&self.state) {
            Turn::Player(player) => player.to_string(),
            Turn::Chance => "chance".to_owned(),
            _ => "over".to_owned(),
        }
    }

    /// Returns the options as texts after the seat that has them: `0: tax, pass`.
    pub(crate) fn options(&self) -> String {
        let mut actions = Vec::new();
        self.game.actions(&self.state, Player::new(0), &mut actions);
        let texts: Vec<String> = actions.into_iter().map(|a| self.game.action_text(a)).collect();
        format!("{}: {}", self.actor(), texts.join(", "))
    }

    /// Plays plies for any seat.
    pub(crate) fn play(&mut self, plies: &[&str]) -> &mut Self {
        for text in plies {
            let player = self.state.actor();
            let action = self.game.parse_action(&self.state, player, text);
            let action =
                action.unwrap_or_else(|_| panic!("{text} is not among {}", self.options()));
            self.apply(action);
        }
        self
    }

    /// Returns the side about to roll, and its number of dice.
    pub(crate) fn dice(&self) -> (Side, u8) {
        assert_eq!(self.state.phase(), Phase::Dice, "{}", self.options());
        (self.state.battle.side, self.game.n_dice(&self.state))
    }

    /// Rolls this many infantry, cavalry, catapult and galley faces; the rest are blanks.
    pub(crate) fn roll(&mut self, faces: [u8; 4]) -> &mut Self {
        let [a, b, c, d] = faces;
        let (_, dice) = self.dice();
        let blanks = dice.checked_sub(faces.iter().sum()).expect("so many dice");
        self.apply(Action { verb: Verb::Dice, args: [a, b, c, d, blanks] })
    }

    /// Draws a Senator of value 1 to 4 as chance.
    pub(crate) fn draw_senator(&mut self, value: u8) -> &mut Self {
        let action = Action::with(Verb::Senator, value - 1);
        let mut outcomes = Vec::new();
        self.game.outcomes(&self.state, &mut outcomes);
        assert!(outcomes.iter().any(|(o, _)| *o == action), "Senator {value}: {outcomes:?}");
        self.apply(action)
    }

    /// Returns the infantry, cavalry, catapults and generals of a player in a province.
    pub(crate) fn at(&self, player: u8, place: &str) -> [u8; 4] {
        let troops = self.state.troops(Player::of(player), self.place(place));
        Self::LAND_UNITS.map(|unit| troops.count(unit))
    }

    pub(crate) fn at_sea(&self, player: u8, zone: &str) -> u8 {
        self.state.galleys(Player::of(player), self.zone(zone))
    }

    pub(crate) fn influence_in(&self, player: u8, place: &str) -> u8 {
        self.state.influence_of(Player::of(player), self.key(place))
    }

    pub(crate) fn city_owner(&self, place: &str) -> Option<u8> {
        let site = self.game.board.city_site[self.place(place).idx()];
        self.state.city_owner(site).map(Player::number)
    }

    pub(crate) fn displays(&self, id: &str) -> u8 {
        self.state.display[Self::card(id).idx()]
    }
}
