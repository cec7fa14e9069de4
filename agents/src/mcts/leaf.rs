//! An iteration without a tree ([`Leaves`]): an option, what is played on from it to the horizon, and what the leaf there
//! is worth. Whoever asks what leaves say of how games end looks through it.

use engine::{ByPlayer, Fast, Game, Player};

use super::config::Config;
use super::search::Search;
use crate::guide::{Choice, Guide};

/// The leaves of a search with some settings.
#[derive(Clone, Debug)]
pub struct Leaves<G: Game, H: Guide<G>>(Search<G, H>);

impl<G: Game, H: Guide<G>> Leaves<G, H> {
    /// Those of a search by this guide.
    #[must_use]
    pub fn new(config: Config, guide: H, rng: Fast) -> Self {
        Self(Search::new(config, guide, rng))
    }

    /// The whole actions of `player` in `world`; where there are none, his single plies.
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

    /// Plays `choice` of `player` and on to the horizon that a search has which begins in `world`, and leaves there what
    /// lies at it; the chances of the players by it, each in `[0, 1]`.
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
