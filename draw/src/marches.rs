//! Marches read off two tables, for arrows on the board: [`March`].

use std::collections::BTreeMap;

use crate::chip::{Chip, ChipLook};

/// Pieces of a seat that left one area of the board and reached another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct March {
    /// Their seat, from 0.
    pub seat: usize,
    /// The number of the area that they left.
    from: usize,
    /// The number of the area that they reached.
    to: usize,
    /// The number of pieces by kind: the letter of a unit, the text of another moving piece.
    pieces: BTreeMap<Kind, i64>,
}

/// A kind of moving pieces: its look is that of units, and its letter or text.
type Kind = (bool, String);

/// Number of pieces by seat and kind, and by area.
type Counts = BTreeMap<(usize, Kind), BTreeMap<usize, i64>>;

impl March {
    /// Adds a march to others; one of the same seat on the same way grows.
    pub fn join(self, all: &mut Vec<Self>) {
        let is_same = |other: &&mut Self| {
            (other.seat, other.from, other.to) == (self.seat, self.from, self.to)
        };
        match all.iter_mut().find(is_same) {
            None => all.push(self),
            Some(same) => {
                for (kind, n) in self.pieces {
                    *same.pieces.entry(kind).or_default() += n;
                }
            }
        }
    }

    /// Returns the march as the script of the page reads it: a mark with the units that marched.
    #[must_use]
    pub fn code(&self) -> String {
        let units = self.pieces.iter().filter(|((is_unit, _), _)| *is_unit);
        let units = units.map(|((_, letter), n)| (letter.as_str(), *n));
        let Self { seat, from, to, .. } = self;
        format!("march\u{1f}{seat}\u{1f}{from}\u{1f}{to}\u{1f}{}", crate::chip::symbols(units))
    }
}

/// Adds the moving pieces of a table to the counts, each `sign` times.
fn count(areas: &[Vec<Chip>], sign: i64, all: &mut Counts) {
    for (area, chips) in areas.iter().enumerate() {
        for (seat, chip) in chips.iter().filter_map(|chip| Some((chip.seat?, chip))) {
            for (kind, n) in kinds(chip) {
                *all.entry((seat, kind)).or_default().entry(area).or_default() += sign * n;
            }
        }
    }
}

/// Returns the kinds of the moving pieces of a chip with their numbers.
fn kinds(chip: &Chip) -> Vec<(Kind, i64)> {
    let unit = |part: &str| {
        let mut letters = part.chars();
        let letter = letters.next()?.to_string();
        Some(((true, letter), letters.as_str().parse().unwrap_or(1)))
    };
    match chip.look {
        ChipLook::Units => chip.text.split(' ').filter_map(unit).collect(),
        ChipLook::Walker => vec![((false, chip.text.clone()), 1)],
        ChipLook::Token | ChipLook::Built | ChipLook::Sale => Vec::new(),
    }
}

/// Returns the marches between two tables, given as the pieces in each area: of each kind, what a seat has fewer in some
/// areas and more in others. Where several areas have fewer and several have more, they are paired in the order of the
/// board.
#[must_use]
pub fn marches(before: &[Vec<Chip>], after: &[Vec<Chip>]) -> Vec<March> {
    let mut changes = Counts::new();
    count(before, -1, &mut changes);
    count(after, 1, &mut changes);
    let mut all = Vec::new();
    for ((seat, kind), by_area) in changes {
        let signed = |sign: i64| {
            let areas = by_area.iter().map(move |(area, n)| (*area, n * sign));
            areas.filter(|(_, n)| *n > 0).collect::<Vec<_>>()
        };
        let [mut fewer, mut more] = [signed(-1), signed(1)];
        while let (Some((from, left)), Some((to, due))) = (fewer.first_mut(), more.first_mut()) {
            let n = (*left).min(*due);
            let pieces = BTreeMap::from([(kind.clone(), n)]);
            March { seat, from: *from, to: *to, pieces }.join(&mut all);
            *left -= n;
            *due -= n;
            fewer.retain(|(_, n)| *n > 0);
            more.retain(|(_, n)| *n > 0);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(units: &[&str]) -> Vec<Vec<Chip>> {
        let chip = |text: &&str| {
            let chip = Chip::new(Some(1), ChipLook::Units, (*text).to_owned(), String::new());
            if text.is_empty() { Vec::new() } else { vec![chip] }
        };
        units.iter().map(chip).collect()
    }

    fn codes(before: &[&str], after: &[&str]) -> Vec<String> {
        let code = |march: &March| march.code().replace('\u{1f}', " ");
        marches(&table(before), &table(after)).iter().map(code).collect()
    }

    #[test]
    fn units_that_leave_and_arrive_have_marched_with_their_kinds() {
        assert_eq!(codes(&["i3 G", ""], &["i", "i2 G"]), ["march 1 0 1 G i2"]);
        assert_eq!(codes(&["i3", ""], &["i5", ""]), [""; 0], "a recruitment");
        assert_eq!(codes(&["i3", "i2"], &["i2", "i1"]), [""; 0], "losses");
    }

    #[test]
    fn an_army_that_divides_or_meets_has_an_arrow_for_each_way() {
        let divided = codes(&["i4 C", "", ""], &["i", "i2", "i C"]);
        assert_eq!(divided, ["march 1 0 2 C i", "march 1 0 1 i2"]);
        assert_eq!(codes(&["i", "c2", ""], &["", "", "i c2"]), ["march 1 1 2 c2", "march 1 0 2 i"]);
    }

    #[test]
    fn marches_on_the_same_way_are_one_arrow() {
        let (start, end) = (table(&["i2", ""]), table(&["", "i2"]));
        let half = table(&["i", "i"]);
        let mut trail = Vec::new();
        for march in [marches(&start, &half), marches(&half, &end)].concat() {
            march.join(&mut trail);
        }
        assert_eq!(trail, marches(&start, &end));
    }
}
