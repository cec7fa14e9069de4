//! Cross-validation by game: the strength of the prior, and the loss on held-out games.
//!
//! Games are dealt to folds in turn, so that positions of one game are never on both sides. The fit uses the strength
//! with the least loss over all folds. The reported loss of a fold is that of the model of the other folds, with the
//! strength that is best *without* this fold. The choice of the strength has therefore not seen the games that judge
//! it.

use sim::stats::clustered::ClusteredRatio;

/// A model family that is fitted to some positions and judged on others.
pub trait Family: Sync {
    /// The fitted model.
    type Model: Send + Sync;

    /// Fits the model to these positions, in order.
    fn fit(&self, places: &[usize], strength: f64) -> Self::Model;

    /// Returns the model's loss at each of these positions.
    fn losses(&self, model: &Self::Model, places: &[usize]) -> Vec<f64>;
}

/// The folds of a cross-validation, and the strengths that it tries.
#[derive(Clone, Copy, Debug)]
pub struct CrossValidation<'a> {
    /// The number of folds, two or more.
    pub folds: usize,
    /// The strengths, one or more.
    pub strengths: &'a [f64],
}

/// The results of a cross-validation.
#[derive(Clone, PartialEq, Debug)]
pub struct Validated {
    /// Each strength, with its mean loss on held-out games.
    pub tried: Vec<(f64, f64)>,
    /// The strength with the least loss.
    pub strength: f64,
    /// The strengths whose losses do not differ from the least (95 %), including the best itself.
    pub as_good: Vec<f64>,
    /// The loss at each position by a model that has not seen its game.
    pub losses: Vec<f64>,
    /// The number of folds.
    pub folds: usize,
}

impl Validated {
    /// Returns the strength with the least loss, then the others that are as good.
    #[must_use]
    pub fn strengths(&self) -> Vec<f64> {
        let others = self.as_good.iter().copied();
        let others = others.filter(|other| other.total_cmp(&self.strength).is_ne());
        std::iter::once(self.strength).chain(others).collect()
    }
}

/// The default strengths, as fractions of the weight of all positions: a prior of strength s weighs s times their
/// number.
pub const STRENGTHS: [f64; 7] = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0];

/// Returns the fold of each position: the clusters, in order, are dealt out in turn.
#[must_use]
pub fn folds_of(clusters: &[u64], folds: usize) -> Vec<usize> {
    let mut number = 0;
    let mut last = None;
    let fold = |cluster: &u64| {
        if last.is_some_and(|last| last != *cluster) {
            number += 1;
        }
        last = Some(*cluster);
        number % folds
    };
    clusters.iter().map(fold).collect()
}

/// Fits `family` to all folds but one, for each fold and each of `strengths`; `clusters` are those of the positions.
///
/// # Panics
/// If there is no strength, or only one fold.
pub fn validate<F: Family>(
    family: &F,
    clusters: &[u64],
    folds: usize,
    strengths: &[f64],
) -> Validated {
    assert!(folds > 1 && !strengths.is_empty(), "nothing to choose from");
    let of = folds_of(clusters, folds);
    let places =
        |is: &dyn Fn(usize) -> bool| (0..of.len()).filter(|&i| is(of[i])).collect::<Vec<usize>>();
    // The losses of the positions of a fold, by strength and fold.
    let mut lost: Vec<Vec<Vec<f64>>> = Vec::new();
    for &strength in strengths {
        let one = |fold: usize| {
            let model = family.fit(&places(&|other| other != fold), strength);
            family.losses(&model, &places(&|other| other == fold))
        };
        lost.push((0..folds).map(one).collect());
    }
    let sum = |at: usize, but: Option<usize>| -> f64 {
        let kept = lost[at].iter().enumerate().filter(|(fold, _)| Some(*fold) != but);
        kept.flat_map(|(_, losses)| losses).sum()
    };
    // The first of equal strengths is the weakest, which leaves most to the games.
    let best = |but: Option<usize>| {
        let all = (0..strengths.len()).map(|at| (at, sum(at, but)));
        all.min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are strengths").0
    };
    // The losses by position, at the strength that `at` gives for its fold.
    let placed = |at: &dyn Fn(usize) -> usize| {
        let mut losses = vec![0.0; of.len()];
        (0..folds).for_each(|fold| {
            let own = places(&|other| other == fold);
            own.iter().zip(&lost[at(fold)][fold]).for_each(|(&place, loss)| losses[place] = *loss);
        });
        losses
    };
    let (n, chosen) = (of.len().max(1) as f64, best(None));
    let least = placed(&|_| chosen);
    let is_as_good = |at: &usize| {
        let mut more = ClusteredRatio::default();
        let differences =
            placed(&|_| *at).into_iter().zip(&least).map(|(loss, least)| loss - least);
        clusters.iter().zip(differences).for_each(|(cluster, by)| more.add(*cluster, by, 1.0));
        more.interval().is_none_or(|interval| interval.low <= 0.0)
    };
    let losses = placed(&|fold| best(Some(fold)));
    Validated {
        as_good: (0..strengths.len()).filter(is_as_good).map(|at| strengths[at]).collect(),
        tried: strengths.iter().enumerate().map(|(at, s)| (*s, sum(at, None) / n)).collect(),
        strength: strengths[chosen],
        losses,
        folds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A family that shrinks the mean of numbers towards 0.
    struct Mean(Vec<f64>);

    impl Family for Mean {
        type Model = f64;

        fn fit(&self, places: &[usize], strength: f64) -> f64 {
            let sum: f64 = places.iter().map(|&i| self.0[i]).sum();
            sum / (places.len() as f64 * (1.0 + strength))
        }

        fn losses(&self, model: &f64, places: &[usize]) -> Vec<f64> {
            places.iter().map(|&i| (self.0[i] - model).powi(2)).collect()
        }
    }

    #[test]
    fn a_game_is_in_one_fold_and_what_helps_on_other_games_is_chosen() {
        assert_eq!(folds_of(&[4, 4, 7, 9, 9, 12], 3), [0, 0, 1, 2, 2, 0]);
        let far: Vec<f64> = (0..60).map(|i| 5.0 + f64::from(i % 3)).collect();
        let clusters: Vec<u64> = (0..60).collect();
        let found = validate(&Mean(far), &clusters, 5, &STRENGTHS);
        assert!(found.strength < 1e-2, "{found:?}");
        let even: Vec<f64> = (0..60).map(|i| if i % 2 == 0 { 1.0 } else { -1.02 }).collect();
        // Each of four folds is all 1 or all −1.02, so that the other three predict the wrong sign.
        let found = validate(&Mean(even), &clusters, 4, &STRENGTHS);
        assert!(found.strength > 0.5, "{found:?}");
        assert!(found.losses.iter().all(|loss| (0.5..2.0).contains(loss)));
    }
}
