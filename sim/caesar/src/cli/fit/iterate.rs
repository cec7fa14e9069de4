//! `caesar fit iterate`.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use agents::AgentSpec;
use agents::side_by_side::within;
use clap::Args;
use serde_json::{Map, Value as Json, json};

use super::journal::{Home, Log, Logged};
use super::training::share;
use crate::cli::live::Live;
use crate::cli::output::{Form, OneTable};
use crate::cli::outputs::Again;
use crate::cli::running::{Threads, stop_on_signal, threads, unless_stopped};
use crate::cli::{Ending, look, note, print, setup};
use crate::report::fit::{Step, steps_page};
use crate::report::win_model::document;
use lab::compare::study::{ComparisonStudy, Test};
use lab::compare::verdict::Word;
use lab::compare::{self, number};
use lab::fit::iterate::{Candidate, Loss, fitted_candidate, parts_to_fit};
use lab::fit::step::{How, Part, Wanted, tested_seed};
use lab::fit::window::Window;
use sim::catalogue::Setup;
use sim::config::numbers::{games_kept, ranged, whole};
use sim::config::{DEFAULT_SEED, Played, RuleSet, helped, options_text};
use sim::document::document as line;
use sim::error::Error;
use sim::runner::start_threads;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
In each step the agent plays games with itself. Its value function (or the weights of its evaluation, if no \
value file exists) and its priors are fitted to these games. --parts net fits a net beside the value function instead, \
to the games of the last --window steps; an agent with a net (value=FILE) goes on with it. The new agent is compared with the old one on fresh \
seeds, as by `caesar compare`. It replaces the old one only if it is better.
DIR/iterate.jsonl has a line with a checksum for each step, and DIR/step-K the fitted files. --resume repeats a \
step that was interrupted, with the same result.";

/// The help of `--resume`.
const RESUME: &str = "Resume the run in --out";

#[derive(Clone, Debug, Args)]
#[command(mut_args(helped("resume", RESUME)))]
pub(in crate::cli) struct Options {
    #[command(flatten)]
    played: Played,
    /// Agent of the first step
    #[arg(long, value_name = "SPEC", default_value = "mcts(iterations=100)")]
    start: String,
    /// Parts to fit, comma-separated: weights, value, net, priors [default: all parts of the agent]
    #[arg(long, value_name = "PARTS", value_delimiter = ',', hide_possible_values = true)]
    parts: Vec<Part>,
    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = ranged::<u32>(1, 1000))]
    steps: u32,
    /// Games to fit to in each step
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = games_kept)]
    games: u64,
    /// Most positions of one game
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = ranged::<u32>(1, 10_000))]
    per_game: u32,
    /// Most decisions of one game that are searched, to fit priors
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = ranged::<u32>(1, 10_000))]
    decisions: u32,
    /// Number of cross-validation folds (games are never split)
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = ranged::<u32>(2, 100))]
    folds: u32,
    /// Steps whose games a net learns from
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = ranged::<u32>(1, 1000))]
    window: u32,
    /// Share of the root values of the agent's own searches in the targets of a net; the rest is who won
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = share)]
    root_share: f64,
    /// Play all games from their start. Without it, most games begin with partly random play
    #[arg(long)]
    unmixed: bool,
    #[command(flatten)]
    rules: RuleSet,
    /// Smallest gain worth keeping, in points per game
    #[arg(long, value_name = "E", default_value_t = 0.03, value_parser = number, allow_hyphen_values = true)]
    effect: f64,
    /// Most blocks of a test; it ends undecided then
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole)]
    max_blocks: u64,
    /// Seed of the run
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Directory of the log and of the fitted files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    again: Again,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// Suppress progress and notes
    #[arg(long)]
    quiet: bool,
}

impl Options {
    fn game(&self) -> &str {
        self.played.name()
    }

    /// Returns the command without options that do not change a step: threads, the number of steps, the form of
    /// results.
    fn command(&self, parts: &[Part]) -> String {
        let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
        let options = json!({
            "game": self.game(), "players": self.played.players, "start": self.start, "parts": names.join(","),
            "games": self.games, "per-game": self.per_game, "decisions": self.decisions, "folds": self.folds,
            "unmixed": self.unmixed, "rules": self.rules.file, "set": self.rules.settings, "effect": self.effect,
            "max-blocks": self.max_blocks, "seed": self.seed,
            "window": parts.contains(&Part::Net).then_some(self.window),
            "root-share": (self.root_share > 0.0).then_some(self.root_share),
        });
        let Json::Object(options) = options else { unreachable!("it is written as an object") };
        let is_set =
            |value: &Json| !value.is_null() && *value != json!(false) && *value != json!([]);
        let options: Map<String, Json> =
            options.into_iter().filter(|(_, value)| is_set(value)).collect();
        format!("caesar fit iterate {}", options_text(options))
    }

    /// Returns the parts to fit: those that were named, or all that `start` plays with.
    fn wanted(&self, setup: &Setup, start: &AgentSpec) -> Result<Vec<Part>, Error> {
        if [Part::Value, Part::Net].iter().all(|part| self.parts.contains(part)) {
            let message =
                "both are value=FILE of the agent: fit the one, then the other from there";
            return Err(Error::value("parts", "value,net", message));
        }
        parts_to_fit(setup, start, &self.parts)
    }

    fn how(&self) -> How {
        How {
            games: self.games,
            per_game: self.per_game as usize,
            decisions: self.decisions as usize,
            mixed: !self.unmixed,
            folds: self.folds as usize,
            window: self.window,
            root_share: self.root_share,
            seed: self.seed,
        }
    }

    fn setup(&self) -> Result<Setup, Error> {
        setup(self.game(), self.played.players, &self.rules)
    }
}

/// Fit of one step.
struct Fit {
    options: Options,
    home: Home,
    spec: AgentSpec,
    step: u32,
    before: Vec<AgentSpec>,
    parts: Vec<Part>,
    window: Arc<Mutex<Window>>,
}

impl Fit {
    fn candidate(&self, setup: &Setup) -> Result<Candidate, Error> {
        let keep = &mut |spec: &AgentSpec, part: Part, text: &str| {
            self.home.keep(self.step, spec, part, text)
        };
        let Self { spec, step, before, parts, .. } = self;
        let wanted = Wanted { spec, step: *step, before, parts };
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        fitted_candidate(setup, wanted, &self.options.how(), &mut window, keep)
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    options.one.check(&options.form, &["steps"], &[])?;
    let home = Home::new(&options.out);
    let start = home.start(&options.start)?;
    let setup = options.setup()?;
    let parts = options.wanted(&setup, &start)?;
    let least = 10 * u64::from(options.folds);
    if options.games < least {
        let message =
            format!("too few to hold out {} parts of: at least {least} are needed", options.folds);
        return Err(Error::value("games", options.games.to_string(), message));
    }
    // Checks of the test come before the first game.
    test_of(options, &home, 1, [&start, &start])?;
    let existing = options.again.existing();
    let files = home.files(&start, &setup)?;
    let command = options.command(&parts);
    let (mut log, mut steps) = Log::open(&home, existing, options.steps, command, &files)?;
    let stop = stop_on_signal()?;
    let pool = Arc::new(start_threads(threads(options.threads))?);
    let mut live = Live::new(options.quiet);
    let window = Arc::new(Mutex::new(Window::default()));
    while (steps.len() as u32) < options.steps && !stop.load(Ordering::Relaxed) {
        let step = steps.len() as u32 + 1;
        let agent = match steps.last() {
            Some(last) => home.spec(if last.kept { &last.candidate } else { &last.agent })?,
            None => start.clone(),
        };
        live.look(|| format!("step {step}: games to fit to"));
        let fit = Fit {
            options: options.clone(),
            home: home.clone(),
            spec: agent.clone(),
            step,
            before: steps.iter().map(|one| home.spec(&one.agent)).collect::<Result<_, _>>()?,
            parts: parts.clone(),
            window: Arc::clone(&window),
        };
        let (pool, setup) = (Arc::clone(&pool), setup.clone());
        // An interrupted step begins again.
        let fitted = unless_stopped(&stop, move || within(&pool, || fit.candidate(&setup)));
        let Some(fitted) = fitted else { break };
        let Candidate { spec: candidate, losses } = fitted?;
        let agents = [&candidate, &agent];
        let begun = untested(options, step, agents, losses);
        let Some(logged) = tested(options, &home, begun, agents, &stop, &mut live)? else { break };
        log.append(&logged)?;
        steps.push(logged);
    }
    live.finish();
    tell(options, &home, &steps)?;
    if (steps.len() as u32) < options.steps {
        note(&format!(
            "stopped early: {} of {} steps are in {}; --resume continues",
            steps.len(),
            options.steps,
            options.out.display()
        ));
        return Ok(Ending::Stopped);
    }
    Ok(Ending::Done)
}

/// Returns the test of a step.
fn test_of(
    options: &Options,
    home: &Home,
    step: u32,
    agents: [&AgentSpec; 2],
) -> Result<ComparisonStudy, Error> {
    let request = compare::Request {
        played: Played { game: Some(options.game().to_owned()), ..options.played },
        agents: agents.map(ToString::to_string).to_vec(),
        rules: options.rules.clone(),
        effect: Some(options.effect),
        most_blocks: Some(options.max_blocks),
        seed: Some(tested_seed(options.seed, step)),
        ..compare::Request::default()
    };
    ComparisonStudy::new(&request, &|path| home.text(path))
}

/// Returns the entry of a step before its test, with the result of the candidate's fit.
fn untested(
    options: &Options,
    step: u32,
    [candidate, agent]: [&AgentSpec; 2],
    losses: Vec<Loss>,
) -> Logged {
    Logged {
        step,
        agent: agent.to_string(),
        candidate: candidate.to_string(),
        losses,
        seed: tested_seed(options.seed, step),
        verdict: Word::Undecided.name(1).to_owned(),
        effect: 0.0,
        // There is no result yet.
        low: -1.0,
        high: 1.0,
        blocks: 0,
        games: 0,
        kept: false,
    }
}

/// Plays the test of a step; `None` if it was stopped.
fn tested(
    options: &Options,
    home: &Home,
    mut logged: Logged,
    agents: [&AgentSpec; 2],
    stop: &AtomicBool,
    live: &mut Live,
) -> Result<Option<Logged>, Error> {
    let step = logged.step;
    if logged.agent == logged.candidate {
        let message = "the fit left the agent unchanged: there is nothing to test".to_owned();
        return Err(Error::Failed(message));
    }
    let study = test_of(options, home, step, agents)?;
    let mut test = study.test();
    study.play(0..study.most_blocks(), threads(options.threads), stop, &mut |blocks| {
        let goes_on = test.add(blocks);
        let block_stats = test.block_stats();
        live.look(|| format!("step {step}: {} games of the test", block_stats.games()));
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { goes_on }
    })?;
    if !test.has_ended() {
        return Ok(None);
    }
    let Test::Sequential(test) = test else { unreachable!("no other test was asked for") };
    let answer = test.answer();
    answer.word.name(1).clone_into(&mut logged.verdict);
    if let Some(stopped) = answer.stopped {
        (logged.effect, logged.low, logged.high) =
            (stopped.estimate, stopped.interval.low, stopped.interval.high);
    }
    (logged.blocks, logged.games) = (test.blocks(), test.block_stats().games());
    logged.kept = answer.word == Word::Better;
    Ok(Some(logged))
}

fn tell(options: &Options, home: &Home, steps: &[Logged]) -> Result<(), Error> {
    let rows = steps.iter().map(|logged| Step {
        step: logged.step,
        candidate: home.shown(&logged.candidate),
        losses: logged.losses.clone(),
        effect: (logged.effect, logged.low, logged.high),
        verdict: logged.verdict.clone(),
        blocks: logged.blocks,
        games: logged.games,
        kept: logged.kept,
    });
    let page = steps_page(&rows.collect::<Vec<_>>(), options.effect);
    let last = steps.iter().rev().find(|step| step.kept);
    let agent = last.map_or_else(|| options.start.clone(), |step| home.shown(&step.candidate));
    let facts = json!({ "game": options.game(), "agent": agent, "seed": options.seed });
    let Json::Object(facts) = facts else { unreachable!("it is written as an object") };
    print(&match options.form.is_json() {
        true => line(&document(facts, &page.tables)),
        false => options.form.write(look(), Some(&options.one), &|_| page.clone()),
    })
}
