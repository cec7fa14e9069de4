//! Regret matching (Hart & Mas-Colell 2000): an option is played in proportion to what it would have brought more.

use super::MixedEdge;

/// What an option of this regret weighs in the strategy.
pub(super) const fn weight(regret: f64) -> f64 {
    regret.max(0.0)
}

/// What the strategy of the moment is worth where its options are worth `worth`.
pub(super) fn expected(strategy: &[MixedEdge], worth: &[f32]) -> f32 {
    let possible = strategy.iter().zip(worth).filter(|(option, _)| option.is_possible());
    possible.map(|(option, worth)| option.now * worth).sum()
}
