//! Tables and document of the bids for alliances: what places cost and what they bring.

use serde_json::{Value as Json, json};

use super::{StudyResult, cell, price_words, tiers, value};
use crate::report::table::{
    Cell, Column, Content, Listing, Mark, Note, Page, Readers, Scale, Table,
};
use lab::balance::alliances::{AllianceEffect, Alliances, LEAST_PAID};
use lab::balance::estimate::{Estimate, cut_at_zero};
use sim::stats::{Convergence, Ratio};

/// The tables for programs.
pub const TABLES: [&str; 3] = ["bought", "companions", "paid"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 0] = [];

const SHARE: Content = Content::Estimate(Scale::Signed(3));
const PRICE: Content = Content::Estimate(Scale::Fixed(1));

/// Returns the tables.
#[must_use]
pub fn page(alliances: &Alliances, result: &StudyResult) -> Page {
    let lines = alliances.lines(&result.effects);
    Page {
        tables: vec![bought(&lines), companions(&lines).detail(), paid(&lines).detail()],
        footer: Vec::new(),
    }
}

fn stage() -> Column {
    Column::new("season", "stage", Content::Key)
}

fn p_value(p: Option<f64>) -> Cell {
    p.map_or(Cell::Nothing, Cell::Number)
}

/// Returns the fair price, cut at 0; `None` if almost nothing is paid.
fn fair(line: &AllianceEffect) -> Option<Ratio> {
    line.fair.filter(|_| !line.is_next_to_nothing()).map(|fair| cut_at_zero(fair).0)
}

/// Summarizes the verdict on prices in a sentence.
fn answer(lines: &[AllianceEffect]) -> String {
    let of = |what: &str| -> Vec<String> {
        let of_verdict = lines.iter().filter(|line| line.verdict() == what);
        of_verdict.map(|line| line.stage.to_string()).collect()
    };
    let silent = lines.iter().filter(|line| line.is_next_to_nothing()).count();
    if silent == lines.len() {
        return "no statement about prices: players pay almost nothing for places and companions"
            .to_owned();
    }
    let result = |what: &str| match of(what)[..] {
        [] => format!("{what} in no stage"),
        ref stages => format!("{what} in stage {}", stages.join(", ")),
    };
    format!(
        "{}, {}; no statement in {} of {} stages, where almost nothing is paid",
        result("paid too much"),
        result("paid too little"),
        silent,
        lines.len()
    )
}

/// Builds the table of the alliances bought and their effects.
fn bought(lines: &[AllianceEffect]) -> Table {
    let unit = Content::Estimate(Scale::Signed(4));
    let in_tiers = Column::new("tiers_gain", "gain in tiers", Content::Text);
    let is_found = |line: &AllianceEffect| line.verdict().starts_with("paid");
    let caption = "Prices of a place with companions, and their gain in share of the points";
    Listing::of(lines)
        .column(stage(), |line| Cell::Count(line.stage.into()))
        .column(Column::new("price", "paid [95 %]", PRICE), |line| cell(line.price.as_ref()))
        .column(Column::new("gain", "gain [95 %]", SHARE), |line| cell(line.gain.as_ref()))
        .column(Column::new("money", "worth of a unit [95 %]", unit), |line| cell(line.money.as_ref()))
        .column(Column::new("net", "gain minus price [95 %]", SHARE), |line| {
            cell(line.net.as_ref().filter(|_| !line.is_next_to_nothing()))
        })
        .column(Column::new("p", "adjusted p", Content::PValue), |line| p_value(line.adjusted_p[0]))
        .column(Column::new("fair_price", "fair price [95 %]", Content::Text), |line| {
            Cell::text(price_words(fair(line)))
        })
        .column(Column::plain("verdict", Content::Text), |line| Cell::text(line.verdict()))
        .column(Column::plain("tiers", Content::Text), |line| tiers(line.convergence[1]))
        .column(in_tiers.only(Readers::Programs), |line| tiers(line.convergence[0]))
        .marked(|line| if is_found(line) { Mark::Plain } else { Mark::Open })
        .table("bought", caption)
        .noted(Note::new(format!(
            "almost nothing is paid: less than {LEAST_PAID} a player on average, so there is no statement about \
             prices"
        )))
        .noted(Note::new("fair prices and their intervals are cut at 0"))
        .noted(Note::new(answer(lines)))
        .noted(Note::new(
        "gain: compared with a random place and random companions from the same position, without payments. Verdicts \
         use p-values adjusted by Holm's method over both tables of effects; the 95 % intervals are individual. \
         tiers: converged if gain minus price of the weakest agent is within two points",
    ))
}

/// Builds the table of the effects of allies and places.
fn companions(lines: &[AllianceEffect]) -> Table {
    let p = |key: &str| Column::new(key, "adjusted p", Content::PValue);
    let text = |key: &str, title: &str| Column::new(key, title, Content::Text);
    let share = |key: &str, title: &str| Column::new(key, title, SHARE);
    let table = Listing::of(lines)
        .column(stage(), |line| Cell::Count(line.stage.into()))
        .column(share("with_leader", "with the leader [95 %]"), |line| {
            cell(line.with_leader.as_ref())
        })
        .column(p("p_with_leader"), |line| p_value(line.adjusted_p[1]))
        .column(share("with_last", "with the last [95 %]"), |line| cell(line.with_last.as_ref()))
        .column(p("p_with_last"), |line| p_value(line.adjusted_p[2]))
        .column(share("first", "first against last [95 %]"), |line| cell(line.first.as_ref()))
        .column(p("p_first"), |line| p_value(line.adjusted_p[3]))
        .column(text("tiers_with_leader", "tiers: leader"), |line| tiers(line.convergence[2]))
        .column(text("tiers_with_last", "last"), |line| tiers(line.convergence[3]))
        .column(text("tiers_first", "first"), |line| tiers(line.convergence[4]));
    let caption = "Gain of the side of the leader, of the side of the last, and of the first place over the last";
    table.table("companions", caption).noted(Note::new(
        "The leader has the highest score alone when the order is settled, and the last the lowest score alone. \
         Blocks without a leader, or without a last, are not counted",
    ))
}

/// Builds the table of prices paid for each place in the order.
fn paid(lines: &[AllianceEffect]) -> Table {
    let each = |line: &AllianceEffect| -> Vec<(u8, u64, Option<Estimate>)> {
        let places = (0..).zip(&line.paid);
        places.map(|(place, paid)| (line.stage, place, *paid)).collect()
    };
    let caption = "Prices of the places in the turn order, in games without treatments";
    Listing::of(lines.iter().flat_map(each))
        .column(stage(), |(stage, ..)| Cell::Count((*stage).into()))
        .column(Column::plain("place", Content::Key), |(_, place, _)| Cell::from_one(*place))
        .column(Column::new("price", "paid [95 %]", PRICE), |(.., paid)| cell(paid.as_ref()))
        .table("paid", caption)
}

/// Returns the document.
#[must_use]
pub fn json(alliances: &Alliances, result: &StudyResult) -> Json {
    let entry = |line: &AllianceEffect| {
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
    let lines = alliances.lines(&result.effects);
    json!({ "alliances": lines.iter().map(entry).collect::<Vec<_>>() })
}
