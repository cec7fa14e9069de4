//! The end of a game, as the agents at the table receive it.

use std::fmt;

use engine::{ByPlayer, Game, Player, Turn};

/// The end of a game: its result, or the player who broke it off.
///
/// It is the only place where an agent meets a whole state: after the last event nothing is left to decide. An agent
/// that learns from it must know that the games of a block share their chance events.
pub struct GameEnd<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    forfeit: Option<Player>,
}

impl<G: Game> Clone for GameEnd<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for GameEnd<'_, G> {}

impl<G: Game> fmt::Debug for GameEnd<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameEnd(points {:?}, forfeit {:?})", self.points(), self.forfeit)
    }
}

impl<'a, G: Game> GameEnd<'a, G> {
    /// Returns the end of a game at `state`, which `forfeit` broke off, if anybody did.
    #[must_use]
    pub const fn new(game: &'a G, state: &'a G::State, forfeit: Option<Player>) -> Self {
        Self { game, state, forfeit }
    }

    /// Returns the game.
    #[must_use]
    pub const fn game(&self) -> &'a G {
        self.game
    }

    /// Returns the player who broke the game off, if anybody did.
    #[must_use]
    pub const fn forfeit(&self) -> Option<Player> {
        self.forfeit
    }

    /// Returns the final state; `None` if the rules have not ended the game.
    #[must_use]
    pub fn state(&self) -> Option<&'a G::State> {
        (self.game.turn(self.state) == Turn::Over).then_some(self.state)
    }

    /// Returns the points by player, which add up to 1; `None` if the game has no result.
    #[must_use]
    pub fn points(&self) -> Option<ByPlayer<f32>> {
        match self.forfeit {
            Some(loser) => Some(forfeit_points(self.game.n_players(), loser)),
            None => self.state().map(|state| self.game.payoffs(state)),
        }
    }

    /// Returns the final scores; `None` if the rules have not ended the game, or it has no scores.
    #[must_use]
    pub fn scores(&self) -> Option<ByPlayer<i32>> {
        self.state().and_then(|state| self.game.scores(state))
    }
}

/// Returns the points of a game that `loser` broke off: the others share the one point.
#[must_use]
pub fn forfeit_points(players: usize, loser: Player) -> ByPlayer<f32> {
    let share = 1.0 / (players - 1) as f32;
    ByPlayer::from_fn(|seat| if seat.idx() < players && seat != loser { share } else { 0.0 })
}
