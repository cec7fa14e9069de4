//! The final move of a search: the choice among the options of the root.

use engine::{Fast, Player, Randomness};

use super::config::{Config, FinalMove};
use super::root::RootOption;
use super::strategies;
use super::tree::Edge;

/// Returns the index in `options` of the final move of `me`, without a mixed strategy.
pub(super) fn choose<L>(options: &[RootOption<L>], me: Player, config: &Config) -> usize {
    let is_lost = |option: &RootOption<L>| option.proof.is_some_and(|result| result[me] <= 0.0);
    let all_are_lost = options.iter().all(is_lost);
    let most = options.iter().map(|option| option.visits).max().unwrap_or(0);
    let proofs = options.iter().filter_map(|option| option.proof);
    let certain = proofs.map(|result| f64::from(result[me])).fold(f64::MIN, f64::max);
    let rank = |option: &RootOption<L>| {
        let is_won = option.proof.is_some_and(|result| result[me] >= 1.0);
        // An option that promises less than a certain result is not played, regardless of its visits.
        let is_out = is_lost(option) && !all_are_lost || option.value(me) < certain;
        let by = match config.final_move {
            FinalMove::Value if option.visits * 10 < most => -1.0,
            FinalMove::Value => option.value(me),
            FinalMove::Visits => option.visits as f64,
            // Visits of an older tree did not take part in the halving.
            FinalMove::Halving => option.counted,
        };
        (is_won, !is_out, by, option.value(me))
    };
    let mut best = 0;
    for candidate in 1..options.len() {
        let (old, new) = (rank(&options[best]), rank(&options[candidate]));
        let order = new.0.cmp(&old.0).then(new.1.cmp(&old.1));
        if order.then(new.2.total_cmp(&old.2)).then(new.3.total_cmp(&old.3)).is_gt() {
            best = candidate;
        }
    }
    best
}

/// Computes the average strategy over `options`. Decoupled UCT uses its visits as strategy.
pub(super) fn strategy<L>(options: &[RootOption<L>], config: &Config, out: &mut Vec<f64>) {
    if options.iter().any(|option| option.total > 0.0) {
        strategies::average(options.iter().map(|option| option.total), config.prune, out);
    } else {
        strategies::average(options.iter().map(|option| option.visits as f64), config.prune, out);
    }
}

/// Draws an index with probability proportional to `shares`.
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

/// Sequential halving over the most promising options (Danihelka et al. 2022). In every phase all remaining options get
/// equal numbers of iterations. Then the worse half is dropped.
#[derive(Clone, Debug, Default)]
pub(super) struct Halving {
    /// Offsets of the remaining options, best first, each with its noise and log prior.
    contenders: Vec<(u16, f32)>,
    /// Iterations of each remaining option in this phase.
    quota: u64,
    /// Iterations of a whole phase.
    per_phase: u64,
    next: u64,
}

/// The weight of values against noise and prior: `(VISITS + most visits) · value`, as in the paper.
const VISITS: f32 = 50.0;

impl Halving {
    /// Chooses the contenders among the root's `edges` for `n` iterations.
    pub(super) fn begin(&mut self, edges: &[Edge], config: &Config, n: u64, rng: &mut Fast) {
        self.contenders.clear();
        for (offset, edge) in edges.iter().enumerate() {
            let uniform = (rng.unit() as f32).clamp(1e-7, 1.0 - 1e-7);
            let gumbel = -libm::logf(-libm::logf(uniform));
            let prior = libm::logf(edge.prior.max(1e-9));
            self.contenders.push((offset as u16, config.gumbel * gumbel + prior));
        }
        self.contenders.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        self.contenders.truncate(usize::from(config.top));
        let phases = u64::from(self.contenders.len().next_power_of_two().ilog2().max(1));
        self.per_phase = (n / phases).max(1);
        self.set_quota();
    }

    fn set_quota(&mut self) {
        self.quota = (self.per_phase / self.contenders.len() as u64).max(1);
        self.next = 0;
    }

    /// Returns the offset in the root's `edges` for the next iteration.
    pub(super) fn next(&mut self, edges: &[Edge]) -> u16 {
        let n = self.contenders.len() as u64;
        if self.next >= self.quota * n && n > 1 {
            self.halve(edges);
        }
        let n = self.contenders.len() as u64;
        let (offset, _) = self.contenders[(self.next % n) as usize];
        self.next += 1;
        offset
    }

    fn halve(&mut self, edges: &[Edge]) {
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
    use engine::{ByPlayer, Purpose, rng};

    use super::*;

    fn option(visits: u64, value: f64, proof: Option<f32>) -> RootOption<char> {
        let mut option = RootOption::new('x', 0.0);
        option.sums.0[0] = value * visits as f64;
        option.proof = proof.map(|points| ByPlayer([points, 1.0 - points, 0.0, 0.0, 0.0, 0.0]));
        RootOption { visits, counted: visits as f64, ..option }
    }

    #[test]
    fn most_visits_or_best_value_but_proofs_first() {
        let me = Player::new(0);
        let by = |final_move| Config { final_move, ..Config::default() };
        let options = [option(90, 0.5, None), option(60, 0.6, None), option(3, 0.9, None)];
        assert_eq!(choose(&options, me, &by(FinalMove::Visits)), 0);
        assert_eq!(choose(&options, me, &by(FinalMove::Value)), 1);
        let options =
            [option(90, 0.0, Some(0.0)), option(60, 0.1, None), option(3, 1.0, Some(1.0))];
        assert_eq!(choose(&options, me, &by(FinalMove::Visits)), 2);
        assert_eq!(choose(&options[..2], me, &by(FinalMove::Visits)), 1);
        assert_eq!(choose(&options[..1], me, &by(FinalMove::Visits)), 0);
    }

    #[test]
    fn halving_gives_every_phase_the_same_and_the_better_half_goes_on() {
        let mut edges = [Edge::new(false); 8];
        for (i, edge) in edges.iter_mut().enumerate() {
            (edge.prior, edge.mean) = (0.125, i as f32 / 8.0);
        }
        let config = Config { gumbel: 0.0, top: 4, ..Config::default() };
        let mut dice = rng::fast(&mut rng::stream(1, 0, Purpose::Analysis));
        let mut halving = Halving::default();
        halving.begin(&edges, &config, 80, &mut dice);
        let mut counts = [0; 8];
        (0..80).for_each(|_| counts[usize::from(halving.next(&edges))] += 1);
        // Without noise the first four of equal priors enter. Of these the later ones have the better means.
        assert_eq!(counts, [10, 10, 30, 30, 0, 0, 0, 0]);
    }
}
