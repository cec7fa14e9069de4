//! Report of a fit that learns pass by pass: losses on held-out games by section of the game, losses by pass on validation games, and
//! calibration.

use super::table::{Cell, Column, Content, Listing, Note, Page, Scale, Table};
use super::win_model::{cell, reliability};
use lab::fit::learning::{HeldOut, Pass};
use sim::stats::calibration::{Calibration, Figure};
use sim::stats::clustered::ClusteredRatio;
use sim::units;

/// The name of the table of losses on held-out games.
pub const HELD_OUT: &str = "held-out";
/// The name of the table of passes.
pub const PASSES: &str = "passes";
/// The name of the table of calibration.
pub const RELIABILITY: &str = "reliability";

/// Contents of the report.
#[derive(Clone, Debug)]
pub struct LearntReport<'a> {
    /// Heading of the losses.
    pub caption: String,
    /// Names of the forecasts whose losses are told; the last is that of what was learnt.
    pub forecasts: &'static [&'static str],
    /// The index of the forecast that the gain is against.
    pub against: usize,
    /// Explanation of the losses.
    pub note: &'static str,
    /// Word for an example: a position or a decision.
    pub unit: &'static str,
    /// Description of the loss of an example in learning.
    pub loss: &'static str,
    /// Held-out examples with their losses.
    pub held_out: &'a [HeldOut],
    /// Losses by pass.
    pub passes: &'a [Pass],
    /// The chosen pass, from 1.
    pub taken: usize,
    /// Number of examples that were learnt from.
    pub learnt: usize,
    /// Number of weights.
    pub weights: usize,
    /// Calibration on held-out games, where there are chances.
    pub calibration: Option<&'a Calibration>,
    /// The names of the sections.
    pub sections: &'a [String],
    /// Caveats printed under the tables.
    pub notes: Vec<String>,
}

impl LearntReport<'_> {
    fn ratio(&self, section: Option<usize>, of: impl Fn(&HeldOut) -> f64) -> ClusteredRatio {
        let mut ratio = ClusteredRatio::default();
        let all = self.held_out.iter();
        for one in all.filter(|one| section.is_none_or(|section| section == one.section)) {
            ratio.add(one.cluster, of(one), 1.0);
        }
        ratio
    }

    /// Returns the page of the fit.
    #[must_use]
    pub fn page(&self) -> Page {
        let reliability = self.calibration.map(|calibration| {
            let caption =
                "Calibration of the net on held-out games: win probability, and points won";
            let reliability = reliability(RELIABILITY, caption, calibration);
            let error = cell(calibration.expected_error());
            let column = Column::plain("", Content::Estimate(Scale::SHARE));
            let error = format!("expected calibration error: {}", column.shown(&error));
            reliability.noted(Note::new(error))
        });
        let tables = [self.held_out(), self.passes()].into_iter().chain(reliability).collect();
        Page { tables, footer: Vec::new() }
    }

    fn held_out(&self) -> Table {
        let seen = |section: &usize| self.held_out.iter().any(|one| one.section == *section);
        let sections = (0..self.sections.len()).filter(seen).map(Some).chain([None]);
        let mut table = Listing::of(sections)
            .column(Column::plain("section", Content::Key), |section| {
                Cell::text(section.map_or("all", |section| &self.sections[section]))
            })
            .column(
                Column::plain(&format!("{}s", self.unit), Content::Number(Scale::Count)),
                |section| Cell::Count(self.ratio(*section, |_| 0.0).weight() as u64),
            );
        for (by, name) in self.forecasts.iter().enumerate() {
            let column = Column::plain(name, Content::Number(Scale::SHARE));
            table = table.column(column, move |section| {
                let ratio = self.ratio(*section, |one| one.losses[by]);
                ratio.estimate().map_or(Cell::Nothing, Cell::Number)
            });
        }
        let gain = Column::new("gain", "gain [95 %]", Content::Estimate(Scale::SHARE));
        let (against, own) = (self.against, self.forecasts.len() - 1);
        let table = table
            .column(gain, |section| {
                cell(Figure::of(&self.ratio(*section, |one| one.losses[against] - one.losses[own])))
            })
            .table(HELD_OUT, self.caption.clone());
        let note = Note::new(self.note);
        self.notes.iter().fold(table.noted(note), |table, note| table.noted(Note::new(note)))
    }

    fn passes(&self) -> Table {
        let loss = Content::Number(Scale::SHARE);
        let table = Listing::of(self.passes.iter().enumerate())
            .column(Column::plain("pass", Content::Key), |(at, _)| Cell::from_one(*at as u64))
            .column(Column::plain("learning", loss), |(_, pass)| Cell::Number(pass.learning))
            .column(Column::plain("choosing", loss), |(_, pass)| Cell::Number(pass.choosing))
            .column(Column::plain("taken", Content::Text), |(at, _)| {
                if at + 1 == self.taken { Cell::text("yes") } else { Cell::Nothing }
            })
            .table(PASSES, format!("Passes over the {}s", self.unit));
        table.noted(Note::new(format!(
            "{}, of {} that it learns from, and of the games that choose; {}",
            self.loss,
            units::counted(self.learnt as u64, self.unit),
            units::counted(self.weights as u64, "weight")
        )))
    }
}
