//! `caesar agents check`: games, faults, time, memory, leaks and repeatability of an external program.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{env, fs, io, process};

use agents::AgentSpec;
use clap::Args;
use serde_json::json;

use super::output::Form;
use super::{Ending, look, print, setup};
use crate::report::rules;
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Row, Table};
use lab::bot_check::{Checked, check};
use lab::leaks::positions::Wanted;
use lab::leaks::study::{Outcome, Request, run as examine};
use sim::changes::with_changes;
use sim::config::numbers::{ranged, whole};
use sim::config::{DEFAULT_SEED, Played, RuleSet};
use sim::document::document;
use sim::error::Error;
use sim::units;

/// Type I error of the leak test.
const ALPHA: f64 = 0.01;
/// Worlds of the leak test besides the true one.
const WORLDS: usize = 4;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
The program plays every seat once against random opponents, and the same games again from the same seeds. A fault of \
the protocol, an illegal action, a late answer or a use of hidden information ends the check with exit code 1. If \
the second games differ from the first, the program has random numbers of its own. That is no fault, but its \
tournaments cannot be repeated.";

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Program to check, as in external(command="python3 bot.py")
    #[arg(value_name = "SPEC")]
    agent: String,
    #[command(flatten)]
    played: Played,
    /// Number of positions of the test for hidden information
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = ranged::<usize>(1, 100_000))]
    positions: usize,
    /// Print the requests and answers of the first games, one JSON object a line
    #[arg(long)]
    traffic: bool,
    /// Seed of games and positions
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    seed: u64,
    #[command(flatten)]
    rules: RuleSet,
    #[command(flatten)]
    form: Form,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let spec: AgentSpec = options.agent.parse()?;
    if !spec.is_external() {
        return Err(Error::value(
            "agent",
            &options.agent,
            "it is no program (accepted: external(command=\"PROGRAM ARGUMENTS\"))",
        ));
    }
    spec.find_program()?;
    let setup = setup(options.played.name(), options.played.players, &options.rules)?;
    let log = env::temp_dir().join(format!("caesar-agents-check-{}.jsonl", process::id()));
    let name = log.to_str().ok_or_else(|| {
        Error::Failed("the directory of temporary files has a name that is no text".to_owned())
    })?;
    let mut take = || {
        let text = fs::read_to_string(&log);
        fs::remove_file(&log).unwrap_or_default();
        match text {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::file(name)(error)),
            text => Ok(text.unwrap_or_default()),
        }
    };
    let checked = check(&setup, &spec, options.seed, name, &mut take)?;
    // A program that fails in whole games fails in single positions, too.
    let leaks = match checked.faults.is_empty() {
        true => Some(examine(
            &setup,
            Request {
                specs: vec![spec.clone()],
                wanted: Wanted { seed: options.seed, positions: options.positions, worlds: WORLDS },
                repeats: None,
                alpha: ALPHA,
                threads: 1,
                wants_records: false,
            },
            &AtomicBool::new(false),
            &mut |_, _| {},
        )?),
        false => None,
    };
    let report = Report { options, spec: &spec, checked: &checked, leaks: leaks.as_ref() };
    if options.traffic {
        checked.traffic.iter().try_for_each(|line| print(&format!("{line}\n")))?;
    }
    print(&match options.form.is_json() {
        true => report.json(),
        false => options.form.write(look(), None, &|_| report.page()),
    })?;
    let is_good = checked.faults.is_empty() && !leaks.is_some_and(|leaks| leaks.is_leak());
    Ok(if is_good { Ending::Done } else { Ending::FaultsFound })
}

/// Printed result.
struct Report<'a> {
    options: &'a Options,
    spec: &'a AgentSpec,
    checked: &'a Checked,
    leaks: Option<&'a Outcome>,
}

fn milliseconds(time: Option<Duration>) -> Option<f64> {
    time.map(|time| time.as_secs_f64() * 1e3)
}

impl Report<'_> {
    /// Returns the times of answers to choices that half, 95 % and all of them do not exceed.
    fn times(&self) -> [Option<f64>; 3] {
        [0.5, 0.95, 1.0].map(|share| milliseconds(self.checked.time(share)))
    }

    fn json(&self) -> String {
        let Checked { games, choices, faults, is_repeatable, peak_memory, model_questions, .. } =
            self.checked;
        let [median, p95, longest] = self.times();
        let leaks = self.leaks.map(|leaks| {
            json!({
                "leaks": leaks.is_leak(),
                "hides_nothing": leaks.open.is_some(),
                "positions": leaks.positions,
            })
        });
        let json = json!({
            "agent": self.spec.name(),
            "spec": self.spec.to_string(),
            "game": self.options.played.name(),
            "seed": self.options.seed,
            "games": games,
            "choices": choices,
            "faults": faults,
            "repeats_itself": is_repeatable,
            "model_questions": model_questions,
            "milliseconds": { "median": median, "p95": p95, "longest": longest },
            "peak_memory": peak_memory,
            "hidden_information": leaks,
            "files": self.spec.program_files().into_iter().collect::<BTreeMap<_, _>>(),
        });
        let changes = self.leaks.map_or(&[][..], |leaks| &leaks.changes);
        document(&with_changes(json, changes))
    }

    fn page(&self) -> Page {
        let columns =
            vec![Column::plain("check", Content::Key), Column::plain("result", Content::Text)];
        let caption = format!("{} in {}", self.spec.name(), self.options.played.name());
        let mut table = Table::new("check", caption, columns);
        table.rows = self.rows();
        table.notes.push(Note::new(format!(
            "{} games against random opponents, each seat twice, seed {}",
            self.checked.games, self.options.seed
        )));
        let changes = self.leaks.map_or(&[][..], |leaks| &leaks.changes);
        let footer = rules::note(self.options.played.name(), changes).into_iter().collect();
        Page { tables: vec![table], footer }
    }

    fn rows(&self) -> Vec<Row> {
        let checked = self.checked;
        let row = |name: &str, result: String, is_bad: bool| {
            let mark = if is_bad { Mark::Caveat } else { Mark::Plain };
            Row { cells: vec![Cell::text(name), Cell::text(&result)], mark }
        };
        let mut rows = match &checked.faults[..] {
            [] => vec![row("protocol", "no fault".to_owned(), false)],
            faults => faults.iter().map(|why| row("protocol", why.clone(), true)).collect(),
        };
        let hidden = match self.leaks {
            None => ("not tested: the games had faults".to_owned(), true),
            Some(leaks) if leaks.open.is_some() => ("the game hides nothing".to_owned(), false),
            Some(leaks) if leaks.is_leak() => ("used (caesar leaks shows where)".to_owned(), true),
            Some(leaks) => (format!("no use found in {} positions", leaks.positions), false),
        };
        rows.push(row("hidden information", hidden.0, hidden.1));
        let repeats = match checked.is_repeatable {
            true => "yes: the same seeds gave the same games",
            false => "no: a second game from the same seed went otherwise",
        };
        rows.push(row("repeats itself", repeats.to_owned(), !checked.is_repeatable));
        if let [Some(median), Some(p95), Some(longest)] = self.times() {
            let text = format!(
                "median {median:.2} ms, 95 % within {p95:.2} ms, longest {longest:.2} ms ({})",
                units::counted(checked.choices as u64, "choice")
            );
            rows.push(row("time of a choice", text, false));
        }
        if checked.model_questions > 0 {
            let text = units::counted(checked.model_questions as u64, "question");
            rows.push(row("model", text, false));
        }
        if let Some(bytes) = checked.peak_memory {
            let text = format!("at most {:.1} MB", bytes as f64 / 1e6);
            rows.push(row("memory", text, false));
        }
        for (word, hash) in self.spec.program_files() {
            rows.push(row("file", format!("{word}: BLAKE3 {}…", &hash[..16]), false));
        }
        rows
    }
}
