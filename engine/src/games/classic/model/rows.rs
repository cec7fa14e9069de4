//! Menus of pairs: each row is a word and a first number with a set of second ones, in the order of the protocol.
//!
//! A menu of movement or purchase may have a hundred options of several kinds. A walk over its rows counts it, lists
//! it, and finds the option with a number, without a list. It offers no repeat of the choice before it and no option
//! earlier in the order: the menu has to remember only the key of that choice.

use crate::bits::nth;
use crate::data::data;
use crate::games::classic::model::action::{Action, Verb};

/// The bit of an exchange beside offers of talents.
pub(crate) const EXCHANGE: u8 = 62;

/// Options that share a word and a first number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) verb: Verb,
    pub(crate) a: u8,
    /// The second numbers.
    pub(crate) set: u64,
}

impl Row {
    pub(crate) const DONE: Self = Self { verb: Verb::Done, a: 0, set: 1 };

    /// Returns the number of options.
    pub(crate) const fn len(self) -> u32 {
        self.set.count_ones()
    }

    /// Returns the `index`-th option.
    pub(crate) fn nth(self, index: u32) -> Action {
        self.action(nth(self.set, index))
    }

    /// Returns the option of a member of the set.
    pub(crate) const fn action(self, b: u8) -> Action {
        match self.verb {
            Verb::Done => Action::plain(Verb::Done),
            Verb::Ransom if b == EXCHANGE => Action::with(Verb::Exchange, self.a),
            Verb::Raze | Verb::BuyCity | Verb::BuyFort => Action::with(self.verb, b),
            _ => Action::pair(self.verb, self.a, b),
        }
    }

    /// Returns whether `action` is an option of the row.
    pub(crate) fn has(self, action: Action) -> bool {
        let [a, b, ..] = action.args;
        let bit = match action.verb {
            Verb::Exchange => EXCHANGE,
            Verb::Raze | Verb::BuyCity | Verb::BuyFort => a,
            Verb::Done => 0,
            _ => b,
        };
        bit < 64 && self.set >> bit & 1 == 1 && self.action(bit) == action
    }
}

/// The last choice in a menu: word, first and second number, and for boarding the first goal that is left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Last {
    pub(crate) verb: Verb,
    pub(crate) a: u8,
    pub(crate) b: u8,
    pub(crate) c: u8,
}

data!(struct Last { verb, a, b, c });

impl Last {
    /// The value before the first choice.
    pub(crate) const NONE: Self = Self { verb: Verb::Claim, a: 0, b: 0, c: 0 };

    pub(crate) const fn new(verb: Verb, a: u8, b: u8) -> Self {
        Self { verb, a, b, c: 0 }
    }

    /// Returns whether rows of this word are over.
    #[inline]
    pub(crate) fn is_past(self, verb: Verb) -> bool {
        verb < self.verb
    }

    /// Returns the second numbers that are later than the choice, of a row with this word and first number.
    #[inline]
    pub(crate) fn later(self, verb: Verb, a: u8, set: u64) -> u64 {
        if verb != self.verb || a > self.a {
            return set;
        }
        if a < self.a { 0 } else { set & (u64::MAX << self.b << 1) }
    }
}
