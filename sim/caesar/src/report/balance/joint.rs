//! Tables and document of the statements that hold under joint draws of rule numbers.

use serde_json::{Value as Json, json};

use super::cell;
use crate::report::table::{
    Cell, Column, Content, Listing, Mark, Note, Page, Readers, Scale, Table,
};
use lab::balance::joint::{Judged, needed};

/// Study, with the results of its statements over the draws.
#[derive(Clone, Debug)]
pub struct Studied {
    /// The word of the study.
    pub study: &'static str,
    /// Its statements.
    pub all: Vec<Judged>,
}

const CHANGE: Content = Content::Estimate(Scale::Signed(3));

/// Counts statements: those found under the unchanged rules, those that survive, and all.
#[must_use]
pub fn counts(all: &[Studied]) -> [usize; 3] {
    let lines = || all.iter().flat_map(|one| &one.all);
    let found = || lines().filter(|line| line.is_found());
    [found().count(), found().filter(|line| line.is_kept()).count(), lines().count()]
}

/// Returns the tables: for people the statements found under the unchanged rules, for programs all.
#[must_use]
pub fn page(all: &[Studied], draws: u64, command: &str) -> Page {
    let lines = |filter: fn(&Judged) -> bool| -> Vec<(&'static str, &Judged)> {
        let each = all.iter().flat_map(|one| one.all.iter().map(move |line| (one.study, line)));
        each.filter(|(_, line)| filter(line)).collect()
    };
    let [found, kept, n] = counts(all);
    let text = format!(
        "{found} of {n} statements are significant under the rules as they are (false discovery rate 10 % in each \
         study); {kept} of them survive, with the same sign in {} of {draws} draws",
        needed(draws)
    );
    let power = "power: probability that the statement survives if the draws change nothing, with the blocks of a \
    draw; spread: standard deviation over the draws, without their noise";
    let first = table("survived", &lines(Judged::is_found))
        .only(Readers::People)
        .noted(Note::new(text))
        .noted(Note::new(power));
    let every = table("joint", &lines(|_| true)).only(Readers::Programs);
    let believed = Note::new(super::rules::BELIEVED).marked(Mark::Caveat);
    Page { tables: vec![first, every], footer: vec![believed, Note::default().before(command)] }
}

fn table(name: &'static str, lines: &[(&'static str, &Judged)]) -> Table {
    let same = Column::new("same", "same sign in", Content::Number(Scale::Count));
    let caption = "Findings under the rules as they are, and the joint draws with the same sign";
    Listing::of(lines.iter().copied())
        .column(Column::plain("study", Content::Key), |(study, _)| Cell::text(*study))
        .column(Column::new("statement", "what", Content::Key), |(_, line)| Cell::text(&line.name))
        .column(Column::new("printed", "rules as they are [95 %]", CHANGE).mixed(), |(_, line)| {
            cell(Some(&line.printed))
        })
        .column(Column::new("p", "adjusted p", Content::PValue), |(_, line)| {
            Cell::Number(line.adjusted_p)
        })
        .column(same, |(_, line)| Cell::Count(line.same))
        .column(Column::new("mean", "mean over draws [95 %]", CHANGE).mixed(), |(_, line)| {
            cell(Some(&line.mean))
        })
        .column(Column::plain("spread", Content::Number(Scale::Fixed(3))), |(_, line)| {
            Cell::Number(line.spread)
        })
        .column(Column::plain("power", Content::Number(Scale::Fixed(2))), |(_, line)| {
            Cell::Number(line.power)
        })
        .column(Column::plain("verdict", Content::Text), |(_, line)| Cell::text(verdict(line)))
        .marked(|(_, line)| match line.is_found() && line.is_kept() {
            true => Mark::Plain,
            false => Mark::Open,
        })
        .table(name, caption)
}

fn verdict(line: &Judged) -> &'static str {
    match (line.is_found(), line.is_kept()) {
        (true, true) => "survives",
        (true, false) => "does not survive",
        (false, _) => "undecided",
    }
}

/// Returns the document.
#[must_use]
pub fn json(all: &[Studied]) -> Json {
    let entry = |study: &'static str, line: &Judged| {
        json!({
            "study": study,
            "statement": line.name,
            "printed": line.printed.json(),
            "p": line.adjusted_p,
            "found": line.is_found(),
            "same_sign": line.same,
            "draws": line.draws,
            "survives": line.is_found() && line.is_kept(),
            "mean": line.mean.json(),
            "spread": line.spread,
            "power": line.power,
            "agents_believe": "the default rules",
        })
    };
    let [found, kept, n] = counts(all);
    let lines = all.iter().flat_map(|one| one.all.iter().map(move |line| entry(one.study, line)));
    json!({ "statements": n, "found": found, "survive": kept, "joint": lines.collect::<Vec<_>>() })
}
