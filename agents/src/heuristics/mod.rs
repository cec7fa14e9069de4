//! Opinions about games, a file per game; the oracle games need none and share one.
//!
//! # Shared
//!
//! - `hits`: chances of the hits of a roll.
//! - `linear`: values that are linear in counts, with a file for each table.
//! - `personas`: sets of weights as files.
//! - `weights` in each game declares its numbers, one row per weight.

mod arms;
pub mod circus;
pub mod classic;
pub mod connect_four;
pub mod conquest2;
pub mod hannibal;
mod hits;
pub mod imperium;
mod linear;
mod oracles;
mod personas;
mod pig;
pub mod rise;
mod weights;
