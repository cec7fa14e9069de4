//! Opinions about games, a file per game; the oracle games need none and share one.

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
