//! The track of circus: chariots on hexes.

use serde_json::Value as Json;

use crate::board::{Area, Board, Kind, Sign};
use crate::chip::{Chip, ChipLook};
use crate::games::Drawing;
use crate::replay::BoardView;
use crate::shapes::Rect;
use crate::story::{Position, words};
use crate::voronoi::Point;

/// Distance from the middle of a hex to its corners, in units of the SVG.
const RADIUS: f64 = 24.0;
/// Margin around the board.
const MARGIN: f64 = 8.0;

/// The drawing of circus.
#[derive(Clone, Debug)]
pub struct Track {
    board: Board,
    seats: usize,
}

/// Returns the middle of a cell of pointy-top hexes.
fn middle(cell: &Json) -> Point {
    let [q, r] = ["q", "r"].map(|key| cell[key].as_f64().unwrap_or_default());
    [RADIUS * 3f64.sqrt() * (q + r / 2.0), RADIUS * 1.5 * r]
}

/// Returns the corners of a hex around its middle.
fn hex([x, y]: Point) -> Vec<Point> {
    let half = RADIUS * 3f64.sqrt() / 2.0;
    let corners = [(0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5)];
    corners.iter().map(|(across, down)| [x + across * half, y + down * RADIUS]).collect()
}

/// Returns the signs for the direction of the race, in the free corners of the board.
fn signs([width, height]: Point) -> Vec<Sign> {
    let sign = |x: f64, y: f64, text: &str| Sign { at: [x, y], text: text.to_owned() };
    let (side, line) = (2.6 * RADIUS, RADIUS);
    vec![
        sign(side, line, "↙ race"),
        sign(side, height - line / 2.0, "race ↘"),
        sign(width - side, height - line / 2.0, "race ↗"),
        sign(width - side, line, "↖ race"),
    ]
}

impl Track {
    /// Creates the track of these rules for `seats` seats.
    #[must_use]
    pub fn new(rules: &Json, seats: usize) -> Self {
        let cells = rules["board"]["cells"].as_array().map_or(&[][..], Vec::as_slice);
        let has = |table: &str, id: &Json| {
            rules[table]["cells"].as_array().is_some_and(|cells| cells.contains(id))
        };
        let sections = rules["sections"]["order"].as_array().map_or(&[][..], Vec::as_slice);
        let area = |cell: &Json| {
            let place = sections.iter().position(|section| *section == cell["section"]);
            let kind = match place {
                _ if has("finish", &cell["id"]) => Kind::Goal,
                Some(place) if place % 2 == 1 => Kind::Divider,
                _ if has("start", &cell["id"]) => Kind::Start,
                _ => Kind::Track,
            };
            let note = if has("start", &cell["id"]) { "start" } else { "" };
            let (id, at) = (cell["id"].to_string(), middle(cell));
            let (label, badge) = (Vec::new(), String::new());
            let slot = Rect::around(at, 1.6 * RADIUS, 1.2 * RADIUS);
            let (note, shape, label_box) = (note.to_owned(), vec![hex(at)], Rect::default());
            Area { id, label, note, badge, kind, at, shape, label_box, slot }
        };
        let mut areas: Vec<Area> = cells.iter().map(area).collect();
        let low =
            |axis: usize| areas.iter().map(|area| area.at[axis]).fold(f64::INFINITY, f64::min);
        let high =
            |axis: usize| areas.iter().map(|area| area.at[axis]).fold(f64::NEG_INFINITY, f64::max);
        let lows = [0, 1].map(|axis| low(axis) - RADIUS - MARGIN);
        let size = [0, 1].map(|axis| high(axis) - lows[axis] + RADIUS + MARGIN);
        for area in &mut areas {
            let moved = |[x, y]: Point| [x - lows[0], y - lows[1]];
            area.at = moved(area.at);
            area.shape[0].iter_mut().for_each(|corner| *corner = moved(*corner));
            area.slot = Rect::around(area.at, 1.6 * RADIUS, 1.2 * RADIUS);
        }
        Self { board: Board { size, areas, signs: signs(size), ..Board::default() }, seats }
    }
}

impl Drawing for Track {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        ["chariots on", "cards"].map(str::to_owned).to_vec()
    }

    fn lists(&self) -> usize {
        2
    }

    fn score(&self) -> &'static str {
        "lines crossed"
    }

    fn legend(&self) -> String {
        "Chariots: the shape of a seat with a letter. The race runs anticlockwise; light cells are the \
         start, dark ones the lines at both ends, green ones the finish."
            .to_owned()
    }

    fn view(&self, position: &Position) -> BoardView {
        let players = &position.state["players"];
        let chariots =
            |seat: usize| players[seat]["chariots"].as_array().map_or(&[][..], Vec::as_slice);
        let mut areas = vec![Vec::new(); self.board.areas.len()];
        for seat in 0..self.seats {
            for (n, chariot) in chariots(seat).iter().enumerate() {
                let Some(place) = self.board.place(&chariot["cell"].to_string()) else { continue };
                let letter = char::from(b'a' + (n % 26) as u8);
                let title =
                    format!("chariot {letter} of seat {}, leg {}", seat + 1, chariot["leg"]);
                areas[place].push(Chip::new(
                    Some(seat),
                    ChipLook::Walker,
                    letter.to_string(),
                    title,
                ));
            }
        }
        let gauges = |seat: usize| {
            let cells: Vec<String> =
                chariots(seat).iter().map(|chariot| chariot["cell"].to_string()).collect();
            vec![cells.join(", "), words(&players[seat]["cards"])]
        };
        let heading = match position.number("/round") {
            0 => "The chariots are placed".to_owned(),
            round => format!("Round {round}"),
        };
        let crossed = |seat: usize| -> i64 {
            chariots(seat).iter().filter_map(|chariot| chariot["leg"].as_i64()).sum()
        };
        let scores = (0..self.seats).map(crossed).collect();
        let gauges = (0..self.seats).map(gauges).collect();
        BoardView { heading, areas, gauges, scores, ..BoardView::default() }
    }
}
