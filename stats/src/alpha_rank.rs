//! α-rank: the long-run population share of each agent when success is imitated.
//!
//! A population of [`POPULATION`] members plays one agent. Now and then one member tries another agent, a mutant, which
//! dies out or takes over. A mutant whose payoff exceeds the residents' by `Δ` takes over with probability
//! `ρ = (1 − e^{−αΔ})/(1 − e^{−αmΔ})`, or `1/m` for `Δ = 0`. The *mass* of an agent is the long-run fraction of time in
//! which it is the population (Omidshafiei et al. 2019, α-Rank: Multi-Agent Evaluation by Evolution,
//! <https://doi.org/10.1038/s41598-019-45619-9>). The masses exist for cyclic pools also, and they need no choice of an
//! equilibrium.
//!
//! Two forms are computed:
//! - [`pairwise`] has one population whose members meet in pairs. `Δ` is the mutant's share against the resident minus
//!   the resident's share against the mutant.
//! - [`Profiles::masses`] has one population for each seat of an n-player game. The state is the profile of agents at
//!   the table. `Δ` is the difference of points per game of the agent that changes. Seats are alike, so profiles are
//!   counted without order; there are at most 462. The form needs the points of *every* profile, so the pool must have
//!   played all mixtures.
//!
//! **`α`** sets how sharply success is imitated. Small values rank nearly at random; large values follow the slightest
//! advantage, real or not. The answer may depend on `α`, so it is reported for all of [`ALPHAS`].
//!
//! **Not** for more than [`MOST_AGENTS`] agents. The masses are not an effect size, and they have no intervals.

use std::collections::BTreeMap;

use engine::MAX_PLAYERS;

/// Members of a population.
pub const POPULATION: f64 = 50.0;

/// The intensities of selection that are reported, for payoffs in shares.
pub const ALPHAS: [f64; 4] = [0.1, 1.0, 10.0, 100.0];

/// The largest number of agents that α-rank accepts.
pub const MOST_AGENTS: usize = 6;

/// The smallest rate of an event; a floor here lets every state be left.
const RAREST: f64 = 1e-30;

/// The masses of agents at several intensities of selection.
pub type Sweep = Vec<(f64, Vec<f64>)>;

/// Returns the masses of one population that meets in pairs; `payoffs[a][b]` is the payoff of `a` against `b`.
///
/// # Panics
/// If `payoffs` is not square.
#[must_use]
pub fn pairwise(payoffs: &[Vec<f64>], alpha: f64) -> Vec<f64> {
    let n = payoffs.len();
    assert!(payoffs.iter().all(|row| row.len() == n), "a payoff for each pair");
    let gain =
        |resident: usize, mutant: usize| payoffs[mutant][resident] - payoffs[resident][mutant];
    let rate = |resident: usize, mutant: usize| {
        if resident == mutant { 0.0 } else { fixation(alpha, gain(resident, mutant)) }
    };
    stationary((0..n).map(|i| (0..n).map(|j| rate(i, j)).collect()).collect())
}

/// Returns the probability that a mutant takes over if its payoff is higher by `gain`.
fn fixation(alpha: f64, gain: f64) -> f64 {
    let x = (alpha * gain).abs();
    if x < 1e-9 {
        return 1.0 / POPULATION;
    }
    let rising = -(-x).exp_m1() / -(-POPULATION * x).exp_m1();
    // With −x, numerator and denominator grow. Their quotient is the quotient for x times m − 1 factors e^−x.
    let falling = rising * (-(POPULATION - 1.0) * x).exp();
    (if gain > 0.0 { rising } else { falling }).max(RAREST)
}

/// Returns the stationary distribution of a chain from the rates between its states.
///
/// The elimination of Grassmann, Taksar and Heyman (1985, <https://doi.org/10.1287/opre.33.5.1107>) subtracts nothing,
/// so it loses no digits however rare an event is.
fn stationary(mut rates: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rates.len();
    for last in (1..n).rev() {
        let (rest, gone) = rates.split_at_mut(last);
        let out: f64 = gone[0][..last].iter().sum();
        for row in rest {
            row[last] /= out;
            let via = row[last];
            row[..last].iter_mut().zip(&gone[0]).for_each(|(rate, on)| *rate += via * on);
        }
    }
    let mut mass = vec![1.0; n.min(1)];
    for state in 1..n {
        let into: f64 = mass.iter().zip(&rates).map(|(mass, row)| mass * row[state]).sum();
        mass.push(into);
        // Scaled at every state; otherwise the masses of many rare events overflow.
        let total: f64 = mass.iter().sum();
        mass.iter_mut().for_each(|mass| *mass /= total);
    }
    mass
}

/// The number of seats at a table that each agent holds.
type Profile = [u8; MOST_AGENTS];

/// Points per game by the mixture of agents at the table. Memory grows only with the number of mixtures.
#[derive(Clone, Debug)]
pub struct Profiles {
    agents: usize,
    players: usize,
    points: BTreeMap<Profile, (u64, [f64; MOST_AGENTS])>,
}

impl Profiles {
    /// Returns an empty table; `None` for more than [`MOST_AGENTS`] agents.
    #[must_use]
    pub fn new(agents: usize, players: usize) -> Option<Self> {
        let fits = (1..=MOST_AGENTS).contains(&agents) && (1..=MAX_PLAYERS).contains(&players);
        fits.then(|| Self { agents, players, points: BTreeMap::new() })
    }

    /// Counts a game: the agent in each seat, and its points.
    ///
    /// # Panics
    /// If an agent's number is not below the number of agents of the table.
    pub fn add(&mut self, entrants: &[usize], points: &[f32]) {
        let mut profile = [0; MOST_AGENTS];
        entrants.iter().for_each(|&entrant| profile[entrant] += 1);
        let (games, sums) = self.points.entry(profile).or_default();
        *games += 1;
        for (&entrant, &points) in entrants.iter().zip(points) {
            sums[entrant] += f64::from(points);
        }
    }

    /// Returns the points per game and seat of `agent` at a table of `profile`; `None` if that profile was never
    /// played.
    ///
    /// Where all seats have the same agent, each seat gets an equal part of the one point.
    fn payoff(&self, profile: &Profile, agent: usize) -> Option<f64> {
        let seats = usize::from(profile[agent]);
        if seats == self.players {
            return Some(1.0 / self.players as f64);
        }
        let (games, sums) = self.points.get(profile)?;
        Some(sums[agent] / (*games as f64 * seats as f64))
    }

    /// Returns all mixtures of the agents, in a fixed order.
    fn all(&self) -> Vec<Profile> {
        let mut all = vec![[0; MOST_AGENTS]];
        for _ in 0..self.players {
            all = all
                .iter()
                .flat_map(|&profile| {
                    (0..self.agents).map(move |add| {
                        let mut more: Profile = profile;
                        more[add] += 1;
                        more
                    })
                })
                .collect();
            all.sort_unstable();
            all.dedup();
        }
        all
    }

    /// Returns the masses of the agents, over all seats; `None` unless every mixture was played.
    #[must_use]
    pub fn masses(&self, alpha: f64) -> Option<Vec<f64>> {
        let all = self.all();
        let mut rates = vec![vec![0.0; all.len()]; all.len()];
        for (from, profile) in all.iter().enumerate() {
            for (out, into) in changes(self.agents, profile) {
                let mut changed = *profile;
                changed[out] -= 1;
                changed[into] += 1;
                let to = all.binary_search(&changed).ok()?;
                let gain = self.payoff(&changed, into)? - self.payoff(profile, out)?;
                rates[from][to] += f64::from(profile[out]) * fixation(alpha, gain);
            }
        }
        let mass = stationary(rates);
        let part = |agent: usize| {
            let held = all.iter().map(|profile| f64::from(profile[agent]) / self.players as f64);
            held.zip(&mass).map(|(held, mass)| held * mass).sum()
        };
        Some((0..self.agents).map(part).collect())
    }

    /// Returns the masses at each of [`ALPHAS`]; `None` unless every mixture was played.
    #[must_use]
    pub fn sweep(&self) -> Option<Sweep> {
        ALPHAS.iter().map(|&alpha| Some((alpha, self.masses(alpha)?))).collect()
    }
}

/// Returns the possible changes at `profile`, as pairs of the agent that leaves and the agent that enters.
fn changes(agents: usize, profile: &Profile) -> impl Iterator<Item = (usize, usize)> {
    let all = (0..agents).flat_map(move |out| (0..agents).map(move |into| (out, into)));
    all.filter(|&(out, into)| out != into && profile[out] > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-9)
    }

    fn rps() -> Vec<Vec<f64>> {
        vec![vec![0.0, -1.0, 1.0], vec![1.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]]
    }

    #[test]
    fn a_cycle_is_shared_out_and_the_better_of_two_takes_all() {
        for alpha in ALPHAS {
            assert!(near(&pairwise(&rps(), alpha), &[1.0 / 3.0; 3]));
        }
        let two = vec![vec![0.5, 0.6], vec![0.4, 0.5]];
        // A chain of two states: masses are in proportion to the rates into them, e^{(m−1)αΔ} to 1.
        let mass = pairwise(&two, 0.1);
        let odds = (49.0f64 * 0.1 * 0.2).exp();
        assert!(near(&mass, &[odds / (1.0 + odds), 1.0 / (1.0 + odds)]), "{mass:?}");
        assert!(pairwise(&two, 100.0)[0] > 1.0 - 1e-12);
        assert!(near(&pairwise(&[vec![0.5]], 1.0), &[1.0]));
    }

    #[test]
    fn a_clone_outside_the_cycle_s_end_gets_nothing() {
        // Rock, paper, scissors, and a fourth that loses to all three.
        let mut four = rps();
        four.iter_mut().for_each(|row| row.push(1.0));
        four.push(vec![-1.0, -1.0, -1.0, 0.0]);
        let mass = pairwise(&four, 10.0);
        assert!(mass[3] < 1e-12 && near(&mass[..3], &[1.0 / 3.0; 3]), "{mass:?}");
    }

    /// Rates of rare events: the masses balance the flows even where they differ by sixty orders of magnitude.
    #[test]
    fn masses_balance_flows() {
        let rates = vec![vec![0.0, 1e-30, 0.2], vec![0.3, 0.0, 1e-30], vec![1e-25, 0.5, 0.0]];
        let mass = stationary(rates.clone());
        for state in 0..3 {
            let into: f64 = (0..3).map(|from| mass[from] * rates[from][state]).sum();
            let out = mass[state] * rates[state].iter().sum::<f64>();
            assert!((into - out).abs() <= 1e-12 * into.max(out), "{mass:?}");
        }
    }

    /// Every mixture of two agents at a table of three; the first wins every game it is in.
    #[test]
    fn profiles_of_three_players() {
        let mut table = Profiles::new(2, 3).unwrap();
        table.add(&[0, 1, 1], &[1.0, 0.0, 0.0]);
        assert_eq!(table.masses(1.0), None, "one mixture is missing");
        table.add(&[0, 1, 0], &[0.5, 0.0, 0.5]);
        let mass = table.masses(1.0).unwrap();
        assert!(mass[0] > 0.999 && (mass.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{mass:?}");
        // Equal agents share the time.
        let mut equal = Profiles::new(2, 3).unwrap();
        equal.add(&[0, 1, 1], &[0.5, 0.25, 0.25]);
        equal.add(&[0, 1, 1], &[0.0, 0.5, 0.5]);
        equal.add(&[0, 1, 1], &[0.5, 0.25, 0.25]);
        equal.add(&[0, 0, 1], &[1.0, 0.0, 0.0]);
        equal.add(&[0, 0, 1], &[1.0, 0.0, 0.0]);
        equal.add(&[0, 0, 1], &[0.0, 0.0, 1.0]);
        assert!(near(&equal.masses(10.0).unwrap(), &[0.5, 0.5]));
        assert_eq!(equal.sweep().unwrap().len(), ALPHAS.len());
        assert!(Profiles::new(7, 3).is_none());
    }

    /// Two players with two agents, by hand: profiles AA, AB, BB with points ½, (p, 1 − p), ½.
    #[test]
    fn profiles_of_two_players_by_hand() {
        let mut table = Profiles::new(2, 2).unwrap();
        (0..3).for_each(|_| table.add(&[0, 1], &[1.0, 0.0]));
        (0..2).for_each(|_| table.add(&[1, 0], &[1.0, 0.0]));
        let (alpha, p) = (1.0, 0.6);
        // A chain AA – AB – BB: masses follow from detailed balance.
        let up = fixation(alpha, p - 0.5);
        let down = fixation(alpha, 0.5 - p);
        // AB: B changes to A with gain ½ − (1 − p); A changes to B with gain ½ − p.
        let (aa_ab, ab_aa) = (2.0 * fixation(alpha, 1.0 - p - 0.5), up);
        let (bb_ab, ab_bb) = (2.0 * up, down);
        let (aa, bb) = (ab_aa / aa_ab, ab_bb / bb_ab);
        let expected = (aa + 0.5) / (aa + bb + 1.0);
        let mass = table.masses(alpha).unwrap();
        assert!(near(&mass, &[expected, 1.0 - expected]), "{mass:?} {expected}");
    }
}
