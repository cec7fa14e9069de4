//! What cards are worth, as tables and as a document.

use serde_json::{Value as Json, json};

use super::{Told, cell, value};
use crate::balance::cards::{Cards, FALSE_DISCOVERIES, Item, LEVEL, Line};
use crate::balance::estimate::Estimate;
use crate::balance::heard::Heard;
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use crate::stats::{Convergence, Interval, Region};
use crate::units;

/// The tables for programs.
pub const TABLES: [&str; 4] = ["cards", "confirmed", "units", "demand"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 3] = ["first", "taken", "banned"];

/// Rows of the table for people.
const SHOWN: usize = 20;
const SHARE: Content = Content::Estimate(Scale::Signed(3));
const PRICE: Content = Content::Estimate(Scale::Fixed(0));
const COUNT: Content = Content::Number(Scale::Count);

/// The tables.
#[must_use]
pub fn page(cards: &Cards, told: &Told) -> Page {
    let screen = cards.screen(&told.heard);
    let mut tables = vec![first(&screen), all(cards, &told.heard, &screen)];
    tables.extend(confirmed(cards, told));
    tables.extend([units_of(cards, &told.heard), taken(cards, &told.heard)]);
    tables.extend(bans(cards, &told.heard));
    tables.extend(demand(cards, &told.heard));
    Page { tables, footer: Vec::new() }
}

fn key(name: &str) -> Column {
    Column::plain(name, Content::Key)
}

/// The fair price for people, in words where it has no bounds.
fn fair(line: &Line) -> String {
    let round = |x: f64| units::fixed(x, 0);
    match (line.fair, line.region()) {
        (Some(fair), Region::Within(Interval { low, high })) => {
            format!("{} [{}, {}]", round(fair.estimate), round(low), round(high))
        }
        (Some(_), Region::Outside(gap)) => {
            format!("unbounded, not {} to {}", round(gap.low), round(gap.high))
        }
        _ => "unbounded".to_owned(),
    }
}

/// The lines that are least like their price, for people.
fn first(screen: &[Line]) -> Table {
    let columns = vec![
        key("card"),
        Column::new("season", "stage", Content::Key),
        Column::new("value", "value [95 %]", SHARE),
        Column::new("printed_price", "price", COUNT),
        Column::new("fair_price", "fair price [95 %]", Content::Text),
        Column::plain("screen", Content::Text),
    ];
    let mut lines: Vec<&Line> = screen.iter().collect();
    lines.sort_by(|a, b| a.surplus.p.unwrap_or(1.0).total_cmp(&b.surplus.p.unwrap_or(1.0)));
    let row = |line: &&Line| {
        let verdict = line.verdict(FALSE_DISCOVERIES);
        let cells = vec![
            Cell::text(&line.name),
            Cell::Count(line.stage.into()),
            cell(Some(&line.value)),
            Cell::Count(line.printed.max(0) as u64),
            Cell::text(fair(line)),
            Cell::text(verdict),
        ];
        Row { cells, mark: if verdict == "undecided" { Mark::Open } else { Mark::Winner } }
    };
    let found = screen.iter().filter(|line| line.adjusted_p < FALSE_DISCOVERIES).count();
    let caption = format!(
        "Worth of a card that is given, in share of the points: the {} of {} least like their price",
        lines.len().min(SHOWN),
        lines.len()
    );
    let mut table = Table::new("first", caption, columns).only(Readers::People);
    table.rows = lines.iter().take(SHOWN).map(row).collect();
    table.noted(Note::new(format!(
        "{found} of {} found at a false discovery rate of 10 %; the others are undecided, which is not the same as fair",
        screen.len()
    )))
}

/// All lines, for programs.
fn all(cards: &Cards, heard: &Heard, screen: &[Line]) -> Table {
    let mut columns = line_columns();
    columns.extend([
        Column::plain("pick_rate", Content::Estimate(Scale::SHARE)),
        Column::plain("association", SHARE),
        Column::plain("ban", SHARE),
    ]);
    let row = |line: &Line| {
        let mut cells = line_cells(line, FALSE_DISCOVERIES);
        let (picked, owners) = cards.taken(heard, &line.name, line.stage);
        let ban = banned(cards, heard, line);
        cells.extend([cell(picked.as_ref()), cell(owners.as_ref()), cell(ban.as_ref())]);
        cells
    };
    Table::new("cards", "Worth of every card that is given", columns)
        .with(screen.iter().map(row))
        .only(Readers::Programs)
}

/// What a ban of the stage of a line costs, or else one of the whole game.
fn banned(cards: &Cards, heard: &Heard, line: &Line) -> Option<Estimate> {
    cards.ban(heard, &line.name, Some(line.stage)).or_else(|| cards.ban(heard, &line.name, None))
}

fn line_columns() -> Vec<Column> {
    vec![
        key("card"),
        Column::plain("season", Content::Key),
        Column::plain("value", SHARE),
        Column::plain("score", Content::Estimate(Scale::Signed(2))),
        Column::plain("printed_price", COUNT),
        Column::plain("fair_price", PRICE),
        Column::plain("surplus", SHARE),
        Column::new("p", "adjusted p", Content::PValue),
        Column::plain("verdict", Content::Text),
        Column::plain("tiers", Content::Text),
    ]
}

fn line_cells(line: &Line, level: f64) -> Vec<Cell> {
    let fair =
        line.fair.map_or(Cell::Nothing, |fair| Cell::Estimate(fair.estimate, line.fair_interval()));
    vec![
        Cell::text(&line.name),
        Cell::Count(line.stage.into()),
        cell(Some(&line.value)),
        cell(line.score.as_ref()),
        Cell::Count(line.printed.max(0) as u64),
        fair,
        cell(Some(&line.surplus)),
        Cell::Number(line.adjusted_p),
        Cell::text(line.verdict(level)),
        line.convergence.map_or(Cell::Nothing, |c| Cell::text(c.words())),
    ]
}

/// What was played once more.
fn confirmed(cards: &Cards, told: &Told) -> Option<Table> {
    let (experiment, again) = told.again.as_ref()?;
    let lines = cards.confirmed(experiment, again, &told.heard);
    let columns = vec![
        key("card"),
        Column::new("season", "stage", Content::Key),
        Column::new("value", "value [95 %]", SHARE),
        Column::new("printed_price", "price", COUNT),
        Column::new("fair", "fair price [95 %]", Content::Text).only(Readers::People),
        Column::plain("fair_price", PRICE).only(Readers::Programs),
        Column::plain("surplus", SHARE).only(Readers::Programs),
        Column::new("p", "p (Holm)", Content::PValue).only(Readers::Programs),
        Column::plain("verdict", Content::Text),
        Column::plain("tiers", Content::Text).only(Readers::Programs),
    ];
    let row = |line: &Line| {
        let mut cells = line_cells(line, LEVEL);
        cells.remove(3);
        cells.insert(4, Cell::text(fair(line)));
        cells
    };
    let table = Table::new("confirmed", "The first of them on fresh seeds", columns);
    Some(table.with(lines.iter().map(row)).noted(Note::new(
        "verdicts by Holm's p-values below 0.05; worths of actions and money measured anew",
    )))
}

/// Worth of an action and of money.
fn units_of(cards: &Cards, heard: &Heard) -> Table {
    let unit = cards.asked.facts.market.map_or("", |market| market.unit);
    let columns = vec![
        Column::new("season", "stage", Content::Key),
        Column::new("action", "an action [95 %]", SHARE),
        Column::new("talent", format!("{unit}, each [95 %]"), Content::Estimate(Scale::Signed(5))),
    ];
    let rows = cards.units(heard).into_iter().map(|(stage, action, money)| {
        vec![Cell::text(stage.to_string()), cell(Some(&action)), cell(Some(&money))]
    });
    Table::new("units", "Worth of an action and of money, in share of the points", columns)
        .with(rows)
}

/// Bans, picks and the association, for people.
fn taken(cards: &Cards, heard: &Heard) -> Table {
    let columns = vec![
        key("card"),
        Column::new("ban", "banned for one [95 %]", SHARE),
        Column::new("pick_rate", "taken", Content::Number(Scale::Fixed(2))),
        Column::new("association", "association [95 %]", SHARE),
    ];
    let row = |name: &String| {
        let (picked, owners) = cards.taken(heard, name, 0);
        vec![
            Cell::text(name),
            cell(cards.ban(heard, name, None).as_ref()),
            picked.map_or(Cell::Nothing, |picked| Cell::Number(picked.value)),
            cell(owners.as_ref()),
        ]
    };
    Table::new(
        "taken",
        "What it costs one seat that it cannot take a card, and who takes it",
        columns,
    )
    .with(cards.things.iter().map(row))
    .noted(Note::new("association: the share of those who took it, less an equal share; no cause"))
    .only(Readers::People)
}

/// Bans stage by stage, those that cost most, if they were played.
fn bans(cards: &Cards, heard: &Heard) -> Option<Table> {
    let ban =
        |(name, stage): &Item| Some((name.clone(), *stage, cards.ban(heard, name, Some(*stage))?));
    let mut all: Vec<(String, u8, Estimate)> = cards.items.iter().filter_map(ban).collect();
    all.sort_by(|a, b| a.2.value.total_cmp(&b.2.value));
    let columns = vec![
        key("card"),
        Column::new("season", "stage", Content::Key),
        Column::new("ban", "banned for one [95 %]", SHARE),
    ];
    let caption = format!(
        "What it costs one seat that it cannot take a card in one stage: the {} largest of {}",
        all.len().min(SHOWN),
        all.len()
    );
    let rows = all.iter().take(SHOWN).map(|(name, stage, ban)| {
        vec![Cell::text(name), Cell::Count((*stage).into()), cell(Some(ban))]
    });
    let table = || Table::new("banned", caption, columns).with(rows).only(Readers::People);
    (!all.is_empty()).then(|| {
        table().noted(Note::new(
            "intervals each by itself: the largest of many are too large by chance",
        ))
    })
}

/// Demand by price, if it was swept.
fn demand(cards: &Cards, heard: &Heard) -> Option<Table> {
    let columns = vec![
        key("card"),
        Column::plain("price", COUNT),
        Column::new("pick_rate", "taken [95 %]", Content::Estimate(Scale::Fixed(3))),
    ];
    let rows: Vec<Vec<Cell>> = cards
        .things
        .iter()
        .flat_map(|name| {
            cards.demand(heard, name).into_iter().map(move |(price, picked)| {
                vec![Cell::text(name), Cell::Count(price.max(0) as u64), cell(Some(&picked))]
            })
        })
        .collect();
    let table =
        || Table::new("demand", "In which part of the games it is taken, by price", columns);
    (!rows.is_empty()).then(|| table().with(rows))
}

/// The document.
#[must_use]
pub fn json(cards: &Cards, told: &Told) -> Json {
    let screen = cards.screen(&told.heard);
    let lines: Vec<Json> = screen
        .iter()
        .map(|line| {
            let (picked, owners) = cards.taken(&told.heard, &line.name, line.stage);
            let mut json = entry(line, FALSE_DISCOVERIES);
            json["pick_rate"] = value(picked.as_ref());
            json["association"] = value(owners.as_ref());
            json["ban"] = value(banned(cards, &told.heard, line).as_ref());
            json
        })
        .collect();
    let again = told.again.as_ref();
    let confirmed: Vec<Json> = again.map_or_else(Vec::new, |(experiment, again)| {
        let lines = cards.confirmed(experiment, again, &told.heard);
        lines.iter().map(|line| entry(line, LEVEL)).collect()
    });
    let units = cards.units(&told.heard);
    let demand = cards.things.iter().flat_map(|name| {
        cards.demand(&told.heard, name).into_iter().map(move |(price, picked)| {
            json!({ "card": name, "price": price, "pick_rate": picked.json() })
        })
    });
    json!({
        "cards": lines,
        "confirmed": confirmed,
        "talent": units.iter().map(|(.., money)| money.json()).collect::<Vec<_>>(),
        "action": units.iter().map(|(_, action, _)| action.json()).collect::<Vec<_>>(),
        "seasons": cards.asked.stages,
        "demand": demand.collect::<Vec<_>>(),
    })
}

fn entry(line: &Line, level: f64) -> Json {
    let interval = line.fair_interval();
    let outside = match line.region() {
        Region::Outside(gap) => json!([gap.low, gap.high]),
        _ => Json::Null,
    };
    let bootstrap = line.bootstrap.map(|b| json!([b.low, b.high]));
    json!({
        "card": line.name,
        "season": line.stage,
        "value": line.value.json(),
        "score": value(line.score.as_ref()),
        "printed_price": line.printed,
        "fair_price": {
            "estimate": line.fair.map(|fair| fair.estimate),
            "low": interval.map(|i| i.low),
            "high": interval.map(|i| i.high),
            "outside": outside,
            "bootstrap": bootstrap,
            "n": line.value.n,
        },
        "surplus": line.surplus.json(),
        "p": line.adjusted_p,
        "verdict": line.verdict(level),
        "decided": line.adjusted_p < level,
        "converged": line.convergence.map(|c| c == Convergence::Converged),
        "tiers": line.convergence.map(Convergence::words),
    })
}
