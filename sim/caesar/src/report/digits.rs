//! The digits after the decimal point of estimates, for people.

use super::table::{Cell, Column, Content, Page, Row, Scale};
use sim::stats::Interval;

/// The digits after the decimal point of estimates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Digits {
    /// The digits that the intervals of a column bear: one or two significant digits of the narrowest half-width.
    Auto,
    /// A fixed number.
    Fixed(usize),
}

impl Digits {
    /// The most digits.
    pub const MOST: usize = 9;

    /// Reads a number of digits, or `auto`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = || text.parse().ok().filter(|&digits| digits <= Self::MOST).map(Self::Fixed);
        let digits = if text == "auto" { Some(Self::Auto) } else { number() };
        digits.ok_or_else(|| format!("accepted: 0 to {}, or auto", Self::MOST))
    }

    /// Returns the digits of the column `place`; `None` if no interval tells.
    fn of(self, rows: &[Row], place: usize) -> Option<usize> {
        match self {
            Self::Fixed(digits) => Some(digits),
            Self::Auto => rows.iter().filter_map(|row| borne(&row.cells[place])).max(),
        }
    }
}

/// Returns the digits that the interval of a cell bears.
///
/// The half-width keeps two significant digits if its first is at most 3, else one, as in tables of measured constants
/// (Particle Data Group, rounding rule).
fn borne(cell: &Cell) -> Option<usize> {
    /// The largest leading part of a half-width that keeps two digits.
    const TWO_DIGITS: f64 = 3.55;
    let Cell::Estimate(_, Some(Interval { low, high })) = cell else { return None };
    let half = (high - low) / 2.0;
    if !half.is_finite() || half <= 0.0 {
        return None;
    }
    let place = half.log10().floor();
    let more = if half / 10_f64.powf(place) < TWO_DIGITS { 1.0 } else { 0.0 };
    Some((more - place).clamp(0.0, Digits::MOST as f64) as usize)
}

/// Returns whether `digits` apply to a column: to estimates that have digits after the point.
const fn has_digits(column: &Column) -> bool {
    matches!(column.content, Content::Estimate(Scale::Fixed(_) | Scale::Signed(_) | Scale::Elo))
}

impl Page {
    /// Returns the page whose estimates have so many digits for people.
    #[must_use]
    pub fn with_digits(mut self, digits: Digits) -> Self {
        for table in &mut self.tables {
            for (place, column) in table.columns.iter_mut().enumerate() {
                if has_digits(column) {
                    column.digits = digits.of(&table.rows, place);
                }
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Table;
    use super::*;

    fn shown(scale: Scale, digits: Digits, cells: &[(f64, f64, f64)]) -> Vec<String> {
        let columns = vec![Column::plain("x", Content::Estimate(scale))];
        let cell =
            |&(x, low, high): &(f64, f64, f64)| Cell::Estimate(x, Some(Interval { low, high }));
        let table = Table::new("t", "", columns).with(cells.iter().map(|one| vec![cell(one)]));
        let page = Page::of(table).with_digits(digits);
        let table = &page.tables[0];
        table.rows.iter().map(|row| table.columns[0].shown(&row.cells[0])).collect()
    }

    #[test]
    fn estimates_have_the_digits_that_are_asked_for_or_that_their_intervals_bear() {
        let share = (0.6792, 0.589, 0.7577);
        let of = |digits| shown(Scale::SHARE, digits, &[share]);
        assert_eq!(of(Digits::Fixed(1)), ["0.7 [0.6, 0.8]"]);
        assert_eq!(of(Digits::Fixed(6)), ["0.679200 [0.589000, 0.757700]"]);
        assert_eq!(of(Digits::Auto), ["0.68 [0.59, 0.76]"]);
        // A column has the digits of its narrowest interval.
        let both = shown(Scale::SHARE, Digits::Auto, &[share, (0.5, 0.4881, 0.5121)]);
        assert_eq!(both, ["0.679 [0.589, 0.758]", "0.500 [0.488, 0.512]"]);
        let elo = shown(Scale::Elo, Digits::Auto, &[(298.42, 73.8, 527.2)]);
        assert_eq!(elo, ["+298 [+74, +527]"]);
        let mean = shown(Scale::MEAN, Digits::Auto, &[(61.12, 56.91, 65.33)]);
        assert_eq!(mean, ["61 ± 4"]);
        let exact = shown(Scale::SHARE, Digits::Auto, &[(0.5, 0.5, 0.5)]);
        assert_eq!(exact, ["0.5000 [0.5000, 0.5000]"]);
    }

    #[test]
    fn digits_are_a_small_number_or_auto() {
        assert_eq!(Digits::parse("auto"), Ok(Digits::Auto));
        assert_eq!(Digits::parse("0"), Ok(Digits::Fixed(0)));
        assert_eq!(Digits::parse("9"), Ok(Digits::Fixed(9)));
        for bad in ["", "-1", "10", "many", "1.5"] {
            assert_eq!(Digits::parse(bad).unwrap_err(), "accepted: 0 to 9, or auto", "{bad}");
        }
    }
}
