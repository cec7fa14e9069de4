//! Node counts of a game's legal tree, by the game's name.

use agents::Playable;
use engine::rules::Change;
use engine::{Rules, perft};

use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;

/// A tree of legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The greatest depth, in events.
    pub depth: u32,
    /// The seed of the random events before its root.
    pub seed: u64,
    /// Number of random events before its root.
    pub after: usize,
}

/// The size of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Counted {
    /// Number of players.
    pub players: usize,
    /// Nodes by depth.
    pub nodes: Vec<u64>,
    /// The differences from the default rules.
    pub changes: Vec<Change>,
}

/// Counts the nodes of `tree` in the game of `setup`.
///
/// # Errors
/// If the game cannot be built.
pub fn count(setup: &Setup, tree: Tree) -> Result<Counted, Error> {
    with_game(setup, tree)
}

impl WithGame for Tree {
    type Output = Counted;

    fn run<G: Playable>(self, game: G, rules: &Rules) -> Counted {
        let state = perft::position_after(&game, self.seed, self.after);
        let nodes = perft::perft(&game, &state, self.depth);
        Counted { players: game.n_players(), nodes, changes: rules.changes() }
    }
}
