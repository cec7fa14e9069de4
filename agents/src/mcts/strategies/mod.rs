//! Mixed strategies: regret matching and exponential weights, with importance sampling.
//!
//! At a node of a simultaneous turn, or of hidden information, the best choice is a mixed strategy. Each visit draws an
//! option from the strategy of the moment, mixed with a little exploration, and learns from what came of it; the
//! *average* of the strategies is what converges, and what is played.
//!
//! Everything here is a function over slices: a strategy is a slice of [`MixedEdge`]s, and beside it lie slices of
//! what the options are worth. Nothing knows a tree, a search or a game, so that matrix games alone test it.
//!
//! What is learnt is corrected for the way it was sampled (`sampled`). At a node of player `i` with strategy `σ`, from
//! which option `a` was drawn with probability `q(a)`, let `u` be what came of `a`, and `b` the mean of each option so
//! far. The values of the options are estimated as
//!
//! `v(x) = b(x)` for `x ≠ a`,  `v(a) = b(a) + (u − b(a)) / q(a)`,
//!
//! and `Σ σ(x) v(x)` is what is handed up in place of `u`. So the baseline `b` changes no expectation and lowers the
//! variance, and exploration, of whomever and wherever, changes no expectation either: nodes learn what the
//! *strategies* are worth. Regret matching adds `w (v(x) − Σ σ v)` to the regret of `x`, Exp3 adds `w v(x)` to its reward.
//!
//! With `origin=start` the weights are those of outcome sampling: `w = π₋ᵢ / q` and `πᵢ / q` for the average strategy, with
//! `π₋ᵢ` and `πᵢ` the probabilities of the others' and of the own choices so far under the strategies, and `q` that with
//! which all of them were sampled. For two players the average strategies converge to an equilibrium, with hidden
//! information too. With `origin=here` only the others' choices of the same turn count in `w`, and the average is plain:
//! every node of a simultaneous turn is then a matrix game of its own, which is right where nothing but the choices of
//! the same turn is hidden. Where such a turn has few joint choices it is not learnt from samples at all, but from a
//! table of them (`table`); then the strategy of the `n`th visit has weight `n` in the average, and regrets never fall
//! below zero (regret matching+), so that what was learnt while the turns below were played badly is left behind. Learnt
//! from samples, regrets that never fall below zero would gather noise: imperium was played worse with them.
//!
//! Sources: Hart & Mas-Colell (2000) for regret matching, Auer et al. (2003) for Exp3; Lanctot, Waugh, Zinkevich & Bowling
//! (2009) for outcome sampling; Tammelin (2014) for regret matching+ and weighted averages; Lanctot, Lisý & Winands (2014)
//! for both rules in tree search; Schmid et al. (2019) for baselines.

mod exp3;
mod regret;
pub(in crate::mcts) mod sampled;
pub(in crate::mcts) mod table;

/// Stands for the probability of an option that is not legal now.
const IMPOSSIBLE: f32 = -1.0;

/// A rule for mixed strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::mcts) enum Rule {
    /// Regret matching.
    Regret,
    /// Exponential weights.
    Exp3,
}

/// What a mixed strategy knows of an edge; those of a node are its strategy.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::mcts) struct MixedEdge {
    /// Regret, or cumulated reward.
    pub(in crate::mcts) score: f64,
    /// Sum of the probabilities it had.
    pub(in crate::mcts) total: f64,
    /// The probability it has now.
    pub(in crate::mcts) now: f32,
}

impl MixedEdge {
    /// Whether it could be drawn at the last visit.
    fn is_possible(&self) -> bool {
        self.now >= 0.0
    }
}

/// How a choice was drawn from a mixed strategy.
#[derive(Clone, Copy, Debug)]
pub(in crate::mcts) struct MixedStrategyDraw {
    pub(in crate::mcts) rule: Rule,
    /// The probability with which the option was sampled.
    pub(in crate::mcts) probability: f32,
    /// How much what came of it counts.
    pub(in crate::mcts) weight: f32,
}

/// Computes the strategy of the moment over the options `legal` (offsets), adds it to the average with weight
/// `averaging`, and puts it into [`MixedEdge::now`].
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

/// Gives the options `legal` probabilities in proportion to `weight` of their scores; the same ones if all weigh nothing.
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

/// The probability with which one of `n` options is sampled that has probability `now` in the strategy.
pub(in crate::mcts) fn sampling(now: f32, n: usize, gamma: f32) -> f32 {
    (1.0 - gamma) * now + gamma / n as f32
}

/// The one of the options `legal` on which `unit`, a random number from 0 to 1, falls, and the probability with which
/// it was sampled.
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

/// The average strategy: probabilities in proportion to the totals, those below `prune` dropped.
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
            // The last option, with the best score, is not possible now.
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
