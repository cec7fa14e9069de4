//! Games, positions and agents whose game is known at run time only: what doors to people, programs and other languages
//! stand on.
//!
//! [`AnyGame`] is built by name, [`AnyState`] is a position of it, [`AnyAgent`] plays it. Each game is compiled once
//! behind one table of functions; whoever uses these types compiles nothing for each game. Actions are numbers of the
//! list of legal actions, texts, and numbers among all actions of the game. Hot loops stay generic: a call here costs a
//! virtual call, and lists and texts cost an allocation. [`AnyBatch`] steps many games in one call.
//!
//! # Example
//! A game of two agents:
//! ```
//! use engine::{ChanceStreams, Purpose, rng};
//! use sim::any::{AnyGame, Due};
//! use sim::catalogue::Setup;
//!
//! let game = AnyGame::new(&Setup::new("pig").for_players(2))?;
//! let mut agents = vec![game.agent(&"greedy".parse()?)?, game.agent(&"random".parse()?)?];
//! let (mut state, mut chance) = (game.start(), ChanceStreams::new(7, 0));
//! let mut thoughts = rng::stream(7, 0, Purpose::Analysis);
//! loop {
//!     match state.due() {
//!         Due::Player(seat) => {
//!             let chosen = agents[seat.idx()].choose(&state, seat, &mut thoughts)?;
//!             state.apply(seat, chosen)?;
//!         }
//!         Due::Chance => drop(state.draw(&mut chance)),
//!         Due::Over => break,
//!     }
//! }
//! assert_eq!(state.points().unwrap().iter().sum::<f32>(), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
mod batch;
mod due;
mod game;
mod state;
mod typed;

pub use agent::AnyAgent;
pub use batch::{AnyBatch, BadStep, Buffers};
pub use due::{Drawn, Due, Ends};
pub use game::AnyGame;
pub use state::AnyState;
