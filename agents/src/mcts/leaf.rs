//! Iterations without a tree ([`Leaves`]). Each plays an option, rolls out to the horizon and evaluates the leaf. They
//! serve the comparison of leaf values with the results of games.

use engine::{ByPlayer, Fast, Game, Player};

use super::config::Config;
use super::search::Search;
use crate::guide::{Choice, Guide};

/// The leaf evaluation of a search with given settings.
#[derive(Clone, Debug)]
pub struct Leaves<G: Game, H: Guide<G>>(Search<G, H>);

impl<G: Game, H: Guide<G>> Leaves<G, H> {
    /// Creates the leaf evaluation of a search with this guide.
    #[must_use]
    pub fn new(config: Config, guide: H, rng: Fast) -> Self {
        Self(Search::new(config, guide, rng))
    }

    /// Returns the macro-actions of `player` in `world`; the single plies if there are none.
    pub fn options(
        &mut self,
        game: &G,
        world: &G::State,
        player: Player,
    ) -> Vec<Choice<G::Action, H::Macro>> {
        let mut options = Vec::new();
        self.0.guide.macro_actions(game, world, player, &mut options);
        if options.is_empty() {
            let mut actions = Vec::new();
            game.actions(world, player, &mut actions);
            options.extend(actions.into_iter().map(Choice::Ply));
        }
        options
    }

    /// Plays `choice` for `player`, rolls out to the search horizon, and leaves the final position in `world`. Returns
    /// each player's win probability there, in `[0, 1]`.
    pub fn look(
        &mut self,
        game: &G,
        world: &mut G::State,
        player: Player,
        choice: Choice<G::Action, H::Macro>,
        rng: Fast,
    ) -> ByPlayer<f32> {
        let search = &mut self.0;
        search.rng = rng;
        search.see_from(game, world);
        match choice {
            Choice::Ply(action) => game.apply(world, action),
            Choice::Macro(macro_action) => {
                search.guide.carry_out(game, world, player, macro_action, &mut search.rng);
            }
        }
        if search.is_at_horizon(game, world) {
            return search.utilities(game, world);
        }
        search.play_out(game, world)
    }
}
