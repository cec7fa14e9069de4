//! What cards are worth, as tables and as a document.

use serde_json::{Value as Json, json};

use super::{Told, cell, price_words, value};
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use lab::balance::cards::{Cards, FALSE_DISCOVERIES, Item, LEVEL, Line, NO_STATEMENT, RARELY};
use lab::balance::estimate::Estimate;
use lab::balance::heard::Heard;
use sim::stats::{Convergence, Region};
use sim::units;

/// The tables for programs.
pub const TABLES: [&str; 4] = ["cards", "confirmed", "units", "demand"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 3] = ["first", "taken", "banned"];

/// Rows of the screen that people see at least.
const FEWEST_SHOWN: usize = 5;
/// Rows of the table of bans for people.
const SHOWN: usize = 20;
const SHARE: Content = Content::Estimate(Scale::Signed(3));
const PRICE: Content = Content::Estimate(Scale::Fixed(0));
const COUNT: Content = Content::Number(Scale::Count);

/// The tables.
#[must_use]
pub fn page(cards: &Cards, told: &Told) -> Page {
    let screen = cards.screen(&told.heard);
    // What is confirmed is what is found: it stands before its candidates.
    let mut tables: Vec<Table> = confirmed(cards, told).into_iter().collect();
    tables.extend([first(&screen), all(cards, &told.heard, &screen)]);
    tables.extend([units_of(cards, &told.heard), taken(cards, &told.heard)]);
    tables.extend(bans(cards, &told.heard));
    tables.extend(demand(cards, &told.heard));
    Page { tables, footer: Vec::new() }
}

fn key(name: &str) -> Column {
    Column::plain(name, Content::Key)
}

/// The fair price for people, in words where it has no bounds; nothing where nothing is said.
fn fair(line: &Line) -> Cell {
    let told = line.fair_price().filter(|_| line.is_told());
    told.map_or(Cell::Nothing, |(fair, _)| Cell::text(price_words(Some(fair))))
}

/// The verdict of a line; for people with a mark where a gift of it harms.
fn verdict(line: &Line, level: f64) -> Cell {
    let (name, mut shown) = (line.verdict(level).to_owned(), line.verdict(level).to_owned());
    if line.is_misused(level) {
        shown += "; misused";
    }
    Cell::Name { shown, name }
}

/// The rows that people see of the screen: all that are decided, too cheap before too dear and the surest first, and then,
/// if these are few, what is least like its price of the others.
fn shown(screen: &[Line]) -> Vec<&Line> {
    let p = |line: &Line| line.surplus.p.unwrap_or(1.0);
    let mut lines: Vec<&Line> = screen.iter().filter(|line| line.is_told()).collect();
    let rank = |line: &Line| match line.is_decided(FALSE_DISCOVERIES) {
        true if line.surplus.value > 0.0 => 0,
        true => 1,
        false => 2,
    };
    lines.sort_by(|a, b| rank(a).cmp(&rank(b)).then(p(a).total_cmp(&p(b))));
    let decided = lines.iter().filter(|line| line.is_decided(FALSE_DISCOVERIES)).count();
    lines.truncate(decided.max(FEWEST_SHOWN));
    lines
}

/// The lines that are least like their price, for people.
fn first(screen: &[Line]) -> Table {
    let columns = vec![
        key("card"),
        Column::new("season", "stage", Content::Key),
        Column::new("value", "value [95 %]", SHARE),
        Column::new("printed_price", "price", COUNT),
        Column::new("fair_price", "fair price [95 %]", Content::Text),
        Column::new("screen", "candidate (10 %)", Content::Text),
    ];
    let row = |line: &&Line| {
        let is_open = !line.is_decided(FALSE_DISCOVERIES);
        let cells = vec![
            Cell::text(&line.name),
            Cell::Count(line.stage.into()),
            cell(Some(&line.value)),
            Cell::Count(line.printed.max(0) as u64),
            fair(line),
            verdict(line, FALSE_DISCOVERIES),
        ];
        Row { cells, mark: if is_open { Mark::Open } else { Mark::Plain } }
    };
    let lines = shown(screen);
    let count = |is_one: &dyn Fn(&Line) -> bool| screen.iter().filter(|line| is_one(line)).count();
    let verdicts = |word: &str| count(&|line| line.verdict(FALSE_DISCOVERIES) == word);
    let [cheap, dear, open, silent] =
        ["too cheap", "too dear", "undecided", NO_STATEMENT].map(verdicts);
    let caption = "Candidates of the screen: worth of a card that is given, in share of the points";
    let mut table = Table::new("first", caption, columns).only(Readers::People);
    table.rows = lines.iter().map(row).collect();
    let misused = count(&|line| line.is_misused(FALSE_DISCOVERIES));
    let harmed = match misused {
        0 => String::new(),
        n => format!("; in {n} a free gift harms (misused): the agent misuses the card"),
    };
    table
        .noted(Note::new(format!(
            "{} of {} rows are shown, all that are decided among them; all are in the table cards",
            lines.len(),
            screen.len()
        )))
        .noted(Note::new(format!(
            "candidates at a false discovery rate of 10 %: {cheap} too cheap, {dear} too dear; {open} undecided, which is not \
             the same as fair; {silent} never taken by these agents, in less than {} % of the games in which they could be: no \
             statement{harmed}",
            units::hundredths(RARELY)
        )))
        .noted(Note::new(
            "intervals are of 95 %, each by itself; prices are not negative: fair prices and their intervals are cut at 0",
        ))
}

/// All lines, for programs.
fn all(cards: &Cards, heard: &Heard, screen: &[Line]) -> Table {
    let mut columns = line_columns();
    columns.extend([
        Column::plain("pick_rate", Content::Estimate(Scale::SHARE)),
        Column::plain("association", SHARE),
        Column::plain("ban", SHARE),
        Column::plain("misused", Content::Text),
        Column::plain("cut_at_0", Content::Text),
    ]);
    let row = |line: &Line| {
        let mut cells = line_cells(line, FALSE_DISCOVERIES);
        let (picked, owners) = cards.taken(heard, &line.name, line.stage);
        let ban = banned(cards, heard, line);
        cells.extend([cell(picked.as_ref()), cell(owners.as_ref()), cell(ban.as_ref())]);
        let is_cut = line.fair_price().is_some_and(|(_, is_cut)| is_cut);
        cells.extend([Cell::Flag(line.is_misused(FALSE_DISCOVERIES)), Cell::Flag(is_cut)]);
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
    let fair = line
        .fair_price()
        .map_or(Cell::Nothing, |(fair, _)| Cell::Estimate(fair.estimate, fair.region.interval()));
    vec![
        Cell::text(&line.name),
        Cell::Count(line.stage.into()),
        cell(Some(&line.value)),
        cell(line.score.as_ref()),
        Cell::Count(line.printed.max(0) as u64),
        fair,
        cell(Some(&line.surplus)),
        if line.is_told() { Cell::Number(line.adjusted_p) } else { Cell::Nothing },
        verdict(line, level),
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
        Column::new("verdict", "verdict (Holm)", Content::Text),
        Column::plain("tiers", Content::Text).only(Readers::Programs),
    ];
    let row = |line: &Line| {
        let mut cells = line_cells(line, LEVEL);
        cells.remove(3);
        cells.insert(4, fair(line));
        let mark = if line.is_decided(LEVEL) { Mark::Plain } else { Mark::Open };
        Row { cells, mark }
    };
    let caption = "Findings: the first candidates of the screen, on fresh seeds";
    let mut table = Table::new("confirmed", caption, columns);
    table.rows = lines.iter().map(row).collect();
    Some(table.noted(Note::new(answer(&lines))).noted(Note::new(
        "verdicts are by Holm's p-values below 0.05 over these rows, intervals of 95 % are each by itself; worths of actions \
         and money are measured anew",
    )))
}

/// What the confirmation found, in a sentence.
fn answer(lines: &[Line]) -> String {
    let named = |word: &str| {
        let found = lines.iter().filter(|line| line.verdict(LEVEL) == word);
        let names: Vec<String> =
            found.map(|line| format!("{} (stage {})", line.name, line.stage)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    format!(
        "found on fresh seeds: too cheap: {}; too dear: {}",
        named("too cheap"),
        named("too dear")
    )
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
    let fair = line.fair_price();
    let interval = fair.and_then(|(fair, _)| fair.region.interval());
    let outside = match fair.map(|(fair, _)| fair.region) {
        Some(Region::Outside(gap)) => json!([gap.low, gap.high]),
        _ => Json::Null,
    };
    let bootstrap = line.bootstrap.map(|b| json!([b.low.max(0.0), b.high.max(0.0)]));
    json!({
        "card": line.name,
        "season": line.stage,
        "value": line.value.json(),
        "score": value(line.score.as_ref()),
        "printed_price": line.printed,
        "fair_price": {
            "estimate": fair.map(|(fair, _)| fair.estimate),
            "low": interval.map(|i| i.low),
            "high": interval.map(|i| i.high),
            "outside": outside,
            "bootstrap": bootstrap,
            "cut_at_0": fair.map(|(_, is_cut)| is_cut),
            "n": line.value.n,
        },
        "surplus": line.surplus.json(),
        "p": line.is_told().then_some(line.adjusted_p),
        "level": level,
        "verdict": line.verdict(level),
        "decided": line.is_decided(level),
        "taken": line.taken,
        "misused": line.is_misused(level),
        "converged": line.convergence.map(|c| c == Convergence::Converged),
        "tiers": line.convergence.map(Convergence::words),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::stats::{Interval, Ratio};

    fn line(name: &str, surplus: f64, p: f64, taken: f64) -> Line {
        let estimate = |value: f64| Estimate {
            value,
            interval: Some(Interval { low: value - 0.01, high: value + 0.01 }),
            p: Some(p),
            n: 120,
        };
        let region = Region::Within(Interval { low: -25.0, high: -12.0 });
        Line {
            name: name.to_owned(),
            stage: 1,
            value: estimate(surplus),
            score: None,
            fair: Some(Ratio { estimate: -16.0, region }),
            bootstrap: None,
            printed: 10,
            surplus: estimate(surplus),
            taken: Some(taken),
            adjusted_p: p,
            value_p: 1.0,
            convergence: None,
        }
    }

    /// Thirty cards that are surely too dear do not hide the one that is too cheap, and what is never taken is no row.
    #[test]
    fn people_see_all_that_is_decided_of_both_signs() {
        let mut screen: Vec<Line> =
            (0..30).map(|i| line(&format!("dear-{i}"), -0.1, 0.0001, 0.5)).collect();
        screen.push(line("cheap", 0.05, 0.04, 0.5));
        screen.push(line("open", 0.01, 0.5, 0.5));
        screen.push(line("never", 0.5, 0.0001, 0.01));
        let seen = shown(&screen);
        assert_eq!((seen.len(), seen[0].name.as_str()), (31, "cheap"));
        let table = first(&screen);
        let notes: Vec<&str> = table.notes.iter().map(|note| note.text.as_str()).collect();
        assert!(notes[0].starts_with("31 of 33 rows are shown"), "{notes:?}");
        assert!(notes[1].contains("1 too cheap, 30 too dear; 1 undecided"), "{notes:?}");
        assert!(notes[1].contains("1 never taken by these agents"), "{notes:?}");
        let green = table.rows.iter().filter(|row| row.mark == Mark::Winner).count();
        assert_eq!(green, 0, "a price is neither better nor worse");
        assert_eq!(table.rows[0].cells[4], Cell::text("0 or less"));
    }
}
