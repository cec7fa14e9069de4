//! The errors, coverage and power of the statistics, by simulation, in one binary: linked once.

mod coverage;
mod efficiency;
mod sequential;
