//! Who buys by rounds: composes what a market is to bring, and then plays it ply by ply.

use engine::Game;
use engine::games::classic::{Action, Classic, State};

use super::outlook::Outlook;
use super::round::{Bundle, Composer, Plan};

/// Composes rounds and plays them, with memory that is used again.
#[derive(Clone, Debug)]
pub(super) struct Buyer {
    outlook: Outlook,
    composer: Composer,
    menu: Vec<Action>,
    plan: Option<Plan>,
}

impl Buyer {
    pub(super) fn new(outlook: Outlook) -> Self {
        Self { outlook, composer: Composer::default(), menu: Vec::new(), plan: None }
    }

    /// Forgets what is being played.
    pub(super) const fn forget(&mut self) {
        self.plan = None;
    }

    /// The best round of purchases at a market.
    fn compose(&mut self, game: &Classic, s: &State) -> Bundle {
        self.menu.clear();
        game.actions(s, s.turn(), &mut self.menu);
        self.composer.compose(&self.outlook, game, s, &self.menu)
    }

    /// The first ply of the best round at a market, which is played from here on.
    pub(super) fn begin(&mut self, game: &Classic, s: &State) -> Option<Action> {
        let bundle = self.compose(game, s);
        self.plan = Some(Plan::new(bundle, s));
        self.go_on(game, s)
    }

    /// The next ply of what is being played; nothing if it is at its end or the position is not the one that it expects.
    pub(super) fn go_on(&mut self, game: &Classic, s: &State) -> Option<Action> {
        let (action, plan) = self.plan.take()?.go_on(game, s)?;
        self.plan = plan;
        Some(action)
    }

    /// Plays the best round at a market to its end.
    pub(super) fn carry_out(&mut self, game: &Classic, s: &mut State) {
        let mut plan = Some(Plan::new(self.compose(game, s), s));
        while let Some((action, next)) = plan.and_then(|plan| plan.go_on(game, s)) {
            game.apply(s, action);
            plan = next;
        }
    }
}
