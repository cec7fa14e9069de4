//! Uniformly random play to the end: what `speed` measures and what a search rolls out.

use engine::{Game, Joint, Randomness, Turn};

/// How long a playout was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Length {
    /// Choices of players; each member of a simultaneous turn counts one.
    pub plies: u32,
    /// Events of chance.
    pub chances: u32,
}

/// Plays `state` to its end with uniformly random actions. `scratch` lends the memory.
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
