//! Quantised weights of a net, with conversions from and to floating-point weights.

use super::arithmetic::{
    FIRST, LAST, MOST, MOST_BIAS, MOST_SECOND, Reader, Row, SECOND, TRUST, most_of, rows, whole,
};
use super::learning::{Part, Weights};
use super::policy::Policy;
use super::{HIDDEN, InputGroup, Layout, NARROW};

/// Quantised net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net {
    /// Rows by input of a seat: its own, an ally's, an enemy's.
    pub(super) own: Vec<Row>,
    pub(super) ally: Vec<Row>,
    pub(super) enemy: Vec<Row>,
    /// Rows by input of the table.
    pub(super) table: Vec<Row>,
    pub(super) bias: Row,
    pub(super) second: [Row; NARROW],
    /// Layers by phase.
    pub(super) last: Vec<Last>,
    /// The head for priors, if there is one.
    pub(super) policy: Option<Policy>,
}

/// Layers of a phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Last {
    pub(super) bias: [i32; NARROW],
    pub(super) weights: [i16; NARROW],
    /// The factor on the linear value.
    pub(super) trust: i16,
}

/// Returns the weights of whole-number rows.
fn unrowed(rows: &[Row], groups: &[InputGroup], out: &mut [f32]) {
    let (chunks, _) = out.as_chunks_mut::<HIDDEN>();
    for ((out, row), group) in chunks.iter_mut().zip(rows).zip(Layout::each(groups)) {
        *out = row.map(|x| f32::from(x) / FIRST * group.usual);
    }
}

impl Net {
    /// Returns the net of floating-point weights, whose inputs `layout` describes. Weights that are too large are cut.
    #[must_use]
    pub fn of(weights: &Weights, layout: &Layout) -> Self {
        let seat = |part| rows(weights.part(part), layout.seat);
        let (second, _) = weights.part(Part::Second).as_chunks::<HIDDEN>();
        let narrow = |part, phase: usize| -> [f32; NARROW] {
            std::array::from_fn(|i| weights.part(part)[phase * NARROW + i])
        };
        let last = |phase: usize| Last {
            bias: narrow(Part::SecondBias, phase)
                .map(|x| whole(x, FIRST * SECOND as f32, MOST_BIAS)),
            weights: narrow(Part::Last, phase).map(|x| whole(x, LAST, MOST) as i16),
            trust: whole(weights.part(Part::Trust)[phase], TRUST, MOST) as i16,
        };
        Self {
            own: seat(Part::Own),
            ally: seat(Part::Ally),
            enemy: seat(Part::Enemy),
            table: rows(weights.part(Part::Table), layout.table),
            bias: std::array::from_fn(|i| whole(weights.part(Part::Bias)[i], FIRST, MOST) as i16),
            second: std::array::from_fn(|i| {
                second[i].map(|x| whole(x, SECOND as f32, MOST_SECOND) as i16)
            }),
            last: (0..layout.phases).map(last).collect(),
            policy: None,
        }
    }

    /// Returns the floating-point weights of the net, from which training can continue.
    #[must_use]
    pub fn weights(&self, layout: &Layout) -> Weights {
        let mut weights = Weights::zero(layout);
        for (part, rows) in
            [(Part::Own, &self.own), (Part::Ally, &self.ally), (Part::Enemy, &self.enemy)]
        {
            unrowed(rows, layout.seat, weights.part_mut(part));
        }
        unrowed(&self.table, layout.table, weights.part_mut(Part::Table));
        let put = |out: &mut [f32], all: &mut dyn Iterator<Item = f32>| {
            out.iter_mut().zip(all).for_each(|(out, x)| *out = x);
        };
        put(weights.part_mut(Part::Bias), &mut self.bias.iter().map(|&x| f32::from(x) / FIRST));
        let second = self.second.iter().flatten();
        put(weights.part_mut(Part::Second), &mut second.map(|&x| f32::from(x) / SECOND as f32));
        let bias = self.last.iter().flat_map(|last| last.bias);
        put(
            weights.part_mut(Part::SecondBias),
            &mut bias.map(|x| x as f32 / (FIRST * SECOND as f32)),
        );
        let last = self.last.iter().flat_map(|last| last.weights);
        put(weights.part_mut(Part::Last), &mut last.map(|x| f32::from(x) / LAST));
        let trust = self.last.iter().map(|last| f32::from(last.trust) / TRUST);
        put(weights.part_mut(Part::Trust), &mut { trust });
        weights
    }

    /// Returns the bytes of all weights, in the order of a file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let rows = [&self.own, &self.ally, &self.enemy, &self.table].into_iter().flatten();
        let rows = rows.chain([&self.bias]).chain(&self.second).flatten();
        let mut bytes: Vec<u8> = rows.flat_map(|x| x.to_le_bytes()).collect();
        for last in &self.last {
            bytes.extend(last.bias.iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend(last.weights.iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend(last.trust.to_le_bytes());
        }
        bytes
    }

    /// Reads the weights of a file.
    ///
    /// # Errors
    /// If the number of weights is wrong, or a weight is too large.
    pub(super) fn from_bytes(bytes: &[u8], layout: &Layout) -> Result<Self, String> {
        let mut reader = Reader(bytes);
        let net = reader.net(layout).ok_or("weights: there are fewer than the inputs need")?;
        if !reader.0.is_empty() {
            return Err("weights: there are more than the inputs need".to_owned());
        }
        net.check(layout)?;
        Ok(net)
    }

    /// Refuses weights with which a sum could leave its type.
    fn check(&self, layout: &Layout) -> Result<(), String> {
        let seat = [&self.own, &self.ally, &self.enemy];
        let rows =
            seat.into_iter().map(|rows| (rows, layout.seat)).chain([(&self.table, layout.table)]);
        for (rows, groups) in rows {
            for (row, group) in rows.iter().zip(Layout::each(groups)) {
                let most = most_of(group);
                if row.iter().any(|&x| i32::from(x).abs() > most) {
                    return Err(format!(
                        "weights: one of the input {} is beyond {most}",
                        group.name
                    ));
                }
            }
        }
        let second = self.second.iter().flatten().any(|&x| i32::from(x).abs() > MOST_SECOND);
        let bias = self
            .last
            .iter()
            .flat_map(|last| last.bias)
            .any(|x| x.unsigned_abs() > MOST_BIAS as u32);
        if second || bias {
            return Err("weights: one of the second layer is too large".to_owned());
        }
        Ok(())
    }
}

impl Reader<'_> {
    fn net(&mut self, layout: &Layout) -> Option<Net> {
        let (seat, table) = (super::inputs_of(layout.seat), super::inputs_of(layout.table));
        let [own, ally, enemy] = [self.rows(seat)?, self.rows(seat)?, self.rows(seat)?];
        let (table, bias) = (self.rows(table)?, self.row()?);
        let second = self.rows(NARROW)?.try_into().ok()?;
        let last = (0..layout.phases).map(|_| self.last()).collect::<Option<_>>()?;
        Some(Net { own, ally, enemy, table, bias, second, last, policy: None })
    }

    fn last(&mut self) -> Option<Last> {
        let (mut bias, mut weights) = ([0; NARROW], [0; NARROW]);
        bias.iter_mut()
            .try_for_each(|x| self.next().map(|bytes| *x = i32::from_le_bytes(bytes)))?;
        weights
            .iter_mut()
            .try_for_each(|x| self.next().map(|bytes| *x = i16::from_le_bytes(bytes)))?;
        Some(Last { bias, weights, trust: i16::from_le_bytes(self.next()?) })
    }
}
