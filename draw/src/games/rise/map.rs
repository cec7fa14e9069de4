//! The map of rise: cubes in the regions of the world.

use serde_json::Value as Json;

use crate::board::{Area, Board, Kind, Link};
use crate::chip::{Chip, ChipLook};
use crate::games::Drawing;
use crate::replay::BoardView;
use crate::story::{Position, counted, seated, words};

/// The kinds of tiles, with their names in records.
const TILES: [&str; 3] = ["progress", "territory", "city"];

/// Returns tiles in words, with their number if there are several.
fn tiles(all: &Json) -> String {
    let Json::Object(counts) = all else { return words(all) };
    let one = |(id, n): (&String, &Json)| match n.as_i64() {
        Some(n) if n > 1 => format!("{n} × {id}"),
        _ => id.clone(),
    };
    counts.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The drawing of rise.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    seats: usize,
    /// The names of the turns.
    turns: Vec<String>,
    rules: Json,
}

impl Map {
    /// Creates the map of these rules for `seats` seats.
    #[must_use]
    pub fn new(rules: &Json, seats: usize) -> Self {
        let regions = rules["region"].as_array().map_or(&[][..], Vec::as_slice);
        // Records write names with dashes.
        let id = |name: &Json| name.as_str().unwrap_or_default().replace('_', "-");
        let place = |region: &Json| {
            (id(&region["id"]), if region["sea"] == true { Kind::Sea } else { Kind::Land })
        };
        let mut board =
            Board::of_places("rise", &regions.iter().map(place).collect::<Vec<_>>(), &[]);
        for (from, region) in regions.iter().enumerate() {
            let area = &mut board.areas[from];
            area.badge = words(&region["vp"]).replace(", ", "/");
            area.note = format!("pays {} VP", area.badge);
        }
        for (from, region) in regions.iter().enumerate() {
            for other in region["adjacent"].as_array().into_iter().flatten() {
                board.join(from, &id(other), Link::Border);
            }
        }
        let turns = rules["meta"]["turns"].as_array().into_iter().flatten();
        Self { board, seats, turns: turns.map(words).collect(), rules: rules.clone() }
    }
}

impl Drawing for Map {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        ["VP", "food", "gold", "resource", "cubes", "progress", "territory", "cities"]
            .map(str::to_owned)
            .to_vec()
    }

    fn lists(&self) -> usize {
        3
    }

    fn note(&self, thing: &str) -> Option<String> {
        super::tiles::note(&self.rules, thing)
    }

    fn things(&self) -> Vec<(String, String)> {
        super::tiles::names(&self.rules)
    }

    fn displays(&self) -> Vec<String> {
        ["progress", "territory", "cities"].map(|what| format!("{what} on display")).to_vec()
    }

    fn score(&self) -> &'static str {
        "VP"
    }

    fn legend(&self) -> String {
        "Cubes of a seat have its colour and shape. Dashed lines join neighbours that do not touch; boxes are lands \
         that lie elsewhere."
            .to_owned()
    }

    fn view(&self, position: &Position) -> BoardView {
        let state = &position.state;
        let chips = |area: &Area| -> Vec<Chip> {
            let cubes = |seat: usize| {
                let n = state["map"][&area.id][seat].as_i64().filter(|&n| n > 0)?;
                let title = format!("{}: {}", seated(seat), counted(n, "cube"));
                Some(Chip::new(Some(seat), ChipLook::Token, n.to_string(), title))
            };
            (0..self.seats).filter_map(cubes).collect()
        };
        let gauges = |seat: usize| -> Vec<String> {
            let player = &state["players"][seat];
            let numbers = ["vp", "food", "gold", "resource", "pool"];
            let numbers = numbers.iter().map(|key| words(&player[*key]));
            numbers.chain(TILES.iter().map(|key| tiles(&player[*key]))).collect()
        };
        let turn = state["turn"].as_u64().unwrap_or_default() as usize;
        let heading = self
            .turns
            .get(turn)
            .map_or("The game is over".to_owned(), |turn| format!("Turn {turn}"));
        BoardView {
            heading,
            areas: self.board.areas.iter().map(chips).collect(),
            gauges: (0..self.seats).map(gauges).collect(),
            scores: (0..self.seats)
                .map(|seat| state["players"][seat]["vp"].as_i64().unwrap_or_default())
                .collect(),
            displays: TILES.iter().map(|key| tiles(&state["display"][*key])).collect(),
            ..BoardView::default()
        }
    }
}
