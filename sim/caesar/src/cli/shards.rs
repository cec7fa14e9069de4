//! Shards of a run of any kind: found, refused if they do not belong together, and read block by block. Some of their
//! blocks are played again before they are accepted.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use clap::Args;
use engine::{Purpose, Randomness, rng};

use super::files::refuse_one_file_twice;
use super::kept::OnRows;
use super::outputs::{Existing, Force};
use super::rows::Blocks;
use super::sink::Printing;
use super::trust::accepts_changed;
use super::{Ending, ExportArgs, directory, note};
use sim::config::numbers::whole;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::row_file::RowFile;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::{Manifest, RunManifest, Shard, is_of_program};
use sim::units;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Directories of all shards, in any order; where they hold several studies, each is joined into a directory of
    /// its own
    #[arg(required = true, value_name = "DIR")]
    pub(super) shards: Vec<PathBuf>,
    /// Write the merged results into a directory: manifest.json, summary.json and games.csv (trace.csv of a
    /// comparison, cells.csv of a study, log.csv of a search)
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// Games of each shard to replay and compare (blocks of comparisons, rows of searches)
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = whole)]
    pub(super) sample: u64,
    /// File for the merged records, if the shards keep records [default: records.jsonl in --out]
    #[arg(long, value_name = "FILE", conflicts_with = "no_records")]
    pub(super) records: Option<PathBuf>,
    /// File of records of a shard, where its manifest names one elsewhere (repeatable)
    #[arg(long, value_name = "FILE", conflicts_with = "no_records")]
    pub(super) read_records: Vec<PathBuf>,
    /// Merge the rows only, without records
    #[arg(long)]
    pub(super) no_records: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    pub(super) export: ExportArgs,
    #[command(flatten)]
    pub(super) printing: Printing,
}

impl Options {
    /// Returns the treatment of an existing run in --out.
    pub(super) const fn existing(&self) -> Existing {
        Existing::without_resume(self.force)
    }

    /// Returns the name of a requested option that only tournaments have.
    fn of_tournaments(&self) -> Option<&'static str> {
        let given = [
            (self.records.is_some(), "--records"),
            (self.no_records, "--no-records"),
            (!self.read_records.is_empty(), "--read-records"),
            (!self.export.export.is_empty(), "--export"),
        ];
        let given = given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name);
        given.or_else(|| self.printing.of_tournaments())
    }

    /// Returns the line on the number of joined `shards` under a table for people.
    pub(super) fn merged(&self, shards: usize) -> String {
        let shards = units::counted(shards as u64, "shard");
        format!("{shards} merged into {}\n", self.out.display())
    }

    /// Prints the number of blocks (or of `unit`) of `shards` that were played again.
    pub(super) fn say_played_again(&self, n: u64, unit: &str, shards: usize) {
        if !self.printing.quiet && self.sample > 0 {
            let (blocks, shards) =
                (units::counted(n, unit), units::counted(shards as u64, "shard"));
            note(&format!("{blocks} of {shards} replayed: no difference"));
        }
    }
}

/// Callback for the rows of a block that can stop the iteration.
pub(super) type Tell<'a, T> =
    dyn FnMut(&[<T as RowFile>::Row]) -> Result<ControlFlow<()>, Error> + 'a;
/// Callback that replays a block and returns whether the result matches its rows.
pub(super) type Again<'a, T> = dyn FnMut(&[<T as RowFile>::Row]) -> Result<bool, Error> + 'a;

/// Shard in a directory.
pub(super) struct Part<M = Manifest> {
    pub(super) dir: PathBuf,
    pub(super) manifest: M,
    pub(super) shard: Shard,
}

impl<M> Part<M> {
    pub(super) fn name(&self) -> String {
        format!("shard {} ({})", self.shard, self.dir.display())
    }

    /// Returns an error prefixed with the name of this shard.
    pub(super) fn named(&self) -> impl Fn(Error) -> Error + '_ {
        |e| match e {
            Error::Failed(what) => Error::Failed(format!("{}: {what}", self.name())),
            Error::Usage(what) => Error::Usage(format!("{}: {what}", self.name())),
            Error::File { place, source } => {
                Error::File { place: format!("{}: {place}", self.name()), source }
            }
            other => other,
        }
    }

    /// Passes the blocks of a table in order to `tell` until it stops; all of `range` must be there.
    ///
    /// # Errors
    /// If they are not, or cannot be read, or `tell` fails.
    pub(super) fn each_block<T: RowFile>(
        &self,
        table: &T,
        range: Range<u64>,
        tell: &mut Tell<'_, T>,
    ) -> Result<ControlFlow<()>, Error> {
        let mut blocks = Blocks::open(&self.dir, table, range.start).map_err(self.named())?;
        for block in range.clone() {
            let Some(rows) = blocks.next_block().map_err(self.named())? else {
                let (stored, of) = (block - range.start, range.end - range.start);
                let place = self.dir.join(table.file());
                let place = place.display();
                let what =
                    format!("{place}: it holds {stored} of {of} blocks; --resume completes it");
                return Err(self.named()(Error::Usage(what)));
            };
            if tell(&rows)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Replays the requested number of blocks of `range`, chosen by the `seed` of the run. `again` returns whether the
    /// replay equals the stored block. Returns the number of blocks played.
    ///
    /// # Errors
    /// If one comes out differently, or cannot be read or played.
    pub(super) fn play_again<T: RowFile>(
        &self,
        table: &T,
        range: Range<u64>,
        seed: u64,
        n: u64,
        again: &mut Again<'_, T>,
    ) -> Result<u64, Error> {
        let chosen = chosen(seed, self.shard, n, range.end - range.start);
        let mut places = 0..;
        let mut n_played = 0;
        let _ = self.each_block(table, range.clone(), &mut |rows| {
            let place = places.next().unwrap_or_default();
            if chosen.contains(&place) {
                if !again(rows)? {
                    return Err(self.named()(Error::Failed(format!(
                        "{} {} has another result here; the machine that played it or this one is faulty",
                        T::BLOCK,
                        range.start + place
                    ))));
                }
                n_played += 1;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(n_played)
    }
}

/// Shards of a run that stores rows only, with the manifest of the whole.
pub(super) struct Shards<M> {
    pub(super) parts: Vec<Part<M>>,
    pub(super) whole: M,
    /// Name of the whole run's manifest in error messages.
    pub(super) name: String,
}

impl<M: RunManifest> Shards<M> {
    /// Finds the shards to join, some of which may be missing; `only` names the options of such runs.
    ///
    /// # Errors
    /// If they are not those of one run, or an option is set that only tournaments have.
    pub(super) fn found(options: &Options, only: &str) -> Result<Self, Error> {
        if let Some(name) = options.of_tournaments() {
            return Err(Error::Usage(format!(
                "{name}: the shards are of {}, which has only {only}; leave it out",
                M::a_run()
            )));
        }
        let parts = parts::<M>(&options.shards)?;
        let whole = parts[0].manifest.whole();
        let name = parts[0].dir.join(MANIFEST).display().to_string();
        Ok(Self { parts, whole, name })
    }

    /// Finds all shards of a run; none may be missing.
    ///
    /// # Errors
    /// If one is.
    pub(super) fn all(options: &Options, only: &str) -> Result<Self, Error> {
        let shards = Self::found(options, only)?;
        refuse_missing(&shards.parts)?;
        Ok(shards)
    }

    /// Refuses to write where the shards are: the files `written`, and those `read` of each shard.
    ///
    /// # Errors
    /// If one of them is both.
    pub(super) fn refuse_overwriting(
        &self,
        options: &Options,
        written: &[&str],
        read: &[&str],
    ) -> Result<(), Error> {
        let out = &options.out;
        let target = |name: &&str| (format!("{name} of --out {}", out.display()), out.join(name));
        let written: Vec<_> = written.iter().map(target).collect();
        let source = |part: &Part<M>, file: &str| {
            (format!("a file of {}", part.name()), part.dir.join(file))
        };
        let files = |part| read.iter().map(move |file| source(part, file));
        let read: Vec<_> = self.parts.iter().flat_map(files).collect();
        refuse_one_file_twice(&written, &read)
    }

    /// Passes the blocks of a table of all shards in order to `tell`; all must be there.
    ///
    /// # Errors
    /// If they are not, or cannot be read, or `tell` fails.
    pub(super) fn each_block<T: RowFile>(
        &self,
        table: &T,
        range_of: impl Fn(&M) -> Range<u64>,
        tell: &mut OnRows<'_, T>,
    ) -> Result<(), Error> {
        let mut tell = |rows: &[T::Row]| tell(rows).map(ControlFlow::Continue);
        for part in &self.parts {
            let _ = part.each_block(table, range_of(&part.manifest), &mut tell)?;
        }
        Ok(())
    }
}

/// Returns the rows of a shard that is one of several searches, which must have come to its end.
pub(super) fn rows<M, T: RowFile>(part: &Part<M>, csv: &T) -> Result<Vec<T::Row>, Error> {
    if !part.dir.join(SUMMARY).is_file() {
        let what = format!("it is unfinished: {SUMMARY} is missing; --resume completes it");
        return Err(part.named()(Error::Usage(what)));
    }
    let log = Blocks::open(&part.dir, csv, 0);
    log.and_then(|mut log| log.rest()).map_err(part.named())
}

/// Returns the number of searches of a run whose shards are its searches.
///
/// # Errors
/// If another number of `runs` was requested.
pub(super) fn runs(shard: Option<Shard>, runs: Option<u64>) -> Result<Option<u64>, Error> {
    match (shard, runs) {
        (Some(shard), Some(runs)) if runs != shard.of => {
            let message = format!(
                "--runs is {runs}: each shard is one search, so that both are the same number"
            );
            Err(Error::value("shard", shard.to_string(), message))
        }
        (shard, runs) => Ok(shard.map(|shard| shard.of).or(runs)),
    }
}

/// Prints a note that nothing of the shards is played again.
pub(super) fn say_none_played_again(unit: &str) {
    note(&format!("no {unit} is replayed: an agent has a time limit, or is another program"));
}

/// Prints the command that continues a stopped run of joined shards.
pub(super) fn stopped() -> Ending {
    note(
        "stopped early: the shards are joined; the command of the whole run with --resume continues",
    );
    Ending::Stopped
}

/// Joins shards by `join`: those of one run, or study by study where the directories hold several.
///
/// # Errors
/// If a study is not in each directory, or the shards of one cannot be joined.
pub(super) fn join_all(
    mut options: Options,
    join: impl Fn(&Options) -> Result<Ending, Error>,
) -> Result<Ending, Error> {
    let names = studies(&options.shards)?;
    if names.is_empty() {
        return join(&options);
    }
    if options.printing.form.is_json() || options.printing.form.is_csv() {
        let what = "--format (--json): the directories hold several studies; leave it out, and print the document of all by the \
                    command of the whole run with --resume";
        return Err(Error::Usage(what.to_owned()));
    }
    let (dirs, out) = (options.shards.clone(), options.out.clone());
    for name in names {
        options.shards = dirs.iter().map(|dir| dir.join(&name)).collect();
        options.out = out.join(&name);
        let ending = join(&options)?;
        if !matches!(ending, Ending::Done) {
            return Ok(ending);
        }
    }
    Ok(Ending::Done)
}

/// Returns the names of the studies in these directories; none if a directory is a run itself.
///
/// # Errors
/// If a directory cannot be read, or lacks a study that another one has.
fn studies(dirs: &[PathBuf]) -> Result<BTreeSet<OsString>, Error> {
    let mut names = BTreeSet::new();
    if dirs.iter().any(|dir| !dir.is_dir() || dir.join(MANIFEST).exists()) {
        return Ok(names);
    }
    for dir in dirs {
        let failed = |source| Error::File { place: dir.display().to_string(), source };
        for entry in fs::read_dir(dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.path().join(MANIFEST).is_file() {
                names.insert(entry.file_name());
            }
        }
    }
    for dir in dirs.iter().flat_map(|dir| names.iter().map(|name| dir.join(name))) {
        if !dir.join(MANIFEST).is_file() {
            return Err(Error::Usage(format!(
                "{}: this study is missing, and another shard has it; play the shard to its end",
                dir.display()
            )));
        }
    }
    Ok(names)
}

/// Returns the shards in these directories, in their order.
///
/// # Errors
/// If there is none in one of them, or they are not those of one run.
pub(super) fn parts<M: RunManifest>(dirs: &[PathBuf]) -> Result<Vec<Part<M>>, Error> {
    let mut parts = dirs.iter().map(|dir| part::<M>(dir)).collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.shard.index);
    let first = &parts[0];
    for part in &parts[1..] {
        if part.shard.of != first.shard.of {
            return Err(Error::Usage(format!(
                "{} and {} divide the run differently",
                first.name(),
                part.name()
            )));
        }
        let mut differences = first.manifest.differences_of_wholes(&part.manifest);
        if accepts_changed() {
            differences.retain(|line| !is_of_program(line));
        }
        if !differences.is_empty() {
            return Err(Error::Usage(format!(
                "{} belongs to another run than {} ({})",
                part.name(),
                first.name(),
                differences
                    .join("; ")
                    .replace(" there", " in the latter")
                    .replace(" here", " in the former")
            )));
        }
    }
    if let Some(pair) = parts.windows(2).find(|pair| pair[0].shard == pair[1].shard) {
        return Err(Error::Usage(format!(
            "{} and {} are the same",
            pair[0].name(),
            pair[1].name()
        )));
    }
    Ok(parts)
}

fn part<M: RunManifest>(dir: &Path) -> Result<Part<M>, Error> {
    let place = dir.display();
    let manifest = directory::found::<M>(dir)?
        .ok_or_else(|| Error::Usage(format!("{place}: there is no manifest.json of a shard")))?;
    match manifest.shard() {
        Some(shard) => Ok(Part { dir: dir.to_owned(), manifest, shard }),
        None => Err(Error::Usage(format!("{place}: it holds a whole run and no shard"))),
    }
}

/// Returns the differences that the shards have accepted: each shard's `own`, and those between their programs, which
/// were accepted just now.
pub(super) fn accepted<M: RunManifest>(
    parts: &[Part<M>],
    own: impl Fn(&M) -> &Vec<String>,
) -> Vec<String> {
    let first = &parts[0].manifest;
    let own = parts.iter().flat_map(|part| own(&part.manifest).clone());
    let between = parts.iter().flat_map(|part| first.differences_of_wholes(&part.manifest));
    let all: BTreeSet<String> = own.chain(between.filter(|line| is_of_program(line))).collect();
    all.into_iter().collect()
}

/// Refuses shards that are not all shards of their run.
pub(super) fn refuse_missing<M>(parts: &[Part<M>]) -> Result<(), Error> {
    let of = parts[0].shard.of;
    let is_here = |index: &u64| parts.iter().any(|part| part.shard.index == *index);
    let missing: Vec<String> =
        (1..=of).filter(|i| !is_here(i)).map(|i| format!("{i}/{of}")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    const SHOWN: usize = 8;
    let dots = if missing.len() > SHOWN { ", …" } else { "" };
    Err(Error::Usage(format!(
        "{} of {of} missing: {}{dots}",
        units::counted(missing.len() as u64, "shard"),
        missing[..missing.len().min(SHOWN)].join(", ")
    )))
}

/// Returns the rows of a shard that are played again, `n` of them or all; the same for the same shard.
pub(super) fn chosen(seed: u64, shard: Shard, n: u64, n_games: u64) -> BTreeSet<u64> {
    let mut rng = rng::stream(seed, shard.index, Purpose::Analysis);
    let mut rows = BTreeSet::new();
    // Floyd's algorithm: every set of n rows is equally likely.
    for last in n_games - n.min(n_games)..n_games {
        let at = ((rng.unit() * (last + 1) as f64) as u64).min(last);
        if !rows.insert(at) {
            rows.insert(last);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_games_are_chosen_as_were_asked_for_or_all() {
        let shard = Shard { index: 2, of: 3 };
        for (n, n_games, found) in [(0, 9, 0), (1, 1, 1), (2, 9, 2), (9, 9, 9), (99_999, 9, 9)] {
            let rows = chosen(1, shard, n, n_games);
            assert_eq!(rows.len(), found, "{n} of {n_games}");
            assert!(rows.iter().all(|&row| row < n_games));
            assert_eq!(rows, chosen(1, shard, n, n_games));
        }
        let seen: BTreeSet<u64> = (0..200).flat_map(|seed| chosen(seed, shard, 2, 9)).collect();
        assert_eq!(seen.len(), 9, "every row can be chosen");
    }
}
