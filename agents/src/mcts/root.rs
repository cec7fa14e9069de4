//! The end of a search: the options of the root, added up over all trees, and the one that is played.

use engine::{ByPlayer, Game, Player, Randomness};

use super::config::{Config, FinalMove};
use super::mixed;
use super::search::Search;
use crate::guide::{Choice, Guide};

/// An option of the root, over all trees.
#[derive(Clone, Debug)]
pub(super) struct Line<L> {
    pub(super) label: L,
    pub(super) visits: u64,
    /// What all players got, summed up.
    pub(super) sums: ByPlayer<f64>,
    pub(super) prior: f32,
    /// Sum of the probabilities that a mixed strategy gave it.
    pub(super) total: f64,
    pub(super) proof: Option<ByPlayer<f32>>,
    /// Visits that were counted in `sums`: those of this decision.
    pub(super) counted: f64,
}

impl<L> Line<L> {
    /// Mean utility of a player.
    pub(super) fn value(&self, player: Player) -> f64 {
        match self.proof {
            Some(result) => result[player].into(),
            None => self.sums[player] / self.counted.max(1.0),
        }
    }
}

/// Adds the root of `search` to `lines`.
pub(super) fn gather<G: Game, H: Guide<G>>(
    search: &Search<G, H>,
    lines: &mut Vec<Line<Choice<G::Action, H::Macro>>>,
) {
    let tree = &search.tree;
    for (offset, at) in tree.range(search.root.node).enumerate() {
        let edge = &tree.edges[at];
        let label = tree.labels[at];
        let line = match lines.iter().position(|line| line.label == label) {
            Some(found) => &mut lines[found],
            None => {
                lines.push(Line {
                    label,
                    visits: 0,
                    sums: ByPlayer::default(),
                    prior: edge.prior,
                    total: 0.0,
                    proof: None,
                    counted: 0.0,
                });
                lines.last_mut().expect("a line was added")
            }
        };
        let sums = &search.root.sums[offset];
        line.visits += u64::from(edge.visits);
        line.total += tree.mixed.get(at).map_or(0.0, |entry| entry.total);
        line.proof = line.proof.or_else(|| tree.proof(at));
        line.counted += search.root.counts[offset];
        line.sums.0.iter_mut().zip(sums.0).for_each(|(sum, more)| *sum += more);
    }
}

/// Which of `lines` is played by `me`, if no mixed strategy is.
pub(super) fn final_move<L>(lines: &[Line<L>], me: Player, config: &Config) -> usize {
    let is_lost = |line: &Line<L>| line.proof.is_some_and(|result| result[me] <= 0.0);
    let all_are_lost = lines.iter().all(is_lost);
    let most = lines.iter().map(|line| line.visits).max().unwrap_or(0);
    let proofs = lines.iter().filter_map(|line| line.proof);
    let certain = proofs.map(|result| f64::from(result[me])).fold(f64::MIN, f64::max);
    let rank = |line: &Line<L>| {
        let is_won = line.proof.is_some_and(|result| result[me] >= 1.0);
        // What promises less than something certain is not played, however often it was looked at.
        let is_out = is_lost(line) && !all_are_lost || line.value(me) < certain;
        let by = match config.final_move {
            FinalMove::Value if line.visits * 10 < most => -1.0,
            FinalMove::Value => line.value(me),
            FinalMove::Visits => line.visits as f64,
            // Visits of an older tree took no part.
            FinalMove::Halving => line.counted,
        };
        (is_won, !is_out, by, line.value(me))
    };
    let mut best = 0;
    for candidate in 1..lines.len() {
        let (old, new) = (rank(&lines[best]), rank(&lines[candidate]));
        let order = new.0.cmp(&old.0).then(new.1.cmp(&old.1));
        if order.then(new.2.total_cmp(&old.2)).then(new.3.total_cmp(&old.3)).is_gt() {
            best = candidate;
        }
    }
    best
}

/// The average strategy over `lines`; decoupled UCT has its visits for one.
pub(super) fn strategy<L>(lines: &[Line<L>], config: &Config, out: &mut Vec<f64>) {
    if lines.iter().any(|line| line.total > 0.0) {
        mixed::average(lines.iter().map(|line| line.total), config.prune, out);
    } else {
        mixed::average(lines.iter().map(|line| line.visits as f64), config.prune, out);
    }
}

/// Draws an index in proportion to `shares`.
pub(super) fn draw(shares: &[f64], rng: &mut impl Randomness) -> usize {
    let mut left = rng.unit();
    for (i, share) in shares.iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return i;
        }
    }
    shares.iter().rposition(|&share| share > 0.0).unwrap_or(0)
}

/// Sequential halving over the most promising options (Danihelka et al. 2022): in every phase all that are left
/// get the same number of iterations, then the worse half goes.
#[derive(Clone, Debug, Default)]
pub(super) struct Halving {
    /// Offsets of the contenders, best first, each with its noise and log prior.
    contenders: Vec<(u16, f32)>,
    /// Iterations of each contender in this phase.
    quota: u64,
    /// Iterations of a whole phase.
    per_phase: u64,
    next: u64,
}

/// How values weigh against noise and prior: `(VISITS + most visits) · value`, as in the paper.
const VISITS: f32 = 50.0;

impl Halving {
    /// Chooses the contenders for `n` iterations.
    pub(super) fn begin<G: Game, H: Guide<G>>(&mut self, search: &mut Search<G, H>, n: u64) {
        self.contenders.clear();
        let noise = search.config.gumbel;
        for (offset, at) in search.tree.range(search.root.node).enumerate() {
            let uniform = (search.rng.unit() as f32).clamp(1e-7, 1.0 - 1e-7);
            let gumbel = -libm::logf(-libm::logf(uniform));
            let prior = libm::logf(search.tree.edges[at].prior.max(1e-9));
            self.contenders.push((offset as u16, noise * gumbel + prior));
        }
        self.contenders.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        self.contenders.truncate(usize::from(search.config.top));
        let phases = u64::from(self.contenders.len().next_power_of_two().ilog2().max(1));
        self.per_phase = (n / phases).max(1);
        self.set_quota();
    }

    fn set_quota(&mut self) {
        self.quota = (self.per_phase / self.contenders.len() as u64).max(1);
        self.next = 0;
    }

    /// The edge of the root that the next iteration takes.
    pub(super) fn next<G: Game, H: Guide<G>>(&mut self, search: &Search<G, H>) -> u16 {
        let n = self.contenders.len() as u64;
        if self.next >= self.quota * n && n > 1 {
            self.halve(search);
        }
        let n = self.contenders.len() as u64;
        let (offset, _) = self.contenders[(self.next % n) as usize];
        self.next += 1;
        offset
    }

    fn halve<G: Game, H: Guide<G>>(&mut self, search: &Search<G, H>) {
        let edges = &search.tree.edges[search.tree.range(search.root.node)];
        let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let score = |&(offset, noise): &(u16, f32)| {
            noise + (VISITS + most as f32) * edges[usize::from(offset)].mean
        };
        self.contenders.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.0.cmp(&b.0)));
        self.contenders.truncate(self.contenders.len().div_ceil(2));
        self.set_quota();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(visits: u64, value: f64, proof: Option<f32>) -> Line<char> {
        let mut sums = ByPlayer::default();
        sums.0[0] = value * visits as f64;
        let proof = proof.map(|points| ByPlayer([points, 1.0 - points, 0.0, 0.0, 0.0, 0.0]));
        Line { label: 'x', visits, sums, prior: 0.0, total: 0.0, proof, counted: visits as f64 }
    }

    #[test]
    fn most_visits_or_best_value_but_proofs_first() {
        let me = Player::new(0);
        let by = |final_move| Config { final_move, ..Config::default() };
        let lines = [line(90, 0.5, None), line(60, 0.6, None), line(3, 0.9, None)];
        assert_eq!(final_move(&lines, me, &by(FinalMove::Visits)), 0);
        assert_eq!(final_move(&lines, me, &by(FinalMove::Value)), 1);
        let lines = [line(90, 0.0, Some(0.0)), line(60, 0.1, None), line(3, 1.0, Some(1.0))];
        assert_eq!(final_move(&lines, me, &by(FinalMove::Visits)), 2);
        assert_eq!(final_move(&lines[..2], me, &by(FinalMove::Visits)), 1);
        assert_eq!(final_move(&lines[..1], me, &by(FinalMove::Visits)), 0);
    }
}
