//! The digits after the decimal point of estimates, for people.

use super::table::{Cell, Column, Content, Page, Row, Scale};

/// Returns whether estimates of a column have digits after the point.
const fn has_digits(column: &Column) -> bool {
    matches!(column.content, Content::Estimate(Scale::Fixed(_) | Scale::Signed(_) | Scale::Elo))
}

/// Returns the digits that the narrowest interval of a column bears.
fn most(column: &Column, rows: &[Row], place: usize) -> Option<usize> {
    let Content::Estimate(scale) = column.content else { return None };
    let of = |row: &Row| match row.cells[place] {
        Cell::Estimate(_, interval) => scale.borne(interval?),
        _ => None,
    };
    rows.iter().filter_map(of).max()
}

impl Page {
    /// Returns the page whose estimates have so many digits for people; without a number, those that the narrowest
    /// interval of a column bears, or those of each estimate if the column has several units.
    #[must_use]
    pub fn with_digits(mut self, digits: Option<usize>) -> Self {
        for table in &mut self.tables {
            let columns = table.columns.iter_mut().enumerate();
            for (place, column) in columns.filter(|(_, column)| has_digits(column)) {
                let common =
                    || if column.is_mixed { None } else { most(column, &table.rows, place) };
                column.digits = digits.or_else(common);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Table;
    use super::*;
    use sim::stats::Interval;

    /// Returns the texts of a column with these estimates and ends of intervals.
    fn shown(column: Column, digits: Option<usize>, cells: &[(f64, f64, f64)]) -> Vec<String> {
        let cell =
            |&(x, low, high): &(f64, f64, f64)| Cell::Estimate(x, Some(Interval { low, high }));
        let table = Table::new("t", "", vec![column]).with(cells.iter().map(|one| vec![cell(one)]));
        let page = Page::of(table).with_digits(digits);
        let table = &page.tables[0];
        table.rows.iter().map(|row| table.columns[0].shown(&row.cells[0])).collect()
    }

    fn column(scale: Scale) -> Column {
        Column::plain("x", Content::Estimate(scale))
    }

    #[test]
    fn estimates_have_the_digits_that_are_given_or_that_their_intervals_bear() {
        let share = (0.6792, 0.589, 0.7577);
        let of = |digits| shown(column(Scale::SHARE), digits, &[share]);
        assert_eq!(of(Some(1)), ["0.7 [0.6, 0.8]"]);
        assert_eq!(of(Some(6)), ["0.679200 [0.589000, 0.757700]"]);
        assert_eq!(of(None), ["0.679 [0.589, 0.758]"]);
        let elo = shown(column(Scale::Elo), None, &[(298.42, 73.8, 527.2)]);
        assert_eq!(elo, ["+298 [+74, +527]"]);
        let mean = shown(column(Scale::MEAN), None, &[(61.12, 56.91, 65.33)]);
        assert_eq!(mean, ["61.1 ± 4.2"]);
        let near = shown(column(Scale::Signed(4)), None, &[(0.12, 0.003, 0.24)]);
        assert_eq!(near, ["+0.120 [+0.003, +0.240]"]);
        let narrow = shown(column(Scale::SHARE), None, &[(0.5, 0.499_999, 0.500_001)]);
        assert_eq!(narrow, ["0.5000 [0.5000, 0.5000]"]);
        let exact = shown(column(Scale::SHARE), None, &[(0.5, 0.5, 0.5)]);
        assert_eq!(exact, ["0.5000 [0.5000, 0.5000]"]);
    }

    #[test]
    fn a_column_has_the_digits_of_its_narrowest_interval_unless_its_units_differ() {
        let rows = [(0.6792, 0.589, 0.7577), (60.5, 44.2, 76.8)];
        let one = shown(column(Scale::SHARE), None, &rows);
        assert_eq!(one, ["0.679 [0.589, 0.758]", "60.500 [44.200, 76.800]"]);
        let several = shown(column(Scale::SHARE).mixed(), None, &rows);
        assert_eq!(several, ["0.679 [0.589, 0.758]", "60 [44, 77]"]);
    }
}
