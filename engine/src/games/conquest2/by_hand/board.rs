//! Seats, pieces, cards, tokens and cities of a position from a document.

use super::Finding;
use crate::by_hand::{demand, demand_empty, demand_seat};
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::board::N_PROVINCES;
use crate::games::conquest2::model::cards::{Card, CardSet, Slot};
use crate::games::conquest2::model::packed::{lane, nibbles};
use crate::games::conquest2::model::place::{Place, PlaceSet};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::{Troops, Unit};
use crate::player::{MAX_PLAYERS, Player, PlayerSet};

/// Slots of passive and Diplomacy cards.
const N_PASSIVE: u32 = match Card::WIND.slot() {
    Slot::Passive(last) | Slot::Multi(last) => last as u32 + 1,
};

impl Conquest2 {
    pub(super) fn check_seats(&self, s: &State) -> Finding {
        let n = self.n_players;
        demand_empty(&s.money.0, n, &0, "money")?;
        demand_empty(&s.chaos.0, n, &0, "chaos")?;
        demand_empty(&s.vp.0, n, &0, "vp")?;
        demand_empty(&s.multi.0, n, &0, "multi")?;
        demand_empty(&s.used.0, n, &0, "used")?;
        demand_empty(&s.passive.0, n, &0, "passive")?;
        demand_empty(&s.senators.0, n, &[0; 4], "senators")?;
        demand_empty(&s.caesar.0, n, &None, "caesar")?;
        demand_empty(&s.land.0, n, &[Troops(0); N_PROVINCES], "land")?;
        s.actor.map_or(Ok(()), |seat| demand_seat(seat, n, "actor"))?;
        s.first_player.map_or(Ok(()), |seat| demand_seat(seat, n, "first_player"))?;
        let strangers = (s.alliance_b | s.unallied) - PlayerSet::first(n);
        demand(strangers.is_empty(), "alliance_b", format_args!("{n} players sit at the table"))?;
        for (place, &seat) in s.order.iter().enumerate() {
            let fits = (seat.idx() < n) == (place < n) && (place < n || seat.idx() == place);
            let fault = format_args!("{} is no seat for this place", seat.number());
            demand(fits, format_args!("order.{place}"), fault)?;
        }
        Ok(())
    }

    /// Checks that lanes, slots and places are those of the table and the map.
    pub(super) fn check_map(&self, s: &State) -> Finding {
        let n = self.n_players;
        let words = [("sea", &s.sea[..]), ("influence", &s.influence[..])];
        let words = words.into_iter().chain([("battle.committed", &s.battle.committed[..])]);
        for (place, words) in words {
            for (i, &word) in words.iter().enumerate() {
                let fits = u64::from(word) >> (5 * n) == 0;
                let fault = format_args!("{n} players sit at the table");
                demand(fits, format_args!("{place}.{i}"), fault)?;
            }
        }
        let n_keys = self.board.n_keys;
        let fits = s.influence[n_keys..].iter().all(|&word| word == 0);
        demand(fits, "influence", format_args!("the key provinces are 0 to {}", n_keys - 1))?;
        for (seat, caesar) in s.caesar.0.into_iter().enumerate() {
            let fits = caesar.is_none_or(|place| place.idx() < N_PROVINCES);
            let fault = format_args!("the provinces are 0 to {}", N_PROVINCES - 1);
            demand(fits, format_args!("caesar.{seat}"), fault)?;
        }
        let n_sites = self.board.city_site.iter().flatten().count();
        for (site, owner) in nibbles(s.cities) {
            let fits = usize::from(site) < n_sites && usize::from(owner) <= n;
            let fault = format_args!("a seat and one for each of {n_sites} sites, or 0");
            demand(fits, format_args!("cities.{site}"), fault)?;
        }
        Ok(())
    }

    /// Checks that nobody has more units than there are, and sets the places with units and the pools.
    pub(super) fn complete_units(&self, s: &mut State) -> Finding {
        for player in Player::all(MAX_PLAYERS) {
            let seat = player.number();
            for unit in Unit::ALL {
                let words = s.sea.iter().chain(&s.battle.committed);
                let on_board: u32 = match unit {
                    Unit::Galley => words.map(|&word| u32::from(lane(word, player))).sum(),
                    unit => s.land[player].iter().map(|here| u32::from(here.count(unit))).sum(),
                };
                let is_seated = player.idx() < self.n_players;
                let all = if is_seated { u32::from(self.board.pool[unit]) } else { 0 };
                let place = if unit == Unit::Galley { "sea" } else { "land" };
                let fault = format_args!("seat {seat} has {on_board} {} of {all}", unit.name());
                demand(on_board <= all, place, fault)?;
                s.pool[player][unit] = (all - on_board) as u8;
            }
            (s.army[player], s.leaders[player]) = (PlaceSet::EMPTY, PlaceSet::EMPTY);
            Place::first(N_PROVINCES).for_each(|place| s.refresh(player, place));
        }
        Ok(())
    }

    pub(super) fn complete_influence(&self, s: &mut State) -> Finding {
        for player in Player::all(MAX_PLAYERS) {
            let (seat, on_board) = (player.number(), i64::from(s.total_influence(player)));
            let is_seated = player.idx() < self.n_players;
            let all = if is_seated { self.board.config.pools.influence } else { 0 };
            let fault = format_args!("seat {seat} has {on_board} tokens of {all}");
            demand(on_board <= all, "influence", fault)?;
            s.supply[player] = (all - on_board) as u8;
        }
        Ok(())
    }

    /// Checks the slots of cards in front of players, and sets the kinds in the display. The audit counts them.
    pub(super) fn complete_cards(&self, s: &mut State) -> Finding {
        let shown = s.display.iter().enumerate();
        let bits = shown.fold(0, |bits, (i, &n)| bits | u64::from(n > 0) << i);
        s.displayed = CardSet::from_bits(bits);
        for player in self.players() {
            let place = format_args!("passive.{}", player.number());
            let fits = s.passive[player] >> (4 * N_PASSIVE) == 0;
            demand(fits, place, format_args!("{N_PASSIVE} kinds of cards"))?;
        }
        let free = s.free();
        let most = self.most_free(s);
        demand(free & !most == 0, "takes", format_args!("the free cards are the bits of {most}"))?;
        Ok(())
    }

    /// Returns the free cards that the player in turn can have left, as bits of their list.
    fn most_free(&self, s: &State) -> u8 {
        let Some(treatments) = &self.board.treated else { return 0 };
        let is_turn = s.round == 1 && usize::from(s.turn) < self.n_players;
        if !is_turn || i64::from(s.season) >= self.board.config.options.seasons {
            return 0;
        }
        let free = &treatments.season(s.season).free[self.turn_player(s)];
        (1 << free.len()) - 1
    }
}
