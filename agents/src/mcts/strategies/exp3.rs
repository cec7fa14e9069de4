//! Exponential weights for adversarial bandits (Exp3, Auer et al. 2003): an option is played in proportion to the
//! exponential of what it has brought, with `γ / n` for a learning rate and the same `γ` for exploration.

use super::MixedEdge;

/// What an option of a cumulated reward weighs in the strategy over the options `legal`.
pub(super) fn weight(
    strategy: &[MixedEdge],
    legal: &[u16],
    gamma: f32,
) -> impl Fn(f64) -> f64 + use<> {
    let top = legal.iter().map(|&i| strategy[usize::from(i)].score).fold(f64::MIN, f64::max);
    let rate = f64::from(gamma) / legal.len() as f64;
    // Relative to the best, so that nothing overflows.
    move |reward| libm::exp(rate * (reward - top))
}
