//! `caesar merge` for experiments. The rows of all shards are joined block after block. Before the command accepts a
//! shard, it plays some of its blocks again. The confirmation is played at the end, because its choice requires all
//! shards.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::run::{CONFIRMATION, confirm, sum_up};
use crate::cli::kept::Kept;
use crate::cli::live::Live;
use crate::cli::running::{Threads, stop_on_signal, threads};
use crate::cli::shards::{self, Options, Shards, accepted, say_none_played_again};
use crate::cli::{Ending, look, print};
use crate::report::balance as report;
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::manifest::Manifest;
use lab::balance::rows::{FILE as ROWS, Row, RowsCsv};
use lab::balance::runner;
use lab::balance::study::BalanceStudy;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::row_file::RowFile as _;
use sim::export::summary::FILE as SUMMARY;

pub(in crate::cli) fn run(options: &Options) -> Result<Ending, Error> {
    let mut shards = Shards::<Manifest>::all(options, "its rows and tables")?;
    shards.whole.accepted_changes = accepted(&shards.parts, |manifest| &manifest.accepted_changes);
    let whole = &shards.whole;
    let study = whole.study(&shards.name)?;
    let written = [MANIFEST, ROWS, SUMMARY, CONFIRMATION];
    shards.refuse_overwriting(options, &written, &[MANIFEST, ROWS])?;
    // All shards are read once before anything is written.
    let csv = RowsCsv::new(study.experiment());
    shards.each_block(&csv, Manifest::range, &mut |_| Ok(()))?;
    // A signal ends the command here, before anything is written.
    replay_samples(options, &study, &shards, &AtomicBool::new(false))?;
    let stop = stop_on_signal()?;
    let mut kept = Kept::at(&options.out, whole, options.existing())?;
    let mut effects = EffectAccumulator::new(study.experiment());
    let mut out = kept.rows(csv.clone(), &whole.range(), &mut |_| Ok(()))?;
    shards.each_block(&csv, Manifest::range, &mut |rows| {
        effects.add(rows);
        out.write(rows)
    })?;
    out.save()?;
    let mut live = Live::new(options.printing.quiet);
    let result =
        confirm(&study, effects, Some(&mut kept), threads(Threads::default()), &stop, &mut live)?;
    live.finish();
    let Some(result) = result else { return Ok(shards::stopped()) };
    sum_up(Some(&kept), &study, &result)?;
    let page = |_| report::page(&study, &result);
    let form = &options.printing.form;
    let text = match form.is_json() {
        true => report::json(&study, &result),
        false => form.write(look(), None, &page),
    };
    print(&text)?;
    if form.is_table() {
        print(&options.merged(shards.parts.len()))?;
    }
    Ok(Ending::Done)
}

/// Replays some blocks of each shard.
fn replay_samples(
    options: &Options,
    study: &BalanceStudy,
    shards: &Shards<Manifest>,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let (experiment, csv) = (study.experiment(), RowsCsv::new(study.experiment()));
    if !study.validated().tiers.iter().all(sim::config::Plan::is_reproducible) {
        say_none_played_again("block");
        return Ok(());
    }
    let text = |rows: &[Row]| -> String { rows.iter().map(|row| csv.row(row)).collect() };
    let mut again = |there: &[Row]| {
        let block = there.first().map_or(0, |row| row.block);
        let mut here = String::new();
        runner::play(
            experiment,
            block..block + 1,
            threads(Threads::default()),
            stop,
            &mut |rows| {
                here = text(rows);
                ControlFlow::Continue(())
            },
        )?;
        Ok(here == text(there))
    };
    let mut n_played = 0;
    for part in &shards.parts {
        let (range, seed) = (part.manifest.range(), experiment.seed);
        n_played += part.play_again(&csv, range, seed, options.sample, &mut again)?;
    }
    options.say_played_again(n_played, "block", shards.parts.len());
    Ok(())
}
