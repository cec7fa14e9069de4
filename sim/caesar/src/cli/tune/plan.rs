//! Estimate of a search's cost and power, before it begins.

use std::time::Instant;

use crate::cli::print;
use crate::report::tune as report;
use lab::tune::agent_objective::open_table;
use lab::tune::objective::{Batch, Field};
use lab::tune::pools::{Pool, Train};
use lab::tune::study::TuningStudy;
use sim::error::Error;

/// Blocks of the probe that measures the time: a few at the start and a few at random points.
const PROBE: u64 = 3;
/// Seed of the probe. Any value will do, because no reported search uses its pool.
const PROBE_SEED: u64 = u64::MAX;

/// Prints the plan of a study.
pub(super) fn plan(study: &TuningStudy, threads: usize, is_json: bool) -> Result<(), Error> {
    let seconds = seconds_of_a_block(study)?;
    let minutes =
        seconds * (study.games() / study.games_per_block()) as f64 / threads as f64 / 60.0;
    print(&if is_json {
        report::plan_json(study, minutes)
    } else {
        report::plan(study, minutes, threads)
    })
}

/// Measures the seconds of a block.
fn seconds_of_a_block(study: &TuningStudy) -> Result<f64, Error> {
    let table = open_table(&study.setup, &study.subject)?;
    let space = &study.search.space;
    let mut pool = Pool::<Train>::of(PROBE_SEED);
    let mut stream = engine::rng::stream(PROBE_SEED, 0, engine::Purpose::Analysis);
    let points = [space.start(), space.draw(&mut stream), space.draw(&mut stream)];
    let since = Instant::now();
    for point in &points {
        let blocks = pool.fresh(PROBE);
        let (seed, blocks) = (blocks.seed(), blocks.range().clone());
        table.play(&Batch { point: point.clone(), field: Field::Pool, seed, blocks })?;
    }
    Ok(since.elapsed().as_secs_f64() / (PROBE * points.len() as u64) as f64)
}
