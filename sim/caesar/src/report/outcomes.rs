//! Tables of agents' results: wins, draws and losses, shares by seat, and finishing order in pairs.

use super::names::Names;
use super::table::{Cell, Column, Content, Level, Note, Readers, Scale, Table};
use sim::stats::Standings;
use sim::stats::cross_table::Pair;
use sim::stats::wins::{Rate, Record};
use sim::units;

/// The name of the table of wins, draws and losses.
pub const OUTCOMES: &str = "outcomes";
/// The name of the table of shares by seat.
pub const BY_SEAT: &str = "by-seat";
/// The name of the table of pairs.
pub const HEAD_TO_HEAD: &str = "head-to-head";

/// Returns the agents with the records of their games, in the order of the standings.
fn records(standings: &Standings) -> impl Iterator<Item = (String, u64, Record)> + use<'_> {
    let lines = standings.table().into_iter();
    lines.filter_map(|line| Some((line.name.clone(), line.games, standings.record(&line.name)?)))
}

/// Builds the table of wins, draws and losses of each agent.
#[must_use]
pub fn outcomes(standings: &Standings, names: &Names, level: Level) -> Table {
    let mut columns = vec![
        Column::plain("agent", Content::Key),
        Column::plain("games", Content::Number(Scale::Count)),
    ];
    for ending in ["wins", "draws", "losses"] {
        columns.push(Column::plain(ending, Content::Number(Scale::Count)));
    }
    columns.extend(level.columns("win_rate", "wins a game", Scale::SHARE));
    for key in ["draw_rate", "loss_rate"] {
        let both = level.columns(key, &key.replace('_', " "), Scale::SHARE);
        columns.extend(both.map(|column| column.only(Readers::Programs)));
    }
    let row = |(name, games, record): (String, u64, Record)| {
        let counts = record.endings.map(|rate| Cell::Count(rate.count));
        let rates = record.endings.iter().flat_map(estimates);
        [names.cell(&name), Cell::Count(games)].into_iter().chain(counts).chain(rates).collect()
    };
    Table::new(OUTCOMES, "Wins, draws and losses, with 95 % intervals by block", columns)
        .with(records(standings).map(row))
        .noted(Note::new(format!(
            "win: most points alone; draw: most points shared; games are counted for each seat held; {} 95 % \
             intervals",
            level.words()
        )))
}

/// Returns the share of each agent in each seat.
#[must_use]
pub fn by_seat(standings: &Standings, names: &Names, level: Level) -> Table {
    let [share, together] = level.columns("share", "share", Scale::SHARE);
    let columns = vec![
        Column::plain("agent", Content::Key),
        Column::plain("seat", Content::Key),
        Column::plain("blocks", Content::Number(Scale::Count)),
        Column::plain("games", Content::Number(Scale::Count)),
        share,
        together,
        Column::plain("interval", Content::Text).only(Readers::Programs),
    ];
    let rows = records(standings).flat_map(|(name, _, record)| {
        let held =
            record.seats.into_iter().enumerate().filter_map(|(seat, rate)| Some((seat, rate?)));
        held.map(|(seat, rate)| {
            let shown = units::ordinal(seat + 1);
            let [alone, together] = estimates(&rate);
            vec![
                names.cell(&name),
                Cell::Name { shown, name: seat.to_string() },
                Cell::Count(rate.blocks),
                Cell::Count(rate.count),
                alone,
                together,
                Cell::text(rate.method.name()),
            ]
        })
        .collect::<Vec<_>>()
    });
    Table::new(BY_SEAT, "Shares of points by seat, with 95 % intervals by block", columns)
        .with(rows)
        .noted(Note::new(match level {
            Level::Alone => "individual 95 % intervals: of many, one in twenty misses",
            Level::Together => "simultaneous 95 % intervals over all seats of all agents",
        }))
}

/// Returns a rate with its interval by itself, and with the one that holds together with others.
fn estimates(rate: &Rate) -> [Cell; 2] {
    [rate.interval, rate.together].map(|interval| Cell::Estimate(rate.mean, Some(interval)))
}

/// Builds the table of finishing order in pairs. `specs` are the names of the agents that `pairs` numbers.
#[must_use]
pub fn head_to_head(pairs: &[Pair], specs: &[String], names: &Names, level: Level) -> Table {
    let [share, together] = level.columns("share", "share", Scale::SHARE);
    let programs = |key, content| Column::plain(key, content).only(Readers::Programs);
    let count = |key| Column::plain(key, Content::Number(Scale::Count));
    let columns = vec![
        Column::plain("agent", Content::Key),
        Column::plain("other", Content::Key),
        programs("blocks", Content::Number(Scale::Count)),
        programs("meetings", Content::Number(Scale::Count)),
        count("before"),
        count("level"),
        count("behind"),
        share,
        together,
        programs("superiority", Content::Number(Scale::Confidence)),
        Column::new("adjusted_p", "p (Holm)", Content::PValue),
        programs("interval", Content::Text),
    ];
    let row = |pair: &Pair| {
        vec![
            names.cell(&specs[pair.a]),
            names.cell(&specs[pair.b]),
            Cell::Count(pair.blocks),
            Cell::Count(pair.meetings),
            Cell::Count(pair.before),
            Cell::Count(pair.level),
            Cell::Count(pair.behind()),
            Cell::Estimate(pair.share, Some(pair.interval)),
            Cell::Estimate(pair.share, Some(pair.together)),
            pair.superiority.map_or(Cell::Nothing, Cell::Number),
            pair.adjusted_p.map_or(Cell::Nothing, Cell::Number),
            Cell::text(pair.method.name()),
        ]
    };
    let caption = "Meetings in which the first agent finished ahead of the second, level with it, or behind it";
    Table::new(HEAD_TO_HEAD, caption, columns).with(pairs.iter().map(row)).noted(Note::new(format!(
        "share of meetings in which the first finishes ahead of the second, ties half; {} 95 % intervals by block; p \
         is adjusted by Holm's method over all pairs",
        level.words()
    )))
}
