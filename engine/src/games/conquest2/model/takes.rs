//! What the player in turn has taken and may still take for nothing, in one byte of the position.

use crate::games::conquest2::model::state::State;

/// The bit of [`State::has_taken`]; the bits below it are free cards that he has not taken yet, by their list.
const TAKEN: u8 = 1 << 7;

impl State {
    /// Whether the player in turn has taken a card this turn, free ones apart.
    #[inline]
    pub(crate) const fn has_taken(&self) -> bool {
        self.takes & TAKEN != 0
    }

    /// A card was taken, or a new turn begins.
    #[inline]
    pub(crate) const fn set_taken(&mut self, has_taken: bool) {
        self.takes = self.free() | if has_taken { TAKEN } else { 0 };
    }

    /// The free cards that the player in turn has not taken yet, as bits of their list.
    #[inline]
    pub(crate) const fn free(&self) -> u8 {
        self.takes & !TAKEN
    }

    #[inline]
    pub(crate) const fn set_free(&mut self, free: u8) {
        self.takes = self.takes & TAKEN | free;
    }
}
