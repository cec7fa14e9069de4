//! The map of conquest2: armies, galleys, influence, cities and tokens, and what each seat has.

use serde_json::Value as Json;

use super::changes::{LAND, army, of_seat, units};
use crate::board::{Board, Kind};
use crate::games::Drawing;
use crate::replay::{BoardView, Chip, ChipLook};
use crate::story::{Position, counted, seated};

/// Letters of the kinds of land units.
const LETTERS: [&str; 5] = ["i", "c", "k", "G", "C"];

/// Draws conquest2.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    seats: usize,
}

impl Map {
    /// The map of these rules for so many seats; `None` if they have no map.
    #[must_use]
    pub fn new(rules: &Json, seats: usize) -> Option<Self> {
        Some(Self { board: Board::of_rules(rules)?, seats })
    }

    /// What lies in a province.
    fn land(&self, position: &Position, place: &str) -> Vec<Chip> {
        let state = &position.state;
        let mut chips = Vec::new();
        for seat in 0..self.seats {
            let here = units(position, seat, place);
            if here != [0; 5] {
                let parts = LETTERS.iter().zip(here).filter(|(_, n)| *n > 0);
                let text = parts.map(|(letter, n)| match n {
                    1 if "GC".contains(letter) => (*letter).to_owned(),
                    n => format!("{n}{letter}"),
                });
                chips.push(Chip {
                    seat: Some(seat),
                    look: ChipLook::Units,
                    text: format!("{}: {}", seat + 1, text.collect::<Vec<_>>().join(" ")),
                    title: format!("{}: {}", seated(seat), army(here)),
                });
            }
        }
        for seat in 0..self.seats {
            let n = state["influence"][place][seat].as_i64().unwrap_or_default();
            if n > 0 {
                let (text, title) =
                    (format!("{}:{n}", seat + 1), format!("{}: {n} influence", seated(seat)));
                chips.push(Chip { seat: Some(seat), look: ChipLook::Token, text, title });
            }
        }
        if let Some(seat) = state["cities"][place].as_u64() {
            let (text, title) =
                (format!("city {}", seat + 1), format!("city of seat {}", seat + 1));
            chips.push(Chip { seat: Some(seat as usize), look: ChipLook::Built, text, title });
        }
        if let Some(n) = state["tokens"][place].as_i64() {
            let title = format!("{} for sale", counted(n, "token"));
            chips.push(Chip { seat: None, look: ChipLook::Token, text: n.to_string(), title });
        }
        chips
    }

    /// What lies in a sea zone.
    fn sea(&self, position: &Position, zone: &str) -> Vec<Chip> {
        let galleys = |seat: usize| {
            let n = position.state["sea"][zone][seat].as_i64().filter(|&n| n > 0)?;
            let title = format!("{}: {}", seated(seat), counted(n, "galley"));
            Some(Chip {
                seat: Some(seat),
                look: ChipLook::Units,
                text: format!("{}: {n}g", seat + 1),
                title,
            })
        };
        (0..self.seats).filter_map(galleys).collect()
    }

    fn gauges_of(&self, position: &Position, seat: usize) -> Vec<String> {
        let player = &position.state["players"][seat];
        let place = position.view["order"]
            .as_array()
            .and_then(|order| order.iter().position(|other| other.as_u64() == Some(seat as u64)));
        let alliance = place.map_or_else(String::new, |place| {
            let side = position.view["alliance"][place].as_str().unwrap_or_default();
            format!("{side}, {} in order", place + 1)
        });
        let influence: i64 = position.state["influence"]
            .as_object()
            .map_or(0, |all| all.values().filter_map(|counts| counts[seat].as_i64()).sum());
        let values = ["I", "II", "III", "IV"]
            .iter()
            .zip(player["senators"].as_array().into_iter().flatten());
        let senators: Vec<String> = values
            .filter(|(_, n)| n.as_i64() != Some(0))
            .map(|(value, n)| {
                if n.as_i64() == Some(1) { (*value).to_owned() } else { format!("{n} × {value}") }
            })
            .collect();
        let cards = player["cards"].as_array().into_iter().flatten();
        let cards: Vec<&str> = cards.filter_map(Json::as_str).collect();
        vec![
            of_seat(position, seat, "vp").to_string(),
            of_seat(position, seat, "money").to_string(),
            of_seat(position, seat, "chaos").to_string(),
            influence.to_string(),
            alliance,
            senators.join(", "),
            cards.join(", "),
        ]
    }
}

impl Drawing for Map {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        ["VP", "talents", "chaos", "influence", "alliance", "Senators", "cards"]
            .map(str::to_owned)
            .to_vec()
    }

    fn legend(&self) -> String {
        let units: Vec<String> =
            LETTERS.iter().zip(LAND).map(|(letter, word)| format!("{letter} {word}")).collect();
        format!(
            "Rectangles: units ({}, g galleys); discs: influence, without a colour tokens for sale; squares: cities. Cells \
             are drawn around the middle of each area; lines are borders, arrows open straits.",
            units.join(", ")
        )
    }

    fn view(&self, position: &Position) -> BoardView {
        let area = |area: &crate::board::Area| match area.kind {
            Kind::Sea => self.sea(position, &area.id),
            _ => self.land(position, &area.id),
        };
        let now = &position.view["now"];
        let season = position.number("/season") + 1;
        let phase = now["phase"].as_str().unwrap_or_default();
        let round = now["round"].as_i64().unwrap_or_default() + 1;
        let actor =
            now["actor"].as_i64().map_or_else(String::new, |seat| format!(", seat {}", seat + 1));
        let heading = match phase {
            "over" => "the game is over".to_owned(),
            "first player" | "setup token" => "set-up".to_owned(),
            "season token" | "season card" | "bid" | "propose" | "amount" | "null draw" => {
                format!("season {season}, before round 1: {phase}{actor}")
            }
            phase if phase.starts_with("place") => format!("set-up: {phase}{actor}"),
            phase => format!("season {season}, round {round}: {phase}{actor}"),
        };
        BoardView {
            heading,
            areas: self.board.areas.iter().map(area).collect(),
            gauges: (0..self.seats).map(|seat| self.gauges_of(position, seat)).collect(),
            text: String::new(),
        }
    }
}
