//! `caesar merge`: joins the shards of a tournament, a comparison, an experiment or a tuning run into the results of
//! one run, byte for byte.
//!
//! Before it accepts a shard, it plays a few of its games again: this detects a machine that computes different
//! results. Code common to all shards stands in [`super::shards`], for comparisons in [`super::join`], for experiments
//! in [`super::balance`], for tuning runs in [`super::tune`].

use std::path::{Path, PathBuf};

use super::files::refuse_one_file_twice;
use super::history::History;
use super::outputs::Target;
use super::outside::named_file;
use super::records::{label, seen_from};
use super::results::{Opening, Results, short};
use super::run_dir_guard::RunDirGuard;
use super::shards::{
    Options, Part, accepted, chosen, parts, refuse_missing, say_none_played_again,
};
use super::sink::Sink;
use super::{Ending, fault, look, note, print};
use sim::config::Plan;
use sim::error::Error;
use sim::event::GameResult;
use sim::export::games_csv::{FILE as GAMES, GamesCsv};
use sim::export::manifest::FILE as MANIFEST;
use sim::export::records::FILE as RECORDS;
use sim::export::row_file::RowFile as _;
use sim::export::{self, Resume};
use sim::manifest::RunManifest as _;
use sim::tournament::{self, play_game};
use sim::units;

impl Part {
    fn records(&self) -> Option<PathBuf> {
        self.manifest.records.as_ref().map(|file| self.dir.join(file))
    }

    /// Refuses records outside of the directory of the shard that are not among those that were `named`.
    fn refuse_outside(&self, named: &[PathBuf]) -> Result<(), Error> {
        let Some(file) = &self.manifest.records else { return Ok(()) };
        named_file(&self.dir, file, "--read-records", named).map(drop)
    }

    /// Passes the games of the shard to `tell`, each with its record if `with_records` is set and the shard has
    /// records. All games must be there.
    fn each_game(
        &self,
        with_records: bool,
        tell: &mut dyn FnMut(GameResult) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let named = self.named();
        let (games_csv, n_games) = (self.manifest.games_csv(), self.manifest.n_games());
        let rows = self.dir.join(GAMES);
        let records = self.records().filter(|_| with_records);
        let first = self.manifest.first_game();
        let mut history =
            History::open(&rows, records.as_deref(), &games_csv, first).map_err(&named)?;
        for game in 0..n_games {
            match history.next_game().map_err(&named)? {
                Some(game) => tell(game).map_err(&named)?,
                None => {
                    let file = records.as_ref().filter(|_| history.lacks_records());
                    let complaint = short(file.unwrap_or(&rows), game, n_games);
                    return Err(named(Error::Usage(format!("{complaint}; --resume completes it"))));
                }
            }
        }
        Ok(())
    }
}

/// Joins the shards of a tournament.
pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let parts = &parts(&options.shards)?;
    check(parts, options.no_records)?;
    refuse_missing(parts)?;
    if !options.no_records {
        parts.iter().try_for_each(|part| part.refuse_outside(&options.read_records))?;
    }
    let mut whole = parts[0].manifest.whole();
    whole.accepted_changes = accepted(parts, |manifest| &manifest.accepted_changes);
    let plan = whole.plan(&parts[0].dir.join(MANIFEST).display().to_string())?;
    options.printing.check(&plan)?;
    let keeps_records = whole.records.is_some() && !options.no_records;
    if let (Some(path), false) = (&options.records, keeps_records) {
        return Err(Error::Usage(format!("{}: the shards keep no records", label(path))));
    }
    // All shards are read once before anything is written.
    replay_samples(options, &plan, parts)?;
    let entered = RunDirGuard::enter(&options.out, MANIFEST)?;
    let target = keeps_records.then(|| records_target(options)).transpose()?;
    refuse_overwriting(options, target.as_deref(), parts)?;
    let records = target.as_deref().map(|file| seen_from(&options.out, file)).transpose()?;
    let manifest = whole.with_records(records);
    let formats = options.export.formats(options.printing.ratings);
    let mut sink = Sink::new(&plan, &options.printing, &formats, true);
    let opening = Opening {
        dir: &options.out,
        plan: &plan,
        manifest: &manifest,
        records: target.as_deref(),
        existing: options.existing(),
        quiet: options.printing.quiet,
    };
    // Formats that cannot hold this run are refused before any file is replaced.
    formats.iter().try_for_each(|format| opening.exporter(format).map(drop))?;
    let mut results = Results::open(&opening, entered)?;
    sink.open_exports(&opening, &formats)?;
    for part in parts {
        part.each_game(keeps_records, &mut |game| {
            sink.record(&game)?;
            results.write(&game)
        })?;
    }
    sink.results = Some(results);
    sink.close(true)?;
    let mut text = options.printing.text(&plan, &sink.run_stats, None, look());
    if options.printing.form.is_table() {
        text += &options.merged(parts.len());
    }
    print(&text)?;
    let standings = &sink.run_stats.standings;
    Ok(fault::ending(standings.forfeits(), standings.games()))
}

/// Returns the file of the records of all shards.
fn records_target(options: &Options) -> Result<PathBuf, Error> {
    let path = options.records.clone().unwrap_or_else(|| options.out.join(RECORDS));
    match Target::of("records", &path)? {
        Target::File(path) => Ok(path),
        Target::Stdout | Target::Stream(_) => {
            Err(Error::Usage(format!("{}: records are kept in a file; name one", label(&path))))
        }
    }
}

/// Refuses shards if only some keep records.
fn check(parts: &[Part], without_records: bool) -> Result<(), Error> {
    let is_kept = |part: &&Part| part.manifest.records.is_some();
    if let (false, Some(has), Some(lacks)) =
        (without_records, parts.iter().find(is_kept), parts.iter().find(|part| !is_kept(part)))
    {
        return Err(Error::Usage(format!(
            "{} keeps records and {} does not; --no-records joins the rows alone",
            has.name(),
            lacks.name()
        )));
    }
    Ok(())
}

/// Refuses to write into the shards' directories.
fn refuse_overwriting(
    options: &Options,
    records: Option<&Path>,
    parts: &[Part],
) -> Result<(), Error> {
    let out = &options.out;
    let name = |name: &str| (format!("{name} of --out {}", out.display()), out.join(name));
    let written: Vec<_> = export::files()
        .map(name)
        .chain(records.map(|path| (label(path), path.to_owned())))
        .collect();
    let read = |part: &Part| {
        let formats = export::that_are(&[Resume::Fixed, Resume::Grows]);
        let files = formats.map(|format| part.dir.join(format.file)).chain(part.records());
        files.map(|path| (format!("a file of {}", part.name()), path)).collect::<Vec<_>>()
    };
    let read: Vec<_> = parts.iter().flat_map(read).collect();
    refuse_one_file_twice(&written, &read)
}

/// Reads every shard to its end, and replays some games of each.
fn replay_samples(options: &Options, plan: &Plan, parts: &[Part]) -> Result<(), Error> {
    let is_reproducible = plan.is_reproducible();
    let sample = if is_reproducible { options.sample } else { 0 };
    let mut played = 0;
    for part in parts {
        let first = part.manifest.first_game();
        let chosen = chosen(plan.seed, part.shard, sample, part.manifest.n_games());
        part.each_game(!options.no_records, &mut |game: GameResult| {
            if chosen.contains(&(game.index - first)) {
                compare(plan, &part.manifest.games_csv(), &game)?;
                played += 1;
            }
            Ok(())
        })?;
    }
    if options.printing.quiet || options.sample == 0 {
        return Ok(());
    }
    if !is_reproducible {
        say_none_played_again("game");
        return Ok(());
    }
    let most = parts.iter().map(|part| part.manifest.n_games()).max().unwrap_or_default();
    let all = if options.sample >= most { ", all there are" } else { "" };
    note(&format!(
        "{} of {} replayed{all}: no difference",
        units::counted(played, "game"),
        units::counted(parts.len() as u64, "shard")
    ));
    Ok(())
}

/// Replays `game` and refuses any difference.
fn compare(plan: &Plan, games_csv: &GamesCsv, game: &GameResult) -> Result<(), Error> {
    let records = game.record.is_some();
    let options = tournament::Options { threads: 1, records, extras: true };
    let again = play_game(plan, game.index, options)?;
    let (there, here) = (games_csv.row(game), games_csv.row(&again));
    if there == here {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "game {} has another result here; the machine that played it or this one is faulty\n  {}",
        game.index,
        games_csv.differences(&there, &here).join(", ")
    )))
}
