//! `caesar fit iterate`.

use std::fs::{self, File};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use agents::{AgentSpec, Playable};
use clap::Args;
use engine::Rules;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::common::{spec, write_new};
use crate::catalogue::{Setup, WithGame, with_game};
use crate::cli::live::Live;
use crate::cli::output::{Form, OneTable};
use crate::cli::tournament::{stop_on_signal, threads};
use crate::cli::{Ending, files, look, note, print, ranged, seats, whole};
use crate::compare::study::{Study, Test};
use crate::compare::{self, RuleSet, number};
use crate::config::{DEFAULT_GAME, DEFAULT_SEED, options_said};
use crate::document::document as line;
use crate::error::Error;
use crate::export::columns::checksum;
use crate::fit::iterate::{How, Loss, Part, candidate, parts_of, tested_seed};
use crate::report::fit::{Step, steps_page};
use crate::report::win_model::document;
use crate::runner::start_threads;
use crate::stats::Verdict;

/// What stands under the options.
pub(super) const AFTER_HELP: &str = "\
In each step the agent plays games with itself, its value function (where a file can say it; else the weights of \
its evaluation) and its priors are fitted to them, and the agent with the new ones is compared with the old one \
on fresh seeds, as compare does: it takes the old one's place only if H1 is accepted.
DIR/iterate.jsonl has a line for each step, with a checksum; DIR/step-K the files that were fitted. A step that \
was broken off is begun anew by --resume, and comes to the same.";

/// The log in the directory.
const LOG: &str = "iterate.jsonl";
/// The format of its first line.
const FORMAT: &str = "caesar-fit-iterate/1";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// The game [default: conquest2]
    #[arg(long)]
    game: Option<String>,
    /// Number of players [default: that of the game]
    #[arg(long, value_name = "N", value_parser = seats)]
    players: Option<usize>,
    /// The agent to begin with
    #[arg(long, value_name = "SPEC", default_value = "mcts(iterations=100)")]
    start: String,
    /// What is fitted, divided by commas: weights, value, priors [default: what the agent has]
    #[arg(long, value_name = "PARTS", value_delimiter = ',', hide_possible_values = true)]
    parts: Vec<Part>,
    /// Steps
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = ranged::<u32>(1, 1000))]
    steps: u32,
    /// Games of a step that are fitted to
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = whole)]
    games: u64,
    /// Positions of a game at most
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = ranged::<u32>(1, 10_000))]
    per_game: u32,
    /// Decisions of a game that are searched for priors, at most
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = ranged::<u32>(1, 10_000))]
    decisions: u32,
    /// Parts into which games are dealt, each held out once
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = ranged::<u32>(2, 100))]
    folds: u32,
    /// Play all games from their start; otherwise most begin with play that is random to a degree
    #[arg(long)]
    unmixed: bool,
    /// Rules file (TOML) over the default rules
    #[arg(long, value_name = "FILE")]
    rules: Option<String>,
    /// Change one rule, as in options.rounds=5 (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The gain worth keeping, in points per game
    #[arg(long, value_name = "E", default_value_t = 0.03, value_parser = number, allow_hyphen_values = true)]
    effect: f64,
    /// End a test undecided after so many blocks
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole)]
    max_blocks: u64,
    /// Seed of the run
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    seed: u64,
    /// Number of threads; changes nothing but the time [default: all cores]
    #[arg(long, value_name = "T", value_parser = ranged::<u16>(1, 1024))]
    threads: Option<u16>,
    /// Directory of the log and of what is fitted
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Go on with the run in --out
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// No progress and no notes
    #[arg(long)]
    quiet: bool,
}

/// The first line of a log: what its steps depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: String,
    command: String,
}

/// What a step came to, as a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Logged {
    step: u32,
    agent: String,
    candidate: String,
    losses: Vec<Loss>,
    seed: u64,
    verdict: String,
    effect: f64,
    low: f64,
    high: f64,
    blocks: u64,
    games: u64,
    kept: bool,
}

/// A line with its checksum.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checked {
    check: String,
    line: Json,
}

impl Options {
    fn game(&self) -> &str {
        self.game.as_deref().unwrap_or(DEFAULT_GAME)
    }

    /// The command without what changes nothing of a step: threads, the number of steps, the form of results.
    fn command(&self, parts: &[Part]) -> String {
        let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
        let said = json!({
            "game": self.game(), "players": self.players, "start": self.start, "parts": names.join(","),
            "games": self.games, "per-game": self.per_game, "decisions": self.decisions, "folds": self.folds,
            "unmixed": self.unmixed, "rules": self.rules, "set": self.set, "effect": self.effect,
            "max-blocks": self.max_blocks, "seed": self.seed, "out": self.out.display().to_string(),
        });
        let Json::Object(said) = said else { unreachable!("it is written as an object") };
        let is_said =
            |value: &Json| !value.is_null() && *value != json!(false) && *value != json!([]);
        let said: Map<String, Json> =
            said.into_iter().filter(|(_, value)| is_said(value)).collect();
        format!("caesar fit iterate {}", options_said(said))
    }

    fn how(&self) -> How {
        How {
            games: self.games,
            per_game: self.per_game as usize,
            decisions: self.decisions as usize,
            mixed: !self.unmixed,
            folds: self.folds as usize,
            seed: self.seed,
        }
    }

    fn setup(&self) -> Result<Setup, Error> {
        let rules = crate::cli::RulesArgs { rules: self.rules.clone(), set: self.set.clone() };
        rules.setup(self.game(), self.players)
    }
}

/// Finds out what can be fitted.
struct Parts<'a>(&'a Options, &'a AgentSpec);

impl WithGame for Parts<'_> {
    type Output = Result<Vec<Part>, Error>;

    fn run<G: Playable>(self, game: G, _rules: &Rules) -> Self::Output {
        self.1.build(&game)?;
        let possible = parts_of(&game, self.1)?;
        let mut wanted = self.0.parts.clone();
        wanted.sort_unstable();
        wanted.dedup();
        Ok(if wanted.is_empty() { possible } else { wanted })
    }
}

/// Fits a step.
struct Fit<'a> {
    options: &'a Options,
    spec: &'a AgentSpec,
    step: u32,
    parts: &'a [Part],
}

impl WithGame for Fit<'_> {
    type Output = Result<(AgentSpec, Vec<Loss>), Error>;

    fn run<G: Playable>(self, game: G, _rules: &Rules) -> Self::Output {
        let dir = self.options.out.join(format!("step-{}", self.step));
        fs::create_dir_all(&dir).map_err(Error::output(dir.display().to_string()))?;
        let how = (&self.options.how(), self.step);
        let keep = &mut |spec: &AgentSpec, part: Part, text: &str| keep(&dir, spec, part, text);
        let found = candidate(&game, self.spec, how, self.parts, keep)?;
        Ok((found.spec, found.losses))
    }
}

/// Writes a file that was fitted, and gives the agent that names it; without a text, the same agent with its files.
fn keep(dir: &Path, agent: &AgentSpec, part: Part, text: &str) -> Result<AgentSpec, Error> {
    if text.is_empty() {
        return spec("start", &agent.to_string());
    }
    let path = dir.join(format!("{}.toml", part.name()));
    write_new(&path, text)?;
    let name = if part == Part::Value { "value" } else { "weights" };
    spec("start", &agent.saying(name, &path.display().to_string())?.to_string())
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    options.one.check(&options.form, &["steps"], &[])?;
    let start = spec("start", &options.start)?;
    let setup = options.setup()?;
    let parts = with_game(&setup, Parts(options, &start))??;
    let least = 10 * u64::from(options.folds);
    if options.games < least {
        let message =
            format!("too few to hold out {} parts of: at least {least} are needed", options.folds);
        return Err(Error::value("games", options.games.to_string(), message));
    }
    // Everything that a test can refuse, before a game is played.
    test_of(options, 1, [&start, &start])?;
    let (mut log, mut steps) = Log::open(options, &parts)?;
    let stop = stop_on_signal()?;
    let pool = start_threads(threads(options.threads))?;
    let mut live = Live::new(options.quiet);
    while (steps.len() as u32) < options.steps && !stop.load(Ordering::Relaxed) {
        let step = steps.len() as u32 + 1;
        let agent = match steps.last() {
            Some(last) => spec("start", if last.kept { &last.candidate } else { &last.agent })?,
            None => start.clone(),
        };
        live.look(|| format!("step {step}: games to fit to"));
        let fit = Fit { options, spec: &agent, step, parts: &parts };
        let (candidate, losses) = pool.install(|| with_game(&setup, fit))??;
        let Some(logged) =
            tested((options, step), [&candidate, &agent], losses, (&stop, &mut live))?
        else {
            break;
        };
        log.append(&logged)?;
        steps.push(logged);
    }
    live.finish();
    tell(options, &steps)?;
    if (steps.len() as u32) < options.steps {
        note(&format!(
            "stopped early: {} of {} steps are in {}; --resume goes on",
            steps.len(),
            options.steps,
            options.out.display()
        ));
        return Ok(Ending::Stopped);
    }
    Ok(Ending::Done)
}

/// The test of a step.
fn test_of(options: &Options, step: u32, agents: [&AgentSpec; 2]) -> Result<Study, Error> {
    let request = compare::Request {
        game: Some(options.game().to_owned()),
        players: options.players,
        agents: agents.map(ToString::to_string).to_vec(),
        rules: RuleSet { file: options.rules.clone(), settings: options.set.clone() },
        effect: Some(options.effect),
        most_blocks: Some(options.max_blocks),
        seed: Some(tested_seed(options.seed, step)),
        ..compare::Request::default()
    };
    Study::new(&request, &files::text)
}

/// Plays the test of a step; `None` if it was stopped.
fn tested(
    (options, step): (&Options, u32),
    [candidate, agent]: [&AgentSpec; 2],
    losses: Vec<Loss>,
    (stop, live): (&AtomicBool, &mut Live),
) -> Result<Option<Logged>, Error> {
    let mut logged = Logged {
        step,
        agent: agent.to_string(),
        candidate: candidate.to_string(),
        losses,
        seed: tested_seed(options.seed, step),
        verdict: Verdict::Undecided.name().to_owned(),
        effect: 0.0,
        // Nothing is known yet.
        low: -1.0,
        high: 1.0,
        blocks: 0,
        games: 0,
        kept: false,
    };
    if logged.agent == logged.candidate {
        let message = "the fit changed nothing of the agent: nothing is to be tested".to_owned();
        return Err(Error::Failed(message));
    }
    let study = test_of(options, step, [candidate, agent])?;
    let mut test = study.test();
    study.play(0..study.most_blocks(), threads(options.threads), stop, &mut |blocks| {
        let goes_on = test.hear(blocks);
        let heard = test.heard();
        live.look(|| format!("step {step}: {} games of the test", heard.games()));
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { goes_on }
    })?;
    if !test.has_ended() {
        return Ok(None);
    }
    let Test::Sequential(test) = test else { unreachable!("no other test was asked for") };
    let verdict = test.gsprt().verdict();
    verdict.name().clone_into(&mut logged.verdict);
    if let Some(said) = test.stopped() {
        (logged.effect, logged.low, logged.high) =
            (said.estimate, said.interval.low, said.interval.high);
    }
    (logged.blocks, logged.games) = (test.blocks(), test.heard().games());
    logged.kept = verdict == Verdict::H1;
    Ok(Some(logged))
}

fn tell(options: &Options, steps: &[Logged]) -> Result<(), Error> {
    let rows = steps.iter().map(|logged| Step {
        step: logged.step,
        candidate: logged.candidate.clone(),
        losses: logged.losses.clone(),
        effect: (logged.effect, logged.low, logged.high),
        verdict: logged.verdict.clone(),
        blocks: logged.blocks,
        games: logged.games,
        kept: logged.kept,
    });
    let page = steps_page(&rows.collect::<Vec<_>>(), options.effect);
    let last = steps.iter().rev().find(|step| step.kept);
    let agent = last.map_or_else(|| options.start.clone(), |step| step.candidate.clone());
    let facts = json!({ "game": options.game(), "agent": agent, "seed": options.seed });
    let Json::Object(facts) = facts else { unreachable!("it is written as an object") };
    print(&match options.form.is_json() {
        true => line(&document(facts, &page.tables)),
        false => options.form.write(look(), Some(&options.one), &|_| page.clone()),
    })
}

/// The log, which grows by whole lines.
struct Log {
    file: File,
    place: String,
}

impl Log {
    /// Begins a log, or goes on with one: with the steps that are in it.
    fn open(options: &Options, parts: &[Part]) -> Result<(Self, Vec<Logged>), Error> {
        let path = options.out.join(LOG);
        let place = path.display().to_string();
        let header = Header {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: options.command(parts),
        };
        let refuse = |message: &str| {
            Error::value("out", options.out.display().to_string(), message.to_owned())
        };
        if path.exists() && !options.resume {
            return Err(refuse(
                "a run is there already: go on with --resume, or name another directory",
            ));
        }
        let is_empty = |dir: &Path| fs::read_dir(dir).is_ok_and(|mut all| all.next().is_none());
        if !path.exists() && options.out.exists() && !is_empty(&options.out) {
            return Err(refuse("it holds files, and no iterate.jsonl; name another directory"));
        }
        fs::create_dir_all(&options.out).map_err(Error::opening(place.clone()))?;
        let file = files::open_locked(&path).map_err(Error::opening(place.clone()))?;
        let text = files::document(&path).map_err(Error::file(place.clone()))?;
        let (kept, steps) = read(&text, &header, &place)?;
        // A line that a kill has cut is as if it had never been.
        file.set_len(kept).map_err(Error::output(place.clone()))?;
        let mut log = Self { file, place };
        if kept == 0 {
            log.write(&header)?;
        }
        Ok((log, steps))
    }

    fn append(&mut self, logged: &Logged) -> Result<(), Error> {
        self.write(logged)
    }

    fn write(&mut self, what: &impl Serialize) -> Result<(), Error> {
        let what = serde_json::to_value(what).expect("names and numbers are a document");
        let check = checksum(&what.to_string());
        let text = line(&Checked { check, line: what });
        let write = |mut file: &File| {
            std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0))?;
            file.write_all(text.as_bytes())?;
            file.sync_data()
        };
        write(&self.file).map_err(Error::output(self.place.clone()))
    }
}

/// The length of the whole lines of a log, and its steps.
fn read(text: &str, header: &Header, place: &str) -> Result<(u64, Vec<Logged>), Error> {
    let mut kept = 0;
    let mut steps: Vec<Logged> = Vec::new();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    for (number, text) in (1..).zip(whole) {
        let bad = |message: &str| Error::Usage(format!("{place}:{number}: {message}"));
        let checked: Checked =
            serde_json::from_str(text).map_err(|_| bad("it is no line of such a log"))?;
        if checksum(&checked.line.to_string()) != checked.check {
            return Err(bad("its checksum does not fit: the file was changed"));
        }
        kept += text.len() as u64;
        if number == 1 {
            let own: Header = serde_json::from_value(checked.line)
                .map_err(|_| bad("it is no head of such a log"))?;
            if own != *header {
                return Err(bad(&format!(
                    "it is the log of {} by version {}, and not of {}",
                    own.command, own.version, header.command
                )));
            }
            continue;
        }
        let step: Logged =
            serde_json::from_value(checked.line).map_err(|_| bad("it is no step of such a log"))?;
        if step.step != steps.len() as u32 + 1 {
            return Err(bad("a step is missing before it"));
        }
        steps.push(step);
    }
    Ok((kept, steps))
}
