//! The pieces in an area of a board: units, tokens and buildings.

/// One or several pieces in an area, or a mark of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chip {
    /// Its seat; `None` if it is neutral.
    pub seat: Option<usize>,
    /// Its look.
    pub look: ChipLook,
    /// Its text; for units, the letter and the number of each kind, as in `i3 G`.
    pub text: String,
    /// Its description in words.
    pub title: String,
    /// Its mark: `A` or `B` for an alliance, `1` for the first; empty without a mark.
    pub side: &'static str,
}

/// The look of a chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChipLook {
    /// A bar with symbols, for units.
    Units,
    /// The shape of the seat, for tokens.
    Token,
    /// The shape of the seat, for moving pieces such as chariots.
    Walker,
    /// A square with a letter or a short text, for buildings.
    Built,
    /// A coin, for tokens for sale and neutral guards.
    Sale,
}

/// Returns units as the text of a chip: `i3 G` for three infantry and a general.
#[must_use]
pub fn symbols<'a>(kinds: impl IntoIterator<Item = (&'a str, i64)>) -> String {
    let text = |(letter, n): (&str, i64)| match n {
        1 => letter.to_owned(),
        n => format!("{letter}{n}"),
    };
    let all: Vec<String> = kinds.into_iter().filter(|(_, n)| *n > 0).map(text).collect();
    all.join(" ")
}

impl Chip {
    /// Creates a chip of a seat, or a neutral one.
    #[must_use]
    pub const fn new(seat: Option<usize>, look: ChipLook, text: String, title: String) -> Self {
        Self { seat, look, text, title, side: "" }
    }

    /// Returns the chip with a mark.
    #[must_use]
    pub fn on(self, side: &'static str) -> Self {
        Self { side, ..self }
    }

    /// Returns the number of its pieces.
    #[must_use]
    pub fn count(&self) -> i64 {
        let units = |part: &str| part.get(1..).unwrap_or_default().parse().unwrap_or(1);
        match self.look {
            ChipLook::Units => self.text.split(' ').map(units).sum(),
            ChipLook::Token | ChipLook::Sale => self.text.parse().unwrap_or(1),
            ChipLook::Built | ChipLook::Walker => 1,
        }
    }

    /// Returns the chip as a text, with its fields divided by a character that no name contains.
    #[must_use]
    pub fn code(&self) -> String {
        let seat = self.seat.map_or_else(|| "-".to_owned(), |seat| seat.to_string());
        let look = match self.look {
            ChipLook::Units => 'u',
            ChipLook::Token | ChipLook::Walker => 't',
            ChipLook::Built => 'b',
            ChipLook::Sale => 's',
        };
        format!("{seat}\u{1f}{look}\u{1f}{}\u{1f}{}\u{1f}{}", self.text, self.title, self.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_symbols_with_numbers_and_none_where_there_is_one_or_none() {
        assert_eq!(symbols([("i", 3), ("c", 0), ("G", 1)]), "i3 G");
        let chip = Chip::new(Some(1), ChipLook::Units, "i3".to_owned(), "seat 2".to_owned());
        assert_eq!(chip.count(), 3);
        assert_eq!(chip.on("A").code(), "1\u{1f}u\u{1f}i3\u{1f}seat 2\u{1f}A");
    }
}
