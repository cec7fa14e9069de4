//! The luck of each seat: the effect of chance beyond its exact odds ([`DiceLuck`]).
//!
//! **Measure.** A game gives each outcome of a chance event a worth for each seat. The worth is any fixed function `f`
//! of position and outcome, and the exact distribution of the outcomes is known. The luck of an event is
//! `f(outcome) − E f`, with the mean over the possible outcomes of the event. The luck of a game is the sum over its
//! events. Given all earlier events, the luck of an event has mean zero, for every `f` and every policy: luck is a sum
//! of martingale differences. So it can be subtracted from a result without bias, as a control variate with known mean
//! 0. For the same reason a fight is counted roll by roll. Between two rolls players choose. So the result of the whole
//! fight minus its expectation has mean zero only under the assumed choices. The share of the result that an `f`
//! explains must be measured. A good `f` is close to the win probability.
//!
//! The idea comes from luck analysis in backgammon and from MIVAT and AIVAT in poker (White and Bowling, "Learning a
//! value analysis tool for agent evaluation", IJCAI 2009; Burch, Schmid, Moravčík, Morrill, Bowling, "AIVAT: A new
//! variance reduction technique for agent evaluation in imperfect information games", AAAI 2018). Here it covers only
//! chance. The choices of agents stay in the result, because their probabilities are unknown.

use engine::{ByPlayer, Game};

/// The luck of chance events with exactly known odds.
pub trait DiceLuck<G: Game>: Send {
    /// Adds the luck of `outcome` to `luck`, in points of the game. For each seat it is the worth of `outcome` minus
    /// the mean over all outcomes of the event due in `state`. Events outside the measure add nothing.
    ///
    /// The measure depends only on `state`, and over the outcomes of an event the additions have mean 0.
    fn add(&mut self, game: &G, state: &G::State, outcome: G::Action, luck: &mut ByPlayer<f64>);
}

/// Adds the luck of `outcome` in the chance event that is due in `state`. It lists all outcomes, so it is for events
/// with few of them. `worth` gives the value of the next position for each seat; `outcomes` lends the memory.
pub fn luck_of<G: Game>(
    game: &G,
    state: &G::State,
    outcome: G::Action,
    outcomes: &mut Vec<(G::Action, f64)>,
    worth: impl Fn(&G, &G::State) -> ByPlayer<f64>,
    luck: &mut ByPlayer<f64>,
) {
    outcomes.clear();
    game.outcomes(state, outcomes);
    for &(possible, probability) in outcomes.iter() {
        let mut after = *state;
        game.apply(&mut after, possible);
        let weight = f64::from(u8::from(possible == outcome)) - probability;
        let worth = worth(game, &after);
        luck.0.iter_mut().zip(worth.0).for_each(|(luck, worth)| *luck += weight * worth);
    }
}

/// Converts leads to win probabilities: each of the first `n` seats gets `e^(lead/scale)` divided by the total.
///
/// `leads` and `scale` have the same unit. The probabilities add up to one, so luck measured in them adds up to zero
/// over the seats.
#[must_use]
pub fn chances_to_win(leads: &ByPlayer<f64>, n: usize, scale: f64) -> ByPlayer<f64> {
    let most = leads.first(n).iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut chances = ByPlayer::default();
    for (chance, lead) in chances.0.iter_mut().zip(leads.first(n)) {
        *chance = ((lead - most) / scale).exp();
    }
    let sum: f64 = chances.0.iter().sum();
    chances.0.iter_mut().for_each(|chance| *chance /= sum);
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_of_one_scale_multiplies_the_odds_by_e() {
        let chances = chances_to_win(&ByPlayer([7.0, 3.0, 3.0, 0.0, 0.0, 0.0]), 3, 4.0);
        assert!((chances.0[0] / chances.0[1] - 1f64.exp()).abs() < 1e-12);
        assert!((chances.0.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!((chances.0[1], chances.0[3]), (chances.0[2], 0.0));
    }
}
