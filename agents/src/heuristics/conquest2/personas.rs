//! Six personas as weights of the evaluation: three from the play tips of the rulebook, and three others.
//!
//! A persona is a file in `agents/data/conquest2/personas` with its differences from the default weights and their
//! reasons. It changes an agent's goals, but not the quality of its lookahead. `agents/tests/it/personas.rs` tests how
//! the personas differ in play. `experiments/personas/README.md` reports their strength.

use super::weights::Weights;
use crate::heuristics::personas::personas;

personas!("conquest2": "central", "provincial", "senate", "raider", "turtle", "merchant");

impl Weights {
    /// Returns the weights of a persona; `None` if there is no persona of this name.
    ///
    /// # Panics
    /// If an embedded file is faulty (a bug, which a test would show).
    #[must_use]
    pub fn persona(name: &str) -> Option<Self> {
        text(name).map(|text| Self::parse(text).expect("the weights of a persona are good"))
    }
}
