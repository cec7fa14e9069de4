//! Heuristics of the games, with a module per game. The oracle games need none and share a module.
//!
//! # Shared
//!
//! - `hits`: hit probabilities of a roll.
//! - `linear`: value functions that are linear in counted features, as files by number of players.
//! - `personas`: sets of weights as files.
//! - `weights`: the declaration of a game's weights, one row per weight.

mod arms;
pub mod circus;
pub mod classic;
pub mod connect_four;
pub mod conquest2;
pub mod hannibal;
mod hits;
pub mod imperium;
mod leaf_value;
mod linear;
mod oracles;
mod personas;
mod pig;
pub mod rise;
mod weights;
