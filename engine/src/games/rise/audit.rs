//! Invariants of a position, counted anew: the checks of random games.

use super::Rise;
use super::state::{Phase, State};
use super::things::{
    City, N_CITIES, N_PROGRESS, N_REGIONS, N_TERRITORIES, N_TURNS, Progress, Region, Row, Territory,
};
use crate::player::Player;

fn require(is_so: bool, fault: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(fault()) }
}

impl Rise {
    /// Checks a position by counting everything anew. (Gifts of treatments come from outside and are counted as well.)
    ///
    /// # Errors
    /// If an invariant is broken; the text names it.
    pub fn audit(&self, s: &State) -> Result<(), String> {
        for seat in 0..self.board.n_players {
            self.audit_seat(s, seat)?;
        }
        let held: i32 = (0..self.board.n_players).map(|seat| s.resource(seat)).sum();
        let total = self.board.config.stock.resource_discs;
        let on_trade = i32::from(s.on_trade);
        require(held + on_trade <= total, || format!("{held} + {on_trade} discs of {total}"))?;
        self.audit_tiles(s)?;
        self.audit_discs(s)?;
        self.audit_course(s)
    }

    fn audit_seat(&self, s: &State, seat: usize) -> Result<(), String> {
        let on_map: i32 = Region::first(N_REGIONS).map(|region| s.cubes(seat, region)).sum();
        let cubes = s.pool(seat) + s.stock(seat) + on_map;
        let all = self.board.config.stock.player_cubes_per_colour;
        require(cubes == all, || format!("seat {seat}: {cubes} cubes of {all}"))?;
        let track = &self.board.config.food_track;
        let food = s.food(seat);
        require((track.min..=track.max).contains(&food), || format!("seat {seat}: food {food}"))?;
        require(s.gold(seat) >= 0, || format!("seat {seat}: gold {}", s.gold(seat)))
    }

    fn audit_tiles(&self, s: &State) -> Result<(), String> {
        let seats = 0..self.board.n_players;
        for tile in Progress::first(N_PROGRESS) {
            let owned = seats.clone().filter(|&seat| s.progress(seat).contains(tile)).count();
            let there = s.display().progress(tile) + s.stacks().progress(tile);
            let count = usize::from(self.board.tile(tile).count);
            require(owned + usize::from(there) <= count, || format!("{owned} + {there} {tile:?}"))?;
        }
        for tile in Territory::first(N_TERRITORIES) {
            let owned: i32 = seats.clone().map(|seat| s.territory(seat, tile)).sum();
            let there = i32::from(s.display().territory(tile) + s.stacks().territory(tile));
            let count = i32::from(self.board.territories[tile.idx()].count);
            require(owned + there <= count, || format!("{owned} + {there} {tile:?}"))?;
        }
        for city in City::first(N_CITIES) {
            let owned = seats.clone().filter(|&seat| s.cities(seat).contains(city)).count();
            let is_wonder = self.board.city(city).is_wonder;
            require(owned == 0 || !is_wonder, || format!("somebody has the wonder {city:?}"))?;
            let n = owned + usize::from(s.shows_city(city));
            let is_out = (0..=usize::from(s.turn).min(N_TURNS - 1))
                .any(|turn| self.board.cities_of(turn as u8).contains(city));
            require(n <= usize::from(is_out), || format!("{n} times {city:?}"))?;
        }
        Ok(())
    }

    fn audit_discs(&self, s: &State) -> Result<(), String> {
        for row in Row::ALL {
            let limit = self.board.circles[row as usize];
            let n = (0..limit).filter(|&circle| s.disc(row, circle).is_some()).count();
            require(n == usize::from(s.n_discs(row)), || format!("{row:?}: discs beyond {limit}"))?;
            let is_filling = s.phase != Phase::Over && self.board.places_discs(s.turn);
            let lowest = (0..n as u8).all(|circle| s.disc(row, circle).is_some());
            require(!is_filling || lowest, || format!("{row:?}: a gap while discs are placed"))?;
        }
        for seat in 0..self.board.n_players {
            let of_row =
                |row: &Row| (0..12).filter(|&circle| s.disc(*row, circle) == Some(seat)).count();
            let n: usize = Row::ALL.iter().map(of_row).sum();
            let most = usize::from(self.board.config.stock.actions_per_turn);
            require(n <= most, || format!("seat {seat} has {n} discs on the display"))?;
        }
        Ok(())
    }

    fn audit_course(&self, s: &State) -> Result<(), String> {
        if s.phase == Phase::Order {
            return Ok(());
        }
        let mut seats: Vec<Player> = s.order().collect();
        seats.sort_unstable();
        let is_whole = seats.into_iter().eq(Player::all(self.board.n_players));
        require(is_whole, || format!("turn order {:?}", s.order))?;
        let is_decision =
            !matches!(s.phase, Phase::DrawProgress | Phase::DrawTerritory | Phase::Over);
        require(!is_decision || s.n_options > 1, || {
            format!("{:?}: {} options", s.phase, s.n_options)
        })
    }

    /// Checks that the second of two positions can follow the first.
    ///
    /// # Errors
    /// If it cannot; the text gives the reason.
    pub fn audit_step(&self, before: &State, after: &State) -> Result<(), String> {
        for tile in Progress::first(N_PROGRESS) {
            let [old, new] = [before, after].map(|s| s.stacks().progress(tile));
            require(new <= old, || format!("the stack of {tile:?} grows"))?;
        }
        for tile in Territory::first(N_TERRITORIES) {
            let [old, new] = [before, after].map(|s| s.stacks().territory(tile));
            require(new <= old, || format!("the stack of {tile:?} grows"))?;
        }
        let is_later = (after.turn, after.round) >= (before.turn, before.round);
        require(is_later || after.turn > before.turn, || "time runs backwards".to_owned())?;
        for seat in 0..self.board.n_players {
            let [old, new] = [before, after].map(|s| s.progress(seat).len());
            require(new <= old + 1, || format!("seat {seat} gains {new} - {old} progress tiles"))?;
        }
        Ok(())
    }
}
