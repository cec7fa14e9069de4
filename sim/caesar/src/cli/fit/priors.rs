//! `caesar fit priors`.

use agents::{AgentSpec, Observable, Playable};
use clap::Args;
use engine::Rules;
use serde_json::{Map, json};

use super::common::{Common, head, spec};
use super::value::notes;
use crate::cli::Ending;
use crate::report::fit::{FitReport, Loss};
use lab::fit::folds::CrossValidation;
use lab::fit::positions::{Sectioned, Which};
use lab::fit::priors::{Outcome, PriorOptions, Searches, Target, fit, own_weights};
use lab::fit::weights::Subject;
use lab::fit::{Origin, Sections};
use sim::catalogue::{WithGame, with_game};
use sim::error::Error;
use sim::units;

/// What stands under the options.
pub(super) const AFTER_HELP: &str = "\
Decisions are drawn from games and searched by --search; the temperature and the weights of priors with \
which a softmax of the logits says best what is visited are found. A search hardly visits what its priors bury; \
with --to values it visits all options equally often, and the softmax of what they are worth over --spread is fitted to. Without --weights these are the weights \
that only priors take (prior_...); all others are of the evaluation, too. The document has the temperature, the \
file that --out writes the weights.
Tables: held-out (cross entropy by section: even priors, the entropy of the visits, which is the least, \
today's, the new ones), strengths, fitted, choices (with --to values: what the likeliest option is worth).
Priors that say better where a search went need not make it stronger: compare says which does.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// The search whose visits are fitted to, and whose priors are today's
    #[arg(long, value_name = "SPEC", default_value = "mcts(iterations=400)")]
    search: String,
    /// Weights that are fitted, divided by commas, in place of those that only priors take; '*': all numbers
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    weights: Vec<String>,
    /// What is fitted to: the visits of the search, or what its options are worth if it visits all of them equally often
    #[arg(long, value_name = "WHAT", default_value = VISITS, value_parser = [VISITS, VALUES])]
    to: String,
    /// With --to values: the difference, in points of the game, that makes an option e times as likely a target
    #[arg(long, value_name = "POINTS", default_value_t = 0.03)]
    spread: f64,
    /// Take only decisions among macro-actions
    #[arg(long)]
    only_macro: bool,
    #[command(flatten)]
    common: Common,
}

/// The words of `--to`.
const VISITS: &str = "visits";
const VALUES: &str = "values";
/// All weights that are numbers, for `--weights`.
const ALL: &str = "*";

impl Options {
    fn asked(&self) -> Result<PriorOptions, Error> {
        let is_spread = self.spread.is_finite() && self.spread > 0.0;
        let target = match &self.to[..] {
            VISITS => Target::Visits,
            _ if is_spread => Target::Values { spread: self.spread },
            _ => return Err(Error::value("spread", self.spread.to_string(), "it is not above 0")),
        };
        Ok(PriorOptions { target, only_macro: self.only_macro })
    }

    /// The weights that are fitted.
    fn subject<G: Playable>(&self, search: &AgentSpec) -> Result<Subject, Error> {
        let of = |wanted: &[String]| Subject::new::<G>(search.settings(), wanted, &[]);
        match &self.weights[..] {
            [all] if all == ALL => of(&[]),
            [] => {
                let own = own_weights::<G>();
                let mut subject = of(&own)?;
                if own.is_empty() {
                    subject.keep(|_| false);
                }
                Ok(subject)
            }
            wanted => of(wanted),
        }
    }
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
        let asked = options.asked()?;
        let search = spec("search", &options.search)?;
        search.build(&game)?;
        let subject = options.subject::<G>(&search)?;
        common.pool()?.install(|| {
            let collected = common.collect(&game, rules, Which::Decisions)?;
            let sections = Sections::of(collected.positions.iter().map(|one| one.progress));
            let mut more = Map::new();
            more.insert("search".to_owned(), json!(search.to_string()));
            if !options.weights.is_empty() {
                more.insert("weights".to_owned(), json!(options.weights.join(",")));
            }
            let what = match asked.target {
                Target::Visits => "the visits of",
                Target::Values { spread } => {
                    more.insert("to".to_owned(), json!(VALUES));
                    more.insert("spread".to_owned(), json!(spread));
                    "what options are worth by"
                }
            };
            if asked.only_macro {
                more.insert("only-macro".to_owned(), json!(true));
            }
            let origin = common.origin(&game, &collected.source, "priors", more);
            let first = format!(
                "The weights of {} for {} players, those of priors fitted to {what} {search}.",
                origin.game, origin.players
            );
            let plan = CrossValidation { folds: common.folds(), strengths: &common.strengths() };
            let searches = Searches { spec: &search, seed: common.seed, asked };
            let positions = Sectioned { collected: &collected, sections: &sections };
            let head = head(first, &origin);
            let outcome = fit(&game, searches, positions, subject, plan, &head)?;
            let (games, broken_off) = (collected.games, collected.broken_off);
            Ok(Fit { origin, outcome, sections, games, broken_off, rules: rules.clone() })
        })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = options.common.setup()?;
    let fit = with_game(&setup, Task(options))??;
    let Outcome { held_out, fitted, entropy, choices, decisions, skipped, file } = &fit.outcome;
    if let Some(file) = file {
        options.common.save(file)?;
    }
    let loss = |key, title, losses| Loss { key, title, losses };
    let mut notes = notes(fit.broken_off);
    if *skipped > 0 {
        notes.push(format!(
            "{} say nothing: one option, no search, or other options than those of the search",
            units::counted(*skipped, "position")
        ));
    }
    if file.is_none() {
        notes.push("no weight was fitted beside the temperature, so there is no file".to_owned());
    }
    let told = FitReport {
        caption: format!(
            "The priors of {} with {} players, fitted to {}",
            options.search,
            fit.origin.players,
            units::counted(*decisions, "decision")
        ),
        places: &held_out.places,
        sections: fit.sections.names(),
        losses: vec![
            loss("even", "even", &held_out.even),
            loss("entropy", "entropy", entropy),
            loss("today", "today", &held_out.today),
            loss("fitted", "fitted", &held_out.validated.losses),
        ],
        against: 2,
        validated: &held_out.validated,
        fitted,
        choices: choices.as_ref(),
        unit: "cross entropy of a decision",
        notes,
    };
    let mut more = Map::new();
    more.insert("games".to_owned(), json!(fit.games));
    more.insert("decisions".to_owned(), json!(decisions));
    options.common.print(&told, &fit.origin, more, &fit.rules)
}
