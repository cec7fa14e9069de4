//! `caesar tournament`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;

use super::counting::GameNumber;
use super::fault::{Fault, ending};
use super::files::refuse_one_file_twice;
use super::outputs::{Again, Opened, Output, Target};
use super::packed::Packing;
use super::progress::Progress;
use super::records::{label, seen_from};
use super::results::{Opening, Results};
use super::run_dir_guard::RunDirGuard;
use super::running::{Threads, choice_time_lines, speed_line, stop_on_signal, threads};
use super::sink::{Printing, Sink};
use super::{Ending, ExportArgs, diagnostics, files, look, look_of_stderr, note, print};
use sim::branch::Branch;
use sim::config::{Plan, TournamentConfig};
use sim::error::Error;
use sim::export;
use sim::export::manifest::FILE as MANIFEST;
use sim::manifest::{Manifest, Shard};
use sim::play::HostFault;
use sim::schedule::Schedule;
use sim::tournament;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    given: TournamentConfig,
    /// Play only undecided pairs of a large pool, and report anytime-valid intervals of pairs; --blocks is the
    /// limit [default: 100 a pair]
    #[arg(long, conflicts_with = "schedule")]
    adaptive: bool,
    /// Read options from a TOML file; command-line options override it
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    #[command(flatten)]
    pub(super) threads: Threads,
    /// Write manifest.json, games.csv and summary.json into a directory
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) again: Again,
    /// Play part I of N of the blocks; `caesar merge` joins the parts
    #[arg(long, value_name = "I/N", requires = "out", value_parser = Shard::parse, allow_hyphen_values = true)]
    pub(super) shard: Option<Shard>,
    #[command(flatten)]
    pub(super) export: ExportArgs,
    /// Write the record of every game to a file; - for stdout (the table then goes to stderr)
    #[arg(long, value_name = "FILE")]
    pub(super) records: Option<PathBuf>,
    /// Play one game first and narrate it on stderr; games count from 1 [default: game=1]
    #[arg(long, value_name = "game=N", num_args = 0..=1, default_missing_value = "game=1", value_parser = GameNumber::parse)]
    pub(super) watch: Option<GameNumber>,
    /// Stop after the first block in which an agent forfeits a game, report it, and exit with code 1
    #[arg(long)]
    pub(super) stop_at_fault: bool,
    #[command(flatten)]
    pub(super) printing: Printing,
}

/// Destinations of the games, as known before the first game.
struct Outputs {
    /// The directory of results, if there is one.
    entered: Option<RunDirGuard>,
    /// Destination of the records, if any.
    records: Option<Target>,
}

impl Outputs {
    fn to_stdout(&self) -> bool {
        self.records == Some(Target::Stdout)
    }
}

impl Options {
    pub(super) fn plan(&self) -> Result<Plan, Error> {
        let schedule = self.adaptive.then_some(Schedule::Adaptive).or(self.given.schedule);
        let given = TournamentConfig { schedule, ..self.given.clone() };
        let Some(path) = &self.config else { return Plan::new(given, &files::text) };
        let text = files::text(path).map_err(|e| Error::unreadable("config", path, &e))?;
        let config = given.clone().or(TournamentConfig::parse(path, &text)?);
        Plan::new(config, &files::text)
            .map_err(|error| diagnostics::in_config(error, &given, path, &text))
    }

    /// Opens the destination of records outside of any directory.
    fn stream(&self) -> Result<Option<Opened>, Error> {
        let open = |path| Output::of("records", path, self.again.force)?.open();
        self.records.as_deref().map(open).transpose()
    }

    /// Determines all destinations, and refuses combinations that conflict.
    fn outputs(&self, plan: &Plan) -> Result<Outputs, Error> {
        let refuse = |text: &str| Err(Error::Usage(text.to_owned()));
        if let (Some(format), None) = (self.export.formats(false).first(), &self.out) {
            return Err(Error::Usage(format!(
                "--export {}: name the directory of {} with --out",
                format.option.unwrap_or_default(),
                format.file
            )));
        }
        // The directory comes first, because records may stand in it.
        let enter = |dir| RunDirGuard::enter(dir, MANIFEST);
        let entered = self.out.as_deref().map(enter).transpose()?;
        let target = |path| Target::of("records", path);
        let records = self.records.as_deref().map(target).transpose()?;
        let outputs = Outputs { entered, records };
        if !self.printing.form.is_table() && outputs.to_stdout() {
            return refuse(
                "--records - and --format or --json: stdout takes only one of them; name a file",
            );
        }
        let file = outputs.records.as_ref().and_then(Target::file);
        if let (Some(_), Some(path)) = (&self.out, file.filter(|path| Packing::of(path).is_some()))
        {
            return Err(Error::Usage(format!(
                "{}: records beside --out must stay plain text, so that --resume can continue them; leave the ending \
                 off, and compress them afterwards",
                label(path)
            )));
        }
        if self.again.resume
            && outputs.records.as_ref().is_some_and(|target| target.file().is_none())
        {
            return Err(Error::Usage(format!(
                "{} and --resume: earlier games are not written again; name a file",
                label(self.records.as_deref().unwrap_or(Path::new("-")))
            )));
        }
        refuse_one_file_twice(&self.written(&outputs), &self.read(plan))?;
        Ok(outputs)
    }

    /// Returns the output files, with their names in error messages.
    fn written(&self, outputs: &Outputs) -> Vec<(String, PathBuf)> {
        let records = outputs.records.as_ref().and_then(Target::file);
        let mut files: Vec<_> =
            records.into_iter().map(|path| (label(path), path.to_owned())).collect();
        if let Some(dir) = &self.out {
            let in_dir =
                |name: &str| (format!("{name} of --out {}", dir.display()), dir.join(name));
            files.extend(export::files().map(in_dir));
        }
        files
    }

    /// Returns the input files, with their names in error messages.
    pub(super) fn read(&self, plan: &Plan) -> Vec<(String, PathBuf)> {
        let config = self.config.iter().map(|path| (format!("--config {path}"), path.into()));
        let others = plan.files.iter().map(|(path, _)| (format!("the input {path}"), path.into()));
        let starts = plan.starts.iter().flat_map(|starts| starts.branches());
        let source =
            |one: &Branch| (format!("the input {}", one.spec()), PathBuf::from(one.file()));
        config.chain(others).chain(starts.map(source)).collect()
    }

    /// Opens every output, so that one that cannot be written is refused before the first game.
    fn open(&self, plan: &Plan, manifest: &Manifest, outputs: &mut Outputs) -> Result<Sink, Error> {
        let formats = self.export.formats(self.printing.ratings && self.out.is_some());
        let mut sink = Sink::new(plan, &self.printing, &formats, self.printing.quiet);
        let records = outputs.records.as_ref();
        let Some((dir, entered)) = self.out.as_deref().zip(outputs.entered.take()) else {
            sink.records = self.stream()?;
            return Ok(sink);
        };
        let opening = Opening {
            dir,
            plan,
            manifest,
            records: records.and_then(Target::file),
            existing: self.again.existing(),
            quiet: self.printing.quiet,
        };
        // Formats that cannot hold this run are refused before any file is replaced.
        formats.iter().try_for_each(|format| opening.exporter(format).map(drop))?;
        let results = Results::open(&opening, entered)?;
        sink.results = Some(results);
        // A stream keeps nothing and is no part of the results.
        if records.is_some_and(|target| target.file().is_none()) {
            sink.records = self.stream()?;
        }
        sink.open_exports(&opening, &formats)?;
        Ok(sink)
    }
}

pub(super) fn run(options: &Options, plan: &Plan) -> Result<Ending, Error> {
    options.printing.check(plan)?;
    let manifest = Manifest::new(plan, &tournament::facts(plan)?, options.shard);
    let range = manifest.range();
    if range.is_empty() {
        let Shard { index, of } = options.shard.unwrap_or(Shard { index: 1, of: 1 });
        return Err(Error::Usage(format!(
            "--shard {index}/{of}: {} blocks are too few for {of} shards",
            plan.blocks
        )));
    }
    let n_games = plan.blocks * plan.games_per_block();
    let watched =
        options.watch.map(|game| game.index(n_games, "--watch", |n| format!("--watch game={n}")));
    let watched = watched.transpose()?;
    let mut outputs = options.outputs(plan)?;
    let records = outputs.records.as_ref().and_then(Target::file).zip(options.out.as_deref());
    let records = records.map(|(file, dir)| seen_from(dir, file)).transpose()?;
    let manifest = manifest.with_records(records);
    let mut sink = options.open(plan, &manifest, &mut outputs)?;
    if !options.printing.quiet {
        plan.notes.iter().for_each(|line| note(line));
    }
    if let Some(index) = watched {
        watch(plan, index)?;
        sink.progress = Progress::new(options.printing.quiet);
    }
    sink.fault = Fault::new(options.stop_at_fault, plan);
    sink.retell()?;
    let kept = sink.run_stats.standings.blocks();
    let stop = stop_on_signal()?;
    let run = tournament::Options {
        threads: threads(options.threads),
        records: outputs.records.is_some(),
        extras: options.out.is_some(),
    };
    let blocks = range.start + kept..range.end;
    let fault = match tournament::play_blocks(plan, blocks, run, &mut sink, &stop) {
        Ok(_) => None,
        Err(Error::Host(fault)) => Some(fault),
        Err(error) => return Err(error),
    };
    let seconds = sink.progress.seconds();
    let played = Played { kept, range, threads: run.threads, seconds, fault };
    finish(options, plan, &outputs, played, sink)
}

/// Prints a game of the run while it is played alone.
fn watch(plan: &Plan, index: u64) -> Result<(), Error> {
    tournament::watch_game(plan, index, &mut |line| note(line))?;
    note("");
    Ok(())
}

/// Games that were played, with their settings.
struct Played {
    /// Blocks from before this run.
    kept: u64,
    /// Blocks to play.
    range: Range<u64>,
    threads: usize,
    seconds: f64,
    /// Fault of the machine that ended the run, if any.
    fault: Option<HostFault>,
}

/// Saves and reports the games played.
fn finish(
    options: &Options,
    plan: &Plan,
    outputs: &Outputs,
    played: Played,
    mut sink: Sink,
) -> Result<Ending, Error> {
    let Played { kept, range, threads, seconds, fault } = played;
    let blocks = sink.run_stats.standings.blocks();
    let of = range.end - range.start;
    match sink.close(blocks == of) {
        Ok(()) => {}
        // If the reader of the records has gone, the run stops, unless it is complete.
        Err(Error::ClosedPipe) if sink.results.is_some() && blocks < of => {
            return Ok(stopped(options, outputs, blocks, of));
        }
        Err(Error::ClosedPipe) if sink.results.is_none() && blocks < of => {}
        Err(Error::ClosedPipe) => {
            let records = label(options.records.as_deref().unwrap_or(Path::new("-")));
            let text = format!("{records}: its reader closed it before the last record");
            return Err(Error::Failed(text));
        }
        Err(error) => {
            sink.results.iter().for_each(|results| note(&results.what_is_left()));
            return Err(error);
        }
    }
    let look = if outputs.to_stdout() { look_of_stderr() } else { look() };
    let mut text = options.printing.text(plan, &sink.run_stats, Some(seconds), look);
    if options.printing.form.is_table() {
        if let Some(shard) = options.shard {
            text += &format!("shard {shard}: blocks {} to {}\n", range.start + 1, range.end);
        }
        text += &speed_line((blocks - kept) * plan.games_per_block(), threads, seconds);
        text += &choice_time_lines(&plan.lineup);
    }
    if outputs.to_stdout() {
        note(text.trim_end());
    } else if fault.is_none() || blocks > 0 {
        print(&text)?;
    }
    if let Some(fault) = fault {
        stopped(options, outputs, blocks, of);
        return Err(fault.into());
    }
    if sink.fault.is_over() {
        return Ok(sink.fault.ended(options.out.is_some()));
    }
    let standings = &sink.run_stats.standings;
    match blocks == of {
        // Shards are evaluated together.
        true if options.shard.is_some() => Ok(Ending::Done),
        true => Ok(ending(standings.forfeits(), standings.games())),
        false => Ok(stopped(options, outputs, blocks, of)),
    }
}

/// Prints the progress of a stopped run and the command that continues it.
fn stopped(options: &Options, outputs: &Outputs, blocks: u64, of: u64) -> Ending {
    let is_stream = outputs.records.as_ref().is_some_and(|target| target.file().is_none());
    let rest = match (&options.out, &options.records) {
        (Some(_), Some(path)) if is_stream => format!(
            "they are saved and counted; the same command with --resume and without {} continues",
            label(path)
        ),
        (Some(_), _) => {
            "they are saved and counted; the same command with --resume continues".to_owned()
        }
        (None, records) => {
            let records = records.as_deref().map_or_else(String::new, |path| {
                format!(", except their records in {}", path.display())
            });
            format!(
                "they are counted but not saved{records}; the same command plays them again to the end; use --out to \
                 keep them for --resume"
            )
        }
    };
    note(&format!("stopped early after {blocks} of {of} blocks: {rest}"));
    Ending::Stopped
}
