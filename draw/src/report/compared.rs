//! Figures of a comparison: its metrics beside each other, and the course of its effect.

use super::digits::half;
use super::rows::found;
use super::units::Unit;
use super::{Sheet, Source};
use crate::figure::{Figure, FigureTable};
use crate::plot::{Axes, Dot, INK, Reference, Series, dots, line_panels, lines};

/// Returns the figure of several metrics, each in units of the smallest difference worth finding.
pub(super) fn panel(source: &Source, sheet: &Sheet) -> Figure {
    let is_one = sheet.rows.len() == 1;
    let unit = |row: &Vec<String>| {
        let worth = sheet.number(row, "worth_finding").filter(|worth| *worth > 0.0 && !is_one);
        worth.map_or_else(|| source.unit(sheet, row, "difference").factor(), |worth| 1.0 / worth)
    };
    let dot = |row: &Vec<String>| {
        let (value, interval) = sheet.estimate(row, "difference")?;
        Some(Dot {
            label: sheet.text(row, "metric").to_owned(),
            value: value * unit(row),
            interval: interval.map(|ends| ends.map(|end| end * unit(row))),
            shape: found(sheet, row, interval, 0.0),
        })
    };
    let all: Vec<Dot> = sheet.rows.iter().filter_map(dot).collect();
    let reference = Reference { at: 0.0, label: "no difference".to_owned() };
    let alt = "differences with intervals, metric by metric; the numbers stand in the table";
    let is_share =
        sheet.rows.iter().all(|row| source.unit(sheet, row, "difference") == Unit::Points);
    let (axis, caption) = match (is_one, source.has_two_rules()) {
        (true, false) => (
            "gain of the candidate, percentage points of share",
            "The candidate gains this much over the baseline. The interval is that of the test.",
        ),
        (true, true) if is_share => (
            "B minus A, percentage points of share",
            "The metric is larger under B to the right of the line.",
        ),
        (true, true) => ("B minus A", "The metric is larger under B to the right of the line."),
        (false, _) => (
            "B minus A, in the smallest worth finding",
            "A metric is larger under B to the right of the line. One unit is the smallest difference worth finding of that \
             metric. The table has the numbers in their own units.",
        ),
    };
    let picture = dots(&all, axis, Some(&reference), alt)
        + &FigureTable { caption: String::new(), ..sheet.table(source) }.html();
    let mut figure = source.figure("Result of the comparison", picture, caption, sheet);
    figure.table = FigureTable::default();
    figure
}

/// The widest interval of a course, in widths of its last interval.
const WIDEST: f64 = 4.0;

/// A running mean with its metric and the smallest effect worth finding.
struct Course {
    metric: String,
    series: Series,
    worth: f64,
}

/// Returns the course of a sheet in units of `factor`. Returns `None` if fewer than two points have an interval.
fn course_of(
    panel: &Sheet,
    sheet: &Sheet,
    factor: impl Fn(&Sheet, &[String], f64) -> f64,
) -> Option<Course> {
    let metric = sheet.caption.split_once(": ").map_or("", |(_, metric)| metric).to_owned();
    let is_own = |row: &&Vec<String>| metric.is_empty() || panel.text(row, "metric") == metric;
    let row = panel.rows.iter().find(is_own)?;
    let worth = panel.number(row, "worth_finding").unwrap_or_default();
    let factor = factor(panel, row, worth);
    let mut series = Series { look: INK, ..Series::default() };
    for row in &sheet.rows {
        // Without an interval there is nothing to draw.
        if let (Some(blocks), Some((effect, Some(ends)))) =
            (sheet.number(row, "blocks"), sheet.estimate(row, "effect"))
        {
            series.points.push([blocks, factor * effect]);
            series.band.push(ends.map(|end| factor * end));
        }
    }
    // The first, wide intervals would leave no space for the others.
    let last = series.band.last().map_or(0.0, |ends| half(*ends));
    let skip = series.band.iter().take_while(|ends| half(**ends) > WIDEST * last).count();
    let skip = skip.min(series.points.len().saturating_sub(2));
    series.points.drain(..skip);
    series.band.drain(..skip);
    (series.points.len() > 1).then_some(Course { metric, series, worth: factor * worth })
}

/// Returns the figure of the effects over the blocks: running means with their anytime-valid intervals and the
/// hypotheses of the test.
///
/// Several metrics share the axes, in units of the smallest difference worth finding.
pub(super) fn course(source: &Source) -> Option<Figure> {
    let sheets: Vec<&Sheet> = source.sheets.iter().filter(|sheet| sheet.name == "course").collect();
    let panel = source.sheet("panel")?;
    let is_one = sheets.len() == 1;
    let factor = |panel: &Sheet, row: &[String], worth: f64| match worth {
        worth if worth > 0.0 && !is_one => 1.0 / worth,
        _ => source.unit(panel, row, "difference").factor(),
    };
    let all: Vec<Course> =
        sheets.iter().filter_map(|sheet| course_of(panel, sheet, factor)).collect();
    let Course { worth, .. } = all.first()?;
    let level = |at: f64, label: &str| Reference { at, label: label.to_owned() };
    let levels = [level(0.0, "no difference"), level(*worth, ""), level(-*worth, "")];
    let up = if is_one { "effect" } else { "effect, in the smallest worth finding" };
    let is_share = is_one
        && panel
            .rows
            .first()
            .is_some_and(|row| source.unit(panel, row, "difference") == Unit::Points);
    let up = if is_share { "effect, percentage points of share" } else { up };
    let levels = if *worth > 0.0 { &levels[..] } else { &levels[..1] };
    let axes = Axes { across: "blocks", up, levels, ..Axes::default() };
    let alt = "running mean with its confidence sequence and the hypotheses of the test; the numbers stand in the table";
    let picture = if is_one {
        lines(&[all[0].series.clone()], &axes, alt)
    } else {
        let parts: Vec<(String, Vec<Series>)> =
            all.into_iter().map(|course| (course.metric, vec![course.series])).collect();
        line_panels(&parts, &axes, alt)
    };
    let caption = "The line is the mean of all blocks so far, and the band its 95 % confidence sequence, which may be read at any \
                   block. Dotted lines are the smallest effect worth finding, between which and zero the test decides. The first \
                   blocks with much wider bands are left out.";
    Some(source.figure("Running mean of the effect", picture, caption, sheets[0]))
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
        let order = ["rome.legions", "Result of the comparison", "Running mean"];
        let places = order.map(|part| page.rfind(part).unwrap_or_else(|| panic!("{part}")));
        assert!(page.contains("+20.0 pp [1.0, 30.0]") && page.contains("smaller"));
        assert!(places[1] < places[2] && page.contains("95 % confidence sequence"));
        assert_eq!(page.matches("some numbers reconstructed").count(), 1, "rules are said once");
        assert!(!page.contains("llr"));
    }
}
