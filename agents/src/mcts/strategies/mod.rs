//! Mixed strategies: regret matching and exponential weights, with importance sampling.
//!
//! At a node with a simultaneous turn or hidden information, the best choice is a mixed strategy. Each visit draws an
//! option from the current strategy, mixed with a little exploration, and learns from the result. The *average* of the
//! strategies converges, and it is played.
//!
//! All functions work on slices. A strategy is a slice of [`MixedEdge`]s; the values of the options are a second slice.
//! The module depends on no tree, search or game, so matrix games suffice to test it.
//!
//! Results are corrected for their sampling (`sampled`). At a node of player `i` with strategy `σ`, let option `a` be
//! drawn with probability `q(a)` and lead to utility `u`. Let `b` be the mean of each option so far. The values of the
//! options are estimated as
//!
//! `v(x) = b(x)` for `x ≠ a`,  `v(a) = b(a) + (u − b(a)) / q(a)`,
//!
//! and `Σ σ(x) v(x)` is passed up instead of `u`. So the baseline `b` changes no expectation and lowers the variance.
//! Exploration by any player at any node changes no expectation either: nodes learn the value of the *strategies*.
//! Regret matching adds `w (v(x) − Σ σ v)` to the regret of `x`. Exp3 adds `w v(x)` to its reward.
//!
//! With `origin=start` the weights are those of outcome sampling: `w = π₋ᵢ / q`, and `πᵢ / q` for the average strategy.
//! `π₋ᵢ` and `πᵢ` are the probabilities of the others' and the own earlier choices under the strategies. `q` is the
//! probability with which all of them were sampled. For two players the average strategies converge to an equilibrium,
//! also with hidden information.
//!
//! With `origin=here` only the others' choices of the same turn count in `w`, and the average is plain. Then every node
//! of a simultaneous turn is a separate matrix game. This is correct if only the choices of the same turn are hidden. A
//! turn with few joint choices learns from a table of them instead of samples (`table`). There the strategy of visit
//! `n` has weight `n` in the average, and regrets never fall below zero (regret matching+). So results from the time
//! when lower turns were played badly lose weight. With samples, such regrets would accumulate noise: they made play in
//! imperium worse.
//!
//! Sources: Hart & Mas-Colell (2000) for regret matching, Auer et al. (2003) for Exp3; Lanctot, Waugh, Zinkevich &
//! Bowling (2009) for outcome sampling; Tammelin (2014) for regret matching+ and weighted averages; Lanctot, Lisý &
//! Winands (2014) for both rules in tree search; Schmid et al. (2019) for baselines.

mod exp3;
mod regret;
pub(in crate::mcts) mod sampled;
pub(in crate::mcts) mod table;

/// The marker for an option that is illegal now, instead of a probability.
const IMPOSSIBLE: f32 = -1.0;

/// A rule for mixed strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::mcts) enum Rule {
    /// Regret matching.
    Regret,
    /// Exponential weights.
    Exp3,
}

/// The statistics of an edge in a mixed strategy. The edges of a node are its strategy.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::mcts) struct MixedEdge {
    /// The regret or the cumulated reward.
    pub(in crate::mcts) score: f64,
    /// The sum of the probabilities so far.
    pub(in crate::mcts) total: f64,
    /// The current probability.
    pub(in crate::mcts) now: f32,
}

impl MixedEdge {
    /// Returns whether the option was possible at the last visit.
    fn is_possible(&self) -> bool {
        self.now >= 0.0
    }
}

/// The sampling of a choice from a mixed strategy.
#[derive(Clone, Copy, Debug)]
pub(in crate::mcts) struct MixedStrategyDraw {
    pub(in crate::mcts) rule: Rule,
    /// The sampling probability of the option.
    pub(in crate::mcts) probability: f32,
    /// The weight of the result in learning.
    pub(in crate::mcts) weight: f32,
}

/// Computes the current strategy over the options `legal` (offsets) into [`MixedEdge::now`], and adds it to the average
/// with weight `averaging`.
pub(in crate::mcts) fn prepare(
    strategy: &mut [MixedEdge],
    legal: &[u16],
    rule: Rule,
    gamma: f32,
    averaging: f32,
) {
    match rule {
        Rule::Regret => share_out(strategy, legal, averaging, regret::weight),
        Rule::Exp3 => {
            let weight = exp3::weight(strategy, legal, gamma);
            share_out(strategy, legal, averaging, weight);
        }
    }
}

/// Sets the probabilities of the options `legal` in proportion to `weight` of their scores; uniformly if all weights
/// are 0.
fn share_out(
    strategy: &mut [MixedEdge],
    legal: &[u16],
    averaging: f32,
    weight: impl Fn(f64) -> f64,
) {
    let n = legal.len() as f64;
    let sum: f64 = legal.iter().map(|&i| weight(strategy[usize::from(i)].score)).sum();
    strategy.iter_mut().for_each(|option| option.now = IMPOSSIBLE);
    for &i in legal {
        let option = &mut strategy[usize::from(i)];
        let share = if sum > 0.0 { weight(option.score) / sum } else { 1.0 / n };
        option.total += f64::from(averaging) * share;
        option.now = share as f32;
    }
}

/// Returns the sampling probability of an option among `n` with probability `now` in the strategy.
pub(in crate::mcts) fn sampling(now: f32, n: usize, gamma: f32) -> f32 {
    (1.0 - gamma) * now + gamma / n as f32
}

/// Returns the option in `legal` for `unit`, a random number from 0 to 1, and its sampling probability.
pub(in crate::mcts) fn draw(
    strategy: &[MixedEdge],
    legal: &[u16],
    gamma: f32,
    unit: f32,
) -> (u16, f32) {
    let n = legal.len();
    let probability = |offset: u16| sampling(strategy[usize::from(offset)].now, n, gamma);
    let mut left = unit;
    let mut chosen = legal[n - 1];
    for &offset in legal {
        left -= probability(offset);
        if left < 0.0 {
            chosen = offset;
            break;
        }
    }
    (chosen, probability(chosen))
}

/// Computes the average strategy: probabilities proportional to the totals, with those below `prune` dropped.
pub(in crate::mcts) fn average(totals: impl Iterator<Item = f64>, prune: f32, out: &mut Vec<f64>) {
    out.clear();
    out.extend(totals);
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
    use super::*;

    #[test]
    fn what_is_pruned_is_not_played() {
        let mut shares = Vec::new();
        average([0.9, 0.04, 0.06].into_iter(), 0.05, &mut shares);
        assert!(shares[1] <= 0.0);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        average([0.0, 0.0].into_iter(), 0.05, &mut shares);
        assert_eq!(shares, [0.5, 0.5]);
    }

    #[test]
    fn options_are_drawn_as_often_as_the_strategy_and_exploration_say() {
        for rule in [Rule::Regret, Rule::Exp3] {
            let mut strategy = [MixedEdge::default(); 4];
            for (option, score) in strategy.iter_mut().zip([3.0, 1.0, -2.0, 9.0]) {
                option.score = score;
            }
            // The last option has the best score but is impossible now.
            let legal = [0, 1, 2];
            prepare(&mut strategy, &legal, rule, 0.3, 2.0);
            let sum: f32 = strategy[..3].iter().map(|option| option.now).sum();
            assert!((sum - 1.0).abs() < 1e-6 && !strategy[3].is_possible(), "{rule:?}");
            assert!((strategy[0].total - 2.0 * f64::from(strategy[0].now)).abs() < 1e-6);
            let steps = 30_000;
            let mut counts = [0; 4];
            for i in 0..steps {
                let (offset, probability) =
                    draw(&strategy, &legal, 0.3, (i as f32 + 0.5) / steps as f32);
                counts[usize::from(offset)] += 1;
                let now = strategy[usize::from(offset)].now;
                assert!((probability - (0.7 * now + 0.1)).abs() < 1e-6, "{rule:?}");
            }
            for (count, option) in counts.iter().zip(strategy).take(3) {
                let share = *count as f32 / steps as f32;
                assert!(
                    (share - sampling(option.now, 3, 0.3)).abs() < 1e-3,
                    "{rule:?}: {counts:?}"
                );
            }
            assert_eq!(counts[3], 0);
        }
    }
}
