//! The index of a tree: nodes and joint choices by key.

/// The absence of a node: in an edge, there is no child yet.
pub(super) const NONE: u32 = u32::MAX;

/// An index of nodes or joint choices by key: a hash table with open addressing. Keys are already hashes.
#[derive(Clone, Debug)]
pub(super) struct Index {
    slots: Vec<(u64, u32)>,
    n_used: usize,
}

impl Index {
    const SMALLEST: usize = 1 << 10;
    pub(super) const EMPTY: Self = Self { slots: Vec::new(), n_used: 0 };

    pub(super) fn clear(&mut self) {
        self.slots.fill((0, NONE));
        self.n_used = 0;
    }

    pub(super) fn find(&self, key: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let (found, node) = self.slots[self.slot(key)];
        (node != NONE && found == key).then_some(node)
    }

    /// Returns the slot of `key`, or the empty slot for it.
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot].1 != NONE && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Inserts `node` under `key`. Returns whether there was memory for it.
    pub(super) fn enter(&mut self, key: u64, node: u32) -> bool {
        if 2 * (self.n_used + 1) > self.slots.len() && !self.grow() {
            return false;
        }
        let slot = self.slot(key);
        self.n_used += usize::from(self.slots[slot].1 == NONE);
        self.slots[slot] = (key, node);
        true
    }

    fn grow(&mut self) -> bool {
        let size = (2 * self.slots.len()).max(Self::SMALLEST);
        let mut slots = Vec::new();
        if slots.try_reserve_exact(size).is_err() {
            return false;
        }
        slots.resize(size, (0, NONE));
        let old = std::mem::replace(&mut self.slots, slots);
        for (key, node) in old.into_iter().filter(|(_, node)| *node != NONE) {
            let slot = self.slot(key);
            self.slots[slot] = (key, node);
        }
        true
    }

    /// Returns the bytes in use.
    pub(super) const fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u64, u32)>()
    }
}
