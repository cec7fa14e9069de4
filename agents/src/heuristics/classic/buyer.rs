//! Who buys by rounds: composes what a market is to bring, and then plays it ply by ply.

use engine::games::classic::{Action, Classic, State};
use engine::{Game, key_of};

use super::purchase_values::PurchaseValues;
use super::round::{Bundle, Composer, Plan};

/// Markets whose best rounds are kept: a search meets those near its root again and again. A power of two.
const KEPT: usize = 32;

/// How well a round is composed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Care {
    /// The best that is known.
    Best,
    /// What is found in a fraction of the time.
    Quick,
}

/// Composes rounds and plays them, with memory that is used again.
#[derive(Clone, Debug)]
pub(super) struct Buyer {
    purchase_values: PurchaseValues,
    composer: Composer,
    menu: Vec<Action>,
    plan: Option<Plan>,
    /// The best rounds of some markets, each where its position says.
    kept: Box<[Option<(State, Bundle)>]>,
}

impl Buyer {
    pub(super) fn new(purchase_values: PurchaseValues) -> Self {
        Self {
            purchase_values,
            composer: Composer::default(),
            menu: Vec::new(),
            plan: None,
            kept: vec![None; KEPT].into(),
        }
    }

    /// Forgets what is being played.
    pub(super) const fn forget(&mut self) {
        self.plan = None;
    }

    /// A round of purchases at a market.
    fn compose(&mut self, game: &Classic, s: &State, care: Care) -> Bundle {
        let at = key_of(s) as usize % KEPT;
        if care == Care::Best
            && let Some((_, bundle)) = self.kept[at].as_ref().filter(|(state, _)| state == s)
        {
            return *bundle;
        }
        self.menu.clear();
        game.actions(s, s.turn(), &mut self.menu);
        if care == Care::Quick {
            return self.composer.sketch(&self.purchase_values, game, s, &self.menu);
        }
        let bundle = self.composer.compose(&self.purchase_values, game, s, &self.menu);
        self.kept[at] = Some((*s, bundle));
        bundle
    }

    /// The first ply of the best round at a market, which is played from here on.
    pub(super) fn begin(&mut self, game: &Classic, s: &State) -> Option<Action> {
        let bundle = self.compose(game, s, Care::Best);
        self.plan = Some(Plan::new(bundle, s));
        self.go_on(game, s)
    }

    /// The next ply of what is being played; nothing if it is at its end or the position is not the one that it expects.
    pub(super) fn go_on(&mut self, game: &Classic, s: &State) -> Option<Action> {
        let (action, plan) = self.plan.take()?.go_on(game, s)?;
        self.plan = plan;
        Some(action)
    }

    /// Plays a round at a market to its end.
    pub(super) fn carry_out(&mut self, game: &Classic, s: &mut State, care: Care) {
        let mut plan = Some(Plan::new(self.compose(game, s, care), s));
        while let Some((action, next)) = plan.and_then(|plan| plan.go_on(game, s)) {
            game.apply(s, action);
            plan = next;
        }
    }
}
