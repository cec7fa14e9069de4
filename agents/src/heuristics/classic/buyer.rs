//! A buyer: composes the purchases of a market as a whole and plays them ply by ply.

use engine::games::classic::{Action, Classic, State};
use engine::{Game, key_of};

use super::purchase_values::PurchaseValues;
use super::round::{Bundle, Composer, Plan};

/// Number of markets whose best purchases are cached. A search meets the markets near its root again and again. A power
/// of two.
const KEPT: usize = 32;

/// The effort for composing purchases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Care {
    /// The best known method.
    Best,
    /// A method that takes a fraction of the time.
    Quick,
}

/// A buyer with reusable memory.
#[derive(Clone, Debug)]
pub(super) struct Buyer {
    purchase_values: PurchaseValues,
    composer: Composer,
    menu: Vec<Action>,
    plan: Option<Plan>,
    /// The cached purchases of some markets, in slots chosen by the position.
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

    /// Drops the plan in progress.
    pub(super) const fn forget(&mut self) {
        self.plan = None;
    }

    /// Returns the purchases for a market.
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

    /// Starts the best purchases for a market and returns their first ply.
    pub(super) fn begin(&mut self, game: &Classic, s: &State) -> Option<Action> {
        let bundle = self.compose(game, s, Care::Best);
        self.plan = Some(Plan::new(bundle, s));
        self.go_on(game, s)
    }

    /// Returns the next ply of the plan; `None` at its end or if the position differs from the expected one.
    pub(super) fn go_on(&mut self, game: &Classic, s: &State) -> Option<Action> {
        let (action, plan) = self.plan.take()?.go_on(game, s)?;
        self.plan = plan;
        Some(action)
    }

    /// Plays the purchases of a market to their end.
    pub(super) fn carry_out(&mut self, game: &Classic, s: &mut State, care: Care) {
        let mut plan = Some(Plan::new(self.compose(game, s, care), s));
        while let Some((action, next)) = plan.and_then(|plan| plan.go_on(game, s)) {
            game.apply(s, action);
            plan = next;
        }
    }
}
