//! The battles of a game by its name, for games with known odds.

use agents::odds::BattleCalculator;
use agents::{Observable, Playable};
use engine::Rules;
use engine::rules::Change;

use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;

/// The battles of a game.
pub struct Battles {
    /// Their odds; `None` if the game computes none.
    pub calculator: Option<Box<dyn BattleCalculator>>,
    /// The differences from the default rules.
    pub changes: Vec<Change>,
}

impl std::fmt::Debug for Battles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Battles").field("changes", &self.changes).finish_non_exhaustive()
    }
}

/// Builds the game of `setup` and returns its battles.
///
/// # Errors
/// If the game cannot be built.
pub fn battles_of(setup: &Setup) -> Result<Battles, Error> {
    struct Take;
    impl WithGame for Take {
        type Output = Battles;
        fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Battles {
            Battles { calculator: game.battle_calculator(), changes: rules.changes() }
        }
    }
    with_game(setup, Take)
}
