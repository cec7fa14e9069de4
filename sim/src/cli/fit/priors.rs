//! `caesar fit priors`.

use agents::Playable;
use clap::Args;
use engine::Rules;
use serde_json::{Map, json};

use super::common::{Common, head, spec};
use super::value::notes;
use crate::catalogue::{WithGame, with_game};
use crate::cli::Ending;
use crate::error::Error;
use crate::fit::positions::Which;
use crate::fit::priors::{Outcome, fit, own_weights};
use crate::fit::weights::Subject;
use crate::fit::{Origin, Sections};
use crate::report::fit::{Loss, Told};
use crate::units;

/// What stands under the options.
pub(super) const AFTER_HELP: &str = "\
Decisions are drawn from games and searched by --search; the temperature and the weights of priors with \
which a softmax of the logits says best what is visited are found. Without --weights these are the weights \
that only priors take (prior_...); all others are of the evaluation, too. The document has the temperature, the \
file that --out writes the weights.
Tables: held-out (cross entropy by section: even priors, the entropy of the visits, which is the least, \
today's, the new ones), strengths, fitted.
Priors that say better where a search went need not make it stronger: compare says which does.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// The search whose visits are fitted to, and whose priors are today's
    #[arg(long, value_name = "SPEC", default_value = "mcts(iterations=400)")]
    search: String,
    /// Weights that are fitted, divided by commas, in place of those that only priors take
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    weights: Vec<String>,
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

    fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
        let (options, common) = (self.0, &self.0.common);
        let search = spec("search", &options.search)?;
        search.build(&game)?;
        let wanted =
            if options.weights.is_empty() { own_weights::<G>() } else { options.weights.clone() };
        let mut subject = Subject::new::<G>(search.settings(), &wanted, &[])?;
        if wanted.is_empty() {
            subject.keep(|_| false);
        }
        common.pool()?.install(|| {
            let collected = common.collect(&game, rules, Which::Decisions)?;
            let sections = Sections::of(collected.positions.iter().map(|one| one.progress));
            let mut more = Map::new();
            more.insert("search".to_owned(), json!(search.to_string()));
            if !options.weights.is_empty() {
                more.insert("weights".to_owned(), json!(options.weights.join(",")));
            }
            let origin = common.origin(&game, &collected.source, ("priors", more));
            let first = format!(
                "The weights of {} for {} players, those of priors fitted to the visits of {search}.",
                origin.game, origin.players
            );
            let how = (common.folds(), &common.strengths()[..]);
            let from = (&search, common.seed);
            let outcome =
                fit(&game, from, (&collected, &sections), subject, how, &head(first, &origin))?;
            let (games, broken_off) = (collected.games, collected.broken_off);
            Ok(Fit { origin, outcome, sections, games, broken_off, rules: rules.clone() })
        })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = options.common.setup()?;
    let fit = with_game(&setup, Task(options))??;
    let Outcome { held_out, fitted, entropy, decisions, skipped, file } = &fit.outcome;
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
    let told = Told {
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
        unit: "cross entropy of a decision",
        notes,
    };
    let mut more = Map::new();
    more.insert("games".to_owned(), json!(fit.games));
    more.insert("decisions".to_owned(), json!(decisions));
    options.common.print(&told, &fit.origin, more, &fit.rules)
}
