//! Tables at which people sit among agents: words, drafts, the log and hints, for every door through which people come.
//!
//! A [`hosted_game::HostedGame`] holds the session and everything that its people share. [`words`] translates between what people
//! type and choices, and is the only place that does. A door (the terminal, a page) only shows and asks.
//!
//! # Example
//! A person and an agent at a game of pig:
//! ```
//! use play::hosted_game::HostedGame;
//! use sim::any::AnyGame;
//! use sim::catalogue::Setup;
//! use sim::session::{Seat, Session, Step};
//!
//! let game = AnyGame::new(&Setup::new("pig").for_players(2))?;
//! let agent = game.agent(&"greedy".parse()?)?;
//! let seats = vec![Seat::Person(Some("Anna".to_owned())), Seat::Agent(Box::new(agent), "greedy".to_owned())];
//! let session = Session::new(game, seats, 7)?;
//! let mut hosted = HostedGame::new(session, vec!["Anna".to_owned(), "greedy".to_owned()], None);
//! loop {
//!     match hosted.step()? {
//!         Step::Asks(seat) => drop(hosted.play(seat, &["roll"])?),
//!         Step::Happened(_) => {}
//!         Step::Over => break,
//!     }
//! }
//! assert_eq!(hosted.session().state().points().unwrap().iter().sum::<f32>(), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! - `server`: pages in a browser, served on this machine.

pub mod advice;
pub mod hosted_game;
#[cfg(feature = "server")]
pub mod memory;
pub mod odds;
pub mod rolls;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "server")]
pub mod sight;
pub mod story;
pub mod words;
