//! `caesar tournament`.

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::files::Aside;
use super::progress::Progress;
use super::{Ending, RulesArgs, note, print, seats, whole};
use crate::config::{Plan, TournamentConfig};
use crate::error::Error;
use crate::event::{Event, GameResult, Observer};
use crate::report::{csv, json, ratings, table};
use crate::schedule::Schedule;
use crate::stats::{Bootstrap, Relations, Standings};
use crate::tournament::{self, Facts};
use crate::units;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The game [default: conquest2]
    #[arg(long)]
    game: Option<String>,
    /// Number of players [default: that of the game]
    #[arg(long, value_name = "N", value_parser = seats)]
    players: Option<usize>,
    /// An agent, as in 'greedy(epsilon=0.1)'; once for each seat [default: that of the game]
    #[arg(long, value_name = "SPEC")]
    agent: Vec<String>,
    /// Who sits where: balanced rotates the line-up through all seats in every block of games under
    /// the same chance, fixed keeps it [default: balanced]
    #[arg(long, value_name = "NAME", hide_possible_values = true)]
    schedule: Option<Schedule>,
    /// Number of blocks [default: 500]
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = whole, allow_negative_numbers = true)]
    blocks: Option<u64>,
    /// Number of games, in place of blocks
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    games: Option<u64>,
    /// Seed of the run: the same seed gives the same games [default: 1]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Number of threads; changes nothing but the time [default: all cores]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Read the options above from a TOML file; those given here count more
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Write games.csv, summary.json and manifest.json into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the record of every game to a file; - for stdout (the table then goes to stderr)
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Also print what the searches among the agents did: decisions, iterations, depth, plans left
    #[arg(long)]
    search_stats: bool,
    /// Also print ratings, who finishes before whom, cycles and equilibria; with --json as JSON lines
    #[arg(long)]
    ratings: bool,
    /// Print one JSON document instead of the table
    #[arg(long)]
    json: bool,
    /// No progress and no notes
    #[arg(long)]
    quiet: bool,
}

impl Options {
    fn plan(&self) -> Result<Plan, Error> {
        let given = TournamentConfig {
            game: self.game.clone(),
            players: self.players,
            agents: (!self.agent.is_empty()).then(|| self.agent.clone()),
            schedule: self.schedule,
            blocks: self.blocks,
            games: self.games,
            seed: self.seed,
            rules: self.rules.rules.clone(),
            set: self.rules.set.clone(),
        };
        let config = match &self.config {
            None => given,
            Some(path) => {
                let text =
                    fs::read_to_string(path).map_err(Error::file(format!("--config {path}")))?;
                given.or(TournamentConfig::parse(path, &text)?)
            }
        };
        Plan::new(config, &|path| fs::read_to_string(path))
    }

    fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    fn records_to_stdout(&self) -> bool {
        self.records.as_deref() == Some(Path::new("-"))
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    if options.json && options.records_to_stdout() {
        return Err(Error::Usage(
            "--records - and --json: stdout takes only one of them".to_owned(),
        ));
    }
    let plan = options.plan()?;
    let facts = tournament::facts(&plan)?;
    let mut desk = Desk::open(options, &plan, &facts)?;
    if !options.quiet {
        plan.notes.iter().for_each(|line| note(line));
    }
    let stop = stop_on_signal()?;
    let run = tournament::Options {
        threads: options.threads(),
        records: desk.records.is_some(),
        extras: desk.games.is_some(),
    };
    tournament::play(&plan, run, &mut desk, &stop)?;
    let seconds = desk.progress.seconds();
    let relations = desk.relations.take().map(|heard| heard.report(Bootstrap::new(plan.seed)));
    let standings = desk.close(&plan, &facts)?;
    let text = if options.json {
        json::tournament(&plan, &standings, Some(seconds))
            + &relations.as_ref().map(ratings::json_lines).unwrap_or_default()
    } else {
        let searches = options.search_stats.then(|| table::searches(&standings));
        table::tournament(&plan, &standings)
            + &searches.unwrap_or_default()
            + &relations.as_ref().map(ratings::text).unwrap_or_default()
            + &speed_line(&standings, run.threads, seconds)
    };
    if options.records_to_stdout() {
        note(text.trim_end());
    } else {
        print(&text)?;
    }
    Ok(ending(&plan, &standings))
}

fn speed_line(standings: &Standings, threads: usize, seconds: f64) -> String {
    let rate = standings.games() as f64 / seconds;
    format!(
        "{} games/s on {threads} thread{} ({})\n",
        units::rate(rate),
        if threads == 1 { "" } else { "s" },
        units::seconds(seconds)
    )
}

fn ending(plan: &Plan, standings: &Standings) -> Ending {
    if standings.blocks() == plan.blocks {
        return Ending::Done;
    }
    note(&format!(
        "stopped early after {} of {} blocks: these are saved and counted; the same command plays the \
         same games from the first block on, to the end",
        standings.blocks(),
        plan.blocks
    ));
    Ending::Stopped
}

/// A flag that Ctrl-C raises; a second Ctrl-C does not wait for the games that are being played.
fn stop_on_signal() -> Result<Arc<AtomicBool>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        note("stopping at the end of the games that are being played");
    })
    .map_err(|e| Error::Failed(format!("cannot listen for Ctrl-C: {e}")))?;
    Ok(stop)
}

/// Everyone who hears of a game: standings, files, progress.
struct Desk {
    standings: Standings,
    relations: Option<Relations>,
    progress: Progress,
    games: Option<csv::Games<Aside>>,
    records: Option<Records>,
    out: Option<PathBuf>,
    failure: Option<Error>,
}

enum Records {
    Stdout,
    File(Aside, String),
}

impl Records {
    fn write(&mut self, text: &str) -> Result<(), Error> {
        match self {
            Self::Stdout => {
                io::stdout().lock().write_all(text.as_bytes()).map_err(Error::output("stdout"))
            }
            Self::File(file, name) => {
                file.write_all(text.as_bytes()).map_err(Error::output(name.as_str()))
            }
        }
    }
}

impl Desk {
    /// Opens every output, so that what cannot be written is refused before a game is played.
    fn open(options: &Options, plan: &Plan, facts: &Facts) -> Result<Self, Error> {
        // The directory first: the records may be meant to go into it.
        let games = match &options.out {
            None => None,
            Some(dir) => {
                let open = fs::create_dir_all(dir)
                    .and_then(|()| Aside::create(&dir.join("games.csv")))
                    .and_then(|file| csv::Games::new(file, plan.players, plan.seed, &facts.extras));
                Some(open.map_err(Error::file(format!("--out {}", dir.display())))?)
            }
        };
        let records = match &options.records {
            None => None,
            Some(_) if options.records_to_stdout() => Some(Records::Stdout),
            Some(path) => {
                let name = format!("--records {}", path.display());
                let file = Aside::create(path).map_err(Error::file(name.as_str()))?;
                Some(Records::File(file, name))
            }
        };
        Ok(Self {
            standings: Standings::new(&plan.specs(), plan.games_per_block()),
            relations: options
                .ratings
                .then(|| Relations::new(&plan.specs(), plan.players, plan.games_per_block())),
            progress: Progress::new(options.quiet),
            games,
            records,
            out: options.out.clone(),
            failure: None,
        })
    }

    fn take_down(&mut self, game: &GameResult) -> Result<(), Error> {
        if let (Some(records), Some(text)) = (&mut self.records, &game.record) {
            records.write(text)?;
        }
        match &mut self.games {
            Some(games) => games.write(game).map_err(Error::output("games.csv")),
            None => Ok(()),
        }
    }

    /// Puts the files in their places.
    fn close(self, plan: &Plan, facts: &Facts) -> Result<Standings, Error> {
        let Self { standings, games, records, out, failure, .. } = self;
        if let Some(failure) = failure {
            return Err(failure);
        }
        match records {
            Some(Records::File(file, name)) => file.finish().map_err(Error::output(name))?,
            Some(Records::Stdout) => io::stdout().flush().map_err(Error::output("stdout"))?,
            None => {}
        }
        if let (Some(games), Some(dir)) = (games, out) {
            games.finish().and_then(Aside::finish).map_err(Error::output("games.csv"))?;
            let summary = json::tournament(plan, &standings, None);
            let manifest = json::manifest(plan, facts, standings.blocks());
            for (name, text) in [("summary.json", summary), ("manifest.json", manifest)] {
                let place = dir.join(name);
                let write = Aside::create(&place).and_then(|mut file| {
                    file.write_all(text.as_bytes())?;
                    file.finish()
                });
                write.map_err(Error::output(place.display().to_string()))?;
            }
        }
        Ok(standings)
    }
}

impl Observer for Desk {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let _ = self.standings.on(event);
        if let Some(relations) = &mut self.relations {
            let _ = relations.on(event);
        }
        let _ = self.progress.on(event);
        if let Event::GameOver(game) = event
            && let Err(failure) = self.take_down(game)
        {
            self.failure = Some(failure);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
