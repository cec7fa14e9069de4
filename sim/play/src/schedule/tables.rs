//! Tables of a schedule: each pair of entrants meets equally often, as early as possible.
//!
//! The entrants are the numbers modulo n. A table {a, b, …} and its shifts {a + t, b + t, …} form an *orbit*. In an
//! orbit each entrant plays equally often, and two entrants meet as often as their difference occurs in the table
//! (cyclic development, Bose 1939, doi:10.1111/j.1469-1809.1939.tb02219.x). Orbits are taken in turn, each time the
//! orbit that leaves the differences most even. If a table is a perfect difference set, as {0, 1, 3, 9} modulo 13 is,
//! its orbit alone is a balanced design, and it is found first.

use engine::MAX_PLAYERS;

use super::Seating;

/// The largest number of orbits that are considered; larger pools get the first of them, in numerical order.
const MOST_ORBITS: usize = 1 << 15;
/// The largest number of orbits that are taken; pools of up to thirteen entrants can play all tables.
const MOST_TAKEN: usize = 512;

/// Returns tables of `size` out of `n` entrants, and the number of tables after which all pairs have met equally often.
///
/// These are all tables, unless there are more than [`MOST_TAKEN`] orbits of them; then the list ends at a balanced
/// place.
pub(super) fn cyclic(n: usize, size: usize) -> (Vec<Seating>, u64) {
    let mut rest = orbits(n, size);
    let mut even = Evenness::new(n);
    let mut tables = Vec::new();
    let mut cycle = None;
    let mut last_even = 0;
    for _ in 0..MOST_TAKEN {
        let Some(best) = (0..rest.len()).min_by_key(|&i| even.with(&rest[i])) else { break };
        let orbit = rest.remove(best);
        even.add(&orbit);
        tables.extend((0..orbit.len).map(|shift| orbit.shifted(n, shift)));
        if even.is_even() {
            last_even = tables.len();
            cycle.get_or_insert(last_even as u64);
        }
    }
    if let Some(cycle) = cycle {
        tables.truncate(last_even);
        (tables, cycle)
    } else {
        // Too many orbits to take them all, and no balanced place among those taken: the whole list is the cycle.
        let all = tables.len() as u64;
        (tables, all)
    }
}

/// Returns tables of entrant 0 with `size − 1` of the other `n − 1`.
pub(super) fn gauntlet(n: usize, size: usize) -> (Vec<Seating>, u64) {
    let (field, cycle) = cyclic(n - 1, size - 1);
    let with_candidate = |others: &Seating| {
        let mut table = [0; MAX_PLAYERS];
        for (seat, other) in table[1..size].iter_mut().zip(others) {
            *seat = other + 1;
        }
        table
    };
    (field.iter().map(with_candidate).collect(), cycle)
}

/// A table with its shifts.
struct Orbit {
    table: Seating,
    size: usize,
    /// The number of different shifts.
    len: usize,
    /// The number of times that two entrants at distance d in `1..=n/2` meet in the orbit.
    differences: Vec<u64>,
    /// The sum of the differences, and the sum of their squares.
    moments: [u64; 2],
}

impl Orbit {
    fn new(table: Seating, size: usize, n: usize) -> Self {
        let differences = vec![0; n / 2 + 1];
        let mut orbit = Self { table, size, len: n, differences, moments: [0; 2] };
        let own = sorted(orbit.shifted(n, 0), size);
        // Shifts that map the table to itself are a group without fixed entrants, so its order divides both numbers.
        let could = |shift: &usize| n.is_multiple_of(*shift) && size.is_multiple_of(n / shift);
        let is_own = |&shift: &usize| sorted(orbit.shifted(n, shift), size) == own;
        let back = (1..n).filter(could).find(is_own);
        orbit.len = back.unwrap_or(n);
        for (i, &a) in table[..size].iter().enumerate() {
            for &b in &table[i + 1..size] {
                let d = usize::from(b - a);
                let d = d.min(n - d);
                // Half as many pairs are half a circle apart, so each of them meets twice as often.
                orbit.differences[d] += if 2 * d == n { 2 } else { 1 };
            }
        }
        // A table that some shift maps to itself has fewer shifts.
        orbit
            .differences
            .iter_mut()
            .for_each(|times| *times = *times * orbit.len as u64 / n as u64);
        orbit.moments = moments(&orbit.differences);
        orbit
    }

    fn shifted(&self, n: usize, shift: usize) -> Seating {
        let mut table = [0; MAX_PLAYERS];
        for (seat, entrant) in table.iter_mut().zip(self.table).take(self.size) {
            *seat = ((usize::from(entrant) + shift) % n) as u8;
        }
        table
    }
}

fn sorted(mut table: Seating, size: usize) -> Vec<u8> {
    table[..size].sort_unstable();
    table[..size].to_vec()
}

/// The meetings so far, by difference.
struct Evenness {
    sums: Vec<u64>,
    /// The sum of the meetings, and the sum of their squares.
    moments: [u64; 2],
}

fn moments(counts: &[u64]) -> [u64; 2] {
    counts.iter().fold([0, 0], |[sum, squares], n| [sum + n, squares + n * n])
}

impl Evenness {
    fn new(n: usize) -> Self {
        Self { sums: vec![0; n / 2 + 1], moments: [0; 2] }
    }

    fn add(&mut self, orbit: &Orbit) {
        self.sums.iter_mut().zip(&orbit.differences).for_each(|(sum, more)| *sum += more);
        self.moments = moments(&self.sums);
    }

    /// Returns the unevenness of the meetings with another orbit: a multiple of their variance.
    fn with(&self, orbit: &Orbit) -> u64 {
        let mut both = 0;
        for (sum, more) in self.sums.iter().zip(&orbit.differences) {
            both += sum * more;
        }
        let [sum, squares] = [0, 1].map(|i| self.moments[i] + orbit.moments[i]);
        (squares + 2 * both) * (self.sums.len() as u64 - 1) - sum * sum
    }

    fn is_even(&self) -> bool {
        self.sums[1..].windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// Returns one table of each orbit: those with entrant 0, in ascending order, that are the first of their shifts.
fn orbits(n: usize, size: usize) -> Vec<Orbit> {
    let mut found = Vec::new();
    let mut table = [0; MAX_PLAYERS];
    extend(&mut table, 1, size, n, &mut found);
    found
}

fn extend(table: &mut Seating, chosen: usize, size: usize, n: usize, found: &mut Vec<Orbit>) {
    if found.len() == MOST_ORBITS {
        return;
    }
    if chosen >= size {
        let gaps: Vec<usize> = gaps(table, size, n);
        let is_first = (1..size).all(|turn| {
            let mut turned = gaps.clone();
            turned.rotate_left(turn);
            gaps <= turned
        });
        if is_first {
            found.push(Orbit::new(*table, size, n));
        }
        return;
    }
    let least = if chosen == 0 { 0 } else { table[chosen - 1] + 1 };
    for entrant in least..n as u8 {
        table[chosen] = entrant;
        extend(table, chosen + 1, size, n, found);
    }
}

/// Returns the steps round the circle from each entrant of the table to the next; shifts only rotate them.
fn gaps(table: &Seating, size: usize, n: usize) -> Vec<usize> {
    let step = |i: usize| {
        let next = if i + 1 == size { n } else { usize::from(table[i + 1]) };
        next - usize::from(table[i])
    };
    (0..size).map(step).collect()
}
