//! Seeded games and tournaments of agents, and records of games.
//!
//! # Example
//! A tournament from a config, with the share of the points that each agent got:
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use sim::config::{Plan, TournamentConfig};
//! use sim::stats::Standings;
//! use sim::tournament::{Options, play};
//!
//! let config = TournamentConfig::parse(
//!     "pig.toml",
//!     r#"
//!     game = "pig"
//!     players = 2
//!     agents = ["greedy", "random"]
//!     blocks = 50
//!     seed = 1
//!     "#,
//! )?;
//! // The closure reads the files that a config names; this one names none.
//! let plan = Plan::new(config, &|_path| Err(std::io::ErrorKind::NotFound.into()))?;
//! let mut standings = Standings::new(&plan.names(), plan.players, plan.games_per_block());
//! let options = Options { threads: 1, records: false, extras: false };
//! play(&plan, options, &mut standings, &AtomicBool::new(false))?;
//!
//! for line in standings.table() {
//!     let (low, high) = (line.interval.low, line.interval.high);
//!     println!("{} {:.4} [{low:.4}, {high:.4}]", line.name, line.share);
//!     assert!(low <= line.share && line.share <= high);
//! }
//! assert_eq!(standings.games(), 100);
//! # Ok::<(), sim::Error>(())
//! ```
//! `sim/play/examples/your_first_game.rs` holds a new game, an agent for it and a tournament of both in one file.
//!
//! # Features
//! - `parquet`: `games.parquet` and `seats.parquet` beside the CSV files.

pub mod adaptive;
pub mod any;
pub mod bounded;
pub mod branch;
pub mod catalogue;
pub mod changes;
pub mod config;
pub mod dealt;
pub mod document;
pub mod error;
pub mod event;
pub mod export;
pub mod game_loop;
pub mod manifest;
pub mod model;
pub mod observed_play;
pub mod play;
pub mod population;
pub mod position;
pub mod record;
pub mod rounds;
pub mod runner;
pub mod schedule;
pub mod session;
pub mod starts;
pub mod stats;
pub mod tournament;
pub mod units;
pub mod visible;
pub mod win_model;

pub use error::Error;
