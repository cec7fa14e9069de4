//! Regret matching (Hart & Mas-Colell 2000): the probability of an option is proportional to its positive regret.

use super::MixedEdge;

/// Returns the weight in the strategy of an option with this regret.
pub(super) const fn weight(regret: f64) -> f64 {
    regret.max(0.0)
}

/// Returns the value of the current strategy if its options have the values `worth`.
pub(super) fn expected(strategy: &[MixedEdge], worth: &[f32]) -> f32 {
    let possible = strategy.iter().zip(worth).filter(|(option, _)| option.is_possible());
    possible.map(|(option, worth)| option.now * worth).sum()
}
