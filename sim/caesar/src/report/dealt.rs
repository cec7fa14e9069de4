//! Reports of runs whose tables follow from their results: the parts that all have, whoever deals.

use serde_json::{Value as Json, json};

use super::names::Names;
use super::rules;
use super::table::{Mark, Note, Page};
use sim::config::Plan;
use sim::dealt::{Dealer, DealtRun};
use sim::document::{document, object};
use sim::units;

/// A dealer whose runs are reported.
pub trait Told: Dealer + Sized {
    /// The names of the tables.
    const TABLES: &[&str];

    /// Returns the result as tables.
    fn page(plan: &Plan, run: &DealtRun<'_, Self>, names: &Names) -> Page;

    /// Returns the entries of the document that only runs of this dealer have.
    fn entries(plan: &Plan, run: &DealtRun<'_, Self>) -> Json;

    /// Returns the progress of a run in one line.
    fn progress(run: &DealtRun<'_, Self>) -> String;
}

/// Returns the notes that close every page: caveats, names, rules, and the command.
pub fn closing<D: Dealer>(plan: &Plan, run: &DealtRun<'_, D>, names: &Names) -> Vec<Note> {
    let caveat = |text| Note::new(text).marked(Mark::Caveat);
    let mut notes: Vec<Note> = caveats(plan, run).into_iter().map(caveat).collect();
    notes.extend(names.legend());
    let line = rules::line(&plan.setup.game, &plan.changes);
    notes.extend(line.map(|line| Note::new(format!("rules: {line}"))));
    notes.push(Note::new(format!("seed {}", plan.seed)).before(plan.command()));
    notes
}

fn caveats<D: Dealer>(plan: &Plan, run: &DealtRun<'_, D>) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, caveat) in plan.names().iter().zip(&plan.caveats) {
        if caveat.cheats {
            lines.push(format!("cheats: {name} sees hidden information"));
        }
        if caveat.is_timed {
            lines.push(format!("timed: {name} has a time limit, so another run plays other games"));
        }
    }
    if let Some((n, first)) = run.forfeits() {
        lines.push(format!("forfeits: {}, {first}", units::counted(n, "game")));
    }
    lines
}

/// Returns the result as one JSON document, which depends on the games only.
#[must_use]
pub fn json<D: Told>(plan: &Plan, run: &DealtRun<'_, D>) -> String {
    let agent =
        |agent: &agents::AgentSpec| json!({"label": agent.label(), "spec": agent.to_string()});
    let mut result = object(&json!({
        "game": plan.setup.game,
        "players": plan.players,
        "blocks": run.blocks(),
        "games": run.games(),
        "seed": plan.seed,
        "schedule": plan.timetable.schedule().name(),
        "complete": run.is_over(),
    }));
    result.extend(object(&D::entries(plan, run)));
    result.extend(object(&json!({
        "agents": plan.lineup.iter().map(agent).collect::<Vec<_>>(),
        "caveats": caveats(plan, run),
        "command": plan.command(),
    })));
    if !plan.changes.is_empty() {
        result.insert(sim::changes::KEY.to_owned(), json!(plan.changes));
    }
    document(&result)
}
