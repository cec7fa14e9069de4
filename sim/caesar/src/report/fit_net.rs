//! Report of a net's fit: losses on held-out games by section of the game, losses by pass on validation games, and
//! calibration.

use super::table::{Cell, Column, Content, Listing, Note, Page, Scale, Table};
use super::win_model::{cell, reliability};
use lab::fit::net::{HeldOut, Outcome};
use sim::stats::calibration::Figure;
use sim::stats::clustered::ClusteredRatio;
use sim::units;

/// The names of the tables.
pub const TABLES: [&str; 3] = ["held-out", "passes", "reliability"];

/// Contents of a net fit's report.
#[derive(Clone, Debug)]
pub struct NetFitReport<'a> {
    /// The game.
    pub game: &'a str,
    /// Seats at the table.
    pub players: usize,
    /// Number of games in the fit.
    pub games: u64,
    /// Result of the fit.
    pub outcome: &'a Outcome,
    /// The names of the sections.
    pub sections: &'a [String],
    /// Caveats printed under the tables.
    pub notes: Vec<String>,
}

impl NetFitReport<'_> {
    fn ratio(&self, section: Option<usize>, of: impl Fn(&HeldOut) -> f64) -> ClusteredRatio {
        let mut ratio = ClusteredRatio::default();
        let all = self.outcome.held_out.iter();
        for one in all.filter(|one| section.is_none_or(|section| section == one.section)) {
            ratio.add(one.cluster, of(one), 1.0);
        }
        ratio
    }

    /// Returns the page of the fit.
    #[must_use]
    pub fn page(&self) -> Page {
        let caption = "Calibration of the net on held-out games: win probability, and points won";
        let reliability = reliability(TABLES[2], caption, &self.outcome.calibration);
        let error = cell(self.outcome.calibration.expected_error());
        let column = Column::plain("", Content::Estimate(Scale::SHARE));
        let error = format!("expected calibration error: {}", column.shown(&error));
        let tables = vec![self.held_out(), self.passes(), reliability.noted(Note::new(error))];
        Page { tables, footer: Vec::new() }
    }

    fn held_out(&self) -> Table {
        let seen =
            |section: &usize| self.outcome.held_out.iter().any(|one| one.section == *section);
        let sections = (0..self.sections.len()).filter(seen).map(Some).chain([None]);
        let mut table = Listing::of(sections)
            .column(Column::plain("section", Content::Key), |section| {
                Cell::text(section.map_or("all", |section| &self.sections[section]))
            })
            .column(Column::plain("positions", Content::Number(Scale::Count)), |section| {
                Cell::Count(self.ratio(*section, |_| 0.0).weight() as u64)
            });
        for (by, name) in ["even", "linear", "net"].into_iter().enumerate() {
            let column = Column::plain(name, Content::Number(Scale::SHARE));
            table = table.column(column, move |section| {
                let ratio = self.ratio(*section, |one| one.losses[by]);
                ratio.estimate().map_or(Cell::Nothing, Cell::Number)
            });
        }
        let gain = Column::new("gain", "gain [95 %]", Content::Estimate(Scale::SHARE));
        let caption = format!(
            "A net for {} with {} players, fitted to {}",
            self.game,
            self.players,
            units::counted(self.games, "game")
        );
        let table = table
            .column(gain, |section| {
                cell(Figure::of(&self.ratio(*section, |one| one.losses[1] - one.losses[2])))
            })
            .table(TABLES[0], caption);
        let note = Note::new(
            "Log loss of a seat on held-out games. gain: linear minus net, with individual 95 % intervals by game. A gain does not \
             prove strength; test it with caesar compare",
        );
        self.notes.iter().fold(table.noted(note), |table, note| table.noted(Note::new(note)))
    }

    fn passes(&self) -> Table {
        let loss = Content::Number(Scale::SHARE);
        let table = Listing::of(self.outcome.passes.iter().enumerate())
            .column(Column::plain("pass", Content::Key), |(at, _)| Cell::from_one(*at as u64))
            .column(Column::plain("learning", loss), |(_, pass)| Cell::Number(pass.learning))
            .column(Column::plain("choosing", loss), |(_, pass)| Cell::Number(pass.choosing))
            .column(Column::plain("taken", Content::Text), |(at, _)| {
                if at + 1 == self.outcome.taken { Cell::text("yes") } else { Cell::Nothing }
            })
            .table(TABLES[1], "Passes over the positions");
        table.noted(Note::new(format!(
            "log loss of all seats, of {} that it learns from, and of the games that choose; {}",
            units::counted(self.outcome.learnt as u64, "position"),
            units::counted(self.outcome.weights as u64, "weight")
        )))
    }
}
