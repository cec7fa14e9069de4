//! `caesar merge` for experiments: the rows of all shards, block after block. Before it believes a shard it plays some of
//! its blocks again. What the study wants confirmed is played then, since it takes all shards to choose it.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use super::run::{CONFIRMATION, confirm, sum_up};
use crate::cli::join::refuse_overwriting;
use crate::cli::kept::{Hear, Kept};
use crate::cli::live::Live;
use crate::cli::merge::{Options, Part, chosen, parts, refuse_missing};
use crate::cli::rows::Blocks;
use crate::cli::running::{stop_on_signal, threads};
use crate::cli::{Ending, look, note, print};
use crate::report::balance as report;
use lab::balance::heard::Heard;
use lab::balance::manifest::Manifest;
use lab::balance::rows::{FILE as ROWS, Row, RowsCsv};
use lab::balance::runner;
use lab::balance::study::Study;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::row_file::RowFile;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::RunManifest as _;
use sim::units;

pub(in crate::cli) fn run(options: &Options) -> Result<Ending, Error> {
    if let Some(name) = options.of_tournaments() {
        return Err(Error::Usage(format!(
            "{name}: the shards are of an experiment, which has only its rows and tables; leave it away"
        )));
    }
    let parts = parts::<Manifest>(&options.shards)?;
    refuse_missing(&parts)?;
    let whole = parts[0].manifest.whole();
    let study = whole.study(&parts[0].dir.join(MANIFEST).display().to_string())?;
    let written = [MANIFEST, ROWS, SUMMARY, CONFIRMATION];
    refuse_overwriting(options, &parts, &written, &[MANIFEST, ROWS])?;
    // Everything is read once before anything is written.
    let csv = RowsCsv::new(study.experiment());
    let range = |manifest: &Manifest| manifest.range();
    each_block((ROWS, &csv), &parts, range, &mut |_| Ok(()))?;
    // A signal ends it here, where nothing is written yet.
    replay_samples(options, &study, &parts, &AtomicBool::new(false))?;
    let stop = stop_on_signal()?;
    let mut kept = Kept::at(&options.out, &whole, options.existing())?;
    let mut heard = Heard::new(study.experiment());
    let mut out = kept.rows(ROWS, csv.clone(), &whole.range(), &mut |_| Ok(()))?;
    each_block((ROWS, &csv), &parts, range, &mut |rows| {
        heard.hear(rows);
        out.write(rows)
    })?;
    out.save()?;
    let mut live = Live::new(options.printing.quiet);
    let told = confirm(&study, heard, Some(&mut kept), threads(None), &stop, &mut live)?;
    live.finish();
    let Some(told) = told else {
        note(
            "stopped early: the shards are joined; the command of the whole run with --resume goes on",
        );
        return Ok(Ending::Stopped);
    };
    sum_up(Some(&kept), &study, &told)?;
    let page = |_| report::page(&study, &told);
    let form = &options.printing.form;
    let text = match form.is_json() {
        true => report::json(&study, &told),
        false => form.write(look(), None, &page),
    };
    print(&text)?;
    if form.is_table() {
        let shards = units::counted(parts.len() as u64, "shard");
        print(&format!("{shards} merged into {}\n", options.out.display()))?;
    }
    Ok(Ending::Done)
}

/// Tells the blocks of a table in all shards in their order; all must be there.
pub(super) fn each_block<T: RowFile, M>(
    (file, table): (&str, &T),
    parts: &[Part<M>],
    range_of: impl Fn(&M) -> Range<u64>,
    tell: &mut Hear<'_, T>,
) -> Result<(), Error> {
    for part in parts {
        let range = range_of(&part.manifest);
        let place = part.dir.join(file);
        let mut blocks = Blocks::open(&place, table, range.start).map_err(part.named())?;
        for block in range.clone() {
            let Some(rows) = blocks.next_block().map_err(part.named())? else {
                let (told, of) = (block - range.start, range.end - range.start);
                let what = format!(
                    "{}: it holds {told} of {of} blocks; --resume completes it",
                    place.display()
                );
                return Err(part.named()(Error::Usage(what)));
            };
            tell(&rows)?;
        }
    }
    Ok(())
}

/// What is said where a block of a shard comes out differently.
pub(super) fn differs<M>(part: &Part<M>, block: u64) -> Error {
    part.named()(Error::Failed(format!(
        "block {block} comes out differently here; the machine that played it or this one is wrong"
    )))
}

/// Says how many blocks of the shards were played again.
pub(super) fn played_again<M>(options: &Options, parts: &[Part<M>], n: u64) {
    if !options.printing.quiet && options.sample > 0 {
        let (blocks, shards) =
            (units::counted(n, "block"), units::counted(parts.len() as u64, "shard"));
        note(&format!("{blocks} of {shards} played again: no difference"));
    }
}

/// Plays some blocks of each shard again.
fn replay_samples(
    options: &Options,
    study: &Study,
    parts: &[Part<Manifest>],
    stop: &AtomicBool,
) -> Result<(), Error> {
    let (experiment, csv) = (study.experiment(), RowsCsv::new(study.experiment()));
    if !study.asked().tiers.iter().all(sim::config::Plan::is_reproducible) {
        note("no block is played again: an agent thinks for a time, or is another program");
        return Ok(());
    }
    let text = |rows: &[Row]| -> String { rows.iter().map(|row| csv.row(row)).collect() };
    let mut n_played = 0;
    for part in parts {
        let range = part.manifest.range();
        let blocks = range.end - range.start;
        let chosen = chosen(experiment.seed, part.shard, options.sample.min(blocks), blocks);
        let mut read = Blocks::open(&part.dir.join(ROWS), &csv, range.start)?;
        for block in range.clone() {
            let rows = read.next_block().map_err(part.named())?;
            let Some(rows) = rows.filter(|_| chosen.contains(&(block - range.start))) else {
                continue;
            };
            let mut here = String::new();
            runner::play(experiment, block..block + 1, threads(None), stop, &mut |rows| {
                here = text(rows);
                ControlFlow::Continue(())
            })?;
            if here != text(&rows) {
                return Err(differs(part, block));
            }
            n_played += 1;
        }
    }
    played_again(options, parts, n_played);
    Ok(())
}
