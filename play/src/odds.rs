//! Exact odds for a person of what each option begins or goes on with, in games that know them: [`Odds`].

use engine::{Player, Purpose, rng};
use sim::any::{AnyState, Ends};

/// The odds that a seat can know: of what each of its options begins or goes on with.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Odds(pub Vec<(String, Ends)>);

impl Odds {
    /// Returns the odds that `seat`, which has to choose, can know in `state`; `None` in a game without known odds.
    ///
    /// They are those of a position that the seat cannot tell from the true one.
    #[must_use]
    pub fn seen(state: &AnyState, seat: Player) -> Option<Self> {
        if !state.has_outcome_odds() {
            return None;
        }
        let world = world(state, seat);
        let labels = state.labels(seat);
        let after = world.odds_after(seat).into_iter();
        Some(Self(after.map(|(number, ends)| (labels[number].clone(), ends)).collect()))
    }

    /// Returns whether any option of `seat` in `state` has odds that it can know.
    #[must_use]
    pub fn are_known(state: &AnyState, seat: Player) -> bool {
        state.has_outcome_odds() && world(state, seat).has_odds_after(seat)
    }

    /// Returns the odds as lines, one for each option.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        if self.0.is_empty() {
            return vec!["No option here begins anything whose odds are known.".to_owned()];
        }
        let part = |(what, chance): &(&str, f64)| format!("{what} {:.1} %", 100.0 * chance);
        let written = |ends: &Ends| ends.iter().map(part).collect::<Vec<_>>().join(", ");
        self.0.iter().map(|(label, ends)| format!("{label}: {}.", written(ends))).collect()
    }
}

/// Returns a position that `seat` cannot tell from the true one, always the same.
fn world(state: &AnyState, seat: Player) -> AnyState {
    state.determinized(seat, &mut rng::stream(0, 0, Purpose::Analysis))
}
