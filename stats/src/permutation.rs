//! A test by dealing anew: do the points of a block follow what its members were dealt?
//!
//! Under the null hypothesis who got what is exchangeable within a block, so the points of each block are shuffled among
//! its members, and what was seen takes its place among what such deals give (Fisher 1935; with the observed deal counted
//! among them, the p-value is exact for any number of deals: Phipson & Smyth 2010). Where several things were dealt, each
//! is held against the largest of all of them in a deal, in units of its own spread, so that the p-values hold together
//! (`maxT`: Westfall & Young 1993).

use engine::{Randomness, Stream};

/// The p-value of each of `dealt`, all of them together: numbers of which each says, block by block and member by member,
/// what was dealt more than on average; `points` in the same order, `members` in a block.
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

/// The p-value of each sum among the largest of all sums over the deals.
fn places(seen: &[f64], anew: &[Vec<f64>]) -> Vec<f64> {
    // The mean over all deals is 0: what is dealt more than on average adds up to nothing.
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
    // What is as large but for the order of a sum is as large.
    let p = |own: f64| {
        let as_large = largest.iter().filter(|&&other| other >= own * (1.0 - 1e-9)).count();
        (1 + as_large) as f64 / (1 + anew.len()) as f64
    };
    scaled(seen).into_iter().map(p).collect()
}

/// Fisher's and Yates's shuffle.
fn shuffle(items: &mut [f64], rng: &mut Stream) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use engine::rng::{Purpose, stream};

    use super::*;

    /// The two p-values of 30 blocks of three: what a member gets is a dart, and `worth` for each of the first thing.
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
        // Standard error 0.7 of 100; the largest of two is taken, so that no more than 5 are wrong together.
        assert!((30..=70).contains(&none), "{none} of 1000");
        assert!(some > 700, "{some} of 1000");
    }
}
