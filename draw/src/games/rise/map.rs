//! The map of rise: cubes in the regions of the world.

use serde_json::Value as Json;

use crate::board::{Area, Board, BoardLine, Kind, Link};
use crate::games::Drawing;
use crate::replay::{BoardView, Chip, ChipLook};
use crate::story::{Position, counted, seated, words};
use crate::voronoi::Point;

/// Where the regions lie on the picture: the old world drawn large, the others around it.
const PLACES: [(&str, Point); 17] = [
    ("mediterranean-sea", [18.0, 35.5]),
    ("iberia", [-4.0, 40.5]),
    ("gaul", [4.0, 46.0]),
    ("italy", [13.0, 42.5]),
    ("greece", [22.0, 40.0]),
    ("asia-minor", [32.0, 39.0]),
    ("egypt", [29.0, 29.0]),
    ("north-africa", [4.0, 31.0]),
    ("british-isles", [-3.0, 54.0]),
    ("northern-europe", [14.0, 57.0]),
    ("central-europe", [15.0, 49.0]),
    ("eastern-europe", [29.0, 49.0]),
    ("middle-east", [42.0, 33.0]),
    ("north-america", [-22.0, 48.0]),
    ("south-america", [-20.0, 31.0]),
    ("india", [57.0, 31.0]),
    ("china", [60.0, 43.0]),
];

/// Draws rise.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    seats: usize,
    /// The names of the turns.
    turns: Vec<String>,
}

impl Map {
    /// The map of these rules for so many seats.
    #[must_use]
    pub fn new(rules: &Json, seats: usize) -> Self {
        let regions = rules["region"].as_array().map_or(&[][..], Vec::as_slice);
        let place = |(i, region): (usize, &Json)| {
            // Records write names with dashes.
            let id = region["id"].as_str().unwrap_or_default().replace('_', "-");
            let known = PLACES.iter().find(|(name, _)| *name == id);
            let kind = if region["sea"] == true { Kind::Sea } else { Kind::Land };
            // A place that nobody knows stands below the others.
            (id, known.map_or([-20.0 + 5.0 * i as f64, 22.0], |(_, at)| *at), kind)
        };
        let places: Vec<(String, Point, Kind)> = regions.iter().enumerate().map(place).collect();
        let named: Vec<(&str, Point, Kind)> =
            places.iter().map(|(id, at, kind)| (id.as_str(), *at, *kind)).collect();
        let mut board = Board::of_places(&named);
        for (from, region) in regions.iter().enumerate() {
            board.areas[from].note = format!("pays {} VP", words(&region["vp"]).replace(", ", "/"));
            for id in region["adjacent"].as_array().into_iter().flatten() {
                let to = id.as_str().and_then(|id| board.place(&id.replace('_', "-")));
                if let Some(to) = to.filter(|&to| from < to) {
                    board.lines.push(BoardLine { from, to, link: Link::Border });
                }
            }
        }
        let turns = rules["meta"]["turns"].as_array().into_iter().flatten();
        Self { board, seats, turns: turns.map(words).collect() }
    }
}

impl Drawing for Map {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        ["VP", "food", "gold", "resource", "cubes"].map(str::to_owned).to_vec()
    }

    fn legend(&self) -> String {
        "Discs: cubes of a seat. The places of the regions are chosen; lines join neighbours."
            .to_owned()
    }

    fn view(&self, position: &Position) -> BoardView {
        let state = &position.state;
        let chips = |area: &Area| -> Vec<Chip> {
            let cubes = |seat: usize| {
                let n = state["map"][&area.id][seat].as_i64().filter(|&n| n > 0)?;
                let (text, title) = (
                    format!("{}:{n}", seat + 1),
                    format!("{}: {}", seated(seat), counted(n, "cube")),
                );
                Some(Chip { seat: Some(seat), look: ChipLook::Token, text, title })
            };
            (0..self.seats).filter_map(cubes).collect()
        };
        let gauges = |seat: usize| -> Vec<String> {
            let player = &state["players"][seat];
            ["vp", "food", "gold", "resource", "pool"]
                .iter()
                .map(|key| words(&player[*key]))
                .collect()
        };
        let turn = state["turn"].as_u64().unwrap_or_default() as usize;
        let heading = self
            .turns
            .get(turn)
            .map_or("the game is over".to_owned(), |turn| format!("turn {turn}"));
        BoardView {
            heading,
            areas: self.board.areas.iter().map(chips).collect(),
            gauges: (0..self.seats).map(gauges).collect(),
            text: String::new(),
        }
    }
}
