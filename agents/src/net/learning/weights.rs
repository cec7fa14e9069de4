//! Weights as floating-point numbers, part by part: those of a net, and those of a policy head.

use std::marker::PhantomData;
use std::ops::Range;

use super::shard::Parameters;
use crate::net::{HIDDEN, Layout, NARROW, inputs_of};

/// The most parts that weights have.
const MOST_PARTS: usize = 9;

/// A kind of parts of weights.
pub trait WeightPart: Copy + Send + Sync + 'static {
    /// All parts, in order.
    const ALL: &'static [Self];

    /// Returns the place of the part in the order.
    fn index(self) -> usize;

    /// Returns the number of its weights.
    fn size(self, layout: &Layout) -> usize;

    /// Returns true if training applies weight decay to the part.
    fn decays(self) -> bool;
}

/// A part of the weights of a net.
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

impl WeightPart for Part {
    const ALL: &'static [Self] = &[
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

    fn index(self) -> usize {
        self as usize
    }

    fn size(self, layout: &Layout) -> usize {
        match self {
            Self::Own | Self::Ally | Self::Enemy => inputs_of(layout.seat) * HIDDEN,
            Self::Table => inputs_of(layout.table) * HIDDEN,
            Self::Bias => HIDDEN,
            Self::Second => NARROW * HIDDEN,
            Self::SecondBias | Self::Last => layout.phases * NARROW,
            Self::Trust => layout.phases,
        }
    }

    fn decays(self) -> bool {
        matches!(self, Self::Own | Self::Ally | Self::Enemy | Self::Table | Self::Second)
    }
}

/// A part of the weights of a policy head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PolicyPart {
    /// First layer of an option's inputs, a row for each input.
    Rows,
    /// The layer of the mover's numbers, a row for each output.
    Body,
    /// The bias of both.
    Bias,
    /// Last layer.
    Last,
    /// The factor on the guide's logits.
    Trust,
}

impl WeightPart for PolicyPart {
    const ALL: &'static [Self] = &[Self::Rows, Self::Body, Self::Bias, Self::Last, Self::Trust];

    fn index(self) -> usize {
        self as usize
    }

    fn size(self, layout: &Layout) -> usize {
        match self {
            Self::Rows => inputs_of(layout.options) * HIDDEN,
            Self::Body => HIDDEN * HIDDEN,
            Self::Bias | Self::Last => HIDDEN,
            Self::Trust => 1,
        }
    }

    fn decays(self) -> bool {
        matches!(self, Self::Rows | Self::Body)
    }
}

/// All weights, by part.
#[derive(Clone, PartialEq, Debug)]
pub struct Parted<P> {
    all: Vec<f32>,
    /// Start of each part, and the end of the last one.
    starts: [usize; MOST_PARTS + 1],
    parts: PhantomData<P>,
}

/// All weights of a net.
pub type Weights = Parted<Part>;
/// All weights of a policy head.
pub type PolicyWeights = Parted<PolicyPart>;

impl<P: WeightPart> Parted<P> {
    /// Returns weights that are all 0.
    #[must_use]
    pub fn zero(layout: &Layout) -> Self {
        let (mut starts, mut end) = ([0; MOST_PARTS + 1], 0);
        for (i, part) in P::ALL.iter().enumerate() {
            end += part.size(layout);
            starts[i + 1] = end;
        }
        Self { all: vec![0.0; end], starts, parts: PhantomData }
    }

    fn range(&self, part: P) -> Range<usize> {
        self.starts[part.index()]..self.starts[part.index() + 1]
    }

    /// Returns a part.
    #[must_use]
    pub fn part(&self, part: P) -> &[f32] {
        &self.all[self.range(part)]
    }

    /// Returns a part for writing.
    pub fn part_mut(&mut self, part: P) -> &mut [f32] {
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

    /// Returns a row of [`HIDDEN`] weights of a part.
    #[inline]
    pub(super) fn row(&self, part: P, i: usize) -> &[f32; HIDDEN] {
        let start = self.starts[part.index()] + i * HIDDEN;
        self.all[start..].first_chunk().expect("a row")
    }

    /// Returns the same, to be changed.
    #[inline]
    pub(super) fn row_mut(&mut self, part: P, i: usize) -> &mut [f32; HIDDEN] {
        let start = self.starts[part.index()] + i * HIDDEN;
        self.all[start..].first_chunk_mut().expect("a row")
    }
}

impl Weights {
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

impl<P: WeightPart> Parameters for Parted<P> {
    fn all(&self) -> &[f32] {
        &self.all
    }

    fn all_mut(&mut self) -> &mut [f32] {
        &mut self.all
    }

    fn decaying(&self) -> Vec<Range<usize>> {
        P::ALL.iter().filter(|part| part.decays()).map(|&part| self.range(part)).collect()
    }
}
