//! Tables and document of the effects of a change of rules.

use serde_json::{Value as Json, json};

use super::words;
use crate::report::table::{
    Cell, Column, Content, Listing, Mark, Note, Page, Readers, Scale, Table,
};
use lab::balance::estimate::Estimate;
use lab::balance::statements::Difference;

/// The tables for programs.
pub const TABLES: [&str; 1] = ["moved"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 1] = ["first"];
/// The note on the rules that the agents assume.
pub const BELIEVED: &str = "the agents keep the old rules' weights and values under the changed rules; they are not \
refitted. The win model of the study game is refitted to each rule set";

/// Rows of the table for people.
const SHOWN: usize = 20;
const CHANGE: Content = Content::Estimate(Scale::Signed(3));

/// Definition of the new rules: an optional file that replaces the old ones, and settings over it.
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a> {
    /// The file of the new rules.
    pub file: Option<&'a str>,
    /// The settings.
    pub set: &'a [String],
}

/// A study under the old rules, under the new ones, and under the old ones on other seeds.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The word of the study.
    pub study: &'static str,
    /// Differences between the old rules and the new ones.
    pub moved: Vec<Difference>,
    /// Differences between two runs under the old rules.
    pub noise: Vec<Difference>,
}

impl Compared {
    /// Returns the noise of the statement `name`.
    fn noise_of(&self, name: &str) -> Option<&Difference> {
        self.noise.iter().find(|noise| noise.name == name)
    }
}

fn found(lists: impl Iterator<Item = bool>) -> usize {
    lists.filter(|is_found| *is_found).count()
}

/// Counts statements: those that moved, those that moved by noise, and all.
#[must_use]
pub fn counts(all: &[Compared]) -> [usize; 3] {
    let moved = || all.iter().flat_map(|one| &one.moved);
    let noise = all.iter().flat_map(|one| &one.noise);
    [
        found(moved().map(Difference::is_found)),
        found(noise.map(Difference::is_found)),
        moved().count(),
    ]
}

/// Returns the tables.
#[must_use]
pub fn page(all: &[Compared], changes: Changes<'_>, command: &str) -> Page {
    let mut lines: Vec<(&Compared, &Difference)> =
        all.iter().flat_map(|one| one.moved.iter().map(move |moved| (one, moved))).collect();
    let every = table("moved", &lines).only(Readers::Programs);
    lines.sort_by(|a, b| a.1.adjusted_p.total_cmp(&b.1.adjusted_p));
    lines.truncate(SHOWN);
    let [moved, noise, n] = counts(all);
    let first = table("first", &lines)
        .only(Readers::People)
        .noted(Note::new(format!(
            "{} of {n} statements are shown, the most certain first; the table moved has all of them",
            lines.len()
        )))
        .noted(Note::new(
            "moved: significant at a false discovery rate of 10 % in its study. The 95 % intervals are individual, \
             so that of a moved statement can include 0. every block: all blocks of a run have this value, without \
             spread",
        ))
        .noted(Note::new(format!(
            "{moved} of {n} statements moved; {noise} moved between two runs under the old rules"
        )));
    let believed = Note::new(BELIEVED).marked(Mark::Caveat);
    let Changes { file, set } = changes;
    let file = file.map(|file| format!("the rules of {file}"));
    let all: Vec<String> = file.into_iter().chain(set.iter().cloned()).collect();
    let text = format!("changed: {}", all.join(", "));
    Page { tables: vec![first, every], footer: vec![believed, Note::new(text).before(command)] }
}

fn difference(difference: &Difference) -> Cell {
    Cell::Estimate(difference.value, difference.interval)
}

/// Returns the difference in words for people.
fn changed(one: &Difference) -> Cell {
    Cell::text(words(one.value, one.interval, one.is_certain, Scale::Signed(3)))
}

/// Returns an estimate of a run in words for people. A size has no sign.
fn estimate_cell(estimate: &Estimate, of: &Difference) -> Cell {
    let scale = if of.is_effect { Scale::Signed(3) } else { Scale::Fixed(3) };
    Cell::text(words(estimate.value, estimate.interval, estimate.is_unanimous(), scale))
}

fn table(name: &'static str, lines: &[(&Compared, &Difference)]) -> Table {
    let people = |title: &str| Column::new(title, title, Content::Text).only(Readers::People);
    let programs = |key: &str| Column::plain(key, CHANGE).only(Readers::Programs);
    let believe = Column::plain("agents believe", Content::Text).only(Readers::Programs);
    let noise = |study: &Compared, of: &Difference, cell: fn(&Difference) -> Cell| {
        study.noise_of(&of.name).map_or(Cell::Nothing, cell)
    };
    let of = |estimate: &Estimate| Cell::Estimate(estimate.value, estimate.interval);
    let has_noise = lines.iter().any(|(study, _)| !study.noise.is_empty());
    let noisy = |column: Column| has_noise.then_some(column);
    let caption =
        "Effect of the rule change, beside the difference of two runs under the old rules";
    Listing::of(lines.iter().copied())
        .column(Column::plain("study", Content::Key), |(study, _)| Cell::text(study.study))
        .column(Column::new("statement", "what", Content::Key), |(_, moved)| {
            Cell::text(&moved.name)
        })
        .column(people("old rules [95 %]"), |(_, moved)| estimate_cell(&moved.from, moved))
        .column(people("new rules [95 %]"), |(_, moved)| estimate_cell(&moved.to, moved))
        .column(people("moved by [95 %]"), |(_, moved)| changed(moved))
        .column(programs("old"), |(_, moved)| of(&moved.from))
        .column(programs("new"), |(_, moved)| of(&moved.to))
        .column(programs("difference"), |(_, moved)| difference(moved))
        .column(Column::new("p", "adjusted p", Content::PValue), |(_, moved)| {
            Cell::Number(moved.adjusted_p)
        })
        .maybe(noisy(programs("noise")), |(study, moved)| noise(study, moved, difference))
        .maybe(noisy(people("old against old [95 %]")), |(study, moved)| {
            noise(study, moved, changed)
        })
        .column(Column::plain("verdict", Content::Text), |(_, moved)| Cell::text(moved.verdict()))
        .column(believe, |_| Cell::text("the old rules"))
        .marked(|(_, moved)| match moved.verdict() {
            "undecided" => Mark::Open,
            _ => Mark::Plain,
        })
        .table(name, caption)
}

/// Returns the document.
#[must_use]
pub fn json(all: &[Compared], Changes { file, set }: Changes<'_>) -> Json {
    let change = |one: &Difference| {
        Estimate { value: one.value, interval: one.interval, p: None, n: one.from.n.min(one.to.n) }
            .json()
    };
    let entry = |(study, moved): (&Compared, &Difference)| {
        let noise = study.noise_of(&moved.name);
        json!({
            "study": study.study,
            "statement": moved.name,
            "is_share": moved.is_share,
            "old": moved.from.json(),
            "new": moved.to.json(),
            "difference": change(moved),
            "p": moved.adjusted_p,
            "moved": moved.is_found(),
            "verdict": moved.verdict(),
            "every_block_agrees": moved.is_certain,
            "old_against_old": noise.map(change),
            "moved_by_noise": noise.map(Difference::is_found),
            "agents_believe": "the old rules",
        })
    };
    let [moved, noise, n] = counts(all);
    let lines = all.iter().flat_map(|one| one.moved.iter().map(move |moved| (one, moved)));
    json!({
        "rules_b": file,
        "set": set,
        "statements": n,
        "moved": moved,
        "moved_by_noise": noise,
        "rules": lines.map(entry).collect::<Vec<_>>(),
    })
}
