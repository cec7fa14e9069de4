//! Table of the accuracy of search leaves as predictors of the result.

use super::table::{Cell, Column, Content, Note, Scale, Table};
use lab::diagnose::estimate::Estimate;
use lab::diagnose::leaves::LeafCalibration;
use sim::units;

/// Digits of correlations and spreads.
const DIGITS: usize = 4;
/// Digits of slopes.
const OF_SLOPES: usize = 3;

/// Builds the table with a row for each agent and section, or all sections. Each option has `looks` playouts by this
/// agent.
#[must_use]
pub fn table<'a>(
    name: &'static str,
    rows: impl Iterator<Item = (&'a str, Option<&'a str>, LeafCalibration)>,
    looks: u32,
    by: &str,
) -> Table {
    let columns = vec![
        Column::plain("agent", Content::Key),
        Column::new("section", "decided in", Content::Key),
        Column::plain("positions", Content::Number(Scale::Count)),
        Column::new("slope", "slope [95 %]", Content::Estimate(Scale::Fixed(OF_SLOPES))),
        Column::new("correlation", "correlation", Content::Estimate(Scale::Fixed(DIGITS))),
        Column::new("spread", "spread of estimates", Content::Number(Scale::Fixed(DIGITS))),
    ];
    let rows = rows.map(|(agent, section, calibration)| {
        vec![
            Cell::text(agent),
            Cell::text(section.unwrap_or("all")),
            Cell::Count(calibration.positions as u64),
            cell(calibration.slope),
            cell(calibration.correlation),
            Cell::Number(calibration.spread),
        ]
    });
    let about = format!(
        "{} at the leaves of each option, each played to the end by {by}. Over the options of a position, without \
         noise: slope: result per unit of estimated difference, 1 if estimates are calibrated; correlation: 1 if \
         estimates are perfect; spread of estimates: their standard deviation",
        units::counted(looks.into(), "look"),
    );
    Table::new(name, "Leaf evaluations against results of games", columns)
        .with(rows)
        .noted(Note::new(about))
}

fn cell(estimate: Option<Estimate>) -> Cell {
    estimate.map_or(Cell::Nothing, |it| Cell::Estimate(it.value, it.interval))
}
