//! Mixed strategies: regret matching and exponential weights, with importance sampling.
//!
//! At a node of a simultaneous turn, or of hidden information, the best choice is a lottery. Each visit draws an
//! option from the strategy of the moment (mixed with a little exploration) and learns from what came of it; the
//! *average* of the strategies is what converges, and what is played. Sources: Hart & Mas-Colell (2000) for regret
//! matching, Auer et al. (2003) for Exp3, Lanctot, Lisý & Winands (2014) for both in tree search. The estimates use
//! the mean of each option as a baseline, which changes no expectation and lowers the variance.

use super::tree::{Edge, Mix};

/// A rule for mixed strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    Regret,
    Exp3,
}

/// Stands for the probability of an option that is not legal now.
const IMPOSSIBLE: f32 = -1.0;

/// What a visit does with a mixed strategy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    /// The rule.
    pub(super) rule: Rule,
    /// How often it explores.
    pub(super) gamma: f32,
    /// What counts towards the average strategy: how likely the mover's own choices so far were, over how often
    /// they are sampled.
    pub(super) reach: f32,
}

/// Computes the strategy of the moment over the options `legal` (offsets), adds it to the average, and puts the
/// probabilities with which to sample into `Mix::now`.
pub(super) fn prepare(mixes: &mut [Mix], legal: &[u16], visit: Visit) {
    let Visit { rule, gamma, reach } = visit;
    let n = legal.len() as f32;
    let top = legal.iter().map(|&i| mixes[usize::from(i)].score).fold(f32::MIN, f32::max);
    let weight = |mix: &Mix| match rule {
        Rule::Regret => mix.score.max(0.0),
        Rule::Exp3 => libm::expf(gamma / n * (mix.score - top)),
    };
    let sum: f32 = legal.iter().map(|&i| weight(&mixes[usize::from(i)])).sum();
    mixes.iter_mut().for_each(|mix| mix.now = IMPOSSIBLE);
    for &i in legal {
        let mix = &mut mixes[usize::from(i)];
        let share = if sum > 0.0 { weight(mix) / sum } else { 1.0 / n };
        mix.total += reach * share;
        mix.now = share;
    }
}

/// The probability with which an option is sampled.
pub(super) fn sampled(now: f32, n: usize, gamma: f32) -> f32 {
    (1.0 - gamma) * now + gamma / n as f32
}

/// Learns that option `chosen`, which was sampled with `probability`, brought `utility`.
pub(super) fn learn(
    mixes: &mut [Mix],
    edges: &[Edge],
    chosen: usize,
    probability: f32,
    utility: f32,
    rule: Rule,
) {
    let surprise = (utility - edges[chosen].mean) / probability;
    match rule {
        Rule::Exp3 => {
            for (mix, edge) in possible(mixes, edges) {
                mix.score += edge.mean;
            }
            mixes[chosen].score += surprise;
        }
        Rule::Regret => {
            let known: f32 = possible(mixes, edges).map(|(mix, edge)| mix.now * edge.mean).sum();
            let expected = known + mixes[chosen].now * surprise;
            for (mix, edge) in possible(mixes, edges) {
                mix.score += edge.mean - expected;
            }
            mixes[chosen].score += surprise;
        }
    }
}

fn possible<'a>(
    mixes: &'a mut [Mix],
    edges: &'a [Edge],
) -> impl Iterator<Item = (&'a mut Mix, &'a Edge)> {
    mixes.iter_mut().zip(edges).filter(|(mix, _)| mix.now >= 0.0)
}

/// The average strategy: probabilities in proportion to the totals, those below `prune` dropped.
pub(super) fn average(totals: impl Iterator<Item = f32>, prune: f32, out: &mut Vec<f64>) {
    out.clear();
    out.extend(totals.map(f64::from));
    normalise(out);
    let most = out.iter().copied().fold(0.0, f64::max);
    for share in out.iter_mut().filter(|share| **share < f64::from(prune) && **share < most) {
        *share = 0.0;
    }
    normalise(out);
}

fn normalise(shares: &mut [f64]) {
    let sum: f64 = shares.iter().sum();
    let n = shares.len() as f64;
    for share in shares {
        *share = if sum > 0.0 { *share / sum } else { 1.0 / n };
    }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, rng};

    use super::*;

    /// Plays a matrix game (rows' utility) with both rules and returns the average strategy of the rows.
    fn self_play(matrix: &[[f32; 3]; 3], rule: Rule, iterations: u32) -> Vec<f64> {
        let edge = Edge {
            mean: 0.0,
            spread: 1.0,
            visits: 0,
            seen: 0,
            child: 0,
            prior: 0.0,
            square: 0.0,
            rank: 0,
            is_plan: false,
        };
        let mut edges = [[edge; 3]; 2];
        let mut mixes = [[Mix::default(); 3]; 2];
        let legal = [0, 1, 2];
        let mut rng = rng::fast(&mut rng::stream(3, 0, Purpose::Analysis));
        for _ in 0..iterations {
            let mut picked = [0; 2];
            for q in 0..2 {
                prepare(&mut mixes[q], &legal, Visit { rule, gamma: 0.1, reach: 1.0 });
                let mut left = rng.unit() as f32;
                picked[q] = (0..3)
                    .find(|&i| {
                        left -= sampled(mixes[q][i].now, 3, 0.1);
                        left < 0.0
                    })
                    .unwrap_or(2);
            }
            let value = matrix[picked[0]][picked[1]];
            for (q, utility) in [value, 1.0 - value].into_iter().enumerate() {
                let probability = sampled(mixes[q][picked[q]].now, 3, 0.1);
                learn(&mut mixes[q], &edges[q], picked[q], probability, utility, rule);
                let edge = &mut edges[q][picked[q]];
                edge.visits += 1;
                edge.mean += (utility - edge.mean) / edge.visits as f32;
            }
        }
        let mut shares = Vec::new();
        average(mixes[0].iter().map(|mix| mix.total), 0.0, &mut shares);
        shares
    }

    /// Rock, paper, scissors where winning with rock counts more: the equilibrium is not uniform.
    #[test]
    fn averages_approach_the_equilibrium() {
        let matrix = [[0.5, 0.25, 1.0], [0.75, 0.5, 0.25], [0.0, 0.75, 0.5]];
        let equilibrium = [0.25, 0.5, 0.25];
        for rule in [Rule::Regret, Rule::Exp3] {
            let shares = self_play(&matrix, rule, 200_000);
            for (share, wanted) in shares.iter().zip(equilibrium) {
                assert!((share - wanted).abs() < 0.05, "{rule:?}: {shares:?}");
            }
        }
    }

    #[test]
    fn what_is_pruned_is_not_played() {
        let mut shares = Vec::new();
        average([0.9, 0.04, 0.06].into_iter(), 0.05, &mut shares);
        assert_eq!(shares[1], 0.0);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        average([0.0, 0.0].into_iter(), 0.05, &mut shares);
        assert_eq!(shares, [0.5, 0.5]);
    }
}
