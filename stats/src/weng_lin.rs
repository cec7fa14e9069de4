//! A live ladder: ratings that are updated after every game.
//!
//! The Bradley–Terry form of Weng & Lin, A Bayesian Approximation Method for Online Ranking (2011,
//! <https://jmlr.org/papers/v12/weng11a.html>), as the crate `skillratings` computes it for games of any number of
//! players. Each agent has a strength with the distribution `N(μ, σ²)`, initially `N(25, (25/3)²)`. It performs with a
//! spread of `β = 25/6`.
//!
//! **Valid** for watching a run: it costs microseconds and needs no memory. **Not** for claims: the result depends on
//! the order of the games, the model has no seats, and `σ` shrinks as if games of a block were independent. Publish the
//! ratings of [`super::plackett_luce`] instead.

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::outcomes::Outcome;

/// The strength of one agent, as a normal distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Belief {
    /// The mean of the strength; initially 25.
    pub mu: f64,
    /// The standard deviation of the strength; initially 25/3.
    pub sigma: f64,
}

/// A live ladder of agents.
#[derive(Clone, Debug)]
pub struct WengLin {
    ratings: Vec<WengLinRating>,
}

impl WengLin {
    /// Returns a ladder of `agents` agents before their first game.
    #[must_use]
    pub fn new(agents: usize) -> Self {
        Self { ratings: vec![WengLinRating::new(); agents] }
    }

    /// Updates the ladder with a game. An agent with several seats gets the mean of their updates.
    pub fn add(&mut self, outcome: &Outcome) {
        let seats = 0..outcome.players();
        let before: Vec<[WengLinRating; 1]> =
            seats.clone().map(|seat| [self.ratings[outcome.entrant(seat)]]).collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = seats
            .clone()
            .map(|seat| (&before[seat][..], MultiTeamOutcome::new(outcome.place(seat) + 1)))
            .collect();
        let after = weng_lin_multi_team(&teams, &WengLinConfig::new());
        for seat in seats.clone() {
            let entrant = outcome.entrant(seat);
            let held = seats.clone().filter(|&other| outcome.entrant(other) == entrant).count();
            let part = 1.0 / held as f64;
            let (rating, new) = (&mut self.ratings[entrant], after[seat][0]);
            rating.rating += part * (new.rating - before[seat][0].rating);
            rating.uncertainty += part * (new.uncertainty - before[seat][0].uncertainty);
        }
    }

    /// Returns the distribution of the strength of agent `i`.
    #[must_use]
    pub fn belief(&self, i: usize) -> Belief {
        Belief { mu: self.ratings[i].rating, sigma: self.ratings[i].uncertainty }
    }
}

#[cfg(test)]
mod tests {
    use engine::Randomness;
    use engine::rng::{Purpose, stream};

    use super::*;

    #[test]
    fn one_game_of_two_as_by_hand() {
        let mut ladder = WengLin::new(2);
        ladder.add(&Outcome::new(&[0, 1], &[1.0, 2.0]));
        // Weng & Lin, algorithm 1: p = ½, c² = 2β² + 2σ², μ += σ²/c·½.
        let (beta2, sigma2) = ((25.0f64 / 6.0).powi(2), (25.0f64 / 3.0).powi(2));
        let c = (2.0 * beta2 + 2.0 * sigma2).sqrt();
        assert!((ladder.belief(0).mu - (25.0 + sigma2 / c * 0.5)).abs() < 1e-9);
        assert!((ladder.belief(0).mu + ladder.belief(1).mu - 50.0).abs() < 1e-9);
        assert!(ladder.belief(0).sigma < 25.0 / 3.0);
    }

    #[test]
    fn seats_of_one_agent_share_their_corrections_and_ties_change_nothing_between_equals() {
        let mut ladder = WengLin::new(2);
        ladder.add(&Outcome::new(&[0, 0, 1, 1], &[1.0, 4.0, 2.5, 2.5]));
        assert!((ladder.belief(0).mu - 25.0).abs() < 1e-9, "first and last cancel");
        assert!((ladder.belief(1).mu - 25.0).abs() < 1e-9);
    }

    #[test]
    fn a_planted_order_is_learnt() {
        let (mut ladder, mut rng) = (WengLin::new(4), stream(1, 0, Purpose::Analysis));
        for _ in 0..2_000 {
            // Gumbel noise gives Plackett-Luce orders; strengths 0, ½, 1, 1½ in logits.
            let keys: Vec<f64> =
                (0..4).map(|i| (-(1.0 - rng.unit()).ln()).ln() - 0.5 * f64::from(i)).collect();
            ladder.add(&Outcome::new(&[0, 1, 2, 3], &keys));
        }
        let mu: Vec<f64> = (0..4).map(|i| ladder.belief(i).mu).collect();
        assert!(mu.windows(2).all(|pair| pair[0] + 0.5 < pair[1]), "{mu:?}");
    }
}
