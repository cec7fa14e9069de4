//! Tables and document of the effects of provinces.

use serde_json::{Value as Json, json};

use super::{StudyResult, cell, tiers, value};
use crate::report::table::{
    Cell, Column, Content, Listing, Mark, Note, Page, Readers, Scale, Table,
};
use lab::balance::cards::{FALSE_DISCOVERIES, LEVEL};
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::provinces::{ProvinceEffect, Provinces};
use sim::catalogue::about;
use sim::stats::Convergence;

/// The tables for programs.
pub const TABLES: [&str; 4] = ["provinces", "confirmed", "deal", "sweeps"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 2] = ["tokens", "places"];

/// Rows of the table for people.
const SHOWN: usize = 20;
const SHARE: Content = Content::Estimate(Scale::Signed(3));

/// Returns the tables.
#[must_use]
pub fn page(provinces: &Provinces, result: &StudyResult) -> Page {
    let lines = provinces.lines(&result.effects);
    let mut tables = confirmed(provinces, result).into_iter().collect::<Vec<Table>>();
    tables.extend([
        tokens(&lines),
        places(provinces, &result.effects).detail(),
        all(provinces, result, &lines),
    ]);
    tables.extend(deal(provinces, &result.effects).map(Table::detail));
    tables.extend(sweeps(provinces, &result.effects));
    Page { tables, footer: Vec::new() }
}

fn key(name: &str) -> Column {
    Column::plain(name, Content::Key)
}

fn is_found(line: &ProvinceEffect) -> bool {
    line.adjusted_p < FALSE_DISCOVERIES
}

/// Returns the mark of a line: an effect above zero, below zero, or neither.
fn mark(line: &ProvinceEffect, level: f64) -> Mark {
    match line.token.value > 0.0 {
        _ if !line.is_decided(level) => Mark::Open,
        true => Mark::Winner,
        false => Mark::Caveat,
    }
}

/// Builds the table of the worth of a token, for people.
fn tokens(lines: &[ProvinceEffect]) -> Table {
    let mut sorted: Vec<&ProvinceEffect> = lines.iter().collect();
    sorted.sort_by(|a, b| b.token.value.total_cmp(&a.token.value));
    // A stable sort: decided lines, of either sign, come first.
    sorted.sort_by_key(|line| !is_found(line));
    let found = lines.iter().filter(|line| is_found(line)).count();
    let shown = lines.len().min(found.max(SHOWN));
    let caption =
        "Screen, candidates: value of a given token and of a given city, in share of the points";
    let table = Listing::of(sorted.into_iter().take(shown))
        .column(key("province"), |line| Cell::text(&line.name))
        .column(Column::new("season", "stage", Content::Key), |line| Cell::Count(line.stage.into()))
        .column(Column::new("token", "a token [95 %]", SHARE), |line| cell(Some(&line.token)))
        .column(Column::new("city", "a city [95 %]", SHARE), |line| cell(line.city.as_ref()))
        .column(Column::new("verdict", "candidate (10 %)", Content::Text), |line| {
            Cell::text(if is_found(line) { "candidate" } else { "undecided" })
        })
        .marked(|line| mark(line, FALSE_DISCOVERIES))
        .table("tokens", caption)
        .only(Readers::People);
    table.noted(Note::new(format!(
        "{shown} of {n} rows are shown, with all candidates; the table provinces has all rows. {found} of {n} tokens \
         are candidates (false discovery rate 10 %). The 95 % intervals are individual, so that of a candidate can \
         include 0. The largest of many estimates are too large by chance",
        n = lines.len()
    )))
}

/// Builds the table of the tokens confirmed on fresh seeds.
fn confirmed(provinces: &Provinces, result: &StudyResult) -> Option<Table> {
    let (experiment, again) = result.again.as_ref()?;
    let caption = "Findings: first candidates of the screen, confirmed on fresh seeds";
    let table = Listing::of(provinces.confirmed(experiment, again, &result.effects))
        .column(key("province"), |line| Cell::text(&line.name))
        .column(Column::new("season", "stage", Content::Key), |line| Cell::Count(line.stage.into()))
        .column(Column::new("token", "a token [95 %]", SHARE), |line| cell(Some(&line.token)))
        .column(Column::new("p", "p (Holm)", Content::PValue), |line| Cell::Number(line.adjusted_p))
        .column(Column::new("verdict", "verdict (Holm)", Content::Text), |line| {
            Cell::text(if line.adjusted_p < LEVEL { "confirmed" } else { "undecided" })
        })
        .column(Column::plain("tiers", Content::Text), |line| tiers(line.convergence))
        .marked(|line| mark(line, LEVEL))
        .table("confirmed", caption);
    Some(table.noted(Note::new(
        "Verdicts: p-values below 0.05, adjusted by Holm's method over these rows. The 95 % intervals are individual",
    )))
}

/// Builds the table of the effects of the start deal.
fn deal(provinces: &Provinces, effects: &EffectAccumulator) -> Option<Table> {
    let dealt = provinces.deal(effects);
    let is_noted = !dealt.is_empty();
    let worth = Column::new("worth", "a token more at the start [95 %]", SHARE);
    let table = Listing::of(dealt)
        .column(key("province"), |dealt| Cell::text(&dealt.name))
        .column(worth, |dealt| cell(Some(&dealt.worth)))
        .column(Column::new("p", "p together", Content::PValue), |dealt| {
            dealt.worth.p.map_or(Cell::Nothing, Cell::Number)
        });
    let caption =
        "Influence of the start deal on the share of the points, in games without treatments";
    is_noted.then(|| {
        table.table("deal", caption).noted(Note::new(
            "Value of a token there instead of elsewhere. The p-values are simultaneous (permutation of the hands \
             over the seats of each game): the smallest tests whether the deal matters at all",
        ))
    })
}

/// Builds the table of payments and contests of places, for people.
fn places(provinces: &Provinces, effects: &EffectAccumulator) -> Table {
    let estimate =
        |key: &str| Column::new(key, format!("{key} [95 %]"), Content::Estimate(Scale::Fixed(2)));
    Listing::of(provinces.places.iter().map(|name| (name, provinces.course(effects, name))))
        .column(key("province"), |(name, _)| Cell::text(*name))
        .column(Column::plain("pays", Content::Text), |(name, _)| {
            let pays: Vec<String> = provinces.pays(name).iter().map(i64::to_string).collect();
            Cell::text(pays.join("/"))
        })
        .column(estimate("contest"), |(_, course)| cell(course.contest.as_ref()))
        .column(estimate("swing"), |(_, course)| cell(course.swing.as_ref()))
        .column(estimate("tokens"), |(_, course)| cell(course.tokens.as_ref()))
        .column(estimate("fights"), |(_, course)| cell(course.fights.as_ref()))
        .table("places", "Contest for places, in games without treatments")
        .noted(Note::new(
            "contest: players with at most one token less than the first, at the end of a stage; swing: probability \
             that the leader changes in the last stage, times the pay of the first; tokens: of all players, at the \
             end; fights: per game",
        ))
        .only(Readers::People)
}

/// Builds the full table, for programs.
fn all(provinces: &Provinces, result: &StudyResult, lines: &[ProvinceEffect]) -> Table {
    let estimate = |key: &str| Column::plain(key, Content::Estimate(Scale::Fixed(3)));
    let per_talent = Column::plain("vp_per_talent", Content::Estimate(Scale::Signed(4)));
    Listing::of(lines.iter().map(|line| (line, provinces.course(&result.effects, &line.name))))
        .column(key("province"), |(line, _)| Cell::text(&line.name))
        .column(Column::plain("season", Content::Key), |(line, _)| Cell::Count(line.stage.into()))
        .column(Column::plain("token", SHARE), |(line, _)| cell(Some(&line.token)))
        .column(Column::new("p", "adjusted p", Content::PValue), |(line, _)| {
            Cell::Number(line.adjusted_p)
        })
        .column(Column::plain("city", SHARE), |(line, _)| cell(line.city.as_ref()))
        .column(per_talent, |(line, _)| cell(line.score_per_price.as_ref()))
        .column(estimate("contest"), |(_, course)| cell(course.contest.as_ref()))
        .column(estimate("swing"), |(_, course)| cell(course.swing.as_ref()))
        .column(estimate("tokens"), |(_, course)| cell(course.tokens.as_ref()))
        .column(estimate("fights"), |(_, course)| cell(course.fights.as_ref()))
        .column(Column::plain("tiers", Content::Text), |(line, _)| tiers(line.convergence))
        .table("provinces", "Value of every province")
        .only(Readers::Programs)
}

/// Builds the table of the gains and losses when a place pays more or less, if the study swept payments.
fn sweeps(provinces: &Provinces, effects: &EffectAccumulator) -> Option<Table> {
    let swept = provinces.swept(effects);
    let gains = swept.iter().flat_map(|one| one.gains.iter().map(move |gain| (one, gain)));
    let tokens = Column::new("tokens", "tokens [95 %]", Content::Estimate(Scale::Signed(2)));
    let table = Listing::of(gains)
        .column(key("province"), |(one, _)| Cell::text(&one.name))
        .column(Column::new("pays", "paid to", Content::Text), |(one, _)| Cell::text(one.sweep))
        .column(Column::plain("change", Content::Number(Scale::Signed(0))), |(one, _)| {
            Cell::Number(one.step as f64)
        })
        .column(Column::new("agent", "whose share", Content::Text), |(_, (agent, _))| {
            Cell::text(agent)
        })
        .column(Column::new("gain", "gain [95 %]", SHARE), |(_, (_, gain))| cell(Some(gain)))
        .column(tokens, |(one, _)| cell(one.tokens.as_ref()))
        .table("sweeps", "Effect of the pay of a place: gain of each agent, and tokens there");
    (!table.rows.is_empty()).then_some(table)
}

/// Returns the document.
#[must_use]
pub fn json(provinces: &Provinces, result: &StudyResult) -> Json {
    let provenance =
        about(&provinces.validated.setup.game).map(|about| about.provenance.to_string());
    let provenance = provenance.ok();
    let entry = |line: &ProvinceEffect| {
        let course = provinces.course(&result.effects, &line.name);
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
        .swept(&result.effects)
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
    let lines = provinces.lines(&result.effects);
    let dealt = provinces.deal(&result.effects);
    let dealt = dealt
        .iter()
        .map(|one| json!({ "province": one.name, "worth": one.worth.json(), "p": one.worth.p }));
    json!({
        "provinces": lines.iter().map(entry).collect::<Vec<_>>(),
        "confirmed": confirmed_json(provinces, result),
        "deal": dealt.collect::<Vec<_>>(),
        "sweeps": swept,
    })
}

/// Returns the document of the confirmation on fresh seeds.
fn confirmed_json(provinces: &Provinces, result: &StudyResult) -> Vec<Json> {
    let Some((experiment, again)) = &result.again else { return Vec::new() };
    let one = |line: &ProvinceEffect| {
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
    provinces.confirmed(experiment, again, &result.effects).iter().map(one).collect()
}
