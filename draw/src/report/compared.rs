//! Figures of a comparison: its metrics beside each other, and the course of its effect.

use super::rows::found;
use super::titles::title;
use super::{Sheet, Source};
use crate::figure::{Figure, FigureTable};
use crate::plot::{Dot, Reference, Series, dots, lines};

/// Returns the figure of several metrics, each in units of the smallest difference worth finding.
pub(super) fn panel(source: &Source, sheet: &Sheet) -> Figure {
    let is_one = sheet.rows.len() == 1;
    let dot = |row: &Vec<String>| {
        let (value, interval) = sheet.estimate(row, "difference")?;
        let worth = sheet.number(row, "worth_finding").filter(|worth| *worth > 0.0 && !is_one);
        let unit = worth.unwrap_or(1.0);
        Some(Dot {
            label: sheet.text(row, "metric").to_owned(),
            value: value / unit,
            interval: interval.map(|ends| ends.map(|end| end / unit)),
            shape: found(sheet, row, interval, 0.0),
        })
    };
    let all: Vec<Dot> = sheet.rows.iter().filter_map(dot).collect();
    let reference = Reference { at: 0.0, label: "no difference".to_owned() };
    let alt = "differences with intervals, metric by metric; the numbers stand in the table";
    let is_of_rules = sheet.column("A").is_some();
    let (axis, caption) = match (is_one, is_of_rules) {
        (true, false) => (
            "gain of the candidate, points per game",
            "What the candidate gains over the baseline, with the interval of the test.",
        ),
        (true, true) => ("B less A", "By how much the metric is larger under B than under A."),
        (false, _) => (
            "B less A, in units of the difference worth finding",
            "By how much each metric is larger under B than under A. Metrics have units of their own: 1 is the difference \
             that is worth finding, which stands in the table with the numbers as they are.",
        ),
    };
    let picture = dots(&all, axis, Some(&reference), alt)
        + &FigureTable { caption: String::new(), ..sheet.table() }.html();
    let mut figure = source.figure("What was compared", picture, caption, sheet);
    figure.table = FigureTable::default();
    figure
}

/// Returns the figure of the effect over the blocks: the running mean with its anytime-valid interval.
///
/// Returns `None` if fewer than two points of the sequence have an interval.
pub(super) fn course(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let mut series = Series { look: 1, ..Series::default() };
    for row in &sheet.rows {
        // Without an interval there is nothing to draw.
        if let (Some(blocks), Some((effect, Some(ends)))) =
            (sheet.number(row, "blocks"), sheet.estimate(row, "effect"))
        {
            series.points.push([blocks, effect]);
            series.band.push(ends);
        }
    }
    if series.points.len() < 2 {
        return None;
    }
    // The first, wide intervals would leave no space for the others.
    let skip = series.points.len() / 10;
    series.points.drain(..skip);
    series.band.drain(..skip);
    let ends =
        [series.points.first(), series.points.last()].map(|point| point.map(|point| point[0]));
    let zero: Vec<[f64; 2]> = ends.into_iter().flatten().map(|x| [x, 0.0]).collect();
    let none =
        Series { name: "no difference".to_owned(), points: zero, look: 4, ..Series::default() };
    series.name = "mean so far".to_owned();
    let alt =
        "mean of the blocks so far with its confidence sequence; the numbers stand in the table";
    let picture = lines(&[series, none], ["blocks", "effect"], &[], alt);
    let caption = "The mean of all blocks so far, with its 95 % confidence sequence: at whatever block somebody looks, the band \
                   holds the true effect in 95 of 100 runs. The first tenth of the blocks is left out.";
    Some(source.figure(title(sheet), picture, caption, sheet))
}

#[cfg(test)]
mod tests {
    use super::super::sheet::tests::sheet;
    use super::super::tests::source;
    use super::super::{Kind, report};

    #[test]
    fn a_comparison_has_its_metrics_its_verdicts_and_what_was_changed() {
        let panel = "metric A B difference difference_low difference_high p worth_finding verdict blocks\n\
                     seat-0 0.42 0.63 0.2 0.01 0.3 0.03 0.05 larger 59\n\
                     plies 60 55 -5 -7 -3 0.0004 1 smaller 55";
        let course =
            "blocks effect effect_low effect_high\n2 0.5 -9 9\n30 0.3 -0.2 0.8\n59 0.2 0.01 0.4";
        let changed = "rule default under_A under_B\nrome.legions 8 8 7";
        let sheets =
            vec![sheet("course", course), sheet("panel", panel), sheet("changed_rules", changed)];
        let page = report(&[source(Kind::Comparison, sheets)]);
        let order = ["rome.legions", "What was compared", "How it went"];
        let places = order.map(|part| page.rfind(part).unwrap_or_else(|| panic!("{part}")));
        assert!(page.contains("0.20 [0.01, 0.30]") && page.contains("smaller"), "{page}");
        assert!(places[1] < places[2] && page.contains("95 % confidence sequence"));
        assert_eq!(
            page.matches("All this holds under these rules").count(),
            1,
            "rules are said once"
        );
        assert!(!page.contains("llr"));
    }
}
