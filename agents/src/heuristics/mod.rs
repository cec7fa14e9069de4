//! Opinions about games, a file per game; the oracle games need none and share one.

pub mod conquest2;
pub mod hannibal;
mod oracles;
