//! The options of the decision that is due as actions: counted, listed, and drawn by number.

use crate::bits::{each, nth};
use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::rows::Row;
use crate::games::classic::model::state::State;
use crate::games::shared::options::Options;

/// The bit of `stay`.
const STAY: u8 = 63;

/// Returns the action of a member of the set of options.
fn member(phase: Phase, bit: u8) -> Action {
    match phase {
        Phase::Claim => Action::with(Verb::Claim, bit),
        Phase::BoardTo => Action::with(Verb::To, bit),
        Phase::Retreat if bit == STAY => Action::plain(Verb::Stay),
        Phase::Retreat => Action::with(Verb::Retreat, bit),
        Phase::Crown => Action::with(Verb::Crown, bit),
        _ => Action::plain(if bit == 0 { Verb::Accept } else { Verb::Refuse }),
    }
}

/// Returns the only bit that an action can be.
const fn bit_of(action: Action) -> u8 {
    match action.verb {
        Verb::Stay => STAY,
        Verb::Accept => 0,
        Verb::Refuse => 1,
        _ => action.args[0],
    }
}

impl Classic {
    /// Visits the rows of the menu that is due.
    #[inline]
    fn rows(&self, s: &State, visit: &mut impl FnMut(Row) -> bool) {
        match s.phase {
            Phase::Move => self.move_rows(s, visit),
            Phase::Attack => self.attack_rows(s, visit),
            _ => self.market_rows(s, visit),
        }
    }

    /// Returns the number of options of the menu that is due.
    pub(crate) fn menu_options(&self, s: &State) -> Options {
        let mut n = 0;
        self.rows(s, &mut |row| {
            n += row.len();
            false
        });
        Options::new(0, 0, n as u16)
    }

    /// Returns the `index`-th option of the decision that is due.
    #[inline]
    pub(crate) fn option(&self, s: &State, index: u16) -> Action {
        if s.phase.is_menu() {
            return self.menu_option(s, index.into());
        }
        let options = s.options;
        if s.phase == Phase::Place {
            Self::nth_placement(s, index)
        } else if options.set() != 0 {
            member(s.phase, nth(options.set(), index.into()))
        } else {
            Action::with(Verb::Count, (options.lo() + index) as u8)
        }
    }

    fn menu_option(&self, s: &State, mut index: u32) -> Action {
        let mut found = Action::plain(Verb::Done);
        self.rows(s, &mut |row| {
            let n = row.len();
            if index < n {
                found = row.nth(index);
                return true;
            }
            index -= n;
            false
        });
        found
    }

    /// Appends all options, in order.
    pub(crate) fn list_options(&self, s: &State, out: &mut Vec<Action>) {
        if s.phase.is_menu() {
            self.rows(s, &mut |row| {
                out.extend(each(row.set).map(|bit| row.action(bit)));
                false
            });
            return;
        }
        out.extend((0..s.options.n()).map(|index| self.option(s, index)));
    }

    /// Returns whether an action is an option of the decision that is due.
    pub(crate) fn is_option(&self, s: &State, action: Action) -> bool {
        if s.phase.is_menu() {
            let mut found = false;
            self.rows(s, &mut |row| {
                found = row.has(action);
                found
            });
            return found;
        }
        let options = s.options;
        if s.phase == Phase::Place {
            return Self::is_placement(s, action);
        }
        if options.set() != 0 {
            let bit = bit_of(action);
            return bit < 64 && options.set() >> bit & 1 == 1 && member(s.phase, bit) == action;
        }
        let number = u16::from(action.args[0]);
        let is_within = (options.lo()..options.lo() + options.n()).contains(&number);
        is_within && action == Action::with(Verb::Count, action.args[0])
    }
}
