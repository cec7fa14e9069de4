//! `caesar variant`: reports in sentences what a change of the rules does to a game.
//!
//! It plays the studies of `balance` under both rule sets, each on its own seeds, and has no statistics of its own.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use agents::AgentSpec;
use clap::Args;
use engine::Rules;
use engine::rules::Change;
use serde_json::json;

use super::RESUME;
use super::changed::{ARMS, ByArm, play_arms, seed_of};
use super::ended::conclude;
use super::several::{Game, Job, Pick, Several, names, planned};
use crate::cli::output::Form;
use crate::cli::outputs::Again;
use crate::cli::running::{Threads, stop_on_signal};
use crate::cli::{Ending, files, look, note, overrides, print};
use crate::report::balance::rules::{self, Changes, Compared};
use crate::report::balance::variant::{self as report, Measured, Variant};
use crate::report::format::terminal::listed;
use crate::report::rules::line;
use lab::balance::request::{Request, What};
use lab::balance::statements::{FARTHEST, Statement, differences};
use lab::balance::study::BalanceStudy;
use lab::compare::number;
use lab::dynamics::request::{self as watch, More, ValidatedDynamics};
use sim::catalogue::{NAMES, Overrides, Setup, checked_rules, rules_of};
use sim::config::numbers::whole;
use sim::config::{Played, RuleSet, helped, quoted};
use sim::document::document;
use sim::error::{Arm, Error};
use sim::units;

/// Text under the options.
pub(in crate::cli) const AFTER_HELP: &str = "\
One FILE holds the new rules, two hold the old and the new ones; a file has the changed keys only. Without a file, \
--set-b changes the default rules. A table such as [seat2] with talents = 5 compensates a seat from the start, in \
games with gifts to seats.
The studies of `caesar balance` are played under both rule sets, each on its own seeds, and their commands are \
printed. A number has changed if its change is significant at a false discovery rate of 10 % in its study and its \
95 % interval excludes 0. No difference: the interval lies within 5 points of share, or within 5 % of a size. Other \
numbers are undecided; the games that would decide assume that nothing differs.
--quick plays seats and course in less than a minute in most games. Otherwise alliances, places and cards are also \
measured, in less than ten minutes. --full plays ten times as many games.
--out DIR holds a directory for each run, summary.json, and the page variant.html, which shows old and new side by \
side.";

/// The agent of a variant that names none.
const AGENT: &str = "greedy";
/// The games that the win model of a quick look is fitted to: more than any game of the catalogue needs at least.
const QUICK_FIT: u64 = 1_000;
/// Seconds that a person takes for a choice, where none are given.
const PACE: f64 = 15.0;

/// The options of `caesar variant`.
#[derive(Debug, Args)]
#[command(mut_args(helped("resume", RESUME)))]
pub(in crate::cli) struct Options {
    /// Rules files (TOML): the new rules, or the old and the new ones
    #[arg(value_name = "FILE", num_args = 0..=2)]
    files: Vec<String>,
    #[command(flatten)]
    played: Played,
    /// Agent in all seats [default: greedy]
    #[arg(long, value_name = "SPEC")]
    agent: Option<String>,
    /// Change one rule of the old side, as in options.rounds=5 (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set_a: Vec<String>,
    /// Change one rule of the new side, as in options.rounds=5 (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set_b: Vec<String>,
    /// Play few games: seats and the course of the game only
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Play ten times as many games
    #[arg(long)]
    full: bool,
    /// Seed of the run; the same seed gives the same games [default: 1]
    #[arg(long, value_parser = whole)]
    seed: Option<u64>,
    /// Seconds that a person takes for a choice, for minutes at a table [default: 15]
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true)]
    pace: Option<f64>,
    /// Print the number of games and the smallest detectable effect, then exit
    #[arg(long)]
    plan: bool,
    #[command(flatten)]
    threads: Threads,
    /// Write each run, summary.json and the page variant.html into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
    #[command(flatten)]
    form: Form,
    /// Suppress progress and notes
    #[arg(long)]
    quiet: bool,
}

/// Number of games of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Quick,
    Usual,
    Full,
}

impl Size {
    /// Returns the games of a study, its blocks, and the effect that it must be able to find.
    const fn of_study(self) -> (u64, u64, f64) {
        match self {
            Self::Quick => (6_000, 1_000, 0.2),
            Self::Usual => (40_000, 4_000, 0.1),
            Self::Full => (400_000, 20_000, 0.1),
        }
    }

    /// Returns the numbers of the study of the course of the game.
    fn of_game(self) -> (watch::Request, More) {
        // Gifts validate a model for screens; nothing here is screened by it.
        let asked = watch::Request { treated: Some(0), ..watch::Request::default() };
        let quick = watch::Request { quick: true, ..asked.clone() };
        let few = |deals, steps, restrictions| More {
            deals: Some(deals),
            steps: Some(steps),
            restrictions: Some(restrictions),
            ..More::default()
        };
        match self {
            Self::Quick => {
                (watch::Request { fit_games: Some(QUICK_FIT), ..quick }, few(100, 50, 30))
            }
            Self::Usual => (watch::Request { games: Some(2_000), ..quick }, More::default()),
            Self::Full => (watch::Request { games: Some(10_000), ..asked }, More::default()),
        }
    }
}

/// Rules of one side.
struct Side {
    set: RuleSet,
    rules: Rules,
}

impl Side {
    fn words(&self, game: &str) -> String {
        line(game, &self.rules.changes()).unwrap_or_else(|| "the default rules".to_owned())
    }
}

/// Runs `caesar variant`.
pub(in crate::cli) fn run(options: &Options) -> Result<Ending, Error> {
    if options.form.is_csv() {
        let what = "--format csv: sentences are no table; --out writes the tables of each run";
        return Err(Error::Usage(what.to_owned()));
    }
    let pace = options.pace.unwrap_or(PACE);
    if pace <= 0.0 {
        let message = "a choice takes some time: name seconds above 0";
        return Err(Error::value("pace", units::given(pace), message));
    }
    let sides = sides(options)?;
    let several = several(options);
    let (jobs, games) = (studies(options, &sides)?, courses(options, &sides)?);
    let commands: Vec<(String, String)> = jobs
        .iter()
        .map(|(name, study)| {
            (name.clone(), study.validated().request.command(study.validated().what))
        })
        .chain(games.iter().map(|(name, asked)| (name.clone(), asked.command())))
        .collect();
    let stop = stop_on_signal()?;
    if planned(&several, &jobs, &games, &stop)? {
        return Ok(Ending::Done);
    }
    several.make_way(&names(&jobs, &games))?;
    if !options.quiet {
        commands.iter().for_each(|(name, command)| note(&format!("{name}: {command}")));
    }
    let played = match play_arms(&several, &jobs, &games, sides.len(), &stop)? {
        ControlFlow::Continue(played) => played,
        ControlFlow::Break(ending) => return Ok(ending),
    };
    let mut found = Variant {
        rules: [&sides[0], &sides[1]].map(|side| side.words(options.played.name())),
        studies: measured(played, &jobs, &games),
        pace,
        next: Vec::new(),
        commands,
    };
    found.next = next(options, &sides, &found);
    finish(options, &several, &found, &jobs)
}

/// Prints the answer, and stores it with its page.
fn finish(
    options: &Options,
    several: &Several,
    found: &Variant,
    jobs: &[Job],
) -> Result<Ending, Error> {
    let changes = Changes { file: options.files.last().map(String::as_str), set: &options.set_b };
    if !options.form.is_json() {
        let compared: Vec<Compared> =
            found.studies.iter().map(|one| one.compared.clone()).collect();
        let page = |_| rules::page(&compared, changes, &command(options, options.full));
        let text = match options.form.is_table() {
            true => listed(&found.rows(), look()),
            false => options.form.write(look(), None, &page),
        };
        print(&text)?;
    }
    let facts =
        jobs.first().map_or(json!({}), |(_, study)| super::several::facts_of(study.validated()));
    let json = report::json(found, facts, changes);
    conclude(several.out.as_deref(), options.form.is_json(), &document(&json))
}

/// Returns the rules of both sides, checked.
fn sides(options: &Options) -> Result<[Side; 2], Error> {
    let (old, new) = match &options.files[..] {
        [] => (None, None),
        [new] => (None, Some(new)),
        [old, new, ..] => (Some(old), Some(new)),
    };
    let side = |arm: Arm, file: Option<&String>, settings: &Vec<String>| {
        let set = RuleSet { file: file.cloned(), settings: settings.clone() };
        let setup = Setup {
            game: options.played.name().to_owned(),
            players: options.played.players,
            overrides: overrides(&set)?,
        };
        let rules = checked_rules(&setup).map_err(|error| of_other_game(error, &setup, arm))?;
        Ok::<Side, Error>(Side { set, rules })
    };
    let sides = [side(Arm::A, old, &options.set_a)?, side(Arm::B, new, &options.set_b)?];
    if sides[0].rules.overrides() == sides[1].rules.overrides() {
        return Err(Error::SameRules);
    }
    Ok(sides)
}

/// Returns the error about refused rules, with the game to which a file belongs if it is another one.
fn of_other_game(error: Error, setup: &Setup, arm: Arm) -> Error {
    let Error::Rules { bad, .. } = error else { return error };
    let only_file = Overrides { file: setup.overrides.file.clone(), ..Overrides::default() };
    let is_of = |name: &&&str| **name != setup.game && rules_of(name, &only_file).is_ok();
    match (&only_file.file, NAMES.iter().find(is_of)) {
        (Some((file, _)), Some(name)) if rules_of(&setup.game, &only_file).is_err() => {
            Error::Usage(format!(
                "{file}: these are rules of {name} and not of {}: write --game {name} ({bad})",
                setup.game
            ))
        }
        _ => {
            let is_setting =
                setup.overrides.settings.iter().any(|s| bad.to_string().starts_with(s));
            Error::Rules { bad, arm: is_setting.then_some(arm) }
        }
    }
}

/// Returns the common options of several studies.
fn several(options: &Options) -> Several {
    Several {
        request: Request {
            played: options.played.clone(),
            seed: options.seed,
            ..Request::default()
        },
        studies: Vec::new(),
        plan: options.plan,
        threads: options.threads,
        out: options.out.clone(),
        again: options.again,
        shard: None,
        form: options.form.clone(),
        quiet: options.quiet,
    }
}

/// Page of a variant in its directory.
const PAGE: &str = "variant.html";

impl Options {
    /// Returns the directory of a finished run, the name of the page that belongs there, and whether a note is left out.
    pub(in crate::cli) fn page(&self) -> Option<(&Path, &'static str, bool)> {
        let dir = self.out.as_deref().filter(|_| !self.plan)?;
        Some((dir, PAGE, self.quiet))
    }

    const fn size(&self) -> Size {
        match (self.quick, self.full) {
            (true, _) => Size::Quick,
            (_, true) => Size::Full,
            _ => Size::Usual,
        }
    }

    fn agent(&self) -> String {
        self.agent.clone().unwrap_or_else(|| AGENT.to_owned())
    }
}

/// Returns the studies with interventions: each under the old rules, then under the new ones.
fn studies(options: &Options, sides: &[Side; 2]) -> Result<Vec<Job>, Error> {
    let (games, blocks, effect) = options.size().of_study();
    let one = |what: What, arm: usize| {
        let request = Request {
            played: options.played.clone(),
            agents: vec![options.agent()],
            rules: sides[arm].set.clone(),
            blocks: Some(blocks),
            effect: Some(effect),
            seed: seed_of(ARMS[arm], options.seed),
            ..Request::default()
        };
        let study = BalanceStudy::within(what, &request, games, &files::text)?;
        Ok::<Job, Error>((format!("{}-{}", what.word(), ARMS[arm]), study))
    };
    let seats = [one(What::Seats, 0)?, one(What::Seats, 1)?];
    let is_allowed = |what: What| {
        let allows = |(_, study): &Job| what.is_allowed_by(&study.validated().facts);
        what != What::Seats && options.size() != Size::Quick && seats.iter().all(allows)
    };
    let others: Vec<What> = What::ALL.into_iter().filter(|what| is_allowed(*what)).collect();
    let mut jobs = Vec::from(seats);
    for what in others {
        jobs.extend([one(what, 0)?, one(what, 1)?]);
    }
    Ok(jobs)
}

/// Returns the studies of the course of the game under the old rules and under the new ones; none for an agent that
/// does not repeat its games.
fn courses(options: &Options, sides: &[Side; 2]) -> Result<Vec<Game>, Error> {
    let spec: AgentSpec = options.agent().parse()?;
    if spec.is_timed() || spec.is_external() {
        note("the course of the game is left out: the agent is not deterministic");
        return Ok(Vec::new());
    }
    let one = |arm: usize| {
        let (asked, more) = options.size().of_game();
        let request = watch::Request {
            played: options.played.clone(),
            agent: Some(options.agent()),
            rules: sides[arm].set.clone(),
            seed: seed_of(ARMS[arm], options.seed),
            ..asked
        };
        let asked = ValidatedDynamics::new(watch::What::Game, &request, &more, &files::text)?;
        Ok((format!("{}-{}", Pick::Game.word(), ARMS[arm]), asked))
    };
    [0, 1].into_iter().map(one).collect()
}

/// Returns the changes of all statements, study by study.
fn measured(studies: ByArm, jobs: &[Job], games: &[Game]) -> Vec<Measured> {
    let played = |study: &str| -> u64 {
        let of_job = jobs.iter().filter(|(_, job)| job.validated().what.word() == study);
        let of_job =
            of_job.map(|(_, job)| job.experiment().games_per_block() * job.validated().blocks);
        let watched = games.iter().filter(|_| study == Pick::Game.word());
        of_job.chain(watched.map(|(_, asked)| super::foreseen::games_of(asked))).sum()
    };
    let one = |(study, by_arm): (&'static str, Vec<Vec<Statement>>)| {
        let [old, new] = &by_arm[..] else { return None };
        let compared = Compared { study, moved: differences(old, new), noise: Vec::new() };
        Some(Measured { compared, games: played(study) })
    };
    studies.into_iter().filter_map(one).collect()
}

/// Returns the command of this variant, with `--full` or as it was given.
fn command(options: &Options, is_full: bool) -> String {
    let mut words = vec!["caesar variant".to_owned()];
    words.extend(options.files.iter().map(|file| quoted(file)));
    words.push(format!("--game {}", options.played.name()));
    words.extend(options.played.players.map(|n| format!("--players {n}")));
    words.extend(options.agent.iter().map(|agent| format!("--agent {}", quoted(agent))));
    for (name, settings) in [("set-a", &options.set_a), ("set-b", &options.set_b)] {
        words.extend(settings.iter().map(|one| format!("--{name} {}", quoted(one))));
    }
    words.extend(options.seed.map(|seed| format!("--seed {seed}")));
    let size = if is_full { Some("--full") } else { options.quick.then_some("--quick") };
    words.extend(size.map(str::to_owned));
    words.join(" ")
}

/// Returns the advice on the next step: values between and around the old and the new one where seats stay unequal,
/// prices where cards moved, and more games where seats are undecided.
fn next(options: &Options, sides: &[Side; 2], found: &Variant) -> Vec<(String, String)> {
    let mut advice = Vec::new();
    let game = options.played.name();
    let new = options.files.last().map(|file| quoted(file));
    let rules = new.map_or_else(String::new, |file| format!(" --rules {file}"));
    let change = |study: &str| found.studies.iter().find(|one| one.compared.study == study);
    let farthest = change("seats").and_then(|one| {
        one.compared.moved.iter().find(|moved| moved.name == FARTHEST)?.to.interval
    });
    if farthest.is_some_and(|at| at.low > 0.0) {
        let ranges = sides[1].rules.changes();
        let ranges = ranges.iter().filter_map(|change| range(options, &sides[1], change)).next();
        let text = "a fairer value";
        advice.extend(ranges.map(|range| {
            let command = format!(
                "caesar tune --game {game}{rules} --set {} --target seat-fairness",
                quoted(&range)
            );
            (text.to_owned(), command)
        }));
    } else if !options.full {
        let text = "more games";
        advice.push((text.to_owned(), command(options, true)));
    }
    let cards = change("cards").into_iter().flat_map(|one| &one.compared.moved);
    if let Some(card) = cards.clone().find(|moved| moved.is_found())
        && let Some((name, _)) = card.name.split_once(' ')
    {
        let text = format!("{name} at other prices");
        let command =
            format!("caesar balance cards --game {game}{rules} --name {name} --sweep --quick");
        advice.push((text, command));
    }
    advice
}

/// Returns a range of a changed number around its old and its new value, as `tune` reads it, if the rules accept both
/// ends.
fn range(options: &Options, side: &Side, change: &Change) -> Option<String> {
    let (was, now) = (change.was.as_i64()?, change.now.as_i64()?);
    let (low, high) = (was.min(now), was.max(now));
    let around = [(low - 1, high + 1), (low, high + 1), (low - 1, high), (low, high)];
    let accepts = |number: i64| {
        let settings = side.set.settings.iter().cloned();
        let settings = settings.chain([format!("{}={number}", change.key)]).collect();
        let set = RuleSet { settings, ..side.set.clone() };
        let setup = Setup {
            game: options.played.name().to_owned(),
            players: options.played.players,
            overrides: overrides(&set).ok()?,
        };
        checked_rules(&setup).ok()
    };
    let fits = |&(low, high): &(i64, i64)| accepts(low).is_some() && accepts(high).is_some();
    let (low, high) = around.into_iter().find(fits)?;
    Some(format!("{}=?{low}..{high}", change.key))
}
