//! The policy head of a net: logits of the options of a decision, beside those of the guide.
//!
//! **Shape.** The mover's numbers behind the first layer of the net pass a layer of their own. To these, each option
//! adds the rows of its sparse inputs ([`OptionInputs`]). Negative sums become 0, and a last layer reduces them to one
//! number. It is added to the guide's logit of the option times a factor, in the unit of the guide. A search takes the
//! softmax over the options at its temperature.
//!
//! **Numbers** are as those of the net: all sums are in whole numbers, so every machine computes the same bits.

use super::arithmetic::{
    FIRST, MOST, MOST_SECOND, Reader, Row, SECOND, TOP, TRUST, dot, gather, most_of, rows, whole,
};
use super::learning::{PolicyPart, PolicyWeights};
use super::options::OptionInputs;
use super::{HIDDEN, InputGroup, Layout};

/// Shift from the scale of a product of both layers to that of the first.
const SHIFT: u32 = SECOND.ilog2();

/// Quantised policy head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Policy {
    /// Rows by input of an option.
    rows: Vec<Row>,
    /// Layer of the mover's numbers, a row for each output.
    body: [Row; HIDDEN],
    bias: Row,
    last: Row,
    /// The factor on the guide's logits.
    trust: i16,
}

impl Policy {
    /// Returns the head of floating-point weights for the options of `layout`. Weights that are too large are cut.
    pub(super) fn of(weights: &PolicyWeights, layout: &Layout) -> Self {
        let small = |x: f32| whole(x, SECOND as f32, MOST_SECOND) as i16;
        let row = |part| -> [f32; HIDDEN] {
            *weights.part(part).first_chunk().expect("a part of a head has a row")
        };
        let (body, _) = weights.part(PolicyPart::Body).as_chunks::<HIDDEN>();
        Self {
            rows: rows(weights.part(PolicyPart::Rows), layout.options),
            body: std::array::from_fn(|i| body[i].map(small)),
            bias: row(PolicyPart::Bias).map(|x| whole(x, FIRST, MOST) as i16),
            last: row(PolicyPart::Last).map(small),
            trust: whole(weights.part(PolicyPart::Trust)[0], TRUST, MOST) as i16,
        }
    }

    /// Returns the sums that are common to all options, from the mover's numbers.
    fn base(&self, hidden: &Row) -> Row {
        std::array::from_fn(|i| {
            let sum = (dot(hidden, &self.body[i]) >> SHIFT) + i32::from(self.bias[i]);
            sum.clamp(i16::MIN.into(), i16::MAX.into()) as i16
        })
    }

    /// Changes the guide's `logits` of options, from the mover's numbers behind the first layer.
    pub(super) fn correct(&self, hidden: &Row, options: &OptionInputs, logits: &mut [f32]) {
        let base = self.base(hidden);
        let trust = f32::from(self.trust) / TRUST;
        for (logit, entries) in logits.iter_mut().zip(options.iter()) {
            let hidden = gather(&self.rows, entries, &base).map(|x| x.clamp(0, TOP));
            *logit = *logit * trust + dot(&hidden, &self.last) as f32 / (FIRST * SECOND as f32);
        }
    }

    /// Returns the bytes of all weights, in the order of a file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let rows = self.rows.iter().chain(&self.body).chain([&self.bias, &self.last]).flatten();
        rows.chain([&self.trust]).flat_map(|x| x.to_le_bytes()).collect()
    }

    /// Reads the weights of a file.
    ///
    /// # Errors
    /// If the number of weights is wrong, or a weight is too large.
    pub(super) fn from_bytes(bytes: &[u8], options: &[InputGroup]) -> Result<Self, String> {
        let mut reader = Reader(bytes);
        let read = Self::read(&mut reader, super::inputs_of(options));
        let policy = read.filter(|_| reader.0.is_empty());
        let policy = policy.ok_or("policy: it has another number of weights than options need")?;
        let is_large = |(row, group): (&Row, &InputGroup)| {
            row.iter().any(|&x| i32::from(x).abs() > most_of(group))
        };
        let layers = policy.body.iter().chain([&policy.last]).flatten();
        if policy.rows.iter().zip(Layout::each(options)).any(is_large) || { layers }
            .any(|&x| i32::from(x).abs() > MOST_SECOND)
        {
            return Err("policy: a weight is too large".to_owned());
        }
        Ok(policy)
    }

    fn read(reader: &mut Reader<'_>, inputs: usize) -> Option<Self> {
        Some(Self {
            rows: reader.rows(inputs)?,
            body: reader.rows(HIDDEN)?.try_into().ok()?,
            bias: reader.row()?,
            last: reader.row()?,
            trust: i16::from_le_bytes(reader.next()?),
        })
    }
}
