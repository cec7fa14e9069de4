//! Directory of a run's results: its dependencies, append-only rows, and a final summary.
//!
//! `manifest.json` comes before the first row and never changes. `games.csv` grows by whole blocks of rows with
//! checksums. Records grow beside it in the same way and are handed over before the rows that have their checksums,
//! so that after a kill at any moment, or on a full disk, there is a record for each row. Going on cuts both back to
//! the last whole block that both hold, and plays from there. `summary.json` is written last, so a directory without
//! it, or with one of fewer blocks, is that of an unfinished run.
//!
//! `games.csv` is locked from before the first look at the directory, the file of records before it is cut, so that
//! neither ever has two writers.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::directory::{self, Grows, refuse_differences, remove_from};
use super::files::{
    Growing, are_one, document, emptied, forget_aside, refuse_while_aside, write_aside,
};
use super::history::History;
use super::kept::{Stored, replaced};
use super::note;
use super::outputs::{Existing, refuse_file, say_replaced};
use super::records::label;
use super::run_dir_guard::RunDirGuard;
use sim::config::Plan;
use sim::error::Error;
use sim::event::GameResult;
use sim::export::games_csv::{FILE as GAMES, GamesCsv};
use sim::export::records::Records;
use sim::export::row_file::RowFile as _;
use sim::export::summary::{self, FILE as SUMMARY};
use sim::export::{self, End, Exporter, Format, Resume, Run};
use sim::manifest::{Manifest, RunManifest as _};
use sim::stats::Standings;

/// The open results of a run.
pub(super) struct Results {
    dir: PathBuf,
    games_csv: GamesCsv,
    first: u64,
    /// Growing files, in the order of handing over. Records come first, because a row implies that its record exists.
    grows: Grows,
    /// Writers of the files.
    exporters: Vec<Box<dyn Exporter>>,
    /// Files that are written at the end.
    at_end: Vec<(Box<dyn Exporter>, &'static str)>,
    kept: u64,
    games_per_block: u64,
    games_in_block: u64,
}

/// Settings for opening results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening<'a> {
    /// The directory.
    pub(super) dir: &'a Path,
    /// Plan of the games.
    pub(super) plan: &'a Plan,
    /// Dependencies of the run.
    pub(super) manifest: &'a Manifest,
    /// The file of records, if the run keeps some; the manifest names it.
    pub(super) records: Option<&'a Path>,
    /// Treatment of an existing run.
    pub(super) existing: Existing,
    /// Flag for no notes on stderr.
    pub(super) quiet: bool,
}

impl<'a> Opening<'a> {
    /// Returns the known facts of the run.
    const fn run(&self) -> Run<'a> {
        Run { plan: self.plan, manifest: self.manifest }
    }

    /// Returns the writer of the file of `format`, and the file's path.
    ///
    /// # Errors
    /// If the format cannot hold this run.
    pub(super) fn exporter(&self, format: &Format) -> Result<(Box<dyn Exporter>, PathBuf), Error> {
        let place = self.dir.join(format.file);
        let made = (format.exporter)(&self.run());
        Ok((made.map_err(Error::opening(place.display().to_string()))?, place))
    }
}

/// Existing part of a run.
#[derive(Clone, Copy, Default)]
struct Kept {
    games: u64,
    /// Bytes of their rows, with the header.
    rows: u64,
    /// Bytes of their records.
    records: u64,
}

impl Results {
    /// Opens the results of a run: new ones, or those of a continued run.
    ///
    /// # Errors
    /// If the directory or the file of records cannot be used, or is used by another run, or holds another run, or an
    /// unfinished one that is not to go on. Then nothing of it has changed.
    pub(super) fn open(opening: &Opening<'_>, mut entered: RunDirGuard) -> Result<Self, Error> {
        let dir = opening.dir;
        let (mut games, found) = directory::enter(dir, &mut entered, GAMES)?;
        let goes_on = opening.existing.goes_on() && found.is_some();
        let replaced = match &found {
            Some(there) if goes_on => refuse_another(there, opening).map(|()| None)?,
            found => replaced(dir, opening.manifest, found.as_ref(), opening.existing)?,
        };
        let mut records = open_records(opening, found.as_ref(), &mut entered)?;
        let kept = if goes_on { kept(opening)? } else { Kept::default() };
        if goes_on {
            drop_stale(opening, kept)?;
        } else {
            games = begin(opening, games, found.as_ref(), replaced.as_deref())?;
            if let Some((file, path)) = records.take().zip(opening.records) {
                records = Some(emptied(file, path).map_err(Error::opening(label(path)))?);
            }
        }
        Self::at(opening, games, records, kept)
    }

    /// Opens results of which the part `kept` stays.
    fn at(
        opening: &Opening<'_>,
        games: File,
        records: Option<File>,
        kept: Kept,
    ) -> Result<Self, Error> {
        let manifest = opening.manifest;
        let (mut exporters, mut files) = (Vec::<Box<dyn Exporter>>::new(), Vec::new());
        if let Some((file, path)) = records.zip(opening.records) {
            let file = Growing::new(file, path, kept.records).map_err(Error::opening(label(path)));
            files.push(file?);
            exporters.push(Box::new(Records));
        }
        let (mut rows, place) = opening.exporter(&export::games_csv::FORMAT)?;
        let name = place.display().to_string();
        let mut games =
            Growing::new(games, &place, kept.rows).map_err(Error::opening(name.as_str()))?;
        if kept.rows == 0 {
            let begun = rows.begin(&mut games).and_then(|()| games.hand_over());
            begun.map_err(Error::output(name))?;
        }
        files.push(games);
        exporters.push(rows);
        let at_end = export::that_are(&[Resume::AtEnd])
            .map(|format| Ok((opening.exporter(format)?.0, format.file)))
            .collect::<Result<_, Error>>()?;
        Ok(Self {
            dir: opening.dir.to_owned(),
            games_csv: manifest.games_csv(),
            first: manifest.first_game(),
            grows: Grows::new(opening.dir, files),
            exporters,
            at_end,
            kept: kept.games,
            games_per_block: manifest.games_per_block,
            games_in_block: 0,
        })
    }

    /// Returns the number of existing games, those of whole blocks.
    pub(super) const fn kept(&self) -> u64 {
        self.kept
    }

    /// Passes the existing games to `on_game`.
    ///
    /// # Errors
    /// If they cannot be read, or `on_game` fails.
    pub(super) fn retell(
        &self,
        on_game: &mut dyn FnMut(&GameResult) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let place = self.dir.join(GAMES);
        let mut history = History::open(&place, None, &self.games_csv, self.first)?;
        for n in 0..self.kept {
            let game = history.next_game()?.ok_or_else(|| short(&place, n, self.kept))?;
            on_game(&game)?;
        }
        Ok(())
    }

    /// Appends a game; whole blocks are handed over from time to time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, game: &GameResult) -> Result<(), Error> {
        for (exporter, file) in self.exporters.iter_mut().zip(self.grows.files()) {
            let name = |file: &Growing| file.place().display().to_string();
            exporter.game(game, file).map_err(|e| Error::output(name(file))(e))?;
        }
        self.games_in_block += 1;
        if self.games_in_block < self.games_per_block {
            return Ok(());
        }
        self.games_in_block = 0;
        self.grows.block_ended()
    }

    /// Hands over all remaining data.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn save(&mut self) -> Result<(), Error> {
        self.grows.flush(true)
    }

    /// Returns a line for the user about the remaining results of a failed run.
    pub(super) fn what_is_left(&self) -> String {
        self.grows.what_is_left()
    }

    /// Writes the summary after all other files.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn sum_up(&mut self, standings: &Standings) -> Result<(), Error> {
        for (exporter, file) in &mut self.at_end {
            let place = self.dir.join(file);
            let mut document = Vec::new();
            let written = exporter.end(&End { standings, report: None }, &mut document);
            let written = written.and_then(|()| write_aside(&place, &document));
            written.map_err(Error::output(place.display().to_string()))?;
        }
        Ok(())
    }
}

/// Opens and locks the file of records; refuses one of another run.
fn open_records(
    opening: &Opening<'_>,
    found: Option<&Manifest>,
    entered: &mut RunDirGuard,
) -> Result<Option<File>, Error> {
    let Some(path) = opening.records else { return Ok(None) };
    let is_ours = found.is_some_and(|there| there.records == opening.manifest.records);
    let failed = |e| Error::opening(label(path))(e);
    if !is_ours {
        refuse_file(&label(path), path, opening.existing == Existing::Replaced)?;
    }
    if is_ours && opening.existing.goes_on() && !path.exists() {
        let rows = History::open(
            &opening.dir.join(GAMES),
            None,
            &opening.manifest.games_csv(),
            opening.manifest.first_game(),
        )?
        .next_game()?;
        if rows.is_some() {
            return Err(Error::Usage(format!(
                "{}: it is missing, but games.csv has games; restore it, or create an empty file to play them again",
                label(path)
            )));
        }
    }
    let file = entered.open_locked(path).map_err(failed)?;
    refuse_while_aside(path).map_err(failed)?;
    if !is_ours {
        say_replaced(&label(path), path);
    }
    Ok(Some(file))
}

/// Returns the part of the run that stays: the whole blocks that rows and records both hold.
fn kept(opening: &Opening<'_>) -> Result<Kept, Error> {
    let manifest = opening.manifest;
    let (games_csv, place) = (manifest.games_csv(), opening.dir.join(GAMES));
    let mut history = History::open(&place, opening.records, &games_csv, manifest.first_game())?;
    let (mut games, mut kept) = (0, Kept::default());
    loop {
        if games % manifest.games_per_block == 0 {
            let (rows, records) = history.lengths();
            kept = Kept { games, rows, records };
        }
        if history.next_game()?.is_none() {
            break;
        }
        games += 1;
        if games > manifest.n_games() {
            return Err(Error::Usage(format!(
                "{}: it has more than the {} games of the run, so another program wrote it",
                place.display(),
                manifest.n_games()
            )));
        }
    }
    if let Some(path) = opening.records.filter(|_| history.lacks_records() && !opening.quiet) {
        note(&format!(
            "{} ends before {}: the run continues with game {}, after the last block that both have",
            path.display(),
            place.display(),
            manifest.first_game() + kept.games
        ));
    }
    Ok(kept)
}

/// Removes a summary of more games than are kept, with its accompanying files.
fn drop_stale(opening: &Opening<'_>, kept: Kept) -> Result<(), Error> {
    if blocks_summed_up(opening.dir) * opening.manifest.games_per_block > kept.games {
        finished().try_for_each(|name| remove_from(opening.dir, name))?;
    }
    // A kill may have left an unfinished temporary file.
    for format in export::that_are(&[Resume::Fixed, Resume::AtEnd, Resume::WhenComplete]) {
        let place = opening.dir.join(format.file);
        forget_aside(&place).map_err(Error::opening(place.display().to_string()))?;
    }
    Ok(())
}

/// Prepares the directory for a new run: removes replaced files, writes the manifest, and returns the empty file of
/// rows.
fn begin(
    opening: &Opening<'_>,
    games: File,
    found: Option<&Manifest>,
    replaced: Option<&str>,
) -> Result<File, Error> {
    let dir = opening.dir;
    let games = directory::clear(dir, replaced, finished(), (games, GAMES))?;
    let old = found.and_then(|there| there.records.as_ref());
    // Records in the directory are also results.
    if let Some(old) = old.filter(|old| !old.contains(['/', '\\'])) {
        let is_kept = opening.records.is_some_and(|path| are_one(path, &dir.join(old)));
        if !is_kept && old != ".." {
            remove_from(dir, old)?;
        }
    }
    for format in export::that_are(&[Resume::Fixed]) {
        let (mut exporter, place) = opening.exporter(format)?;
        let mut document = Vec::new();
        let failed = Error::opening(place.display().to_string());
        exporter.begin(&mut document).map_err(failed)?;
        directory::fix(dir, format.file, &document)?;
    }
    Ok(games)
}

/// Returns the files that exist only after the end of a run.
fn finished() -> impl Iterator<Item = &'static str> {
    export::that_are(&[Resume::AtEnd, Resume::WhenComplete]).map(|format| format.file)
}

/// Returns the error for a file with fewer games than it should have.
pub(super) fn short(place: &Path, n: u64, of: u64) -> Error {
    Error::Usage(format!("{}: it holds {n} of {of} games", place.display()))
}

/// Returns the number of blocks in the summary of `dir`; 0 without a summary.
fn blocks_summed_up(dir: &Path) -> u64 {
    summary::blocks(&document(&dir.join(SUMMARY)).unwrap_or_default())
}

impl Stored for Manifest {
    const ROWS: &'static [&'static str] = &[GAMES];

    fn finished(&self) -> Vec<String> {
        finished().map(str::to_owned).collect()
    }

    fn is_finished(&self, dir: &Path) -> bool {
        let summary = document(&dir.join(SUMMARY)).unwrap_or_default();
        let range = self.range();
        summary::blocks(&summary) == range.end - range.start || summary::is_complete(&summary)
    }

    fn has_rows(&self, dir: &Path) -> Result<bool, Error> {
        let rows = fs::metadata(dir.join(GAMES)).map_or(0, |meta| meta.len());
        Ok(rows > self.games_csv().header().len() as u64)
    }
}

fn refuse_another(there: &Manifest, opening: &Opening<'_>) -> Result<(), Error> {
    let place = opening.dir.display();
    let complaint = match (&there.records, opening.records) {
        (Some(file), None) => format!(
            "--resume: the run in {place} keeps records; name them with --records {}",
            opening.dir.join(file).display()
        ),
        (None, Some(_)) => {
            format!("--resume: the run in {place} keeps no records; leave --records out")
        }
        _ => {
            let differences = there.differences(opening.manifest);
            return refuse_differences(opening.dir, "run", &differences);
        }
    };
    Err(Error::Usage(complaint))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use sim::config::TournamentConfig;
    use sim::event::{Event, Observer};
    use sim::export::manifest::FILE as MANIFEST;
    use sim::tournament;

    /// A small run, played, and the bytes of its files.
    struct Played {
        plan: Plan,
        manifest: Manifest,
        games: Vec<GameResult>,
        rows: Vec<u8>,
        records: Vec<u8>,
    }

    struct CollectedGames(Vec<GameResult>);

    impl Observer for CollectedGames {
        fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
            if let Event::GameOver(game) = event {
                self.0.push((*game).clone());
            }
            ControlFlow::Continue(())
        }
    }

    impl Played {
        fn new(blocks: u64) -> Self {
            let config = TournamentConfig {
                game: Some("kuhn-poker".to_owned()),
                blocks: Some(blocks),
                ..TournamentConfig::default()
            };
            let plan = Plan::new(config, &|_| unreachable!("no file is named")).unwrap();
            let manifest = Manifest::new(&plan, &tournament::facts(&plan).unwrap(), None)
                .with_records(Some("r.jsonl".to_owned()));
            let options = tournament::Options { threads: 1, records: true, extras: true };
            let mut collected = CollectedGames(Vec::new());
            tournament::play(&plan, options, &mut collected, &AtomicBool::new(false)).unwrap();
            let games = collected.0;
            let games_csv = manifest.games_csv();
            let rows = games.iter().map(|game| games_csv.row(game)).collect::<String>();
            let texts = games.iter().map(|game| game.record.as_ref().unwrap().text().unwrap());
            let records = texts.collect::<String>().into_bytes();
            let rows = (games_csv.header() + &rows).into_bytes();
            Self { plan, manifest, games, rows, records }
        }

        /// Continues from `rows` and `records`; returns the number of games kept, or the error.
        fn go_on(&self, dir: &Path, rows: &[u8], records: &[u8]) -> Result<u64, Error> {
            let at = |name: &str| dir.join(name);
            fs::write(at(MANIFEST), self.manifest.document()).unwrap();
            fs::write(at(GAMES), rows).unwrap();
            fs::write(at("r.jsonl"), records).unwrap();
            let records = at("r.jsonl");
            let opening = Opening {
                dir,
                plan: &self.plan,
                manifest: &self.manifest,
                records: Some(&records),
                existing: Existing::GoesOn,
                quiet: true,
            };
            let mut results = Results::open(&opening, RunDirGuard::enter(dir, MANIFEST)?)?;
            let kept = results.kept();
            for game in &self.games[kept as usize..] {
                results.write(game)?;
            }
            results.grows.flush(false)?;
            assert!(fs::read(at(GAMES)).unwrap() == self.rows);
            assert!(fs::read(at("r.jsonl")).unwrap() == self.records);
            Ok(kept)
        }

        /// Returns the number of games in whole blocks within the first `rows` and `records` bytes.
        fn whole(&self, rows: usize, records: usize) -> u64 {
            let games_csv = self.manifest.games_csv();
            let mut ends = (games_csv.header().len(), 0);
            let mut n = 0;
            for game in &self.games {
                ends.0 += games_csv.row(game).len();
                ends.1 += game.record.as_ref().unwrap().text().unwrap().len();
                if ends.0 > rows || ends.1 > records {
                    break;
                }
                n += 1;
            }
            n - n % self.manifest.games_per_block
        }
    }

    /// Cuts both files at any byte, as after a full disk or a kill: the run continues from the last block that both
    /// hold.
    #[test]
    fn rows_and_records_cut_at_any_byte_are_gone_on_with() {
        let run = Played::new(3);
        let dir = tempfile::tempdir().unwrap();
        let (rows, records) = (run.rows.len(), run.records.len());
        let cut = |r: usize, s: usize| {
            let kept = run.go_on(dir.path(), &run.rows[..r], &run.records[..s]);
            assert_eq!(kept.unwrap(), run.whole(r, s), "{r} bytes of rows, {s} of records");
        };
        (0..=rows).for_each(|r| cut(r, records));
        (0..=records).for_each(|s| cut(rows, s));
        for r in (0..=rows).step_by(29) {
            (0..=records).step_by(211).for_each(|s| cut(r, s));
        }
    }

    /// A flipped bit is detected, or lies in a part that is played again: it never survives.
    #[test]
    fn no_flipped_bit_survives() {
        let run = Played::new(2);
        let dir = tempfile::tempdir().unwrap();
        let mut found = 0;
        for place in 0..run.records.len() {
            let mut records = run.records.clone();
            records[place] ^= 1 << (place % 8);
            match run.go_on(dir.path(), &run.rows, &records) {
                Ok(kept) => assert!(kept < run.games.len() as u64, "byte {place}"),
                Err(Error::Usage(text)) => {
                    assert!(text.contains("r.jsonl:"), "{text}");
                    // Nothing is thrown away.
                    assert!(fs::read(dir.path().join("r.jsonl")).unwrap() == records);
                    found += 1;
                }
                Err(other) => panic!("byte {place}: {other}"),
            }
        }
        assert!(found > run.records.len() / 2, "{found} of {}", run.records.len());
        for place in 0..run.rows.len() {
            let mut rows = run.rows.clone();
            rows[place] ^= 1 << (place % 8);
            match run.go_on(dir.path(), &rows, &run.records) {
                Ok(kept) => assert!(kept < run.games.len() as u64, "byte {place}"),
                Err(error) => assert!(error.to_string().contains("games.csv:"), "{error}"),
            }
        }
    }

    /// Rows wait for their records: at no moment do they hold a game that records do not.
    #[test]
    fn a_row_never_reaches_the_disk_before_its_record() {
        let run = Played::new(40);
        let dir = tempfile::tempdir().unwrap();
        let records = dir.path().join("r.jsonl");
        let opening = Opening {
            dir: dir.path(),
            plan: &run.plan,
            manifest: &run.manifest,
            records: Some(&records),
            existing: Existing::Refused,
            quiet: true,
        };
        let mut results =
            Results::open(&opening, RunDirGuard::enter(dir.path(), MANIFEST).unwrap()).unwrap();
        for (i, game) in run.games.iter().enumerate() {
            results.write(game).unwrap();
            if i % 7 == 0 {
                results.grows.flush(false).unwrap();
            }
            let length = |path: &Path| fs::metadata(path).unwrap().len() as usize;
            let rows = length(&dir.path().join(GAMES));
            assert_eq!(run.whole(rows, length(&records)), run.whole(rows, run.records.len()));
        }
    }

    #[test]
    fn more_games_than_the_run_has_are_refused() {
        let run = Played::new(2);
        let more = Played::new(3);
        let dir = tempfile::tempdir().unwrap();
        let complaint = run.go_on(dir.path(), &more.rows, &more.records).unwrap_err().to_string();
        assert!(complaint.contains("it has more than the 4 games of the run"), "{complaint}");
    }
}
