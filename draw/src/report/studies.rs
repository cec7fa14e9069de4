//! Figures of the studies of a game: prices, pick rates, values by season, leads, calibration of chances.

use super::rows::{by_effect, clearness, is_open, row_dots};
use super::{Sheet, Source};
use crate::figure::Figure;
use crate::plot::{
    Axes, Dot, Reference, Series, Shape, Spot, dots, dots_within, lines, number, panels, scatter,
};

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

/// The largest number of rows in a small picture.
const MOST_IN_PANEL: usize = 12;

/// Returns the dots of a table by season or stage: one part for each, with the same rows in the same order, the largest
/// mean effect first. Returns nothing for a table without seasons.
pub(super) fn seasons(sheet: &Sheet, all: &[Dot]) -> Vec<(String, Vec<Dot>)> {
    let Some(i) = sheet.column("season").or_else(|| sheet.column("stage")) else {
        return Vec::new();
    };
    let name = sheet.columns[i].as_str();
    let mut parts: Vec<(String, Vec<Dot>)> = Vec::new();
    let mut subjects: Vec<(String, Vec<&Dot>)> = Vec::new();
    for (row, dot) in sheet.rows.iter().zip(all) {
        let season = format!("{name} {}", sheet.text(row, name));
        // The label of a row ends or begins with its season.
        let label =
            dot.label.replace(&format!(", {season}"), "").replace(&format!("{season}, "), "");
        match subjects.iter_mut().find(|(known, _)| *known == label) {
            Some((_, dots)) => dots.push(dot),
            None => subjects.push((label.clone(), vec![dot])),
        }
        let dot = Dot { label, ..dot.clone() };
        match parts.iter_mut().find(|(known, _)| *known == season) {
            Some((_, dots)) => dots.push(dot),
            None => parts.push((season, vec![dot])),
        }
    }
    // A table with seasons alone is one picture.
    if parts.iter().all(|(_, dots)| dots.len() < 2) {
        return Vec::new();
    }
    let is_ordered = ["seat", "place"].iter().any(|name| sheet.column(name).is_some());
    if !is_ordered {
        let clear = |dots: &[&Dot]| dots.iter().map(|dot| clearness(dot)).fold(f64::MIN, f64::max);
        subjects.sort_by(|a, b| clear(&b.1).total_cmp(&clear(&a.1)));
        subjects.truncate(MOST_IN_PANEL);
        let mean =
            |dots: &[&Dot]| dots.iter().map(|dot| dot.value).sum::<f64>() / dots.len() as f64;
        subjects.sort_by(|a, b| mean(&b.1).total_cmp(&mean(&a.1)));
    }
    let place = |label: &str| subjects.iter().position(|(known, _)| known == label);
    for (_, dots) in &mut parts {
        dots.retain(|dot| place(&dot.label).is_some());
        dots.sort_by_key(|dot| place(&dot.label));
    }
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    parts
}

/// Returns the figure of the effects of many things on the share of the points: a small picture for each season, or one
/// picture.
pub(super) fn worth(source: &Source, sheet: &Sheet, name: &str, title: &str, what: &str) -> Figure {
    let mut all = row_dots(source, sheet, name, Some(0.0));
    let reference = Reference { at: 0.0, label: "no effect".to_owned() };
    let alt = format!("{title}, with intervals; the numbers stand in the table");
    let axis = "worth, percentage points of share";
    let parts = seasons(sheet, &all);
    let (picture, note) = if parts.len() > 1 {
        let note = "The rows with the clearest effect are drawn, in one order everywhere.";
        (panels(&parts, axis, Some(&reference), &alt), note)
    } else {
        let note = by_effect(&mut all);
        (dots(&all, axis, Some(&reference), &alt), note)
    };
    source.figure(title, picture, format!("{what} {}", note.trim()), sheet)
}

/// Returns the column with the subject of a table: its first column.
fn key(sheet: &Sheet) -> &str {
    sheet.columns.first().map_or("", String::as_str)
}

/// Returns figures of fair prices, pick rates against values, and values by season.
pub(super) fn cards(source: &Source, sheet: &Sheet) -> Vec<Figure> {
    let mut out = vec![prices(source, sheet)];
    let what = "A card adds this much to the share of the points of a seat that is given it.";
    out.push(worth(source, sheet, "value", "Worth of cards", what));
    out.extend(picks(source, sheet));
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
        "A cross is the printed price. A disc is the fair price, with its interval: full if it differs from the printed price, \
         empty if that is undecided. An arrow leads beyond the frame. Two arrows mean that the worth of money is not \
         decided. The {} clearest of {known} cards are drawn.",
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

/// The largest number of names in the figure of pick rates.
const MOST_NAMED: usize = 8;

/// Returns the figure of pick rates against the values of cards. The axis of pick rates is logarithmic, and cards that
/// are never taken stand at its left end.
fn picks(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let rates = || sheet.rows.iter().filter_map(|row| sheet.number(row, "pick_rate"));
    let least = rates().filter(|rate| *rate > 0.0).fold(1.0, f64::min);
    // A whole power of ten below the smallest rate.
    let never = least.log10().floor() - 0.5;
    let across = |rate: f64| if rate > 0.0 { rate.log10() } else { never };
    let spot = |row: &Vec<String>| {
        let (picked, _) = sheet.estimate(row, "pick_rate")?;
        let (value, interval) = sheet.estimate(row, "value")?;
        Some(Spot {
            label: sheet.label(row),
            at: [across(picked), 100.0 * value],
            interval: interval.map(|ends| ends.map(|end| 100.0 * end)),
            is_named: interval.is_some_and(|[low, high]| low > 0.0 || high < 0.0),
        })
    };
    let mut all: Vec<Spot> = sheet.rows.iter().filter_map(spot).collect();
    if all.is_empty() {
        return None;
    }
    all.sort_by(|a, b| b.at[1].abs().total_cmp(&a.at[1].abs()));
    let mut named = 0;
    for spot in &mut all {
        named += usize::from(spot.is_named);
        spot.is_named &= named <= MOST_NAMED;
    }
    let powers = (never + 0.5) as i32..=0;
    let tick = |power: i32| (f64::from(power), format!("{} %", number(100.0 * 10f64.powi(power))));
    let is_never = rates().any(|rate| rate == 0.0).then(|| (never, "never".to_owned()));
    let ticks: Vec<(f64, String)> = is_never.into_iter().chain(powers.map(tick)).collect();
    let alt =
        "how often each card is taken against what it is worth; the numbers stand in the table";
    let axes = ["taken, share of the games (logarithmic)", "worth, percentage points of share"];
    let picture = scatter(&all, axes, &ticks, false, alt);
    let caption = "Cards above the line are worth having. On the left players overlook them, and on the right they take them. The \
                   clearest outliers have names. Being taken is no cause of anything.";
    Some(source.figure("Pick rate against worth", picture, caption, sheet))
}

/// Returns the figure of the share of games in which something is taken, by its price.
pub(super) fn demand(source: &Source, sheet: &Sheet) -> Figure {
    let series = |(look, (label, rows)): (usize, (String, Vec<&Vec<String>>))| {
        let points: Vec<[f64; 2]> = rows
            .iter()
            .filter_map(|row| {
                Some([sheet.number(row, "price")?, 100.0 * sheet.number(row, "pick_rate")?])
            })
            .collect();
        let band = percent_band(sheet, &rows, "pick_rate");
        Series { name: label, points, band, look, has_marks: true }
    };
    let all: Vec<Series> =
        groups(sheet, key(sheet)).into_iter().take(MOST_SERIES).enumerate().map(series).collect();
    let alt = "share of the games in which each is taken, by price; the numbers stand in the table";
    let axes = Axes { across: "price", up: "taken, % of the games", ..Axes::default() };
    let caption = "Each line is the share of games in which a card is taken at that price. Bands are the 95 % intervals.";
    source.figure("Demand", lines(&all, &axes, alt), caption, sheet)
}

/// Returns the figure of the share of wins by the size of the lead, stage by stage.
pub(super) fn leads(source: &Source, sheet: &Sheet) -> Figure {
    let series = |(look, (stage, rows)): (usize, (String, Vec<&Vec<String>>))| {
        let points: Vec<[f64; 2]> = rows
            .iter()
            .filter_map(|row| {
                Some([sheet.number(row, "ahead_by")?, 100.0 * sheet.number(row, "wins")?])
            })
            .collect();
        let band = percent_band(sheet, &rows, "wins");
        Series { name: format!("before stage {stage}"), points, band, look, has_marks: true }
    };
    let all: Vec<Series> =
        groups(sheet, "stage").into_iter().take(MOST_SERIES).enumerate().map(series).collect();
    let alt = "share of wins by how far a seat is ahead, stage by stage, with bands; the numbers stand in the table";
    let axes = Axes { across: "ahead by, in score", up: "wins, %", ..Axes::default() };
    let picture = lines(&all, &axes, alt);
    let caption = "Each line is the share of wins of seats that are ahead by this much when a stage begins. Below zero a seat is \
                   behind the first. The steeper the line, the more a lead decides. Bands are the 95 % intervals.";
    source.figure("Wins by lead", picture, caption, sheet)
}

/// Returns the intervals of rows in percent, or nothing if one of them has none.
fn percent_band(sheet: &Sheet, rows: &[&Vec<String>], name: &str) -> Vec<[f64; 2]> {
    let band = rows.iter().map(|row| Some(sheet.estimate(row, name)?.1?.map(|end| 100.0 * end)));
    band.collect::<Option<_>>().unwrap_or_default()
}

/// Returns figures of suspense, surprise and decided share, stage by stage.
pub(super) fn stages(source: &Source, sheet: &Sheet) -> Vec<Figure> {
    let of = |(look, (name, title)): (usize, (&str, &str))| {
        let rows: Vec<&Vec<String>> = sheet.rows.iter().collect();
        let point = |row: &&Vec<String>| {
            Some([sheet.number(row, "stage")?, 100.0 * sheet.number(row, name)?])
        };
        let points: Vec<[f64; 2]> = rows.iter().filter_map(point).collect();
        Series {
            name: title.to_owned(),
            points,
            band: percent_band(sheet, &rows, name),
            look,
            has_marks: true,
        }
    };
    let names = [("decided", "games decided"), ("suspense", "suspense"), ("surprise", "surprise")];
    let all: Vec<Series> =
        names.into_iter().enumerate().map(of).filter(|series| series.points.len() > 1).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let alt = "share of games decided, suspense and surprise, stage by stage, with bands; the numbers stand in the table";
    let axes = Axes { across: "stage", up: "%", ..Axes::default() };
    let picture = lines(&all, &axes, alt);
    let caption = "A game is decided before a stage if one seat has a chance of 80 % or more from there to the end. Suspense is \
                   the expected change of the chances, and surprise the change that came. Bands are the 95 % intervals.";
    vec![source.figure("Suspense, surprise and decision", picture, caption, sheet)]
}

/// Returns the reliability diagram: predicted chances against results.
pub(super) fn reliability(source: &Source, sheet: &Sheet) -> Figure {
    let spot = |row: &Vec<String>| {
        let (won, interval) = sheet.estimate(row, "won")?;
        let at = [100.0 * sheet.number(row, "mean_chance")?, 100.0 * won];
        let interval = interval.map(|ends| ends.map(|end| 100.0 * end));
        Some(Spot { label: sheet.label(row), at, interval, is_named: false })
    };
    let all: Vec<Spot> = sheet.rows.iter().filter_map(spot).collect();
    let alt = "chances by the model against the share of wins; the numbers stand in the table";
    let axes = ["chance by the model, %", "share of the points that came of it, %"];
    let picture = scatter(&all, axes, &[], true, alt);
    let caption = "A calibrated model has its points on the dashed line. The model was not fitted to these games.";
    source.figure("Calibration of the model", picture, caption, sheet)
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
        let [low, high] = [low?, high?].map(|end| 100.0 * end.clamp(0.0, 1.0));
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
    let axis = "share of the variance of the result, %";
    let picture = dots_within([0.0, 100.0], &all, axis, alt);
    let caption = "A bar begins at the part that a stream decides alone, and ends at the part that stays open once all others are \
                   known. Streams that decide together count at the upper end of both, so the ends add up to no whole.";
    source.figure("Luck by stream, as bounds", picture, caption, sheet)
}

/// Returns the figure of the costs of restrictions.
pub(super) fn restrictions(source: &Source, sheet: &Sheet) -> Figure {
    let mut all = row_dots(source, sheet, "cost", Some(0.0));
    let note = by_effect(&mut all);
    let reference = Reference { at: 0.0, label: "no cost".to_owned() };
    let alt =
        "what each restriction costs one seat, with intervals; the numbers stand in the table";
    let picture = dots(&all, "cost, percentage points of share", Some(&reference), alt);
    let caption = format!(
        "One seat alone is forbidden something for the whole game, and loses this much. The row \"nothing\" is the control. Below \
         zero the agent does better without.{note}"
    );
    let figure = source.figure("Cost of being forbidden something", picture, caption, sheet);
    Figure { basis: Source::basis_of(sheet), ..figure }
}

/// Returns the figure of predicted chances after gifts against results.
pub(super) fn treated(source: &Source, sheet: &Sheet) -> Figure {
    let spot = |row: &Vec<String>| {
        let (result, interval) = sheet.estimate(row, "result")?;
        let is_clear = interval.is_some_and(|[low, high]| low > 0.0 || high < 0.0);
        let at = [100.0 * sheet.number(row, "chance")?, 100.0 * result];
        let interval = interval.map(|ends| ends.map(|end| 100.0 * end));
        Some(Spot { label: sheet.label(row), at, interval, is_named: is_clear })
    };
    let all: Vec<Spot> = sheet.rows.iter().filter_map(spot).collect();
    let alt =
        "chances a round after each gift against what came of it; the numbers stand in the table";
    let axes = ["chance a round later, pp beyond an equal one", "result, pp beyond an equal share"];
    let picture = scatter(&all, axes, &[], true, alt);
    let caption = "Each gift went to every seat in turn. On the dashed line one point of chance is one point of result. Clear \
                   results have names. The slope stands under the model in figures.";
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
        let wide = figure.picture.split("<div class=\"on-narrow\">").next().unwrap();
        assert_eq!(wide.matches("<circle").count(), 3);
        assert_eq!(wide.matches("<path class=\"l4\"").count(), 5);
        assert!(figure.caption.contains("5 clearest of 5") && figure.caption.contains("arrow"));
    }

    #[test]
    fn what_streams_decide_is_drawn_as_bounds() {
        let text = "stream total total_low total_high alone alone_low alone_high used\n\
                    set-up 0.961 0.9 1.02 0.121 0.05 0.2 yes\n\
                    decks 0.784 0.7 0.86 -0.032 -0.1 0.03 yes";
        let figure =
            super::super::figures::figures(&source(Kind::Dynamics, vec![sheet("streams", text)]))
                .remove(0);
        assert_eq!(figure.picture.matches("class=\"bounds\"").count(), 4, "two in each layout");
        assert!(
            figure.picture.contains("set-up: 12.1 to 96.1")
                && figure.picture.contains("decks: 0 to 78.4")
        );
        assert!(!figure.picture.contains("<circle"), "a bound is no estimate");
    }
}
