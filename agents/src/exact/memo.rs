//! A map from positions to their data, by hash and comparison.
//!
//! It uses open addressing with linear probing. There is no removal and no iteration, so no result depends on the order
//! of the table.

use std::hash::Hash;

use engine::hash_of;

#[derive(Clone, Debug)]
pub(crate) struct Memo<K, V> {
    slots: Vec<Option<(K, V)>>,
    len: usize,
}

impl<K: Copy + Eq + Hash, V> Memo<K, V> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), len: 0 }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the index of `key`, or of the free slot for it. There must be a free slot.
    fn slot(&self, key: &K) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash_of(key) as usize & mask;
        while self.slots[at].as_ref().is_some_and(|(other, _)| other != key) {
            at = (at + 1) & mask;
        }
        at
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(key)].as_ref().map(|(_, value)| value)
    }

    /// Sets the value of `key`.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        let at = self.slot(&key);
        self.len += usize::from(self.slots[at].is_none());
        self.slots[at] = Some((key, value));
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(16);
        let old = std::mem::take(&mut self.slots);
        self.slots.resize_with(size, || None);
        for (key, value) in old.into_iter().flatten() {
            let at = self.slot(&key);
            self.slots[at] = Some((key, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memo_keeps_the_last_value_of_every_key() {
        let mut memo = Memo::new();
        assert_eq!(memo.get(&3), None);
        (0..1_000u32).for_each(|key| memo.insert(key, key));
        (0..1_000).for_each(|key| memo.insert(key, 2 * key));
        assert_eq!(memo.len(), 1_000);
        assert!((0..1_000).all(|key| memo.get(&key) == Some(&(2 * key))));
    }

    #[test]
    fn keys_that_collide_are_kept_apart() {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        struct Blind(u8);
        impl Hash for Blind {
            fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
        }
        let mut memo = Memo::new();
        (0..50).for_each(|key| memo.insert(Blind(key), key));
        assert!((0..50).all(|key| memo.get(&Blind(key)) == Some(&key)));
    }
}
