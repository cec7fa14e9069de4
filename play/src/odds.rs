//! Exact odds for a person of what each option begins or goes on with, in games that know them: [`Odds`].

use engine::{Player, Purpose, rng};
use sim::any::AnyState;

/// Largest number of options whose odds are computed.
const MOST_OPTIONS: usize = 60;

/// The possible ends of what an option begins, each with its probability. They add up to one.
pub type Ends = Vec<(&'static str, f64)>;

/// The odds that a seat can know: of what each of its options begins or goes on with.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Odds(pub Vec<(String, Ends)>);

impl Odds {
    /// Returns the odds that `seat`, which has to choose, can know in `state`; `None` in a game without known odds.
    ///
    /// They are those of a position that the seat cannot tell from the true one.
    #[must_use]
    pub fn seen(state: &AnyState, seat: Player) -> Option<Self> {
        let world = state.determinized(seat, &mut rng::stream(0, 0, Purpose::Analysis));
        world.outcome_odds()?;
        let labels = world.labels(seat);
        if labels.len() > MOST_OPTIONS {
            return Some(Self::default());
        }
        let after = |(number, label): (usize, String)| {
            let mut next = world.clone();
            next.apply(seat, number).ok()?;
            let ends = next.outcome_odds().filter(|ends| !ends.is_empty())?;
            Some((label, ends))
        };
        Some(Self(labels.into_iter().enumerate().filter_map(after).collect()))
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
