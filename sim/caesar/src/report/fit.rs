//! Report of a fit: losses on held-out games by section of the game, strength of regularization, and weights.

use super::table::{Cell, Column, Content, Listing, Note, Page, Scale, Table};
use lab::fit::iterate::Loss as StepLoss;
use lab::fit::priors::FirstChoices;
use lab::fit::{Fitted, Unknown, Validated};
use sim::stats::Interval;
use sim::stats::calibration::Figure;
use sim::stats::clustered::ClusteredRatio;
use sim::units;

/// The names of the tables.
pub const TABLES: [&str; 4] = ["held-out", "strengths", "fitted", "choices"];

/// Held-out loss of one model, position by position.
#[derive(Clone, Debug)]
pub struct Loss<'a> {
    /// Name for programs.
    pub key: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Losses by position.
    pub losses: &'a [f64],
}

/// Contents of a fit's report.
#[derive(Clone, Debug)]
pub struct FitReport<'a> {
    /// One-line description of the fit.
    pub caption: String,
    /// Cluster and section of each position.
    pub places: &'a [(u64, usize)],
    /// The names of the sections.
    pub sections: &'a [String],
    /// Models, of which the last is the new one.
    pub losses: Vec<Loss<'a>>,
    /// Index of the reference model.
    pub against: usize,
    /// Result of the choice of regularization strength.
    pub validated: &'a Validated,
    /// Fitted numbers.
    pub fitted: &'a [Fitted],
    /// Loss from the fitted first choices, if priors are fitted to values.
    pub choices: Option<&'a FirstChoices>,
    /// Name of the loss.
    pub unit: &'static str,
    /// Caveats printed under the tables.
    pub notes: Vec<String>,
}

impl FitReport<'_> {
    /// Returns the mean loss at the positions of a section, or of all.
    #[must_use]
    pub fn mean(&self, losses: &[f64], section: Option<usize>) -> Option<f64> {
        self.ratio(|place| losses[place], section).estimate()
    }

    fn ratio(&self, of: impl Fn(usize) -> f64, section: Option<usize>) -> ClusteredRatio {
        let mut ratio = ClusteredRatio::default();
        for (place, (cluster, own)) in self.places.iter().enumerate() {
            if section.is_none_or(|section| section == *own) {
                ratio.add(*cluster, of(place), 1.0);
            }
        }
        ratio
    }

    /// Returns the reduction in loss of the new model against the reference model.
    #[must_use]
    pub fn gain(&self, section: Option<usize>) -> Option<Figure> {
        let (old, new) =
            (self.losses[self.against].losses, self.losses[self.losses.len() - 1].losses);
        Figure::of(&self.ratio(|place| old[place] - new[place], section))
    }

    /// Returns the page of the fit.
    #[must_use]
    pub fn page(&self) -> Page {
        let mut tables = vec![self.held_out(), self.strengths().detail(), self.weights().detail()];
        tables.extend(self.choices.map(|choices| self.first_choices(choices)));
        Page { tables, footer: Vec::new() }
    }

    fn first_choices(&self, choices: &FirstChoices) -> Table {
        let worth = Content::Estimate(Scale::SHARE);
        let columns = vec![
            Column::plain("priors", Content::Key),
            Column::new("forgone", "forgone [95 %]", worth),
        ];
        let row = |name: &str, of: &dyn Fn(usize) -> f64| {
            let figure = Figure::of(&self.ratio(of, None));
            vec![Cell::text(name), super::win_model::cell(figure)]
        };
        let (today, fitted) = (&choices.today, &choices.fitted);
        let rows = [
            row("today", &|place| today[place]),
            row("fitted", &|place| fitted[place]),
            row("gain", &|place| today[place] - fitted[place]),
        ];
        let note = Note::new(
            "On held-out games, in points of the game. Values are estimates and the best of them is too high, so \
             both losses are too large; the gain is unbiased",
        );
        let caption = "Loss of the option that the priors prefer, against the best option";
        Table::new(TABLES[3], caption, columns).with(rows).noted(note)
    }

    fn held_out(&self) -> Table {
        let seen = |section: &usize| self.places.iter().any(|(_, own)| own == section);
        let sections = (0..self.sections.len()).filter(seen).map(Some).chain([None]);
        let mut table = Listing::of(sections)
            .column(Column::plain("section", Content::Key), |section| {
                Cell::text(section.map_or("all", |section| &self.sections[section]))
            })
            .column(Column::plain("positions", Content::Number(Scale::Count)), |section| {
                Cell::Count(self.ratio(|_| 0.0, *section).weight() as u64)
            });
        for loss in self.losses.iter() {
            let column = Column::new(loss.key, loss.title, Content::Number(Scale::SHARE));
            table = table.column(column, |section| {
                self.mean(loss.losses, *section).map_or(Cell::Nothing, Cell::Number)
            });
        }
        let gain = Column::new("gain", "gain [95 %]", Content::Estimate(Scale::SHARE));
        let mut table = table
            .column(gain, |section| super::win_model::cell(self.gain(*section)))
            .table(TABLES[0], self.caption.clone());
        let against = self.losses[self.against].title;
        table.notes.push(Note::new(format!(
            "{} on held-out games ({} folds by game). gain: {against} minus the last column, with individual 95 % \
             intervals by game. A gain does not prove strength; test it with caesar compare",
            self.unit, self.validated.folds
        )));
        table.notes.extend(self.notes.iter().map(Note::new));
        table
    }

    fn strengths(&self) -> Table {
        let columns = vec![
            Column::plain("strength", Content::Key),
            Column::plain("loss", Content::Number(Scale::Fixed(5))),
            Column::plain("chosen", Content::Text),
        ];
        let row = |(strength, loss): &(f64, f64)| {
            let is_same = |other: &f64| strength.total_cmp(other).is_eq();
            let chosen = match () {
                () if is_same(&self.validated.strength) => Cell::text("yes"),
                () if self.validated.as_good.iter().any(is_same) => Cell::text("as good"),
                () => Cell::Nothing,
            };
            vec![Cell::text(strength.to_string()), Cell::Number(*loss), chosen]
        };
        let caption = "Strength of the penalty towards today's weights, by held-out loss";
        let table =
            Table::new(TABLES[1], caption, columns).with(self.validated.tried.iter().map(row));
        match self.validated.as_good.len() {
            1 => table,
            _ => table.noted(Note::new("as good: not distinguishable from the least loss (95 %)")),
        }
    }

    fn weights(&self) -> Table {
        let digits = Content::Number(Scale::Fixed(4));
        let moment = Column::plain("moment", Content::Key);
        let has_moments = self.fitted.iter().any(|fitted| fitted.moment.is_some());
        let interval = Content::Estimate(Scale::Fixed(4));
        let strength = units::share(self.validated.strength.min(1.0));
        let mut table = Listing::of(self.fitted.iter())
            .maybe(has_moments.then_some(moment), |fitted| {
                fitted.moment.as_ref().map_or(Cell::Nothing, Cell::text)
            })
            .column(Column::plain("weight", Content::Key), |fitted| Cell::text(&fitted.name))
            .column(Column::plain("today", digits), |fitted| Cell::Number(fitted.today))
            .column(Column::new("fitted", "fitted [95 %]", interval).mixed(), |fitted| {
                Cell::Estimate(fitted.now, fitted.interval.ok())
            })
            .column(Column::new("why_none", "why no interval", Content::Text), |fitted| {
                fitted.interval.err().map_or(Cell::Nothing, |why| Cell::text(why.text()))
            })
            .table(TABLES[2], format!("Fitted weights at strength {strength}"));
        table.notes.push(Note::new(format!(
            "The intervals cover the fit on other games, {}. They are individual, by game, and end at the limits of \
             a weight",
            match self.validated.as_good.len() {
                1 => "at the same strength",
                _ => "at each strength that is as good",
            }
        )));
        let all = Unknown::ALL
            .into_iter()
            .filter(|why| self.fitted.iter().any(|fitted| fitted.interval == Err(*why)));
        table.notes.extend(all.map(|why| Note::new(format!("{}: {}", why.text(), why.meaning()))));
        table
    }
}

/// A step of an expert iteration.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub step: u32,
    /// Fitted agent.
    pub candidate: String,
    /// Losses on held-out games.
    pub losses: Vec<StepLoss>,
    /// The effect with the ends of its interval.
    pub effect: (f64, f64, f64),
    /// The verdict of the test.
    pub verdict: String,
    /// Blocks of the test.
    pub blocks: u64,
    /// Its games.
    pub games: u64,
    /// Flag for an agent that replaced the previous one.
    pub kept: bool,
}

/// Returns the page of an expert iteration.
#[must_use]
pub fn steps_page(steps: &[Step], effect: f64) -> Page {
    let columns = vec![
        Column::plain("step", Content::Key),
        Column::new("effect", "effect [90 %]", Content::Estimate(Scale::Signed(4))),
        Column::plain("verdict", Content::Text),
        Column::plain("kept", Content::Text),
        Column::plain("blocks", Content::Number(Scale::Count)),
        Column::plain("games", Content::Number(Scale::Count)),
        Column::plain("losses", Content::Prose),
        Column::plain("candidate", Content::Prose),
    ];
    let row = |step: &Step| {
        let (estimate, low, high) = step.effect;
        let loss = |loss: &StepLoss| {
            let [today, fitted] = [loss.today, loss.fitted].map(units::share);
            format!("{} {today} to {fitted}", loss.part.name())
        };
        let losses: Vec<String> = step.losses.iter().map(loss).collect();
        vec![
            Cell::text(step.step.to_string()),
            Cell::Estimate(estimate, Some(Interval { low, high })),
            Cell::text(step.verdict.clone()),
            Cell::Flag(step.kept),
            Cell::Count(step.blocks),
            Cell::Count(step.games),
            Cell::text(losses.join("; ")),
            Cell::text(step.candidate.clone()),
        ]
    };
    let caption = format!(
        "Steps; a step is kept only if the test accepts a gain of {effect} points per game against 0"
    );
    let note = Note::new(
        "effect: share of the new agent against the old one minus an equal share; losses: on held-out games, before \
         and after",
    );
    Page::of(Table::new("steps", caption, columns).with(steps.iter().map(row)).noted(note))
}
