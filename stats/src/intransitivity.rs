//! Intransitivity: is strength one number, or does A beat B, B beat C and C beat A?
//!
//! **Decomposition** (Jiang, Lim, Yao & Ye 2011, Statistical ranking and combinatorial Hodge theory,
//! <https://doi.org/10.1007/s10107-010-0419-x>; for games Balduzzi et al. 2018, <https://arxiv.org/abs/1806.02643>).
//! The log odds `Y_ab` that one agent finishes before another are split by least squares over the measured pairs. The
//! part `s_a − s_b` is explained by ratings; the rest `R` is not. The *cyclic share* is `ΣR²/ΣY²`. Under Bradley–Terry
//! and Plackett–Luce `R` is zero; this is why log odds are split instead of shares. Pairs in which fewer than
//! [`FEWEST`] meetings went against the favourite are left out: their odds are not measured, and half a win more or
//! less would look like a cycle.
//!
//! **Noise.** Errors of `Y` make a rest even where there is none. On resamples of groups of blocks the rest `R*` has
//! about the error of `R` itself. So `‖R* − R‖²` shows the part of `‖R‖²` that noise alone makes. Its mean is the noise
//! floor. The p-value of "no cycles" is the part of resamples in which it reaches `‖R‖²`. The reported cyclic share has
//! the floor removed, `(ΣR² − E‖R* − R‖²)/(ΣY² − E‖Y* − Y‖²)`. Its interval comes from the same formula on resamples,
//! with twice the noise removed, since resamples have it twice.
//!
//! **Cycles of three** are found on shares: A before B, B before C and C before A, each in more than half of the
//! meetings. A cycle is as certain as the least certain of its three pairs (intersection–union test: Berger 1982). Its
//! p-value is adjusted by Holm over all sets of three.
//!
//! **Valid** for ten or more groups. The interval of the share is conservative near zero; the p-value is the test.

use nalgebra::{DMatrix, DVector};

use super::bootstrap::{Bootstrap, percentile};
use super::cross_table::CrossTable;
use super::interval::Interval;
use super::multiple;
use super::outcomes::{PairGroups, PairTotals};

/// The smallest number of meetings against the favourite of a pair for its log odds to count.
pub const FEWEST: f64 = 5.0;

/// The part of the results between agents that no rating can explain.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Intransitivity {
    /// The number of measured pairs.
    pub pairs: usize,
    /// The observed cyclic share including noise, in `[0, 1]`.
    pub seen: f64,
    /// The cyclic share that noise alone makes, in `[0, 1]`.
    pub noise: f64,
    /// The cyclic share with the noise removed, in `[0, 1]`.
    pub share: f64,
    /// Its 95 % interval, if there is one.
    pub interval: Option<Interval>,
    /// The p-value of "ratings explain everything"; `None` without resamples.
    pub p: Option<f64>,
}

impl Intransitivity {
    /// Splits the log odds of `groups`; `None` if the measured pairs close no cycle.
    #[must_use]
    pub fn new(groups: &PairGroups, plan: Bootstrap) -> Option<Self> {
        let all = groups.all();
        let split = Split::new(&all)?;
        let flow = split.flow(&all);
        let rest = split.rest(&flow);
        let whole = flow.norm_squared();
        let n = groups.groups();
        let draws = if n < 2 {
            Vec::new()
        } else {
            plan.draws(n, |times| Drawn::new(&split, &flow, &rest, &groups.totals(times)))
        };
        let mean = |part: fn(&Drawn) -> f64| {
            draws.iter().map(part).sum::<f64>() / draws.len().max(1) as f64
        };
        let (rest_noise, flow_noise) = (mean(|draw| draw.rest_error), mean(|draw| draw.flow_error));
        let corrected = |rest: f64, flow: f64, times: f64| {
            let share = (rest - times * rest_noise) / (flow - times * flow_noise).max(1e-12);
            share.clamp(0.0, 1.0)
        };
        let shares = draws.iter().map(|draw| corrected(draw.rest, draw.flow, 2.0)).collect();
        let reached = draws.iter().filter(|draw| draw.rest_error >= rest.norm_squared()).count();
        let part = |x: f64| if whole > 0.0 { (x / whole).min(1.0) } else { 0.0 };
        Some(Self {
            pairs: split.pairs.len(),
            seen: part(rest.norm_squared()),
            noise: part(rest_noise),
            share: corrected(rest.norm_squared(), whole, 1.0),
            interval: percentile(shares, n),
            p: (!draws.is_empty()).then(|| (reached + 1) as f64 / (draws.len() + 1) as f64),
        })
    }
}

/// One resample: squared sizes of the flow and its rest, and of their distances from the sample's.
struct Drawn {
    flow: f64,
    rest: f64,
    flow_error: f64,
    rest_error: f64,
}

impl Drawn {
    fn new(split: &Split, flow: &DVector<f64>, rest: &DVector<f64>, totals: &PairTotals) -> Self {
        let new_flow = split.flow(totals);
        let new_rest = split.rest(&new_flow);
        Self {
            flow: new_flow.norm_squared(),
            rest: new_rest.norm_squared(),
            flow_error: (&new_flow - flow).norm_squared(),
            rest_error: (&new_rest - rest).norm_squared(),
        }
    }
}

/// The measured pairs, and the projection of a flow onto its part that no rating explains.
struct Split {
    pairs: Vec<(usize, usize)>,
    rest: DMatrix<f64>,
}

impl Split {
    fn new(totals: &PairTotals) -> Option<Self> {
        let n = totals.agents();
        let measured = |&(a, b): &(usize, usize)| {
            let won = totals.points(a, b);
            won.min(totals.meetings(a, b) - won) >= FEWEST
        };
        let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let pairs: Vec<(usize, usize)> = all.filter(measured).collect();
        if pairs.is_empty() {
            return None;
        }
        let mut gradient = DMatrix::<f64>::zeros(pairs.len(), n);
        for (line, &(a, b)) in pairs.iter().enumerate() {
            gradient[(line, a)] = 1.0;
            gradient[(line, b)] = -1.0;
        }
        // One dimension of ratings for each agent, less one for each separate part of the pool.
        let inverse = gradient.clone().pseudo_inverse(1e-9).ok()?;
        let rest = DMatrix::identity(pairs.len(), pairs.len()) - gradient * inverse;
        (rest.trace() > 0.5).then_some(Self { pairs, rest })
    }

    fn flow(&self, totals: &PairTotals) -> DVector<f64> {
        let odds = self.pairs.iter().map(|&(a, b)| totals.log_odds(a, b));
        DVector::from_iterator(self.pairs.len(), odds)
    }

    fn rest(&self, flow: &DVector<f64>) -> DVector<f64> {
        &self.rest * flow
    }
}

/// A cycle of three agents: each finishes before the next, and the last before the first, in more than half of the
/// meetings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cycle {
    /// The agents, each ahead of the next; the lowest number comes first.
    pub agents: [usize; 3],
    /// The share of each agent against the next, above one half.
    pub shares: [f64; 3],
    /// The p-value of "one of the three is no better than one half", adjusted by Holm over all sets of three.
    pub p: f64,
}

/// Returns all cycles of three in `table`, the most certain first.
///
/// Sets with a pair for which `is_void` holds are neither tested nor counted.
#[must_use]
pub fn cycles(
    table: &CrossTable,
    agents: usize,
    is_void: impl Fn(usize, usize) -> bool,
) -> Vec<Cycle> {
    let is_tested =
        |&[a, b, c]: &[usize; 3]| ![(a, b), (a, c), (b, c)].iter().any(|&(a, b)| is_void(a, b));
    let sets: Vec<_> = triples(agents).filter(is_tested).collect();
    let mut found = Vec::new();
    for &[a, b, c] in &sets {
        found.push(cycle(table, [a, b, c]));
        found.push(cycle(table, [a, c, b]));
    }
    let mut cycles: Vec<Cycle> = found.into_iter().flatten().collect();
    let p: Vec<f64> = cycles.iter().map(|cycle| cycle.p).collect();
    // A set that is no cycle has a p-value of 1; it changes the others only by being counted.
    let padded: Vec<f64> = p.into_iter().chain(std::iter::repeat(1.0)).take(sets.len()).collect();
    for (cycle, p) in cycles.iter_mut().zip(multiple::holm(&padded)) {
        cycle.p = p;
    }
    let least = |cycle: &Cycle| cycle.shares.iter().copied().fold(1.0, f64::min);
    cycles.sort_by(|a, b| a.p.total_cmp(&b.p).then(least(b).total_cmp(&least(a))));
    cycles
}

fn triples(n: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..n).flat_map(move |a| (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| [a, b, c])))
}

fn cycle(table: &CrossTable, agents: [usize; 3]) -> Option<Cycle> {
    let [a, b, c] = agents;
    let edges = [table.shares(a, b), table.shares(b, c), table.shares(c, a)];
    let shares = edges.map(super::stratified::Stratified::mean);
    // Either direction of a set may be the observed one, hence the factor 2.
    let p = edges.iter().map(|edge| edge.tails(0.5)[0]).fold(0.0, f64::max);
    (edges.iter().all(|edge| edge.n() > 0) && shares.iter().all(|&share| share > 0.5))
        .then_some(Cycle { agents, shares, p: (2.0 * p).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Outcomes};

    /// Returns forty blocks of two-player games; the first agent wins `share(a, b)` of a pair's games.
    fn games(agents: usize, share: impl Fn(usize, usize) -> f64) -> (Outcomes, CrossTable) {
        let (mut outcomes, mut table) = (Outcomes::default(), CrossTable::new(agents));
        for block in 0..40 {
            for [a, b] in (0..agents).flat_map(|a| (a + 1..agents).map(move |b| [a, b])) {
                for game in 0..50 {
                    // Errors that differ by block and pair, but cancel over the blocks.
                    let shift = [0.02, -0.02][(block / (1 + a) + b) % 2];
                    let wins = f64::from(game) + 0.5 < 50.0 * (share(a, b) + shift);
                    let ranks = if wins { [1.0, 2.0] } else { [2.0, 1.0] };
                    let outcome = Outcome::new(&[a, b], &ranks);
                    outcomes.add(block as u64, outcome);
                    table.add(&outcome);
                }
            }
            table.close_block();
        }
        (outcomes, table)
    }

    #[test]
    fn rock_paper_scissors_is_all_cycle() {
        let (outcomes, table) = games(3, |a, b| if b == a + 1 { 0.7 } else { 0.3 });
        let found = Intransitivity::new(&PairGroups::new(&outcomes, 3), Bootstrap::new(1)).unwrap();
        assert!(found.seen > 0.99 && found.share > 0.99, "{found:?}");
        assert!(found.p.unwrap() < 0.001, "{found:?}");
        let cycles = cycles(&table, 3, |_, _| false);
        assert_eq!((cycles.len(), cycles[0].agents), (1, [0, 1, 2]));
        assert!(cycles[0].p < 1e-6 && (cycles[0].shares[0] - 0.7).abs() < 0.01);
    }

    #[test]
    fn ratings_explain_games_that_are_played_by_ratings() {
        let strength = [1.2f64, 0.4, 0.0, -0.5];
        let (outcomes, table) = games(4, |a, b| 1.0 / (1.0 + (strength[b] - strength[a]).exp()));
        let found = Intransitivity::new(&PairGroups::new(&outcomes, 4), Bootstrap::new(1)).unwrap();
        assert!(found.seen < 0.005 && found.p.unwrap() > 0.05, "{found:?}");
        assert!(cycles(&table, 4, |_, _| false).is_empty());
    }

    #[test]
    fn pairs_that_are_too_one_sided_are_no_cycle() {
        let (outcomes, _) = games(3, |a, b| if b > a { 1.1 } else { -0.1 });
        assert_eq!(Intransitivity::new(&PairGroups::new(&outcomes, 3), Bootstrap::new(1)), None);
    }
}
