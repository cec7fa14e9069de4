//! The position as text for people.

use std::fmt;

use crate::games::classic::Classic;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, Place};
use crate::games::classic::model::state::State;
use crate::games::shared::units::Unit;
use crate::player::Player;

impl Classic {
    pub(crate) fn write_table(&self, s: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        match s.phase {
            Phase::Claim | Phase::Place => write!(f, "setup")?,
            Phase::Over => write!(f, "over in round {}", s.round)?,
            _ => write!(f, "round {}, turn of seat {}", s.round, s.turn.ordinal())?,
        }
        writeln!(f, ", prices times {}", self.price_factor(s))?;
        self.players().try_for_each(|q| self.write_player(s, q, f))?;
        Place::first(N_PLACES).try_for_each(|place| self.write_place(s, place, f))
    }

    fn write_player(&self, s: &State, player: Player, f: &mut dyn fmt::Write) -> fmt::Result {
        let home = self.place_id(self.home(player));
        if s.out.contains(player) {
            return writeln!(f, "seat {} {home}: out", player.ordinal());
        }
        let (talents, tribute) = (s.talents[player], self.tribute(s, player));
        let homes = (s.owned[player] & self.board.homes).len();
        write!(
            f,
            "seat {} {home}: {talents} talents, tribute {tribute}, homes {homes}",
            player.ordinal()
        )?;
        for owner in self.players().filter(|&q| s.captives[player].of(q) > 0) {
            write!(f, ", holds {} of {}", s.captives[player].of(owner), owner.ordinal())?;
        }
        writeln!(f)
    }

    fn write_place(&self, s: &State, place: Place, f: &mut dyn fmt::Write) -> fmt::Result {
        let mut words = Vec::new();
        if let Some(owner) = s.owner(place) {
            words.push(format!("of {}", owner.ordinal()));
        }
        if s.guards.contains(place) {
            words.push(format!("guard {}", self.guard_strength(s, place)));
        }
        if s.cities.contains(place) {
            words.push(if s.forts.contains(place) { "fortified city" } else { "city" }.to_owned());
        }
        for player in self.players() {
            let pieces = pieces_text(s, player, place);
            if !pieces.is_empty() {
                words.push(format!("{}: {pieces}", player.ordinal()));
            }
        }
        if words.is_empty() {
            return Ok(());
        }
        writeln!(f, "  {:<19} {}", self.place_id(place), words.join("; "))
    }
}

fn pieces_text(s: &State, player: Player, place: Place) -> String {
    let troops = s.troops(player, place);
    let number = |unit: Unit| match unit {
        Unit::Galley => s.galleys(player, place),
        unit => troops.count(unit),
    };
    let mut words: Vec<String> = Unit::ALL
        .into_iter()
        .filter(|&unit| number(unit) > 0)
        .map(|unit| format!("{} {}", number(unit), unit.name()))
        .collect();
    if s.caesar[player] == Some(place) {
        words.push("caesar".to_owned());
    }
    words.join(", ")
}
