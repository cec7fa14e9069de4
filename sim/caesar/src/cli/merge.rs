//! `caesar merge`: the shards of a tournament, a comparison, an experiment or a tuning run, joined into the results of one
//! run, byte for byte.
//!
//! Before it believes a shard it plays a few of its games again: a machine that computes something else is found
//! here and not in the ranking. How comparisons are joined stands in [`super::join`], how experiments in
//! [`super::balance`], how searches for better agents in [`super::tune`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use engine::{Purpose, Randomness, rng};

use super::entered::Entered;
use super::files::refuse_one_file_twice;
use super::history::History;
use super::outputs::{Existing, Force, Target};
use super::outside::named_file;
use super::records::{label, seen_from};
use super::results::{Opening, Results, short};
use super::sink::{Printing, Sink};
use super::trust::accepts_changed;
use super::{Ending, ExportArgs, directory, fault, look, note, print};
use sim::config::Plan;
use sim::config::numbers::whole;
use sim::error::Error;
use sim::event::GameResult;
use sim::export::games_csv::{FILE as GAMES, GamesCsv};
use sim::export::manifest::FILE as MANIFEST;
use sim::export::records::FILE as RECORDS;
use sim::export::row_file::RowFile as _;
use sim::export::{self, Resume};
use sim::manifest::{Manifest, RunManifest, Shard, changed_programs, is_of_program};
use sim::tournament::{self, play_game};
use sim::units;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The directories of all shards, in any order
    #[arg(required = true, value_name = "DIR")]
    pub(super) shards: Vec<PathBuf>,
    /// Write manifest.json, games.csv (of a comparison trace.csv, of an experiment cells.csv, of a search log.csv) and summary.json of the whole run into a directory
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// Games of each shard that are played again and compared; of comparisons, blocks; of searches, rows
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = whole)]
    pub(super) sample: u64,
    /// Where the records of the shards are joined, if they keep some [default: records.jsonl in --out]
    #[arg(long, value_name = "FILE", conflicts_with = "no_records")]
    records: Option<PathBuf>,
    /// The file of records of a shard whose manifest names one elsewhere (repeatable)
    #[arg(long, value_name = "FILE", conflicts_with = "no_records")]
    read_records: Vec<PathBuf>,
    /// Join the rows alone, as if no shard had kept records
    #[arg(long)]
    no_records: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    export: ExportArgs,
    #[command(flatten)]
    pub(super) printing: Printing,
}

impl Options {
    /// What becomes of a run that is in --out.
    pub(super) const fn existing(&self) -> Existing {
        Existing::without_resume(self.force)
    }

    /// What belongs to tournaments alone, if something of it is asked for.
    pub(super) fn of_tournaments(&self) -> Option<&'static str> {
        let given = [
            (self.records.is_some(), "--records"),
            (self.no_records, "--no-records"),
            (!self.read_records.is_empty(), "--read-records"),
            (!self.export.export.is_empty(), "--export"),
        ];
        let given = given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name);
        given.or_else(|| self.printing.of_tournaments())
    }
}

/// A shard that was found.
pub(super) struct Part<M = Manifest> {
    pub(super) dir: PathBuf,
    pub(super) manifest: M,
    pub(super) shard: Shard,
}

impl<M> Part<M> {
    pub(super) fn name(&self) -> String {
        format!("shard {} ({})", self.shard, self.dir.display())
    }

    /// A complaint with the name of this shard before it.
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
}

impl Part {
    fn records(&self) -> Option<PathBuf> {
        self.manifest.records.as_ref().map(|file| self.dir.join(file))
    }

    /// Refuses records outside of the directory of the shard that are not among those that were `named`.
    fn refuse_outside(&self, named: &[PathBuf]) -> Result<(), Error> {
        let Some(file) = &self.manifest.records else { return Ok(()) };
        named_file(&self.dir, file, ("--read-records", named)).map(drop)
    }

    /// Tells the games of the shard, each with its record if `with_records` and it keeps them; all of them must be
    /// there.
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
        for told in 0..n_games {
            match history.next_game().map_err(&named)? {
                Some(game) => tell(game).map_err(&named)?,
                None => {
                    let file = records.as_ref().filter(|_| history.lacks_records());
                    let complaint = short(file.unwrap_or(&rows), told, n_games);
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
    whole.accepted_changes = accepted(parts);
    let plan = whole.plan(&parts[0].dir.join(MANIFEST).display().to_string())?;
    options.printing.check(&plan)?;
    let keeps_records = whole.records.is_some() && !options.no_records;
    if let (Some(path), false) = (&options.records, keeps_records) {
        return Err(Error::Usage(format!("{}: the shards keep no records", label(path))));
    }
    // Everything is read once before anything is written.
    replay_samples(options, &plan, parts)?;
    let entered = Entered::enter(&options.out, MANIFEST)?;
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
    // What cannot hold this run is refused before anything is replaced.
    formats.iter().try_for_each(|format| opening.exporter(format).map(drop))?;
    let mut results = Results::open(&opening, entered)?;
    sink.open_exports(&opening, &formats)?;
    for part in parts {
        part.each_game(keeps_records, &mut |game| {
            sink.hear(&game)?;
            results.write(&game)
        })?;
    }
    sink.results = Some(results);
    sink.close(true)?;
    let mut text = options.printing.text(&plan, &sink.heard, None, look());
    if options.printing.form.is_table() {
        text += &format!(
            "{} merged into {}\n",
            units::counted(parts.len() as u64, "shard"),
            options.out.display()
        );
    }
    print(&text)?;
    let standings = &sink.heard.standings;
    Ok(fault::ending(standings.forfeits(), standings.games()))
}

/// The file of the records of all shards.
fn records_target(options: &Options) -> Result<PathBuf, Error> {
    let path = options.records.clone().unwrap_or_else(|| options.out.join(RECORDS));
    match Target::of("records", &path)? {
        Target::File(path) => Ok(path),
        Target::Stdout | Target::Stream(_) => {
            Err(Error::Usage(format!("{}: records are kept in a file; name one", label(&path))))
        }
    }
}

/// The shards in these directories, in their order.
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
                "{} is of another run than {} ({})",
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

/// What shards have accepted, and what differs between their programs, which was accepted just now.
fn accepted(parts: &[Part]) -> Vec<String> {
    let first = &parts[0].manifest.programs;
    let own = parts.iter().flat_map(|part| part.manifest.accepted_changes.clone());
    let between = parts.iter().flat_map(|part| changed_programs(first, &part.manifest.programs));
    let all: BTreeSet<String> = own.chain(between).collect();
    all.into_iter().collect()
}

/// Refuses shards of which only some keep records.
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

/// Refuses to write where the shards are.
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

/// Reads every shard to its end, and plays some games of each again.
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
        note("no game is played again: an agent thinks for a time, or is another program");
        return Ok(());
    }
    let most = parts.iter().map(|part| part.manifest.n_games()).max().unwrap_or_default();
    let all = if options.sample >= most { ", all there are" } else { "" };
    note(&format!(
        "{} of {} played again{all}: no difference",
        units::counted(played, "game"),
        units::counted(parts.len() as u64, "shard")
    ));
    Ok(())
}

/// The rows of a shard that are played again, `n` of them or all; the same for the same shard.
pub(super) fn chosen(seed: u64, shard: Shard, n: u64, n_games: u64) -> BTreeSet<u64> {
    let mut rng = rng::stream(seed, shard.index, Purpose::Analysis);
    let mut rows = BTreeSet::new();
    // Floyd's way: every set of n rows is as likely as any other.
    for last in n_games - n.min(n_games)..n_games {
        let at = ((rng.unit() * (last + 1) as f64) as u64).min(last);
        if !rows.insert(at) {
            rows.insert(last);
        }
    }
    rows
}

/// Plays `game` again and refuses any difference.
fn compare(plan: &Plan, games_csv: &GamesCsv, game: &GameResult) -> Result<(), Error> {
    let records = game.record.is_some();
    let options = tournament::Options { threads: 1, records, extras: true };
    let again = play_game(plan, game.index, options)?;
    let (there, here) = (games_csv.row(game), games_csv.row(&again));
    if there == here {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "game {} comes out differently here; the machine that played it or this one is wrong\n  {}",
        game.index,
        games_csv.differences(&there, &here).join(", ")
    )))
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
