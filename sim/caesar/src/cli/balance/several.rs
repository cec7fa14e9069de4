//! `caesar balance all`: runs several studies after one plan, each in a separate directory.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use agents::AgentSpec;
use clap::Args;
use serde_json::{Map, Value as Json, json};

use super::RESUME;
use super::ended::{conclude, parted, stopped};
use super::foreseen;
use super::run::{How, Played, played, probe};
use super::watching;
use super::way::make_way;
use crate::cli::files;
use crate::cli::output::{Form, stream};
use crate::cli::outputs::Again;
use crate::cli::running::{Threads, stop_on_signal, threads};
use crate::cli::{Ending, look, note, print};
use crate::report::balance as report;
use lab::balance::request::{Request, ValidatedBalance, What};
use lab::balance::study::BalanceStudy;
use lab::dynamics::request as watch;
use sim::config::helped;
use sim::document::document;
use sim::error::Error;
use sim::manifest::Shard;
use sim::units;
use sim::win_model::audit::FEWEST_GAMES;

/// The options of several studies.
#[derive(Debug, Args)]
#[command(mut_args(helped("resume", RESUME)))]
pub(super) struct Several {
    #[command(flatten)]
    pub(super) request: Request,
    /// Study to run: cards, provinces, seats, alliances, game (repeatable) [default: all of the game]
    #[arg(long = "study", value_name = "WORD", value_parser = Pick::parse)]
    pub(super) studies: Vec<Pick>,
    /// Print the number of games and the smallest detectable effect, then exit
    #[arg(long)]
    pub(super) plan: bool,
    #[command(flatten)]
    pub(super) threads: Threads,
    /// Write each study into a subdirectory of this directory
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) again: Again,
    /// Play part I of N (I counts from 1) of every study or of the joint draws; `caesar merge` joins parts of
    /// studies
    #[arg(long, value_name = "I/N", requires = "out", value_parser = Shard::parse)]
    pub(super) shard: Option<Shard>,
    #[command(flatten)]
    pub(super) form: Form,
    /// Suppress progress and notes
    #[arg(long)]
    pub(super) quiet: bool,
}

/// Study requested by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pick {
    /// Study that intervenes in the game.
    Of(What),
    /// Study of the course of the game.
    Game,
}

impl Several {
    /// Prints the page of one study of several; `Break` if the reader has gone and nothing is stored.
    fn tell(&self, page: &str) -> Result<ControlFlow<()>, Error> {
        match stream(page) {
            Err(Error::ClosedPipe) if self.out.is_none() => Ok(ControlFlow::Break(())),
            Ok(()) | Err(Error::ClosedPipe) => Ok(ControlFlow::Continue(())),
            Err(error) => Err(error),
        }
    }

    /// Clears --out, if it is given, for the studies in these directories.
    pub(super) fn make_way(&self, names: &[String]) -> Result<(), Error> {
        self.out.as_ref().map_or(Ok(()), |out| make_way(out, self.again.existing(), names))
    }
}

impl Pick {
    fn parse(word: &str) -> Result<Self, String> {
        if word == watch::What::Game.word() {
            return Ok(Self::Game);
        }
        let words = What::ALL.map(What::word).join(", ");
        let none = format!("no such study (there are {words}, {})", watch::What::Game.word());
        What::parse(word).map(Self::Of).map_err(|_| none)
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Of(what) => what.word(),
            Self::Game => watch::What::Game.word(),
        }
    }
}

/// Study, with the place of its results in the directory.
pub(super) type Job = (String, BalanceStudy);
/// Request for a study of the course of the game, with its name.
pub(super) type Game = (String, watch::ValidatedDynamics);

/// Runs `caesar balance all`.
pub(super) fn all(options: &Several) -> Result<Ending, Error> {
    refuse_form(options)?;
    let jobs: Vec<Job> = studies(options, &options.request)?
        .into_iter()
        .map(|study| (study.validated().what.word().to_owned(), study))
        .collect();
    let game = watched(options, &options.request)?;
    let games: Vec<Game> =
        game.into_iter().map(|validated| (Pick::Game.word().to_owned(), validated)).collect();
    let stop = stop_on_signal()?;
    if planned(options, &jobs, &games, &stop)? {
        return Ok(Ending::Done);
    }
    options.make_way(&names(&jobs, &games))?;
    let mut json = Map::new();
    for job in &jobs {
        let result = match play(options, job, Part::Study(options.shard), &stop)? {
            Played::Whole(result, _) => result,
            Played::Shard(_) => continue,
            Played::Stopped(..) => return Ok(stopped(options.out.as_deref(), &job.0)),
        };
        let text = report::json(&job.1, &result);
        let document = serde_json::from_str(&text).unwrap_or_default();
        json.insert(job.0.clone(), document);
        if !options.form.is_json() {
            let page = options.form.write(look(), None, &|_| report::page(&job.1, &result));
            if options.tell(&page)?.is_break() {
                return Ok(stopped(options.out.as_deref(), &job.0));
            }
        }
    }
    for (name, validated) in &games {
        let found = match play_game(options, name, validated, &stop)? {
            watching::Played::Whole(found) => found,
            watching::Played::Shard(_) => continue,
            watching::Played::Stopped(..) => return Ok(stopped(options.out.as_deref(), name)),
        };
        json.insert(name.clone(), watching::as_json(validated, &found));
        if !options.form.is_json() {
            let page = options.form.write(look(), None, &|_| watching::page(validated, &found));
            if options.tell(&page)?.is_break() {
                return Ok(stopped(options.out.as_deref(), name));
            }
        }
    }
    match options.shard {
        Some(_) => parted(&names(&jobs, &games)),
        None => conclude(options.out.as_deref(), options.form.is_json(), &document(&json)),
    }
}

/// Returns the facts of all studies that precede the rows of a document.
pub(super) fn facts_of(validated: &ValidatedBalance) -> Json {
    json!({
        "game": validated.setup.game,
        "players": validated.facts.players,
        "agents": validated.agents().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "seed": validated.seed,
    })
}

/// Returns the options of the command that reproduces this.
pub(super) fn options_text(options: &Several) -> String {
    let studies = options.studies.iter().map(|pick| format!(" --study {}", pick.word()));
    format!("{} {}", studies.collect::<String>(), options.request.options())
}

/// Refuses the selection of a single table from several studies.
pub(super) fn refuse_form(options: &Several) -> Result<(), Error> {
    if options.form.is_csv() {
        let what = "--format csv: there are several tables; --out writes each into its own file";
        return Err(Error::Usage(what.to_owned()));
    }
    let Some(name) = options.request.name.first() else { return Ok(()) };
    if matches!(options.studies[..], [Pick::Of(What::Cards | What::Provinces)]) {
        return Ok(());
    }
    let message = "not every study has such a name; use balance cards or balance provinces";
    Err(Error::value("name", name, message))
}

/// Returns the requested studies among those that the game allows.
pub(super) fn studies(options: &Several, request: &Request) -> Result<Vec<BalanceStudy>, Error> {
    let one = |what: What| {
        let sweep = request.sweep && matches!(what, What::Cards | What::Provinces);
        BalanceStudy::new(what, &Request { sweep, ..request.clone() }, &files::text)
    };
    if !options.studies.is_empty() {
        let is_chosen = |what: &What| options.studies.contains(&Pick::Of(*what));
        return What::ALL.into_iter().filter(is_chosen).map(one).collect();
    }
    // Every game has a study of seats, which finds any error in the request.
    let facts = one(What::Seats)?.validated().facts.clone();
    What::ALL.into_iter().filter(|&what| what.is_allowed_by(&facts)).map(one).collect()
}

/// Returns the study of the game's course, by the strongest agent, if it is requested.
pub(super) fn watched(
    options: &Several,
    request: &Request,
) -> Result<Option<watch::ValidatedDynamics>, Error> {
    let is_named = options.studies.contains(&Pick::Game);
    if !is_named && !options.studies.is_empty() {
        return Ok(None);
    }
    let agent = request.agents.last();
    let spec = agent.map(|text| text.parse::<AgentSpec>()).transpose()?;
    if !is_named && spec.is_some_and(|spec| spec.is_timed() || spec.is_external()) {
        note("game is left out: its agent is not deterministic; see --study game");
        return Ok(None);
    }
    let asking = watch::Request {
        played: request.played.clone(),
        agent: agent.cloned(),
        // As many seeds as the other studies, but enough to evaluate a model.
        games: request.blocks.map(|blocks| blocks.max(FEWEST_GAMES)),
        quick: request.quick || request.blocks.is_some(),
        seed: request.seed,
        rules: request.rules.clone(),
        ..watch::Request::default()
    };
    let more = watch::More::default();
    watch::ValidatedDynamics::new(watch::What::Game, &asking, &more, &files::text).map(Some)
}

/// Plays the study of the game's course, or its part.
pub(super) fn play_game(
    options: &Several,
    name: &str,
    validated: &watch::ValidatedDynamics,
    stop: &AtomicBool,
) -> Result<watching::Played, Error> {
    if !options.quiet {
        note(&format!("{name}:"));
    }
    let how = watching::How {
        out: options.out.as_ref().map(|out| out.join(name)),
        existing: options.again.existing(),
        shard: options.shard,
        threads: threads(options.threads),
        quiet: options.quiet,
        stop,
    };
    watching::played(validated, &how)
}

/// Returns the directories of all studies.
pub(super) fn names(jobs: &[Job], watched: &[Game]) -> Vec<String> {
    let watched = watched.iter().map(|(name, _)| name.clone());
    jobs.iter().map(|(name, _)| name.clone()).chain(watched).collect()
}

/// Prints the plan if it was requested. Returns true if the command ends with it.
pub(super) fn planned(
    options: &Several,
    jobs: &[Job],
    watched: &[Game],
    stop: &AtomicBool,
) -> Result<bool, Error> {
    let n_threads = threads(options.threads);
    let (mut text, mut seconds) = look_at(options, jobs, stop)?;
    let games = |(_, study): &Job| study.experiment().games_per_block() * study.validated().blocks;
    let mut games: u64 = jobs.iter().map(games).sum();
    for (name, validated) in watched {
        let n = foreseen::games_of(validated);
        text += &format!("{name}: {} games to analyse or to fit to\n", units::count(n));
        games += n;
        if options.plan {
            seconds += foreseen::seconds(validated, n_threads)?;
        }
    }
    let studies = units::counted((jobs.len() + watched.len()) as u64, "run");
    text += &format!("{studies}, {} games in all\n", units::count(games));
    if options.plan {
        print(&text)?;
        let threads = units::counted(n_threads as u64, "thread");
        let all = units::seconds(seconds);
        note(&format!(
            "about {all} in all on {threads} (estimated from a few games, without the confirmation)"
        ));
    } else if !options.quiet {
        note(text.trim_end());
    }
    Ok(options.plan)
}

/// Returns the plan of some studies, and for a plan-only command their seconds, estimated by probes.
pub(super) fn look_at(
    options: &Several,
    jobs: &[Job],
    stop: &AtomicBool,
) -> Result<(String, f64), Error> {
    let (mut text, mut seconds) = (String::new(), 0.0);
    for (name, study) in jobs {
        let range = 0..study.validated().blocks;
        text += &format!("{name}: {}", report::plan(study, &range));
        if options.plan {
            seconds += probe(study, &range, threads(options.threads), stop)?.1;
        }
    }
    Ok((text, seconds))
}

/// Part of a study to play.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it, or a shard.
    Study(Option<Shard>),
    /// Screen without its confirmation, for comparison between draws.
    Draw,
}

/// Plays a study, or its part.
pub(super) fn play(
    options: &Several,
    job: &Job,
    part: Part,
    stop: &AtomicBool,
) -> Result<Played, Error> {
    let (name, study) = job;
    if !options.quiet {
        note(&format!("{name}:"));
    }
    let how = How {
        out: options.out.as_ref().map(|out| out.join(name)),
        existing: options.again.existing(),
        shard: if let Part::Study(shard) = part { shard } else { None },
        confirms: part != Part::Draw,
        threads: threads(options.threads),
        quiet: options.quiet,
        stop,
    };
    played(study, &how)
}
