//! Table and document of the rows that were repeated with a stronger agent.

use serde_json::{Value as Json, json};

use super::cell;
use crate::report::table::{Cell, Column, Content, Listing, Mark, Note, Scale, Table};
use lab::balance::cards::NO_STATEMENT;
use lab::balance::strong::{Again, Holds};
use sim::stats::Interval;
use sim::units;

/// The name of the table.
pub const TABLE: &str = "strong";

/// Rows that were repeated, and the agent.
#[derive(Clone, Debug)]
pub struct Strong {
    /// The agent of the study.
    pub weak: String,
    /// The stronger agent.
    pub agent: String,
    /// Blocks of the stronger agent.
    pub blocks: u64,
    /// The estimate in words, as in `worth less the price`.
    pub what: &'static str,
    /// The rows.
    pub rows: Vec<Again>,
}

/// Returns the table: which verdicts hold.
#[must_use]
pub fn table(strong: &Strong) -> Table {
    let Strong { weak, agent, blocks, what, rows } = strong;
    let share = Content::Estimate(Scale::Signed(3));
    let held = rows.iter().filter(|row| row.holds() == Holds::Yes).count();
    Listing::of(rows)
        .column(Column::plain("name", Content::Key), |row| Cell::text(&row.weak.item.0))
        .column(Column::plain("stage", Content::Key), |row| Cell::Count(row.weak.item.1.into()))
        .column(Column::new("weak", format!("{weak} [95 %]"), share), |row| {
            cell(Some(&row.weak.estimate))
        })
        .column(Column::new("strong", format!("{agent} [95 %]"), share), |row| {
            cell(Some(&row.strong.estimate))
        })
        .column(Column::new("p", "adjusted p", Content::PValue), |row| {
            Cell::Number(row.adjusted_p)
        })
        .column(Column::plain("verdict", Content::Text), |row| Cell::Name {
            shown: shown(row),
            name: word(row).to_owned(),
        })
        .marked(|row| match row.holds() {
            Holds::Yes => Mark::Winner,
            Holds::Reversed => Mark::Caveat,
            Holds::Undecided | Holds::NoStatement => Mark::Open,
        })
        .table(TABLE, format!("First rows repeated with {agent}: {what}"))
        .noted(Note::new(format!(
            "{held} of {} rows hold for {agent} ({} of fresh seeds; p-values adjusted by Holm's method). All other \
             tables are about {weak}",
            rows.len(),
            units::counted(*blocks, "block")
        )))
}

fn word(row: &Again) -> &'static str {
    match row.holds() {
        Holds::Yes => "holds",
        Holds::Reversed => "reversed",
        Holds::Undecided => "undecided",
        Holds::NoStatement => NO_STATEMENT,
    }
}

/// Returns the verdict for people. An undecided one names the largest possible size.
fn shown(row: &Again) -> String {
    match (row.holds(), row.strong.estimate.interval) {
        (Holds::Undecided, Some(Interval { low, high })) => {
            format!("undecided: at most ±{}", units::fixed(low.abs().max(high.abs()), 3))
        }
        _ => word(row).to_owned(),
    }
}

/// Returns the document.
#[must_use]
pub fn json(strong: &Strong) -> Json {
    let row = |row: &Again| {
        json!({
            "name": row.weak.item.0,
            "stage": row.weak.item.1,
            "weak": row.weak.estimate.json(),
            "strong": row.strong.estimate.json(),
            "p": row.adjusted_p,
            "verdict": word(row),
        })
    };
    json!({
        "agent": strong.agent,
        "blocks": strong.blocks,
        "rows": strong.rows.iter().map(row).collect::<Vec<_>>(),
    })
}
