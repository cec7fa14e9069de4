//! Soft Condorcet optimization: ratings that contradict as few meetings as possible.
//!
//! **Loss** (Lanctot et al. 2025, Soft Condorcet Optimization for Ranking of General Agents,
//! <https://arxiv.org/abs/2411.00119>). A meeting in which `a` finished before `b` costs `σ(θ_b − θ_a)`, a logistic
//! step instead of the hard step that counts mistakes. A tie has a constant cost. So only *margins* matter, the
//! meetings `w_ab` in which `a` finished before `b` minus the meetings in which it finished behind:
//!
//! `L(θ) = Σ_{a<b} (w_ab − w_ba)/T · σ(θ_b − θ_a)`, `0 ≤ θ ≤ W`, `T` meetings of all pairs.
//!
//! As the box grows, the order of the minimum becomes that of [`super::kemeny`]. An agent that finished before each of
//! the others more often than not comes first; ratings of Bradley–Terry and Plackett–Luce do not guarantee this.
//! Distances show how well an order is separated: between neighbours, `e^{−gap}` is inversely proportional to the
//! margin.
//!
//! **Scale.** Ratings are printed from 0 to [`TOP`]. The width is `W = `[`SPREAD`]` · (n − 1)` for `n` agents, so there
//! is room for [`SPREAD`] steps between neighbours. The best agent of a decided pool has 100 and the last has 0, so
//! ratings of different pools are not comparable. Nearly tied agents share one rating if their margin is below
//! `e^{−4}`, about 2 %, of the margins beside it. `RIDGE` pulls every agent to the middle, so agents without any margin
//! have a defined rating.
//!
//! **Minimum.** If majorities make no cycle, the loss is convex among orders that agree with them. Newton's method on
//! the box (Bertsekas 1982, <https://doi.org/10.1137/0320018>), with absolute curvatures and halved steps, starts from
//! evenly spaced ratings in Kemeny's order. Resamples start from the whole sample's minimum and from their own order;
//! the lower end counts. With cycles the result is the best minimum found.
//!
//! **Intervals** by [`super::bootstrap`], of the rating that the schedule would give if it never ended. There are none
//! below [`FEWEST_GROUPS`] groups of blocks.
//!
//! **Valid** for pools in which chains of meetings join all agents, at most [`MOST_AGENTS`]. Equal agents have no true
//! order, and their intervals are wide. If some pair always went one way in few blocks, resamples cannot show the other
//! way: intervals are then too narrow.

use nalgebra::{DMatrix, DVector};

use super::bootstrap::{Bootstrap, percentile};
use super::interval::Interval;
use super::kemeny::{self, Kemeny};
use super::outcomes::{PairGroups, PairTotals};

/// The highest rating; the lowest is 0.
pub const TOP: f64 = 100.0;

/// The number of steps of the logistic curve between evenly spaced neighbours.
pub const SPREAD: f64 = 4.0;

/// The largest number of agents that are rated.
pub const MOST_AGENTS: usize = 40;

/// The smallest number of groups of blocks that give intervals.
pub const FEWEST_GROUPS: usize = 10;

/// The pull of each agent to the middle, relative to a loss between −1 and 1.
const RIDGE: f64 = 1e-8;

/// The largest number of steps of Newton's method; a dozen is usual.
const STEPS: u32 = 200;

/// The expected gain of a step below which the search ends.
const GAIN: f64 = 1e-13;

/// The rating of an agent, with its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The rating, from 0 to [`TOP`].
    pub rating: f64,
    /// Its 95 % interval, if there is one.
    pub interval: Option<Interval>,
}

/// Ratings of a pool.
#[derive(Clone, Debug)]
pub struct SoftCondorcet {
    /// The rating of each agent.
    pub agents: Vec<Rating>,
    /// The agents, the highest rating first.
    pub order: Vec<usize>,
    /// The order that the fewest meetings contradict.
    pub kemeny: Kemeny,
    draws: Vec<Vec<f64>>,
    groups: Vec<usize>,
}

impl SoftCondorcet {
    /// Returns the ratings of the agents in `pairs`.
    ///
    /// `None` unless there are 2 to [`MOST_AGENTS`] agents and meetings join all of them.
    #[must_use]
    pub fn new(pairs: &PairGroups, plan: Bootstrap) -> Option<Self> {
        let totals = pairs.all();
        let n = totals.agents();
        if !(2..=MOST_AGENTS).contains(&n) || !are_joined(&totals) {
            return None;
        }
        let margins = Margins::of(&totals);
        let kemeny = Kemeny::new(&totals);
        let whole = margins.lowest(vec![margins.spaced(&kemeny.order)]);
        let draws = if pairs.groups() < FEWEST_GROUPS {
            Vec::new()
        } else {
            plan.draws(pairs.groups(), |times| drawn(&pairs.totals(times), &whole))
        };
        let groups = pairs.groups_by_agent();
        let ratings = margins.scaled(&whole);
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
        let mut result = Self { agents: Vec::new(), order, kemeny, draws, groups };
        result.agents = (0..n)
            .map(|i| Rating { rating: ratings[i], interval: result.interval(i, |draw| draw[i]) })
            .collect();
        Some(result)
    }

    /// Returns the 95 % interval of the rating of `a` minus that of `b`, if there is one.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<Interval> {
        let rarer = if self.groups[a] < self.groups[b] { a } else { b };
        self.interval(rarer, |draw| draw[a] - draw[b])
    }

    /// Returns the interval of the value `of` a resample, as exact as the groups of agent `i` allow.
    fn interval(&self, i: usize, of: impl Fn(&[f64]) -> f64) -> Option<Interval> {
        let groups = self.groups[i];
        let values = self.draws.iter().map(|draw| of(draw)).collect();
        if groups < FEWEST_GROUPS { None } else { percentile(values, groups) }
    }
}

/// Returns the ratings, from 0 to [`TOP`], of agents; in `points[a][b]` meetings, in any unit, `a` finished before `b`.
///
/// # Panics
/// If there are fewer than two agents, or `points` is not square.
#[must_use]
pub fn ratings(points: &[Vec<f64>]) -> Vec<f64> {
    let totals = PairTotals::of(points);
    assert!(totals.agents() >= 2, "one agent alone stands in no order");
    let margins = Margins::of(&totals);
    margins.scaled(&margins.lowest(vec![margins.spaced(&Kemeny::new(&totals).order)]))
}

/// Returns the ratings of a resample; NaN for agents that are not in it.
fn drawn(totals: &PairTotals, whole: &[f64]) -> Vec<f64> {
    let (n, margins) = (totals.agents(), Margins::of(totals));
    let own = kemeny::moved(n, &|a, b| margins.at(a, b));
    let mut ratings = margins.scaled(&margins.lowest(vec![whole.to_vec(), margins.spaced(&own)]));
    for (a, rating) in ratings.iter_mut().enumerate() {
        if (0..n).all(|b| totals.meetings(a, b) <= 0.0) {
            *rating = f64::NAN;
        }
    }
    ratings
}

/// Returns whether chains of meetings join all agents.
fn are_joined(totals: &PairTotals) -> bool {
    let n = totals.agents();
    let (mut seen, mut next) = (vec![false; n], vec![0]);
    while let Some(a) = next.pop() {
        if !std::mem::replace(&mut seen[a], true) {
            next.extend((0..n).filter(|&b| totals.meetings(a, b) > 0.0));
        }
    }
    seen.into_iter().all(|is_seen| is_seen)
}

/// The margin of each pair: meetings finished before minus behind, relative to all meetings.
struct Margins {
    n: usize,
    margins: Vec<f64>,
}

impl Margins {
    fn of(totals: &PairTotals) -> Self {
        let n = totals.agents();
        let pairs = || (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
        let meetings: f64 = pairs().map(|(a, b)| totals.meetings(a, b)).sum::<f64>() / 2.0;
        let margin = |(a, b)| (totals.points(a, b) - totals.points(b, a)) / meetings.max(1e-300);
        Self { n, margins: pairs().map(margin).collect() }
    }

    fn at(&self, a: usize, b: usize) -> f64 {
        self.margins[a * self.n + b]
    }

    /// Returns the width of the box.
    fn width(&self) -> f64 {
        SPREAD * (self.n - 1) as f64
    }

    fn scaled(&self, x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| TOP * x / self.width()).collect()
    }

    /// Returns evenly spaced ratings in `order`.
    fn spaced(&self, order: &[usize]) -> Vec<f64> {
        let mut x = vec![0.0; self.n];
        order.iter().rev().zip(0_u32..).for_each(|(&a, steps)| x[a] = SPREAD * f64::from(steps));
        x
    }

    /// Returns the lowest of the minima to which `starts` lead; the first among equal ones.
    fn lowest(&self, starts: Vec<Vec<f64>>) -> Vec<f64> {
        let ends = starts.into_iter().map(|start| self.descend(start));
        let ends = ends.map(|x| (self.loss(&x), x));
        let best = ends.reduce(|best, next| if next.0 < best.0 - 1e-12 { next } else { best });
        best.map_or_else(Vec::new, |(_, x)| x)
    }

    /// Returns the pairs `a < b` with a margin.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let all = (0..self.n).flat_map(move |a| (a + 1..self.n).map(move |b| (a, b)));
        all.map(|(a, b)| (a, b, self.at(a, b))).filter(|&(_, _, margin)| margin != 0.0)
    }

    fn loss(&self, x: &[f64]) -> f64 {
        let middle = self.width() / 2.0;
        let ridge: f64 = x.iter().map(|x| RIDGE / 2.0 * (x - middle).powi(2)).sum();
        // A margin against the order saves as much as it costs in the opposite order.
        ridge + self.pairs().map(|(a, b, margin)| margin * step(x[b] - x[a])).sum::<f64>()
    }

    /// Returns the gradient, and the curvature with every pair taken as convex.
    fn slopes(&self, x: &[f64]) -> (Vec<f64>, DMatrix<f64>) {
        /// The smallest curvature of a pair, relative to its slope.
        const LEAST: f64 = 0.05;
        let middle = self.width() / 2.0;
        let mut gradient: Vec<f64> = x.iter().map(|x| RIDGE * (x - middle)).collect();
        let mut curvature = DMatrix::<f64>::identity(self.n, self.n) * RIDGE;
        for (a, b, margin) in self.pairs() {
            let part = step(x[b] - x[a]);
            let slope = margin * part * (1.0 - part);
            gradient[b] += slope;
            gradient[a] -= slope;
            let bend = slope.abs() * (1.0 - 2.0 * part).abs().max(LEAST);
            curvature[(a, a)] += bend;
            curvature[(b, b)] += bend;
            curvature[(a, b)] -= bend;
            curvature[(b, a)] -= bend;
        }
        (gradient, curvature)
    }

    /// Returns the minimum to which `x` leads.
    fn descend(&self, mut x: Vec<f64>) -> Vec<f64> {
        let mut loss = self.loss(&x);
        for _ in 0..STEPS {
            let (gradient, curvature) = self.slopes(&x);
            let newton = self.direction(&x, &gradient, &curvature);
            // If the edge of the box spoils Newton's step, steepest descent is used.
            let steepest: Vec<f64> = gradient.iter().map(|slope| -slope / GAIN.sqrt()).collect();
            let next = self
                .halved(&x, loss, &gradient, &newton)
                .or_else(|| self.halved(&x, loss, &gradient, &steepest));
            let Some((next, lower)) = next else { break };
            let gain = loss - lower;
            (x, loss) = (next, lower);
            if gain < GAIN {
                break;
            }
        }
        x
    }

    /// Returns Newton's direction for the agents that no end of the box holds.
    fn direction(&self, x: &[f64], gradient: &[f64], curvature: &DMatrix<f64>) -> Vec<f64> {
        let is_held = |&i: &usize| {
            (x[i] <= 0.0 && gradient[i] > 0.0) || (x[i] >= self.width() && gradient[i] < 0.0)
        };
        let free: Vec<usize> = (0..self.n).filter(|i| !is_held(i)).collect();
        let mut direction = vec![0.0; self.n];
        let part = DMatrix::from_fn(free.len(), free.len(), |i, j| curvature[(free[i], free[j])]);
        let down = DVector::from_iterator(free.len(), free.iter().map(|&i| -gradient[i]));
        if let Some(factors) = part.cholesky() {
            free.iter().zip(&factors.solve(&down)).for_each(|(&i, d)| direction[i] = *d);
        }
        direction
    }

    /// Returns the first of the full, half, quarter … step within the box with a sufficient decrease, and its loss.
    fn halved(
        &self,
        x: &[f64],
        loss: f64,
        gradient: &[f64],
        direction: &[f64],
    ) -> Option<(Vec<f64>, f64)> {
        (0..60).map(|halvings| 0.5_f64.powi(halvings)).find_map(|part| {
            let moved = |(x, d): (&f64, &f64)| (x + part * d).clamp(0.0, self.width());
            let next: Vec<f64> = x.iter().zip(direction).map(moved).collect();
            let fall: f64 =
                gradient.iter().zip(x.iter().zip(&next)).map(|(g, (x, y))| g * (x - y)).sum();
            let lower = self.loss(&next);
            (fall > 0.0 && lower <= loss - 1e-4 * fall && lower < loss).then_some((next, lower))
        })
    }
}

/// Returns the value of the logistic curve.
fn step(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use engine::rng::{Purpose, stream};
    use engine::{Randomness, Stream};

    use super::super::outcomes::{Outcome, Outcomes};
    use super::*;

    fn sorted(ratings: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..ratings.len()).collect();
        order.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
        order
    }

    /// Returns the points of a pool in which the agent earlier in `order` wins with a random share above one half.
    fn transitive(order: &[usize], rng: &mut Stream) -> Vec<Vec<f64>> {
        let mut points = vec![vec![0.0; order.len()]; order.len()];
        for (i, &a) in order.iter().enumerate() {
            for &b in &order[i + 1..] {
                let share = 0.55 + 0.45 * rng.unit();
                (points[a][b], points[b][a]) = (share, 1.0 - share);
            }
        }
        points
    }

    fn shuffled(n: usize, rng: &mut Stream) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        (1..n).for_each(|i| order.swap(i, rng.below(i as u32 + 1) as usize));
        order
    }

    #[test]
    fn a_condorcet_order_is_the_order_of_the_ratings_and_kemeny_s() {
        let mut rng = stream(31, 0, Purpose::Analysis);
        for case in 0..300 {
            let n = 2 + case % 7;
            let order = shuffled(n, &mut rng);
            let points = transitive(&order, &mut rng);
            let result = ratings(&points);
            assert_eq!(Kemeny::new(&PairTotals::of(&points)).order, order);
            for two in order.windows(2) {
                // Neighbours may share a rating, and are never in the wrong order.
                assert!(result[two[0]] >= result[two[1]] - 1e-9, "{order:?}: {result:?}");
            }
            assert!((result[order[0]] - TOP).abs() < 1e-9 && result[order[n - 1]].abs() < 1e-9);
        }
    }

    #[test]
    fn gaps_are_as_the_margins_say() {
        // Three in a chain: the middle agent has the rating W/2 + ½ ln(m_bc/m_ab) if no other force acts.
        let points = |ab: f64, bc: f64| {
            vec![vec![0.0, 0.5 + ab, 0.5], vec![0.5 - ab, 0.0, 0.5 + bc], vec![0.5, 0.5 - bc, 0.0]]
        };
        let even = ratings(&points(0.2, 0.2));
        assert!((even[1] - 50.0).abs() < 1e-6, "{even:?}");
        let uneven = ratings(&points(0.1, 0.3));
        // Computed by hand, except for the tails of the logistic curve, which are e^{−4} of it.
        let by_hand = 50.0 + TOP / (2.0 * SPREAD) * 0.5 * 3.0_f64.ln();
        assert!((uneven[1] - by_hand).abs() < 0.5, "{uneven:?} {by_hand}");
    }

    #[test]
    fn a_condorcet_winner_comes_first_where_net_wins_say_otherwise() {
        // Agent 0 beats all others narrowly; agent 1 loses to 0 narrowly and beats the others by far.
        let mut points = vec![vec![0.5; 4]; 4];
        for (a, b, share) in
            [(0, 1, 0.54), (0, 2, 0.54), (0, 3, 0.54), (1, 2, 0.95), (1, 3, 0.95), (2, 3, 0.6)]
        {
            (points[a][b], points[b][a]) = (share, 1.0 - share);
        }
        assert_eq!(sorted(&ratings(&points)), [0, 1, 2, 3]);
        let net = |a: usize| points[a].iter().sum::<f64>();
        assert!(net(1) > net(0));
    }

    #[test]
    fn nobody_s_margin_is_the_middle_and_a_cycle_is_no_reason_to_fail() {
        let equal = ratings(&vec![vec![0.5; 5]; 5]);
        assert!(equal.iter().all(|rating| (rating - 50.0).abs() < 1e-6), "{equal:?}");
        let mut rng = stream(33, 0, Purpose::Analysis);
        for _ in 0..200 {
            let table: Vec<Vec<f64>> =
                (0..6).map(|_| (0..6).map(|_| rng.unit()).collect()).collect();
            let result = ratings(&table);
            assert!(result.iter().all(|rating| (0.0..=TOP).contains(rating)), "{result:?}");
            // On a grid of places, no move of a single agent lowers the loss.
            let margins = Margins::of(&PairTotals::of(&table));
            let x: Vec<f64> = result.iter().map(|x| x * margins.width() / TOP).collect();
            let (gradient, _) = margins.slopes(&x);
            for (x, slope) in x.iter().zip(gradient) {
                let presses = (*x <= 1e-9 && slope > 0.0) || (*x >= 20.0 - 1e-9 && slope < 0.0);
                assert!(presses || slope.abs() < 1e-5, "slope {slope} at {x}");
            }
        }
    }

    #[test]
    fn a_planted_order_is_recovered_and_decided() {
        let order = [2, 0, 3, 1];
        let mut rng = stream(34, 0, Purpose::Analysis);
        let mut outcomes = Outcomes::default();
        for block in 0..150 {
            for _ in 0..4 {
                let rank = |a: usize, rng: &mut Stream| {
                    let place = order.iter().position(|&b| b == a).unwrap_or_default();
                    place as f64 + 2.5 * rng.unit()
                };
                let ranks: Vec<f64> = (0..4).map(|a| rank(a, &mut rng)).collect();
                outcomes.add(block, Outcome::new(&[0, 1, 2, 3], &ranks));
            }
        }
        let plan = Bootstrap { seed: 1, resamples: 200 };
        let result = SoftCondorcet::new(&PairGroups::new(&outcomes, 4), plan).unwrap();
        assert_eq!((&result.order[..], &result.kemeny.order[..]), (&order[..], &order[..]));
        for two in order.windows(2) {
            assert!(result.difference(two[0], two[1]).unwrap().low > 0.0, "{result:?}");
        }
    }

    #[test]
    fn pools_that_never_met_have_no_ratings_and_few_blocks_no_intervals() {
        let plan = Bootstrap { seed: 1, resamples: 50 };
        let mut outcomes = Outcomes::default();
        for block in 0..9 {
            outcomes.add(block, Outcome::new(&[0, 1], &[1.0, 2.0]));
        }
        let few = SoftCondorcet::new(&PairGroups::new(&outcomes, 2), plan).unwrap();
        assert!(
            few.agents.iter().all(|agent| agent.interval.is_none()) && few.agents[0].rating > 99.9
        );
        assert!(SoftCondorcet::new(&PairGroups::new(&outcomes, 3), plan).is_none());
        outcomes.add(9, Outcome::new(&[2, 3], &[1.0, 2.0]));
        assert!(SoftCondorcet::new(&PairGroups::new(&outcomes, 4), plan).is_none());
        outcomes.add(10, Outcome::new(&[1, 2], &[1.0, 2.0]));
        let joined = SoftCondorcet::new(&PairGroups::new(&outcomes, 4), plan).unwrap();
        assert_eq!(joined.order, [0, 1, 2, 3]);
        assert!(joined.agents[3].interval.is_none(), "it met others in one block");
    }
}
