//! Exponential weights for adversarial bandits (Exp3, Auer et al. 2003). The probability of an option is proportional
//! to the exponential of its reward. The learning rate is `γ / n`, and the exploration is also `γ`.

use super::MixedEdge;

/// Returns the function from cumulated reward to weight in the strategy over the options `legal`.
pub(super) fn weight(
    strategy: &[MixedEdge],
    legal: &[u16],
    gamma: f32,
) -> impl Fn(f64) -> f64 + use<> {
    let top = legal.iter().map(|&i| strategy[usize::from(i)].score).fold(f64::MIN, f64::max);
    let rate = f64::from(gamma) / legal.len() as f64;
    // Rewards are relative to the best one, so that nothing overflows.
    move |reward| libm::exp(rate * (reward - top))
}
