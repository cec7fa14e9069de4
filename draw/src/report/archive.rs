//! The figure of an archive of strategies: a heat map of cells, or several of them.

use super::rows::decided;
use super::{Sheet, Source};
use crate::figure::Figure;
use crate::html::element;
use crate::plot::{Cell, Shape, matrix};

/// Returns the values of a column, in the order of the rows.
fn values(sheet: &Sheet, at: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for value in sheet.rows.iter().filter_map(|row| row.get(at)) {
        if !out.contains(value) {
            out.push(value.clone());
        }
    }
    out
}

/// Returns the heat map of gains by cell. The columns before the strategy are the descriptors: the first has the rows,
/// the second the columns, and each combination of the others has a picture.
pub(super) fn archive(source: &Source, sheet: &Sheet) -> Figure {
    let descriptors = sheet.column("strategy").unwrap_or(0);
    let gain = |row: &Vec<String>| sheet.estimate(row, "gain");
    let gains = sheet.rows.iter().filter_map(gain);
    let most = gains.map(|(gain, _)| gain.abs()).fold(0.0, f64::max).max(1e-9);
    let cell = |row: &Vec<String>| {
        let (value, interval) = gain(row)?;
        let open = if decided(interval, 0.0) == Shape::Open { "?" } else { "" };
        let points = 100.0 * value;
        let title = format!("{}: {points:+.1} percentage points", sheet.text(row, "strategy"));
        Some(Cell { strength: value / most, text: format!("{points:+.0}{open}"), title })
    };
    let (rows, columns) = (values(sheet, 0), values(sheet, 1));
    let name = |i: usize| sheet.columns.get(i).map_or("", String::as_str);
    let labels: Vec<String> = rows.iter().map(|row| format!("{} {row}", name(0))).collect();
    let mut others: Vec<&[String]> = Vec::new();
    for row in &sheet.rows {
        let rest = row.get(2..descriptors).unwrap_or_default();
        if !others.contains(&rest) {
            others.push(rest);
        }
    }
    let picture = |rest: &&[String]| {
        let found = |one: &String, other: &String| {
            let mut all = sheet.rows.iter();
            all.find(|row| row[0] == *one && row[1] == *other && row[2..descriptors] == **rest)
        };
        let line = |one: &String| columns.iter().map(|other| cell(found(one, other)?)).collect();
        let cells: Vec<Vec<Option<Cell>>> = rows.iter().map(line).collect();
        let title: Vec<String> =
            (2..).zip(*rest).map(|(i, value)| format!("{} {value}", name(i))).collect();
        let title = title.join(", ");
        let alt = format!("gains on the mixture by cell {title}; the numbers stand in the table");
        let heading = if rest.is_empty() { String::new() } else { element("p", "", &title) };
        format!("<div>{heading}{}</div>\n", matrix(&labels, &columns, &cells, &alt))
    };
    let pictures: String = others.iter().map(picture).collect();
    let caption = format!(
        "Rows are bins of {}, columns bins of {}. Each cell is the gain of its best strategy on the mixture, in percentage points \
         of the share, on fresh games. A question mark is undecided: the interval includes 0. An empty cell has no strategy.",
        name(0),
        name(1)
    );
    source.figure("Strategies by behaviour", pictures, caption, sheet)
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn sheet(descriptors: &[&str], rows: &[&str]) -> Sheet {
        let columns = descriptors.iter().chain(&["strategy", "gain", "gain_low", "gain_high"]);
        let row = |text: &&str| text.split(',').map(str::to_owned).collect();
        Sheet {
            name: "archive".to_owned(),
            columns: columns.map(|&name| name.to_owned()).collect(),
            rows: rows.iter().map(row).collect(),
            ..Sheet::default()
        }
    }

    #[test]
    fn two_descriptors_are_one_map_and_three_are_several() {
        let source = Source::new(Kind::Population, "here");
        let two = ["below 1,a,x,0.10,0.05,0.15", "below 1,b,,,,", "from 1,a,y,-0.05,-0.1,0.02"];
        let figure = archive(&source, &sheet(&["gold", "kind"], &two));
        // Wide and narrow.
        assert_eq!(figure.picture.matches("<svg").count(), 2);
        assert_eq!(figure.picture.matches("<rect class").count(), 4, "{}", figure.picture);
        assert!(figure.picture.contains(">+10<") && figure.picture.contains(">-5?<"));
        assert!(figure.picture.contains("gold below 1"));
        let three = ["1,a,no,x,0.1,0.05,0.15", "1,a,yes,y,0.1,0.05,0.15"];
        let figure = archive(&source, &sheet(&["gold", "kind", "war"], &three));
        assert_eq!(figure.picture.matches("<svg").count(), 4);
        assert!(figure.picture.contains("<p>war no</p>"), "{}", figure.picture);
    }
}
