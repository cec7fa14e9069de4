//! `caesar merge` for comparisons: the rows of all shards go through the test in the order of their blocks.
//!
//! A test of fixed length has all blocks then. A sequential test stops where it would have stopped if one machine had
//! played block after block: what lies behind was played for nothing, and is told as not used, since a test that also
//! looked at it would have other errors, and another estimate, than it promises. Shards behind the end need not be
//! there. Before it believes a shard it plays some of its blocks again.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::compare::{Told, sharpened};
use super::files::refuse_one_file_twice;
use super::merge::{Options, Part, chosen, parts, refuse_missing};
use super::rows::Blocks;
use super::running::threads;
use super::trace::{Ear, Trace, enter};
use super::{Ending, note, print};
use lab::compare::manifest::Manifest;
use lab::compare::study::Study;
use lab::compare::trace::{FILE as TRACE, TraceCsv, TraceRow};
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::row_file::RowFile as _;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::RunManifest as _;
use sim::units;

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    if let Some(name) = options.of_tournaments() {
        return Err(Error::Usage(format!(
            "{name}: the shards are of a comparison, which has only its trace and its test; leave it away"
        )));
    }
    let parts = parts::<Manifest>(&options.shards)?;
    let whole = parts[0].manifest.whole();
    let mut study = whole.study(&parts[0].dir.join(MANIFEST).display().to_string())?;
    let stop = AtomicBool::new(false);
    // Everything is read once before anything is written.
    let mut ear = Ear::new(&study, false);
    let used = hear(&parts, &study, &mut ear, &mut |_, _| Ok(()))?;
    replay_samples(options, &study, &parts[..used], ear.heard().blocks(), &stop)?;
    refuse_overwriting(options, &parts, &[MANIFEST, TRACE, SUMMARY], &[MANIFEST, TRACE])?;
    let entry = enter(&options.out, &mut study, &whole, options.existing())?;
    let mut ear = Ear::new(&study, false);
    let mut trace = Trace::begin(entry, &study, &whole, &mut ear)?;
    hear(&parts, &study, &mut ear, &mut |row, ear| trace.write(&row.blocks, ear))?;
    trace.save()?;
    finish(options, &study, &parts, (&ear, &trace), &stop)
}

/// Has `ear` hear the blocks of all shards up to the end of the test, and `tell` of each; the number of shards that it
/// took.
///
/// # Errors
/// If blocks before the end of the test are missing, or damaged.
fn hear(
    parts: &[Part<Manifest>],
    study: &Study,
    ear: &mut Ear,
    tell: &mut dyn FnMut(&TraceRow, &Ear) -> Result<(), Error>,
) -> Result<usize, Error> {
    let csv = TraceCsv::new(study);
    for (used, part) in parts.iter().enumerate() {
        let range = part.manifest.range();
        // A shard before this one is missing.
        if ear.heard().blocks() != range.start {
            break;
        }
        let rows = part.dir.join(TRACE);
        let mut read = Blocks::open(&rows, &csv, range.start).map_err(part.named())?;
        for block in range.clone() {
            let Some(row) = read.next_row().map_err(part.named())? else {
                let (told, of) = (block - range.start, range.end - range.start);
                let rows = rows.display();
                let what = format!("{rows}: it holds {told} of {of} blocks; --resume completes it");
                return Err(part.named()(Error::Usage(what)));
            };
            let has_ended = ear.hear(&row.blocks).is_break();
            tell(&row, ear)?;
            if has_ended {
                return Ok(used + 1);
            }
        }
    }
    refuse_missing(parts)?;
    Ok(parts.len())
}

/// Refuses to write where the shards are: the files `written`, and those `read` of each shard.
pub(super) fn refuse_overwriting<M>(
    options: &Options,
    parts: &[Part<M>],
    written: &[&str],
    read: &[&str],
) -> Result<(), Error> {
    let out = &options.out;
    let target = |name: &&str| (format!("{name} of --out {}", out.display()), out.join(name));
    let written: Vec<_> = written.iter().map(target).collect();
    let source =
        |part: &Part<M>, file: &str| (format!("a file of {}", part.name()), part.dir.join(file));
    let files = |part| read.iter().map(move |file| source(part, file));
    let read: Vec<_> = parts.iter().flat_map(files).collect();
    refuse_one_file_twice(&written, &read)
}

/// Plays some blocks of each of `parts` again, of the `n_used` that the test has heard.
fn replay_samples(
    options: &Options,
    study: &Study,
    parts: &[Part<Manifest>],
    n_used: u64,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let (plans, csv) = (study.plans(), TraceCsv::new(study));
    let is_reproducible = plans.iter().all(sim::config::Plan::is_reproducible);
    if !is_reproducible {
        if !options.printing.quiet && options.sample > 0 {
            note("no block is played again: an agent thinks for a time, or is another program");
        }
        return Ok(());
    }
    let mut n_played = 0;
    for part in parts {
        let range = part.manifest.range();
        let n_rows = range.end.min(n_used) - range.start;
        let chosen = chosen(plans[0].seed, part.shard, options.sample, n_rows);
        let mut rows = Blocks::open(&part.dir.join(TRACE), &csv, range.start)?;
        for place in 0..n_rows {
            let row = rows.next_row().map_err(part.named())?;
            let Some(row) = row.filter(|_| chosen.contains(&place)) else { continue };
            let there = csv.row(&csv.row_of(row.block, &row.blocks, None));
            let mut here = String::new();
            study.play(row.block..row.block + 1, 1, stop, &mut |blocks| {
                here = csv.row(&csv.row_of(row.block, blocks, None));
                ControlFlow::Continue(())
            })?;
            if here != there {
                return Err(part.named()(Error::Failed(format!(
                    "block {} comes out differently here; the machine that played it or this one is wrong",
                    row.block
                ))));
            }
            n_played += 1;
        }
    }
    if !options.printing.quiet && options.sample > 0 {
        let (blocks, shards) =
            (units::counted(n_played, "block"), units::counted(parts.len() as u64, "shard"));
        note(&format!("{blocks} of {shards} played again: no difference"));
    }
    Ok(())
}

/// Tells what the test came to, and how much of the shards it took.
fn finish(
    options: &Options,
    study: &Study,
    parts: &[Part<Manifest>],
    (ear, trace): (&Ear, &Trace),
    stop: &AtomicBool,
) -> Result<Ending, Error> {
    let Some(test) = ear.test() else { return Ok(Ending::Done) };
    let sharpened = sharpened(study, test, threads(None), stop)?;
    let shards = units::counted(parts.len() as u64, "shard");
    let mut last = format!("{shards} merged into {}\n", options.out.display());
    let n_used = ear.heard().blocks();
    let n_read: u64 = parts.iter().map(|part| part.manifest.range()).map(|r| r.end - r.start).sum();
    if n_used < n_read {
        last += &format!(
            "the test ended after block {}: {} behind it not used\n",
            n_used - 1,
            units::counted(n_read - n_used, "block")
        );
    }
    let told = Told::new(study, test, sharpened.as_ref(), false).of(&options.printing.form, &last);
    trace.sum_up(&told.document)?;
    print(&told.text)?;
    Ok(super::compare::ending(ear.heard(), None))
}
