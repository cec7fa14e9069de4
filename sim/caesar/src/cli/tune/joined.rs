//! `caesar merge` for searches: the logs of all shards, one behind the other, are the log of the run whose searches they
//! are, byte for byte; then its play-off and its report are played. Before it believes a shard it plays some of its rows
//! again.

use super::run::{Home, Telling};
use crate::cli::join::refuse_overwriting;
use crate::cli::merge::{Options, Part, chosen, parts, refuse_missing};
use crate::cli::rows::Blocks;
use crate::cli::running::threads;
use crate::cli::{Ending, note};
use lab::tune::journal::{FILE as LOG, LogCsv, Row};
use lab::tune::manifest::Manifest;
use lab::tune::playground::{Came, Field, Playground, Stretch};
use lab::tune::pools::{Pool, Train};
use lab::tune::study::Study;
use lab::tune::table::{WithTable, with_table};
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::RunManifest as _;
use sim::units;

pub(in crate::cli) fn run(options: &Options) -> Result<Ending, Error> {
    if let Some(name) = options.of_tournaments() {
        return Err(Error::Usage(format!(
            "{name}: the shards are of a search, which has only its log and its tables; leave it away"
        )));
    }
    let parts = parts::<Manifest>(&options.shards)?;
    refuse_missing(&parts)?;
    let whole = parts[0].manifest.whole();
    let study = whole.study(&parts[0].dir.join(MANIFEST).display().to_string())?;
    refuse_overwriting(options, &parts, &[MANIFEST, LOG, SUMMARY], &[MANIFEST, LOG])?;
    // Everything is read once before anything is written.
    let csv = study.log_csv();
    let logs = parts.iter().map(|part| rows(part, &csv)).collect::<Result<Vec<_>, Error>>()?;
    replay_samples(options, &study, &parts, &logs)?;
    let mut kept = Home::at(&options.out, &whole, options.existing())?;
    let mut log = kept.log(&study)?;
    log.take_over(logs.concat())?;
    let quiet = options.printing.quiet;
    let form = &options.printing.form;
    let telling = Telling { form, one: None, quiet, threads: threads(None), shard: None };
    telling.search(&study, Some(&kept), Some(log))
}

/// The rows of a shard, which must have come to its end.
fn rows(part: &Part<Manifest>, csv: &LogCsv) -> Result<Vec<Row>, Error> {
    if !part.dir.join(SUMMARY).is_file() {
        let what =
            format!("it has not come to its end: {SUMMARY} is missing; --resume completes it");
        return Err(part.named()(Error::Usage(what)));
    }
    let log = Blocks::open(&part.dir.join(LOG), csv, 0);
    log.and_then(|mut log| log.rest()).map_err(part.named())
}

/// Plays some rows of each shard again.
fn replay_samples(
    options: &Options,
    study: &Study,
    parts: &[Part<Manifest>],
    logs: &[Vec<Row>],
) -> Result<(), Error> {
    if !study.subject.is_reproducible() {
        note("no row is played again: an agent thinks for a time, or is another program");
        return Ok(());
    }
    let mut n_played = 0;
    for (part, rows) in parts.iter().zip(logs) {
        let seed = study.search.seed;
        for at in chosen(seed, part.shard, options.sample, rows.len() as u64) {
            let row = &rows[at as usize];
            let again = with_table(&study.setup, &study.subject, Again { study, row })?;
            if again.map_err(part.named())? != row.came {
                return Err(part.named()(Error::Failed(format!(
                    "row {} comes out differently here; the machine that played it or this one is wrong",
                    row.number
                ))));
            }
            n_played += 1;
        }
    }
    if !options.printing.quiet && options.sample > 0 {
        let (rows, shards) =
            (units::counted(n_played, "row"), units::counted(parts.len() as u64, "shard"));
        note(&format!("{rows} of {shards} played again: no difference"));
    }
    Ok(())
}

/// A row, played once more.
struct Again<'a> {
    study: &'a Study,
    row: &'a Row,
}

impl WithTable for Again<'_> {
    type Output = Result<Came, Error>;

    fn run(self, table: &dyn Playground) -> Self::Output {
        let Self { study, row } = self;
        let point = row.point(&study.search.space).ok_or_else(|| {
            Error::Usage(format!("row {} is of no point of this search", row.number))
        })?;
        let seed = Pool::<Train>::of(study.search.seed).seed();
        let blocks = row.first..row.first + row.came.values.len() as u64;
        table.play(&Stretch { point, field: Field::Pool, seed, blocks })
    }
}
