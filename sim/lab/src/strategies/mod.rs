//! The strategies of a game: a population of agents that answers itself, until no answer gains.
//!
//! [`run`] is the loop. It plays the tables of a [`population`] on [`seats`], solves the game of their
//! [payoffs], searches a best response to the mixture by a method of [`tune`](crate::tune), and accepts it if fresh
//! games confirm its gain (double oracle; PSRO: Lanctot et al. 2017). [`findings`] are the
//! statements about the result, on games that played no part in it. [`portraits`] watches games of the survivors, and [`export`] writes them as files. [`archive`] keeps
//! the best strategy of each cell of behaviour. [`runs`] are independent loops before the reported one. [`change`] compares the strategies of two rule sets.

pub mod archive;
pub mod change;
pub mod descriptors;
pub mod export;
pub mod findings;
pub mod game_seats;
pub mod manifest;
mod means;
pub mod payoffs;
mod personas;
pub mod population;
pub mod portraits;
pub mod request;
pub mod run;
pub mod runs;
pub mod seats;
pub mod study;
pub mod watch;
