//! The selection of an option for an iteration: pure functions of the statistics of options.
//!
//! All values are utilities in `[0, 1]`. `n` is the number of visits of the option. `total` is the number of visits of
//! its node. If some options are sometimes impossible, it counts only visits at which the option was possible.

use std::sync::LazyLock;

use super::config::{Config, NodeKey, Select, Simultaneous};
use super::hash::stir;
use super::strategies::Rule;
use super::tree::{Edge, Node};

/// Number of cached totals. They cover all nodes but the first ones of long searches, in 64 kilobytes that are mostly
/// untouched.
const KEPT: usize = 1 << 14;

/// The cached values of [`growth`]. Logarithms are the most expensive part of a choice by UCB1.
static GROWTHS: LazyLock<[f32; KEPT]> =
    LazyLock::new(|| std::array::from_fn(|total| root_of_log(total as u32)));

fn root_of_log(total: u32) -> f32 {
    libm::logf(total.max(1) as f32).sqrt()
}

/// Returns `√ln total`, the common factor of UCB1 (Auer, Cesa-Bianchi & Fischer 2002).
#[inline]
pub(super) fn growth(total: u32) -> f32 {
    GROWTHS.get(total as usize).copied().unwrap_or_else(|| root_of_log(total))
}

/// Returns the UCB1 score `mean + c · √(ln total / n)`; `spread` is `1/√n`.
#[inline]
pub(super) fn ucb1(mean: f32, spread: f32, c_growth: f32) -> f32 {
    mean + c_growth * spread
}

/// Returns the UCB1-Tuned score `mean + c · √(ln total / n · min(1/4, V))` with `V = variance + √(2 ln total / n)`.
/// `c = 2` gives the formula of the paper (the largest variance of a value in `[0, 1]` is 1/4).
#[inline]
pub(super) fn tuned(mean: f32, square: f32, spread: f32, c: f32, growth: f32) -> f32 {
    let width = growth * spread;
    let variance = (square - mean * mean).max(0.0) + std::f32::consts::SQRT_2 * width;
    mean + c * width * variance.min(0.25).sqrt()
}

/// Returns the PUCT score `mean + c · prior · √total / (1 + n)` (Silver et al. 2017).
#[inline]
pub(super) fn puct(mean: f32, prior: f32, n: u32, c_root: f32) -> f32 {
    mean + c_root * prior / (1 + n) as f32
}

/// Returns the factor of [`puct`] for a node with this number of `visits`: `c · √visits`, with `hold`
/// `c · √(visits · (1 + visits / hold))`.
///
/// Visits settle where `mean + λ · prior / share` is equal for all options, with `λ = c / √visits` (Grill et al. 2020).
/// So with more visits a smaller gain outweighs the prior, even if values are not that accurate. With `hold`, λ falls
/// only to `c / √hold`.
#[inline]
pub(super) fn c_root(visits: u32, config: &Config) -> f32 {
    let visits = visits.max(1) as f32;
    if config.hold <= 0.0 {
        return config.c * visits.sqrt();
    }
    config.c * (visits * (1.0 + visits / config.hold)).sqrt()
}

/// Returns the progressive bias `weight · prior / (1 + n)` (Chaslot et al. 2008).
#[inline]
pub(super) fn bias(prior: f32, n: u32, weight: f32) -> f32 {
    weight * prior / (1 + n) as f32
}

/// Visits of a node per unit of [`Config::doubt`].
const DOUBT_VISITS: f32 = 100.0;

/// The doubt about priors. The priors of a node are mixed with the uniform distribution, whose share grows with the
/// visits. So an option with a tiny prior is tried in the end: `(1 − d) · prior + d / options` with `d = x / (1 + x)`
/// and `x = doubt · visits / 100`.
///
/// It is valid for any `doubt` from 0 on. At 0 the priors stay unchanged to the last bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubt {
    /// The weight of the prior.
    keep: f32,
    /// The addition for every option.
    flat: f32,
}

impl Doubt {
    /// Returns the doubt of a node with this number of `visits` and `options`.
    #[inline]
    pub(super) fn of(visits: u32, options: u16, config: &Config) -> Self {
        if config.doubt <= 0.0 {
            return Self { keep: 1.0, flat: 0.0 };
        }
        let x = config.doubt * visits as f32 / DOUBT_VISITS;
        let share = x / (1.0 + x);
        Self { keep: 1.0 - share, flat: share / f32::from(options.max(1)) }
    }

    #[inline]
    pub(super) fn prior(self, prior: f32) -> f32 {
        self.keep * prior + self.flat
    }
}

/// Returns the mean of `n` visits, shrunk towards the node's mean `around` as if `weight` more visits had that result:
/// `(n · mean + weight · around) / (n + weight)` (James & Stein 1961).
#[inline]
pub(super) fn shrunk(mean: f32, n: u32, around: f32, weight: f32) -> f32 {
    let n = n as f32;
    (n * mean + weight * around) / (n + weight)
}

/// Returns the number of options that progressive widening allows after `visits` (Coulom 2007, Chaslot et al. 2008).
#[inline]
pub(super) fn width(visits: u32, config: &Config) -> u32 {
    match config.widen {
        0.0 => u32::MAX,
        widen => (widen * libm::powf((visits + 1) as f32, config.grow)).ceil() as u32,
    }
}

/// Converts `values` to probabilities proportional to `exp(value / temperature)`.
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

/// Returns the score for nodes without mixed strategy.
pub(super) fn rule(is_simultaneous: bool, config: &Config) -> Select {
    match (is_simultaneous, config.together) {
        (false, _) => config.select,
        (true, Simultaneous::Puct) => Select::Puct,
        (true, _) => Select::Ucb1,
    }
}

/// Returns the rule of the mixed strategy at a node; `None` if the node has none.
pub(super) fn mixed_strategy(is_simultaneous: bool, config: &Config) -> Option<Rule> {
    match (is_simultaneous, config.together, config.select) {
        (true, Simultaneous::Regret, _) | (false, _, Select::Regret) => Some(Rule::Regret),
        (true, Simultaneous::Exp3, _) | (false, _, Select::Exp3) => Some(Rule::Exp3),
        _ => None,
    }
}

/// Reduces the possible edges `legal` to those that progressive widening allows, at least the best one. `visits` is the
/// number of visits of the node.
pub(super) fn narrow(edges: &[Edge], legal: &mut Vec<u16>, visits: u32, config: &Config) {
    let open = width(visits, config);
    if open as usize >= legal.len() {
        return;
    }
    let first = first_by_rank(edges, legal);
    legal.retain(|&i| i == first || u32::from(edges[usize::from(i)].rank) < open);
}

/// The statistics of a node that enter the score of an option.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    rule: Select,
    mean: f32,
    visits: u32,
    doubt: Doubt,
}

/// Returns the score of an option at node `at`.
#[inline]
fn score(edge: &Edge, at: &Around, config: &Config, growth: f32) -> f32 {
    let (value, square) = match edge.visits {
        0 => (at.mean + config.fpu, 0.25 + at.mean * at.mean),
        // A proven value is exact and needs no shrinkage.
        n if config.shrink > 0.0 && !edge.is_proven() => {
            let value = shrunk(edge.mean, n, at.mean, config.shrink);
            // The measured variance is kept.
            (value, edge.square - edge.mean * edge.mean + value * value)
        }
        _ => (edge.mean, edge.square),
    };
    let prior = at.doubt.prior(edge.prior);
    let score = match at.rule {
        Select::Ucb1 => ucb1(value, edge.spread, config.c * growth),
        Select::Tuned => tuned(value, square, edge.spread, config.c, growth),
        // The first visit must follow the prior as well, so one earlier visit is assumed.
        Select::Puct => puct(value, prior, edge.visits, c_root(at.visits, config)),
        Select::Uniform | Select::Regret | Select::Exp3 => -(edge.visits as f32),
    };
    score + bias(prior, edge.visits, config.bias)
}

/// Returns the edge of `edges` with the largest `score`, the first of several from number `start` on. With `only_plies`
/// macro-actions are left out; `None` if all edges are macro-actions then. `untried` is the value of untried options.
/// No option's score is below its value.
#[inline]
fn top(
    edges: &[Edge],
    start: usize,
    only_plies: bool,
    untried: f32,
    score: impl Fn(&Edge) -> f32,
) -> Option<u16> {
    // No mean is below zero either.
    if only_plies || untried < 0.0 {
        return top_of_some(edges, start, only_plies, score);
    }
    top_of_all(edges, start, score)
}

/// Returns the result of [`top`] edge by edge. Of the untried options only the one with the largest prior can be the
/// best.
#[inline]
fn top_of_some(
    edges: &[Edge],
    start: usize,
    only_plies: bool,
    score: impl Fn(&Edge) -> f32,
) -> Option<u16> {
    let (mut best, mut untried) = ((f32::NEG_INFINITY, None), f32::NEG_INFINITY);
    let mut look = |range: std::ops::Range<usize>| {
        for (offset, edge) in range.clone().zip(&edges[range]) {
            if only_plies && edge.is_macro {
                continue;
            }
            if edge.visits == 0 {
                if edge.prior <= untried {
                    continue;
                }
                untried = edge.prior;
            }
            let score = score(edge);
            if score > best.0 {
                best = (score, Some(offset as u16));
            }
        }
    };
    look(start..edges.len());
    look(0..start);
    best.1
}

/// The last bits of an `f64` that was converted from an `f32`; they are all zero.
const SPARE: u64 = (1 << (f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS)) - 1;

/// Returns the result of [`top`] over all edges if no score is below zero. It has no branch that depends on the scores:
/// the best edge is unpredictable, and a mispredicted jump takes longer than a few more sums.
///
/// Scores are compared as `f64`. Their unused last bits hold a number that is larger for edges closer after `start`.
#[inline]
fn top_of_all(edges: &[Edge], start: usize, score: impl Fn(&Edge) -> f32) -> Option<u16> {
    let n = edges.len();
    let mut best = 0.0;
    for (offset, edge) in edges.iter().enumerate() {
        let turn = if offset < start { n - offset } else { 2 * n - offset };
        let promise = f64::from_bits(f64::from(score(edge)).to_bits() | turn as u64);
        best = if promise > best { promise } else { best };
    }
    let turn = (best.to_bits() & SPARE) as usize;
    (turn > 0).then(|| if turn > n { 2 * n - turn } else { n - turn } as u16)
}

/// Returns whether single plies are due. They are due once their share has grown to a whole visit. So nodes with few
/// visits keep to their macro-actions.
#[inline]
fn only_plies(at: &Node, config: &Config) -> bool {
    at.has_macros && (at.ply_visits + 1) as f32 <= config.plies * at.visits as f32
}

/// Returns the result of [`best`] under the most frequent rules, if all edges are possible and allowed. The numbers are
/// equal, without the tests that have one result for all edges.
#[inline]
fn best_of_all(
    edges: &[Edge],
    start: usize,
    at: &Node,
    rule: Select,
    config: &Config,
) -> Option<u16> {
    let only_plies = only_plies(at, config);
    let untried = at.mean + config.fpu;
    let plain = |edge: &Edge| if edge.visits == 0 { untried } else { edge.mean };
    if rule == Select::Ucb1 {
        let c_growth = config.c * growth(at.visits + 1);
        let score = |edge: &Edge| ucb1(plain(edge), edge.spread, c_growth);
        return top(edges, start, only_plies, untried, score);
    }
    let c_root = c_root(at.visits, config);
    if config.doubt <= 0.0 && config.shrink <= 0.0 {
        let score = |edge: &Edge| puct(plain(edge), edge.prior, edge.visits, c_root);
        return top(edges, start, only_plies, untried, score);
    }
    let doubt = Doubt::of(at.visits, at.len, config);
    let value = |edge: &Edge| match edge.visits {
        n if n > 0 && config.shrink > 0.0 && !edge.is_proven() => {
            shrunk(edge.mean, n, at.mean, config.shrink)
        }
        _ => plain(edge),
    };
    let score = |edge: &Edge| puct(value(edge), doubt.prior(edge.prior), edge.visits, c_root);
    top(edges, start, only_plies, untried, score)
}

/// Returns the offset of the best edge of node `at` under `rule`, among the possible edges `legal`. Ties go to the
/// first from number `start` on; `None` if progressive widening allows none of them.
pub(super) fn best(
    edges: &[Edge],
    legal: &[u16],
    start: usize,
    at: &Node,
    rule: Select,
    config: &Config,
) -> Option<u16> {
    let has_seen = config.node_key == NodeKey::OpenLoop;
    let is_usual = rule == Select::Puct || rule == Select::Ucb1 && config.shrink <= 0.0;
    let is_whole = !has_seen && config.widen <= 0.0 && legal.len() == edges.len();
    if is_usual && is_whole && config.bias <= 0.0 {
        return best_of_all(edges, start, at, rule, config);
    }
    best_of_some(edges, legal, start, at, rule, config)
}

/// Returns the result of [`best`] under any rule, where some edges may be impossible or not yet allowed.
fn best_of_some(
    edges: &[Edge],
    legal: &[u16],
    start: usize,
    at: &Node,
    rule: Select,
    config: &Config,
) -> Option<u16> {
    let only_plies = only_plies(at, config);
    let has_seen = config.node_key == NodeKey::OpenLoop;
    let width = width(at.visits, config);
    let at_node = if rule == Select::Puct { 0.0 } else { growth(at.visits + 1) };
    let doubt = Doubt::of(at.visits, at.len, config);
    let around = Around { rule, mean: at.mean, visits: at.visits, doubt };
    let mut best = (f32::NEG_INFINITY, legal[start]);
    let mut is_open = false;
    // Of the untried options only the one with the largest prior can be the best.
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
        let score = score(edge, &around, config, growth);
        if score > best.0 {
            best = (score, offset);
        }
    }
    is_open.then_some(best.1)
}

/// Returns the possible edge with the best prior.
pub(super) fn first_by_rank(edges: &[Edge], legal: &[u16]) -> u16 {
    let first = legal.iter().min_by_key(|&&offset| edges[usize::from(offset)].rank);
    *first.expect("a mover has options")
}

/// Returns a starting place in `0..n`, so that options with equal scores are taken in varying order.
pub(super) fn spread_out(node: u32, visits: u32, n: usize) -> usize {
    let hash = stir(u64::from(node) << 32 | u64::from(visits)) >> 32;
    ((hash * n as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use engine::Randomness;

    use super::*;
    use crate::mcts::tree::PROOF;

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
        assert_eq!(rule(false, &config(Simultaneous::Puct)), Select::Tuned);
        assert_eq!(rule(true, &config(Simultaneous::Puct)), Select::Puct);
        assert_eq!(rule(true, &config(Simultaneous::Duct)), Select::Ucb1);
        assert!(config(Simultaneous::Puct).needs_priors());
        assert!(!config(Simultaneous::Duct).needs_priors());
    }

    #[test]
    fn who_draws_draws_by_the_rule_of_his_turn() {
        let config = |together, select| Config { together, select, ..Config::default() };
        let both = |config: &Config| {
            [true, false].map(|is_simultaneous| mixed_strategy(is_simultaneous, config))
        };
        let regret = config(Simultaneous::Regret, Select::Exp3);
        assert_eq!(both(&regret), [Some(Rule::Regret), Some(Rule::Exp3)]);
        assert_eq!(both(&config(Simultaneous::Exp3, Select::Puct)), [Some(Rule::Exp3), None]);
        assert_eq!(both(&config(Simultaneous::Duct, Select::Regret)), [None, Some(Rule::Regret)]);
        assert_eq!(both(&config(Simultaneous::Puct, Select::Ucb1)), [None, None]);
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

    /// The gain that outweighs a prior of nearly one falls with the visits. With `hold` it stops falling there.
    #[test]
    fn priors_fade_with_visits_and_with_hold_no_further() {
        let lambda = |visits: u32, hold| {
            let config = Config { c: 0.6, hold, ..Config::default() };
            c_root(visits, &config) / visits as f32
        };
        for visits in [1, 100, 10_000] {
            let due = 0.6 / (visits as f32).sqrt();
            assert!((lambda(visits, 0.0) - due).abs() < 1e-6 * due);
            assert!(lambda(visits, 100.0) > due);
        }
        assert!((lambda(1, 100.0) / lambda(1, 0.0) - 1.0).abs() < 0.01);
        let floor = 0.6 / 10.0;
        assert!((lambda(1_000_000, 100.0) / floor - 1.0).abs() < 1e-3);
        assert!(lambda(1_000_000, 0.0) < floor / 90.0);
    }

    #[test]
    fn doubt_grows_from_the_priors_to_none_at_all() {
        let config = Config { doubt: 0.5, ..Config::default() };
        let priors = [0.9, 0.1, 0.0, 0.0];
        let doubted = |visits| priors.map(|prior| Doubt::of(visits, 4, &config).prior(prior));
        // Equality to the last bit is required.
        let bits = |priors: [f32; 4]| priors.map(f32::to_bits);
        assert_eq!(bits(doubted(0)), bits(priors));
        // x = 0.5 · 200 / 100 = 1, so half of each prior is kept.
        let due = [0.575, 0.175, 0.125, 0.125];
        assert!(doubted(200).iter().zip(due).all(|(prior, due)| (prior - due).abs() < 1e-6));
        let late = doubted(1_000_000);
        assert!(late.iter().all(|prior| (prior - 0.25).abs() < 1e-3), "{late:?}");
        for visits in [1, 50, 10_000] {
            assert!((doubted(visits).iter().sum::<f32>() - 1.0).abs() < 1e-6);
        }
        let calm = Doubt::of(1_000_000, 4, &Config::default());
        assert_eq!(bits(priors.map(|prior| calm.prior(prior))), bits(priors));
    }

    #[test]
    fn shrinkage_weighs_a_mean_against_that_of_its_node() {
        assert!((shrunk(1.0, 5, 0.5, 15.0) - 0.625).abs() < 1e-6);
        assert!((shrunk(1.0, 1_000_000, 0.5, 15.0) - 1.0).abs() < 1e-4);
    }

    /// There are two options, and the first had one lucky visit. Without shrinkage it leads. With shrinkage the
    /// well-known option leads, unless the first is proven.
    #[test]
    fn one_lucky_visit_leads_no_more_but_a_proof_does() {
        let mut edges = [Edge::new(false); 2];
        (edges[0].mean, edges[0].visits) = (0.70, 1);
        (edges[1].mean, edges[1].visits) = (0.65, 99);
        let at = Node {
            first: 0,
            len: 2,
            opened: 2,
            visits: 100,
            ply_visits: 100,
            key: 0,
            mean: 0.60,
            mover: 0,
            has_macros: false,
        };
        let chosen = |shrink: f32, edges: &[Edge]| {
            let config = Config { c: 0.0, shrink, ..Config::default() };
            best(edges, &[0, 1], 0, &at, Select::Puct, &config)
        };
        assert_eq!(chosen(0.0, &edges), Some(0));
        // (0.70 + 15 · 0.60) / 16 = 0.606 against 0.643.
        assert_eq!(chosen(15.0, &edges), Some(1));
        edges[0].child = PROOF;
        assert_eq!(chosen(15.0, &edges), Some(0));
    }

    /// Returns a node with edges as in a search, with untried edges, proven edges and macro-actions among them.
    fn node(rng: &mut engine::Fast) -> (Node, Vec<Edge>) {
        let n = 1 + rng.below(20) as u16;
        let (mut edges, mut visits, mut ply_visits) = (vec![Edge::new(false); n.into()], 0, 0);
        for edge in &mut edges {
            edge.is_macro = rng.below(2) == 0;
            edge.prior = rng.below(5) as f32 / 5.0;
            edge.visits = rng.below(4) * rng.below(30);
            if edge.visits > 0 {
                edge.mean = rng.below(9) as f32 / 9.0;
                edge.spread = 1.0 / (edge.visits as f32).sqrt();
                if rng.below(8) == 0 {
                    (edge.child, edge.spread) = (PROOF, 0.0);
                }
            }
            visits += edge.visits;
            ply_visits += if edge.is_macro { 0 } else { edge.visits };
        }
        let has_macros = edges.iter().any(|edge| edge.is_macro);
        let mean = rng.below(9) as f32 / 9.0;
        let (first, opened, mover, key) = (0, 0, 0, 0);
        let at = Node { key, first, len: n, opened, visits, ply_visits, mean, mover, has_macros };
        (at, edges)
    }

    #[test]
    fn what_promises_most_of_all_edges_is_what_promises_most_of_any() {
        let mut rng = engine::rng::fast(&mut engine::rng::stream(5, 0, engine::Purpose::Analysis));
        let settings = [
            (Select::Puct, 0.0, 0.0),
            (Select::Puct, 1.0, 0.0),
            (Select::Puct, 0.0, 15.0),
            (Select::Puct, 0.3, 5.0),
            (Select::Ucb1, 0.0, 0.0),
        ];
        let mut n_plies = 0;
        for case in 0..20_000 {
            let (at, edges) = node(&mut rng);
            let (rule, doubt, shrink) = settings[case % settings.len()];
            let hold = if case % 3 == 0 { 50.0 } else { 0.0 };
            let fpu = [-2.0, 0.0, 10.0][rng.below(3) as usize];
            let plies = if rng.below(3) == 0 { 1.0 } else { 0.0 };
            let config = Config { doubt, hold, shrink, fpu, plies, c: 0.3, ..Config::default() };
            let (legal, start) =
                ((0..at.len).collect::<Vec<_>>(), rng.below(at.len.into()) as usize);
            let some = best_of_some(&edges, &legal, start, &at, rule, &config);
            let all = best_of_all(&edges, start, &at, rule, &config);
            assert_eq!(all, some, "{rule:?} {config:?} {at:?} {edges:?}");
            n_plies += u32::from(only_plies(&at, &config));
        }
        assert!(n_plies > 1_000, "{n_plies}");
    }

    #[test]
    fn growth_is_the_same_where_it_is_kept_and_where_it_is_not() {
        for total in [0, 1, 2, 100, KEPT as u32 - 1, KEPT as u32, 1_000_000] {
            let due = f64::from(total.max(1)).ln().sqrt();
            assert!((f64::from(growth(total)) - due).abs() < 1e-5, "{total}");
            assert_eq!(growth(total).to_bits(), root_of_log(total).to_bits());
        }
    }

    #[test]
    fn softmax_gives_probabilities() {
        let mut values = [1.0, 3.0, 2.0];
        softmax(&mut values, 1.0);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((values[1] / values[2] - std::f32::consts::E).abs() < 1e-4);
    }
}
