//! Studies of games and agents by seeded games. They find the better agent, the worth of cards and seats, and the best
//! parameters; they test agents for leaks of hidden information, and diagnose searches.
//!
//! Each study is a module with its request, its play and its results. The command `caesar` has a subcommand for each.
//!
//! # Example
//! A sequential test of two agents, which ends as soon as it is decided:
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use lab::compare::{Comparison, Design, Request};
//! use sim::config::Played;
//!
//! let request = Request {
//!     played: Played::new("pig", 2),
//!     agents: vec!["random".to_owned(), "greedy".to_owned()],
//!     ..Request::default()
//! };
//! // The closure reads the files that a request names; this one names none.
//! let comparison = Comparison::new(&request, &|_| Err(std::io::ErrorKind::NotFound.into()))?;
//! let Design::Sequential(question) = comparison.design else { panic!("no length was fixed") };
//! let mut test = comparison.sequential_test(question);
//! comparison.play(1, &AtomicBool::new(false), &mut |blocks| test.add(blocks))?;
//!
//! // Random play beats this greedy at pig by far.
//! assert!(test.effect() > 0.2);
//! assert!(test.stopped().is_some());
//! # Ok::<(), sim::Error>(())
//! ```
//!
//! # Features
//! None.

pub mod balance;
pub mod battles;
pub mod bot_check;
pub mod compare;
pub mod diagnose;
pub mod dynamics;
pub mod fit;
pub mod improve;
pub mod ladder;
pub mod leaks;
pub mod perft;
pub mod speed;
pub mod strategies;
pub mod tune;
