//! The pieces in an area of a board: units, tokens and buildings.

/// A piece or several in an area, or a mark of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chip {
    /// Its seat, if it belongs to one.
    pub seat: Option<usize>,
    /// Its look.
    pub look: ChipLook,
    /// Its text: of units, for each kind the letter of its symbol and the number, as in `i3 G`.
    pub text: String,
    /// Its description in words.
    pub title: String,
    /// Its mark: `A` or `B` for an alliance, `1` for the first; empty for all others.
    pub side: &'static str,
}

/// The look of a chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChipLook {
    /// A bar with symbols: units.
    Units,
    /// The shape of the seat: tokens.
    Token,
    /// The shape of the seat, for pieces that walk: chariots.
    Walker,
    /// A square: something built, by the letter of its symbol or a short text.
    Built,
    /// A coin: tokens for sale, or a guard that belongs to nobody.
    Sale,
}

/// Units as the text of a chip: `i3 G` of three infantry and a general.
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
    /// Makes a chip of a seat, or of nobody.
    #[must_use]
    pub const fn new(seat: Option<usize>, look: ChipLook, text: String, title: String) -> Self {
        Self { seat, look, text, title, side: "" }
    }

    /// Sets it off.
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

    /// The chip as a text: its fields are divided by a character that no name has.
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
