//! `caesar improve`: looks for a better agent step by step, and reports it on fresh seeds.
//!
//! Each step is a command of this program, which plays it into a directory of its own, so that it can be played again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agents::AgentSpec;
use clap::Args;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::output::{Form, keeping_form};
use super::outputs::{Again, Documented, Existing, IMPROVE};
use super::running::{Threads, stop_on_signal, threads};
use super::within::{self, Ended};
use super::{Ending, files, look, note, print, sums, trust};
use crate::report::format::terminal::{TerminalStyle, listed};
use crate::report::table::{Mark, Note};
use lab::improve::answer::{Answer, Found, Played, Raced, ReportAt, THE_POOL, Tested};
use lab::improve::road::{Request, Road, Step};
use sim::config::{helped, quoted};
use sim::document::document;
use sim::error::Error;
use sim::export::summary::FILE as SUMMARY;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
The road: fit weights fits the weights to games; compare and held-out opponents accept the fitted agent or refuse \
it; tune searches from the better of the two; reports on fresh seeds compare the result with the start, against \
held-out opponents and with every number of players of the game. Nothing is chosen by a report.
Use: the gain of the report is above 0, and the agent is worse against no held-out opponent. Do not use: the agent is \
worse against a held-out opponent. Nothing: the report shows no gain; the start stays.
The command of each step is printed, and plays it again. --out DIR holds a directory for each step, winner.txt (the \
agent to use), answer.txt (the answer with all commands) and summary.json. --resume goes on where a run was stopped.";

/// The help of `--resume`.
const RESUME: &str = "Resume the run in --out, or start it if there is none";
/// The format of the documents.
const FORMAT: &str = "caesar-improve/1";
/// The agent to use.
const WINNER: &str = "winner.txt";
/// The answer for people.
const ANSWER: &str = "answer.txt";
/// The fitted weights.
const WEIGHTS: &str = "weights.toml";

#[derive(Debug, Args)]
#[command(mut_args(helped("resume", RESUME)))]
pub(super) struct Options {
    #[command(flatten)]
    request: Request,
    /// Print the steps, their games and the time to expect, then exit
    #[arg(long, conflicts_with = "out")]
    plan: bool,
    #[command(flatten)]
    threads: Threads,
    /// Write every step, winner.txt, answer.txt and summary.json into a directory
    #[arg(long, value_name = "DIR", required_unless_present = "plan")]
    out: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
    #[command(flatten)]
    form: Form,
    /// Suppress progress and notes
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    if !options.form.is_table() && !options.form.is_json() {
        let what = "--format: sentences are no table; write --json, or read the tables in --out";
        return Err(Error::Usage(what.to_owned()));
    }
    let road = Road::new(&options.request, &files::text)?;
    let stop = stop_on_signal()?;
    let Some(out) = &options.out else { return plan(options, &road, &stop) };
    let command = options.request.command();
    let existing = options.again.existing();
    let what = "run of improve";
    let results = Documented { dir: out, document: IMPROVE, what, last: Some(SUMMARY) };
    results.enter(&command, existing, &[SUMMARY, WINNER, ANSWER].map(str::to_owned))?;
    let head = json!({"format": FORMAT, "version": env!("CARGO_PKG_VERSION"), "command": command});
    write(&out.join(IMPROVE), &document(&head))?;
    let walk = Walk { options, out, existing, stop, played: Vec::new() };
    let answer = match walk.answer(road) {
        Ok(answer) => answer,
        Err(Error::Stopped) => {
            note(
                "stopped early: finished steps are saved; the same command with --resume continues",
            );
            return Ok(Ending::Stopped);
        }
        Err(error) => return Err(error),
    };
    finish(options, out, &head, &answer)
}

fn write(place: &Path, text: &str) -> Result<(), Error> {
    let written = files::write_aside(place, text.as_bytes());
    written.map_err(Error::output(place.display().to_string()))
}

/// Stores and prints the answer.
fn finish(options: &Options, out: &Path, head: &Json, answer: &Answer) -> Result<Ending, Error> {
    let mut json = json!(answer);
    if let (Json::Object(json), Json::Object(head)) = (&mut json, head) {
        json.extend(head.clone());
    }
    let json = document(&json);
    let commands = answer.steps.iter().map(|step| format!("{}: {}\n", step.name, step.command));
    let plain = TerminalStyle { is_coloured: false, ..look() };
    let text = listed(&rows(answer), plain) + "\n" + &commands.collect::<String>();
    let winner = format!("{}\n", answer.agent);
    let files = [(WINNER, winner), (ANSWER, text), (SUMMARY, json.clone())];
    sums::write_all(out, files.map(|(name, text)| (name.to_owned(), text)))?;
    print(&match options.form.is_json() {
        true => json,
        false => listed(&rows(answer), look()),
    })?;
    Ok(Ending::Done)
}

/// Returns the rows of the screen. The answer stands last.
fn rows(answer: &Answer) -> Vec<(&str, Note)> {
    let steps = answer.steps.iter().filter(|step| !step.is_report);
    let steps = steps.map(|step| (step.name.as_str(), Note::new(step.sentence.clone())));
    let tables = answer.tables.iter().map(|text| ("table", Note::new(text)));
    let games = answer.decides.iter().map(|text| ("games", Note::new(text)));
    let mark = match answer.verdict {
        Found::Better => Mark::Winner,
        Found::Worse => Mark::Caveat,
        Found::Nothing => Mark::Open,
    };
    let last = ("answer", Note::new(answer.answer.clone()).marked(mark));
    steps.chain(tables).chain(games).chain([last]).collect()
}

/// The road under way.
struct Walk<'a> {
    options: &'a Options,
    out: &'a Path,
    existing: Existing,
    stop: Arc<AtomicBool>,
    played: Vec<Played>,
}

impl Walk<'_> {
    /// Plays all steps.
    fn answer(mut self, road: Road) -> Result<Answer, Error> {
        let start = road.start().clone();
        let from = match road.has_weights() {
            true => self.fitted(&road)?.unwrap_or_else(|| start.clone()),
            false => start.clone(),
        };
        let tuned = self.raced(&road.tune(&from), THE_POOL, false)?;
        let chosen = match tuned.is_better() {
            true => self.tuned(&road, &tuned)?,
            false => from,
        };
        if chosen.to_string() == start.to_string() {
            return Ok(Answer::nothing(&start.to_string(), &tuned, self.played));
        }
        let mut reports = Vec::new();
        for (players, step) in road.reports(&chosen)? {
            let result = self.raced(&step, &start.to_string(), true)?;
            reports.push(ReportAt { players, result });
        }
        Ok(Answer::of(&start.to_string(), &chosen.to_string(), reports, self.played))
    }

    /// Returns the start with fitted weights, if fresh games and held-out opponents accept it.
    fn fitted(&mut self, road: &Road) -> Result<Option<AgentSpec>, Error> {
        let file = self.out.join("fit").join(WEIGHTS).display().to_string();
        let step = road.fit(&file);
        let ended = self.play(&step, &["--force", "--json"].map(str::to_owned))?;
        if ended.code != 0 {
            self.add(&step, false, ["refused".to_owned(), complaint(&ended)], None);
            return Ok(None);
        }
        let fitted: Json = serde_json::from_str(&ended.printed).unwrap_or_default();
        let said = ["fitted".to_owned(), gain_of_fit(&fitted)];
        self.add(&step, true, said, fitted["games"].as_u64());
        let candidate = road.with_weights(road.start(), &file)?;
        let step = road.accept(&candidate);
        let tested: Tested = self.stored(&step)?;
        let is_better = tested.verdict == "better";
        self.add(&step, is_better, [tested.verdict, tested.sentence], Some(tested.games));
        if !is_better {
            return Ok(None);
        }
        let step = road.held_out(&candidate);
        let held_out = self.raced(&step, &road.start().to_string(), false)?;
        Ok(held_out.is_better().then_some(candidate))
    }

    /// Returns the agent of a search. Its weights are those of the file in the directory, if they were tuned.
    fn tuned(&self, road: &Road, tuned: &Raced) -> Result<AgentSpec, Error> {
        let winner: AgentSpec = tuned.winner.parse()?;
        let file = self.out.join("tune").join(WEIGHTS);
        match file.is_file() {
            true => road.with_weights(&winner, &file.display().to_string()),
            false => Ok(winner),
        }
    }

    /// Plays a search or a race against `pool`.
    fn raced(&mut self, step: &Step, pool: &str, is_report: bool) -> Result<Raced, Error> {
        let raced: Raced = self.stored(step)?;
        let said = [raced.word(), raced.sentence(pool)];
        self.add(step, raced.is_better(), said, Some(raced.games));
        if let Some(last) = self.played.last_mut() {
            last.is_report = is_report;
        }
        Ok(raced)
    }

    /// Adds a step that was played, with its verdict and its result.
    fn add(&mut self, step: &Step, is_accepted: bool, said: [String; 2], games: Option<u64>) {
        let (name, command, [verdict, sentence]) = (step.name.clone(), command(step), said);
        let is_report = false;
        self.played.push(Played {
            name,
            command,
            is_accepted,
            is_report,
            verdict,
            sentence,
            games,
        });
    }

    /// Plays a step into its directory, and returns the document there.
    fn stored<T: DeserializeOwned>(&self, step: &Step) -> Result<T, Error> {
        let dir = self.out.join(&step.name);
        let again = match self.existing {
            Existing::Replaced => Some("--force"),
            Existing::GoesOn => Some("--resume"),
            Existing::Refused | Existing::RefusedForGood => None,
        };
        let out = ["--out".to_owned(), dir.display().to_string()];
        let more: Vec<String> = out.into_iter().chain(again.map(str::to_owned)).collect();
        let ended = self.play(step, &more)?;
        if ended.code != 0 {
            return Err(Error::Failed(format!("{}: {}", step.name, complaint(&ended))));
        }
        let place = dir.join(SUMMARY).display().to_string();
        let text = files::document(Path::new(&place)).map_err(Error::file(place.as_str()))?;
        serde_json::from_str(&text).map_err(|e| Error::Failed(format!("{place}: {e}")))
    }

    /// Plays a step with further options.
    fn play(&self, step: &Step, more: &[String]) -> Result<Ended, Error> {
        if !self.options.quiet {
            note(&format!("step {}, {}: {}", self.played.len() + 1, step.name, command(step)));
        }
        let ended = played(self.options, step, more, &self.stop);
        if self.stop.load(Ordering::Relaxed) || ended.code == 3 {
            return Err(Error::Stopped);
        }
        Ok(ended)
    }
}

/// Runs the command of a step with further options.
fn played(options: &Options, step: &Step, more: &[String], stop: &Arc<AtomicBool>) -> Ended {
    let mut words = vec!["caesar".to_owned()];
    words.extend(step.words.iter().chain(more).cloned());
    words.extend(["--threads".to_owned(), threads(options.threads).to_string()]);
    words.extend(["--color", "never"].map(str::to_owned));
    let is_fit = step.name == "fit";
    words.extend((options.quiet && !is_fit).then(|| "--quiet".to_owned()));
    words.extend(trust::accepts_changed().then(|| "--accept-changed".to_owned()));
    let words = words.into_iter().map(OsString::from);
    let ended = keeping_form(|| within::step(words, Arc::clone(stop)));
    ended.unwrap_or_else(|| Ended { code: 1, printed: String::new(), notes: String::new() })
}

/// Returns the command that plays a step again.
fn command(step: &Step) -> String {
    let words: Vec<String> = step.words.iter().map(|word| quoted(word)).collect();
    format!("caesar {}", words.join(" "))
}

/// Returns the error of a step that ended with one.
fn complaint(ended: &Ended) -> String {
    let lines: Vec<&str> = ended.notes.lines().map(str::trim).collect();
    let first = lines.iter().rposition(|line| line.starts_with("error: ")).unwrap_or(0);
    let text = lines[first..].join(" ");
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

/// Returns what a fit gained on held-out games, in words.
fn gain_of_fit(fitted: &Json) -> String {
    let rows = fitted["held_out"].as_array();
    let all = rows.into_iter().flatten().find(|row| row["section"] == "all");
    let number = |name: &str| all.and_then(|row| row["gain"][name].as_f64());
    let games = units::counted(fitted["games"].as_u64().unwrap_or_default(), "game");
    match (number("estimate"), number("low"), number("high")) {
        (Some(estimate), Some(low), Some(high)) => format!(
            "gain in log loss on held-out games {} [{}, {}], {games}",
            units::signed(estimate, 4),
            units::fixed(low, 4),
            units::fixed(high, 4)
        ),
        _ => format!("weights fitted to {games}"),
    }
}

/// Prints the steps with their games, and the time to expect.
fn plan(options: &Options, road: &Road, stop: &Arc<AtomicBool>) -> Result<Ending, Error> {
    let tune = road.tune(road.start());
    let ended = played(options, &tune, &["--plan", "--json"].map(str::to_owned), stop);
    if ended.code != 0 {
        return Err(Error::Failed(complaint(&ended)));
    }
    let planned: Json = serde_json::from_str(&ended.printed).unwrap_or_default();
    let searched = planned["games"].as_u64().unwrap_or_default();
    let steps = road.most_games(searched)?;
    let games: u64 = steps.iter().map(|(_, games)| games).sum();
    // The opponents of the search make up the time of most games.
    let minutes = planned["minutes"].as_f64().unwrap_or_default() * games as f64 / searched as f64;
    if options.form.is_json() {
        let steps = steps.iter().map(|(name, games)| json!({"name": name, "most_games": games}));
        let plan = json!({
            "format": FORMAT,
            "command": options.request.command(),
            "steps": steps.collect::<Vec<Json>>(),
            "most_games": games,
            "minutes": minutes,
            "smallest_gain": planned["smallest_gain"],
        });
        print(&document(&plan))?;
        return Ok(Ending::Done);
    }
    let most = |games: u64| Note::new(format!("{} at most", units::counted(games, "game")));
    let mut rows: Vec<(&str, Note)> =
        steps.iter().map(|(name, games)| (name.as_str(), most(*games))).collect();
    let (on, time) = (threads(options.threads), units::seconds(60.0 * minutes));
    let on = units::counted(on as u64, "thread");
    rows.push((
        "in all",
        Note::new(format!("{}, about {time} on {on}", units::counted(games, "game"))),
    ));
    if let Some(least) = planned["smallest_gain"].as_f64() {
        let text =
            format!("a gain of {} % of share in four of five runs", units::fixed(100.0 * least, 1));
        rows.push(("finds", Note::new(text)));
    }
    print(&listed(&rows, look()))?;
    Ok(Ending::Done)
}
