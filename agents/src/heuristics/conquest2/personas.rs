//! Six characters as weights of the evaluation: three that the play tips of the rulebook describe, three others.
//!
//! A persona is a file in `agents/data/conquest2/personas` with the weights that differ from the defaults and why. It
//! changes what an agent wants, not how well it looks ahead. How the personas differ in play is tested in
//! `agents/tests/it/personas.rs`; how strong they are stands in `experiments/personas/README.md`.

use super::weights::Weights;
use crate::heuristics::personas::personas;

personas!("conquest2": "central", "provincial", "senate", "raider", "turtle", "merchant");

impl Weights {
    /// The weights of a persona; `None` if nobody is called so.
    ///
    /// # Panics
    /// If an embedded file is faulty (a bug, which a test would show).
    #[must_use]
    pub fn persona(name: &str) -> Option<Self> {
        text(name).map(|text| Self::parse(text).expect("the weights of a persona are good"))
    }
}
