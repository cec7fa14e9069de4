//! Meta-games: games whose actions are strategies of another game, with points by the counts of strategies at a table.
//!
//! Seats are alike, so the game is symmetric: a strategy's points depend only on how often each strategy sits at the
//! table. All profiles of counts are kept. A *mixture* gives each strategy a probability, and every seat draws from it.
//! The points of each profile add up to one, so a mixture against itself gets `1/n`.
//!
//! **Solvers** ([`Solver`]) pick a mixture:
//! - `nash`: the equilibrium of highest entropy ([`crate::nash::equilibrium`]); two players only.
//! - `alpha-rank`: the masses of [`crate::alpha_rank`] at [`ALPHA`]; at most [`MOST_AGENTS`] strategies.
//! - `projected-replicator`: the mean of the second half of a path of replicator dynamics, each of whose points is kept
//!   inside the simplex (Lanctot et al. 2017, A Unified Game-Theoretic Approach to Multiagent Reinforcement Learning,
//!   <https://arxiv.org/abs/1711.00832>). It accepts any number of players. At two players the mean tends to the
//!   equilibrium; at more it need not, so read its [`MetaGame::exploitability`].
//!
//! **Exploitability** of a mixture is the most that one seat gains by leaving it. Only strategies of the game are tried,
//! so the number is a lower bound of the exploitability in the game behind it.

use std::str::FromStr;

use crate::alpha_rank::{MOST_AGENTS, Profiles, pairwise};
use crate::nash::equilibrium;

/// The intensity of selection of α-rank as a solver, for points in shares.
pub const ALPHA: f64 = 100.0;

/// A symmetric game by counts of strategies.
#[derive(Clone, PartialEq, Debug)]
pub struct MetaGame {
    strategies: usize,
    players: usize,
    profiles: Vec<Vec<usize>>,
    /// The points of each seat of a profile.
    points: Vec<Vec<f64>>,
}

/// Returns all profiles of a symmetric game: the strategies at a table, the highest number first.
#[must_use]
pub fn profiles(strategies: usize, players: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..players {
        let longer = |profile: &Vec<usize>| {
            let most = profile.last().map_or(strategies, |&last| last + 1);
            let profile = profile.clone();
            (0..most).map(move |next| [&profile[..], &[next]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Returns the probability that seats which draw from `mix` make up `profile`.
///
/// # Panics
/// If the profile names a strategy that the mixture lacks.
#[must_use]
pub fn probability(profile: &[usize], mix: &[f64]) -> f64 {
    let mut orders = 1.0;
    let mut same = 0.0;
    let mut chance = 1.0;
    for (i, &strategy) in profile.iter().enumerate() {
        same = if i > 0 && profile[i - 1] == strategy { same + 1.0 } else { 1.0 };
        orders *= (i + 1) as f64 / same;
        chance *= mix[strategy];
    }
    orders * chance
}

impl MetaGame {
    /// Builds a game from the points of every seat of each profile; `points` gets the strategies of the seats, as
    /// [`profiles`] lists them.
    ///
    /// # Panics
    /// If there is no strategy or no player, or a profile has not as many points as seats.
    #[must_use]
    pub fn new(
        strategies: usize,
        players: usize,
        mut points: impl FnMut(&[usize]) -> Vec<f64>,
    ) -> Self {
        assert!(strategies > 0 && players > 0, "a game has strategies and players");
        let profiles = profiles(strategies, players);
        let points = profiles.iter().map(|profile| {
            let points = points(profile);
            assert_eq!(points.len(), players, "points for every seat");
            points
        });
        Self { strategies, players, points: points.collect(), profiles }
    }

    /// Returns the points of a seat with `strategy` whose opponents are `others`, in any order.
    ///
    /// # Panics
    /// If the table is not full.
    #[must_use]
    pub fn points(&self, strategy: usize, others: &[usize]) -> f64 {
        let mut profile = [others, &[strategy]].concat();
        profile.sort_unstable_by(|a, b| b.cmp(a));
        let at = self.profiles.binary_search(&profile).expect("a full table is a profile");
        self.seat(at, strategy)
    }

    /// Returns the mean points of the seats with `strategy` in the profile `at`.
    fn seat(&self, at: usize, strategy: usize) -> f64 {
        let seats = self.profiles[at].iter().zip(&self.points[at]);
        let own: Vec<f64> =
            seats.filter(|(seat, _)| **seat == strategy).map(|(_, points)| *points).collect();
        own.iter().sum::<f64>() / own.len() as f64
    }

    /// Returns the tables that a strategy meets: its opponents, and each strategy's points against them.
    fn fields(&self) -> Vec<(Vec<usize>, Vec<f64>)> {
        let against = |others: Vec<usize>| {
            let points = (0..self.strategies).map(|own| self.points(own, &others)).collect();
            (others, points)
        };
        profiles(self.strategies, self.players - 1).into_iter().map(against).collect()
    }

    /// Returns the points of each strategy against opponents that draw from `mix`.
    #[must_use]
    pub fn values(&self, mix: &[f64]) -> Vec<f64> {
        values(&self.fields(), mix)
    }

    /// Returns the most that one seat gains by leaving `mix` for a strategy of the game, in points; at least 0.
    #[must_use]
    pub fn exploitability(&self, mix: &[f64]) -> f64 {
        let values = self.values(mix);
        let own = mean(&values, mix);
        values.into_iter().map(|value| value - own).fold(0.0, f64::max)
    }

    /// Returns the points of every strategy against one other in all other seats.
    fn duels(&self) -> Vec<Vec<f64>> {
        let row = |own| {
            (0..self.strategies).map(move |other| self.points(own, &vec![other; self.players - 1]))
        };
        (0..self.strategies).map(|own| row(own).collect()).collect()
    }
}

fn values(fields: &[(Vec<usize>, Vec<f64>)], mix: &[f64]) -> Vec<f64> {
    let mut values = vec![0.0; mix.len()];
    for (others, points) in fields {
        let chance = probability(others, mix);
        values.iter_mut().zip(points).for_each(|(value, points)| *value += chance * points);
    }
    values
}

fn mean(values: &[f64], mix: &[f64]) -> f64 {
    values.iter().zip(mix).map(|(value, part)| value * part).sum()
}

/// Returns the number of strategies that a mixture amounts to: `e` to its entropy.
#[must_use]
pub fn effective_number(mix: &[f64]) -> f64 {
    let entropy: f64 = mix.iter().filter(|part| **part > 0.0).map(|part| -part * part.ln()).sum();
    entropy.exp()
}

/// A way to pick a mixture of a meta-game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solver {
    /// The equilibrium of highest entropy, for two players.
    Nash,
    /// The masses of α-rank.
    AlphaRank,
    /// The mean of a path of projected replicator dynamics.
    ProjectedReplicator,
}

impl Solver {
    /// All solvers.
    pub const ALL: [Self; 3] = [Self::Nash, Self::AlphaRank, Self::ProjectedReplicator];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nash => "nash",
            Self::AlphaRank => "alpha-rank",
            Self::ProjectedReplicator => "projected-replicator",
        }
    }

    /// Returns the reason why it cannot solve a game of this size, if it cannot.
    #[must_use]
    pub fn refusal(self, strategies: usize, players: usize) -> Option<String> {
        match self {
            Self::Nash if players != 2 => {
                Some(format!("it is for two players, and {players} play: use projected-replicator"))
            }
            Self::AlphaRank if strategies > MOST_AGENTS => Some(format!(
                "it accepts at most {MOST_AGENTS} strategies, and there may be {strategies}: lower their number, or \
                 use projected-replicator"
            )),
            _ => None,
        }
    }

    /// Returns the mixture.
    ///
    /// # Panics
    /// If the solver does not accept the size of the game ([`Self::refusal`]).
    #[must_use]
    pub fn solve(self, game: &MetaGame) -> Vec<f64> {
        match self {
            Self::Nash => {
                assert_eq!(game.players, 2, "nash is for two players");
                let row = |row: &Vec<f64>| row.iter().map(|points| points - 0.5).collect();
                let mut matrix: Vec<Vec<f64>> = game.duels().iter().map(row).collect();
                (0..matrix.len()).for_each(|i| matrix[i][i] = 0.0);
                equilibrium(&matrix)
            }
            Self::AlphaRank if game.players == 2 => pairwise(&game.duels(), ALPHA),
            Self::AlphaRank => {
                let mut table = Profiles::new(game.strategies, game.players)
                    .expect("α-rank has room for the strategies");
                for (profile, points) in game.profiles.iter().zip(&game.points) {
                    let points: Vec<f32> = points.iter().map(|&points| points as f32).collect();
                    table.add(profile, &points);
                }
                table.masses(ALPHA).expect("every profile has points")
            }
            Self::ProjectedReplicator => Replicator::default().mixture(game),
        }
    }
}

impl FromStr for Solver {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|solver| solver.name() == text);
        found.ok_or_else(|| format!("there is no such solver (accepted: {})", names()))
    }
}

/// Projected replicator dynamics, with the step in units of time per range of the points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Replicator {
    /// The number of steps; the mixture is the mean over the second half of them.
    pub steps: u32,
    /// The length of a step.
    pub step: f64,
    /// The least probability of a strategy on the path.
    pub least: f64,
}

impl Default for Replicator {
    /// 10,000 steps of 0.05: a strategy that is behind by a fiftieth of the range has vanished by the second half.
    fn default() -> Self {
        Self { steps: 10_000, step: 0.05, least: 1e-6 }
    }
}

impl Replicator {
    /// Returns the mean mixture of the second half of a path that begins with equal parts.
    #[must_use]
    pub fn mixture(self, game: &MetaGame) -> Vec<f64> {
        let mut fields = game.fields();
        let all = || fields.iter().flat_map(|(_, points)| points).copied();
        let range = all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min);
        if range > 0.0 {
            fields.iter_mut().flat_map(|(_, points)| points).for_each(|points| *points /= range);
        }
        let n = game.strategies;
        let mut mix = vec![1.0 / n as f64; n];
        let mut sum = vec![0.0; n];
        for step in 0..self.steps {
            let values = values(&fields, &mix);
            let own = mean(&values, &mix);
            for (part, value) in mix.iter_mut().zip(&values) {
                *part += self.step * *part * (value - own);
            }
            project(&mut mix, self.least);
            if step >= self.steps / 2 {
                sum.iter_mut().zip(&mix).for_each(|(sum, part)| *sum += part);
            }
        }
        let total: f64 = sum.iter().sum();
        sum.iter().map(|part| part / total).collect()
    }
}

/// Moves `mix` to the nearest mixture, in Euclidean distance, in which every strategy has at least `least`.
///
/// The largest parts are lowered equally until the sum is one (Duchi et al. 2008,
/// <https://doi.org/10.1145/1390156.1390191>).
fn project(mix: &mut [f64], least: f64) {
    let free = 1.0 - least * mix.len() as f64;
    let mut sorted: Vec<f64> = mix.iter().map(|part| part - least).collect();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut lowered) = (0.0, 0.0);
    for (i, part) in sorted.iter().enumerate() {
        sum += part;
        let by = (sum - free) / (i + 1) as f64;
        if *part > by {
            lowered = by;
        }
    }
    mix.iter_mut().for_each(|part| *part = (*part - least - lowered).max(0.0) + least);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &[f64], b: &[f64], tolerance: f64) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < tolerance)
    }

    /// A game of two players by the margins of its rows.
    fn duel(margins: &[&[f64]]) -> MetaGame {
        MetaGame::new(margins.len(), 2, |profile| {
            let margin = margins[profile[0]][profile[1]];
            vec![0.5 + margin, 0.5 - margin]
        })
    }

    /// A game of three players: a seat's points follow from how often its strategy beats those of the others, where
    /// each strategy beats the one before it in a circle by `by`, and strategy 0 has `lead` over all others.
    fn three(strategies: usize, by: f64, lead: f64) -> MetaGame {
        MetaGame::new(strategies, 3, |profile| {
            let beats = |a: usize, b: usize| match (a + strategies - b) % strategies {
                0 => 0.0,
                1 => by,
                d if d == strategies - 1 => -by,
                _ => 0.0,
            };
            let ahead = |a: usize| if a == 0 { lead } else { 0.0 };
            let gain = |a: usize, b: usize| beats(a, b) + ahead(a) - ahead(b);
            let points = |i: usize| {
                let others = (0..3).filter(|&j| j != i);
                1.0 / 3.0 + others.map(|j| gain(profile[i], profile[j])).sum::<f64>()
            };
            (0..3).map(points).collect()
        })
    }

    const RPS: [&[f64]; 3] = [&[0.0, -0.2, 0.2], &[0.2, 0.0, -0.2], &[-0.2, 0.2, 0.0]];

    #[test]
    fn profiles_are_all_there_and_their_probabilities_add_up() {
        assert_eq!(profiles(2, 2), [vec![0, 0], vec![1, 0], vec![1, 1]]);
        assert_eq!(profiles(6, 4).len(), 126);
        let mix = [0.5, 0.3, 0.2];
        let total: f64 = profiles(3, 4).iter().map(|one| probability(one, &mix)).sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
        assert!((probability(&[2, 1, 0], &mix) - 6.0 * 0.03).abs() < 1e-12);
        assert!((probability(&[1, 1, 0], &mix) - 3.0 * 0.045).abs() < 1e-12);
    }

    #[test]
    fn every_solver_shares_out_a_circle_and_gives_all_to_a_dominant_strategy() {
        for solver in Solver::ALL {
            let circle = solver.solve(&duel(&RPS));
            assert!(near(&circle, &[1.0 / 3.0; 3], 1e-3), "{} {circle:?}", solver.name());
            assert!(duel(&RPS).exploitability(&circle) < 1e-3);
            let better = duel(&[&[0.0, 0.2, 0.1], &[-0.2, 0.0, 0.1], &[-0.1, -0.1, 0.0]]);
            let mix = solver.solve(&better);
            assert!(near(&mix, &[1.0, 0.0, 0.0], 1e-4), "{} {mix:?}", solver.name());
        }
        for solver in [Solver::AlphaRank, Solver::ProjectedReplicator] {
            let circle = solver.solve(&three(3, 0.1, 0.0));
            assert!(near(&circle, &[1.0 / 3.0; 3], 1e-3), "{} {circle:?}", solver.name());
            let mix = solver.solve(&three(4, 0.02, 0.1));
            assert!(near(&mix, &[1.0, 0.0, 0.0, 0.0], 1e-3), "{} {mix:?}", solver.name());
        }
    }

    /// The best reply to each corner and to a mixture, by hand.
    #[test]
    fn exploitability_is_the_most_that_one_seat_gains() {
        let game = duel(&RPS);
        assert!((game.exploitability(&[1.0, 0.0, 0.0]) - 0.2).abs() < 1e-12);
        // Against half rock, half paper: paper gets +0.1, rock −0.1, scissors 0; the mixture gets 0.
        assert!((game.exploitability(&[0.5, 0.5, 0.0]) - 0.1).abs() < 1e-12);
        let three = three(3, 0.1, 0.0);
        assert!((three.exploitability(&[1.0, 0.0, 0.0]) - 0.2).abs() < 1e-12);
        assert!((three.points(1, &[0, 0]) - (1.0 / 3.0 + 0.2)).abs() < 1e-12);
        assert!((three.values(&[1.0 / 3.0; 3])[1] - 1.0 / 3.0).abs() < 1e-12);
    }

    /// The numbers are those of OpenSpiel 2.0.2 (Python 3.11): `projected_replicator_dynamics(tensors,
    /// prd_iterations=20000, prd_dt=0.01, prd_gamma=1e-6, average_over_last_n_strategies=10000)` and
    /// `alpharank.compute([m], m=50, alpha=α)`, with the points of the games below as tensors.
    #[test]
    fn values_are_those_of_openspiel() {
        let dynamics = |step: f64| Replicator { steps: 20_000, step, least: 1e-6 };
        let skewed: [&[f64]; 3] = [&[0.0, 0.2, -0.1], &[-0.2, 0.0, 0.3], &[0.1, -0.3, 0.0]];
        let game = duel(&skewed);
        // OpenSpiel does not divide by the range of the points, 0.6 here and 0.24 below.
        let mix = dynamics(0.01 * 0.6).mixture(&game);
        let theirs = [0.478_407_568_451, 0.148_876_490_811, 0.372_715_940_737];
        assert!(near(&mix, &theirs, 1e-9), "{mix:?}");
        for (alpha, theirs) in [
            (1.0, [0.512_395_991_224, 0.281_739_251_352, 0.205_864_757_423]),
            (10.0, [0.363_952_617_262, 0.320_568_401_807, 0.315_478_980_931]),
        ] {
            let mass = pairwise(&game.duels(), alpha);
            assert!(near(&mass, &theirs, 1e-9), "{alpha} {mass:?}");
        }
        let margins = [
            [0.0, 0.05, -0.03, 0.02],
            [-0.05, 0.0, 0.06, -0.01],
            [0.03, -0.06, 0.0, 0.04],
            [-0.02, 0.01, -0.04, 0.0],
        ];
        let three = MetaGame::new(4, 3, |profile| {
            let others = |i: usize| (0..3).filter(move |&j| j != i);
            let gain = |i: usize| others(i).map(|j| margins[profile[i]][profile[j]]).sum::<f64>();
            (0..3).map(|i| 1.0 / 3.0 + gain(i)).collect()
        });
        let mix = dynamics(0.01 * 0.24).mixture(&three);
        let theirs = [0.432_420_008_790, 0.218_873_837_722, 0.347_272_264_602, 0.001_433_888_886];
        assert!(near(&mix, &theirs, 1e-9), "{mix:?}");
    }

    #[test]
    fn solvers_refuse_what_they_cannot_solve() {
        assert_eq!("nash".parse(), Ok(Solver::Nash));
        assert!("fictitious".parse::<Solver>().unwrap_err().contains("projected-replicator"));
        assert!(Solver::Nash.refusal(3, 3).is_some() && Solver::Nash.refusal(9, 2).is_none());
        assert!(Solver::AlphaRank.refusal(7, 2).is_some());
        assert!(Solver::ProjectedReplicator.refusal(12, 6).is_none());
        assert!((effective_number(&[0.25; 4]) - 4.0).abs() < 1e-12);
        assert!((effective_number(&[1.0, 0.0]) - 1.0).abs() < 1e-12);
    }
}
