//! `caesar merge` for populations. The logs of all independent loops, concatenated, are the beginning of the log of the
//! whole run, byte for byte; then the reported loop is played. Before the command accepts a loop, it plays some of its
//! rows again.

use super::Telling;
use crate::cli::Ending;
use crate::cli::kept::Kept;
use crate::cli::running::{Threads, threads};
use crate::cli::shards::{Options, Part, Shards, accepted, chosen, rows, say_none_played_again};
use crate::cli::tune::Log;
use lab::strategies::game_seats::open_seats;
use lab::strategies::manifest::Manifest;
use lab::strategies::population::PopulationTables;
use lab::strategies::study::StrategiesStudy;
use lab::tune::journal::{FILE as LOG, Row};
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
    let mut kept = Kept::at(&options.out, &shards.whole, options.existing())?;
    let mut log = Log::of(&mut kept, csv)?;
    log.take_over(logs.concat())?;
    let telling = Telling {
        form: &options.printing.form,
        one: None,
        quiet: options.printing.quiet,
        threads: threads(Threads::default()),
        export: None,
    };
    telling.whole(&study, Some(&kept), Some(log))
}

/// Replays some rows of each loop.
fn replay_samples(
    options: &Options,
    study: &StrategiesStudy,
    shards: &Shards<Manifest>,
    logs: &[Vec<Row>],
) -> Result<(), Error> {
    if !study.is_reproducible() {
        say_none_played_again("row");
        return Ok(());
    }
    let seats = open_seats(&study.setup, &study.entrants)?;
    let again = |(part, rows): (&Part<Manifest>, &Vec<Row>)| {
        let all = chosen(study.plan.seed, part.shard, options.sample, rows.len() as u64);
        let tables = PopulationTables::new(&*seats);
        let run = part.shard.index - 1;
        let played = study.plan.play_again(&tables, run, rows, &|at| all.contains(&at));
        played.map_err(part.named())
    };
    let all = shards.parts.iter().zip(logs).map(again);
    let n_played = all.sum::<Result<u64, Error>>()?;
    options.say_played_again(n_played, "row", shards.parts.len());
    Ok(())
}
