//! Cards that the player in turn has taken and may still take for free, in one byte of the position.

use crate::games::conquest2::model::state::State;

/// The bit of [`State::has_taken`]; the bits below it are free cards that are not yet taken, by their list.
const TAKEN: u8 = 1 << 7;

impl State {
    /// Returns whether the player in turn has taken a card this turn, free cards apart.
    #[inline]
    pub(crate) const fn has_taken(&self) -> bool {
        self.takes & TAKEN != 0
    }

    /// Notes that a card was taken, or that a new turn begins.
    #[inline]
    pub(crate) const fn set_taken(&mut self, has_taken: bool) {
        self.takes = self.free() | if has_taken { TAKEN } else { 0 };
    }

    /// Returns the free cards that the player in turn has not taken yet, as bits of their list.
    #[inline]
    pub(crate) const fn free(&self) -> u8 {
        self.takes & !TAKEN
    }

    #[inline]
    pub(crate) const fn set_free(&mut self, free: u8) {
        self.takes = self.takes & TAKEN | free;
    }
}
