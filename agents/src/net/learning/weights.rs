//! The weights of a net as floating-point numbers, part by part.

use std::ops::Range;

use crate::net::{HIDDEN, Layout, NARROW, inputs_of};

/// A part of the weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// First layer of a seat's own inputs, a row for each input.
    Own,
    /// First layer of the inputs of the seat's allies.
    Ally,
    /// First layer of the inputs of the seat's enemies.
    Enemy,
    /// First layer of the inputs of the table.
    Table,
    /// The bias of the first layer.
    Bias,
    /// Second layer, a row for each output.
    Second,
    /// Bias of the second layer, by phase.
    SecondBias,
    /// The last layer, by phase.
    Last,
    /// The factor on the linear value, by phase.
    Trust,
}

impl Part {
    /// All parts, in order.
    pub const ALL: [Self; 9] = [
        Self::Own,
        Self::Ally,
        Self::Enemy,
        Self::Table,
        Self::Bias,
        Self::Second,
        Self::SecondBias,
        Self::Last,
        Self::Trust,
    ];

    /// Returns true if training applies weight decay to the part.
    pub(super) const fn decays(self) -> bool {
        matches!(self, Self::Own | Self::Ally | Self::Enemy | Self::Table | Self::Second)
    }

    const fn size(self, layout: &Layout) -> usize {
        match self {
            Self::Own | Self::Ally | Self::Enemy => inputs_of(layout.seat) * HIDDEN,
            Self::Table => inputs_of(layout.table) * HIDDEN,
            Self::Bias => HIDDEN,
            Self::Second => NARROW * HIDDEN,
            Self::SecondBias | Self::Last => layout.phases * NARROW,
            Self::Trust => layout.phases,
        }
    }
}

/// All weights of a net.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    all: Vec<f32>,
    /// Start of each part, and the end of the last one.
    starts: [usize; Part::ALL.len() + 1],
}

impl Weights {
    /// Returns weights that are all 0.
    #[must_use]
    pub fn zero(layout: &Layout) -> Self {
        let mut starts = [0; Part::ALL.len() + 1];
        for (i, part) in Part::ALL.iter().enumerate() {
            starts[i + 1] = starts[i] + part.size(layout);
        }
        Self { all: vec![0.0; starts[Part::ALL.len()]], starts }
    }

    fn range(&self, part: Part) -> Range<usize> {
        self.starts[part as usize]..self.starts[part as usize + 1]
    }

    /// Returns a part.
    #[must_use]
    pub fn part(&self, part: Part) -> &[f32] {
        &self.all[self.range(part)]
    }

    /// Returns a part for writing.
    pub fn part_mut(&mut self, part: Part) -> &mut [f32] {
        let range = self.range(part);
        &mut self.all[range]
    }

    /// Returns the number of weights.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns true if there are no weights.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns true if all weights are finite.
    #[must_use]
    pub fn are_finite(&self) -> bool {
        self.all.iter().all(|x| x.is_finite())
    }

    pub(super) fn clear(&mut self) {
        self.all.fill(0.0);
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.all.iter_mut().zip(&other.all).for_each(|(to, x)| *to += x);
    }

    /// Returns a row of [`HIDDEN`] weights of a part.
    #[inline]
    pub(super) fn row(&self, part: Part, i: usize) -> &[f32; HIDDEN] {
        let start = self.starts[part as usize] + i * HIDDEN;
        self.all[start..].first_chunk().expect("a row")
    }

    /// Returns the same, to be changed.
    #[inline]
    pub(super) fn row_mut(&mut self, part: Part, i: usize) -> &mut [f32; HIDDEN] {
        let start = self.starts[part as usize] + i * HIDDEN;
        self.all[start..].first_chunk_mut().expect("a row")
    }

    /// Returns the [`NARROW`] weights of a phase.
    #[inline]
    pub(super) fn narrow(&self, part: Part, phase: usize) -> &[f32; NARROW] {
        let start = self.starts[part as usize] + phase * NARROW;
        self.all[start..].first_chunk().expect("a phase")
    }

    /// Returns the same, to be changed.
    #[inline]
    pub(super) fn narrow_mut(&mut self, part: Part, phase: usize) -> &mut [f32; NARROW] {
        let start = self.starts[part as usize] + phase * NARROW;
        self.all[start..].first_chunk_mut().expect("a phase")
    }
}
