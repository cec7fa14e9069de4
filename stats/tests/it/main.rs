//! The errors, coverage and power of the statistics, by simulation, in a single binary that links once.

mod coverage;
mod efficiency;
mod sequential;

/// Prints how many intervals held the truth: a line of the table of `docs/validation.md` that a recipe collects.
fn measured(row: &str, what: &str, [held, n]: [f64; 2], test: &str) {
    println!("measured | {row} | {what} | {held:.0} | {n:.0} | {test}");
}
