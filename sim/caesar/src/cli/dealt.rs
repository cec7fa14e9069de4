//! `caesar tournament` with schedules whose tables follow from results: adaptive, swiss, knock-out.

use std::path::Path;

use super::fault::{Fault, ending};
use super::files::{refuse_one_file_twice, write_aside};
use super::live::Live;
use super::output::Format;
use super::results::{Opening, Results};
use super::run_dir_guard::RunDirGuard;
use super::running::{speed_line, stop_on_signal, threads};
use super::tournament::Options;
use super::{Ending, look, note, print};
use crate::report::dealt::{Told, json};
use crate::report::names::Names;
use sim::adaptive::AdaptiveRun;
use sim::config::Plan;
use sim::dealt::DealtRun;
use sim::error::Error;
use sim::export;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::Manifest;
use sim::rounds::RoundsRun;
use sim::schedule::Schedule;
use sim::tournament;

/// Refuses options for outputs and shards that a run without a fixed timetable cannot have.
///
/// # Errors
/// If one of these options is given.
fn check(options: &Options, plan: &Plan, tables: &[&str]) -> Result<(), Error> {
    let biased = "games depend on earlier results, so its numbers would be biased";
    let given = [
        (options.shard.is_some(), "--shard", "pairings depend on all earlier games"),
        (options.export.is_given(), "--export", biased),
        (plan.luck, "--luck", biased),
        (options.records.is_some(), "--records", "write the record of any game with caesar replay"),
        (options.watch.is_some(), "--watch", "narrate any game afterwards with caesar replay"),
    ];
    let found =
        given.into_iter().find(|(is_given, ..)| *is_given).map(|(_, name, why)| (name, why));
    let ranking = options.printing.ranking().map(|name| (name, biased));
    let Some((name, why)) = found.or(ranking) else {
        return options.printing.check_one(tables);
    };
    let schedule = match plan.timetable.schedule() {
        Schedule::Adaptive => "--adaptive".to_owned(),
        other => format!("--schedule {}", other.name()),
    };
    Err(Error::Usage(format!("{schedule} and {name}: {why}; leave one of them out")))
}

pub(super) fn run(options: &Options, plan: &Plan) -> Result<Ending, Error> {
    match plan.rounds {
        None => play(options, plan, AdaptiveRun::new(plan)),
        Some(_) => play(options, plan, RoundsRun::new(plan)),
    }
}

fn play<D: Told>(
    options: &Options,
    plan: &Plan,
    mut run: DealtRun<'_, D>,
) -> Result<Ending, Error> {
    check(options, plan, D::TABLES)?;
    let manifest = Manifest::new(plan, &tournament::facts(plan)?, None);
    let mut results =
        options.out.as_deref().map(|dir| open(options, plan, &manifest, dir)).transpose()?;
    if !options.printing.quiet {
        plan.notes.iter().for_each(|line| note(line));
    }
    if let Some(results) = &results {
        results.retell(&mut |game| run.record(game))?;
    }
    let kept = run.games();
    let stop = stop_on_signal()?;
    let options_of_round = tournament::Options {
        threads: threads(options.threads),
        records: false,
        extras: results.is_some(),
    };
    let mut live = Live::new(options.printing.quiet);
    let mut fault = Fault::new(options.stop_at_fault, plan);
    let played = run.play(options_of_round, &stop, &mut |run, game| {
        live.look(|| D::progress(run));
        results.as_mut().map_or(Ok(()), |results| results.write(game))?;
        Ok(fault.see(game, plan.games_per_block()))
    });
    live.finish();
    finish(options, plan, &run, results.as_mut())?;
    let seconds = live.seconds();
    match played {
        Ok(()) | Err(Error::Host(_)) => print(&text(options, plan, &run, kept, seconds))?,
        Err(_) => {}
    }
    if fault.is_over() {
        return played.map(|()| fault.ended(options.out.is_some()));
    }
    if run.is_over() {
        let forfeits = run.forfeits().map_or(0, |(forfeits, _)| forfeits);
        return played.map(|()| ending(forfeits, run.games()));
    }
    let rest = match options.out {
        Some(_) => "they are saved and counted; the same command with --resume continues",
        None => "they are counted but not saved; use --out to keep them for --resume",
    };
    note(&format!("stopped early after {} blocks: {rest}", run.blocks()));
    played.map(|()| Ending::Stopped)
}

/// Opens the directory of results, so that an output that cannot be written is refused before the first game.
fn open(options: &Options, plan: &Plan, manifest: &Manifest, dir: &Path) -> Result<Results, Error> {
    let entered = RunDirGuard::enter(dir, MANIFEST)?;
    let in_dir = |name: &str| (format!("{name} of --out {}", dir.display()), dir.join(name));
    refuse_one_file_twice(&export::files().map(in_dir).collect::<Vec<_>>(), &options.read(plan))?;
    let quiet = options.printing.quiet;
    let opening =
        Opening { dir, plan, manifest, records: None, existing: options.again.existing(), quiet };
    Results::open(&opening, entered)
}

/// Saves the games played.
fn finish<D: Told>(
    options: &Options,
    plan: &Plan,
    run: &DealtRun<'_, D>,
    results: Option<&mut Results>,
) -> Result<(), Error> {
    let Some((results, dir)) = results.zip(options.out.as_deref()) else { return Ok(()) };
    let place = dir.join(SUMMARY);
    let saved = results.save().and_then(|()| {
        let written = write_aside(&place, json(plan, run).as_bytes());
        written.map_err(Error::output(place.display().to_string()))
    });
    saved.inspect_err(|_| note(&results.what_is_left()))
}

/// Returns the report of the games, of which `kept` were played before.
fn text<D: Told>(
    options: &Options,
    plan: &Plan,
    run: &DealtRun<'_, D>,
    kept: u64,
    seconds: f64,
) -> String {
    let page = |longest| D::page(plan, run, &Names::of(plan, longest));
    match options.printing.form.format() {
        Format::Json => json(plan, run),
        Format::Table => {
            options.printing.write(look(), &page)
                + &speed_line(run.games() - kept, threads(options.threads), seconds)
        }
        _ => options.printing.write(look(), &page),
    }
}
