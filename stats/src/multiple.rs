//! Multiple tests: p-values adjusted for their number.
//!
//! **Holm** (1979, <https://www.jstor.org/stable/4615733>): with the p-values in order `p₁ ≤ … ≤ p_m`, the adjusted
//! p-values are `max_{j ≤ i} min(1, (m − j + 1)·p_j)`. Accepting those below 0.05 makes *any* false claim in at most 5
//! of 100 studies, for every dependence between the tests. Use it for headlines.
//!
//! **Benjamini & Hochberg** (1995, <https://doi.org/10.1111/j.2517-6161.1995.tb02031.x>):
//! `min_{j ≥ i} min(1, m/j·p_j)`. Of those below 0.1, at most a tenth are false on average, if the tests are
//! independent or positively dependent. Use it for screening.

/// Returns holm's adjusted p-values, in the order of `p`; each in `[0, 1]` and at least the raw one.
///
/// ```
/// let adjusted = stats::multiple::holm(&[0.01, 0.04, 0.03]);
/// assert!((adjusted[0] - 0.03).abs() < 1e-12 && (adjusted[1] - 0.06).abs() < 1e-12);
/// ```
#[must_use]
pub fn holm(p: &[f64]) -> Vec<f64> {
    let order = ascending(p);
    let mut adjusted = vec![0.0; p.len()];
    let mut most: f64 = 0.0;
    for (place, &i) in order.iter().enumerate() {
        most = most.max((p.len() - place) as f64 * p[i]).min(1.0);
        adjusted[i] = most;
    }
    adjusted
}

/// Returns Benjamini's and Hochberg's adjusted p-values, in the order of `p`; each in `[0, 1]` and at least the raw
/// one.
#[must_use]
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let order = ascending(p);
    let mut adjusted = vec![0.0; p.len()];
    let mut least: f64 = 1.0;
    for (place, &i) in order.iter().enumerate().rev() {
        least = least.min(p.len() as f64 / (place + 1) as f64 * p[i]);
        adjusted[i] = least;
    }
    adjusted
}

fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    order
}

#[cfg(test)]
mod tests {
    use engine::rng::{Purpose, stream};
    use engine::{Randomness, Stream};

    use super::*;

    fn near(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-4)
    }

    /// The 15 p-values of Benjamini & Hochberg 1995, section 3.2 (thrombolysis after infarction).
    const INFARCTION: [f64; 15] = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0000,
    ];

    #[test]
    fn the_papers_example_is_decided_as_in_the_paper() {
        // At 5 % Bonferroni and Hochberg (and Holm) reject three hypotheses, the new procedure four.
        let count = |adjusted: Vec<f64>| adjusted.into_iter().filter(|&p| p <= 0.05).count();
        assert_eq!(count(holm(&INFARCTION)), 3);
        assert_eq!(count(benjamini_hochberg(&INFARCTION)), 4);
    }

    #[test]
    fn adjusted_values_by_hand_in_any_order() {
        // Holm: 4·0.005, 3·0.011, 2·0.02, and 0.04 lifted to the one before it.
        assert!(near(&holm(&[0.02, 0.04, 0.005, 0.011]), &[0.04, 0.04, 0.02, 0.033]));
        // Benjamini-Hochberg: 4·0.005, 4/2·0.011, 4/3·0.02, 0.04.
        let adjusted = benjamini_hochberg(&[0.02, 0.04, 0.005, 0.011]);
        assert!(near(&adjusted, &[0.026_667, 0.04, 0.02, 0.022]), "{adjusted:?}");
        assert!(near(&holm(&[0.9, 0.8]), &[1.0, 1.0]) && holm(&[]).is_empty());
    }

    /// Returns `m` p-values: the first `m_true` are of true nulls, uniform; the others are squared three times.
    fn study(m: usize, m_true: usize, rng: &mut Stream) -> Vec<f64> {
        let power = |i: usize| if i < m_true { 1 } else { 8 };
        (0..m).map(|i| rng.unit().powi(power(i))).collect()
    }

    #[test]
    fn holm_makes_any_false_claim_in_5_of_100_studies_where_naive_reading_does_in_64() {
        let mut rng = stream(6, 0, Purpose::Analysis);
        let (mut adjusted, mut naive) = (0, 0);
        for _ in 0..4_000 {
            let p = study(20, 20, &mut rng);
            naive += u32::from(p.iter().any(|&p| p < 0.05));
            adjusted += u32::from(holm(&p).iter().any(|&p| p < 0.05));
        }
        let part = |n: u32| f64::from(n) / 4_000.0;
        assert!((0.035..0.065).contains(&part(adjusted)), "{}", part(adjusted));
        assert!((0.60..0.68).contains(&part(naive)), "{}", part(naive));
    }

    #[test]
    fn a_tenth_of_what_benjamini_and_hochberg_find_is_false_and_more_is_found_than_by_holm() {
        let mut rng = stream(7, 0, Purpose::Analysis);
        let (mut false_part, mut found, mut by_holm) = (0.0, 0, 0);
        for _ in 0..2_000 {
            let p = study(60, 40, &mut rng);
            let hits: Vec<usize> = benjamini_hochberg(&p)
                .iter()
                .enumerate()
                .filter(|(_, p)| **p < 0.1)
                .map(|(i, _)| i)
                .collect();
            let wrong = hits.iter().filter(|&&i| i < 40).count();
            false_part += wrong as f64 / hits.len().max(1) as f64 / 2_000.0;
            found += hits.len() - wrong;
            by_holm += holm(&p)[40..].iter().filter(|&&p| p < 0.05).count();
        }
        // The promise is q·m₀/m = 0.1·40/60 for independent tests.
        assert!((0.055..0.08).contains(&false_part), "{false_part}");
        assert!(4 * found > 5 * by_holm, "{found} and {by_holm}");
    }
}
