//! Seats, pieces and cargo of a position from a document.

use super::Finding;
use crate::by_hand::{demand, demand_empty, demand_seat};
use crate::games::classic::model::detail::Detail;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, PROVINCES, Place, PlaceSet};
use crate::games::classic::{Classic, State};
use crate::games::shared::units::{Troops, Unit};
use crate::player::{MAX_PLAYERS, Player, PlayerSet};

impl Classic {
    pub(super) fn check_seats(&self, s: &State) -> Finding {
        let n = self.n_players;
        demand_seat(s.turn, n, "turn")?;
        demand_seat(s.actor, n, "actor")?;
        let strangers = (s.out | s.winners) - PlayerSet::first(n);
        demand(strangers.is_empty(), "out", format_args!("{n} players sit at the table"))?;
        demand_empty(&s.talents.0, n, &0, "talents")?;
        demand_empty(&s.closing.0, n, &0, "closing")?;
        demand_empty(&s.to_place.0, n, &[0, 0], "to_place")?;
        demand_empty(&s.caesar.0, n, &None, "caesar")?;
        demand_empty(&s.owned.0, n, &PlaceSet::EMPTY, "owned")?;
        demand_empty(&s.troops.0, n, &[Troops(0); N_PLACES], "troops")?;
        let alive = s.alive(n).len();
        let is_over = s.phase == Phase::Over;
        demand(alive > 1 || is_over && alive == 1, "out", "play goes on among two or more")?;
        let may_be_out = is_over || s.phase == Phase::EndDie;
        for (place, player) in [("turn", s.turn), ("actor", s.actor)] {
            let fault = format_args!("seat {} is out", player.number());
            demand(may_be_out || !s.out.contains(player), place, fault)?;
        }
        Ok(())
    }

    /// Checks that places are places, and sets of provinces are such sets.
    pub(super) fn check_map(&self, s: &State) -> Finding {
        let last = N_PLACES - 1;
        let demand_place = |place: Place, at: &str| {
            let fault = format_args!("{} is no place (0 to {last})", place.number());
            demand(place.idx() < N_PLACES, at, fault)
        };
        for (seat, caesar) in s.caesar.0.into_iter().enumerate() {
            caesar.map_or(Ok(()), |place| demand_place(place, &format!("caesar.{seat}")))?;
        }
        demand_place(s.battle.place, "battle.place")?;
        s.battle.goal.map_or(Ok(()), |goal| demand_place(goal, "battle.goal"))?;
        let of_detail = match s.detail {
            Detail::Nothing => vec![],
            Detail::Sail { from, to } => vec![from, to],
            Detail::Board { from, zone } => vec![from, zone],
            Detail::Group(group) => vec![group.from, group.zone, group.to],
            Detail::Deal { captor, .. } => return demand_seat(captor, self.n_players, "detail"),
            Detail::Units { place, .. } => vec![place],
        };
        of_detail.into_iter().try_for_each(|place| demand_place(place, "detail"))?;
        for (set, at) in [
            (s.guards, "guards"),
            (s.cities, "cities"),
            (s.forts, "forts"),
            (s.new_cities, "new_cities"),
            (s.all_owned(), "owned"),
        ] {
            let fault = format_args!("the provinces are 0 to {}", N_PROVINCES - 1);
            demand((set - PROVINCES).is_empty(), at, fault)?;
        }
        let n_borders = self.board.borders.len() as u32;
        let fits = s.road_bits().checked_shr(n_borders).unwrap_or(0) == 0;
        demand(fits, "roads", format_args!("the borders are 0 to {}", n_borders - 1))
    }

    /// Checks that nobody has more pieces than there are, and sets the places with pieces and the pools.
    pub(super) fn complete_pieces(&self, s: &mut State) -> Finding {
        for player in Player::all(MAX_PLAYERS) {
            let seat = player.number();
            let is_seated = player.idx() < self.n_players;
            for unit in Unit::MILITARY {
                let on_board: u32 = Place::first(N_PLACES)
                    .map(|place| match unit {
                        Unit::Galley => u32::from(s.galleys(player, place)),
                        unit => u32::from(s.troops(player, place).count(unit)),
                    })
                    .sum();
                let all = if is_seated { u32::from(self.board.pool[unit]) } else { 0 };
                let place = if unit == Unit::Galley { "galleys" } else { "troops" };
                let fault = format_args!("seat {seat} has {on_board} {} of {all}", unit.name());
                demand(on_board <= all, place, fault)?;
                s.pool[player][unit] = (all - on_board) as u8;
            }
            self.check_generals(s, player)?;
            (s.army[player], s.leaders[player]) = (PlaceSet::EMPTY, PlaceSet::EMPTY);
            Place::first(N_PLACES).for_each(|place| s.refresh(player, place));
        }
        Ok(())
    }

    /// Checks that a player has no more generals than at the start: none is ever bought.
    fn check_generals(&self, s: &State, player: Player) -> Finding {
        let seat = player.number();
        let captives = s.captives[player];
        let is_list = captives.fresh() == 0 && captives.half() == 0;
        demand(is_list, format_args!("captives.{seat}"), "0 behind the seats")?;
        let on_board = s.troops[player].iter().map(|troops| u32::from(troops.generals()));
        let held = Player::all(MAX_PLAYERS).map(|captor| u32::from(s.captives[captor].of(player)));
        let fall = s.battle.fall.filter(|fall| fall.owner == player);
        let falling = fall.map_or(0, |fall| u32::from(fall.fallen.generals));
        let sides = [Some(s.turn), s.battle.defender];
        let sunk = sides.iter().zip(s.battle.fallen).filter(|(side, _)| **side == Some(player));
        let sunk = sunk.map(|(_, fallen)| u32::from(fallen.generals));
        let to_place = u32::from(s.to_place[player][1]);
        let all = on_board.chain(held).chain(sunk).sum::<u32>() + falling + to_place;
        let most = self.board.config.start.general;
        let fault = format_args!("seat {seat} has {all} generals of {most}, captives included");
        demand(i64::from(all) <= most, "troops", fault)
    }

    /// Checks that cargo has its leaders and galleys (5.8). In a naval battle galleys may have sunk.
    pub(super) fn check_cargo(&self, s: &State) -> Finding {
        let per_leader = self.board.config.movement.troops_per_leader;
        for player in self.players() {
            let seat = player.number();
            for zone in (N_PROVINCES..N_PLACES).map(|zone| Place::new(zone as u8)) {
                let n_leaders = s.n_leaders(player, zone);
                let galleys = s.galleys(player, zone);
                let sinks = s.phase == Phase::NavalDice && s.battle.place == zone;
                let fault = format_args!("{n_leaders} leaders of seat {seat} on {galleys} galleys");
                let place = format_args!("troops.{seat}.{}", zone.number());
                demand(sinks || n_leaders <= galleys, place, fault)?;
                let (aboard, room) = (
                    i64::from(s.troops(player, zone).military()),
                    per_leader * i64::from(n_leaders),
                );
                let fault = format_args!("{aboard} troops aboard, and room for {room}");
                demand(aboard <= room, place, fault)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::by_hand::{state_from_json, state_to_json};
    use crate::game::Game;
    use crate::games::classic::Classic;

    #[test]
    fn a_road_without_a_border_is_refused_with_its_place() {
        let game = Classic::new(4);
        let mut document = state_to_json::<Classic>(&game.start());
        assert!(state_from_json(&game, &document).is_ok());
        document["roads"][1] = json!([0]);
        let fault = state_from_json(&game, &document).expect_err("no map has so many borders");
        assert!(fault.to_string().starts_with("roads: the borders are 0 to "), "{fault}");
    }
}
