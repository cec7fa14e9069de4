//! Rules of Roman-empire board games, ready for Monte Carlo methods.
//!
//! A [`Game`] holds rules; its states are small `Copy` values without heap memory. All random numbers come from
//! addressed streams ([`rng`]). A determinization redraws hidden parts from a player's information
//! ([`Game::determinize`]). Agents see positions only through a [`View`].
//!
//! # Example
//! This example changes one number of the rules of a game and plays it at random to the end:
//! ```
//! use engine::games::conquest2::Conquest2;
//! use engine::{Configure, Game, Notation, Player, Rules, Turn, Walk};
//!
//! let mut rules = Rules::of::<Conquest2>();
//! rules.set("options.rounds=2")?;
//! let game = Conquest2::configure(4, &rules)?;
//!
//! let mut walk = Walk::new(&game, 1, 0);
//! let events = walk.by_ref().count();
//! let end = walk.state();
//! assert_eq!(game.turn(end), Turn::Over);
//! assert!(events > 100, "four players took {events} events");
//!
//! // A win is one point; tied winners share it.
//! assert_eq!(game.payoffs(end).first(4).iter().sum::<f32>(), 1.0);
//! // The view of a seat, as text for people; there is JSON for programs.
//! let mut text = String::new();
//! game.write_view(end, Player::new(0), &mut text)?;
//! assert!(text.lines().count() > 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! None.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod action_index;
pub mod bits;
#[cfg(feature = "data")]
pub mod by_hand;
pub mod conformance;
#[cfg(feature = "data")]
pub mod data;
pub mod game;
pub mod games;
pub mod hash;
mod likeness;
pub mod market;
pub mod notation;
pub mod observation;
pub mod perft;
pub mod player;
pub mod playthrough;
pub mod rng;
pub mod rules;
pub mod treatable;
pub mod treatment;
pub mod tree_game;
pub mod view;
pub mod walk;

pub use action_index::{ActionBlock, ActionIndex};
#[cfg(feature = "data")]
pub use by_hand::{ByHand, state_from_json, state_to_json};
#[cfg(feature = "data")]
pub use data::{BadData, Data};
pub use game::{Game, IllegalAction, Joint, PerfectInformation, Turn};
pub use hash::{hash_of, key_of};
pub use market::{Bidding, Market, Placings, Precedence, Price, Territory, Uptake};
#[cfg(not(feature = "data"))]
pub use no_data::{ByHand, Data};
pub use notation::{ChanceEvent, Notation, ParseActionError};
pub use observation::ObservationTensor;
pub use player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet, share_the_point};
pub use rng::{ChanceStreams, Fast, Purpose, Randomness, Stream};
pub use rules::{About, BadRules, Chance, Configure, Information, Provenance, RuleSource, Rules};
pub use treatable::Treatable;
pub use treatment::{Sweep, Treated, Treatment};
pub use tree_game::TreeGame;
pub use view::View;
pub use walk::{Event, Length, Mover, Walk, play_event, playout, random_game};

/// The macro `data` and the trait of states as data without the feature `data`: the first build saves their compile time.
#[cfg(not(feature = "data"))]
mod no_data {
    macro_rules! data {
        ($($any:tt)*) => {};
    }
    pub(crate) use data;

    macro_rules! by_hand {
        () => {};
    }
    pub(crate) use by_hand;

    /// A value that could be data, with the feature `data`.
    pub trait Data {}
    impl<T> Data for T {}

    /// A game whose positions could be made by hand, with the feature `data`.
    pub trait ByHand {}
    impl<T> ByHand for T {}
}
#[cfg(not(feature = "data"))]
use no_data as by_hand;
#[cfg(not(feature = "data"))]
use no_data as data;
