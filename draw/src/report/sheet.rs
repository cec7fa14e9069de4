//! Tables of results as files hold them: named columns, texts in cells.

use super::Source;
use super::digits::{fixed, half, interval, signed};
use super::titles::column_words;
use super::units::Unit;
use crate::figure::FigureTable;
use crate::plot::{BEYOND, number};

/// A table of results. An estimate has three columns, as in `share`, `share_low` and `share_high`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheet {
    /// The name of its file, without the extension.
    pub name: String,
    /// Its caption; empty if it is not known.
    pub caption: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

/// An estimate with its interval.
pub type Estimate = (f64, Option<[f64; 2]>);

impl Sheet {
    /// Returns the index of a column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Returns the text of a row in a column; empty if there is no such column.
    #[must_use]
    pub fn text<'a>(&self, row: &'a [String], name: &str) -> &'a str {
        self.column(name).and_then(|i| row.get(i)).map_or("", String::as_str)
    }

    /// Returns the number of a row in a column.
    #[must_use]
    pub fn number(&self, row: &[String], name: &str) -> Option<f64> {
        self.text(row, name).parse().ok().filter(|x: &f64| x.abs() < BEYOND)
    }

    /// Returns the estimate of a row with its interval.
    #[must_use]
    pub fn estimate(&self, row: &[String], name: &str) -> Option<Estimate> {
        let value = self.number(row, name)?;
        let [low, high] = ["low", "high"].map(|end| self.number(row, &format!("{name}_{end}")));
        Some((value, low.zip(high).map(|(low, high)| [low, high])))
    }

    /// Returns the names of its estimates, in the order of columns.
    #[must_use]
    pub fn estimates(&self) -> Vec<&str> {
        let is = |name: &&String| {
            let has = |end: &str| self.column(&format!("{name}_{end}")).is_some();
            has("low") && has("high")
        };
        self.columns.iter().filter(is).map(String::as_str).collect()
    }

    /// Returns the subject of a row: the cells before the first column of numbers.
    #[must_use]
    pub fn label(&self, row: &[String]) -> String {
        let is_number = |i: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(i)).filter(|c| !c.is_empty());
            cells.all(|cell| cell.parse::<f64>().is_ok())
        };
        let keys = (0..self.columns.len()).take_while(|&i| i == 0 || !is_number(i)).count();
        // A season is a number and also a key.
        let also =
            |i: &usize| matches!(self.columns[*i].as_str(), "season" | "stage" | "seat" | "place");
        let places = (0..keys).chain((keys..self.columns.len()).take_while(also));
        let texts = places.filter_map(|i| {
            let cell = row.get(i).filter(|cell| !cell.is_empty())?;
            let name = self.columns[i].as_str();
            let is_counted = matches!(name, "season" | "stage" | "seat" | "place")
                && cell.parse::<f64>().is_ok();
            Some(if is_counted { format!("{name} {}", counted(name, cell)) } else { cell.clone() })
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    /// Returns the decimals of `row` in a column. Rows share them unless each row is of another metric. The narrowest
    /// interval decides, or else the numbers do.
    fn digits(&self, row: &[String], name: &str, unit: Unit) -> usize {
        let is_mixed = self.column("metric").is_some() || self.column("figure").is_some();
        let all = || self.rows.iter().filter(|other| !is_mixed || other.as_slice() == row);
        // The sides of a difference have its decimals.
        let by = if self.column("metric").is_some() { "difference" } else { name };
        let halves = all().filter_map(|row| Some(unit.factor() * half(self.estimate(row, by)?.1?)));
        halves.map(|half| unit.places(half)).max().unwrap_or_else(|| match unit {
            Unit::Percent | Unit::Points => 1,
            Unit::Plain => {
                let cells = all().filter_map(|row| self.number(row, name));
                let shown =
                    cells.map(|x| number(x).split_once('.').map_or(0, |(_, rest)| rest.len()));
                shown.max().unwrap_or(0).min(4)
            }
        })
    }

    /// Returns the sheet for people: numbers in their units with the decimals of their column, intervals in one cell.
    #[must_use]
    pub(super) fn table(&self, source: &Source) -> FigureTable {
        let estimates = self.estimates();
        let is_end = |name: &str| {
            let of = name.strip_suffix("_low").or_else(|| name.strip_suffix("_high"));
            of.is_some_and(|of| estimates.contains(&of))
        };
        // The legend has the specs, and a flag that is nowhere set says nothing.
        let is_idle = |i: usize| {
            self.columns[i] == "spec"
                || (!self.rows.is_empty()
                    && self.rows.iter().all(|row| row.get(i).is_some_and(|cell| cell == "False")))
        };
        let shown: Vec<usize> =
            (0..self.columns.len()).filter(|&i| !is_end(&self.columns[i]) && !is_idle(i)).collect();
        let is_number = |i: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(i));
            cells.all(|cell| cell.is_empty() || cell.parse::<f64>().is_ok())
        };
        let column = |&i: &usize| (column_words(&self.columns[i]), is_number(i));
        let cell = |row: &Vec<String>, i: usize| {
            let text = row.get(i).cloned().unwrap_or_default();
            let name = self.columns[i].as_str();
            let unit = source.unit(self, row, name);
            let digits = self.digits(row, name, unit);
            let value = |x: f64| {
                let x = unit.factor() * x;
                let is_signed = unit == Unit::Points && name != "worth_finding";
                let text = if is_signed { signed(x, digits) } else { fixed(x, digits) };
                text + unit.sign()
            };
            match (self.estimate(row, name), text.parse::<f64>()) {
                (Some((x, Some(ends))), _) => {
                    let ends = ends.map(|end| unit.factor() * end);
                    format!("{} {}", value(x), interval(ends, digits))
                }
                (_, Ok(x)) if x.is_infinite() || x.abs() >= BEYOND => number(x),
                (_, Ok(p)) if is_p(name) && p < 0.0001 => "< 0.0001".to_owned(),
                (_, Ok(p)) if is_p(name) => fixed(p, 4),
                (_, Ok(x)) if text.contains('.') || unit != Unit::Plain => value(x),
                (_, Ok(_)) => counted(name, &text),
                _ if text == "True" => "yes".to_owned(),
                _ if text == "False" => "no".to_owned(),
                _ => text,
            }
        };
        FigureTable {
            caption: self.caption.clone(),
            columns: shown.iter().map(column).collect(),
            rows: self
                .rows
                .iter()
                .map(|row| shown.iter().map(|&i| cell(row, i)).collect())
                .collect(),
        }
    }
}

/// Returns whether a column contains p-values.
fn is_p(name: &str) -> bool {
    name == "p" || name.starts_with("p_") || name.ends_with("_p")
}

/// Returns a number as people count. Files count seats and places from 0.
fn counted(name: &str, cell: &str) -> String {
    match (name, cell.parse::<u64>()) {
        ("seat" | "place", Ok(n)) => (n + 1).to_string(),
        (_, Ok(n)) if cell.len() > 4 && n >= 10_000 => fixed(n as f64, 0),
        _ => cell.to_owned(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::Kind;
    use super::super::tests::source;
    use super::*;

    /// Creates a sheet from text: names in the first line, cells divided by blanks.
    pub(crate) fn sheet(name: &str, text: &str) -> Sheet {
        let mut lines =
            text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect());
        let columns = lines.next().unwrap_or_default();
        Sheet { name: name.to_owned(), caption: String::new(), columns, rows: lines.collect() }
    }

    #[test]
    fn estimates_are_found_and_labels_are_what_a_row_is_about() {
        let sheet =
            sheet("cards", "card season value value_low value_high price\nloot 2 0.5 0.25 0.75 10");
        assert_eq!(sheet.estimates(), ["value"]);
        let row = &sheet.rows[0];
        assert_eq!(sheet.estimate(row, "value"), Some((0.5, Some([0.25, 0.75]))));
        assert_eq!(sheet.estimate(row, "price"), Some((10.0, None)));
        assert_eq!(sheet.label(row), "loot, season 2");
        let table = sheet.table(&source(Kind::Cards, Vec::new()));
        assert_eq!(table.rows[0], ["loot", "2", "+50.0 pp [25.0, 75.0]", "10"]);
    }

    #[test]
    fn guards_reach_no_cell_and_seats_are_counted_from_one() {
        let guard = "-".to_owned() + &"9".repeat(40);
        let text = format!(
            "seat llr x x_low x_high\n0 {guard} 0.53 0.431 0.63\n1 inf 0.4 {guard} 0.5\n2 1.5 {guard} 0.1 0.2"
        );
        let table = sheet("t", &text).table(&source(Kind::Dynamics, Vec::new()));
        assert_eq!(table.rows[0], ["1", "beyond any bound", "0.530 [0.431, 0.630]"]);
        assert_eq!(table.rows[1], ["2", "beyond any bound", "0.400"]);
        assert_eq!(table.rows[2], ["3", "1.5", "beyond any bound"]);
        assert_eq!(sheet("t", &text).label(&sheet("t", &text).rows[0]), "seat 1");
    }
}
