//! `caesar tournament`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::desk::{Desk, Format, Printing, Records};
use super::results::{Opening, Results};
use super::{Ending, RulesArgs, files, note, print, ranged, seats, spell, whole};
use crate::config::{Plan, TournamentConfig};
use crate::error::Error;
use crate::manifest::{Manifest, Shard};
use crate::schedule::Schedule;
use crate::tournament;
use crate::units;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The game [default: conquest2]
    #[arg(long)]
    game: Option<String>,
    /// Number of players [default: that of the game]
    #[arg(long, value_name = "N", value_parser = seats)]
    players: Option<usize>,
    /// An agent, as in 'greedy(epsilon=0.1)'; once for each seat, or more often [default: those of
    /// the game]
    #[arg(long, value_name = "SPEC")]
    agent: Vec<String>,
    /// Who sits where. balanced: one table, rotated through all seats in every block of games under
    /// the same chance; round-robin: all tables of a larger pool, rotated; gauntlet: the first agent
    /// against all tables of the others, rotated; exhaustive: every different seating in every block;
    /// fixed: as given [default: balanced]
    #[arg(long, value_name = "NAME", hide_possible_values = true)]
    schedule: Option<Schedule>,
    /// Number of blocks [default: 500, rounded up to whole cycles of the schedule]
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = whole)]
    blocks: Option<u64>,
    /// Number of games, in place of blocks
    #[arg(long, value_name = "N", value_parser = whole)]
    games: Option<u64>,
    /// Seed of the run: the same seed gives the same games [default: 1]
    #[arg(long, value_parser = whole)]
    seed: Option<u64>,
    /// Number of threads; changes nothing but the time [default: all cores]
    #[arg(long, value_name = "T", value_parser = ranged::<u16>(1, 1024))]
    threads: Option<u16>,
    /// Read the options above from a TOML file; those given here count more
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Write manifest.json, games.csv and summary.json into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in --out, however it ended; begin it if there is none
    #[arg(long, requires = "out")]
    resume: bool,
    /// Play only part I of N of the blocks, for merge
    #[arg(long, value_name = "I/N", requires = "out", value_parser = Shard::parse, allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// What to write into --out: csv, or parquet for games.parquet as well
    #[arg(long, value_name = "FORMAT", default_value = "csv", hide_possible_values = true)]
    format: Format,
    /// Write the record of every game to a file; - for stdout (the table then goes to stderr)
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    printing: Printing,
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
            recorded: None,
        };
        let Some(path) = &self.config else { return Plan::new(given, &files::text) };
        let text = files::text(path).map_err(|e| Error::value("config", path, e.to_string()))?;
        let config = given.clone().or(TournamentConfig::parse(path, &text)?);
        Plan::new(config, &files::text)
            .map_err(|error| spell::in_config(error, &given, path, &text))
    }

    fn records_to_stdout(&self) -> bool {
        self.records.as_deref() == Some(Path::new("-"))
    }

    /// Refuses options that do not go together.
    fn check(&self) -> Result<(), Error> {
        let refuse = |text: &str| Err(Error::Usage(text.to_owned()));
        if self.printing.json && self.records_to_stdout() {
            return refuse("--records - and --json: stdout takes only one of them");
        }
        if self.resume && self.records_to_stdout() {
            return refuse(
                "--records - and --resume: the games played before are not told again; name a file",
            );
        }
        if self.format == Format::Parquet && self.out.is_none() {
            return refuse("--format parquet: say with --out where games.parquet is to be written");
        }
        Ok(())
    }

    /// Opens every output, so that what cannot be written is refused before a game is played.
    fn open(&self, plan: &Plan, manifest: &Manifest) -> Result<Desk, Error> {
        let mut desk = Desk::new(plan, &self.printing, self.printing.quiet);
        let file = self.records.as_deref().filter(|_| !self.records_to_stdout());
        if self.records_to_stdout() {
            desk.records = Some(Records::Stdout);
        } else if let (Some(file), None) = (file, &self.out) {
            desk.records = Some(Records::open(file)?);
        }
        if let Some(dir) = &self.out {
            let opening = Opening { dir, manifest, records: file, resume: self.resume };
            desk.results = Some(Results::open(&opening)?);
            if self.format == Format::Parquet {
                desk.open_parquet(dir, plan, &manifest.extras)?;
            }
        }
        Ok(desk)
    }
}

/// The number of threads that was asked for, or one for each core.
pub(super) fn threads(asked: Option<u16>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(all, usize::from)
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    options.check()?;
    let plan = options.plan()?;
    let manifest = Manifest::new(&plan, &tournament::facts(&plan)?, options.shard);
    let range = manifest.range();
    if range.is_empty() {
        let Shard { index, of } = options.shard.unwrap_or(Shard { index: 1, of: 1 });
        return Err(Error::Usage(format!(
            "--shard {index}/{of}: {} blocks are too few for {of} shards",
            plan.blocks
        )));
    }
    let mut desk = options.open(&plan, &manifest)?;
    if !options.printing.quiet {
        plan.notes.iter().for_each(|line| note(line));
    }
    desk.retell()?;
    let kept = desk.heard.standings.blocks();
    let stop = stop_on_signal()?;
    let run = tournament::Options {
        threads: threads(options.threads),
        records: options.records.is_some(),
        extras: options.out.is_some(),
    };
    tournament::play_blocks(&plan, range.start + kept..range.end, run, &mut desk, &stop)?;
    let seconds = desk.progress.seconds();
    let played = desk.heard.standings.blocks() - kept;
    let is_complete = kept + played == range.end - range.start;
    let heard = desk.close(&plan, is_complete).inspect_err(|_| hint_at_resume(options))?;
    let mut text = options.printing.text(&plan, heard, Some(seconds));
    if !options.printing.json {
        if let Some(shard) = options.shard {
            text += &format!("shard {shard}: blocks {} to {}\n", range.start, range.end - 1);
        }
        text += &speed_line(played * plan.games_per_block(), run.threads, seconds);
    }
    if options.records_to_stdout() {
        note(text.trim_end());
    } else {
        print(&text)?;
    }
    Ok(if is_complete {
        Ending::Done
    } else {
        stopped(options, kept + played, range.end - range.start)
    })
}

fn speed_line(games: u64, threads: usize, seconds: f64) -> String {
    let rate = games as f64 / seconds;
    format!(
        "{} games/s on {threads} thread{} ({})\n",
        units::rate(rate),
        if threads == 1 { "" } else { "s" },
        units::seconds(seconds)
    )
}

/// Says what is left after a failure: looked up, since what cannot be written to may be gone.
fn hint_at_resume(options: &Options) {
    let Some(dir) = &options.out else { return };
    let place = dir.display();
    let is_gone = |name: &&str| !dir.join(name).is_file();
    let gone: Vec<&str> = ["manifest.json", "games.csv"].into_iter().filter(is_gone).collect();
    note(&if gone.is_empty() {
        format!(
            "what was written to {place} before is intact: the same command with --resume goes on"
        )
    } else {
        format!("{} of {place} is gone, so nothing is saved: begin anew", gone.join(" and "))
    });
}

fn stopped(options: &Options, blocks: u64, of: u64) -> Ending {
    let how = if options.out.is_some() {
        "the same command with --resume goes on"
    } else {
        "the same command plays the same games from the first block on, to the end; with --out they would have been \
         kept, and --resume would go on"
    };
    note(&format!(
        "stopped early after {blocks} of {of} blocks: these are saved and counted; {how}"
    ));
    Ending::Stopped
}

/// A flag that Ctrl-C raises; a second Ctrl-C does not wait for the games that are being played.
pub(super) fn stop_on_signal() -> Result<Arc<AtomicBool>, Error> {
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
