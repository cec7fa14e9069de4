//! `caesar merge` for searches. The logs of all shards, concatenated, are the log of the whole run, byte for byte; then
//! its play-off and report are played. Before the command accepts a shard, it plays some of its rows again.

use super::run::{Home, Telling};
use crate::cli::Ending;
use crate::cli::running::{Threads, threads};
use crate::cli::shards::{Options, Shards, accepted, rows, say_none_played_again};
use lab::tune::agent_objective::open_table;
use lab::tune::journal::{FILE as LOG, Row};
use lab::tune::manifest::Manifest;
use lab::tune::objective::{Batch, Evaluation, Field, Objective};
use lab::tune::pools::{Pool, Train};
use lab::tune::study::TuningStudy;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::summary::FILE as SUMMARY;

pub(in crate::cli) fn run(options: &Options) -> Result<Ending, Error> {
    let mut shards = Shards::<Manifest>::all(options, "its log and its tables")?;
    shards.whole.accepted_changes = accepted(&shards.parts, |manifest| &manifest.accepted_changes);
    let study = shards.whole.study(&shards.name)?;
    shards.refuse_overwriting(options, &[MANIFEST, LOG, SUMMARY], &[MANIFEST, LOG])?;
    // All shards are read once before anything is written.
    let csv = study.log_csv();
    let logs = shards.parts.iter().map(|part| rows(part, &csv));
    let logs = logs.collect::<Result<Vec<_>, Error>>()?;
    replay_samples(options, &study, &shards, &logs)?;
    let mut kept = Home::at(&options.out, &shards.whole, options.existing())?;
    let mut log = kept.log(&study)?;
    log.take_over(logs.concat())?;
    let quiet = options.printing.quiet;
    let form = &options.printing.form;
    let telling =
        Telling { form, one: None, quiet, threads: threads(Threads::default()), shard: None };
    telling.search(&study, Some(&kept), Some(log))
}

/// Replays some rows of each shard.
fn replay_samples(
    options: &Options,
    study: &TuningStudy,
    shards: &Shards<Manifest>,
    logs: &[Vec<Row>],
) -> Result<(), Error> {
    if !study.subject.is_reproducible() {
        say_none_played_again("row");
        return Ok(());
    }
    let (seed, csv) = (study.search.seed, study.log_csv());
    let mut n_played = 0;
    for (part, rows) in shards.parts.iter().zip(logs) {
        let mut again = |rows: &[Row]| {
            let [row] = rows else { return Ok(false) };
            let table = open_table(&study.setup, &study.subject)?;
            Ok(play_again(study, row, &*table).map_err(part.named())? == row.came)
        };
        n_played +=
            part.play_again(&csv, 0..rows.len() as u64, seed, options.sample, &mut again)?;
    }
    options.say_played_again(n_played, "row", shards.parts.len());
    Ok(())
}

/// Replays a row.
fn play_again(study: &TuningStudy, row: &Row, table: &dyn Objective) -> Result<Evaluation, Error> {
    let point = row
        .point(&study.search.space)
        .ok_or_else(|| Error::Usage(format!("row {} is of no point of this search", row.number)))?;
    let seed = Pool::<Train>::of(study.search.seed).seed();
    let blocks = row.first..row.first + row.came.values.len() as u64;
    table.play(&Batch { point, field: Field::Pool, seed, blocks })
}
