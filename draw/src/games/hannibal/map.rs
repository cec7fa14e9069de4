//! The map of hannibal: legions, Hannibal and fleets.

use serde_json::Value as Json;

use crate::board::{Area, Board, Kind, Link};
use crate::chip::{Chip, ChipLook, symbols};
use crate::games::Drawing;
use crate::replay::{BoardView, Fight};
use crate::shapes::Rect;
use crate::story::{Position, counted};

/// Areas that some variants lack, each with the area that receives its land there.
const HEIRS: [[&str; 2]; 3] = [
    ["numidia", "mauritania"],
    ["gallia-cisalpina", "gallia"],
    ["hispania-ulterior", "hispania-citerior"],
];

/// The drawing of hannibal.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
}

fn ids<'a>(rules: &'a Json, key: &str) -> Vec<&'a str> {
    let all = rules[key].as_array().into_iter().flatten();
    all.filter_map(|entry| entry["id"].as_str()).collect()
}

fn pair(ends: &Json) -> Option<[&str; 2]> {
    Some([ends[0].as_str()?, ends[1].as_str()?])
}

impl Map {
    /// Creates the map of these rules.
    #[must_use]
    pub fn new(rules: &Json) -> Self {
        let variants = rules["variant"].as_array().into_iter().flatten();
        let variant = variants.into_iter().find(|variant| variant["id"] == rules["map"]);
        let variant = variant.cloned().unwrap_or_default();
        let extra = variant["extra-areas"].as_array().into_iter().flatten();
        let all: Vec<&str> =
            ids(rules, "area").into_iter().chain(extra.filter_map(Json::as_str)).collect();
        let routes = rules["route"].as_array().into_iter().flatten();
        let named = |kind: Kind| move |id: &str| (id.to_owned(), kind);
        let mut named: Vec<(String, Kind)> = all.into_iter().map(named(Kind::Land)).collect();
        named.extend(ids(rules, "route").into_iter().map(|id| (id.to_owned(), Kind::Route)));
        let mut board = Board::of_places("hannibal", &named, &HEIRS);
        let borders = variant["borders"].as_array().into_iter().flatten().filter_map(pair);
        for [from, to] in borders {
            // A border runs from the end that is first in the list to the other end.
            let mut ends = [from, to];
            ends.sort_by_key(|id| board.place(id));
            if let Some(from) = board.place(ends[0]) {
                board.join(from, ends[1], Link::Border);
            }
        }
        for area in board.areas.iter_mut().filter(|area| area.kind == Kind::Route) {
            (area.label, area.note) = (Vec::new(), "a sea route".to_owned());
            let Rect { left, top, right, bottom } = area.slot;
            area.shape = vec![vec![[left, top], [right, top], [right, bottom], [left, bottom]]];
            area.at = area.slot.middle();
        }
        // A way leads to the station of its fleets and continues from there.
        for route in routes {
            let station = board.place(route["id"].as_str().unwrap_or_default());
            let (Some(station), Some(ends)) = (station, pair(&route["ends"])) else { continue };
            for end in ends {
                board.add(station, end, Link::Route);
            }
        }
        Self { board }
    }
}

fn number(table: &Json, id: &str, seat: usize) -> i64 {
    table[id][seat].as_i64().unwrap_or_default()
}

impl Drawing for Map {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        ["side", "legions", "fleets", "cards"].map(str::to_owned).to_vec()
    }

    fn lists(&self) -> usize {
        1
    }

    fn score(&self) -> &'static str {
        "legions and fleets"
    }

    fn legend(&self) -> String {
        "Standards: legions; the crown: Hannibal; ships: fleets, on the boxes of the sea routes. Round marks are of Carthage, \
         square ones of Rome. Dashed lines are sea routes and borders across straits."
            .to_owned()
    }

    fn view(&self, position: &Position) -> BoardView {
        let state = &position.state;
        let chips = |area: &Area| -> Vec<Chip> {
            let mut chips = Vec::new();
            for (seat, side) in ["Carthage", "Rome"].iter().enumerate() {
                for (table, letter, word) in [("legions", "L", "legion"), ("fleets", "F", "fleet")]
                {
                    let n = number(&state[table], &area.id, seat);
                    if n > 0 {
                        let title = format!("{side}: {}", counted(n, word));
                        chips.push(Chip::new(
                            Some(seat),
                            ChipLook::Units,
                            symbols([(letter, n)]),
                            title,
                        ));
                    }
                }
            }
            if state["hannibal"] == area.id.as_str() {
                let title = "Carthage: Hannibal".to_owned();
                chips.push(Chip::new(Some(0), ChipLook::Built, "H".to_owned(), title));
            }
            chips
        };
        let total = |table: &str, seat: usize| -> i64 {
            let all = state[table].as_object();
            all.map_or(0, |all| all.values().filter_map(|counts| counts[seat].as_i64()).sum())
        };
        let gauges = |seat: usize| {
            vec![
                ["Carthage", "Rome"][seat].to_owned(),
                total("legions", seat).to_string(),
                total("fleets", seat).to_string(),
                crate::story::words(&state["hands"][seat]),
            ]
        };
        let turn = position.number("/turns") + 1;
        let mover = state["mover"].as_u64().map_or("The game is over".to_owned(), |seat| {
            format!("Turn {turn}, {} to move", if seat == 0 { "Carthage" } else { "Rome" })
        });
        let place = state.pointer("/conflict/place").and_then(Json::as_str);
        // The name of a route is that of both its ends.
        let is_route = |place: &str| {
            self.board.place(place).is_some_and(|i| self.board.areas[i].kind == Kind::Route)
        };
        let conflict = place.map_or_else(String::new, |place| match place.split_once('-') {
            Some((one, other)) if is_route(place) => {
                format!(": conflict between {one} and {other}")
            }
            _ => format!(": conflict in {place}"),
        });
        let area = place.and_then(|place| self.board.place(place)).into_iter();
        let fights = area.map(|area| Fight { area, text: "a conflict".to_owned() });
        BoardView {
            heading: mover + &conflict,
            areas: self.board.areas.iter().map(chips).collect(),
            gauges: (0..2).map(gauges).collect(),
            fights: fights.collect(),
            scores: (0..2).map(|seat| total("legions", seat) + total("fleets", seat)).collect(),
            ..BoardView::default()
        }
    }
}
