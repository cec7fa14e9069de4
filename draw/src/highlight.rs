//! Marks of a frame on the board: marches, fights, gains and losses.

use crate::marches::March;

/// An event on the board; areas are numbers in the list of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Highlight {
    /// A march of units.
    March(March),
    /// A fight.
    Fight {
        /// Its area.
        area: usize,
        /// Its text: odds and dice.
        text: String,
    },
    /// More pieces in an area, of a seat or neutral.
    Gain {
        /// Their seat.
        seat: Option<usize>,
        /// Its area.
        area: usize,
    },
    /// Fewer pieces in an area, of a seat or neutral.
    Loss {
        /// Their seat.
        seat: Option<usize>,
        /// Its area.
        area: usize,
    },
}

impl Highlight {
    /// Returns the highlight as a text: kind, seat and areas, divided by a character that no name contains.
    #[must_use]
    pub fn code(&self) -> String {
        let seat = |seat: &Option<usize>| seat.map_or_else(|| "-".to_owned(), |s| s.to_string());
        match self {
            Self::March(march) => march.code(),
            Self::Fight { area, text } => format!("fight\u{1f}-\u{1f}{area}\u{1f}\u{1f}{text}"),
            Self::Gain { seat: whose, area } => format!("gain\u{1f}{}\u{1f}{area}", seat(whose)),
            Self::Loss { seat: whose, area } => format!("loss\u{1f}{}\u{1f}{area}", seat(whose)),
        }
    }
}
