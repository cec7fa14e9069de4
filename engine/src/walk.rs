//! Random walks through a game: a single event, a playout, a reproducible walk from addressed streams.
//!
//! The tools that prove games (conformance, perft positions, playthroughs) and the hot loop of searches share
//! these few lines. Nothing here knows agents: every choice is uniformly random.

use crate::game::{Game, Joint, Turn};
use crate::player::Player;
use crate::rng::{ChanceStreams, Purpose, Randomness, Stream, stream};

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
    /// Applies the event to `state`, where it must be possible.
    pub fn apply<G: Game<Action = A>>(&self, game: &G, state: &mut G::State) {
        match self {
            Self::Action(_, action) | Self::Chance(action) => game.apply(state, *action),
            Self::Joint(joint) => game.apply_joint(state, joint),
        }
    }
}

/// How long a playout was.
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
            Turn::Together(players) => {
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

/// A random game from the start, in which the same seed and game index give the same events for ever.
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
    /// The walk of game `index` in the run with seed `seed`.
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

    /// Where the walk is.
    #[must_use]
    pub const fn state(&self) -> &G::State {
        &self.state
    }

    /// The stream of choices.
    pub const fn choices(&mut self) -> &mut Stream {
        &mut self.choices
    }

    fn choose(&mut self, player: Player) -> G::Action {
        self.game.random_action(&self.state, player, &mut self.choices, &mut self.scratch)
    }

    fn draw(&mut self) -> Option<Event<G::Action>> {
        Some(match self.game.turn(&self.state) {
            Turn::Player(player) => Event::Action(player, self.choose(player)),
            Turn::Together(players) => {
                let mut joint = Joint::default();
                players.iter().for_each(|player| joint[player] = Some(self.choose(player)));
                Event::Joint(joint)
            }
            Turn::Chance => {
                let purpose = self.game.chance_purpose(&self.state);
                Event::Chance(self.game.draw(&self.state, self.chance.of(purpose)))
            }
            Turn::Over => return None,
        })
    }
}

/// Each step draws an event, applies it and returns it.
impl<G: Game> Iterator for Walk<'_, G> {
    type Item = Event<G::Action>;

    fn next(&mut self) -> Option<Event<G::Action>> {
        let event = self.draw()?;
        event.apply(self.game, &mut self.state);
        Some(event)
    }
}
