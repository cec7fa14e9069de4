//! The map of imperium: influence and proconsuls in eight provinces.

use serde_json::Value as Json;

use crate::board::{Area, Board, Kind, Link};
use crate::chip::{Chip, ChipLook};
use crate::games::Drawing;
use crate::replay::BoardView;
use crate::story::{Position, counted, seated, words};

/// The drawing of imperium.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    seats: usize,
    cards: super::cards::Cards,
}

impl Map {
    /// Creates the map of these rules for `seats` seats.
    #[must_use]
    pub fn new(rules: &Json, seats: usize) -> Self {
        let provinces = rules["province"].as_array().map_or(&[][..], Vec::as_slice);
        let place = |province: &Json| (words(&province["id"]), Kind::Land);
        let named: Vec<(String, Kind)> = provinces.iter().map(place).collect();
        let mut board = Board::of_places("imperium", &named, &[]);
        for (from, province) in provinces.iter().enumerate() {
            let area = &mut board.areas[from];
            area.badge = words(&province["points"]).replace(", ", "/");
            area.note = format!("pays {}", area.badge);
        }
        for (from, province) in provinces.iter().enumerate() {
            for other in province["adjacent"].as_array().into_iter().flatten() {
                board.join(from, other.as_str().unwrap_or_default(), Link::Border);
            }
        }
        Self { board, seats, cards: super::cards::Cards::of(rules) }
    }
}

impl Drawing for Map {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        ["points", "free pieces", "cards"].map(str::to_owned).to_vec()
    }

    fn lists(&self) -> usize {
        1
    }

    fn note(&self, thing: &str) -> Option<String> {
        self.cards.note(thing)
    }

    fn things(&self) -> Vec<(String, String)> {
        vec![(super::cards::ORACLE.to_owned(), "Oracle".to_owned())]
    }

    fn score(&self) -> &'static str {
        "points"
    }

    fn legend(&self) -> String {
        "Shapes: pieces of influence; temples: proconsuls; badges: what places pay. Dashed lines join neighbours that do not touch."
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
                    chips.push(Chip::new(Some(seat), ChipLook::Token, n.to_string(), title));
                }
            }
            if let Some(seat) = state["proconsul"][&area.id].as_u64() {
                let title = format!("proconsul of seat {}", seat + 1);
                chips.push(Chip::new(Some(seat as usize), ChipLook::Built, "P".to_owned(), title));
            }
            chips
        };
        let gauges = |seat: usize| {
            let player = &state["players"][seat];
            let cards = [("ear", super::cards::EAR), ("oracle", super::cards::ORACLE)];
            let cards = cards.iter().filter(|(key, _)| player[key] == true).map(|(_, card)| *card);
            vec![
                player["points"].to_string(),
                player["free"].to_string(),
                cards.collect::<Vec<_>>().join(", "),
            ]
        };
        let mark = words(&state["mark"]);
        BoardView {
            heading: format!("Round {}: {mark} is scored next", position.number("/round") + 1),
            areas: self.board.areas.iter().map(chips).collect(),
            gauges: (0..self.seats).map(gauges).collect(),
            scores: (0..self.seats)
                .map(|seat| state["players"][seat]["points"].as_i64().unwrap_or_default())
                .collect(),
            ..BoardView::default()
        }
    }
}
