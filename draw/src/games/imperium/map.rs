//! The map of imperium: influence and proconsuls in eight provinces.

use serde_json::Value as Json;

use crate::board::{Area, Board, BoardLine, Kind, Link};
use crate::games::Drawing;
use crate::replay::{BoardView, Chip, ChipLook};
use crate::story::{Position, counted, seated};
use crate::voronoi::Point;

/// Where the provinces lie, as longitude and latitude.
const PLACES: [(&str, Point); 8] = [
    ("africa", [9.0, 34.5]),
    ("syria", [38.0, 35.5]),
    ("illyricum", [17.0, 44.5]),
    ("gallia", [3.0, 46.5]),
    ("asia", [30.5, 39.5]),
    ("hispania", [-4.0, 40.0]),
    ("macedonia", [22.5, 40.0]),
    ("aegyptus", [29.0, 29.5]),
];

/// Draws imperium.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    seats: usize,
}

impl Map {
    /// The map of these rules for so many seats.
    #[must_use]
    pub fn new(rules: &Json, seats: usize) -> Self {
        let provinces = rules["province"].as_array().map_or(&[][..], Vec::as_slice);
        let place = |(i, province): (usize, &Json)| {
            let id = province["id"].as_str().unwrap_or_default().to_owned();
            let known = PLACES.iter().find(|(name, _)| *name == id);
            (id, known.map_or([-6.0 + 5.0 * i as f64, 50.0], |(_, at)| *at))
        };
        let places: Vec<(String, Point)> = provinces.iter().enumerate().map(place).collect();
        let named: Vec<(&str, Point, Kind)> =
            places.iter().map(|(id, at)| (id.as_str(), *at, Kind::Key)).collect();
        let mut board = Board::of_places(&named);
        for (from, province) in provinces.iter().enumerate() {
            board.areas[from].note = format!("pays {}", crate::story::words(&province["points"]));
            for id in province["adjacent"].as_array().into_iter().flatten() {
                let to = id.as_str().and_then(|id| board.place(id));
                if let Some(to) = to.filter(|&to| from < to) {
                    board.lines.push(BoardLine { from, to, link: Link::Border });
                }
            }
        }
        Self { board, seats }
    }
}

impl Drawing for Map {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        ["points", "free pieces", "cards"].map(str::to_owned).to_vec()
    }

    fn legend(&self) -> String {
        "Discs: pieces of influence; squares: proconsuls. The places of the provinces are chosen; lines join neighbours."
            .to_owned()
    }

    fn view(&self, position: &Position) -> BoardView {
        let state = &position.state;
        let chips = |area: &Area| -> Vec<Chip> {
            let mut chips = Vec::new();
            for seat in 0..self.seats {
                let n = state["pieces"][&area.id][seat].as_i64().unwrap_or_default();
                if n > 0 {
                    let title = format!("{}: {}", seated(seat), counted(n, "piece"));
                    chips.push(Chip {
                        seat: Some(seat),
                        look: ChipLook::Token,
                        text: format!("{}:{n}", seat + 1),
                        title,
                    });
                }
            }
            if let Some(seat) = state["proconsul"][&area.id].as_u64() {
                let title = format!("proconsul of seat {}", seat + 1);
                chips.push(Chip {
                    seat: Some(seat as usize),
                    look: ChipLook::Built,
                    text: format!("P {}", seat + 1),
                    title,
                });
            }
            chips
        };
        let gauges = |seat: usize| {
            let player = &state["players"][seat];
            let cards = [("ear", "Ear"), ("oracle", "Oracle")];
            let cards = cards.iter().filter(|(key, _)| player[key] == true).map(|(_, card)| *card);
            vec![
                player["points"].to_string(),
                player["free"].to_string(),
                cards.collect::<Vec<_>>().join(", "),
            ]
        };
        let mark = crate::story::words(&state["mark"]);
        BoardView {
            heading: format!("round {}, {mark} is next", position.number("/round") + 1),
            areas: self.board.areas.iter().map(chips).collect(),
            gauges: (0..self.seats).map(gauges).collect(),
            text: String::new(),
        }
    }
}
