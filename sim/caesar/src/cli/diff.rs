//! `caesar diff`: compares the requests and the results of two runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use draw::report::{Sheet, Source};
use serde_json::{Map, Value as Json};

use super::output::{Form, OneTable};
use super::report::{documents, read};
use super::{Ending, look, print};
use crate::report::balance::rules::Compared;
use crate::report::table::{Cell, Column, Content, Listing, Mark, Note, Page, Scale, Table};
use crate::report::win_model;
use lab::balance::estimate::Estimate;
use lab::balance::statements::{Statement, differences};
use sim::document::document;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::stats::Interval;
use sim::units;

/// Names of the tables.
const TABLES: [&str; 2] = ["requests", "results"];
/// The longest value of a request that is printed whole.
const LONGEST: usize = 40;
/// Keys of a manifest that follow from others.
const DERIVED: [&str; 2] = ["command", "version"];

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Directory of the first run
    #[arg(value_name = "RUN")]
    a: PathBuf,
    /// Directory of the second run
    #[arg(value_name = "RUN")]
    b: PathBuf,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
}

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
Requests: the settings that differ. Results: the estimates that both runs have, with their difference. Its interval \
is recovered from the two intervals, which needs independent runs: runs of one seed share their chance, so their \
differences have no interval and no verdict. Test two agents or two rule sets with `caesar compare`.";

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let runs = [read::whole(&options.a)?, read::whole(&options.b)?];
    let [a, b] = &runs;
    if a.kind != b.kind || a.game != b.game {
        let [one, other] =
            [a, b].map(|run| format!("{} ({}, {})", run.place, run.kind.title(), run.game));
        let message = "only runs of one kind and of one game can be compared";
        return Err(Error::Usage(format!("{one} and {other}: {message}")));
    }
    let asked = [asked(&options.a)?, asked(&options.b)?];
    options.one.check(&options.form, &TABLES, &[])?;
    let page = page(&runs, &asked);
    print(&match options.form.is_json() {
        true => document(&win_model::document(Map::new(), &page.tables)),
        false => options.form.write(look(), Some(&options.one), &|_| page.clone()),
    })?;
    Ok(Ending::Done)
}

/// Returns the settings of a run by key, without those that follow from others.
fn asked(dir: &Path) -> Result<BTreeMap<String, String>, Error> {
    let mut all = BTreeMap::new();
    if dir.join(MANIFEST).is_file() {
        let manifest = documents::document(dir, MANIFEST)?;
        for (key, value) in manifest.as_object().into_iter().flatten() {
            if !DERIVED.contains(&key.as_str()) {
                flatten(key, value, &mut all);
            }
        }
    }
    Ok(all)
}

/// Adds the values inside `json`, each with its key.
fn flatten(key: &str, json: &Json, all: &mut BTreeMap<String, String>) {
    match json {
        Json::Object(map) => {
            map.iter().for_each(|(name, inner)| flatten(&format!("{key}.{name}"), inner, all));
        }
        other => {
            let text = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
            all.insert(key.to_owned(), units::shortened(&text, LONGEST));
        }
    }
}

fn page([a, b]: &[Source; 2], asked: &[BTreeMap<String, String>; 2]) -> Page {
    let requests = requests(asked);
    let is_shared = a.seed == b.seed;
    let mut results = Vec::new();
    for sheet in &a.sheets {
        let Some(other) = b.sheet(&sheet.name) else { continue };
        let [from, to] = [statements(a, sheet, is_shared), statements(b, other, is_shared)];
        let compared = Compared { study: "", moved: differences(&from, &to), noise: Vec::new() };
        results.extend((!compared.moved.is_empty()).then_some((sheet.name.clone(), compared)));
    }
    let mut footer = vec![Note::new(format!("A: {}; B: {}", a.place, b.place))];
    if is_shared {
        let text = format!(
            "both runs have seed {} and share their chance: no verdict; caesar compare tests the difference",
            a.seed
        );
        footer.push(Note::new(text).marked(Mark::Caveat));
    }
    Page { tables: vec![requests, table(&results, is_shared)], footer }
}

/// Returns the table of the settings that differ.
fn requests([a, b]: &[BTreeMap<String, String>; 2]) -> Table {
    let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
    keys.sort();
    keys.dedup();
    let value =
        |of: &BTreeMap<String, String>, key: &String| of.get(key).map_or(Cell::Nothing, Cell::text);
    Listing::of(keys.into_iter().filter(|key| a.get(*key) != b.get(*key)))
        .column(Column::plain("setting", Content::Key), |key| Cell::text(key.as_str()))
        .column(Column::plain("A", Content::Text), |key| value(a, key))
        .column(Column::plain("B", Content::Text), |key| value(b, key))
        .table("requests", "Settings that differ")
}

/// Returns the estimates of a table as statements; those of runs that share their chance have no interval.
fn statements(run: &Source, sheet: &Sheet, is_shared: bool) -> Vec<Statement> {
    let mut all = Vec::new();
    for row in &sheet.rows {
        for name in sheet.estimates() {
            let Some((value, at)) = sheet.estimate(row, name) else { continue };
            let interval = at.map(|[low, high]| Interval { low, high }).filter(|_| !is_shared);
            let estimate = Estimate { value, interval, p: None, n: run.blocks };
            let what = name.replace('_', " ");
            // A table of one number has no subjects.
            let has_subject = sheet.columns.first().is_some_and(|first| first != name);
            let name = if has_subject { format!("{}: {what}", sheet.label(row)) } else { what };
            all.push(Statement { name, estimate, is_effect: false, is_share: false });
        }
    }
    all
}

/// Returns the table of the estimates that both runs have.
fn table(results: &[(String, Compared)], is_shared: bool) -> Table {
    let rows = results.iter().flat_map(|(table, compared)| {
        compared.moved.iter().map(move |moved| (table.as_str(), moved))
    });
    let estimate = |key: &str, scale| Column::plain(key, Content::Estimate(scale)).mixed();
    let of = |one: &Estimate| Cell::Estimate(one.value, one.interval);
    let known = |column: Column| (!is_shared).then_some(column);
    Listing::of(rows)
        .column(Column::plain("table", Content::Key), |(table, _)| Cell::text(*table))
        .column(Column::plain("estimate", Content::Key), |(_, one)| Cell::text(&one.name))
        .column(estimate("A", Scale::Fixed(3)), |(_, one)| of(&one.from))
        .column(estimate("B", Scale::Fixed(3)), |(_, one)| of(&one.to))
        .column(
            Column::new("difference", "B minus A", Content::Estimate(Scale::Signed(3))).mixed(),
            |(_, one)| Cell::Estimate(one.value, one.interval),
        )
        .maybe(known(Column::new("p", "adjusted p", Content::PValue)), |(_, one)| {
            Cell::Number(one.adjusted_p)
        })
        .maybe(known(Column::plain("verdict", Content::Text)), |(_, one)| Cell::text(one.verdict()))
        .table("results", "Estimates of both runs")
}
