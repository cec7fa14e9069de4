//! Positions made by hand for tests: [`PositionBuilder`].

use super::state::{Phase, State, Tiles};
use super::things::{
    City, N_CITIES, N_PROGRESS, N_REGIONS, N_TERRITORIES, Progress, Region, Row, Territory,
};
use super::{Action, Rise};
use crate::game::{Game, Turn};
use crate::notation::Notation;
use crate::player::Player;
use crate::rules::{Configure, Rules};

/// A position under construction: only empire tiles lie on display, and seats act in their order.
pub(super) struct PositionBuilder {
    pub(super) game: Rise,
    pub(super) s: State,
}

impl PositionBuilder {
    /// Returns the first turn under the default rules with these settings.
    pub(super) fn new(n_players: usize, settings: &[&str]) -> Self {
        let mut rules = Rules::of::<Rise>();
        settings.iter().for_each(|setting| rules.set(setting).unwrap());
        let game = Rise::configure(n_players, &rules).unwrap();
        let mut s = game.start();
        for seat in 0..n_players - 1 {
            game.apply(&mut s, Action::Order(Player::new(seat)));
        }
        while let Turn::Chance = game.turn(&s) {
            let outcome = game.possible(&s).next().unwrap().0;
            game.apply(&mut s, outcome);
        }
        (s.display, s.city_display) = (Tiles::default(), Default::default());
        Self { game, s }
    }

    /// Sets the turn, from 0, with all discs of B turns still to come.
    pub(super) fn turn(mut self, turn: u8) -> Self {
        self.s.turn = turn;
        self
    }

    pub(super) fn region(&self, id: &str) -> Region {
        let named = |r: &Region| self.game.board.region(*r).id == id;
        Region::first(N_REGIONS).find(named).unwrap()
    }

    pub(super) fn progress(&self, id: &str) -> Progress {
        Progress::first(N_PROGRESS).find(|&tile| self.game.board.tile(tile).id == id).unwrap()
    }

    pub(super) fn territory(&self, id: &str) -> Territory {
        let named = |tile: &Territory| self.game.board.territories[tile.idx()].id == id;
        Territory::first(N_TERRITORIES).find(named).unwrap()
    }

    pub(super) fn city_tile(&self, id: &str) -> City {
        City::first(N_CITIES).find(|&city| self.game.board.city(city).id == id).unwrap()
    }

    /// Puts cubes of a seat on the map, out of their general stock.
    pub(super) fn put(mut self, seat: usize, region: &str, n: u8) -> Self {
        let region = self.region(region);
        self.s.map[region.idx()][seat] += n;
        self.s.stock[seat] -= n;
        self
    }

    /// Sets the pool of a seat; the rest goes to their general stock.
    pub(super) fn pool(mut self, seat: usize, n: u8) -> Self {
        self.s.stock[seat] += self.s.pool[seat];
        self.s.stock[seat] -= n;
        self.s.pool[seat] = n;
        self
    }

    pub(super) fn gold(mut self, seat: usize, n: i32) -> Self {
        self.s.gold[seat] = n;
        self
    }

    pub(super) fn food(mut self, seat: usize, n: i16) -> Self {
        self.s.food[seat] = n;
        self
    }

    pub(super) fn discs(mut self, seat: usize, n: u8) -> Self {
        self.s.resource[seat] = n;
        self
    }

    /// Gives a seat progress tiles.
    pub(super) fn own(mut self, seat: usize, ids: &[&str]) -> Self {
        for id in ids {
            let tile = self.progress(id);
            self.s.progress[seat].insert(tile);
        }
        self
    }

    /// Gives a seat territory tiles.
    pub(super) fn tiles(mut self, seat: usize, id: &str, n: u8) -> Self {
        let tile = self.territory(id);
        self.s.territory[seat][tile.idx()] += n;
        self
    }

    /// Gives a seat cities.
    pub(super) fn cities(mut self, seat: usize, ids: &[&str]) -> Self {
        for id in ids {
            let city = self.city_tile(id);
            self.s.cities[seat].insert(city);
        }
        self
    }

    /// Puts one of each of these tiles on display.
    pub(super) fn show(mut self, row: Row, ids: &[&str]) -> Self {
        for id in ids {
            match row {
                Row::Progress => {
                    let tile = self.progress(id);
                    self.s.display.progress[tile.idx()] += 1;
                }
                Row::Territory => {
                    let tile = self.territory(id);
                    self.s.display.territory[tile.idx()] += 1;
                }
                _ => {
                    let city = self.city_tile(id);
                    self.s.city_display.insert(city);
                }
            }
        }
        self
    }

    /// Puts discs on the lowest circles of a row, of these seats.
    pub(super) fn row(mut self, row: Row, seats: &[u64]) -> Self {
        let nibbles = seats.iter().enumerate();
        self.s.discs[row as usize] =
            nibbles.fold(0, |discs, (i, seat)| discs | (seat + 1) << (4 * i));
        self
    }

    /// Begins the action of seat 0.
    pub(super) fn begin(mut self) -> Self {
        self.s.at = 0;
        self.game.begin_action(&mut self.s);
        self.game.settle(&mut self.s);
        self
    }

    /// Begins the phase after the last action of the turn.
    pub(super) fn upkeep(mut self) -> Self {
        self.s.round = self.game.board.config.stock.actions_per_turn;
        self.game.begin_food(&mut self.s);
        self.game.settle(&mut self.s);
        self
    }

    /// Begins an empire action of seat 0 with a tile, by its number.
    pub(super) fn empire(mut self, number: u8) -> Self {
        self = self.begin();
        self.s.phase = Phase::Object;
        self.s.detail.row = Some(Row::Empire);
        let tile = super::things::Empire::new(number - 1);
        self.game.take_empire(&mut self.s, tile);
        self.game.settle(&mut self.s);
        self
    }

    pub(super) fn mover(&self) -> usize {
        match self.game.turn(&self.s) {
            Turn::Player(player) => player.idx(),
            turn => panic!("{turn:?}"),
        }
    }

    /// Returns the texts of the options.
    pub(super) fn options(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.game.actions(&self.s, Player::new(0), &mut actions);
        actions.iter().map(|&action| self.game.action_text(action)).collect()
    }

    /// Returns the options that begin with `start`.
    pub(super) fn with(&self, start: &str) -> Vec<String> {
        self.options().into_iter().filter(|text| text.starts_with(start)).collect()
    }

    /// Plays these actions for any seat that is due.
    pub(super) fn play(mut self, texts: &[&str]) -> Self {
        for text in texts {
            let player = Player::new(self.mover());
            let action = self.game.parse_action(&self.s, player, text).unwrap();
            self.game.apply(&mut self.s, action);
            self.game.audit(&self.s).ok();
        }
        self
    }

    /// Returns the cubes of a seat in a region.
    pub(super) fn cubes(&self, seat: usize, region: &str) -> i32 {
        self.s.cubes(seat, self.region(region))
    }
}
