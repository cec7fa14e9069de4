//! Goods, cubes, tiles and discs of a position from a document.

use super::super::Rise;
use super::super::state::{Phase, State};
use super::super::things::{
    City, CitySet, N_CITIES, N_EMPIRES, N_FREE, N_PROGRESS, N_REGIONS, N_TERRITORIES, N_TURNS,
    Progress, ProgressSet, Region, Row, Territory,
};
use super::{Finding, is_within};
use crate::by_hand::{demand, demand_empty};

/// Most gold or points of a seat, whatever the rules: sums of them stay far from the ends of their type.
const MOST_GOODS: i32 = 1_000_000;
/// Number of groups of four bits in the discs of a row.
const N_CIRCLES: u8 = 16;

impl Rise {
    /// Counts the discs that lie in trade boxes (11).
    pub(super) fn complete_trade(&self, s: &mut State) -> Finding {
        let n = self.board.boxes.len();
        let fault = format_args!("the boxes are 0 to {}", n - 1);
        demand(is_within(s.boxes, n), "boxes", fault)?;
        let is_in_supply = self.board.config.stock.resource_discs_on_trade_track_are_in_supply;
        let discs = s.boxes.iter().map(|b| u32::from(self.board.trade_box(b).discs)).sum::<u32>();
        let (out, all) = (if is_in_supply { 0 } else { discs }, self.discs());
        demand(out <= all, "boxes", format_args!("{out} discs of {all}"))?;
        s.on_trade = out as u8;
        Ok(())
    }

    /// Returns the number of resource discs of the game.
    fn discs(&self) -> u32 {
        self.board.config.stock.resource_discs.unsigned_abs()
    }

    pub(super) fn check_board(&self, s: &State) -> Finding {
        self.check_turn_number(s)?;
        self.check_empty_seats(s)?;
        (0..self.board.n_players).try_for_each(|seat| self.check_seat(s, seat))?;
        let held: u32 = s.resource.iter().map(|&n| u32::from(n)).sum();
        let (all, on_trade) = (self.discs(), u32::from(s.on_trade));
        let fault = format_args!("{held} discs held and {on_trade} in boxes of {all}");
        demand(held + on_trade <= all, "resource", fault)?;
        self.check_progress(s)?;
        self.check_territory(s)?;
        self.check_cities(s)?;
        let empires = is_within(s.empires, N_EMPIRES);
        demand(empires, "empires", format_args!("the tiles are 0 to {}", N_EMPIRES - 1))?;
        Row::ALL.into_iter().try_for_each(|row| self.check_discs(s, row))
    }

    fn check_turn_number(&self, s: &State) -> Finding {
        let is_over = s.phase == Phase::Over;
        let most = if is_over { N_TURNS } else { N_TURNS - 1 };
        let fits = usize::from(s.turn) <= most && (!is_over || usize::from(s.turn) == most);
        let fault = format_args!("{} is out of range, {most} at the end", s.turn);
        demand(fits, "turn", fault)
    }

    fn check_empty_seats(&self, s: &State) -> Finding {
        let n = self.board.n_players;
        demand_empty(&s.gold, n, &0, "gold")?;
        demand_empty(&s.vp, n, &0, "vp")?;
        demand_empty(&s.food, n, &0, "food")?;
        demand_empty(&s.chosen, n, &[0; 3], "chosen")?;
        demand_empty(&s.resource, n, &0, "resource")?;
        demand_empty(&s.pool, n, &0, "pool")?;
        demand_empty(&s.stock, n, &0, "stock")?;
        demand_empty(&s.cities, n, &CitySet::EMPTY, "cities")?;
        demand_empty(&s.progress, n, &ProgressSet::EMPTY, "progress")?;
        demand_empty(&s.territory, n, &[0; N_TERRITORIES], "territory")?;
        demand_empty(&s.alliance, n, &None, "alliance")?;
        demand_empty(&s.used, n, &0, "used")?;
        s.map
            .iter()
            .enumerate()
            .try_for_each(|(region, here)| demand_empty(here, n, &0, &format!("map.{region}")))
    }

    fn check_seat(&self, s: &State, seat: usize) -> Finding {
        let config = &self.board.config;
        let (gold, vp, food) = (s.gold[seat], s.vp[seat], s.food(seat));
        let fits = (0..=MOST_GOODS).contains(&gold);
        let fault = format_args!("{gold} is out of range (0 to {MOST_GOODS})");
        demand(fits, format_args!("gold.{seat}"), fault)?;
        let fits = (-MOST_GOODS..=MOST_GOODS).contains(&vp);
        let fault = format_args!("{vp} is out of range (-{MOST_GOODS} to {MOST_GOODS})");
        demand(fits, format_args!("vp.{seat}"), fault)?;
        let track = config.food_track.min..=config.food_track.max;
        let fault = format_args!("{food} is no step of the track ({track:?})");
        demand(track.contains(&food), format_args!("food.{seat}"), fault)?;
        let on_map: i32 = Region::first(N_REGIONS).map(|region| s.cubes(seat, region)).sum();
        let (pool, stock) = (s.pool(seat), s.stock(seat));
        let (all, due) = (pool + stock + on_map, config.stock.player_cubes_per_colour);
        let fault = format_args!(
            "{pool} cubes in the pool, {stock} here, {on_map} on the map: {due} in all"
        );
        demand(all == due, format_args!("stock.{seat}"), fault)?;
        let region = s.alliance[seat].is_none_or(|region| region.idx() < N_REGIONS);
        let fault = format_args!("the regions are 0 to {}", N_REGIONS - 1);
        demand(region, format_args!("alliance.{seat}"), fault)?;
        let used = usize::from(s.used[seat]) >> N_FREE == 0;
        let fault = format_args!("the free actions are 0 to {}", N_FREE - 1);
        demand(used, format_args!("used.{seat}"), fault)
    }

    fn check_progress(&self, s: &State) -> Finding {
        for seat in 0..self.board.n_players {
            let fault = format_args!("the tiles are 0 to {}", N_PROGRESS - 1);
            let fits = is_within(s.progress[seat], N_PROGRESS);
            demand(fits, format_args!("progress.{seat}"), fault)?;
        }
        for tile in Progress::first(N_PROGRESS) {
            let owners = s.progress.iter().filter(|own| own.contains(tile)).count();
            let owned = if self.board.outside.gives_tiles() { 0 } else { owners as u32 };
            let [shown, left] = [&s.display, &s.stacks].map(|t| u32::from(t.progress(tile)));
            let all = u32::from(self.board.tile(tile).count);
            let place = format_args!("display.progress.{}", tile.number());
            let fault =
                format_args!("{shown} shown, {left} in the stack, {owned} taken: {all} in all");
            demand(owned + shown + left <= all, place, fault)?;
        }
        Ok(())
    }

    fn check_territory(&self, s: &State) -> Finding {
        let gives_tiles = self.board.outside.gives_tiles();
        for tile in Territory::first(N_TERRITORIES) {
            let owned: u32 = s.territory.iter().map(|own| u32::from(own[tile.idx()])).sum();
            let [shown, left] = [&s.display, &s.stacks].map(|t| u32::from(t.territory(tile)));
            let all = if gives_tiles {
                // Numbers of tiles are bytes.
                u8::MAX
            } else {
                self.board.territories[tile.idx()].count
            };
            let place = format_args!("display.territory.{}", tile.number());
            let fault =
                format_args!("{shown} shown, {left} in the stack, {owned} taken: {all} in all");
            demand(owned + shown + left <= all.into(), place, fault)?;
        }
        Ok(())
    }

    /// Checks that each city tile is in one place at most, and has come by now.
    fn check_cities(&self, s: &State) -> Finding {
        let is_due = matches!(s.phase, Phase::DrawProgress | Phase::DrawTerritory);
        let n_turns = (usize::from(s.turn) + usize::from(!is_due)).min(N_TURNS);
        let come = (0..n_turns).fold(CitySet::EMPTY, |all, t| all | self.board.cities_of(t as u8));
        let fits = (s.city_display - come).is_empty();
        demand(fits, "city_display", format_args!("tiles that have come by turn {}", s.turn))?;
        for city in City::first(N_CITIES) {
            let owners = s.cities.iter().filter(|own| own.contains(city)).count();
            let is_there = owners == 0 || come.contains(city) && !self.board.city(city).is_wonder;
            let is_one = owners + usize::from(s.shows_city(city)) <= 1;
            let fault = format_args!("city {} is there {owners} times, or not yet", city.number());
            demand(is_one && is_there || self.board.outside.gives_tiles(), "cities", fault)?;
        }
        let fits = s.cities.iter().all(|&own| is_within(own, N_CITIES));
        demand(fits, "cities", format_args!("the tiles are 0 to {}", N_CITIES - 1))
    }

    /// Checks that circles in use have discs of seats, and those that are filled have no gap.
    fn check_discs(&self, s: &State, row: Row) -> Finding {
        let limit = self.board.circles[row as usize];
        let n_players = self.board.n_players;
        let place = format_args!("discs.{}", row as usize);
        for circle in 0..N_CIRCLES {
            let seat = s.disc(row, circle);
            let fits = seat.is_none_or(|seat| circle < limit && seat < n_players);
            let fault = format_args!("{n_players} seats have discs on {limit} circles");
            demand(fits, place, fault)?;
        }
        let is_filling = s.phase != Phase::Over && self.board.places_discs(s.turn);
        let n = s.n_discs(row);
        let is_whole = (0..n).all(|circle| s.disc(row, circle).is_some());
        demand(is_whole || !is_filling, place, "a gap while discs are placed")
    }
}
