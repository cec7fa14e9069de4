//! Macro-actions of rise: a disc and an object. The policy decides payments, cubes, battles, free actions, and the
//! upkeep of all players between two actions.

use engine::games::rise::{Action, Phase, Rise, State};
use engine::{Fast, Game, Notation, Player, Turn};

use super::placing;
use super::policy::Policy;

/// A macro-action from its disc to its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroAction {
    /// The turn and round of the action. It decides nothing in others.
    moment: (u8, u8),
    /// The disc that is placed or taken back; `None` if there is no choice.
    disc: Option<Action>,
    /// The object that is taken; `None` if there is no choice.
    object: Option<Action>,
}

impl MacroAction {
    /// Returns the action as text for people.
    pub(super) fn text(self, game: &Rise) -> String {
        let words = self.disc.into_iter().chain(self.object).map(|action| game.action_text(action));
        words.collect::<Vec<_>>().join(", ")
    }
}

const fn moment(s: &State) -> (u8, u8) {
    (s.turn(), s.round())
}

/// Returns whether macro-actions can begin with this decision. With a single disc the disc is no decision.
const fn begins(phase: Phase) -> bool {
    matches!(phase, Phase::Disc | Phase::Pay | Phase::Object)
}

/// Returns whether the policy makes this decision for all players, between two macro-actions.
const fn is_routine(phase: Phase) -> bool {
    matches!(
        phase,
        Phase::ChooseFood
            | Phase::ChooseGoods
            | Phase::Feed
            | Phase::Supply
            | Phase::KeepProgress
            | Phase::KeepCities
    )
}

impl Policy {
    /// Appends the macro-actions of the player whose decision is due.
    pub(super) fn list_macro_actions(
        &mut self,
        game: &Rise,
        s: &State,
        out: &mut Vec<MacroAction>,
    ) {
        let Turn::Player(player) = game.turn(s) else { return };
        if !begins(s.phase()) {
            return;
        }
        if s.phase() != Phase::Disc {
            let paid = self.paid(game, *s, player);
            if is_at_object(game, s, &paid, player) {
                add_objects(game, &paid, None, out);
            }
            return;
        }
        for k in 0..game.n_options(s) {
            let disc = game.nth_option(s, k);
            // A free action before the disc is also possible after the object.
            if matches!(disc, Action::Use(..)) {
                continue;
            }
            let after = self.after_disc(game, s, player, Some(disc));
            if is_at_object(game, s, &after, player) {
                add_objects(game, &after, Some(disc), out);
            } else {
                out.push(MacroAction { moment: moment(s), disc: Some(disc), object: None });
            }
        }
    }

    /// Returns the position after the payment for the disc.
    fn after_disc(&self, game: &Rise, s: &State, player: Player, disc: Option<Action>) -> State {
        let mut after = *s;
        if let Some(disc) = disc {
            game.apply(&mut after, disc);
        }
        self.paid(game, after, player)
    }

    /// Returns the position after all due payments.
    fn paid(&self, game: &Rise, mut after: State, player: Player) -> State {
        while after.phase() == Phase::Pay
            && game.turn(&after) == Turn::Player(player)
            && let Some(payment) = self.divided(game, &after, player.idx())
        {
            game.apply(&mut after, payment);
        }
        after
    }

    /// Calls `tell` with the value of each of `macro_actions`, which begin here.
    pub(super) fn value_macro_actions(
        &mut self,
        game: &Rise,
        s: &State,
        player: Player,
        macro_actions: impl Iterator<Item = MacroAction>,
        mut tell: impl FnMut(f32),
    ) {
        // Macro-actions of one disc are adjacent.
        let (mut last, mut at) = (None, self.after_disc(game, s, player, None));
        for macro_action in macro_actions {
            if macro_action.disc != last {
                last = macro_action.disc;
                at = self.after_disc(game, s, player, last);
            }
            tell(match macro_action.object {
                Some(object) => self.value_of(game, &at, player, object, 1),
                None => self.value_on(game, s, &at, player, 1),
            });
        }
    }

    /// Returns the macro-action with the best final position.
    pub(super) fn best_macro_action(
        &mut self,
        game: &Rise,
        s: &State,
        macro_actions: &[MacroAction],
    ) -> Option<MacroAction> {
        let Turn::Player(player) = game.turn(s) else { return None };
        let (mut best, mut k) = ((f32::MIN, None), 0);
        self.value_macro_actions(game, s, player, macro_actions.iter().copied(), |value| {
            if value > best.0 {
                best = (value, Some(macro_actions[k]));
            }
            k += 1;
        });
        best.1
    }

    /// Returns the ply of `macro_action` for the due decision of `player`.
    pub(super) fn ply_of_macro_action(
        &mut self,
        game: &Rise,
        s: &State,
        macro_action: MacroAction,
        is_first: bool,
    ) -> Option<Action> {
        if is_routine(s.phase()) {
            return (!is_first).then(|| self.choose(game, s));
        }
        if moment(s) != macro_action.moment {
            return None;
        }
        match s.phase() {
            Phase::Disc if is_first => macro_action.disc,
            Phase::Object => macro_action.object,
            Phase::Pay | Phase::To | Phase::Count | Phase::Battle | Phase::After => {
                Some(self.choose(game, s))
            }
            _ => None,
        }
    }

    /// Plays `macro_action` to its end, and routine decisions up to the next other decision.
    pub(super) fn carry_out_macro_action(
        &mut self,
        game: &Rise,
        s: &mut State,
        player: Player,
        macro_action: MacroAction,
        rng: &mut Fast,
    ) {
        let mut left = [macro_action.disc, macro_action.object];
        loop {
            let mover = match game.turn(s) {
                Turn::Chance => {
                    let outcome = game.draw(s, rng);
                    game.apply(s, outcome);
                    continue;
                }
                Turn::Player(mover) => mover,
                _ => return,
            };
            let is_his = mover == player && moment(s) == macro_action.moment;
            let action = match s.phase() {
                Phase::Disc if is_his && left[0].is_some() => left[0].take(),
                Phase::Object if is_his && left[1].is_some() => left[1].take(),
                Phase::To if is_his => {
                    placing::carry_out(&self.evaluation, game, s, player.idx());
                    continue;
                }
                Phase::Pay | Phase::Count | Phase::Battle | Phase::After if is_his => {
                    Some(self.choose(game, s))
                }
                phase if is_routine(phase) => Some(self.choose(game, s)),
                _ => None,
            };
            let Some(action) = action else { return };
            game.apply(s, action);
        }
    }
}

/// Returns whether the player must choose an object now that the disc is settled.
fn is_at_object(game: &Rise, s: &State, after: &State, player: Player) -> bool {
    after.phase() == Phase::Object
        && game.turn(after) == Turn::Player(player)
        && moment(after) == moment(s)
}

fn add_objects(game: &Rise, s: &State, disc: Option<Action>, out: &mut Vec<MacroAction>) {
    let objects = (0..game.n_options(s)).map(|k| game.nth_option(s, k));
    out.extend(objects.map(|object| MacroAction { moment: moment(s), disc, object: Some(object) }));
}
