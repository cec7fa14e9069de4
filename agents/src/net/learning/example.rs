//! Packed training positions.

use engine::PlayerSet;

use crate::net::{Entry, Inputs};

/// Mark of an input that the other seats also receive.
const SHARED: u16 = 1 << 15;

/// Inputs of a position, with the result of its game.
#[derive(Clone, PartialEq, Debug)]
pub struct Example {
    /// The phase of the game.
    pub phase: usize,
    /// Final points of the seats.
    pub points: Vec<f32>,
    /// Logits of the seats by the linear value.
    pub linear: Vec<f32>,
    /// Allies by seat.
    allies: Vec<PlayerSet>,
    /// Numbers of the inputs that are not 0, by seat and then of the table, and their counts.
    inputs: Box<[u16]>,
    counts: Box<[i8]>,
    /// End of the inputs of each seat.
    ends: Vec<u16>,
}

/// An input of an example.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) input: usize,
    pub(super) count: i8,
    pub(super) is_shared: bool,
}

impl Seen {
    const fn entry(self) -> Entry {
        Entry { input: self.input as u16, count: self.count }
    }
}

impl Example {
    /// Returns the example of a position with these inputs, the final `points`, and the logits `linear` of the seats
    /// without a net.
    #[must_use]
    pub fn of(inputs: &Inputs, linear: Vec<f32>, points: Vec<f32>) -> Self {
        let seats = &inputs.seats[..inputs.n_players];
        let (mut numbers, mut counts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for seat in seats {
            // Shared inputs stand in both lists, in the same order.
            let mut shared = seat.shared.iter().peekable();
            for entry in &seat.own {
                let is_shared = shared.next_if_eq(&entry).is_some();
                numbers.push(entry.input | if is_shared { SHARED } else { 0 });
                counts.push(entry.count);
            }
            ends.push(numbers.len() as u16);
        }
        for Entry { input, count } in &inputs.table {
            numbers.push(*input);
            counts.push(*count);
        }
        Self {
            phase: inputs.phase,
            points,
            linear,
            allies: seats.iter().map(|seat| seat.allies).collect(),
            inputs: numbers.into(),
            counts: counts.into(),
            ends,
        }
    }

    /// Returns the number of seats at the table.
    #[must_use]
    pub fn n_players(&self) -> usize {
        self.ends.len()
    }

    /// Unpacks the inputs into `out`.
    pub fn unpack(&self, out: &mut Inputs) {
        out.begin(self.n_players(), self.phase);
        for (seat, inputs) in out.seats[..self.n_players()].iter_mut().enumerate() {
            inputs.allies = self.allies[seat];
            for seen in self.seat(seat) {
                inputs.own.push(seen.entry());
                if seen.is_shared {
                    inputs.shared.push(seen.entry());
                }
            }
        }
        out.table.extend(self.table().map(Seen::entry));
    }

    pub(super) fn allies(&self, seat: usize) -> PlayerSet {
        self.allies[seat]
    }

    /// Returns the inputs of a seat.
    pub(super) fn seat(&self, seat: usize) -> impl Iterator<Item = Seen> {
        let start = if seat == 0 { 0 } else { self.ends[seat - 1] };
        self.seen(start.into(), self.ends[seat].into())
    }

    /// Returns the inputs of the table.
    pub(super) fn table(&self) -> impl Iterator<Item = Seen> {
        self.seen(self.ends.last().copied().unwrap_or(0).into(), self.inputs.len())
    }

    fn seen(&self, start: usize, end: usize) -> impl Iterator<Item = Seen> {
        let all = self.inputs[start..end].iter().zip(&self.counts[start..end]);
        all.map(|(input, count)| Seen {
            input: (input & !SHARED).into(),
            count: *count,
            is_shared: input & SHARED != 0,
        })
    }
}
