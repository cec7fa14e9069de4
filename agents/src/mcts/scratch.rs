//! Reusable memory of a search.

use engine::Game;

use crate::guide::{Choices, Guide};

/// Memory without meaning between calls. The exception is `legal`: the listing of a node leaves it to the choice at the
/// node.
#[derive(Clone, Debug)]
pub(super) struct Scratch<G: Game, H: Guide<G>> {
    pub(super) options: Choices<G, H::Macro>,
    pub(super) actions: Vec<G::Action>,
    /// The offsets of the possible edges of a node.
    pub(super) legal: Vec<u16>,
    pub(super) logits: Vec<f32>,
    pub(super) ranks: Vec<u16>,
    /// The values of options in mixed strategies: of a node, or of the members of a turn one after the other.
    pub(super) worth: Vec<f32>,
}

impl<G: Game, H: Guide<G>> Scratch<G, H> {
    pub(super) const EMPTY: Self = Self {
        options: Vec::new(),
        actions: Vec::new(),
        legal: Vec::new(),
        logits: Vec::new(),
        ranks: Vec::new(),
        worth: Vec::new(),
    };

    /// Makes all `n` edges of a node possible, if they are not. Offsets in `legal` ascend, so its last offset shows
    /// whether all are there.
    #[inline]
    pub(super) fn list_all(&mut self, n: u16) {
        let is_done =
            self.legal.len() == usize::from(n) && self.legal.last() == n.checked_sub(1).as_ref();
        if !is_done {
            self.legal.clear();
            self.legal.extend(0..n);
        }
    }
}
