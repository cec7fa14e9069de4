//! Mixed strategies: regret matching and exponential weights, with importance sampling.
//!
//! At a node of a simultaneous turn, or of hidden information, the best choice is a lottery. Each visit draws an
//! option from the strategy of the moment, mixed with a little exploration, and learns from what came of it; the
//! *average* of the strategies is what converges, and what is played.
//!
//! What is learnt is corrected for the way it was sampled. At a node of player `i` with strategy `σ`, from which option
//! `a` was drawn with probability `q(a)`, let `u` be what came of `a`, and `b` the mean of each option so far. The
//! values of the options are estimated as
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
//! table of them (`joint`); then the strategy of the `n`th visit has weight `n` in the average, and regrets never fall
//! below zero (regret matching+), so that what was learnt while the turns below were played badly is left behind. Learnt
//! from samples, regrets that never fall below zero would gather noise: imperium was played worse with them.
//!
//! Sources: Hart & Mas-Colell (2000) for regret matching, Auer et al. (2003) for Exp3; Lanctot, Waugh, Zinkevich & Bowling
//! (2009) for outcome sampling; Tammelin (2014) for regret matching+ and weighted averages; Lanctot, Lisý & Winands (2014)
//! for both rules in tree search; Schmid et al. (2019) for baselines.

use engine::{ByPlayer, Game, Player, Randomness};

use super::config::{Select, Together};
use super::path::{Lottery, Rule};
use super::search::Search;
use super::select::{first_by_rank, width};
use super::tree::{Edge, MixedEdge};
use super::values;
use crate::guide::Guide;

/// Stands for the probability of an option that is not legal now.
const IMPOSSIBLE: f32 = -1.0;
impl<G: Game, H: Guide<G>> Search<G, H> {
    /// The rule for a choice in a simultaneous turn, or alone, if there it is drawn.
    pub(super) fn rule(&self, is_together: bool) -> Option<Rule> {
        match (is_together, self.config.together, self.config.select) {
            (true, Together::Regret, _) | (false, _, Select::Regret) => Some(Rule::Regret),
            (true, Together::Exp3, _) | (false, _, Select::Exp3) => Some(Rule::Exp3),
            _ => None,
        }
    }

    /// Draws from the mixed strategy of `node`.
    pub(super) fn sample(
        &mut self,
        node: u32,
        mover: Player,
        rule: Rule,
    ) -> (u16, Option<Lottery>) {
        let gamma = self.config.gamma;
        self.tree.keep_mixed();
        self.narrow(node);
        let range = self.tree.range(node);
        let strategy = &mut self.tree.mixed[range];
        let (learning, averaging) = self.reach.weights(mover, self.config.origin);
        prepare(strategy, &self.scratch.legal, rule, gamma, averaging);
        let n = self.scratch.legal.len();
        let mut left = self.rng.unit() as f32;
        let mut chosen = self.scratch.legal[n - 1];
        for &offset in &self.scratch.legal {
            left -= sampled(strategy[usize::from(offset)].now, n, gamma);
            if left < 0.0 {
                chosen = offset;
                break;
            }
        }
        let now = strategy[usize::from(chosen)].now;
        let probability = sampled(now, n, gamma);
        self.reach.note(mover, now, probability);
        (chosen, Some(Lottery { rule, probability, weight: learning }))
    }

    /// Learns at a mixed strategy that `meant` came of choice `i` of the path, and corrects it for how the choice was
    /// sampled; where there is a table, for the whole turn at once. Returns the first choice that was learnt from.
    pub(super) fn learn(
        &mut self,
        i: usize,
        lottery: &Lottery,
        meant: &mut ByPlayer<f32>,
    ) -> usize {
        let step = self.path[i];
        if self.has_table(i) {
            self.learn_together(step.turn as usize..=i, meant);
            return step.turn as usize;
        }
        let credit = values::credit(meant, step.mover, self.me, step.allies, &self.config);
        let range = self.tree.range(step.node);
        let chosen = step.edge as usize - range.start;
        let strategy = &mut self.tree.mixed[range.clone()];
        learn(strategy, &self.tree.edges[range.clone()], chosen, credit, lottery);
        correct(strategy, &self.tree.vectors[range], chosen, lottery, meant);
        i
    }

    /// Keeps of the possible edges those that progressive widening has opened, at least the best one.
    fn narrow(&mut self, node: u32) {
        let open = width(self.tree.nodes[node as usize].visits, &self.config);
        if open as usize >= self.scratch.legal.len() {
            return;
        }
        let edges = &self.tree.edges[self.tree.range(node)];
        let first = first_by_rank(edges, &self.scratch.legal);
        self.scratch.legal.retain(|&i| i == first || u32::from(edges[usize::from(i)].rank) < open);
    }
}

/// Computes the strategy of the moment over the options `legal` (offsets), adds it to the average with weight
/// `averaging`, and puts it into `MixedEdge::now`.
pub(super) fn prepare(
    strategy: &mut [MixedEdge],
    legal: &[u16],
    rule: Rule,
    gamma: f32,
    averaging: f32,
) {
    let n = legal.len() as f64;
    let top = legal.iter().map(|&i| strategy[usize::from(i)].score).fold(f64::MIN, f64::max);
    let weight = |entry: &MixedEdge| match rule {
        Rule::Regret => entry.score.max(0.0),
        Rule::Exp3 => libm::exp(f64::from(gamma) / n * (entry.score - top)),
    };
    let sum: f64 = legal.iter().map(|&i| weight(&strategy[usize::from(i)])).sum();
    strategy.iter_mut().for_each(|entry| entry.now = IMPOSSIBLE);
    for &i in legal {
        let entry = &mut strategy[usize::from(i)];
        let share = if sum > 0.0 { weight(entry) / sum } else { 1.0 / n };
        entry.total += f64::from(averaging) * share;
        entry.now = share as f32;
    }
}

/// The probability with which an option is sampled.
pub(super) fn sampled(now: f32, n: usize, gamma: f32) -> f32 {
    (1.0 - gamma) * now + gamma / n as f32
}

/// Learns that `utility` came of option `chosen`.
pub(super) fn learn(
    strategy: &mut [MixedEdge],
    edges: &[Edge],
    chosen: usize,
    utility: f32,
    lottery: &Lottery,
) {
    let usual = usual(edges);
    let baseline = |edge: &Edge| if edge.visits > 0 { edge.mean } else { usual };
    let surprise = (utility - baseline(&edges[chosen])) / lottery.probability;
    let expected = match lottery.rule {
        Rule::Exp3 => 0.0,
        Rule::Regret => {
            let possible = strategy.iter().zip(edges).filter(|(entry, _)| entry.now >= 0.0);
            let known: f32 = possible.map(|(entry, edge)| entry.now * baseline(edge)).sum();
            known + strategy[chosen].now * surprise
        }
    };
    for (entry, edge) in strategy.iter_mut().zip(edges).filter(|(entry, _)| entry.now >= 0.0) {
        entry.score += f64::from(lottery.weight * (baseline(edge) - expected));
    }
    strategy[chosen].score += f64::from(lottery.weight * surprise);
}

/// Learns what each option is worth against the strategies of the others, for the visit after `visits` others: regrets
/// do not fall below zero, and the strategy of the moment, which has weight one in the average, gets `visits` more.
pub(super) fn learn_all(strategy: &mut [MixedEdge], worth: &[f32], rule: Rule, visits: u32) {
    let possible = || strategy.iter().zip(worth).filter(|(entry, _)| entry.now >= 0.0);
    let expected = match rule {
        Rule::Exp3 => 0.0,
        Rule::Regret => possible().map(|(entry, worth)| entry.now * worth).sum(),
    };
    for (entry, worth) in strategy.iter_mut().zip(worth).filter(|(entry, _)| entry.now >= 0.0) {
        entry.score += f64::from(worth - expected);
        entry.total += f64::from(visits) * f64::from(entry.now);
        if rule == Rule::Regret {
            entry.score = entry.score.max(0.0);
        }
    }
}

/// The mean over all visited options: the baseline of those that were never tried.
fn usual(edges: &[Edge]) -> f32 {
    let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
    let sum: f32 = edges.iter().map(|edge| edge.visits as f32 * edge.mean).sum();
    if visits > 0 { sum / visits as f32 } else { 0.5 }
}

/// Turns what came of option `chosen` into an estimate of what the strategy is worth to everybody; `means` are those
/// of the options.
pub(super) fn correct(
    strategy: &[MixedEdge],
    means: &[ByPlayer<f32>],
    chosen: usize,
    lottery: &Lottery,
    utilities: &mut ByPlayer<f32>,
) {
    let ratio = strategy[chosen].now / lottery.probability;
    for (player, utility) in utilities.0.iter_mut().enumerate() {
        let possible = strategy.iter().zip(means).filter(|(entry, _)| entry.now >= 0.0);
        let known: f32 = possible.map(|(entry, mean)| entry.now * mean.0[player]).sum();
        *utility = known + ratio * (*utility - means[chosen].0[player]);
    }
}

/// The average strategy: probabilities in proportion to the totals, those below `prune` dropped.
pub(super) fn average(totals: impl Iterator<Item = f64>, prune: f32, out: &mut Vec<f64>) {
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
    use engine::{Purpose, rng};

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
            is_macro: false,
        };
        let mut edges = [[edge; 3]; 2];
        let mut strategy = [[MixedEdge::default(); 3]; 2];
        let legal = [0, 1, 2];
        let mut rng = rng::fast(&mut rng::stream(3, 0, Purpose::Analysis));
        for _ in 0..iterations {
            let mut picked = [0; 2];
            for q in 0..2 {
                prepare(&mut strategy[q], &legal, rule, 0.1, 1.0);
                let mut left = rng.unit() as f32;
                picked[q] = (0..3)
                    .find(|&i| {
                        left -= sampled(strategy[q][i].now, 3, 0.1);
                        left < 0.0
                    })
                    .unwrap_or(2);
            }
            let value = matrix[picked[0]][picked[1]];
            for (q, utility) in [value, 1.0 - value].into_iter().enumerate() {
                let probability = sampled(strategy[q][picked[q]].now, 3, 0.1);
                let lottery = Lottery { rule, probability, weight: 1.0 };
                learn(&mut strategy[q], &edges[q], picked[q], utility, &lottery);
                let edge = &mut edges[q][picked[q]];
                edge.visits += 1;
                edge.mean += (utility - edge.mean) / edge.visits as f32;
            }
        }
        let mut shares = Vec::new();
        average(strategy[0].iter().map(|entry| entry.total), 0.0, &mut shares);
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
        assert!(shares[1] <= 0.0);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        average([0.0, 0.0].into_iter(), 0.05, &mut shares);
        assert_eq!(shares, [0.5, 0.5]);
    }
}
