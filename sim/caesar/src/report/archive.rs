//! The archive of strategies by behaviour: table, sentence and document.

use serde_json::{Value as Json, json};

use super::names::Names;
use super::table::{Cell, Column, Content, Note, Row, Scale, Table, word};
use lab::strategies::archive::{Archive, BLOCKS, Elite, Niche};
use lab::strategies::descriptors::Descriptor;
use sim::stats::Interval;
use sim::units;

/// The name of the table.
pub(super) const NAME: &str = "archive";

/// An archive with its elites as specs, in the order of the cells.
#[derive(Debug)]
pub(super) struct Spelled<'a> {
    pub(super) niche: &'a Niche,
    pub(super) archive: &'a Archive,
    pub(super) specs: Vec<String>,
}

/// Returns the values of a bin in words.
fn bin(edges: &[f64], at: usize) -> String {
    let edge = |i: usize| units::given(edges[i]);
    match at {
        _ if edges.is_empty() => "all".to_owned(),
        0 => format!("below {}", edge(0)),
        _ if at == edges.len() => format!("from {}", edge(at - 1)),
        _ => format!("{}..{}", edge(at - 1), edge(at)),
    }
}

impl Spelled<'_> {
    fn bins(&self, cell: &[usize]) -> Vec<String> {
        self.archive.edges.iter().zip(cell).map(|(edges, &at)| bin(edges, at)).collect()
    }

    fn elites(&self) -> impl Iterator<Item = (&Vec<usize>, &Elite, &String)> {
        self.archive.elites.iter().zip(&self.specs).map(|((cell, elite), spec)| (cell, elite, spec))
    }

    /// Returns the result in words.
    pub(super) fn sentence(&self) -> String {
        let names: Vec<&str> = self.niche.descriptors.iter().map(Descriptor::name).collect();
        let (filled, all) = (self.archive.elites.len(), self.archive.cells().len());
        let ends: Vec<Interval> =
            self.elites().map(|(_, one, _)| self.archive.interval(one)).collect();
        let count = |is: &dyn Fn(&Interval) -> bool| ends.iter().filter(|one| is(one)).count();
        let (gain, lose) = (count(&|one| one.low > 0.0), count(&|one| one.high < 0.0));
        let better = match gain {
            0 => "",
            _ => {
                ". Those that gain are better responses than the loop found: put them into the start, or search longer"
            }
        };
        format!(
            "Archive by {}: {filled} of {all} cells have a strategy. {gain} gain on the mixture, {lose} lose to it, {} are \
             undecided{better}",
            names.join(" and "),
            filled - gain - lose
        )
    }

    /// Returns the table of all cells, also of those without a strategy.
    pub(super) fn table(&self, names: &Names) -> Table {
        let descriptors = &self.niche.descriptors;
        let bins = descriptors.iter().map(|one| Column::new(one.name(), one.name(), Content::Key));
        let measured = descriptors.iter().map(|one| {
            let title = format!("its {}", one.name());
            Column::new(format!("own_{}", one.name()), title, Content::Number(Scale::MEAN))
        });
        let result = [
            Column::plain("strategy", Content::Text),
            Column::new(
                "gain",
                "gain on mixture [95 % of all]",
                Content::Estimate(Scale::Signed(4)),
            ),
            Column::plain("verdict", Content::Text),
        ];
        let last = Column::new("stays", "stays in its cell", Content::Text);
        let columns = bins.chain(result).chain(measured).chain([last]).collect();
        let words: Vec<String> = descriptors.iter().map(Descriptor::words).collect();
        let mut table = Table::new(NAME, format!("Strategies by {}", words.join(" and ")), columns);
        for cell in self.archive.cells() {
            let mut cells: Vec<Cell> = self.bins(&cell).into_iter().map(Cell::text).collect();
            let found = self.elites().find(|(at, ..)| **at == cell);
            let Some((_, elite, spec)) = found else {
                cells.resize_with(2 * descriptors.len() + 4, || Cell::Nothing);
                table.rows.push(Row::new(cells));
                continue;
            };
            let interval = self.archive.interval(elite);
            let (word, mark) = word(interval);
            cells.extend([
                names.cell(spec),
                Cell::Estimate(elite.gain.mean(), Some(interval)),
                Cell::text(word),
            ]);
            cells.extend(elite.described.iter().map(|x| Cell::Number(*x)));
            cells.push(Cell::text(if elite.stays { "yes" } else { "no" }));
            table.rows.push(Row { cells, mark });
        }
        let candidates = units::counted(self.archive.candidates, "candidate");
        table.noted(Note::new(format!(
            "The best of {candidates} in each cell, by {BLOCKS} blocks among draws from the mixture. Bins are quantiles of a \
             random sample. Gains and own numbers come from fresh blocks, which chose nothing; a strategy stays if these \
             lie in its cell, too",
        )))
    }

    /// Returns the archive as JSON.
    pub(super) fn json(&self) -> Json {
        let descriptors = self.niche.descriptors.iter().zip(&self.archive.edges);
        let descriptors = descriptors.map(
            |(one, edges)| json!({"name": one.name(), "meaning": one.words(), "edges": edges}),
        );
        let cells = self.elites().map(|(cell, elite, spec)| {
            let Interval { low, high } = self.archive.interval(elite);
            json!({
                "cell": cell,
                "agent": spec,
                "gain_on_mixture": {"value": elite.gain.mean(), "low": low, "high": high},
                "described": elite.described,
                "stays": elite.stays,
            })
        });
        json!({
            "descriptors": descriptors.collect::<Vec<_>>(),
            "candidates": self.archive.candidates,
            "result": self.sentence(),
            "cells": cells.collect::<Vec<_>>(),
        })
    }
}
