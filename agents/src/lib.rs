//! Agents of every strength, from uniformly random play to searches.
//!
//! An [`Agent`] sees a game only through a [`View`](engine::View). Its only source of chance is the stream that it
//! gets. An [`AgentSpec`] is an agent as text. Three traits attach agents to a game:
//!
//! - [`Playable`]: the guide of a search, the greedy agent, parameters and defaults.
//! - [`Weighted`]: the weights of the evaluation.
//! - [`Observable`]: the data for analysis, which no agent sees.
//!
//! # Example
//! A search wins in one move and reports its options:
//! ```
//! use agents::AgentSpec;
//! use engine::games::tic_tac_toe::TicTacToe;
//! use engine::{Game, Notation, Player, Purpose, View, rng};
//!
//! let game = TicTacToe;
//! let mut state = game.start();
//! // X has taken a1 and b1, O a2 and b2: c1 wins at once.
//! for (n, text) in ["a1", "a2", "b1", "b2"].into_iter().enumerate() {
//!     let action = game.parse_action(&state, Player::new(n % 2), text)?;
//!     game.apply(&mut state, action);
//! }
//!
//! let spec: AgentSpec = "mcts(iterations=500)".parse()?;
//! let mut agent = spec.build(&game)?;
//! let seat = Player::new(0);
//! agent.start(&game, seat);
//! // All that an agent gets: a view of its seat, and the only source of random numbers.
//! let mut stream = rng::stream(1, 0, Purpose::Agent(0));
//! let choice = agent.choose(View::new(&game, &state, seat), &mut stream);
//! assert_eq!(game.action_text(choice), "c1");
//!
//! let report = agent.report(&game).expect("a search can tell");
//! assert!(report.options[0].is_proven && report.options[0].values[0] == 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! None.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod agent;
mod agent_spec;
pub mod assemble;
pub mod evaluators;
pub mod exact;
pub mod external;
pub mod fitting;
mod game_end;
pub mod games;
pub mod greedy;
pub mod guide;
pub mod halt;
pub mod heuristics;
pub mod kinds;
pub mod layers;
pub mod leaks;
pub mod luck;
pub mod mcts;
pub mod model;
pub mod net;
pub mod observable;
pub mod odds;
pub mod of_game;
pub mod outcome_odds;
pub mod param;
pub mod playable;
pub mod presets;
pub mod random;
pub mod side_by_side;
pub mod spec;
pub mod spectator;
pub mod template;
pub mod weighted;

pub use agent::{Agent, Fault, RootVisits, SearchReport, SearchTally, SearchedOption};
pub use game_end::{GameEnd, forfeit_points};
pub use kinds::Kind;
pub use luck::DiceLuck;
pub use observable::Observable;
pub use of_game::OfGame;
pub use outcome_odds::OutcomeOdds;
pub use param::Settings;
pub use playable::Playable;
pub use spec::{AgentSpec, BadSpec};
pub use template::Template;
pub use weighted::Weighted;
