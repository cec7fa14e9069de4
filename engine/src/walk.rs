//! The progress of a game: a single event with given choices, a random playout, a reproducible random walk.
//!
//! Games with agents, the proofs of games (conformance, perft positions, playthroughs) and the hot loop of searches
//! share these few lines. No code here depends on agents.

use std::convert::Infallible;

use crate::game::{Game, Joint, Turn};
use crate::player::Player;
use crate::rng::{ChanceStreams, Purpose, Randomness, Stream, stream};

/// The mover of an event that is due: a player or chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// A player who acts alone.
    Alone(Player),
    /// A player among those who choose at once.
    Simultaneous(Player),
    /// Chance.
    Chance,
}

impl Mover {
    /// Returns the player, or `None` for chance.
    #[must_use]
    pub const fn player(self) -> Option<Player> {
        match self {
            Self::Alone(player) | Self::Simultaneous(player) => Some(player),
            Self::Chance => None,
        }
    }
}

/// One step of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<A> {
    /// A player has chosen.
    Action(Player, A),
    /// Several players have chosen at once.
    Joint(Joint<A>),
    /// Chance has decided.
    Chance(A),
}

impl<A: Copy> Event<A> {
    /// Returns the event that is due in `state`, with the choice of `decide` for each mover, or `None` if the game is
    /// over.
    ///
    /// # Errors
    /// If `decide` fails, with its first error.
    #[inline]
    pub fn due<G: Game<Action = A>, E>(
        game: &G,
        state: &G::State,
        mut decide: impl FnMut(Mover) -> Result<A, E>,
    ) -> Result<Option<Self>, E> {
        Ok(Some(match game.turn(state) {
            Turn::Player(player) => Self::Action(player, decide(Mover::Alone(player))?),
            Turn::Simultaneous(players) => {
                let mut joint = Joint::default();
                for player in players.iter() {
                    joint[player] = Some(decide(Mover::Simultaneous(player))?);
                }
                Self::Joint(joint)
            }
            Turn::Chance => Self::Chance(decide(Mover::Chance)?),
            Turn::Over => return Ok(None),
        }))
    }

    /// Applies the event to `state`, where it must be possible.
    #[inline]
    pub fn apply<G: Game<Action = A>>(&self, game: &G, state: &mut G::State) {
        match self {
            Self::Action(_, action) | Self::Chance(action) => game.apply(state, *action),
            Self::Joint(joint) => game.apply_joint(state, joint),
        }
    }
}

/// Plays the event that is due in `state`, with the choice of `decide` for each mover; returns whether there was one.
///
/// # Errors
/// If `decide` fails, with its first error.
#[inline]
pub fn play_event<G: Game, E>(
    game: &G,
    state: &mut G::State,
    mut decide: impl FnMut(&G::State, Mover) -> Result<G::Action, E>,
) -> Result<bool, E> {
    // Without an `Event`, which has room for a choice of every player.
    match game.turn(state) {
        Turn::Player(player) => {
            let action = decide(state, Mover::Alone(player))?;
            game.apply(state, action);
        }
        Turn::Chance => {
            let outcome = decide(state, Mover::Chance)?;
            game.apply(state, outcome);
        }
        Turn::Simultaneous(players) => {
            let mut joint = Joint::default();
            for player in players.iter() {
                joint[player] = Some(decide(state, Mover::Simultaneous(player))?);
            }
            game.apply_joint(state, &joint);
        }
        Turn::Over => return Ok(false),
    }
    Ok(true)
}

/// The length of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Length {
    /// Choices of players; each member of a simultaneous turn counts one.
    pub plies: u32,
    /// Events of chance.
    pub chances: u32,
}

/// Plays `state` to its end with uniformly random actions. `scratch` lends the memory.
#[inline]
pub fn playout<G: Game, R: Randomness + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut R,
    scratch: &mut Vec<G::Action>,
) -> Length {
    let mut length = Length::default();
    loop {
        match game.turn(state) {
            Turn::Player(player) => {
                let action = game.random_action(state, player, rng, scratch);
                game.apply(state, action);
                length.plies += 1;
            }
            Turn::Chance => {
                let outcome = game.draw(state, rng);
                game.apply(state, outcome);
                length.chances += 1;
            }
            Turn::Simultaneous(players) => {
                let mut joint = Joint::<G::Action>::default();
                for player in players.iter() {
                    joint[player] = Some(game.random_action(state, player, rng, scratch));
                }
                length.plies += players.len() as u32;
                game.apply_joint(state, &joint);
            }
            Turn::Over => return length,
        }
    }
}

/// Plays a new game to its end with uniformly random actions.
pub fn random_game<G: Game, R: Randomness + ?Sized>(
    game: &G,
    rng: &mut R,
    scratch: &mut Vec<G::Action>,
) -> (G::State, Length) {
    let mut state = game.start();
    let length = playout(game, &mut state, rng, scratch);
    (state, length)
}

/// A random game from the start. The seed and the game index fix all its events for ever.
///
/// Chance draws from the streams of a run, choices from [`Purpose::Analysis`].
#[derive(Debug)]
pub struct Walk<'g, G: Game> {
    game: &'g G,
    state: G::State,
    chance: ChanceStreams,
    choices: Stream,
    scratch: Vec<G::Action>,
}

impl<'g, G: Game> Walk<'g, G> {
    /// Returns the walk of game `index` in the run with seed `seed`.
    #[must_use]
    pub fn new(game: &'g G, seed: u64, index: u64) -> Self {
        Self {
            game,
            state: game.start(),
            chance: ChanceStreams::new(seed, index),
            choices: stream(seed, index, Purpose::Analysis),
            scratch: Vec::new(),
        }
    }

    /// Returns the state that the walk has reached.
    #[must_use]
    pub const fn state(&self) -> &G::State {
        &self.state
    }

    /// Returns the stream of choices.
    pub const fn choices(&mut self) -> &mut Stream {
        &mut self.choices
    }
}

/// Draws an event at each step, applies it and returns it.
impl<G: Game> Iterator for Walk<'_, G> {
    type Item = Event<G::Action>;

    fn next(&mut self) -> Option<Event<G::Action>> {
        let Self { game, state, chance, choices, scratch } = self;
        let decide = |mover: Mover| {
            Ok::<_, Infallible>(match mover.player() {
                Some(player) => game.random_action(state, player, choices, scratch),
                None => game.draw(state, chance.of(game.chance_purpose(state))),
            })
        };
        let Ok(event) = Event::due(*game, state, decide);
        let event = event?;
        event.apply(*game, state);
        Some(event)
    }
}
