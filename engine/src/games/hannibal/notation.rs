//! The notation of hannibal: texts and JSON (H1, H4, H6).

use std::fmt;

use serde_json::{Map, Value, json};

use super::Hannibal;
use super::board::Hand;
use super::options::Action;
use super::state::{CARTHAGE, Fighter, Outcome, Phase, ROME, State};
use crate::bits::each;
use crate::notation::Notation;

const SIDES: [&str; 2] = ["Carthage", "Rome"];

const fn fighter_word(fighter: Fighter) -> &'static str {
    match fighter {
        Fighter::Legion => "legion",
        Fighter::Hannibal => "hannibal",
    }
}

fn cards(hand: Hand) -> Vec<u8> {
    each(hand.into()).collect()
}

impl Hannibal {
    /// Returns the numbers of both sides by place, without places that hold no pieces.
    fn table<'a>(&self, places: &[String], count: impl Fn(usize, usize) -> &'a u8) -> Value {
        let mut table = Map::new();
        for (place, id) in places.iter().enumerate() {
            let counts = [CARTHAGE, ROME].map(|seat| *count(seat, place));
            if counts != [0, 0] {
                table.insert(id.clone(), json!(counts));
            }
        }
        Value::Object(table)
    }

    fn hannibal_id(&self, s: &State) -> Option<&str> {
        each(s.hannibal.into()).next().map(|area| self.area_id(area))
    }

    fn write_places(&self, s: &State, seat: usize, f: &mut dyn fmt::Write) -> fmt::Result {
        write!(f, "{}: legions", SIDES[seat])?;
        for area in each(s.areas[seat].into()) {
            write!(f, " {} {}", s.legions(seat, area), self.area_id(area))?;
        }
        if let (CARTHAGE, Some(area)) = (seat, self.hannibal_id(s)) {
            write!(f, ", Hannibal {area}")?;
        }
        f.write_str("; fleets")?;
        for route in each(s.routes[seat].into()) {
            write!(f, " {} {}", s.fleets(seat, route), self.route_id(route))?;
        }
        f.write_str("; cards")?;
        cards(s.hands[seat]).iter().try_for_each(|card| write!(f, " {card}"))?;
        writeln!(f)
    }
}

impl Notation for Hannibal {
    crate::by_hand::by_hand!();

    fn write_action(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        let (area, route) = (|a| self.area_id(a), |r| self.route_id(r));
        match action {
            Action::Legion { from, to } => write!(f, "legion {} {}", area(from), area(to)),
            Action::Hannibal { from, to } => write!(f, "hannibal {} {}", area(from), area(to)),
            Action::Fleet { from, to } => write!(f, "fleet {} {}", route(from), route(to)),
            Action::Raise(from) => write!(f, "raise {}", area(from)),
            Action::RaiseHannibal(from) => write!(f, "raise-hannibal {}", area(from)),
            Action::Pass => f.write_str("pass"),
            Action::Fight(fighter) => write!(f, "fight {}", fighter_word(fighter)),
            Action::Card(value) => write!(f, "card {value}"),
        }
    }

    /// Returns the state of clause H6; before the end also the mover and the conflict under way.
    fn state_json(&self, s: &State) -> Value {
        let mut state = json!({
            "turns": s.turns,
            "passes": s.passes,
            "legions": self.table(&self.board.areas, |seat, area| &s.legions[seat][area]),
            "hannibal": self.hannibal_id(s),
            "fleets": self.table(&self.board.routes, |seat, route| &s.fleets[seat][route]),
            "hands": s.hands.map(cards),
        });
        if s.phase != Phase::Over {
            state["mover"] = s.mover.number().into();
        }
        if let (Some(site), true) = (s.site, s.phase != Phase::Over) {
            let fighter = s.fighter.map(fighter_word);
            state["conflict"] = json!({ "place": self.site_id(site), "fighter": fighter });
        }
        state
    }

    fn write_state(&self, s: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        match (s.outcome, s.site) {
            (Some(Outcome::Won(side)), _) => write!(f, "{} has won", SIDES[side.idx()])?,
            (Some(Outcome::Draw), _) => f.write_str("a draw")?,
            (None, None) => write!(f, "{} to move", SIDES[s.mover()])?,
            (None, Some(site)) => {
                write!(f, "{} attacks in {}", SIDES[s.mover()], self.site_id(site))?;
            }
        }
        if let (None, Some(fighter)) = (s.outcome, s.fighter) {
            write!(f, ", Carthage fights with {}", fighter_word(fighter))?;
        }
        writeln!(f, "; {} turns, {} passes in a row", s.turns, s.passes)?;
        self.write_places(s, CARTHAGE, f)?;
        self.write_places(s, ROME, f)
    }
}
