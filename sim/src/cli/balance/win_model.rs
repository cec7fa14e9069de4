//! `caesar balance win-model`.

use std::path::PathBuf;

use agents::Playable;
use clap::Args;
use engine::Rules;
use engine::rules::Change;

use super::watching::{Part, Watching, guess_time, plan_page, save};
use crate::arc::study::{Judged, Study};
use crate::catalogue::{WithGame, with_game};
use crate::changes::with_changes;
use crate::cli::output::{Form, OneTable};
use crate::cli::{Ending, look, print};
use crate::document::document as line;
use crate::error::Error;
use crate::report::rules;
use crate::report::table::Page;
use crate::report::win_model::{self as report, document};

/// What stands under the options.
pub(super) const AFTER_HELP: &str = "\
The model gives every seat its chance to win at any point of a game, from what a spectator counts who \
sees the whole state, hidden cards too: for analysis, never for agents. It holds for the agent that \
played, at this number of players and under these rules.
Held-out games say whether it can be believed: chances must be those with which games are won \
(expected calibration error), and move as chances must (quadratic variation, 1 for a martingale).
--out DIR writes win-model.json, a CSV file for each table, and model.json, which --model reads.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    #[command(flatten)]
    common: Watching,
    /// Judge this model, as --out wrote it, in place of fitting one
    #[arg(long, value_name = "FILE", conflicts_with = "fit_games")]
    model: Option<PathBuf>,
    /// Write the model, the document and the tables into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
}

/// What came of it: a plan, or a model that was judged.
enum Outcome {
    Plan(Box<Page>),
    Done(Box<(Study, Judged, Vec<Change>)>),
}

struct Fit<'a>(&'a Options);

impl WithGame for Fit<'_> {
    type Output = Result<Outcome, Error>;

    fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
        let common = &self.0.common;
        let study = common.study(&game, rules)?;
        let model = Watching::model::<G>(self.0.model.as_deref(), &study)?;
        Watching::check::<G>(&study, model.is_some())?;
        if common.plan {
            let fitted = if model.is_some() { 0 } else { study.fitted };
            let parts = [
                Part { name: "fit", games: fitted, observations: 0 },
                Part { name: "held out", games: study.games, observations: study.games },
            ];
            if !common.quiet {
                guess_time(common, &game, &study, fitted + study.games)?;
            }
            return Ok(Outcome::Plan(Box::new(plan_page(&study, &parts))));
        }
        let judged = common.pool()?.install(|| {
            let model = study.model(&game, model)?;
            study.judge(&game, model)
        })?;
        Ok(Outcome::Done(Box::new((study, judged, rules.changes()))))
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let common = &options.common;
    let tables: &[&str] = if common.plan { &["plan"] } else { &report::TABLES };
    options.one.check(&options.form, tables, &[])?;
    let setup = common.rules.setup(common.game(), common.players)?;
    let (study, judged, changes) = match with_game(&setup, Fit(options))?? {
        Outcome::Plan(page) => {
            let text = match options.form.is_json() {
                true => line(&document(serde_json::Map::new(), &page.tables)),
                false => options.form.write(look(), Some(&options.one), &|_| (*page).clone()),
            };
            return print(&text).map(|()| Ending::Done);
        }
        Outcome::Done(done) => *done,
    };
    let mut page = report::page(&judged.model, &judged.audit, judged.saving.as_ref());
    page.footer.extend(rules::note(common.game(), &changes));
    let facts = common.facts(&study, &judged.model);
    if let Some(dir) = &options.out {
        save(dir, "win-model.json", facts.clone(), &page, &judged.model)?;
    }
    print(&match options.form.is_json() {
        true => line(&with_changes(document(facts, &page.tables), &changes)),
        false => options.form.write(look(), Some(&options.one), &|_| page.clone()),
    })?;
    Ok(Ending::Done)
}
