//! Integration tests of studies of games and agents, in one binary that is linked once.

mod requests;
mod spelled;
mod strategies;
mod strategies_change;
mod strategies_means;
mod strategies_runs;
