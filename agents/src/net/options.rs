//! The inputs of the options of a decision: what a game counts of each, sparse and in whole numbers.

use super::{Entry, Slot};

/// Inputs of the options of a decision, in the order of the options. A caller with many decisions keeps one and
/// refills it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionInputs {
    entries: Vec<Entry>,
    /// The end of each option's entries.
    ends: Vec<u32>,
}

impl OptionInputs {
    /// Returns empty inputs, with room for `options` options of `inputs` entries each.
    #[must_use]
    pub fn with_room(options: usize, inputs: usize) -> Self {
        Self { entries: Vec::with_capacity(options * inputs), ends: Vec::with_capacity(options) }
    }

    /// Removes all options.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
    }

    /// Adds an input to the option that is being counted, unless its count is 0.
    #[inline]
    pub fn add(&mut self, slot: Slot, count: impl Into<i32>) {
        self.entries.extend(slot.entry(count.into()));
    }

    /// Ends the option that is being counted; the next input is of the next one.
    #[inline]
    pub fn end_option(&mut self) {
        self.ends.push(self.entries.len() as u32);
    }

    /// Returns the number of options.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no options.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the inputs of each option.
    pub fn iter(&self) -> impl Iterator<Item = &[Entry]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let end = end as usize;
            let entries = &self.entries[start..end];
            start = end;
            entries
        })
    }
}
