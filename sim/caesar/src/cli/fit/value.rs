//! `caesar fit value`.

use agents::{Observable, OfGame, Playable};
use clap::Args;
use engine::Rules;
use serde_json::{Map, json};

use super::common::{Common, head, spec};
use crate::cli::Ending;
use crate::report::fit::{FitReport, Loss};
use lab::fit::positions::{Collected, Which};
use lab::fit::value::{HeldOut, Row, Taken, ValueFit, rows};
use lab::fit::{Fitted, Origin, Sections};
use sim::catalogue::{WithGame, with_game};
use sim::error::Error;
use sim::units;

/// What stands under the options.
pub(super) const AFTER_HELP: &str = "\
Chances are a softmax over the seats of a sum of counted features, with weights of their own at each \
moment of the game. Weights are drawn towards today's, as strongly as loses least on held-out games. The \
file that --out writes is one for mcts(value=FILE); it has a scale for searches that make chances of \
leads over the best rival, and one for those that take the softmax (utility=points).
Tables: held-out (log loss of a seat by round: even chances, today's values as the search of --start takes them, \
today's in a softmax whose scale is fitted, the new ones by leads and in the softmax), strengths, fitted.
A smaller loss is no stronger agent: compare says which is.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// The agent whose value function is today's
    #[arg(long, value_name = "SPEC", default_value = "mcts")]
    start: String,
    #[command(flatten)]
    common: Common,
}

/// What came of it.
struct Fit {
    origin: Origin,
    held_out: HeldOut,
    places: Vec<(u64, usize)>,
    sections: Sections,
    fitted: Vec<Fitted>,
    games: u64,
    broken_off: u64,
    text: String,
    rules: Rules,
}

struct Task<'a>(&'a Options);

impl WithGame for Task<'_> {
    type Output = Result<Fit, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let (common, start) = (&self.0.common, spec("start", &self.0.start)?);
        start.build(&game)?;
        let table = game.value_table(start.settings()).map_err(Error::Usage)?;
        let table = table.ok_or_else(|| {
            let message = "it has no value function beside its evaluation: fit weights";
            Error::value("game", G::about().name, message)
        })?;
        common.pool()?.install(|| {
            let collected: Collected<G::State> = common.collect(&game, rules, Which::Beginnings)?;
            let sections = Sections::of(collected.positions.iter().map(|one| one.progress));
            let rows: Vec<Row> = rows(&game, &*table, &collected, &sections);
            let moments = table.phases();
            let today: Vec<_> = (0..moments.len()).map(|moment| table.at(moment)).collect();
            let fit = ValueFit::new(&rows, &today);
            let config = start.config(Some(&OfGame::at_table_of(&game)));
            let taken = Taken::by(config.as_ref());
            let held_out = fit.held_out(common.folds(), &common.strengths(), taken);
            let values = fit.values(held_out.validated.strength);
            let fitted = fit.told(table.features(), &moments, &held_out.validated.strengths());
            let mut more = Map::new();
            more.insert("start".to_owned(), json!(start.to_string()));
            let origin = common.origin(&game, &collected.source, "value", more);
            let first = format!(
                "What a position is worth to {} players: weights of features, by moment; fitted to who won.",
                game.n_players()
            );
            let text = table.write(&head(first, &origin), &values);
            Ok(Fit {
                places: rows.iter().map(|row| (row.cluster, row.section)).collect(),
                games: collected.games,
                broken_off: collected.broken_off,
                rules: rules.clone(),
                origin,
                held_out,
                sections,
                fitted,
                text,
            })
        })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = options.common.setup()?;
    let fit = with_game(&setup, Task(options))??;
    options.common.save(&fit.text)?;
    let held = &fit.held_out;
    let loss = |key, title, losses| Loss { key, title, losses };
    let told = FitReport {
        caption: format!(
            "The value function of {} with {} players, fitted to {}",
            fit.origin.game,
            fit.origin.players,
            units::counted(fit.games, "game")
        ),
        places: &fit.places,
        sections: fit.sections.names(),
        losses: vec![
            loss("even", "even", &held.even),
            loss("today", "today", &held.today),
            loss("today_softmax", "today softmax", &held.today_softmax),
            loss("fitted_leads", "fitted leads", &held.by_leads),
            loss("fitted_softmax", "fitted", &held.validated.losses),
        ],
        against: 1,
        validated: &held.validated,
        fitted: &fit.fitted,
        choices: None,
        unit: "log loss of a seat",
        notes: notes(fit.broken_off),
    };
    let mut more = Map::new();
    more.insert("games".to_owned(), json!(fit.games));
    options.common.print(&told, &fit.origin, more, &fit.rules)
}

/// What must be known of games that were broken off.
pub(super) fn notes(broken_off: u64) -> Vec<String> {
    let games = units::counted(broken_off, "game");
    let text = format!("{games} ended by forfeit, and nothing is learned of them");
    (broken_off > 0).then_some(text).into_iter().collect()
}
