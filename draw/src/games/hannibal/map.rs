//! The map of hannibal: legions, Hannibal and fleets.

use serde_json::Value as Json;

use crate::board::{Area, Board, BoardLine, Kind, Link};
use crate::games::Drawing;
use crate::replay::{BoardView, Chip, ChipLook};
use crate::story::{Position, counted};
use crate::voronoi::Point;

/// Where the areas of all variants lie, as longitude and latitude.
const PLACES: [(&str, Point); 12] = [
    ("roma", [12.5, 42.2]),
    ("cannae", [16.3, 40.6]),
    ("sicilia", [14.2, 37.2]),
    ("corsica", [8.8, 42.6]),
    ("sardinia", [8.6, 39.6]),
    ("gallia", [3.2, 44.6]),
    ("gallia-cisalpina", [9.6, 45.6]),
    ("hispania-citerior", [-1.2, 41.2]),
    ("hispania-ulterior", [-5.6, 38.0]),
    ("mauritania", [-4.0, 34.4]),
    ("numidia", [4.6, 35.4]),
    ("carthago", [10.4, 35.6]),
];
/// Half the width of the square of a sea route.
const HALF: f64 = 26.0;

/// Draws hannibal.
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
    /// The map of these rules.
    #[must_use]
    pub fn new(rules: &Json) -> Self {
        let variants = rules["variant"].as_array().into_iter().flatten();
        let variant = variants.into_iter().find(|variant| variant["id"] == rules["map"]);
        let variant = variant.cloned().unwrap_or_default();
        let extra = variant["extra-areas"].as_array().into_iter().flatten();
        let all: Vec<&str> =
            ids(rules, "area").into_iter().chain(extra.filter_map(Json::as_str)).collect();
        // A place that nobody knows stands beside the others.
        let at = |(i, id): (usize, &&str)| {
            let known = PLACES.iter().find(|(name, _)| name == id);
            known.map_or([-8.0 + i as f64 * 2.0, 47.5], |(_, at)| *at)
        };
        let points: Vec<Point> = all.iter().enumerate().map(at).collect();
        let places: Vec<(&str, Point, Kind)> =
            all.iter().zip(points).map(|(id, at)| (*id, at, Kind::Land)).collect();
        let mut board = Board::of_places(&places);
        let borders = variant["borders"].as_array().into_iter().flatten().filter_map(pair);
        let line = |board: &Board, [from, to]: [&str; 2], link| {
            Some(BoardLine { from: board.place(from)?, to: board.place(to)?, link })
        };
        let borders: Vec<BoardLine> =
            borders.filter_map(|ends| line(&board, ends, Link::Border)).collect();
        board.lines.extend(borders);
        for route in rules["route"].as_array().into_iter().flatten() {
            let ends = pair(&route["ends"]);
            if let Some(line) = ends.and_then(|ends| line(&board, ends, Link::Route)) {
                board.lines.push(line);
                let area = route_area(&board, line, route["id"].as_str().unwrap_or_default());
                board.areas.push(area);
            }
        }
        Self { board }
    }
}

/// The square in the middle of a route.
fn route_area(board: &Board, line: BoardLine, id: &str) -> Area {
    let [from, to] = [line.from, line.to].map(|i| board.areas[i].at);
    let at = [0, 1].map(|axis| (from[axis] + to[axis]) / 2.0);
    let corner = |x: f64, y: f64| [at[0] + x * HALF, at[1] + y * HALF];
    let shape = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let (label, note) = (String::new(), "a sea route".to_owned());
    Area { id: id.to_owned(), label, note, kind: Kind::Route, at, shape }
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

    fn legend(&self) -> String {
        "L legions, H Hannibal, F fleets on a sea route (the squares between areas). The places of the areas are chosen; \
         lines are land borders and sea routes."
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
                        chips.push(Chip {
                            seat: Some(seat),
                            look: ChipLook::Units,
                            text: format!("{n}{letter}"),
                            title,
                        });
                    }
                }
            }
            if state["hannibal"] == area.id.as_str() {
                let (text, title) = ("H".to_owned(), "Carthage: Hannibal".to_owned());
                chips.push(Chip { seat: Some(0), look: ChipLook::Built, text, title });
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
        let mover = state["mover"].as_u64().map_or("the game is over".to_owned(), |seat| {
            format!("turn {turn}, {} to move", if seat == 0 { "Carthage" } else { "Rome" })
        });
        let conflict = state.pointer("/conflict/place").and_then(Json::as_str);
        let conflict = conflict.map_or_else(String::new, |place| format!(": conflict in {place}"));
        BoardView {
            heading: mover + &conflict,
            areas: self.board.areas.iter().map(chips).collect(),
            gauges: (0..2).map(gauges).collect(),
            text: String::new(),
        }
    }
}
