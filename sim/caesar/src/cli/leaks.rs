//! `caesar leaks`: tests if an agent's decisions depend on information hidden from its seat.

use std::path::PathBuf;

use agents::AgentSpec;
use clap::Args;
use serde_json::{Value as Json, json};

use super::files::refuse_one_file_twice;
use super::live::Live;
use super::output::{Form, OneTable};
use super::outputs::{Force, Output};
use super::running::{Threads, stop_on_signal, threads};
use super::{Ending, files, look, look_of_stderr, note, print, setup};
use crate::report::names::Names;
use crate::report::rules;
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Scale, Table};
use lab::leaks::positions::Wanted;
use lab::leaks::study::{News, Outcome, Request, run as examine};
use lab::leaks::{Difference, Finding, Leak};
use sim::changes::with_changes;
use sim::config::numbers::{ranged, whole};
use sim::config::{Caveat, DEFAULT_SEED, Played, RuleSet, supply_files};
use sim::document::document;
use sim::error::Error;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
Positions come from seeded games between random, greedy and greedy(epsilon=0.2), at decisions of players with \
incomplete information. For each position, hidden information is redrawn from what the player considers \
possible. The agent decides again from a fresh start with the same random numbers. A different choice, or a \
different search, is a leak; the exit code is then 1.
An external program or a time-limited search may be non-deterministic. It is then queried several times in \
random order. An exact permutation test accuses an agent without a leak with probability --alpha at most.";

/// Number of leaks listed for people.
const SHOWN: usize = 5;
/// The names of the tables.
const TABLES: [&str; 2] = ["agents", "leaks"];

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    played: Played,
    /// Agent to examine (repeatable)
    #[arg(long, value_name = "SPEC", required = true)]
    agent: Vec<String>,
    /// Number of positions, at most four from each game
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = ranged::<usize>(1, 100_000))]
    positions: usize,
    /// Alternative worlds drawn for each position (identical worlds count once)
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = ranged::<usize>(1, 1_000))]
    worlds: usize,
    /// Queries of the agent in each world [default: 1; 10 if the agent is not deterministic]
    #[arg(long, value_name = "N", value_parser = ranged::<u32>(1, 10_000))]
    repeats: Option<u32>,
    /// Type I error: probability to accuse a non-deterministic agent that does not leak
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = probability, allow_hyphen_values = true)]
    alpha: f64,
    /// Seed of positions, worlds and searches
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Write the records of games with a leak to a file; - for stdout (the result then goes to stderr)
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    rules: RuleSet,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// Suppress progress
    #[arg(long)]
    quiet: bool,
}

fn probability(text: &str) -> Result<f64, String> {
    let accepted = text.parse().ok().filter(|p| (0.001..=0.5).contains(p));
    accepted.ok_or_else(|| "accepted: 0.001 to 0.5".to_owned())
}

impl Options {
    fn request(&self, specs: Vec<AgentSpec>, wants_records: bool) -> Request {
        let Self { seed, positions, worlds, repeats, alpha, .. } = *self;
        let wanted = Wanted { seed, positions, worlds };
        Request { specs, wanted, repeats, alpha, threads: threads(self.threads), wants_records }
    }
}

fn progress(spec: &AgentSpec, done: usize, of: usize) -> String {
    format!("{}: {} of {of} positions", spec.name(), units::count(done as u64))
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    options.one.check(&options.form, &TABLES, &[])?;
    let name = options.played.name();
    let setup = setup(name, options.played.players, &options.rules)?;
    let mut read = Vec::new();
    let mut specs = Vec::new();
    for text in &options.agent {
        let mut spec: AgentSpec = text.parse()?;
        supply_files(&mut spec, &files::text, &mut read)?;
        specs.push(spec);
    }
    let output = |path| Output::of("records", path, options.force);
    let output = options.records.as_deref().map(output).transpose()?;
    let to_stdout = output.as_ref().is_some_and(Output::is_stdout);
    if to_stdout && !options.form.is_table() {
        return Err(Error::Usage(
            "--records - and --format or --json: stdout takes only one of them; name a file"
                .to_owned(),
        ));
    }
    if let Some(output) = &output {
        refuse_overwriting(options, output, &read)?;
        output.check()?;
    }
    let stop = stop_on_signal()?;
    let request = options.request(specs.clone(), output.is_some());
    let mut live = Live::new(options.quiet);
    let mut watch = |spec: &AgentSpec, news: News| match news {
        News::Examined { done, of } => live.look(|| progress(spec, done, of)),
        News::Finished => {
            live.finish();
            live = Live::new(options.quiet);
        }
    };
    let outcome = examine(&setup, request, &stop, &mut watch)?;
    if outcome.open.is_none() && outcome.findings.len() < specs.len() {
        note("stopped early: no result; the same command starts again");
        return Ok(Ending::Stopped);
    }
    if let Some(output) = &output {
        let records: String = outcome.records.iter().map(|(_, text)| &text[..]).collect();
        output.write(records.as_bytes())?;
    }
    let look = if to_stdout { look_of_stderr() } else { look() };
    let output = LeaksOutput { options, game: name, specs: &specs, outcome: &outcome };
    let text = match options.form.is_json() {
        true => output.json(),
        false => options.form.write(look, Some(&options.one), &|longest| output.page(longest)),
    };
    if to_stdout {
        note(text.trim_end());
    } else {
        print(&text)?;
    }
    Ok(if outcome.is_leak() { Ending::FaultsFound } else { Ending::Done })
}

/// Refuses to write records over a file that is read.
fn refuse_overwriting(
    options: &Options,
    output: &Output,
    read: &[(String, String)],
) -> Result<(), Error> {
    let Some(file) = output.named() else { return Ok(()) };
    let rules = options.rules.file.iter().map(|path| (format!("--rules {path}"), path.into()));
    let of_agents = read.iter().map(|(path, _)| (format!("{path} of an agent"), path.into()));
    let inputs: Vec<(String, PathBuf)> = rules.chain(of_agents).collect();
    refuse_one_file_twice(&[file], &inputs)
}

/// Printed result.
struct LeaksOutput<'a> {
    options: &'a Options,
    game: &'a str,
    specs: &'a [AgentSpec],
    outcome: &'a Outcome,
}

impl LeaksOutput<'_> {
    fn json(&self) -> String {
        let Outcome { players, open, positions, games, findings, changes, .. } = self.outcome;
        let agents: Vec<Json> = self
            .specs
            .iter()
            .zip(findings)
            .map(|(spec, finding)| self.agent(spec, finding))
            .collect();
        let json = json!({
            "game": self.game,
            "players": players,
            "seed": self.options.seed,
            "hides_nothing": open.is_some(),
            "positions": positions,
            "games": games,
            "worlds": self.options.worlds,
            "alpha": self.options.alpha,
            "agents": agents,
        });
        document(&with_changes(json, changes))
    }

    fn agent(&self, spec: &AgentSpec, finding: &Finding) -> Json {
        json!({
            "agent": spec.name(),
            "spec": spec.to_string(),
            "leaks": finding.is_leak,
            "decisions": finding.decisions,
            "repeats": finding.repeats,
            "p": finding.p,
            "changed": finding.leaks,
        })
    }

    fn page(&self, longest: usize) -> Page {
        let Outcome { open, changes, .. } = self.outcome;
        let agents = self.specs.iter().map(|spec| (spec, Caveat::default()));
        let names = Names::of_agents(agents, longest);
        let mut tables = vec![self.agents(&names)];
        if self.outcome.findings.iter().any(|finding| !finding.leaks.is_empty()) {
            tables.push(self.leaks(&names));
        }
        if let Some(why) = open {
            tables[0] =
                Table::new(TABLES[0], "Leaks", agent_columns()).noted(Note::new(why.clone()));
        }
        Page { tables, footer: rules::note(self.game, changes).into_iter().collect() }
    }

    fn agents(&self, names: &Names) -> Table {
        let Outcome { players, positions, games, findings, .. } = self.outcome;
        let row = |(spec, finding): (&AgentSpec, &Finding)| {
            vec![
                names.cell(&spec.name()),
                Cell::text(if finding.is_leak { "leaks" } else { "no leak found" }),
                Cell::Count(*positions as u64),
                Cell::Count(finding.decisions),
                Cell::Count(finding.leaks.len() as u64),
                finding.p.map_or(Cell::Nothing, Cell::Number),
            ]
        };
        let caption =
            format!("Decisions of {} in worlds that are indistinguishable for the seat", self.game);
        let mut table = Table::new(TABLES[0], caption, agent_columns())
            .with(self.specs.iter().zip(findings).map(row));
        for (row, finding) in table.rows.iter_mut().zip(findings) {
            row.mark = if finding.is_leak { Mark::Caveat } else { Mark::Plain };
        }
        table.notes.extend(names.legend());
        table.notes.push(Note::new(format!(
            "{} in {} of {} with {players} players, seed {}; up to {} besides the true one",
            units::counted(*positions as u64, "position"),
            units::counted(*games as u64, "game"),
            self.game,
            self.options.seed,
            units::counted(self.options.worlds as u64, "world"),
        )));
        if *positions < self.options.positions {
            let text = format!(
                "only {positions} of {} positions were found: something hidden is rare here",
                self.options.positions
            );
            table.notes.push(Note::new(text).marked(Mark::Caveat));
        }
        if findings.iter().any(|finding| finding.p.is_some()) {
            table.notes.push(Note::new(format!(
                "p: probability of such a result for an agent without a leak; a leak has p ≤ {}",
                units::given(self.options.alpha)
            )));
        }
        table.notes.extend(self.bound());
        table
    }

    /// Returns the bound on leaks when nothing was found, for agents whose differences are proofs.
    fn bound(&self) -> Option<Note> {
        let Outcome { games, findings, .. } = self.outcome;
        let is_clean = |finding: &Finding| !finding.is_leak && finding.p.is_none();
        (*games > 0 && findings.iter().any(is_clean)).then(|| {
            let most = 1.0 - 0.05_f64.powf(1.0 / *games as f64);
            Note::new(format!(
                "no leak found: with 95 % confidence, fewer than {} of such games show a leak in the positions drawn \
                 from them",
                units::share(most)
            ))
        })
    }

    fn leaks(&self, names: &Names) -> Table {
        let count = Content::Number(Scale::Count);
        let columns = vec![
            Column::plain("agent", Content::Key),
            Column::plain("game", Content::Text),
            Column::plain("ply", count),
            Column::plain("seat", Content::Text),
            Column::plain("choice", Content::Text),
            Column::new("other", "in another world", Content::Text),
            Column::plain("p", Content::PValue),
        ];
        let each = self.specs.iter().zip(&self.outcome.findings);
        let all: Vec<(&AgentSpec, &Leak)> = each
            .flat_map(|(spec, finding)| finding.leaks.iter().map(move |leak| (spec, leak)))
            .collect();
        let shown = if self.options.form.is_table() { SHOWN } else { usize::MAX };
        let row = |(spec, leak): &(&AgentSpec, &Leak)| {
            let other =
                if leak.in_thought_only { "the same, after another search" } else { &leak.other };
            vec![
                names.cell(&spec.name()),
                Cell::from_one(leak.game),
                Cell::Count(leak.ply.into()),
                Cell::from_one(leak.seat as u64),
                Cell::text(&leak.choice),
                Cell::text(other),
                leak.p.map_or(Cell::Nothing, Cell::Number),
            ]
        };
        let mut table = Table::new(TABLES[1], "Positions with a leak", columns)
            .with(all.iter().take(shown).map(row));
        if all.len() > shown {
            let more = units::counted((all.len() - shown) as u64, "position");
            table.notes.push(Note::new(format!("{more} more in JSON and CSV")));
        }
        table.notes.extend(all.first().map(|(_, leak)| self.hidden(leak)));
        table.notes.extend(all.first().map(|(_, leak)| self.way_to(leak)));
        table
    }

    /// Returns the note on the hidden state at the first leak.
    fn hidden(&self, leak: &Leak) -> Note {
        let text = |Difference { key, here, there }: &Difference| {
            units::shortened(&format!("{key} is {here}, and {there} in the other world"), 160)
        };
        let parts: Vec<String> = leak.hidden.iter().map(text).collect();
        Note::new(format!(
            "in the first position, seat {} cannot know: {}",
            leak.seat + 1,
            parts.join("; ")
        ))
    }

    /// Returns the note with the command that shows the first leak.
    fn way_to(&self, leak: &Leak) -> Note {
        match (&self.options.records, self.outcome.place_of(leak.game)) {
            (Some(path), Some(place)) => {
                let path = sim::config::quoted(&path.display().to_string());
                let command = format!("caesar show {path} --game {place} --ply {}", leak.ply);
                Note::new("to show the first position").before(command)
            }
            _ => Note::new("--records FILE saves these games for caesar show"),
        }
    }
}

fn agent_columns() -> Vec<Column> {
    let count = Content::Number(Scale::Count);
    vec![
        Column::plain("agent", Content::Key),
        Column::plain("verdict", Content::Text),
        Column::plain("positions", count),
        Column::plain("decisions", count),
        Column::plain("changed", count),
        Column::plain("p", Content::PValue),
    ]
}
