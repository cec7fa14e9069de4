//! Which option an iteration follows: pure functions of what is known of an option.
//!
//! All values are utilities in `[0, 1]`; `n` are visits of the option, `total` the visits (or, where not every
//! option is always possible, the times it was possible) of its node.

use super::config::{Config, NodeKey, Select, Together};
use super::hash::stir;
use super::strategies::Rule;
use super::tree::{Edge, Node};

/// `√ln total`, the common factor of UCB1 (Auer, Cesa-Bianchi & Fischer 2002).
#[inline]
pub(super) fn growth(total: u32) -> f32 {
    libm::logf(total.max(1) as f32).sqrt()
}

/// UCB1: `mean + c · √(ln total / n)`; `spread` is `1/√n`.
#[inline]
pub(super) fn ucb1(mean: f32, spread: f32, c_growth: f32) -> f32 {
    mean + c_growth * spread
}

/// UCB1-Tuned: `mean + c · √(ln total / n · min(1/4, V))` with `V = variance + √(2 ln total / n)`, and `c = 2` for
/// what the paper has (the largest variance of a value in `[0, 1]` is 1/4).
#[inline]
pub(super) fn tuned(mean: f32, square: f32, spread: f32, c: f32, growth: f32) -> f32 {
    let width = growth * spread;
    let variance = (square - mean * mean).max(0.0) + std::f32::consts::SQRT_2 * width;
    mean + c * width * variance.min(0.25).sqrt()
}

/// PUCT: `mean + c · prior · √total / (1 + n)` (Silver et al. 2017).
#[inline]
pub(super) fn puct(mean: f32, prior: f32, n: u32, c_root: f32) -> f32 {
    mean + c_root * prior / (1 + n) as f32
}

/// Progressive bias: `weight · prior / (1 + n)` (Chaslot et al. 2008).
#[inline]
pub(super) fn bias(prior: f32, n: u32, weight: f32) -> f32 {
    weight * prior / (1 + n) as f32
}

/// Progressive widening: how many options may be tried after `visits` (Coulom 2007, Chaslot et al. 2008).
#[inline]
pub(super) fn width(visits: u32, config: &Config) -> u32 {
    match config.widen {
        0.0 => u32::MAX,
        widen => (widen * libm::powf((visits + 1) as f32, config.grow)).ceil() as u32,
    }
}

/// Turns `values` into probabilities in proportion to `exp(value / temperature)`.
pub(super) fn softmax(values: &mut [f32], temperature: f32) {
    let top = values.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for value in &mut *values {
        *value = libm::expf((*value - top) / temperature);
        sum += *value;
    }
    for value in values {
        *value /= sum;
    }
}

/// By what score a node is searched where nobody draws from a mixed strategy.
pub(super) fn rule(is_together: bool, config: &Config) -> Select {
    match (is_together, config.together) {
        (false, _) => config.select,
        (true, Together::Puct) => Select::Puct,
        (true, _) => Select::Ucb1,
    }
}

/// The rule by which a node is drawn from a mixed strategy, if it is.
pub(super) fn lottery(is_together: bool, config: &Config) -> Option<Rule> {
    match (is_together, config.together, config.select) {
        (true, Together::Regret, _) | (false, _, Select::Regret) => Some(Rule::Regret),
        (true, Together::Exp3, _) | (false, _, Select::Exp3) => Some(Rule::Exp3),
        _ => None,
    }
}

/// Keeps of the possible edges, `legal`, those that progressive widening has opened, at least the best one; `visits` are
/// those of the node.
pub(super) fn narrow(edges: &[Edge], legal: &mut Vec<u16>, visits: u32, config: &Config) {
    let open = width(visits, config);
    if open as usize >= legal.len() {
        return;
    }
    let first = first_by_rank(edges, legal);
    legal.retain(|&i| i == first || u32::from(edges[usize::from(i)].rank) < open);
}

/// What an option promises under `rule`; `mean` and `total` are those of its node.
#[inline]
pub(super) fn score(
    edge: &Edge,
    mean: f32,
    rule: Select,
    config: &Config,
    growth: f32,
    total: u32,
) -> f32 {
    let (value, square) = match edge.visits {
        0 => (mean + config.fpu, 0.25 + mean * mean),
        _ => (edge.mean, edge.square),
    };
    let score = match rule {
        Select::Ucb1 => ucb1(value, edge.spread, config.c * growth),
        Select::Tuned => tuned(value, square, edge.spread, config.c, growth),
        // The first visit must go by the prior too, so it counts as if there had been one before.
        Select::Puct => {
            puct(value, edge.prior, edge.visits, config.c * (total.max(1) as f32).sqrt())
        }
        Select::Uniform | Select::Regret | Select::Exp3 => -(edge.visits as f32),
    };
    score + bias(edge.prior, edge.visits, config.bias)
}

/// The offset of the edge of node `at` that promises most under `rule`: of the possible ones, `legal`, the first of
/// several from number `start` on; `None` where progressive widening has opened none of them.
pub(super) fn best(
    edges: &[Edge],
    legal: &[u16],
    start: usize,
    at: &Node,
    rule: Select,
    config: &Config,
) -> Option<u16> {
    let has_seen = config.node_key == NodeKey::OpenLoop;
    // Once their share has grown to a whole visit, so that nodes with few visits keep to their macro-actions.
    let only_plies = at.has_macros && (at.ply_visits + 1) as f32 <= config.plies * at.visits as f32;
    let width = width(at.visits, config);
    let at_node = if rule == Select::Puct { 0.0 } else { growth(at.visits + 1) };
    let mut best = (f32::NEG_INFINITY, legal[start]);
    let mut is_open = false;
    // Of the options that were never tried, only the one with the largest prior can be the best.
    let mut untried = f32::NEG_INFINITY;
    for &offset in legal[start..].iter().chain(&legal[..start]) {
        let edge = &edges[usize::from(offset)];
        if only_plies && edge.is_macro || u32::from(edge.rank) >= width {
            continue;
        }
        is_open = true;
        if edge.visits == 0 && !has_seen {
            if edge.prior <= untried {
                continue;
            }
            untried = edge.prior;
        }
        let growth = if has_seen { growth(edge.seen) } else { at_node };
        let score = score(edge, at.mean, rule, config, growth, at.visits);
        if score > best.0 {
            best = (score, offset);
        }
    }
    is_open.then_some(best.1)
}

/// The possible edge with the best prior.
pub(super) fn first_by_rank(edges: &[Edge], legal: &[u16]) -> u16 {
    let first = legal.iter().min_by_key(|&&offset| edges[usize::from(offset)].rank);
    *first.expect("a mover has options")
}

/// A place in `0..n` to begin with, so that options that promise the same are taken in no fixed order.
pub(super) fn spread_out(node: u32, visits: u32, n: usize) -> usize {
    let hash = stir(u64::from(node) << 32 | u64::from(visits)) >> 32;
    ((hash * n as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_visits_are_allowed_more() {
        let growth = growth(100);
        assert!(ucb1(0.5, 0.5, growth) > ucb1(0.5, 0.25, growth));
        assert!(tuned(0.5, 0.25, 0.5, 2.0, growth) > tuned(0.5, 0.25, 0.25, 2.0, growth));
        assert!(tuned(0.5, 0.5, 0.01, 2.0, growth) > tuned(0.5, 0.25, 0.01, 2.0, growth));
        assert!(puct(0.5, 0.2, 1, 10.0) > puct(0.5, 0.2, 5, 10.0));
        assert!(bias(0.5, 0, 1.0) > bias(0.5, 3, 1.0));
    }

    #[test]
    fn those_who_choose_at_once_have_a_rule_of_their_own() {
        let config = |together| Config { select: Select::Tuned, together, ..Config::default() };
        assert_eq!(rule(false, &config(Together::Puct)), Select::Tuned);
        assert_eq!(rule(true, &config(Together::Puct)), Select::Puct);
        assert_eq!(rule(true, &config(Together::Duct)), Select::Ucb1);
        assert!(config(Together::Puct).needs_priors());
        assert!(!config(Together::Duct).needs_priors());
    }

    #[test]
    fn who_draws_draws_by_the_rule_of_his_turn() {
        let config = |together, select| Config { together, select, ..Config::default() };
        let both = |config: &Config| [true, false].map(|is_together| lottery(is_together, config));
        let regret = config(Together::Regret, Select::Exp3);
        assert_eq!(both(&regret), [Some(Rule::Regret), Some(Rule::Exp3)]);
        assert_eq!(both(&config(Together::Exp3, Select::Puct)), [Some(Rule::Exp3), None]);
        assert_eq!(both(&config(Together::Duct, Select::Regret)), [None, Some(Rule::Regret)]);
        assert_eq!(both(&config(Together::Puct, Select::Ucb1)), [None, None]);
    }

    #[test]
    fn widening_keeps_the_best_options_and_at_least_one() {
        let mut edges = [Edge::new(false); 4];
        edges.iter_mut().zip([3, 1, 0, 2]).for_each(|(edge, rank)| edge.rank = rank);
        let kept = |widen, legal: &[u16]| {
            let (mut legal, config) = (legal.to_vec(), Config { widen, ..Config::default() });
            narrow(&edges, &mut legal, 0, &config);
            legal
        };
        assert_eq!(kept(2.0, &[0, 1, 2, 3]), [1, 2]);
        assert_eq!(kept(1.0, &[0, 1, 3]), [1]);
        assert_eq!(kept(1.0, &[0, 3]), [3]);
        assert_eq!(kept(0.0, &[0, 3]), [0, 3]);
    }

    #[test]
    fn widening_grows_with_the_visits() {
        let config = Config { widen: 2.0, grow: 0.5, ..Config::default() };
        assert_eq!(width(0, &config), 2);
        assert_eq!(width(15, &config), 8);
        assert_eq!(width(0, &Config::default()), u32::MAX);
    }

    #[test]
    fn softmax_gives_probabilities() {
        let mut values = [1.0, 3.0, 2.0];
        softmax(&mut values, 1.0);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((values[1] / values[2] - std::f32::consts::E).abs() < 1e-4);
    }
}
