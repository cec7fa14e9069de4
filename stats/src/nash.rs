//! Nash averaging: strength against the hardest mix of opponents.
//!
//! Two meta-players each choose an agent. The payoff is the share of one agent against the other, minus one half. The
//! game is symmetric and zero-sum, so there is a mix `p` against which no agent gets more than one half: `A p ≤ 0`. The
//! *Nash average* of an agent is its share against that mix, `½ + (A p)_i`: one half for the agents of the mix, less
//! for others (Balduzzi et al. 2018, Re-evaluating Evaluation, <https://arxiv.org/abs/1806.02643>). If the equilibrium
//! is unique, any number of copies of an agent change no average. An agent that loses to all others also changes none.
//!
//! **Computation.** Of the mixes with `A p ≤ ε`, `ε =` [`EPSILON`] in share, the mix with the highest entropy is
//! computed, to within 10⁻⁶ of that entropy. A barrier method (Boyd & Vandenberghe 2004, section 11.3) starts at a
//! corner found by the simplex method of [`matrix_game`](crate::matrix_game). The small `ε` gives the set of mixes an
//! interior, so the entropy has its maximum inside; averages are exact to `ε`. If there are several equilibria, the mix
//! of highest entropy is unique. A copy then moves weight between them, but changes no average of an agent in the mix.
//!
//! **Valid** for two-player games, and for pairs out of larger games as a description: the mix then concerns "finish
//! before the opponent", not "win the game". Small changes of the shares can change the mix a lot, hence the ranges of
//! [`NashAverage::ranges`]. These are percentiles of resamples without a guaranteed coverage, since averages are cut
//! off at one half.

use nalgebra::{DMatrix, DVector};

use crate::bootstrap::{Bootstrap, percentile};
use crate::interval::Interval;
use crate::matrix_game::matrix_game;
use crate::outcomes::{PairGroups, PairTotals};

/// The share above one half that an agent may get against the mix.
pub const EPSILON: f64 = 1e-7;

/// A mix of highest entropy, and every agent's share against it.
#[derive(Clone, PartialEq, Debug)]
pub struct NashAverage {
    /// The probability of each agent in the mix.
    pub mix: Vec<f64>,
    /// The share of each agent against the mix; at most one half.
    pub averages: Vec<f64>,
    /// The central 95 % of the averages on resamples, if there are resamples.
    pub ranges: Vec<Option<Interval>>,
}

impl NashAverage {
    /// Returns the averages from the shares in `groups`; `None` if there is no agent, or some pair never met.
    #[must_use]
    pub fn new(groups: &PairGroups, plan: Bootstrap) -> Option<Self> {
        let matrix = antisymmetric(&groups.all())?;
        let mix = equilibrium(&matrix);
        let averages = against(&matrix, &mix);
        let n = groups.groups();
        let draws = if n < 2 {
            Vec::new()
        } else {
            plan.draws(n, |times| {
                let matrix = antisymmetric(&groups.totals(times))?;
                Some(against(&matrix, &equilibrium(&matrix)))
            })
        };
        let column = |i: usize| {
            draws.iter().map(|draw| draw.as_ref().map_or(f64::NAN, |draw| draw[i])).collect()
        };
        let ranges = (0..mix.len()).map(|i| percentile(column(i), n)).collect();
        Some(Self { mix, averages, ranges })
    }
}

/// Returns the shares minus one half, rows against columns; `None` if some pair never met.
fn antisymmetric(totals: &PairTotals) -> Option<Vec<Vec<f64>>> {
    let n = totals.agents();
    let met = |a: usize, b: usize| a == b || totals.meetings(a, b) > 0.0;
    let complete = n > 0 && (0..n).all(|a| (0..n).all(|b| met(a, b)));
    let row = |a: usize| (0..n).map(|b| totals.share(a, b) - 0.5).collect();
    complete.then(|| (0..n).map(row).collect())
}

fn against(matrix: &[Vec<f64>], mix: &[f64]) -> Vec<f64> {
    let share = |row: &Vec<f64>| 0.5 + row.iter().zip(mix).map(|(a, p)| a * p).sum::<f64>();
    matrix.iter().map(share).collect()
}

/// Returns the mix of highest entropy against which no row of the antisymmetric `matrix` gets more than [`EPSILON`].
///
/// # Panics
/// If the matrix is empty or not square, or holds entries that are not finite.
#[must_use]
pub fn equilibrium(matrix: &[Vec<f64>]) -> Vec<f64> {
    let n = matrix.len();
    let a = DMatrix::from_fn(n, n, |i, j| matrix[i][j]);
    let corner = DVector::from_vec(matrix_game(matrix).columns);
    let uniform = DVector::from_element(n, 1.0 / n as f64);
    // Moves towards the middle, but uses only half of the slack that epsilon leaves.
    let most = (&a * &uniform).max().max(EPSILON);
    let part = 0.5 * EPSILON / most;
    let mut mix = corner * (1.0 - part) + uniform * part;
    let mut barrier = 1.0;
    while barrier * n as f64 > 1e-6 {
        barrier *= 0.2;
        (0..50).find(|_| !step(&a, &mut mix, barrier));
    }
    mix.iter().copied().collect()
}

/// Takes a Newton step towards the minimum of `Σ p ln p − barrier · Σ ln(ε − A p)`; returns false if it does not move.
fn step(a: &DMatrix<f64>, mix: &mut DVector<f64>, barrier: f64) -> bool {
    let n = mix.len();
    let slack = (a * &*mix).map(|gain| EPSILON - gain);
    let gradient = mix.map(|p| p.ln() + 1.0) + a.tr_mul(&slack.map(|s| barrier / s));
    let weighted = DMatrix::from_fn(n, n, |i, j| a[(i, j)] * barrier.sqrt() / slack[i]);
    let hessian = weighted.tr_mul(&weighted) + DMatrix::from_diagonal(&mix.map(|p| 1.0 / p));
    let Some(hessian) = hessian.cholesky() else { return false };
    // Probabilities still add up to one: the multiplier removes the part along (1, …, 1).
    let (down, ones) = (hessian.solve(&gradient), hessian.solve(&DVector::from_element(n, 1.0)));
    let direction = &ones * (down.sum() / ones.sum()) - down;
    let fall = -gradient.dot(&direction);
    if fall < 1e-14 {
        return false;
    }
    let value = |mix: &DVector<f64>| {
        let slack = (a * mix).map(|gain| EPSILON - gain);
        let inside = mix.min() > 0.0 && slack.min() > 0.0;
        inside.then(|| {
            mix.iter().map(|p| p * p.ln()).sum::<f64>()
                - barrier * slack.iter().map(|s| s.ln()).sum::<f64>()
        })
    };
    let Some(now) = value(mix) else { return false };
    let shorter = (0..40).map(|halvings| 0.5f64.powi(halvings)).find_map(|part| {
        let next = &*mix + &direction * part;
        value(&next).filter(|new| *new < now - 1e-4 * part * fall).map(|_| next)
    });
    shorter.is_some_and(|next| {
        *mix = next;
        true
    })
}

#[cfg(test)]
mod tests {
    use engine::Randomness;
    use engine::rng::{Purpose, stream};

    use super::*;

    fn near(a: &[f64], b: &[f64], tolerance: f64) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < tolerance)
    }

    fn random(n: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut rng = stream(seed, 0, Purpose::Analysis);
        let draws: Vec<f64> = (0..n * n).map(|_| 0.5 * rng.unit()).collect();
        (0..n).map(|i| (0..n).map(|j| draws[i * n + j] - draws[j * n + i]).collect()).collect()
    }

    /// Returns the matrix with a second copy of agent `of`.
    fn cloned(matrix: &[Vec<f64>], of: usize) -> Vec<Vec<f64>> {
        let mut rows = matrix.to_vec();
        rows.iter_mut().for_each(|row| row.push(row[of]));
        rows.push(rows[of].clone());
        rows
    }

    #[test]
    fn known_equilibria() {
        let rps = vec![vec![0.0, 0.2, -0.2], vec![-0.2, 0.0, 0.2], vec![0.2, -0.2, 0.0]];
        assert!(near(&equilibrium(&rps), &[1.0 / 3.0; 3], 1e-4));
        // The weights are in proportion to the payoffs between the other two: 3 : 1 : 2.
        let skewed = vec![vec![0.0, 0.2, -0.1], vec![-0.2, 0.0, 0.3], vec![0.1, -0.3, 0.0]];
        assert!(near(&equilibrium(&skewed), &[0.5, 1.0 / 6.0, 1.0 / 3.0], 1e-3));
        let dominated = vec![vec![0.0, 0.3], vec![-0.3, 0.0]];
        assert!(near(&equilibrium(&dominated), &[1.0, 0.0], 1e-4));
        assert!(near(&equilibrium(&vec![vec![0.0; 4]; 4]), &[0.25; 4], 1e-6));
        assert!(near(&equilibrium(&[vec![0.0]]), &[1.0], 1e-12));
    }

    #[test]
    fn of_many_equilibria_the_one_with_the_highest_entropy() {
        // Two copies of the best agent: half each, instead of one corner.
        let best = cloned(&[vec![0.0, 0.3], vec![-0.3, 0.0]], 0);
        assert!(near(&equilibrium(&best), &[0.5, 0.0, 0.5], 1e-4), "{:?}", equilibrium(&best));
    }

    #[test]
    fn nobody_gets_more_than_half_against_the_mix_of_any_matrix() {
        for n in 1..=12 {
            for seed in 0..20 {
                let matrix = random(n, seed);
                let mix = equilibrium(&matrix);
                assert!((mix.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                let most = against(&matrix, &mix).into_iter().fold(0.0, f64::max);
                assert!(most <= 0.5 + EPSILON, "{n} agents, seed {seed}: {most}");
            }
        }
    }

    #[test]
    fn a_clone_moves_no_average() {
        for seed in 0..40 {
            let matrix = random(5, seed);
            let before = against(&matrix, &equilibrium(&matrix));
            for of in 0..5 {
                let with = cloned(&cloned(&matrix, of), of);
                let after = against(&with, &equilibrium(&with));
                assert!(near(&before, &after[..5], 1e-3), "{seed}: {before:?} {after:?}");
                assert!((after[5] - before[of]).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn a_uniform_average_is_moved_by_a_clone() {
        // Contrast: the mean share over a pool does move.
        let matrix = random(5, 3);
        let mean =
            |matrix: &[Vec<f64>]| against(matrix, &vec![1.0 / matrix.len() as f64; matrix.len()]);
        assert!(!near(&mean(&matrix), &mean(&cloned(&matrix, 0))[..5], 1e-2));
    }
}
