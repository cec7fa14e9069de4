//! Fixed-point numbers of nets: their scales, conversions, sums and bytes.

use super::{CEILING, Entry, HIDDEN, InputGroup, Layout};

/// Fixed-point value of 1 in the first layer.
pub(super) const FIRST: f32 = 1024.0;
/// Fixed-point value of 1 in the second layer.
pub(super) const SECOND: u32 = 512;
/// Fixed-point value of 1 in the last layer.
pub(super) const LAST: f32 = 4096.0;
/// Fixed-point value of 1 in the factors on the linear value.
pub(super) const TRUST: f32 = 1024.0;
/// Fixed-point value of 1 in a sum of the last layer.
pub(super) const SUM: f32 = FIRST * SECOND as f32 * LAST;
/// Largest output of the first layer.
pub(super) const TOP: i16 = (CEILING * FIRST) as i16;
/// Largest weight and bias of the second layer. With [`TOP`] its sums stay in `i32`.
pub(super) const MOST_SECOND: i32 = 4096;
pub(super) const MOST_BIAS: i32 = 1 << 28;
/// Largest weight where nothing else sets a limit.
pub(super) const MOST: i32 = i16::MAX as i32;

/// A row of the first layer.
pub(super) type Row = [i16; HIDDEN];

/// Returns the largest weight of an input whose product with a count stays in `i16`.
pub(super) fn most_of(group: &InputGroup) -> i32 {
    MOST / i32::from(group.most).max(1)
}

pub(super) fn whole(x: f32, one: f32, most: i32) -> i32 {
    let most = most as f32;
    libm::roundf(x * one).clamp(-most, most) as i32
}

/// Returns the quantised weights of a first layer, divided by the usual counts.
pub(super) fn rows(weights: &[f32], groups: &[InputGroup]) -> Vec<Row> {
    let (rows, _) = weights.as_chunks::<HIDDEN>();
    let row = |(row, group): (&[f32; HIDDEN], &InputGroup)| {
        row.map(|x| whole(x / group.usual, FIRST, most_of(group)) as i16)
    };
    rows.iter().zip(Layout::each(groups)).map(row).collect()
}

/// Adds rows times counts to a row. Each call computes one sum, which therefore stays in registers.
#[inline(never)]
pub(super) fn gather(rows: &[Row], entries: &[Entry], start: &Row) -> Row {
    let mut sum = *start;
    for entry in entries {
        let (row, count) = (&rows[usize::from(entry.input)], i16::from(entry.count));
        for (sum, weight) in sum.iter_mut().zip(row) {
            // The product cannot leave the type: see `Net::check`.
            *sum = sum.saturating_add(weight.wrapping_mul(count));
        }
    }
    sum
}

#[inline(never)]
pub(super) fn dot(a: &Row, b: &Row) -> i32 {
    let mut sum = 0;
    for i in 0..HIDDEN {
        sum += i32::from(a[i]) * i32::from(b[i]);
    }
    sum
}

/// Adds a row to another one.
pub(super) fn add(to: &mut Row, row: &Row) {
    to.iter_mut().zip(row).for_each(|(to, x)| *to = to.saturating_add(*x));
}

/// Reader of weights in their order.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    pub(super) fn rows(&mut self, n: usize) -> Option<Vec<Row>> {
        (0..n).map(|_| self.row()).collect()
    }

    pub(super) fn row(&mut self) -> Option<Row> {
        let mut row = [0; HIDDEN];
        row.iter_mut().try_for_each(|x| self.next().map(|bytes| *x = i16::from_le_bytes(bytes)))?;
        Some(row)
    }

    pub(super) fn next<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*bytes)
    }
}
