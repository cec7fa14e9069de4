//! Rules of Roman-empire board games, ready for Monte Carlo methods.
//!
//! A [`Game`] holds rules; its states are small `Copy` values without heap memory. Everything that is
//! random is drawn from addressed streams ([`rng`]), everything that is hidden is redealt from what a player
//! knows ([`Game::redeal`]), and agents see positions only through a [`View`].
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod bits;
pub mod conformance;
pub mod game;
pub mod games;
pub mod notation;
pub mod perft;
pub mod player;
pub mod playthrough;
pub mod rng;
pub mod rules;
pub mod tree_game;
pub mod view;
pub mod walk;

pub use game::{Game, IllegalAction, Joint, PerfectInformation, Turn, hash_of};
pub use notation::{ChanceEvent, Notation, ParseActionError};
pub use player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet, share_the_point};
pub use rng::{ChanceStreams, Fast, Purpose, Randomness, Stream};
pub use rules::{About, BadRules, Chance, Configure, Information, Place, Provenance, Rules};
pub use tree_game::TreeGame;
pub use view::View;
pub use walk::{Event, Length, Walk, playout, random_game};
