//! What the tools need of a game beyond its rules: [`Playable`].
//!
//! Opinions about a game (how to play it greedily, who meets whom by default) are attached here and in
//! `heuristics`, never in `engine`.

use engine::{
    ByPlayer, ChanceStreams, Configure, Joint, Notation, Player, Purpose, Turn, View, rng,
};

use crate::agent::Agent;
use crate::greedy::{Greedy, GreedyParams};
use crate::guide::Guide;
use crate::mcts;

/// How an agent wants to play, for games whose evaluation knows more than one way.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// The persona, if it is not the balanced one.
    pub persona: Option<&'static str>,
    /// The text of a TOML file with weights of the evaluation, laid over those of the persona.
    pub weights: Option<String>,
    /// The text of a TOML file with a value function for the leaves of a search, in place of the game's own.
    pub value: Option<String>,
    /// Whether a battle that is tried out is one draw from its exact odds, and not played roll by roll.
    pub draws_battles: bool,
}

impl Style {
    /// The complaint of a game that knows one way only.
    ///
    /// # Errors
    /// If any style is asked for.
    pub fn must_be_plain(&self, game: &str) -> Result<(), String> {
        match self {
            Self { persona: Some(persona), .. } => {
                Err(format!("{game} has no personas, so none is {persona}"))
            }
            Self { weights: Some(_), .. } => Err(format!("{game} has no weights to replace")),
            Self { value: Some(_), .. } => Err(format!("{game} has no value function to replace")),
            _ => Ok(()),
        }
    }

    /// The complaint of a game whose evaluation has weights, and knows one way only otherwise.
    ///
    /// # Errors
    /// If any other style is asked for.
    pub fn must_be_plain_but_for_weights(&self, game: &str) -> Result<(), String> {
        Self { weights: None, ..self.clone() }.must_be_plain(game)
    }
}

/// A game that the command line can play.
pub trait Playable: Notation + Configure {
    /// The specs of a tournament for which no agent is named; the last one fills the seats that are left.
    const DEFAULT_LINEUP: &'static [&'static str] = &["greedy", "random"];

    /// The blocks of that tournament, where no length is named either: what takes seconds.
    const DEFAULT_BLOCKS: u64 = 500;

    /// The specs of searches whose speed is worth knowing in this game.
    const MEASURED: &'static [&'static str] = &["mcts"];

    /// Whether the players choose where their pieces start, so that `greedy(start=random)` means something.
    const HAS_PLACING: bool = false;

    /// What a search knows of this game.
    type Guide: Guide<Self>;

    /// The guide of a search that plays in `style`.
    ///
    /// # Errors
    /// If the game has no such style: the message says which and why.
    fn guide(&self, style: &Style) -> Result<Self::Guide, String>;

    /// The settings of a search for which nothing is said.
    #[must_use]
    fn search_defaults() -> mcts::Config {
        mcts::Config::default()
    }

    /// Whether a decision is one at which searches are measured: the first that is, in a game of `greedy`
    /// ([`search_position`]); by default the first of all.
    fn is_typical(&self, _state: &Self::State) -> bool {
        true
    }

    /// The agent `greedy` of this game; by default one ply of [`Game::scores`](engine::Game::scores).
    ///
    /// # Errors
    /// If the game cannot use a parameter: the message says which and why.
    fn greedy(&self, params: &GreedyParams) -> Result<Box<dyn Agent<Self>>, String> {
        params.style.must_be_plain(Self::about().name)?;
        Ok(Box::new(Greedy::new(params.epsilon)))
    }

    /// Names, defaults and meanings of the weights that the agent `greedy` takes from a file; none by default.
    #[must_use]
    fn weights() -> &'static [(&'static str, f32, &'static str)] {
        &[]
    }

    /// Public numbers of a game that belong into `games.csv` beside the score, each with its column name.
    /// Which ones there are must not depend on the state.
    fn extras(&self, _state: &Self::State) -> Vec<(&'static str, ByPlayer<i32>)> {
        Vec::new()
    }
}

/// The position at which searches are measured and looked at: what `greedy` and chance come to from `seed` when a
/// decision [is typical](Playable::is_typical) for the first time.
///
/// # Panics
/// If no such decision comes up, or `greedy` cannot be built without parameters (bugs of the game).
#[must_use]
pub fn search_position<G: Playable>(game: &G, seed: u64) -> G::State {
    let mut chance = ChanceStreams::new(seed, 0);
    let mut mind = rng::stream(seed, 0, Purpose::Agent(0));
    let mut usual = game.greedy(&GreedyParams::default()).expect("every game has a plain greedy");
    let mut state = game.start();
    loop {
        match game.turn(&state) {
            Turn::Over => panic!("no decision of {} is typical", G::about().name),
            Turn::Chance => {
                let outcome = game.draw(&state, chance.of(game.chance_purpose(&state)));
                game.apply(&mut state, outcome);
            }
            _ if game.is_typical(&state) => return state,
            Turn::Player(player) => {
                let action = usual.choose(View::new(game, &state, player), &mut mind);
                game.apply(&mut state, action);
            }
            Turn::Together(players) => {
                let mut joint = Joint::<G::Action>::default();
                for player in players.iter() {
                    joint[player] = Some(usual.choose(View::new(game, &state, player), &mut mind));
                }
                game.apply_joint(&mut state, &joint);
            }
        }
    }
}

/// The player who decides in `state`, the first of several; `None` where nobody does.
#[must_use]
pub fn decider<G: Playable>(game: &G, state: &G::State) -> Option<Player> {
    match game.turn(state) {
        Turn::Player(player) => Some(player),
        Turn::Together(players) => players.iter().next(),
        Turn::Chance | Turn::Over => None,
    }
}

/// The proof that every game of the catalogue is [`Playable`].
macro_rules! all_are_playable {
    ($($name:literal => $game:ty),* $(,)?) => {
        const _: () = {
            const fn is_playable<G: Playable>() {}
            $(is_playable::<$game>();)*
        };
    };
}
engine::catalogue!(all_are_playable);
