//! `caesar balance game`.

use std::path::PathBuf;

use agents::{AgentSpec, Playable};
use clap::Args;
use engine::Rules;
use engine::rules::Change;

use super::watching::{Part, Watching, guess_time, plan_page, save};
use crate::arc::study::{Report, Study};
use crate::catalogue::{WithGame, with_game};
use crate::changes::with_changes;
use crate::cli::output::{Form, OneTable};
use crate::cli::{Ending, look, print, whole};
use crate::document::document as line;
use crate::error::Error;
use crate::report::arc;
use crate::report::rules;
use crate::report::table::Page;
use crate::report::win_model::document;

/// What stands under the options.
pub(super) const AFTER_HELP: &str = "\
Games of one agent in all seats are watched by a model of win probability that was fitted to other \
games of it (see balance win-model). Where that model cannot be believed, the figures that rest on it \
are not told, and the reason is; length, kinds of action, wins by lead, luck and skill rest on no model.
Luck: each stream of random numbers (set-up, decks, dice, the agents' thinking) is dealt anew with the \
others held. Skill: each rung of --ladder in one seat against the one before it in all others.
Tables: game, stages, leads, kinds, unused, streams, skill, model, reliability, model-stages. --out DIR \
writes game.json, a CSV file for each, and model.json.";

/// Deals that are dealt anew, nine games each, and blocks of a step of the ladder; the same of `--quick`.
const DEALS: [u64; 2] = [500, 200];
const STEPS: [u64; 2] = [200, 100];
/// The rungs of the ladder; the last one is left out with `--quick`.
const LADDER: [&str; 3] = ["random", "greedy", "mcts(iterations=100)"];
/// Fewest deals and blocks that say anything.
const FEWEST: u64 = 20;

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    #[command(flatten)]
    common: Watching,
    /// Watch with this model, as balance win-model --out wrote it, in place of fitting one
    #[arg(long, value_name = "FILE", conflicts_with = "fit_games")]
    model: Option<PathBuf>,
    /// Deals that are dealt anew stream by stream, nine games each; 0 for none [default: 500; 200
    /// with --quick]
    #[arg(long, value_name = "N", value_parser = whole)]
    deals: Option<u64>,
    /// A rung of the ladder of skill, the weakest first (repeatable) [default: random, greedy and,
    /// without --quick, mcts(iterations=100)]
    #[arg(long, value_name = "SPEC")]
    ladder: Vec<String>,
    /// Blocks of each step of the ladder, in each of which it takes every seat once; 0 for no
    /// ladder [default: 200; 100 with --quick]
    #[arg(long, value_name = "N", value_parser = whole)]
    steps: Option<u64>,
    /// Write the document, the tables and the model into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
}

impl Options {
    fn study<G: Playable>(&self, game: &G, rules: &Rules) -> Result<Study, Error> {
        let which = usize::from(self.common.quick);
        let usual = &LADDER[..LADDER.len() - which];
        let rungs: Vec<String> = match self.ladder.is_empty() {
            true => usual.iter().map(|&spec| spec.to_owned()).collect(),
            false => self.ladder.clone(),
        };
        let mut study = self.common.study(game, rules)?;
        study.deals = self.deals.unwrap_or(DEALS[which]);
        study.steps = self.steps.unwrap_or(STEPS[which]);
        let rung = |text: &String| -> Result<AgentSpec, Error> {
            let mut spec = self.common.spec(text)?;
            spec.supply_rules(rules.overrides());
            spec.build(game)?;
            Ok(spec)
        };
        study.rungs = rungs.iter().map(rung).collect::<Result<_, Error>>()?;
        if study.steps == 0 {
            study.rungs.clear();
        }
        for (name, n) in [("deals", study.deals), ("steps", study.steps)] {
            if (1..FEWEST).contains(&n) {
                let message =
                    format!("too few to say anything: at least {FEWEST} are needed, or 0 for none");
                return Err(Error::value(name, n.to_string(), message));
            }
        }
        if study.rungs.len() == 1 {
            let message = "one rung is no ladder: name two or more, the weakest first";
            return Err(Error::value("ladder", study.rungs[0].name(), message));
        }
        Ok(study)
    }
}

/// What came of it: a plan, or a study.
enum Outcome {
    Plan(Box<Page>),
    Done(Box<(Study, Report, Vec<Change>)>),
}

struct Watch<'a>(&'a Options);

impl WithGame for Watch<'_> {
    type Output = Result<Outcome, Error>;

    fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
        let common = &self.0.common;
        let study = self.0.study(&game, rules)?;
        let model = Watching::model::<G>(self.0.model.as_deref(), &study)?;
        Watching::check::<G>(&study, model.is_some())?;
        if common.plan {
            let parts = parts(&study, model.is_some());
            if !common.quiet {
                guess_time(common, &game, &study, parts.iter().map(|part| part.games).sum())?;
            }
            return Ok(Outcome::Plan(Box::new(plan_page(&study, &parts))));
        }
        let report = common.pool()?.install(|| study.run(&game, model))?;
        Ok(Outcome::Done(Box::new((study, report, rules.changes()))))
    }
}

fn parts(study: &Study, has_model: bool) -> [Part; 4] {
    let steps = study.rungs.len().saturating_sub(1) as u64;
    let climbed = steps * study.steps * study.subject.players as u64;
    [
        Part { name: "fit", games: if has_model { 0 } else { study.fitted }, observations: 0 },
        Part { name: "held out", games: study.games, observations: study.games },
        Part { name: "luck", games: 9 * study.deals, observations: study.deals },
        Part { name: "skill", games: climbed, observations: study.steps },
    ]
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let common = &options.common;
    let tables: &[&str] = if common.plan { &["plan"] } else { &arc::TABLES };
    options.one.check(&options.form, tables, &[])?;
    let setup = common.rules.setup(common.game(), common.players)?;
    let (study, report, changes) = match with_game(&setup, Watch(options))?? {
        Outcome::Plan(page) => {
            let text = match options.form.is_json() {
                true => line(&document(serde_json::Map::new(), &page.tables)),
                false => options.form.write(look(), Some(&options.one), &|_| (*page).clone()),
            };
            return print(&text).map(|()| Ending::Done);
        }
        Outcome::Done(done) => *done,
    };
    let mut page = arc::page(&report);
    page.footer.extend(rules::note(common.game(), &changes));
    let mut facts = common.facts(&study, &report.judged.model);
    if let Err(why) = &report.arc {
        facts.insert("arc_refused".to_owned(), why.as_str().into());
    }
    if let Some(dir) = &options.out {
        save(dir, "game.json", facts.clone(), &page, &report.judged.model)?;
    }
    print(&match options.form.is_json() {
        true => line(&with_changes(document(facts, &page.tables), &changes)),
        false => options.form.write(look(), Some(&options.one), &|_| page.clone()),
    })?;
    Ok(Ending::Done)
}
