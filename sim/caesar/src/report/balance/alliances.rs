//! What is bid for, and what it is worth, as tables and as a document.

use serde_json::{Value as Json, json};

use super::{Told, cell, price_words, value};
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use lab::balance::alliances::{Alliances, LEAST_PAID, Line};
use lab::balance::estimate::cut_at_zero;
use sim::stats::{Convergence, Ratio};

/// The tables for programs.
pub const TABLES: [&str; 3] = ["bought", "companions", "paid"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 0] = [];

const SHARE: Content = Content::Estimate(Scale::Signed(3));
const PRICE: Content = Content::Estimate(Scale::Fixed(1));

/// The tables.
#[must_use]
pub fn page(alliances: &Alliances, told: &Told) -> Page {
    let lines = alliances.lines(&told.heard);
    Page { tables: vec![bought(&lines), companions(&lines), paid(&lines)], footer: Vec::new() }
}

fn stage() -> Column {
    Column::new("season", "stage", Content::Key)
}

fn p_value(p: Option<f64>) -> Cell {
    p.map_or(Cell::Nothing, Cell::Number)
}

/// What is known of the tiers.
fn tiers(convergence: Option<Convergence>) -> Cell {
    convergence.map_or(Cell::Nothing, |c| Cell::text(c.words()))
}

/// The fair price, cut at 0; nothing where next to nothing is paid.
fn fair(line: &Line) -> Option<Ratio> {
    line.fair.filter(|_| !line.is_next_to_nothing()).map(|fair| cut_at_zero(fair).0)
}

/// What the study says of prices, in a sentence.
fn answer(lines: &[Line]) -> String {
    let of = |what: &str| -> Vec<String> {
        let said = lines.iter().filter(|line| line.verdict() == what);
        said.map(|line| line.stage.to_string()).collect()
    };
    let silent = lines.iter().filter(|line| line.is_next_to_nothing()).count();
    if silent == lines.len() {
        return "next to nothing is paid for places and companions: nothing can be concluded about prices".to_owned();
    }
    let told = |what: &str| match of(what)[..] {
        [] => format!("{what} in no stage"),
        ref stages => format!("{what} in stage {}", stages.join(", ")),
    };
    format!(
        "{}, {}; {} of {} stages say nothing, as next to nothing is paid there",
        told("paid too much"),
        told("paid too little"),
        silent,
        lines.len()
    )
}

/// What was bought, and what it was worth.
fn bought(lines: &[Line]) -> Table {
    let columns = vec![
        stage(),
        Column::new("price", "paid [95 %]", PRICE),
        Column::new("gain", "gain [95 %]", SHARE),
        Column::new("money", "worth of a unit [95 %]", Content::Estimate(Scale::Signed(4))),
        Column::new("net", "gain less price [95 %]", SHARE),
        Column::new("p", "adjusted p", Content::PValue),
        Column::new("fair_price", "fair price [95 %]", Content::Text),
        Column::plain("verdict", Content::Text),
        Column::plain("tiers", Content::Text),
        Column::new("tiers_gain", "gain in tiers", Content::Text).only(Readers::Programs),
    ];
    let row = |line: &Line| {
        let is_found = line.verdict().starts_with("paid");
        let is_told = !line.is_next_to_nothing();
        let cells = vec![
            Cell::Count(line.stage.into()),
            cell(line.price.as_ref()),
            cell(line.gain.as_ref()),
            cell(line.money.as_ref()),
            cell(line.net.as_ref().filter(|_| is_told)),
            p_value(line.adjusted_p[0]),
            Cell::text(price_words(fair(line))),
            Cell::text(line.verdict()),
            tiers(line.convergence[1]),
            tiers(line.convergence[0]),
        ];
        Row { cells, mark: if is_found { Mark::Plain } else { Mark::Open } }
    };
    let caption = "What players pay for a place and companions, and what that brings them, in share of the points";
    let mut table = Table::new("bought", caption, columns);
    table.rows = lines.iter().map(row).collect();
    table
        .noted(Note::new(format!(
            "next to nothing is paid: less than {LEAST_PAID} a player on average; of such prices nothing is said"
        )))
        .noted(Note::new("prices are not negative: fair prices and their intervals are cut at 0"))
        .noted(Note::new(answer(lines)))
        .noted(Note::new(
        "gain: against a place and companions at random, from the same position, nobody paying; verdicts are by Holm's \
         p-values over both tables of effects, and intervals of 95 % are each by itself; tiers: whether gain less price is the same for the weakest agent, within two points",
    ))
}

/// With whom one stands, and where.
fn companions(lines: &[Line]) -> Table {
    let columns = vec![
        stage(),
        Column::new("with_leader", "with the leader [95 %]", SHARE),
        Column::new("p_with_leader", "adjusted p", Content::PValue),
        Column::new("with_last", "with the last [95 %]", SHARE),
        Column::new("p_with_last", "adjusted p", Content::PValue),
        Column::new("first", "first against last [95 %]", SHARE),
        Column::new("p_first", "adjusted p", Content::PValue),
        Column::new("tiers_with_leader", "tiers: leader", Content::Text),
        Column::new("tiers_with_last", "last", Content::Text),
        Column::new("tiers_first", "first", Content::Text),
    ];
    let row = |line: &Line| {
        let [_, leader, last, first] = line.adjusted_p;
        vec![
            Cell::Count(line.stage.into()),
            cell(line.with_leader.as_ref()),
            p_value(leader),
            cell(line.with_last.as_ref()),
            p_value(last),
            cell(line.first.as_ref()),
            p_value(first),
            tiers(line.convergence[2]),
            tiers(line.convergence[3]),
            tiers(line.convergence[4]),
        ]
    };
    let caption = "Being on the side of the leader, or of the last, against the other side; first against last in order";
    Table::new("companions", caption, columns).with(lines.iter().map(row)).noted(Note::new(
        "the leader is who has the highest score alone when the order is settled, the last who has the lowest alone: a \
         block in which there is none says nothing",
    ))
}

/// What each place in the order cost who got it.
fn paid(lines: &[Line]) -> Table {
    let columns = vec![
        stage(),
        Column::plain("place", Content::Key),
        Column::new("price", "paid [95 %]", PRICE),
    ];
    let rows = lines.iter().flat_map(|line| {
        line.paid.iter().enumerate().map(|(place, price)| {
            vec![Cell::Count(line.stage.into()), Cell::from_one(place as u64), cell(price.as_ref())]
        })
    });
    let caption =
        "What who got a place in the turn order has paid in games in which nothing is done";
    Table::new("paid", caption, columns).with(rows)
}

/// The document.
#[must_use]
pub fn json(alliances: &Alliances, told: &Told) -> Json {
    let entry = |line: &Line| {
        let [net, leader, last, first] = line.adjusted_p;
        let tiers = line.convergence.map(|c| c.map(Convergence::words));
        let fair = fair(line).map(|fair| {
            let interval = fair.region.interval();
            json!({
                "estimate": fair.estimate,
                "low": interval.map(|i| i.low),
                "high": interval.map(|i| i.high),
                "n": line.gain.map(|gain| gain.n),
            })
        });
        json!({
            "season": line.stage,
            "price": value(line.price.as_ref()),
            "gain": value(line.gain.as_ref()),
            "money": value(line.money.as_ref()),
            "net": value(line.net.as_ref()),
            "fair_price": fair,
            "verdict": line.verdict(),
            "with_leader": value(line.with_leader.as_ref()),
            "with_last": value(line.with_last.as_ref()),
            "first_against_last": value(line.first.as_ref()),
            "p": { "net": net, "with_leader": leader, "with_last": last, "first_against_last": first },
            "tiers": {
                "gain": tiers[0],
                "net": tiers[1],
                "with_leader": tiers[2],
                "with_last": tiers[3],
                "first_against_last": tiers[4],
            },
            "paid": line.paid.iter().map(|paid| value(paid.as_ref())).collect::<Vec<_>>(),
        })
    };
    let lines = alliances.lines(&told.heard);
    json!({ "alliances": lines.iter().map(entry).collect::<Vec<_>>() })
}
