//! Tables of parameter effects by the surface fitted to all search results: each parameter and each pair.

use super::super::table::{Cell, Column, Content, Note, Table};
use super::{EFFECTS, GAIN, INTERACTIONS, noun};
use lab::tune::gain::Gain;
use lab::tune::response::FittedSurface;
use lab::tune::space::{Dimension, Point};
use lab::tune::study::TuningStudy;
use sim::stats::Interval;

/// Step of a deviation, as a part of the range; a whole number or a word moves to the next one.
const STEP: f64 = 1.0 / 8.0;
/// Number of points along a range for the search of the best and the worst.
const LEVELS: usize = 9;
/// Number of pairs in the table: the largest.
const PAIRS: usize = 12;

/// Returns a difference with its interval, cut to its possible range: −1 to 1 for shares, unbounded for losses.
fn within(gain: Gain, estimate: f64, interval: Option<Interval>) -> Cell {
    match gain {
        Gain::Loss => Cell::Estimate(estimate, interval),
        Gain::Share => {
            let Interval { low, high } = interval.unwrap_or(Interval { low: -1.0, high: 1.0 });
            let cut = |x: f64| x.clamp(-1.0, 1.0);
            Cell::Estimate(cut(estimate), Some(Interval { low: cut(low), high: cut(high) }))
        }
    }
}

/// Returns the values at which a dimension is evaluated.
fn levels(one: &Dimension) -> Vec<f64> {
    let words = one.range.size().unwrap_or(2) as usize;
    one.range.levels(if one.range.is_ordered() { LEVELS } else { words })
}

/// Builds the table of parameter effects around a point: from the worst value of the range to the best, and one step
/// down and up.
pub(super) fn effects(study: &TuningStudy, surface: &FittedSurface, centre: &Point) -> Table {
    let columns = vec![
        Column::plain("parameter", Content::Key),
        Column::plain("value", Content::Text),
        Column::new("best", "best alone", Content::Text),
        Column::new("range", "worst to best [95 %]", GAIN),
        Column::new("down", "a step down [95 %]", GAIN),
        Column::new("up", "a step up [95 %]", GAIN),
    ];
    let (space, gain) = (&study.search.space, study.search.gain());
    let rows = space.dimensions().iter().enumerate().map(|(i, one)| {
        let moved = |place: f64| space.with(centre, i, place);
        let levels = levels(one);
        let places: Vec<Vec<f64>> =
            levels.iter().map(|&place| moved(place).places().to_vec()).collect();
        let along = surface.along(&places, one.range.is_ordered());
        let (best, _, estimate, interval) = along.range();
        let interval = interval.map(|Interval { low, high }| Interval { low: low.max(0.0), high });
        let step = one.range.size().map_or(STEP, |n| STEP.max(1.0 / n as f64));
        let beside = |way: f64| {
            let place = centre.places()[i] + way * step;
            if !(0.0..=1.0).contains(&place) || !one.range.is_ordered() {
                return Cell::Nothing;
            }
            let found = surface.difference(moved(place).places(), centre.places());
            within(gain, found.estimate, found.interval(along.critical))
        };
        vec![
            Cell::text(one.name.clone()),
            Cell::text(centre.texts()[i].clone()),
            Cell::text(moved(levels[best]).texts()[i].clone()),
            within(gain, estimate, interval),
            beside(-1.0),
            beside(1.0),
        ]
    });
    let caption =
        format!("Effect of each parameter, with all others as in the chosen {}", noun(study));
    Table::new(EFFECTS, caption, columns).with(rows).noted(Note::new(
        "Estimates from a quadratic surface through all games of the search. The intervals account for shared chance \
         and are simultaneous along a parameter. If an interval begins at 0, no effect is shown, and the estimate is \
         too large. A step is an eighth of the range, at least one value",
    ))
}

/// Builds the table of interactions between parameters, the largest first.
pub(super) fn interactions(study: &TuningStudy, surface: &FittedSurface) -> Table {
    let columns = vec![
        Column::plain("parameter", Content::Key),
        Column::new("other", "and", Content::Key),
        Column::new("interaction", "interaction [95 % simultaneous]", GAIN),
    ];
    let names: Vec<&str> =
        study.search.space.dimensions().iter().map(|one| one.name.as_str()).collect();
    let (mut pairs, mut statements) = (Vec::new(), 0);
    for i in 0..names.len() {
        for j in i + 1..names.len() {
            let Some((largest, of)) = surface.interaction(i, j) else { continue };
            statements += of;
            pairs.push((names[i], names[j], surface.value(&largest), largest));
        }
    }
    pairs.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    let rows = pairs.iter().take(PAIRS).map(|(a, b, _, contrast)| {
        let (estimate, interval) = surface.contrast(contrast, statements);
        vec![Cell::text(*a), Cell::text(*b), within(study.search.gain(), estimate, interval)]
    });
    Table::new(INTERACTIONS, "Interactions of pairs of parameters, the largest first", columns).with(rows).noted(Note::new(
        "Interaction: the extra gain when both parameters are high (or both low) together; for words, that of the \
         pair with the largest. The intervals are simultaneous for all pairs",
    ))
}
