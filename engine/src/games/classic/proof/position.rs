//! Positions made by hand for tests: built from the pools, played by the words of the protocol, audited at every step.

use crate::game::{Game, Turn};
use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PROVINCES, Place, PlaceSet};
use crate::games::classic::model::state::State;
use crate::games::shared::dice::face;
use crate::games::shared::units::Unit;
use crate::notation::Notation;
use crate::player::Player;
use crate::rules::{Configure, Rules};

/// A position before a turn: every player has their home with a fortified city and their caesar in it.
#[derive(Clone)]
pub(crate) struct Position {
    pub(crate) game: Classic,
    pub(crate) s: State,
}

impl Position {
    pub(crate) fn new(n_players: usize) -> Self {
        Self::with(n_players, &[])
    }

    pub(crate) fn with(n_players: usize, settings: &[&str]) -> Self {
        let mut rules = Rules::of::<Classic>();
        settings.iter().for_each(|s| rules.set(s).expect("a setting"));
        let game = Classic::configure(n_players, &rules).expect("good rules");
        let mut s = State::new(&game.board, n_players);
        for player in Player::all(n_players) {
            s.to_place[player] = [0, 0];
        }
        (s.round, s.milestone) = (1, 1);
        Self { game, s }
    }

    pub(crate) fn at(&self, id: &str) -> Place {
        let place = self.game.board.ids.iter().position(|p| p == id);
        Place::new(place.unwrap_or_else(|| panic!("no place {id}")) as u8)
    }

    /// Adds infantry, cavalry, catapults and generals.
    pub(crate) fn units(mut self, player: u8, place: &str, units: [u8; 4]) -> Self {
        const KINDS: [Unit; 4] = [Unit::Infantry, Unit::Cavalry, Unit::Catapult, Unit::General];
        let place = self.at(place);
        for (unit, number) in KINDS.into_iter().zip(units) {
            Classic::raise(&mut self.s, Player::of(player), place, unit, number);
        }
        self
    }

    pub(crate) fn galleys(mut self, player: u8, place: &str, number: u8) -> Self {
        let (place, player) = (self.at(place), Player::of(player));
        self.s.pool[player][Unit::Galley] -= number;
        self.s.galleys[place.idx()].add(player, number as i8);
        self
    }

    pub(crate) fn caesar(mut self, player: u8, place: &str) -> Self {
        let place = self.at(place);
        self.s.move_caesar(Player::of(player), Some(place));
        self
    }

    /// Gives provinces to a player, and takes them from other owners.
    pub(crate) fn owns(mut self, player: u8, places: &[&str]) -> Self {
        for place in places.iter().map(|id| self.at(id)).collect::<Vec<_>>() {
            Player::all(6).for_each(|q| self.s.owned[q].remove(place));
            self.s.owned[Player::of(player)].insert(place);
            self.s.guards.remove(place);
        }
        self
    }

    pub(crate) fn city(mut self, place: &str, is_fort: bool) -> Self {
        let place = self.at(place);
        self.s.cities.insert(place);
        self.s.forts = self.s.forts.with(place, is_fort);
        self
    }

    pub(crate) fn no_city(mut self, place: &str) -> Self {
        let place = self.at(place);
        self.s.cities.remove(place);
        self.s.forts.remove(place);
        self
    }

    pub(crate) fn road(mut self, p: &str, q: &str) -> Self {
        let border = self.game.board.border(self.at(p), self.at(q)).expect("a border");
        self.s.set_road_bits(self.s.road_bits() | 1 << border);
        self
    }

    pub(crate) fn talents(mut self, player: u8, talents: u16) -> Self {
        self.s.talents[Player::of(player)] = talents;
        self
    }

    /// Makes `captor` hold generals of `owner`.
    pub(crate) fn holds(mut self, captor: u8, owner: u8, number: i8) -> Self {
        self.s.captives[Player::of(captor)].add(Player::of(owner), number);
        self
    }

    pub(crate) fn round(mut self, round: u8) -> Self {
        (self.s.round, self.s.milestone) = (round, round);
        self
    }

    /// Begins the turn of a player.
    pub(crate) fn turn(mut self, player: u8) -> Self {
        self.game.start_turn(&mut self.s, Player::of(player));
        self.game.settle(&mut self.s);
        self.check();
        self
    }

    /// Begins the purchase of a player, with the talents at hand.
    pub(crate) fn market(mut self, player: u8) -> Self {
        self.s.turn = Player::of(player);
        self.s.ask(Player::of(player), Phase::Market);
        self.game.settle(&mut self.s);
        self.check();
        self
    }

    fn check(&self) {
        assert_eq!(self.game.audit(&self.s), Ok(()));
    }

    /// Returns the texts of the options.
    pub(crate) fn options(&self) -> Vec<String> {
        let Turn::Player(player) = self.game.turn(&self.s) else { return Vec::new() };
        let mut actions = Vec::new();
        self.game.actions(&self.s, player, &mut actions);
        actions.into_iter().map(|a| self.game.action_text(a)).collect()
    }

    /// Returns the options with this beginning.
    pub(crate) fn starting(&self, word: &str) -> Vec<String> {
        self.options().into_iter().filter(|text| text.starts_with(word)).collect()
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        self.options().iter().any(|option| option == text)
    }

    /// Plays texts in order; `rest` ends the movement and `wave K` goes on to that wave, where these words are due.
    pub(crate) fn play(mut self, texts: &[&str]) -> Self {
        for text in texts {
            let wave = text.strip_prefix("wave ").map(|wave| wave.parse().expect("a number"));
            if wave.is_some() || *text == "rest" {
                while self.s.phase == Phase::Move && wave.is_none_or(|wave: u8| self.s.wave < wave)
                {
                    self = self.play(&["done"]);
                }
                continue;
            }
            let Turn::Player(player) = self.game.turn(&self.s) else {
                panic!("{text}, but the phase is {:?}", self.s.phase)
            };
            let action = self.game.parse_action(&self.s, player, text);
            let action = action.unwrap_or_else(|bad| panic!("{:?}: {bad}", self.s.phase));
            self.apply(action);
        }
        self
    }

    /// Rolls these faces, and blanks for the other dice.
    pub(crate) fn rolls(mut self, faces: &[&str]) -> Self {
        assert_eq!(self.game.turn(&self.s), Turn::Chance, "{:?}", self.s.phase);
        let mut roll = [0; 5];
        faces.iter().for_each(|name| roll[face(name).expect("a face")] += 1);
        let n = self.game.n_dice(&self.s);
        assert!(faces.len() <= n.into(), "{n} dice");
        roll[4] += n - faces.len() as u8;
        self.apply(Action::dice(roll));
        self
    }

    /// Rolls the die that may end the game.
    pub(crate) fn end_die(mut self, name: &str) -> Self {
        assert_eq!(self.s.phase, Phase::EndDie);
        self.apply(Action::with(Verb::EndDie, face(name).expect("a face") as u8));
        self
    }

    fn apply(&mut self, action: Action) {
        self.game.apply(&mut self.s, action);
        self.check();
    }

    pub(crate) fn n_dice(&self) -> u8 {
        self.game.n_dice(&self.s)
    }

    /// Returns the infantry, cavalry, catapults, galleys, generals, caesar of a player in a place.
    pub(crate) fn pieces(&self, player: u8, id: &str) -> [u8; 6] {
        let (player, place) = (Player::of(player), self.at(id));
        let troops = self.s.troops(player, place);
        let [i, v, k] = crate::games::classic::model::state::counts(troops);
        let caesar = u8::from(self.s.caesar[player] == Some(place));
        [i, v, k, self.s.galleys(player, place), troops.generals(), caesar]
    }

    pub(crate) fn owner(&self, id: &str) -> Option<u8> {
        self.s.owner(self.at(id)).map(Player::number)
    }

    pub(crate) fn has_guard(&self, id: &str) -> bool {
        self.s.guards.contains(self.at(id))
    }

    pub(crate) fn purse(&self, player: u8) -> u16 {
        self.s.talents[Player::of(player)]
    }

    pub(crate) fn phase(&self) -> Phase {
        self.s.phase
    }

    pub(crate) fn winners(&self) -> Vec<u8> {
        self.s.winners.iter().map(Player::number).collect()
    }

    /// Returns all provinces of a player, by name.
    pub(crate) fn provinces(&self, player: u8) -> Vec<&str> {
        let own: PlaceSet = self.s.owned[Player::of(player)];
        debug_assert!(own.bits() >> N_PROVINCES == 0);
        own.iter().map(|p| self.game.place_id(p)).collect()
    }
}
