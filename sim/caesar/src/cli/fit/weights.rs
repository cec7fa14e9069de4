//! `caesar fit weights`.

use agents::{Observable, Playable};
use clap::Args;
use engine::Rules;
use serde_json::{Map, json};

use super::common::{Common, head, spec};
use super::value::notes;
use crate::cli::Ending;
use crate::report::fit::{FitReport, Loss};
use lab::fit::folds::CrossValidation;
use lab::fit::positions::{Sectioned, Which};
use lab::fit::weights::{Outcome, Subject, fit};
use lab::fit::{Origin, Sections};
use sim::catalogue::{WithGame, with_game};
use sim::error::Error;
use sim::units;

/// What stands under the options.
pub(super) const AFTER_HELP: &str = "\
The evaluation is asked what positions are worth to each seat; the weights with which a softmax of that \
says best who won are found by its derivatives (Texel's method). Where it is in units of the score, what a unit \
is worth is found, too, for each section of the game. Whole numbers stay as they are: tune them by games.
The file that --out writes has all weights, for greedy(weights=FILE) and mcts(weights=FILE).
Tables: held-out (log loss of a seat by section: even chances, today's weights, the new ones), \
strengths, fitted.
An evaluation that says better who wins need not choose better: compare says which is.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// The agent whose weights are today's
    #[arg(long, value_name = "SPEC", default_value = "greedy")]
    start: String,
    /// Weights that are fitted, divided by commas [default: all that are no whole numbers]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    weights: Vec<String>,
    /// Weights that stay as they are, divided by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    hold: Vec<String>,
    #[command(flatten)]
    common: Common,
}

/// What came of it.
struct Fit {
    origin: Origin,
    outcome: Outcome,
    sections: Sections,
    games: u64,
    broken_off: u64,
    rules: Rules,
}

struct Task<'a>(&'a Options);

impl WithGame for Task<'_> {
    type Output = Result<Fit, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let (options, common) = (self.0, &self.0.common);
        let start = spec("start", &options.start)?;
        start.build(&game)?;
        lab::fit::weights::evaluation_of(&game, start.settings())?;
        let subject = Subject::new::<G>(start.settings(), &options.weights, &options.hold)?;
        common.pool()?.install(|| {
            let collected = common.collect(&game, rules, Which::Beginnings)?;
            let sections = Sections::of(collected.positions.iter().map(|one| one.progress));
            let mut more = Map::new();
            more.insert("start".to_owned(), json!(start.to_string()));
            for (key, names) in [("weights", &options.weights), ("hold", &options.hold)] {
                if !names.is_empty() {
                    more.insert(key.to_owned(), json!(names.join(",")));
                }
            }
            let origin = common.origin(&game, &collected.source, "weights", more);
            let first = format!(
                "The weights of {} for {} players, fitted to who won.",
                origin.game, origin.players
            );
            let plan = CrossValidation { folds: common.folds(), strengths: &common.strengths() };
            let positions = Sectioned { collected: &collected, sections: &sections };
            let outcome = fit(&game, positions, subject, plan, &head(first, &origin))?;
            let (games, broken_off) = (collected.games, collected.broken_off);
            Ok(Fit { origin, outcome, sections, games, broken_off, rules: rules.clone() })
        })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = options.common.setup()?;
    let fit = with_game(&setup, Task(options))??;
    let Outcome { held_out, fitted, idle, stopped, file } = &fit.outcome;
    options.common.save(file)?;
    let loss = |key, title, losses| Loss { key, title, losses };
    let mut notes = notes(fit.broken_off);
    let list = |names: &[&str]| names.join(", ");
    if !idle.is_empty() {
        notes.push(format!("left as they are, since they change nothing here: {}", list(idle)));
    }
    if !stopped.is_empty() {
        notes.push(format!("at the end of their range: {}", list(stopped)));
    }
    let told = FitReport {
        caption: format!(
            "The weights of {} with {} players, fitted to {}",
            fit.origin.game,
            fit.origin.players,
            units::counted(fit.games, "game")
        ),
        places: &held_out.places,
        sections: fit.sections.names(),
        losses: vec![
            loss("even", "even", &held_out.even),
            loss("today", "today", &held_out.today),
            loss("fitted", "fitted", &held_out.validated.losses),
        ],
        against: 1,
        validated: &held_out.validated,
        fitted,
        choices: None,
        unit: "log loss of a seat",
        notes,
    };
    let mut more = Map::new();
    more.insert("games".to_owned(), json!(fit.games));
    more.insert("idle".to_owned(), json!(idle));
    more.insert("at_end_of_range".to_owned(), json!(stopped));
    options.common.print(&told, &fit.origin, more, &fit.rules)
}
