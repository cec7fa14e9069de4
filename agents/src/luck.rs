//! What chance gave to each seat beyond its exact odds: [`DiceLuck`].
//!
//! **Measure.** A game gives every outcome of a chance event a worth for each seat, any fixed function `f` of the
//! position and the outcome, and knows the exact distribution of the outcomes. The luck of an event is
//! `f(outcome) − E f`, with the mean over the outcomes as they are when the event is due, and the luck of a game is the
//! sum over its events. Given everything that has happened before an event, its luck has mean zero, whatever `f` is
//! and whoever decides what before and after: luck is a sum of martingale differences. That is why it can be taken off
//! a result without a bias, as a control variate whose mean is known to be 0, and it is why a fight is counted roll by
//! roll and not as a whole: between two rolls players choose, and what a fight comes to less what it promised has mean
//! zero only where they choose as the promise assumed. How much an `f` explains of the result is another matter, to be measured; a good one is near the chance to win.
//!
//! The idea is that of luck analysis in backgammon and of MIVAT and AIVAT in poker (White and Bowling, "Learning a
//! value analysis tool for agent evaluation", IJCAI 2009; Burch, Schmid, Moravčík, Morrill, Bowling, "AIVAT: A new
//! variance reduction technique for agent evaluation in imperfect information games", AAAI 2018), here for chance alone:
//! the choices of agents, whose probabilities are not known, stay in the result.

use engine::{ByPlayer, Game};

/// Weighs the outcomes of chance events whose odds are exactly known.
pub trait DiceLuck<G: Game>: Send {
    /// Adds to `luck` what `outcome` of the chance event that is due in `state` gives each seat beyond the mean over
    /// all outcomes, in points of the game; nothing where the event is not one of those that are weighed.
    ///
    /// Whether it is one depends on `state` only, and over the outcomes of an event what is added has mean 0.
    fn hear(&mut self, game: &G, state: &G::State, outcome: G::Action, luck: &mut ByPlayer<f64>);
}

/// Adds the luck of `outcome` in the chance event that is due in `state`, by listing all of its outcomes: for events
/// that have few. `worth` is what a position after one is worth to each seat; `outcomes` lends the memory.
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

/// Leads turned into chances to win: each of the first `n` seats gets `e^(lead/scale)` of what all get together.
///
/// `leads` are in any unit, `scale` in the same one. The chances add up to one, so that luck measured in them adds up
/// to zero over the seats.
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
