//! A permutation test of dealt things: do the points of a block depend on the deal to its members?
//!
//! Under the null hypothesis the deals are exchangeable within a block. So the points of each block are shuffled among
//! its members, and the observed sum is ranked among the sums of these new deals (Fisher 1935). The observed deal
//! counts as one of them, so the p-value is exact for any number of deals (Phipson & Smyth 2010). If several things
//! were dealt, the p-values are adjusted for their number: each is compared with the largest of all in a deal, in units
//! of its own standard deviation (`maxT`: Westfall & Young 1993).

use engine::{Randomness, Stream};

/// Returns the p-value of each entry of `dealt`, adjusted for their number.
///
/// Each entry holds, block by block and member by member, the amount dealt above the average. `points` has the same
/// order; a block has `members` members.
///
/// # Panics
/// If there are no members.
#[must_use]
pub fn together(
    dealt: &[&[f64]],
    points: &[f64],
    members: usize,
    deals: usize,
    rng: &mut Stream,
) -> Vec<f64> {
    let sums = |points: &[f64]| -> Vec<f64> {
        dealt.iter().map(|more| more.iter().zip(points).map(|(x, y)| x * y).sum()).collect()
    };
    let seen = sums(points);
    let mut points = points.to_vec();
    let anew: Vec<Vec<f64>> = (0..deals)
        .map(|_| {
            points.chunks_exact_mut(members).for_each(|block| shuffle(block, rng));
            sums(&points)
        })
        .collect();
    places(&seen, &anew)
}

/// Returns the p-value of each sum among the largest of all sums over the deals.
fn places(seen: &[f64], anew: &[Vec<f64>]) -> Vec<f64> {
    // The mean over all deals is 0, since the amounts above the average add up to 0.
    let deviation = |which: usize| {
        let squares: f64 = anew.iter().map(|sums| sums[which] * sums[which]).sum();
        (squares / anew.len() as f64).sqrt().max(f64::MIN_POSITIVE)
    };
    let deviations: Vec<f64> = (0..seen.len()).map(deviation).collect();
    let scaled = |sums: &[f64]| -> Vec<f64> {
        sums.iter().zip(&deviations).map(|(sum, deviation)| (sum / deviation).abs()).collect()
    };
    let largest = |sums: &Vec<f64>| scaled(sums).into_iter().fold(0.0, f64::max);
    let largest: Vec<f64> = anew.iter().map(largest).collect();
    // Sums that differ only by the order of their terms count as equal.
    let p = |own: f64| {
        let as_large = largest.iter().filter(|&&other| other >= own * (1.0 - 1e-9)).count();
        (1 + as_large) as f64 / (1 + anew.len()) as f64
    };
    scaled(seen).into_iter().map(p).collect()
}

/// Shuffles `items` (Fisher and Yates).
fn shuffle(items: &mut [f64], rng: &mut Stream) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use engine::rng::{Purpose, stream};

    use super::*;

    /// Returns the two p-values of 30 blocks of three. A member's points are random, plus `worth` for each unit of the
    /// first thing.
    fn p_values(worth: f64, rng: &mut Stream) -> Vec<f64> {
        let mut lines = [Vec::new(), Vec::new()];
        let mut points = Vec::new();
        for _ in 0..30 {
            let mut hands = [[1.0, 0.0, -1.0], [1.0, -1.0, 0.0]];
            hands.iter_mut().for_each(|hand| shuffle(hand, rng));
            points.extend(hands[0].map(|x| worth * x + rng.unit()));
            lines.iter_mut().zip(hands).for_each(|(line, hand)| line.extend(hand));
        }
        together(&[&lines[0], &lines[1]], &points, 3, 99, rng)
    }

    #[test]
    fn nothing_is_found_in_5_of_100_runs_and_a_planted_worth_in_most() {
        let mut rng = stream(8, 0, Purpose::Analysis);
        let found = |worth: f64, rng: &mut Stream| {
            let is_found = |_: &i32| p_values(worth, rng).into_iter().any(|p| p <= 0.05);
            (0..1_000).filter(is_found).count()
        };
        let (none, some) = (found(0.0, &mut rng), found(0.15, &mut rng));
        // The standard error is 0.7 of 100; the largest of two counts, so at most 5 in 100 are wrong together.
        assert!((30..=70).contains(&none), "{none} of 1000");
        assert!(some > 700, "{some} of 1000");
    }
}
