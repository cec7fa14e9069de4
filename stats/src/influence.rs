//! Intervals from the influence of each cluster on an estimate: the jackknife.
//!
//! **Formula.** Leaving out cluster c of g moves the estimate by `d_c`. The variance of the estimate is
//! `(g − 1)/g · Σ (d_c − d̄)²` (Miller 1974, <https://doi.org/10.1093/biomet/61.1.1>). The interval is Student's t with
//! the degrees of freedom of this variance, `2 S² / (Q − S²/g)` with the sums S and Q of the second and fourth powers,
//! and g − 1 at most. Where few clusters move the estimate much, the size of the moves is poorly known.
//!
//! **Valid** for estimates that are smooth in the clusters, and for dozens of clusters.

use super::quantiles::t_quantile;

/// The smallest number of clusters that show a spread.
const FEWEST: usize = 3;

/// Returns the half width of the 95 % interval of an estimate that clusters move by `moves`.
///
/// `None` for fewer than three clusters, or if none moves the estimate.
#[must_use]
pub fn half_width(moves: &[f64]) -> Option<f64> {
    if moves.len() < FEWEST {
        return None;
    }
    let n = moves.len() as f64;
    let mean = moves.iter().sum::<f64>() / n;
    let power = |p: i32| moves.iter().map(|x| (x - mean).powi(p)).sum::<f64>();
    let (squares, fourths) = (power(2), power(4));
    let degrees = 2.0 * squares * squares / (fourths - squares * squares / n);
    // Moves of one size have a fourth power that is no larger.
    let degrees = if degrees > 0.0 { degrees.clamp(1.0, n - 1.0) } else { n - 1.0 };
    let half = t_quantile(degrees) * ((n - 1.0) / n * squares).sqrt();
    (half > 0.0 && half.is_finite()).then_some(half)
}

/// Returns the effective number of clusters that move the estimate each way, `(Σx)²/Σx²` (Kish); the smaller of both.
#[must_use]
pub fn moving(moves: &[f64]) -> f64 {
    let one_way = |way: f64| {
        let own = moves.iter().map(|x| (way * x).max(0.0));
        let (sum, squares) = own.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        if squares > 0.0 { sum * sum / squares } else { 0.0 }
    };
    one_way(1.0).min(one_way(-1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_its_usual_interval() {
        // Left out, an observation moves the mean by (mean − x)/(g − 1).
        let all = [3.0, 5.0, 8.0, 4.0, 9.0, 1.0, 6.0, 4.0];
        let mean = all.iter().sum::<f64>() / 8.0;
        let moves = all.map(|x| (mean - x) / 7.0);
        let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 7.0;
        let half = half_width(&moves).unwrap();
        assert!((half - t_quantile(7.0) * (variance / 8.0).sqrt()).abs() < 1e-9, "{half}");
        assert_eq!(half_width(&[0.0; 9]), None);
        assert_eq!(half_width(&[1.0, 2.0]), None);
    }

    #[test]
    fn one_cluster_that_moves_all_leaves_little_known() {
        let mut moves = [0.01, -0.01].repeat(50);
        moves[7] = 1.0;
        // About two degrees of freedom.
        assert!((4.0..4.5).contains(&half_width(&moves).unwrap()));
        assert!(moving(&moves) < 3.0 && moving(&[1.0, 1.0, -1.0]) < 1.1);
        assert!((moving(&[2.0, 2.0, -1.0, -1.0]) - 2.0).abs() < 1e-12);
    }
}
