//! The notation of rise: actions, events of chance, states of records (19, 20).

use std::fmt;

use serde_json::{Map, Value, json};

use super::Rise;
use super::action::Action;
use super::state::{Phase, State, Tiles};
use super::things::{
    CitySet, MAX_CIRCLES, N_PROGRESS, N_REGIONS, N_TERRITORIES, Progress, Region, Row, Territory,
};
use crate::notation::{ChanceEvent, Notation};
use crate::player::Player;

impl Rise {
    fn progress_id(&self, tile: Progress) -> &str {
        &self.board.tile(tile).id
    }

    fn territory_id(&self, tile: Territory) -> &str {
        &self.board.territories[tile.idx()].id
    }

    fn region_id(&self, region: Region) -> &str {
        &self.board.region(region).id
    }

    /// Returns the numbers of progress tiles by name, without zeros.
    fn progress_json(&self, tiles: &Tiles) -> Value {
        let all = Progress::first(N_PROGRESS).filter(|&tile| tiles.progress(tile) > 0);
        let named = |tile| (self.progress_id(tile).to_owned(), tiles.progress(tile).into());
        Value::Object(all.map(named).collect())
    }

    fn territory_json(&self, count: impl Fn(Territory) -> i32) -> Value {
        let all = Territory::first(N_TERRITORIES).filter(|&tile| count(tile) > 0);
        let named = |tile| (self.territory_id(tile).to_owned(), count(tile).into());
        Value::Object(all.map(named).collect())
    }

    fn cities_json(&self, cities: CitySet) -> Value {
        cities.iter().map(|city| self.board.city(city).id.as_str()).collect()
    }

    fn player_json(&self, s: &State, seat: usize) -> Value {
        let progress: Value = s.progress[seat].iter().map(|tile| self.progress_id(tile)).collect();
        json!({
            "gold": s.gold[seat],
            "resource": s.resource[seat],
            "food": s.food[seat],
            "vp": s.vp[seat],
            "pool": s.pool[seat],
            "stock": s.stock[seat],
            "progress": progress,
            "territory": self.territory_json(|tile| s.territory(seat, tile)),
            "city": self.cities_json(s.cities[seat]),
        })
    }

    fn map_json(&self, s: &State) -> Value {
        let mut map = Map::new();
        for region in Region::first(N_REGIONS) {
            let here = &s.map[region.idx()][..self.board.n_players];
            if here.iter().any(|&n| n > 0) {
                map.insert(self.region_id(region).to_owned(), json!(here));
            }
        }
        Value::Object(map)
    }
}

fn discs_json(s: &State, row: Row) -> Value {
    (0..MAX_CIRCLES as u8).filter_map(|circle| s.disc(row, circle)).collect()
}

impl Notation for Rise {
    crate::by_hand::by_hand!();

    fn write_action_for_people(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        match action {
            Action::Battle(region, rival) => {
                write!(f, "battle {} {}", self.region_id(region), rival.ordinal())
            }
            _ => self.write_action(action, f),
        }
    }

    fn write_action(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        match action {
            Action::Order(player) => write!(f, "order {player}"),
            Action::DrawProgress(tile) => write!(f, "draw {}", self.progress_id(tile)),
            Action::DrawTerritory(tile) => write!(f, "draw {}", self.territory_id(tile)),
            Action::Place(row) => write!(f, "place {}", row.id()),
            Action::Remove(row, circle) => write!(f, "remove {} {circle}", row.id()),
            Action::Use(tile, None) => write!(f, "use {}", self.progress_id(tile)),
            Action::Use(tile, Some(region)) => {
                write!(f, "use {} {}", self.progress_id(tile), self.region_id(region))
            }
            Action::Pay(good, n) => write!(f, "pay {} {n}", good.id()),
            Action::Progress(tile) => write!(f, "progress {}", self.progress_id(tile)),
            Action::Territory(tile) => write!(f, "territory {}", self.territory_id(tile)),
            Action::City(city) => write!(f, "city {}", self.board.city(city).id),
            Action::Empire(tile) => write!(f, "empire {}", tile.number() + 1),
            Action::Trade(number) => write!(f, "trade {}", number.number() + 1),
            Action::Skip => f.write_str("skip"),
            Action::Abandon => f.write_str("abandon"),
            Action::To(region) => write!(f, "to {}", self.region_id(region)),
            Action::Count(n) => write!(f, "count {n}"),
            Action::Done => f.write_str("done"),
            Action::Battle(region, rival) => {
                write!(f, "battle {} {rival}", self.region_id(region))
            }
            Action::NoBattle => f.write_str("no-battle"),
            Action::End => f.write_str("end"),
            Action::DropProgress(tile) => write!(f, "drop {}", self.progress_id(tile)),
            Action::DropCity(city) => write!(f, "drop {}", self.board.city(city).id),
            Action::Keep => f.write_str("keep"),
            Action::Take(good, n) => write!(f, "take {} {n}", good.id()),
            Action::Seat(place) => write!(f, "seat {place}"),
        }
    }

    fn chance_event(&self, _state: &State, outcome: Action) -> ChanceEvent {
        let (chance, value): (&str, Value) = match outcome {
            Action::Order(player) => ("order", player.number().into()),
            Action::DrawProgress(tile) => ("progress", self.progress_id(tile).into()),
            Action::DrawTerritory(tile) => ("territory", self.territory_id(tile).into()),
            _ => unreachable!("{outcome:?} is no outcome of chance"),
        };
        ChanceEvent { chance: chance.to_owned(), who: None, value }
    }

    fn state_json(&self, s: &State) -> Value {
        let s = &s.shown();
        let players = (0..self.board.n_players).map(|seat| self.player_json(s, seat));
        json!({
            "turn": s.turn,
            "order": s.order().map(Player::number).collect::<Vec<_>>(),
            "players": players.collect::<Vec<_>>(),
            "map": self.map_json(s),
            "discs": Row::ALL.map(|row| discs_json(s, row)),
            "display": {
                "progress": self.progress_json(&s.display),
                "territory": self.territory_json(|tile| s.display.territory(tile).into()),
                "city": self.cities_json(s.city_display),
            },
            "stacks": {
                "progress": self.progress_json(&s.stacks),
                "territory": self.territory_json(|tile| s.stacks.territory(tile).into()),
            },
        })
    }

    fn write_state(&self, s: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        super::table::write(self, s, f)
    }
}

impl Rise {
    /// Returns the decision or event that is due, for people.
    pub(super) fn due(&self, s: &State) -> String {
        let turn = self.board.config.meta.turns.get(usize::from(s.turn));
        let turn = turn.map_or("the end", String::as_str);
        match s.phase {
            Phase::Over => "the end".to_owned(),
            phase => format!("turn {turn}, round {}, {phase:?}", s.round + 1),
        }
    }
}
