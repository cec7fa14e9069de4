//! The errors, coverage and power of the statistics, by simulation, in one binary: linked once.

mod coverage;
mod efficiency;
mod sequential;

/// Tells how many intervals held what they should: a line of the table of `docs/validation.md` that a recipe collects.
fn measured(row: &str, what: &str, [held, n]: [f64; 2], test: &str) {
    println!("measured | {row} | {what} | {held:.0} | {n:.0} | {test}");
}
