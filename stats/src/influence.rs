//! Intervals from what each cluster moves an estimate by: the jackknife.
//!
//! **Formula.** With the estimate moved by `d_c` when cluster c is left out, of g clusters, its variance is
//! `(g − 1)/g · Σ (d_c − d̄)²` (Miller 1974, <https://doi.org/10.1093/biomet/61.1.1>). The interval is Student's t with the
//! degrees of freedom that this variance has, `2 S² / (Q − S²/g)` with the sums S and Q of the second and fourth powers,
//! and g − 1 at most: where few clusters move much, little is known of how far.
//!
//! **Valid** for estimates that are smooth in the clusters, and dozens of them.

use super::quantiles::t_quantile;

/// Fewest clusters that say anything of a spread.
const FEWEST: usize = 3;

/// The half width of the 95 % interval of an estimate that clusters move by `moves`; `None` of fewer than three, or if none
/// moves it.
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

/// How many clusters move it each way, as a number of clusters that move it alike, `(Σx)²/Σx²` (Kish): the smaller of both.
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
        // As good as two degrees of freedom.
        assert!((4.0..4.5).contains(&half_width(&moves).unwrap()));
        assert!(moving(&moves) < 3.0 && moving(&[1.0, 1.0, -1.0]) < 1.1);
        assert!((moving(&[2.0, 2.0, -1.0, -1.0]) - 2.0).abs() < 1e-12);
    }
}
