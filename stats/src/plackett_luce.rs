//! Plackett–Luce ratings: strength of agents from finishing orders of any number of players, with a term for each seat.
//!
//! **Model** (Luce 1959, Plackett 1975). Agent `i` in seat `k` has the weight `exp(θ_i + φ_k)`. It wins the first place
//! with probability weight / sum of all weights; the second place is won likewise among the remaining seats, and so on.
//! So the odds that one seat finishes before another are the ratio of their weights, whatever the other seats hold. For
//! two players this is Bradley–Terry, that is, Elo. Ratings are `400/ln 10 · θ_i`, so 400 points are odds of ten to
//! one, centred on the mean of the pool. Seat terms are on the same scale and add up to zero.
//!
//! **Estimate.** The likelihood has a prior: each agent and each seat plays one more game, half won and half lost,
//! against a ghost of weight 1. It is strictly concave, so it has one finite maximum, also for an agent that always
//! wins and for pools that never met. Some sweeps of Hunter's MM algorithm (2004, MM algorithms for generalized
//! Bradley–Terry models, <https://doi.org/10.1214/aos/1079120141>), agents and seats in turn, lead towards it and never
//! fall. Near separation MM would need thousands of sweeps, so Newton's method with halved steps finishes; it never
//! falls either. The bias of the prior is of order 1/games.
//!
//! **Ties.** A tie is the mean of the log-likelihoods of all orders that could have broken it. All `t!` orders have
//! only `2^t − 1` different stages between them: the tied seats without a subset `U`, with weight `1/C(t, |U|)`.
//!
//! **Seats.** The schedule separates seats from agents only if agents move between seats: seat terms must add their
//! full rank to the differences within games. Otherwise they are left out, and [`Ratings::seats`] is `None`.
//!
//! **Intervals** come from [`super::bootstrap`] over groups of blocks. If some agents never finished behind any of the
//! others, the prior alone makes their distance (Hunter's assumption 1 fails). Then [`Ratings::is_linked`] is false.
//! The zero is the mean of the *core*, the largest part of the pool whose agents all finished behind each other
//! directly or by chains. Only the core has intervals. If the assumption fails for seats, no estimate has an interval.
//!
//! **Valid** for any pool and any schedule in which the meetings do not depend on the results. **Not** where strength
//! is not one number: see [`super::intransitivity`].

use std::collections::{BTreeMap, BTreeSet};

use engine::MAX_PLAYERS;
use nalgebra::{DMatrix, DVector};

use super::bootstrap::{Bootstrap, percentile};
use super::elo::ELO_PER_LOGIT;
use super::family::together;
use super::interval::Interval;
use super::outcomes::{Outcome, Outcomes};

/// The numbers of games won, and of games lost, against the ghost.
const PRIOR: f64 = 0.5;

/// The number of MM sweeps before Newton's method.
const SWEEPS: u32 = 3;

/// The largest number of steps of Newton's method; a dozen is usual.
const STEPS: u32 = 100;

/// A rating or a seat term.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value on the Elo scale; 0 for the mean of the core (or of all seats), and for an agent that never played.
    pub elo: f64,
    /// Its 95 % interval, if there is one.
    pub interval: Option<Interval>,
    /// The simultaneous interval over all agents, or over all seats.
    pub together: Option<Interval>,
}

/// Ratings of a pool.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The rating of each agent.
    pub agents: Vec<Estimate>,
    /// The advantage of each seat; `None` if the schedule does not separate seats from agents.
    pub seats: Option<Vec<Estimate>>,
    /// True if no part of the pool finished before all the rest in every game.
    pub is_linked: bool,
    draws: Vec<Vec<f64>>,
    groups: Vec<usize>,
}

impl Ratings {
    /// Returns the ratings of `agents` agents from `outcomes`.
    #[must_use]
    pub fn new(outcomes: &Outcomes, agents: usize, plan: Bootstrap) -> Self {
        let with_seats = Stages::new(outcomes, agents, true);
        let stages = if with_seats.tells_seats() {
            with_seats
        } else {
            Stages::new(outcomes, agents, false)
        };
        let (core, seats_are_linked) = stages.links(outcomes);
        let played = stages.played();
        let is_linked = seats_are_linked && (0..agents).all(|i| core[i] || !played[i]);
        let n_core = core.iter().filter(|&&is_core| is_core).count();
        let n_groups = outcomes.groups();
        let whole = Sample::new(&stages, &vec![1.0; n_groups]);
        let mut start = vec![0.0; stages.agents + stages.seats];
        (0..SWEEPS).for_each(|_| whole.sweep(&mut start));
        let peak = whole.peak(&start, 1e-8);
        let draws = if seats_are_linked && (is_linked || n_core > 1) && n_groups >= 2 {
            plan.draws(n_groups, |times| {
                let sample = Sample::new(&stages, times);
                stages.scaled(&sample.peak(&peak, 1e-6), &sample, &core)
            })
        } else {
            Vec::new()
        };
        let elo = stages.scaled(&peak, &whole, &core);
        let mut groups = stages.groups_by_parameter();
        // Without groups there is no interval.
        groups.iter_mut().zip(&core).filter(|(_, is_core)| !**is_core).for_each(|(n, _)| *n = 0);
        let column = |i: usize| draws.iter().map(|draw| draw[i]).collect::<Vec<f64>>();
        let estimates = |range: std::ops::Range<usize>| {
            let places: Vec<usize> = range.collect();
            let of = |&i: &usize| if elo[i].is_finite() { elo[i] } else { 0.0 };
            let elos: Vec<f64> = places.iter().map(of).collect();
            let alone = places.iter().map(|&i| percentile(column(i), groups[i]));
            let alone: Vec<Option<Interval>> = alone.collect();
            let fewest = places.iter().map(|&i| groups[i]).filter(|&n| n > 0).min();
            let wide = together(&elos, &draws, &places, fewest.unwrap_or(0), &alone);
            let both = elos.into_iter().zip(alone.into_iter().zip(wide));
            let estimate = |(elo, (interval, together))| Estimate { elo, interval, together };
            both.map(estimate).collect::<Vec<_>>()
        };
        Self {
            agents: estimates(0..agents),
            seats: (stages.seats > 0).then(|| estimates(agents..agents + stages.seats)),
            is_linked,
            draws,
            groups,
        }
    }

    /// Returns the 95 % interval of the rating of `a` minus that of `b`, if there is one.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<Interval> {
        let draws = self.draws.iter().map(|draw| draw[a] - draw[b]).collect();
        percentile(draws, self.groups[a].min(self.groups[b]))
    }
}

/// A stage of a finishing order: the agent in each remaining seat, [`ABSENT`] elsewhere.
type Key = [u8; MAX_PLAYERS];
const ABSENT: u8 = u8::MAX;

/// A competitor by its parameters: the numbers of its agent's and its seat's parameter.
#[derive(Clone, Copy)]
struct Competitor {
    agent: usize,
    seat: Option<usize>,
}

/// The sufficient statistics of all games: how often each set of competitors was chosen from, and each one chosen.
struct Stages {
    agents: usize,
    /// The number of seat terms; 0 for a model without them.
    seats: usize,
    /// The competitors of each set.
    sets: Vec<Vec<Competitor>>,
    /// Set, group and number of choices.
    counts: Vec<(usize, usize, f64)>,
    /// The number of times chosen, by group and parameter.
    chosen: Vec<f64>,
}

impl Stages {
    fn new(outcomes: &Outcomes, agents: usize, with_seats: bool) -> Self {
        let players = outcomes.iter().map(|(outcome, ..)| outcome.players()).max().unwrap_or(0);
        let seats = if with_seats { players } else { 0 };
        let groups = outcomes.groups();
        let mut tally = BTreeMap::<(Key, usize), f64>::new();
        let mut chosen = vec![0.0; groups * (agents + seats)];
        for (outcome, group, count) in outcomes.iter() {
            stages_of(outcome, |left, first, weight| {
                *tally.entry((key(outcome, left, with_seats), group)).or_default() +=
                    count * weight;
                let line = &mut chosen[group * (agents + seats)..];
                for seat in members(first) {
                    let part = count * weight / f64::from(first.count_ones());
                    line[outcome.entrant(seat)] += part;
                    if with_seats {
                        line[agents + seat] += part;
                    }
                }
            });
        }
        let mut stages = Self { agents, seats, sets: Vec::new(), counts: Vec::new(), chosen };
        let mut last = None;
        for ((key, group), count) in tally {
            if last != Some(key) {
                last = Some(key);
                stages.sets.push(stages.competitors(key));
            }
            stages.counts.push((stages.sets.len() - 1, group, count));
        }
        stages
    }

    fn competitors(&self, key: Key) -> Vec<Competitor> {
        let present = key.iter().enumerate().filter(|(_, agent)| **agent != ABSENT);
        let seat = |seat: usize| (self.seats > 0).then_some(self.agents + seat);
        present.map(|(i, &agent)| Competitor { agent: agent.into(), seat: seat(i) }).collect()
    }

    /// Returns whether seat terms are identified.
    ///
    /// The contrasts within sets must have the rank of those of agents alone, and one more for each seat but the last.
    fn tells_seats(&self) -> bool {
        let n = self.agents + self.seats;
        let mut gram = DMatrix::<f64>::zeros(n, n);
        for set in &self.sets {
            for member in &set[1..] {
                let mut contrast = DVector::<f64>::zeros(n);
                for (Competitor { agent, seat }, sign) in [(*member, 1.0), (set[0], -1.0)] {
                    contrast[agent] += sign;
                    seat.into_iter().for_each(|seat| contrast[seat] += sign);
                }
                gram.ger(1.0, &contrast, &contrast, 1.0);
            }
        }
        let alone = gram.view((0, 0), (self.agents, self.agents)).into_owned();
        self.seats > 1 && rank(&gram) == rank(&alone) + self.seats - 1
    }

    /// Returns the core of the agents, by chains of "finished before or level", and whether these join all seats.
    fn links(&self, outcomes: &Outcomes) -> (Vec<bool>, bool) {
        let mut agents = Links::new(self.agents);
        let mut seats = Links::new(self.seats);
        for (outcome, ..) in outcomes.iter() {
            for (a, b) in pairs(outcome.players()) {
                if outcome.place(a) <= outcome.place(b) {
                    agents.add(outcome.entrant(a), outcome.entrant(b));
                    if self.seats > 0 {
                        seats.add(a, b);
                    }
                }
            }
        }
        (agents.core(), seats.core().into_iter().all(|is_core| is_core))
    }

    /// Returns true for each agent that played.
    fn played(&self) -> Vec<bool> {
        let mut played = vec![false; self.agents];
        self.sets.iter().flatten().for_each(|member| played[member.agent] = true);
        played
    }

    /// Returns the number of groups in which each agent played and each seat was taken.
    fn groups_by_parameter(&self) -> Vec<usize> {
        let mut groups = vec![BTreeSet::new(); self.agents + self.seats];
        for &(set, group, _) in &self.counts {
            for &Competitor { agent, seat } in &self.sets[set] {
                groups[agent].insert(group);
                seat.into_iter().for_each(|seat| _ = groups[seat].insert(group));
            }
        }
        groups.iter().map(BTreeSet::len).collect()
    }

    /// Returns the parameters on the Elo scale, the core and the seats each centred; NaN for agents that did not play.
    fn scaled(&self, x: &[f64], sample: &Sample<'_>, core: &[bool]) -> Vec<f64> {
        let mut plays = vec![false; x.len()];
        for (set, _) in self.sets.iter().zip(&sample.counts).filter(|(_, count)| **count > 0.0) {
            for &Competitor { agent, seat } in set {
                plays[agent] = true;
                seat.into_iter().for_each(|seat| plays[seat] = true);
            }
        }
        let mean = |range: std::ops::Range<usize>| {
            let counts = |i: usize| plays[i] && core.get(i).copied().unwrap_or(true);
            let present = range.filter(|&i| counts(i));
            let (sum, n) = present.fold((0.0, 0.0), |(sum, n), i| (sum + x[i], n + 1.0));
            sum / n
        };
        let (agents, seats) = (mean(0..self.agents), mean(self.agents..x.len()));
        let centre = |i: usize| if i < self.agents { agents } else { seats };
        let scale = |(i, x): (usize, &f64)| {
            // The rounding error of a mean of 0 becomes 0.
            let elo = ELO_PER_LOGIT * (x - centre(i));
            let elo = if elo.abs() < 1e-9 { 0.0 } else { elo };
            if plays[i] { elo } else { f64::NAN }
        };
        x.iter().enumerate().map(scale).collect()
    }
}

/// Passes every stage of an outcome to `tell`: the remaining seats, the candidates for the next place, and the weight.
fn stages_of(outcome: &Outcome, mut tell: impl FnMut(u8, u8, f64)) {
    let mut left: u8 = (1 << outcome.players()) - 1;
    while left.count_ones() >= 2 {
        let best = members(left).map(|seat| outcome.place(seat)).min().unwrap_or(0);
        let tied = members(left).filter(|&seat| outcome.place(seat) == best);
        let tied = tied.fold(0, |mask: u8, seat| mask | 1 << seat);
        for gone in (0..tied).filter(|gone| gone & !tied == 0) {
            if (left & !gone).count_ones() >= 2 {
                tell(
                    left & !gone,
                    tied & !gone,
                    1.0 / choose(tied.count_ones(), gone.count_ones()),
                );
            }
        }
        left &= !tied;
    }
}

fn members(mask: u8) -> impl Iterator<Item = usize> {
    (0..8).filter(move |seat| mask >> seat & 1 == 1)
}

fn choose(n: u32, k: u32) -> f64 {
    (0..k).fold(1.0, |product, i| product * f64::from(n - i) / f64::from(i + 1))
}

fn key(outcome: &Outcome, left: u8, with_seats: bool) -> Key {
    let mut key = [ABSENT; MAX_PLAYERS];
    members(left).for_each(|seat| key[seat] = outcome.entrant(seat) as u8);
    if !with_seats {
        key.sort_unstable();
    }
    key
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)))
}

fn rank(gram: &DMatrix<f64>) -> usize {
    let values = gram.symmetric_eigenvalues();
    let least = 1e-9 * values.iter().copied().fold(1.0, f64::max);
    values.iter().filter(|value| **value > least).count()
}

/// Directed links between agents or seats.
struct Links {
    n: usize,
    reaches: Vec<bool>,
}

impl Links {
    fn new(n: usize) -> Self {
        Self { n, reaches: vec![false; n * n] }
    }

    fn add(&mut self, a: usize, b: usize) {
        self.reaches[a * self.n + b] = true;
    }

    /// Returns the largest part in which each member reaches each other (Warshall 1962); the first among equal parts.
    fn core(mut self) -> Vec<bool> {
        for via in 0..self.n {
            for a in 0..self.n {
                for b in 0..self.n {
                    if self.reaches[a * self.n + via] && self.reaches[via * self.n + b] {
                        self.add(a, b);
                    }
                }
            }
        }
        let joins = |a: usize, b: usize| {
            a == b || (self.reaches[a * self.n + b] && self.reaches[b * self.n + a])
        };
        let size = |a: usize| (0..self.n).filter(|&b| joins(a, b)).count();
        let largest = (0..self.n).max_by_key(|&a| (size(a), std::cmp::Reverse(a)));
        (0..self.n).map(|a| largest.is_some_and(|core| joins(core, a))).collect()
    }
}

/// The likelihood of a resample, with the prior.
struct Sample<'a> {
    stages: &'a Stages,
    /// The number of choices by set.
    counts: Vec<f64>,
    /// The number of times chosen by parameter, with the prior's.
    chosen: Vec<f64>,
}

impl<'a> Sample<'a> {
    fn new(stages: &'a Stages, times: &[f64]) -> Self {
        let n = stages.agents + stages.seats;
        let mut counts = vec![0.0; stages.sets.len()];
        stages.counts.iter().for_each(|&(set, group, count)| counts[set] += times[group] * count);
        let mut chosen = vec![PRIOR; n];
        for (line, times) in stages.chosen.chunks_exact(n.max(1)).zip(times) {
            chosen.iter_mut().zip(line).for_each(|(sum, part)| *sum += times * part);
        }
        Self { stages, counts, chosen }
    }

    /// Returns the parameters of the maximum, from `start`; the last step starts less than `gap` below its height.
    fn peak(&self, start: &[f64], gap: f64) -> Vec<f64> {
        let mut x = start.to_vec();
        let mut height = self.height(&x);
        for _ in 0..STEPS {
            let (gradient, curvature) = self.slopes(&x);
            let Some(curvature) = curvature.cholesky() else {
                // The curvature is flat to rounding; a sweep leads back.
                self.sweep(&mut x);
                height = self.height(&x);
                continue;
            };
            let step = curvature.solve(&gradient);
            let rise = step.dot(&gradient);
            if rise < gap {
                // This near, a step squares the distance, and heights are too coarse to measure it.
                x.iter_mut().zip(&step).for_each(|(x, d)| *x += d);
                break;
            }
            let halved = (0..30).map(|halvings| 0.5f64.powi(halvings)).find_map(|part| {
                let next: Vec<f64> = x.iter().zip(&step).map(|(x, d)| x + part * d).collect();
                let new = self.height(&next);
                (new >= height + 1e-4 * part * rise).then_some((next, new))
            });
            // Where no step rises any more, only rounding is left.
            let Some((next, new)) = halved else { break };
            (x, height) = (next, new);
        }
        x
    }

    /// Returns the sets that were chosen from, with the number of choices.
    fn sets(&self) -> impl Iterator<Item = (&Vec<Competitor>, f64)> {
        let counted = self.stages.sets.iter().zip(self.counts.iter().copied());
        counted.filter(|(_, count)| *count > 0.0)
    }

    /// Returns the logarithm of the likelihood, up to a constant.
    fn height(&self, x: &[f64]) -> f64 {
        let e = exponentials(x);
        let chosen: f64 = self.chosen.iter().zip(x).map(|(chosen, x)| chosen * x).sum();
        let ghosts: f64 = e.iter().map(|e| 2.0 * PRIOR * e.ln_1p()).sum();
        chosen - ghosts - self.sets().map(|(set, count)| count * sum(&e, set).ln()).sum::<f64>()
    }

    /// Does one MM sweep: agents given the seats, then seats given the agents.
    fn sweep(&self, x: &mut [f64]) {
        let agents = self.stages.agents;
        for range in [0..agents, agents..x.len()] {
            let e = exponentials(x);
            let mut expected: Vec<f64> = e.iter().map(|e| 2.0 * PRIOR * e / (1.0 + e)).collect();
            for (set, count) in self.sets() {
                let scale = count / sum(&e, set);
                for &member in set {
                    let part = scale * weight(&e, member);
                    expected[member.agent] += part;
                    member.seat.into_iter().for_each(|seat| expected[seat] += part);
                }
            }
            for i in range {
                x[i] += (self.chosen[i] / expected[i]).ln();
            }
        }
    }

    /// Returns the gradient, and the lower half of the matrix of second derivatives with its sign turned.
    fn slopes(&self, x: &[f64]) -> (DVector<f64>, DMatrix<f64>) {
        let n = x.len();
        let e = exponentials(x);
        let mut gradient = DVector::from_column_slice(&self.chosen);
        // Column after column, each from the diagonal down: the entries above it are never read.
        let mut curvature = vec![0.0; n * n];
        for i in 0..n {
            let p = e[i] / (1.0 + e[i]);
            gradient[i] -= 2.0 * PRIOR * p;
            curvature[i * n + i] += 2.0 * PRIOR * p / (1.0 + e[i]);
        }
        let mut touched = Vec::with_capacity(2 * MAX_PLAYERS);
        for (set, count) in self.sets() {
            let scale = 1.0 / sum(&e, set);
            touched.clear();
            for &member in set {
                let p = scale * weight(&e, member);
                let Competitor { agent, seat } = member;
                touched.push((agent, p));
                curvature[agent * n + agent] += count * p;
                if let Some(seat) = seat {
                    touched.push((seat, p));
                    curvature[seat * n + seat] += count * p;
                    curvature[agent * n + seat] += count * p;
                }
            }
            for &(i, p) in &touched {
                let part = count * p;
                gradient[i] -= part;
                let lower = touched.iter().filter(|(j, _)| *j <= i);
                lower.for_each(|&(j, q)| curvature[j * n + i] -= part * q);
            }
        }
        (gradient, DMatrix::from_vec(n, n, curvature))
    }
}

fn exponentials(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| x.exp()).collect()
}

/// Returns the weight of a competitor, from the exponentials of the parameters.
fn weight(e: &[f64], member: Competitor) -> f64 {
    e[member.agent] * member.seat.map_or(1.0, |seat| e[seat])
}

fn sum(e: &[f64], set: &[Competitor]) -> f64 {
    set.iter().map(|&member| weight(e, member)).sum()
}

#[cfg(test)]
mod tests {
    use engine::rng::{Purpose, stream};
    use engine::{Randomness, Stream};

    use super::*;

    fn count(games: &[(&[usize], &[f64], u64)]) -> Outcomes {
        let mut outcomes = Outcomes::default();
        let all = games.iter().flat_map(|game| (0..game.2).map(move |_| game));
        for (block, (entrants, ranks, _)) in all.enumerate() {
            outcomes.add(block as u64, Outcome::new(entrants, ranks));
        }
        outcomes
    }

    fn quick() -> Bootstrap {
        Bootstrap { seed: 1, resamples: 100 }
    }

    /// Returns the log-likelihood of an order without ties, from the definition.
    fn of_order(worths: &[f64], order: &[usize]) -> f64 {
        let stage = |from: usize| {
            let left: f64 = order[from..].iter().map(|&seat| worths[seat].exp()).sum();
            worths[order[from]] - left.ln()
        };
        (0..order.len()).map(stage).sum()
    }

    /// Returns all orders that break the ties of `ranks`.
    fn orders(ranks: &[f64], done: &[usize]) -> Vec<Vec<usize>> {
        if done.len() == ranks.len() {
            return vec![done.to_vec()];
        }
        let left = || (0..ranks.len()).filter(|seat| !done.contains(seat));
        let best = left().map(|seat| ranks[seat]).fold(f64::INFINITY, f64::min);
        let next = left().filter(|&seat| ranks[seat] <= best);
        next.flat_map(|seat| orders(ranks, &[done, &[seat]].concat())).collect()
    }

    #[test]
    fn a_tie_is_the_mean_over_all_orders_that_break_it() {
        let x = [0.3, -0.7, 1.1, 0.2, 0.5, -0.4];
        for ranks in [[1.0, 2.5, 2.5, 4.0], [2.0, 2.0, 2.0, 4.0], [2.5; 4], [1.5, 3.5, 1.5, 3.5]] {
            let outcomes = count(&[(&[0, 1, 2, 3], &ranks, 1)]);
            let stages = Stages::new(&outcomes, 6, false);
            let sample = Sample::new(&stages, &[1.0]);
            let prior: f64 = x.iter().map(|x| 0.5 * x - f64::exp(*x).ln_1p()).sum();
            let all = orders(&ranks, &[]);
            let mean: f64 =
                all.iter().map(|order| of_order(&x, order)).sum::<f64>() / all.len() as f64;
            let height = sample.height(&x) - prior;
            assert!((height - mean).abs() < 1e-12, "{ranks:?}: {height} and {mean}");
        }
    }

    #[test]
    fn two_agents_as_by_hand() {
        let outcomes = count(&[
            (&[0, 1], &[1.0, 2.0], 15),
            (&[1, 0], &[2.0, 1.0], 15),
            (&[0, 1], &[2.0, 1.0], 5),
            (&[1, 0], &[1.0, 2.0], 5),
        ]);
        let ratings = Ratings::new(&outcomes, 2, quick());
        let logit = ratings.agents[0].elo / ELO_PER_LOGIT;
        let p = |x: f64| 1.0 / (1.0 + (-x).exp());
        // 30 of 40, and one more game against the ghost: the slope is zero at the maximum.
        assert!((30.5 - 40.0 * p(2.0 * logit) - p(logit)).abs() < 1e-6, "{logit}");
        assert!(ratings.seats.unwrap().iter().all(|seat| seat.elo.abs() < 1e-6));
    }

    fn random_games(agents: usize, rng: &mut Stream) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for block in 0..30 {
            let mut entrants: Vec<usize> = (0..agents).collect();
            rng.shuffle(&mut entrants);
            let ranks: Vec<f64> = (0..3).map(|_| f64::from(rng.below(3))).collect();
            outcomes.add(block, Outcome::new(&entrants[..3], &ranks));
        }
        outcomes
    }

    #[test]
    fn the_slope_vanishes_at_the_peak_and_no_step_away_rises() {
        let mut rng = stream(3, 0, Purpose::Analysis);
        for _ in 0..20 {
            let outcomes = random_games(5, &mut rng);
            let stages = Stages::new(&outcomes, 5, true);
            let sample = Sample::new(&stages, &vec![1.0; outcomes.groups()]);
            let start: Vec<f64> = (0..8).map(|_| 8.0 * rng.unit() - 4.0).collect();
            let peak = sample.peak(&start, 1e-8);
            let slope = sample.slopes(&peak).0.norm();
            assert!(slope < 1e-6, "{slope} from {start:?}");
            for _ in 0..20 {
                let near: Vec<f64> = peak.iter().map(|x| x + 0.02 * (rng.unit() - 0.5)).collect();
                assert!(sample.height(&near) < sample.height(&peak));
            }
        }
    }

    #[test]
    fn sweeps_never_fall() {
        let mut rng = stream(4, 0, Purpose::Analysis);
        let outcomes = random_games(5, &mut rng);
        let stages = Stages::new(&outcomes, 5, true);
        let sample = Sample::new(&stages, &vec![1.0; outcomes.groups()]);
        let mut x: Vec<f64> = (0..8).map(|_| 6.0 * rng.unit() - 3.0).collect();
        for _ in 0..1_000 {
            let before = sample.height(&x);
            sample.sweep(&mut x);
            assert!(sample.height(&x) >= before - 1e-12);
        }
        let gap = sample.height(&sample.peak(&x, 1e-8)) - sample.height(&x);
        assert!((0.0..0.05).contains(&gap), "a thousand sweeps come near the peak: {gap}");
    }

    #[test]
    fn winners_of_everything_and_pools_that_never_met_are_finite_and_without_intervals() {
        for wins in [1, 1_000, 1_000_000] {
            let mut outcomes = Outcomes::default();
            for block in 0..wins {
                outcomes.add(block, Outcome::new(&[0, 1, 2], &[1.0, 2.0, 3.0]));
            }
            let ratings = Ratings::new(&outcomes, 3, quick());
            let elo: Vec<f64> = ratings.agents.iter().map(|agent| agent.elo).collect();
            assert!(elo.iter().all(|elo| elo.is_finite()) && elo[0] > elo[1] && elo[1] > elo[2]);
            assert!(!ratings.is_linked && ratings.agents[0].interval.is_none());
            assert!(elo[0] < 3_000.0, "{wins}: {elo:?}");
        }
        // The other agents of a pool keep their intervals when one agent always loses.
        let lost = count(&[
            (&[0, 1, 2], &[1.0, 2.0, 3.0], 20),
            (&[1, 2, 0], &[1.0, 3.0, 2.0], 20),
            (&[2, 0, 1], &[3.0, 1.0, 2.0], 20),
            (&[0, 1, 2], &[2.0, 1.0, 3.0], 20),
            (&[1, 2, 0], &[2.0, 3.0, 1.0], 10),
            (&[2, 0, 1], &[3.0, 2.0, 1.0], 10),
        ]);
        let ratings = Ratings::new(&lost, 3, quick());
        let with = ratings.agents.iter().map(|agent| agent.interval.is_some());
        assert_eq!(with.collect::<Vec<_>>(), [true, true, false], "{ratings:?}");
        assert!(!ratings.is_linked && ratings.difference(0, 1).is_some());
        assert!((ratings.agents[0].elo + ratings.agents[1].elo).abs() < 1e-6);
        let apart = count(&[
            (&[0, 1], &[1.0, 2.0], 9),
            (&[1, 0], &[1.0, 2.0], 9),
            (&[2, 3], &[1.0, 2.0], 9),
            (&[3, 2], &[1.0, 2.0], 9),
        ]);
        let ratings = Ratings::new(&apart, 5, quick());
        assert!(!ratings.is_linked && ratings.agents.iter().all(|agent| agent.elo.is_finite()));
    }

    #[test]
    fn an_agent_that_did_not_play_takes_nobody_s_interval_away() {
        let outcomes = count(&[
            (&[0, 2], &[1.0, 2.0], 20),
            (&[2, 0], &[1.0, 2.0], 20),
            (&[0, 2], &[2.0, 1.0], 10),
            (&[2, 0], &[2.0, 1.0], 10),
        ]);
        let ratings = Ratings::new(&outcomes, 3, quick());
        let with = [true, false, true];
        for (agent, with) in ratings.agents.iter().zip(with) {
            assert_eq!(agent.interval.is_some(), with, "{ratings:?}");
        }
        assert!(ratings.is_linked && ratings.difference(0, 1).is_none());
    }

    #[test]
    fn seats_are_told_from_agents_only_if_agents_move() {
        let fixed =
            count(&[(&[0, 1, 2], &[1.0, 2.0, 3.0], 20), (&[0, 1, 2], &[3.0, 2.0, 1.0], 15)]);
        assert!(Ratings::new(&fixed, 3, quick()).seats.is_none());
        // Two of three seats change hands: they are still not separated from the third agent.
        let half = count(&[(&[0, 1, 2], &[1.0, 2.0, 3.0], 20), (&[1, 0, 2], &[3.0, 2.0, 1.0], 15)]);
        assert!(Ratings::new(&half, 3, quick()).seats.is_none());
        let rotated = count(&[
            (&[0, 1, 2], &[1.0, 2.0, 3.0], 20),
            (&[1, 2, 0], &[1.0, 2.0, 3.0], 20),
            (&[2, 0, 1], &[1.0, 3.0, 2.0], 20),
        ]);
        let seats = Ratings::new(&rotated, 3, quick()).seats.unwrap();
        assert!(seats[0].elo > seats[1].elo && seats[1].elo > seats[2].elo);
        assert!(seats.iter().map(|seat| seat.elo).sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn an_agent_against_itself_tells_of_seats_only() {
        let alone = count(&[(&[0, 0], &[1.0, 2.0], 30), (&[0, 0], &[2.0, 1.0], 10)]);
        let ratings = Ratings::new(&alone, 1, quick());
        assert!(ratings.agents[0].elo.abs() < 1e-9);
        let seats = ratings.seats.unwrap();
        assert!((seats[0].elo - seats[1].elo - 190.0).abs() < 10.0, "{seats:?}");
    }
}
