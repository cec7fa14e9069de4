//! The map of classic: owners, pieces, guards, cities and forts.

use serde_json::Value as Json;

use crate::board::{Area, Board};
use crate::chip::{Chip, ChipLook, symbols};
use crate::games::Drawing;
use crate::replay::BoardView;
use crate::story::{Position, and, counted, seated};

/// The kinds of pieces in the order of records, each with its letter.
const PIECES: [(&str, &str); 6] = [
    ("i", "infantry"),
    ("c", "cavalry"),
    ("k", "catapult"),
    ("g", "galley"),
    ("G", "general"),
    ("C", "caesar"),
];

/// The drawing of classic.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    seats: usize,
}

impl Map {
    /// Creates the map of these rules for `seats` seats; `None` if the rules have no map.
    #[must_use]
    pub fn new(rules: &Json, seats: usize) -> Option<Self> {
        Some(Self { board: Board::of_rules(rules)?, seats })
    }

    /// Returns the chips in an area.
    fn chips(&self, position: &Position, area: &Area) -> Vec<Chip> {
        let state = &position.state;
        let mut chips = Vec::new();
        for seat in 0..self.seats {
            let counts = |table: &str| -> [i64; 6] {
                let there = &state[table][&area.id][seat];
                std::array::from_fn(|i| there[i].as_i64().unwrap_or_default())
            };
            let [land, sea] = ["land", "sea"].map(counts);
            let all: [i64; 6] = std::array::from_fn(|i| land[i] + sea[i]);
            let here = || PIECES.iter().zip(all).filter(|(_, n)| *n > 0);
            if here().next().is_some() {
                let words: Vec<String> = here().map(|((_, word), n)| counted(n, word)).collect();
                let text = symbols(PIECES.iter().map(|(letter, _)| *letter).zip(all));
                let title = format!("{}: {}", seated(seat), and(&words));
                chips.push(Chip::new(Some(seat), ChipLook::Units, text, title));
            }
        }
        let owner = state["owner"][&area.id].as_u64().map(|seat| seat as usize);
        if let Some(seat) = owner {
            let title = format!("owned by seat {}", seat + 1);
            chips.push(Chip::new(Some(seat), ChipLook::Token, (seat + 1).to_string(), title));
        }
        if let Some(strength) = state["guard"][&area.id].as_i64() {
            let title = format!("a guard of {strength}");
            chips.push(Chip::new(None, ChipLook::Sale, strength.to_string(), title));
        }
        if let Some(built) = state["city"][&area.id].as_str() {
            // A fortified city has the symbol of higher walls.
            let symbol = if built.starts_with("fort") { "W" } else { "w" };
            chips.push(Chip::new(owner, ChipLook::Built, symbol.to_owned(), built.to_owned()));
        }
        chips
    }
}

impl Drawing for Map {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        ["home", "talents", "provinces", "captives"].map(str::to_owned).to_vec()
    }

    fn score(&self) -> &'static str {
        "provinces"
    }

    fn legend(&self) -> String {
        "Bars: pieces of a seat, by symbol and number (shield infantry, horse cavalry, ballista catapults, ship galleys, star \
         generals, crown the caesar). Shapes: the owner of a province. Coins: the strength of its guard. Towers: cities, with a \
         high wall where fortified. Pieces without room stand beside their area, with a line to it; arrows are open straits; \
         roads are not drawn."
            .to_owned()
    }

    fn view(&self, position: &Position) -> BoardView {
        let state = &position.state;
        let owned = |seat: usize| {
            let owners = state["owner"].as_object().into_iter().flat_map(|owners| owners.values());
            owners.filter(|owner| owner.as_u64() == Some(seat as u64)).count() as i64
        };
        let gauges = |seat: usize| {
            let player = &state["players"][seat];
            let home = crate::story::words(&player["home"]);
            let home = if player["out"] == true { format!("{home} (out)") } else { home };
            let captives: i64 =
                player["captives"].as_array().into_iter().flatten().filter_map(Json::as_i64).sum();
            vec![home, player["talents"].to_string(), owned(seat).to_string(), captives.to_string()]
        };
        let round = match state["round"].as_i64() {
            Some(0) => "Before the first round".to_owned(),
            _ => format!("Round {}", state["round"]),
        };
        BoardView {
            heading: format!("{round}, prices times {}", state["factor"]),
            areas: self.board.areas.iter().map(|area| self.chips(position, area)).collect(),
            gauges: (0..self.seats).map(gauges).collect(),
            scores: (0..self.seats).map(owned).collect(),
            ..BoardView::default()
        }
    }
}
