//! Figures of the studies of a game: prices, pick rates, values by season, leads, calibration of chances.

use super::rows::{cut, is_open, row_dots};
use super::{Sheet, Source};
use crate::figure::Figure;
use crate::plot::{Dot, Reference, Series, Shape, Spot, dots, dots_within, lines, scatter};

/// The largest number of series in a plot.
const MOST_SERIES: usize = 6;

/// Returns the rows of each thing, in the order of first appearance.
fn groups<'a>(sheet: &'a Sheet, key: &str) -> Vec<(String, Vec<&'a Vec<String>>)> {
    let mut out: Vec<(String, Vec<&Vec<String>>)> = Vec::new();
    for row in &sheet.rows {
        let name = sheet.text(row, key);
        match out.iter_mut().find(|(known, _)| known == name) {
            Some((_, rows)) => rows.push(row),
            None => out.push((name.to_owned(), vec![row])),
        }
    }
    out
}

/// Returns the column with the subject of a table: its first column.
fn key(sheet: &Sheet) -> &str {
    sheet.columns.first().map_or("", String::as_str)
}

/// Returns figures of fair prices, pick rates against values, and values by season.
pub(super) fn cards(source: &Source, sheet: &Sheet) -> Vec<Figure> {
    let mut out = vec![prices(source, sheet)];
    out.extend(picks(source, sheet));
    out.extend(by_season(source, sheet, "value"));
    let mut all = row_dots(sheet, "value", Some(0.0));
    let note = cut(&mut all);
    let reference = Reference { at: 0.0, label: "no effect".to_owned() };
    let alt = "what each card adds to the share of the points, with intervals; the numbers stand in the table";
    let picture = dots(&all, "value, in share of the points", Some(&reference), alt);
    let caption =
        format!("What a card adds to the share of the points of a seat that is given it.{note}");
    out.push(source.figure("Worth of cards", picture, caption, sheet));
    // All figures share the table of the first one.
    if let [first, others @ ..] = &mut out[..] {
        others.iter_mut().for_each(|figure| figure.table = first.table.clone());
    }
    out
}

/// The largest distance of a frame from the printed prices, in spans of these prices.
const BEYOND: f64 = 2.0;

/// Returns the frame of prices: the range of the printed prices, the estimates and their bounds, limited to the
/// neighbourhood of the printed prices. A price that money hardly buys can lie in the thousands, with a wide interval.
/// It would leave no space for the others.
fn frame(rows: &[&Vec<String>], sheet: &Sheet) -> Option<[f64; 2]> {
    let hull = |all: &mut dyn Iterator<Item = f64>| {
        all.fold(None, |hull: Option<[f64; 2]>, x| {
            Some(hull.map_or([x; 2], |[low, high]| [low.min(x), high.max(x)]))
        })
    };
    let printed = rows.iter().filter_map(|row| sheet.number(row, "printed_price"));
    let [least, most] = hull(&mut printed.clone())?;
    let span = (most - least).max(most.abs()).max(1.0);
    let [first, last] = [least - BEYOND * span, most + BEYOND * span];
    // An estimate without bounds counts only if it is near.
    let fair = |row: &&Vec<String>| match sheet.estimate(row, "fair_price") {
        Some((value, Some([low, high]))) => vec![low, value, high],
        Some((value, None)) if (first..=last).contains(&value) => vec![value],
        _ => Vec::new(),
    };
    let fair = rows.iter().flat_map(fair);
    let [low, high] = hull(&mut printed.chain(fair))?;
    let [low, high] = [low.max(first), high.min(last)];
    let room = 0.04 * (high - low).max(1.0);
    Some([low - room, high + room])
}

/// Returns the visible part of a fair price, in words.
fn drawn(sheet: &Sheet, row: &[String], [low, high]: [f64; 2]) -> &'static str {
    let holds = |x: f64| (low..=high).contains(&x);
    match sheet.estimate(row, "fair_price") {
        None => "there is none",
        Some((value, None)) if holds(value) => "unbounded",
        Some((_, None)) => "unbounded, and its estimate beyond the frame",
        Some((value, Some(_))) if !holds(value) => "beyond the frame",
        Some((_, Some([low, high]))) if holds(low) && holds(high) => "whole",
        Some(_) => "leaves the frame",
    }
}

/// Returns the figure of printed prices beside fair prices.
fn prices(source: &Source, sheet: &Sheet) -> Figure {
    const MOST: usize = 16;
    let has_price = |row: &&Vec<String>| sheet.number(row, "fair_price").is_some();
    let mut rows: Vec<&Vec<String>> = sheet.rows.iter().filter(has_price).collect();
    rows.sort_by(|a, b| {
        let p = |row: &[String]| sheet.number(row, "p").unwrap_or(1.0);
        p(a).total_cmp(&p(b))
    });
    let known = rows.len();
    rows.truncate(MOST);
    let frame = frame(&rows, sheet).unwrap_or([0.0, 1.0]);
    let mut all = Vec::new();
    for row in &rows {
        let label = sheet.label(row);
        let Some((value, interval)) = sheet.estimate(row, "fair_price") else { continue };
        let is_found = !is_open(sheet.text(row, "verdict"));
        let shape = if is_found { Shape::Full } else { Shape::Open };
        let interval = Some(interval.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]));
        all.push(Dot { label: label.clone(), value, interval, shape });
        if let Some(printed) = sheet.number(row, "printed_price") {
            all.push(Dot { label, value: printed, interval: None, shape: Shape::Cross });
        }
    }
    let alt = "fair prices with intervals beside printed ones; the numbers stand in the table";
    let picture =
        if all.is_empty() { String::new() } else { dots_within(frame, &all, "price", alt) };
    let caption = format!(
        "Discs: the price that would be fair, with its interval (full where it is found to differ from the printed one); \
         crosses: the printed price. An arrow: the interval goes on beyond the frame, which is made of the printed prices and \
         what lies near them; arrows to both sides: it is unbounded, the worth of money not being told from zero; no disc: \
         the estimate, too, lies beyond. The table says which. Shown are the {} clearest of {known}.",
        rows.len()
    );
    let mut figure = source.figure("Fair prices", picture, caption, sheet);
    figure.table.columns.push(("fair price in the picture".to_owned(), false));
    for (cells, row) in figure.table.rows.iter_mut().zip(&sheet.rows) {
        let is_shown = rows.iter().any(|shown| std::ptr::eq(*shown, row));
        let said = drawn(sheet, row, frame);
        cells.push(if is_shown { said.to_owned() } else { format!("not shown; {said}") });
    }
    figure
}

/// Returns the figure of pick rates against the values of cards.
fn picks(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let spot = |row: &Vec<String>| {
        let (picked, _) = sheet.estimate(row, "pick_rate")?;
        let (value, interval) = sheet.estimate(row, "value")?;
        let is_clear = interval.is_some_and(|[low, high]| low > 0.0 || high < 0.0);
        Some(Spot { label: sheet.label(row), at: [picked, value], interval, is_named: is_clear })
    };
    let all: Vec<Spot> = sheet.rows.iter().filter_map(spot).collect();
    if all.is_empty() {
        return None;
    }
    let alt =
        "how often each card is taken against what it is worth; the numbers stand in the table";
    let picture =
        scatter(&all, ["taken, share of the games", "value, in share of the points"], false, alt);
    let caption = "Above and to the right: worth much and often taken; above and to the left: worth much and overlooked; below: worth \
                   nothing. Named where the interval of the value leaves out zero and there is room, the clearest first. Being taken is no cause of anything.";
    Some(source.figure("Pick rate against value", picture, caption, sheet))
}

/// Returns the figure of an estimate season by season, for the things that differ most from zero.
pub(super) fn by_season(source: &Source, sheet: &Sheet, name: &str) -> Option<Figure> {
    sheet.column("season")?;
    let mut all = groups(sheet, key(sheet));
    let clear = |rows: &Vec<&Vec<String>>| -> f64 {
        let low = rows.iter().filter_map(|row| match sheet.estimate(row, name)? {
            (_, Some([low, high])) if low > 0.0 || high < 0.0 => Some(low.abs().min(high.abs())),
            _ => Some(0.0),
        });
        low.fold(0.0, f64::max)
    };
    all.sort_by(|a, b| clear(&b.1).total_cmp(&clear(&a.1)));
    let series = |(look, (label, rows)): (usize, &(String, Vec<&Vec<String>>))| Series {
        name: label.clone(),
        points: rows
            .iter()
            .filter_map(|row| Some([sheet.number(row, "season")?, sheet.number(row, name)?]))
            .collect(),
        band: Vec::new(),
        look,
        has_marks: true,
    };
    let lines_of: Vec<Series> = all
        .iter()
        .take(MOST_SERIES)
        .enumerate()
        .map(series)
        .filter(|s| s.points.len() > 1)
        .collect();
    if lines_of.is_empty() {
        return None;
    }
    let alt = format!("{name} by season of the clearest rows; the numbers stand in the table");
    let picture = lines(&lines_of, ["season", name], &[], &alt);
    let caption = format!(
        "{name} by season, of the {} whose intervals are farthest from zero; intervals stand in the table.",
        lines_of.len()
    );
    Some(source.figure(format!("By season: {name}"), picture, caption, sheet))
}

/// Returns the figure of the share of games in which something is taken, by its price.
pub(super) fn demand(source: &Source, sheet: &Sheet) -> Figure {
    let series = |(look, (label, rows)): (usize, (String, Vec<&Vec<String>>))| {
        let points: Vec<[f64; 2]> = rows
            .iter()
            .filter_map(|row| Some([sheet.number(row, "price")?, sheet.number(row, "pick_rate")?]))
            .collect();
        let band = rows.iter().filter_map(|row| sheet.estimate(row, "pick_rate")?.1).collect();
        Series { name: label, points, band, look, has_marks: true }
    };
    let all: Vec<Series> =
        groups(sheet, key(sheet)).into_iter().take(MOST_SERIES).enumerate().map(series).collect();
    let alt = "share of the games in which each is taken, by price; the numbers stand in the table";
    let picture = lines(&all, ["price", "taken, share of the games"], &[], alt);
    source.figure(
        "Demand",
        picture,
        "In which share of the games it is taken, by its price, with bands of the intervals.",
        sheet,
    )
}

/// Returns the figure of the share of wins by the size of the lead, stage by stage.
pub(super) fn leads(source: &Source, sheet: &Sheet) -> Figure {
    let series = |(look, (stage, rows)): (usize, (String, Vec<&Vec<String>>))| {
        let points: Vec<[f64; 2]> = rows
            .iter()
            .filter_map(|row| Some([sheet.number(row, "ahead_by")?, sheet.number(row, "wins")?]))
            .collect();
        let bands: Vec<[f64; 2]> =
            rows.iter().filter_map(|row| sheet.estimate(row, "wins")?.1).collect();
        let band = if bands.len() == points.len() { bands } else { Vec::new() };
        Series { name: format!("before stage {stage}"), points, band, look, has_marks: true }
    };
    let all: Vec<Series> =
        groups(sheet, "stage").into_iter().take(MOST_SERIES).enumerate().map(series).collect();
    let alt = "share of wins by how far a seat is ahead, stage by stage, with bands; the numbers stand in the table";
    let picture = lines(&all, ["ahead by, in score", "wins"], &[], alt);
    let caption = "Share of wins of seats at least so far ahead of all others (or, below zero, behind the first) when a stage begins, \
                   with bands of the intervals: the steeper, the more a lead decides.";
    source.figure("Wins by lead", picture, caption, sheet)
}

/// Returns figures of suspense, surprise and decided share, stage by stage.
pub(super) fn stages(source: &Source, sheet: &Sheet) -> Vec<Figure> {
    let of = |(look, (name, title)): (usize, (&str, &str))| {
        let rows = sheet.rows.iter();
        let points: Vec<[f64; 2]> = rows
            .clone()
            .filter_map(|row| Some([sheet.number(row, "stage")?, sheet.number(row, name)?]))
            .collect();
        let bands: Vec<[f64; 2]> = rows.filter_map(|row| sheet.estimate(row, name)?.1).collect();
        let band = if bands.len() == points.len() { bands } else { Vec::new() };
        Series { name: title.to_owned(), points, band, look, has_marks: true }
    };
    let names = [("decided", "games decided"), ("suspense", "suspense"), ("surprise", "surprise")];
    let all: Vec<Series> =
        names.into_iter().enumerate().map(of).filter(|series| series.points.len() > 1).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let alt = "share of games decided, suspense and surprise, stage by stage, with bands; the numbers stand in the table";
    let picture = lines(&all, ["stage", ""], &[], alt);
    let caption = "Games decided before a stage (from there on one seat always at eight in ten or more), suspense (expected change of the chances) and surprise \
                   (change that came), by the model of win probability, with bands of the intervals.";
    vec![source.figure("Suspense, surprise and decision", picture, caption, sheet)]
}

/// Returns the reliability diagram: predicted chances against results.
pub(super) fn reliability(source: &Source, sheet: &Sheet) -> Figure {
    let spot = |row: &Vec<String>| {
        let (won, interval) = sheet.estimate(row, "won")?;
        let at = [sheet.number(row, "mean_chance")?, won];
        Some(Spot { label: sheet.label(row), at, interval, is_named: false })
    };
    let all: Vec<Spot> = sheet.rows.iter().filter_map(spot).collect();
    let alt = "chances by the model against the share of wins; the numbers stand in the table";
    let picture =
        scatter(&all, ["chance by the model", "share of the points that came of it"], true, alt);
    let caption = "On the dashed line chances are those with which things happen; games that the model was not fitted to.";
    source.figure("Can the model be believed?", picture, caption, sheet)
}

/// Returns bounds of the share of the result that each random stream decides. The lower bound is the effect of the
/// stream alone; the upper bound is the uncertainty left once all other streams are known.
pub(super) fn streams(source: &Source, sheet: &Sheet) -> Figure {
    let (least, most) = match sheet.column("lower") {
        Some(_) => ("lower", "upper"),
        None => ("alone", "total"),
    };
    let bar = |row: &Vec<String>| {
        let [low, high] = [least, most].map(|name| sheet.number(row, name));
        // Estimates can leave the range; a share cannot.
        let [low, high] = [low?, high?].map(|end| end.clamp(0.0, 1.0));
        let (low, high) = (low.min(high), high.max(low));
        Some(Dot {
            label: sheet.text(row, "stream").to_owned(),
            value: low,
            interval: Some([low, high]),
            shape: Shape::Bounds,
        })
    };
    let all: Vec<Dot> = sheet.rows.iter().filter_map(bar).collect();
    let alt = "least and most of the result that each stream of random numbers decides; the numbers stand in the table";
    let picture = dots_within([0.0, 1.0], &all, "share of the variance of the result", alt);
    let caption = "Each bar goes from the least to the most of the result that a stream decides: from what it settles by itself to \
                   what is open once all the others are known. The bars overlap, so that their ends add up to no whole: what \
                   two streams decide only together counts at the upper end of both.";
    source.figure("Luck: what the streams decide, as bounds", picture, caption, sheet)
}

/// Returns the figure of the costs of restrictions.
pub(super) fn restrictions(source: &Source, sheet: &Sheet) -> Figure {
    let mut all = row_dots(sheet, "cost", Some(0.0));
    let note = cut(&mut all);
    let reference = Reference { at: 0.0, label: "no cost".to_owned() };
    let alt =
        "what each restriction costs one seat, with intervals; the numbers stand in the table";
    let picture = dots(&all, "cost, in share of the points", Some(&reference), alt);
    let caption = format!(
        "What it costs a seat in share of the points that it alone is forbidden something for the whole game; first a line in which \
         nothing is forbidden, last one of who chooses at random. Below zero the agent does better without.{note}"
    );
    let title = "What it costs one seat to be forbidden something";
    Figure { basis: Source::basis_of(sheet), ..source.figure(title, picture, caption, sheet) }
}

/// Returns the figure of predicted chances after gifts against results.
pub(super) fn treated(source: &Source, sheet: &Sheet) -> Figure {
    let spot = |row: &Vec<String>| {
        let (result, interval) = sheet.estimate(row, "result")?;
        let is_clear = interval.is_some_and(|[low, high]| low > 0.0 || high < 0.0);
        let at = [sheet.number(row, "chance")?, result];
        Some(Spot { label: sheet.label(row), at, interval, is_named: is_clear })
    };
    let all: Vec<Spot> = sheet.rows.iter().filter_map(spot).collect();
    let alt =
        "chances a round after each gift against what came of it; the numbers stand in the table";
    let axes = ["chance a round later, less an equal share", "result, less an equal share"];
    let picture = scatter(&all, axes, true, alt);
    let caption = "Each gift to every seat in turn: on the dashed line one point of chance is one point of result. Named where the interval of \
                   the result leaves out zero. Whether chances may stand for results is said by the slope, under the model in figures.";
    let figure = source.figure("Chances behind gifts, and results", picture, caption, sheet);
    Figure { basis: Source::basis_of(sheet), ..figure }
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::sheet::tests::sheet;
    use super::super::tests::source;
    use super::*;

    #[test]
    fn prices_far_off_do_not_stretch_the_frame_and_are_said_to_lie_beyond_it() {
        // A hyphen stands for an empty cell and is not a number.
        let text = "card season printed_price fair_price fair_price_low fair_price_high p verdict\n\
                    loot 1 10 40 20 60 0.001 cheap\n\
                    mob 1 20 25 -900 3000 0.2 undecided\n\
                    riot 1 20 30 - - 0.5 undecided\n\
                    plague 1 15 -4000 - - 0.6 undecided\n\
                    feast 1 15 5000 4000 6000 0.7 dear\n\
                    none 1 5 - - - 1 undecided";
        let source = source(Kind::Cards, vec![sheet("cards", text)]);
        let sheet = &source.sheets[0];
        let rows: Vec<&Vec<String>> = sheet.rows.iter().take(5).collect();
        let [low, high] = frame(&rows, sheet).unwrap();
        assert!((-40.0..=-30.0).contains(&low) && (60.0..=70.0).contains(&high), "{low} {high}");
        let figure = prices(&source, sheet);
        let said: Vec<&str> =
            figure.table.rows.iter().map(|row| row.last().unwrap().as_str()).collect();
        let expected = [
            "whole",
            "leaves the frame",
            "unbounded",
            "unbounded, and its estimate beyond the frame",
            "beyond the frame",
            "not shown; there is none",
        ];
        assert_eq!(said, expected);
        // The frame holds three discs of estimates and five crosses of printed prices.
        assert_eq!(figure.picture.matches("<circle").count(), 3);
        assert_eq!(figure.picture.matches("<path class=\"l4\"").count(), 5);
        assert!(figure.caption.contains("the 5 clearest of 5") && figure.caption.contains("arrow"));
    }

    #[test]
    fn what_streams_decide_is_drawn_as_bounds() {
        let text = "stream total total_low total_high alone alone_low alone_high used\n\
                    set-up 0.961 0.9 1.02 0.121 0.05 0.2 yes\n\
                    decks 0.784 0.7 0.86 -0.032 -0.1 0.03 yes";
        let figure =
            super::super::figures::figures(&source(Kind::Arc, vec![sheet("streams", text)]))
                .remove(0);
        assert_eq!(figure.picture.matches("class=\"bounds\"").count(), 2);
        assert!(
            figure.picture.contains("set-up: 0.121 to 0.961")
                && figure.picture.contains("decks: 0 to 0.784")
        );
        assert!(!figure.picture.contains("<circle"), "a bound is no estimate");
    }
}
