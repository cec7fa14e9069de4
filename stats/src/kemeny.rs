//! Kemeny's order: the order of agents that the fewest meetings contradict.
//!
//! Every meeting of two agents is a vote for one order of the two. An order of all agents is better if fewer votes
//! contradict it. The best order is the maximum-likelihood order if every meeting errs with the same probability. It
//! begins with the agent that finished before each of the others more often than not, if there is one (a *Condorcet
//! winner*): J. Kemeny, Mathematics without numbers, Daedalus 88 (1959), 577–591; H. P. Young, Condorcet's theory of
//! voting (1988), <https://doi.org/10.2307/1961757>.
//!
//! Up to [`MOST_EXACT`] agents the order is found exactly, over all sets of first agents (Held & Karp 1962). Beyond
//! that, single agents are moved until no move helps, from the order of net wins and from [`STARTS`] shuffled orders;
//! the best result is kept. The exact search is NP-hard.
//!
//! **Not** an effect size, and without an interval: [`super::soft_condorcet`] has one.

use engine::Randomness;
use engine::rng::{Purpose, stream};

use super::outcomes::PairTotals;

/// The largest number of agents whose order is found exactly.
pub const MOST_EXACT: usize = 12;

/// The number of shuffled orders from which agents are moved, besides the order of net wins.
///
/// Without them a pool full of cycles can end at two thirds of the best order's votes.
pub const STARTS: u32 = 30;

/// The largest number of rounds in which every agent is moved.
const ROUNDS: u32 = 100;

/// The smallest gain that counts as an improvement.
const LEAST: f64 = 1e-12;

/// A Kemeny order of agents.
#[derive(Clone, PartialEq, Debug)]
pub struct Kemeny {
    /// All agents, the best first.
    pub order: Vec<usize>,
    /// The part of all meetings that contradict the order, in `[0, 1]`; ties count half.
    pub against: f64,
    /// True if no order is better; otherwise only no move of a single agent improves it.
    pub is_exact: bool,
}

impl Kemeny {
    /// Returns the order of the agents of `totals`; among equally good orders the choice is always the same.
    #[must_use]
    pub fn new(totals: &PairTotals) -> Self {
        let n = totals.agents();
        let margin = |a: usize, b: usize| totals.points(a, b) - totals.points(b, a);
        let is_exact = n <= MOST_EXACT;
        let order = if is_exact { exact(n, &margin) } else { moved(n, &margin) };
        let (mut meetings, mut against) = (0.0, 0.0);
        for (place, &a) in order.iter().enumerate() {
            for &b in &order[place + 1..] {
                meetings += totals.meetings(a, b);
                against += totals.points(b, a);
            }
        }
        let against = if meetings > 0.0 { against / meetings } else { 0.0 };
        Self { order, against, is_exact }
    }

    /// Returns the place of an agent in the order, from 1.
    ///
    /// # Panics
    /// If there is no such agent.
    #[must_use]
    pub fn place(&self, agent: usize) -> usize {
        let place = self.order.iter().position(|&other| other == agent);
        place.expect("the order has all agents") + 1
    }
}

/// Returns the best of all orders; `margin(a, b)` is how many times more `a` finished before `b` than behind.
fn exact(n: usize, margin: &impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let members = |set: usize| (0..n).filter(move |a| set >> a & 1 == 1);
    // By the set of first agents: the highest score of any order of them, and the last agent of that order.
    let mut best = vec![(0.0, usize::MAX); 1 << n];
    for set in 1..1_usize << n {
        best[set].0 = f64::NEG_INFINITY;
        for last in members(set) {
            let before = set & !(1 << last);
            let won = best[before].0 + members(before).map(|b| margin(b, last)).sum::<f64>();
            if won > best[set].0 + LEAST {
                best[set] = (won, last);
            }
        }
    }
    let mut order = Vec::with_capacity(n);
    let mut set = (1 << n) - 1;
    while set > 0 {
        let last = best[set].1;
        order.push(last);
        set &= !(1 << last);
    }
    order.reverse();
    order
}

/// Returns the best of the orders that no move of one agent improves, from several starts.
///
/// The result depends only on the margins.
pub(super) fn moved(n: usize, margin: &impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let net: Vec<f64> =
        (0..n).map(|a| (0..n).filter(|&b| b != a).map(|b| margin(a, b)).sum()).collect();
    let mut start: Vec<usize> = (0..n).collect();
    start.sort_by(|&a, &b| net[b].total_cmp(&net[a]));
    let mut best = settled(start.clone(), margin);
    let mut most = won(&best, margin);
    let mut rng = stream(0, n as u64, Purpose::Analysis);
    for _ in 0..STARTS {
        rng.shuffle(&mut start);
        let order = settled(start.clone(), margin);
        let points = won(&order, margin);
        if points > most + LEAST {
            (best, most) = (order, points);
        }
    }
    best
}

/// Returns the score of an order: the sum of the margins of each agent over all agents behind it.
fn won(order: &[usize], margin: &impl Fn(usize, usize) -> f64) -> f64 {
    let pairs =
        order.iter().enumerate().flat_map(|(i, &a)| order[i + 1..].iter().map(move |&b| (a, b)));
    pairs.map(|(a, b)| margin(a, b)).sum()
}

/// Returns `order` after agents are moved until no single move improves it.
fn settled(mut order: Vec<usize>, margin: &impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let n = order.len();
    for _ in 0..ROUNDS {
        let mut has_moved = false;
        for agent in 0..n {
            has_moved |= move_one(&mut order, agent, margin);
        }
        if !has_moved {
            break;
        }
    }
    order
}

/// Moves `agent` to its best place and returns whether that is a new place.
fn move_one(order: &mut Vec<usize>, agent: usize, margin: &impl Fn(usize, usize) -> f64) -> bool {
    let Some(here) = order.iter().position(|&a| a == agent) else { return false };
    let (mut best, mut most) = (here, LEAST);
    let mut gain = 0.0;
    for place in (0..here).rev() {
        gain += margin(agent, order[place]);
        if gain > most {
            (best, most) = (place, gain);
        }
    }
    gain = 0.0;
    for (place, &other) in order.iter().enumerate().skip(here + 1) {
        gain += margin(other, agent);
        if gain > most {
            (best, most) = (place, gain);
        }
    }
    order.remove(here);
    order.insert(best, agent);
    best != here
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the score of the best order, by trying all orders.
    fn most(n: usize, margin: &impl Fn(usize, usize) -> f64) -> f64 {
        fn all(left: &[usize], tell: &mut dyn FnMut(&[usize]), so_far: &mut Vec<usize>) {
            if left.is_empty() {
                return tell(so_far);
            }
            for &next in left {
                let rest: Vec<usize> = left.iter().copied().filter(|&a| a != next).collect();
                so_far.push(next);
                all(&rest, tell, so_far);
                so_far.pop();
            }
        }
        let mut best = f64::NEG_INFINITY;
        let agents: Vec<usize> = (0..n).collect();
        all(&agents, &mut |order| best = best.max(won(order, margin)), &mut Vec::new());
        best
    }

    #[test]
    fn no_order_of_six_is_better_and_moves_come_near() {
        let mut rng = stream(21, 0, Purpose::Analysis);
        let mut found = 0;
        for _ in 0..60 {
            let table: Vec<f64> = (0..36).map(|_| rng.unit() - 0.5).collect();
            let margin = |a: usize, b: usize| table[a * 6 + b] - table[b * 6 + a];
            let best = most(6, &margin);
            assert!((won(&exact(6, &margin), &margin) - best).abs() < 1e-9);
            let near = won(&moved(6, &margin), &margin);
            assert!(near <= best + 1e-9 && near > 0.95 * best, "{near} of {best}");
            found += u32::from((near - best).abs() < 1e-9);
        }
        assert!(found >= 55, "moves found the best of {found} in 60");
    }

    #[test]
    fn a_condorcet_order_is_found_whatever_the_sizes_of_the_margins() {
        let order = [3, 0, 4, 2, 1];
        let place = |a: usize| order.iter().position(|&x| x == a).unwrap();
        // Net wins give another order than these margins: the last agent loses narrowly to all but the first, narrowly
        // first.
        let margin = |a: usize, b: usize| {
            let (i, j) = (place(a), place(b));
            let size = if i.min(j) == 0 { 0.01 } else { 0.3 + 0.1 * (i + j) as f64 };
            if i < j { size } else { -size }
        };
        assert_eq!(exact(5, &margin), order);
        assert_eq!(moved(5, &margin), order);
    }
}
