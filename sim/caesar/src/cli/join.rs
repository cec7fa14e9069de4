//! `caesar merge` for comparisons: the rows of all shards go through the test in the order of their blocks.
//!
//! A fixed-length test then has all blocks. A sequential test stops where it would have stopped if one machine had
//! played block after block. Later blocks are reported as unused: a test that also used them would have other errors,
//! and another estimate, than it promises. Shards after the end need not be there. Before the command accepts a shard,
//! it plays some of its blocks again.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::compare::{ComparisonOutput, sharpened};
use super::running::{Threads, threads};
use super::shards::{Options, Part, Shards, accepted, refuse_missing, say_none_played_again};
use super::trace::{Ear, Trace, enter};
use super::{Ending, print};
use lab::compare::manifest::Manifest;
use lab::compare::study::ComparisonStudy;
use lab::compare::trace::{FILE as TRACE, TraceCsv, TraceRow};
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::row_file::RowFile as _;
use sim::export::summary::FILE as SUMMARY;
use sim::units;

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let mut shards = Shards::<Manifest>::found(options, "its trace and its test")?;
    shards.whole.accepted_changes = accepted(&shards.parts, |manifest| &manifest.accepted_changes);
    let (parts, whole) = (&shards.parts, &shards.whole);
    let mut study = whole.study(&shards.name)?;
    let stop = AtomicBool::new(false);
    // All shards are read once before anything is written.
    let mut ear = Ear::new(&study, false);
    let used = add_blocks(parts, &study, &mut ear, &mut |_, _| Ok(()))?;
    replay_samples(options, &study, &parts[..used], ear.block_stats().blocks(), &stop)?;
    shards.refuse_overwriting(options, &[MANIFEST, TRACE, SUMMARY], &[MANIFEST, TRACE])?;
    let entry = enter(&options.out, &mut study, whole, options.existing())?;
    let mut ear = Ear::new(&study, false);
    let mut trace = Trace::begin(entry, &study, whole, &mut ear)?;
    add_blocks(parts, &study, &mut ear, &mut |row, ear| trace.write(&row.blocks, ear))?;
    trace.save()?;
    finish(options, &study, parts, &ear, &trace, &stop)
}

/// Passes the blocks of all shards to `ear` and `tell`, up to the end of the test. Returns the number of shards used.
///
/// # Errors
/// If blocks before the end of the test are missing, or damaged.
fn add_blocks(
    parts: &[Part<Manifest>],
    study: &ComparisonStudy,
    ear: &mut Ear,
    tell: &mut dyn FnMut(&TraceRow, &Ear) -> Result<(), Error>,
) -> Result<usize, Error> {
    let csv = TraceCsv::new(study);
    for (used, part) in parts.iter().enumerate() {
        let range = part.manifest.range();
        // A shard before this one is missing.
        if ear.block_stats().blocks() != range.start {
            break;
        }
        let block_stats = part.each_block(&csv, range, &mut |rows| {
            let mut is_over = ControlFlow::Continue(());
            for row in rows {
                is_over = ear.add(&row.blocks);
                tell(row, ear)?;
            }
            Ok(is_over)
        })?;
        if block_stats.is_break() {
            return Ok(used + 1);
        }
    }
    refuse_missing(parts)?;
    Ok(parts.len())
}

/// Replays some blocks of each of `parts`, among the first `n_used` blocks that the test used.
fn replay_samples(
    options: &Options,
    study: &ComparisonStudy,
    parts: &[Part<Manifest>],
    n_used: u64,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let (plans, csv) = (study.plans(), TraceCsv::new(study));
    if !plans.iter().all(sim::config::Plan::is_reproducible) {
        if !options.printing.quiet && options.sample > 0 {
            say_none_played_again("block");
        }
        return Ok(());
    }
    let mut again = |rows: &[TraceRow]| {
        let mut is_same = true;
        for row in rows {
            let there = csv.row(&csv.row_of(row.block, &row.blocks, None));
            let mut here = String::new();
            study.play(row.block..row.block + 1, 1, stop, &mut |blocks| {
                here = csv.row(&csv.row_of(row.block, blocks, None));
                ControlFlow::Continue(())
            })?;
            is_same &= here == there;
        }
        Ok(is_same)
    };
    let mut n_played = 0;
    for part in parts {
        let range = part.manifest.range();
        let used = range.start..range.end.min(n_used);
        n_played += part.play_again(&csv, used, plans[0].seed, options.sample, &mut again)?;
    }
    options.say_played_again(n_played, "block", parts.len());
    Ok(())
}

/// Prints the result of the test and the number of shards' blocks it used.
fn finish(
    options: &Options,
    study: &ComparisonStudy,
    parts: &[Part<Manifest>],
    ear: &Ear,
    trace: &Trace,
    stop: &AtomicBool,
) -> Result<Ending, Error> {
    let Some(test) = ear.test() else { return Ok(Ending::Done) };
    let sharpened = sharpened(study, test, threads(Threads::default()), stop)?;
    let mut last = options.merged(parts.len());
    let n_used = ear.block_stats().blocks();
    let n_read: u64 = parts.iter().map(|part| part.manifest.range()).map(|r| r.end - r.start).sum();
    if n_used < n_read {
        last += &format!(
            "the test ended after block {}: {} behind it not used\n",
            n_used - 1,
            units::counted(n_read - n_used, "block")
        );
    }
    let output =
        ComparisonOutput::new(study, test, sharpened.as_ref(), options.printing.form.is_verbose())
            .of(&options.printing.form, &last);
    trace.sum_up(&output.document)?;
    print(&output.text)?;
    Ok(super::compare::ending(ear.block_stats(), None))
}
