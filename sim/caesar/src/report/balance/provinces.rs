//! What provinces are worth, as tables and as a document.

use serde_json::{Value as Json, json};

use super::{Told, cell, value};
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use lab::balance::cards::{FALSE_DISCOVERIES, LEVEL};
use lab::balance::deal::Dealt;
use lab::balance::heard::Heard;
use lab::balance::provinces::{Line, Provinces};
use sim::catalogue::about;
use sim::stats::Convergence;

/// The tables for programs.
pub const TABLES: [&str; 4] = ["provinces", "confirmed", "deal", "sweeps"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 2] = ["tokens", "places"];

/// Rows of the table for people.
const SHOWN: usize = 20;
const SHARE: Content = Content::Estimate(Scale::Signed(3));

/// The tables.
#[must_use]
pub fn page(provinces: &Provinces, told: &Told) -> Page {
    let lines = provinces.lines(&told.heard);
    let mut tables = confirmed(provinces, told).into_iter().collect::<Vec<Table>>();
    tables.extend([tokens(&lines), places(provinces, &told.heard), all(provinces, told, &lines)]);
    tables.extend(deal(provinces, &told.heard));
    tables.extend(sweeps(provinces, &told.heard));
    Page { tables, footer: Vec::new() }
}

fn key(name: &str) -> Column {
    Column::plain(name, Content::Key)
}

fn is_found(line: &Line) -> bool {
    line.adjusted_p < FALSE_DISCOVERIES
}

/// How a line stands out: what is worth more than nothing, and what less.
fn mark(line: &Line, level: f64) -> Mark {
    match line.token.value > 0.0 {
        _ if line.adjusted_p >= level => Mark::Open,
        true => Mark::Winner,
        false => Mark::Caveat,
    }
}

/// Worth of a token, for people.
fn tokens(lines: &[Line]) -> Table {
    let columns = vec![
        key("province"),
        Column::new("season", "stage", Content::Key),
        Column::new("token", "a token [95 %]", SHARE),
        Column::new("city", "a city [95 %]", SHARE),
        Column::new("verdict", "candidate (10 %)", Content::Text),
    ];
    let mut sorted: Vec<&Line> = lines.iter().collect();
    sorted.sort_by(|a, b| b.token.value.total_cmp(&a.token.value));
    // A sort that keeps the order: what is decided, of either sign, stands first.
    sorted.sort_by_key(|line| !is_found(line));
    let row = |line: &&Line| {
        let verdict = if is_found(line) { "candidate" } else { "undecided" };
        let cells = vec![
            Cell::text(&line.name),
            Cell::Count(line.stage.into()),
            cell(Some(&line.token)),
            cell(line.city.as_ref()),
            Cell::text(verdict),
        ];
        Row { cells, mark: mark(line, FALSE_DISCOVERIES) }
    };
    let found = lines.iter().filter(|line| is_found(line)).count();
    let shown = lines.len().min(found.max(SHOWN));
    let caption = "Candidates of the screen: worth of one token and of a city that are given, in share of the points";
    let mut table = Table::new("tokens", caption, columns).only(Readers::People);
    table.rows = sorted.iter().take(shown).map(row).collect();
    table.noted(Note::new(format!(
        "{shown} of {n} rows are shown, all candidates among them; all are in the table provinces; {found} of {n} tokens are \
         candidates at a false discovery rate of 10 %; intervals are of 95 %, each by itself, so that one of a candidate can \
         hold 0; the largest of many are too large by chance",
        n = lines.len()
    )))
}

/// The tokens that were given once more.
fn confirmed(provinces: &Provinces, told: &Told) -> Option<Table> {
    let (experiment, again) = told.again.as_ref()?;
    let columns = vec![
        key("province"),
        Column::new("season", "stage", Content::Key),
        Column::new("token", "a token [95 %]", SHARE),
        Column::new("p", "p (Holm)", Content::PValue),
        Column::new("verdict", "verdict (Holm)", Content::Text),
        Column::plain("tiers", Content::Text),
    ];
    let row = |line: &Line| {
        let is_confirmed = line.adjusted_p < LEVEL;
        let cells = vec![
            Cell::text(&line.name),
            Cell::Count(line.stage.into()),
            cell(Some(&line.token)),
            Cell::Number(line.adjusted_p),
            Cell::text(if is_confirmed { "confirmed" } else { "undecided" }),
            line.convergence.map_or(Cell::Nothing, |c| Cell::text(c.words())),
        ];
        Row { cells, mark: mark(line, LEVEL) }
    };
    let mut table = Table::new(
        "confirmed",
        "Findings: the first candidates of the screen, on fresh seeds",
        columns,
    );
    table.rows = provinces.confirmed(experiment, again, &told.heard).iter().map(row).collect();
    Some(table.noted(Note::new(
        "verdicts are by Holm's p-values below 0.05 over these rows; intervals of 95 % are each by itself",
    )))
}

/// What the start deal decides.
fn deal(provinces: &Provinces, heard: &Heard) -> Option<Table> {
    let columns = vec![
        key("province"),
        Column::new("worth", "a token more at the start [95 %]", SHARE),
        Column::new("p", "p together", Content::PValue),
    ];
    let row = |dealt: Dealt| {
        let p = dealt.worth.p.map_or(Cell::Nothing, Cell::Number);
        vec![Cell::text(dealt.name), cell(Some(&dealt.worth)), p]
    };
    let rows: Vec<Vec<Cell>> = provinces.deal(heard).into_iter().map(row).collect();
    let caption =
        "What the start deal decides, in share of the points, in games in which nothing is done";
    (!rows.is_empty()).then(|| {
        Table::new("deal", caption, columns).with(rows).noted(Note::new(
            "a token there in place of one elsewhere; p-values by dealing the hands of every game to its seats anew hold \
             together: the smallest of them asks whether the deal matters at all",
        ))
    })
}

/// What places pay and how they are contested, for people.
fn places(provinces: &Provinces, heard: &Heard) -> Table {
    let columns = vec![
        key("province"),
        Column::plain("pays", Content::Text),
        Column::new("contest", "contest [95 %]", Content::Estimate(Scale::Fixed(2))),
        Column::new("swing", "swing [95 %]", Content::Estimate(Scale::Fixed(2))),
        Column::new("tokens", "tokens [95 %]", Content::Estimate(Scale::Fixed(2))),
        Column::new("fights", "fights [95 %]", Content::Estimate(Scale::Fixed(2))),
    ];
    let row = |name: &String| {
        let course = provinces.course(heard, name);
        let pays: Vec<String> = provinces.pays(name).iter().map(i64::to_string).collect();
        vec![
            Cell::text(name),
            Cell::text(pays.join("/")),
            cell(course.contest.as_ref()),
            cell(course.swing.as_ref()),
            cell(course.tokens.as_ref()),
            cell(course.fights.as_ref()),
        ]
    };
    Table::new("places", "How places are contested in games in which nothing is done", columns)
        .with(provinces.places.iter().map(row))
        .noted(Note::new(
            "contest: players with a token there and at most one less than the first, at the ends of stages; swing: how \
             often another seat leads at the end than when the last stage began, times what the first is paid; tokens: of \
             all players, at the end; fights: in a game",
        ))
        .only(Readers::People)
}

/// Everything, for programs.
fn all(provinces: &Provinces, told: &Told, lines: &[Line]) -> Table {
    let columns = vec![
        key("province"),
        Column::plain("season", Content::Key),
        Column::plain("token", SHARE),
        Column::new("p", "adjusted p", Content::PValue),
        Column::plain("city", SHARE),
        Column::plain("vp_per_talent", Content::Estimate(Scale::Signed(4))),
        Column::plain("contest", Content::Estimate(Scale::Fixed(3))),
        Column::plain("swing", Content::Estimate(Scale::Fixed(3))),
        Column::plain("tokens", Content::Estimate(Scale::Fixed(3))),
        Column::plain("fights", Content::Estimate(Scale::Fixed(3))),
        Column::plain("tiers", Content::Text),
    ];
    let row = |line: &Line| {
        let course = provinces.course(&told.heard, &line.name);
        vec![
            Cell::text(&line.name),
            Cell::Count(line.stage.into()),
            cell(Some(&line.token)),
            Cell::Number(line.adjusted_p),
            cell(line.city.as_ref()),
            cell(line.score_per_price.as_ref()),
            cell(course.contest.as_ref()),
            cell(course.swing.as_ref()),
            cell(course.tokens.as_ref()),
            cell(course.fights.as_ref()),
            line.convergence.map_or(Cell::Nothing, |c| Cell::text(c.words())),
        ]
    };
    Table::new("provinces", "Worth of every province", columns)
        .with(lines.iter().map(row))
        .only(Readers::Programs)
}

/// Who gains if a place pays more or less, if that was swept.
fn sweeps(provinces: &Provinces, heard: &Heard) -> Option<Table> {
    let swept = provinces.swept(heard);
    let columns = vec![
        key("province"),
        Column::new("pays", "paid to", Content::Text),
        Column::plain("change", Content::Number(Scale::Signed(0))),
        Column::new("agent", "whose share", Content::Text),
        Column::new("gain", "gain [95 %]", SHARE),
        Column::new("tokens", "tokens [95 %]", Content::Estimate(Scale::Signed(2))),
    ];
    let rows: Vec<Vec<Cell>> = swept
        .iter()
        .flat_map(|one| {
            one.gains.iter().map(|(agent, gain)| {
                vec![
                    Cell::text(&one.name),
                    Cell::text(one.sweep),
                    Cell::Number(one.step as f64),
                    Cell::text(agent),
                    cell(Some(gain)),
                    cell(one.tokens.as_ref()),
                ]
            })
        })
        .collect();
    let caption = "Who gains, and how many tokens come, if a place pays more or less";
    (!rows.is_empty()).then(|| Table::new("sweeps", caption, columns).with(rows))
}

/// The document.
#[must_use]
pub fn json(provinces: &Provinces, told: &Told) -> Json {
    let provenance = about(&provinces.asked.setup.game).map(|about| about.provenance.to_string());
    let provenance = provenance.ok();
    let entry = |line: &Line| {
        let course = provinces.course(&told.heard, &line.name);
        json!({
            "province": line.name,
            "season": line.stage,
            "token": line.token.json(),
            "p": line.adjusted_p,
            "decided": is_found(line),
            "city": value(line.city.as_ref()),
            "vp_per_talent": value(line.score_per_price.as_ref()),
            "contest": value(course.contest.as_ref()),
            "swing": value(course.swing.as_ref()),
            "tokens": value(course.tokens.as_ref()),
            "fights": value(course.fights.as_ref()),
            "pays": provinces.pays(&line.name),
            "converged": line.convergence.map(|c| c == Convergence::Converged),
            "tiers": line.convergence.map(Convergence::words),
            "provenance": provenance,
        })
    };
    let swept: Vec<Json> = provinces
        .swept(&told.heard)
        .iter()
        .map(|one| {
            let gains = one.gains.iter();
            let gains = gains.map(|(agent, gain)| json!({ "agent": agent, "gain": gain.json() }));
            json!({
                "province": one.name,
                "sweep": one.sweep,
                "change": one.step,
                "gains": gains.collect::<Vec<_>>(),
                "tokens": value(one.tokens.as_ref()),
            })
        })
        .collect();
    let lines = provinces.lines(&told.heard);
    let dealt = provinces.deal(&told.heard);
    let dealt = dealt
        .iter()
        .map(|one| json!({ "province": one.name, "worth": one.worth.json(), "p": one.worth.p }));
    json!({
        "provinces": lines.iter().map(entry).collect::<Vec<_>>(),
        "confirmed": confirmed_json(provinces, told),
        "deal": dealt.collect::<Vec<_>>(),
        "sweeps": swept,
    })
}

/// The document of what was given once more.
fn confirmed_json(provinces: &Provinces, told: &Told) -> Vec<Json> {
    let Some((experiment, again)) = &told.again else { return Vec::new() };
    let one = |line: &Line| {
        json!({
            "province": line.name,
            "season": line.stage,
            "token": line.token.json(),
            "p": line.adjusted_p,
            "decided": line.adjusted_p < LEVEL,
            "converged": line.convergence.map(|c| c == Convergence::Converged),
            "tiers": line.convergence.map(Convergence::words),
        })
    };
    provinces.confirmed(experiment, again, &told.heard).iter().map(one).collect()
}
