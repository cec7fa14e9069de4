//! Page and documents of a win-probability model's accuracy on held-out games.

use serde_json::{Map, Value as Json, json};

use super::table::{Cell, Column, Content, Mark, Note, Page, Readers, Scale, Table};
use lab::balance::estimate::Estimate;
use lab::dynamics::findings::Judged;
use lab::dynamics::treated::{GiftEffect, Treated};
use sim::stats::calibration::{BINS, Calibration, Figure};
use sim::units;
use sim::win_model::Audit;
use sim::win_model::audit::{MOST_ERROR, VARIATION};
use sim::win_model::surrogate::SLOPE;

/// The names of the tables.
pub const TABLES: [&str; 4] = ["model", "reliability", "model-stages", "treated"];

/// Returns a figure as a cell, with an interval if it exists.
#[must_use]
pub fn cell(figure: Option<Figure>) -> Cell {
    figure.map_or(Cell::Nothing, |figure| Cell::Estimate(figure.estimate, figure.interval))
}

/// Returns a figure in words for people. An error estimated as the part above its noise is cut at 0 and is no
/// measurement there: only its upper limit is known.
fn shown(figure: Option<Figure>) -> Cell {
    let of = |figure: Figure| match (figure.estimate, figure.interval) {
        (estimate, Some(at)) if estimate <= 0.0 && at.low >= 0.0 => {
            Cell::text(format!("below {}", units::share(at.high)))
        }
        _ => {
            let column = Column::plain("", Content::Estimate(Scale::SHARE));
            Cell::text(column.shown(&cell(Some(figure))))
        }
    };
    figure.map_or(Cell::Nothing, of)
}

/// Returns the tables of a model, the one over all games first.
#[must_use]
pub fn tables(judged: &Judged) -> Vec<Table> {
    let mut all =
        vec![whole(judged), at_ends(&judged.audit.whole).detail(), stages(&judged.audit).detail()];
    all.extend(judged.treated.as_ref().map(|gifts| treated(gifts).detail()));
    all
}

/// Returns the page of `balance win-model`.
#[must_use]
pub fn page(judged: &Judged) -> Page {
    Page { tables: tables(judged), footer: Vec::new() }
}

/// Returns the figures of a model, each with its aim.
fn figures(judged: &Judged) -> Vec<(&'static str, Option<Figure>, String)> {
    let Judged { model, audit, treated, saving } = judged;
    let ([low, high], [least, most]) = (VARIATION, SLOPE);
    let at_most = || format!("at most {}", units::share(MOST_ERROR));
    let even = units::share((model.subject.players as f64).ln());
    let saving = saving.map(|saving| saving.relative_efficiency);
    let mut all = vec![
        ("expected calibration error", audit.whole.expected_error(), at_most()),
        ("quadratic variation ratio", audit.variation(), format!("{low} to {high}")),
        ("Brier skill", audit.whole.brier_skill(), "above 0".to_owned()),
        ("log loss", audit.whole.log_loss(), format!("below {even}")),
        ("control variate: relative efficiency", saving, "above 1".to_owned()),
    ];
    if let Some(treated) = treated {
        let error = treated.calibration.expected_error();
        let slope = format!("{least} to {most}");
        all.push(("expected calibration error in treated games", error, at_most()));
        all.push(("slope of results on chances over gifts", treated.slope, slope));
    }
    all
}

fn whole(judged: &Judged) -> Table {
    let Judged { model, audit, treated, .. } = judged;
    let columns = vec![
        Column::plain("figure", Content::Key),
        Column::new("shown", "value [95 %]", Content::Text).only(Readers::People),
        Column::plain("value", Content::Estimate(Scale::SHARE)).only(Readers::Programs),
        Column::plain("aim", Content::Text),
    ];
    let row =
        |(name, figure, aim)| vec![Cell::text(name), shown(figure), cell(figure), Cell::text(aim)];
    let subject = &model.subject;
    let caption = format!(
        "Win probability in {} with {} players, {} in all seats",
        subject.game, subject.players, subject.agent
    );
    let rows = figures(judged).into_iter().map(row);
    let mut table = Table::new(TABLES[0], caption, columns).with(rows);
    table.notes.push(Note::new(format!(
        "fitted to {}, validated on {} others; individual 95 % intervals by game",
        units::counted(model.games, "game"),
        units::count(audit.games())
    )));
    table.notes.push(verdict(judged));
    table.notes.extend(treated.as_ref().map(|treated| Note::new(treated.verdict())));
    table
}

fn verdict(judged: &Judged) -> Note {
    match (judged.refusal(), judged.dynamics_refusal()) {
        (Some(why), _) => Note::new(format!("do not use: {why}")).marked(Mark::Caveat),
        (None, Some(why)) => {
            Note::new(format!("not for lead-change figures: {why}")).marked(Mark::Caveat)
        }
        (None, None) => {
            Note::new("validated: probabilities are calibrated and move as a martingale")
        }
    }
}

fn at_ends(calibration: &Calibration) -> Table {
    let caption = "Calibration: win probability at the ends of rounds, and points won";
    reliability(TABLES[1], caption, calibration)
}

/// Builds the table of a calibration: by tenths of the chance, the mean chance and the observed share.
pub(super) fn reliability(name: &'static str, caption: &str, calibration: &Calibration) -> Table {
    let columns = vec![
        Column::plain("chance", Content::Key),
        Column::new("n", "seats", Content::Number(Scale::Count)),
        Column::new("mean_chance", "mean chance", Content::Number(Scale::SHARE)),
        Column::new("won", "won [95 %]", Content::Estimate(Scale::SHARE)),
    ];
    let width = 1.0 / BINS as f64;
    let rows = calibration.bins().into_iter().map(|bin| {
        let from =
            format!("{} to {}", units::fixed(bin.from, 1), units::fixed(bin.from + width, 1));
        let n = Cell::Count(bin.n as u64);
        vec![Cell::text(from), n, Cell::Number(bin.forecast), cell(Some(bin.outcome))]
    });
    Table::new(name, caption, columns).with(rows)
}

fn stages(audit: &Audit) -> Table {
    let columns = vec![
        Column::plain("stage", Content::Key),
        Column::new("n", "looks", Content::Number(Scale::Count)),
        Column::new("shown", "calibration error [95 %]", Content::Text).only(Readers::People),
        Column::plain("error", Content::Estimate(Scale::SHARE)).only(Readers::Programs),
        Column::new("brier_skill", "Brier skill [95 %]", Content::Estimate(Scale::Fixed(3))),
    ];
    let rows = audit.stages.iter().enumerate().filter(|(_, stage)| stage.looks() > 0);
    let rows = rows.map(|(at, stage)| {
        vec![
            Cell::text((at + 1).to_string()),
            Cell::Count(stage.looks()),
            shown(stage.expected_error()),
            cell(stage.expected_error()),
            cell(stage.brier_skill()),
        ]
    });
    Table::new(TABLES[2], "By stage of the game", columns).with(rows)
}

/// Builds the table of gifts: predicted chances and observed results.
fn treated(treated: &Treated) -> Table {
    let share = |key: &str, title: &str| {
        Column::new(key, format!("{title} [95 %]"), Content::Estimate(Scale::Signed(3)))
    };
    let columns = vec![
        Column::plain("given", Content::Key),
        share("chance", "chance"),
        share("result", "result"),
        Column::new("n", "blocks", Content::Number(Scale::Count)),
    ];
    let estimate = |e: &Estimate| Cell::Estimate(e.value, e.interval);
    let row = |line: &GiftEffect| {
        let n = Cell::Count(line.result.n);
        vec![Cell::text(line.name.as_str()), estimate(&line.chance), estimate(&line.result), n]
    };
    let caption = "Treated games: win probability of the treated seat one round later, and its result, minus equal \
    shares";
    Table::new(TABLES[3], caption, columns).with(treated.lines.iter().map(row)).noted(Note::new(
        "Each gift goes to every seat in turn. Bans are not part of a position, so probabilities cannot replace \
         results of bans",
    ))
}

/// Returns a table as an array of its rows, each an object by the keys of the columns; an estimate is an object, and a
/// bound that does not exist is null.
#[must_use]
pub fn rows(table: &Table) -> Json {
    let value = |cell: &Cell| match cell {
        Cell::Nothing => Json::Null,
        Cell::Text(text) | Cell::Name { name: text, .. } => json!(text),
        Cell::Count(n) => json!(n),
        Cell::Number(x) => json!(x),
        Cell::Flag(is_so) => json!(is_so),
        Cell::Estimate(x, at) => json!({
            "estimate": x,
            "low": at.map(|at| at.low),
            "high": at.map(|at| at.high),
        }),
    };
    let row = |cells: &[Cell]| {
        let entries = table.columns.iter().zip(cells);
        let entries = entries.filter(|(column, _)| column.readers.include(true));
        Json::Object(entries.map(|(column, cell)| (column.key.clone(), value(cell))).collect())
    };
    table.rows.iter().map(|r| row(&r.cells)).collect()
}

/// Returns all tables as a document: `facts` first, then the rows of each under its name.
#[must_use]
pub fn document(facts: Map<String, Json>, tables: &[Table]) -> Json {
    let named = tables.iter().map(|table| (table.name.replace('-', "_"), rows(table)));
    Json::Object(facts.into_iter().chain(named).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::stats::Interval;

    #[test]
    fn an_error_that_is_cut_off_at_nothing_is_told_as_below_its_upper_end() {
        let figure =
            |estimate, low, high| Some(Figure { estimate, interval: Some(Interval { low, high }) });
        assert_eq!(shown(figure(0.0, 0.0, 0.006)), Cell::text("below 0.0060"));
        assert_eq!(shown(figure(0.0128, 0.0, 0.02)), Cell::text("0.013 [0.000, 0.020]"));
        // A skill may be below 0 and is measured there.
        assert_eq!(shown(figure(-0.1, -0.2, 0.1)), Cell::text("-0.10 [-0.20, 0.10]"));
        assert_eq!(shown(None), Cell::Nothing);
    }
}
