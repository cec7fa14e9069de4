//! The effect of the start deal: a natural experiment, since the tokens at the start are dealt at random.
//!
//! The effect of a place is estimated from untreated games: the gain in a seat's share for each token that it was
//! dealt there above the table's mean. It is `β = Σ x y / Σ x²` over blocks and seats; `x` is the seat's tokens less
//! the table's mean and `y` its share, with an interval by block. β is the effect of this token instead of another
//! one, so the places together do not measure the number of tokens.
//!
//! The **p-values** come from a permutation test ([`permutation`]), which is exact and assumes nothing about shares.
//! If the deal does not matter, every assignment of the hands of a block to its seats is equally likely and gives the
//! same shares. The hands are dealt again [`DEALS`] times within blocks. The global test uses the largest statistic of
//! all places. The p-value of each place uses the same maximum, so the p-values hold simultaneously.

use std::collections::BTreeMap;

use engine::hash_of;
use engine::rng::{Purpose, stream};

use super::estimate::Estimate;
use sim::stats::clustered::ClusteredRatio;
use sim::stats::permutation;

/// The number of permutations.
pub const DEALS: usize = 4_999;

/// The start deal of a game and its result.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Start {
    /// The tokens of each seat, by place.
    pub dealt: BTreeMap<String, Vec<f64>>,
    /// The share of each seat.
    pub points: Vec<f64>,
}

/// The worth of an additional token at the start in a place.
#[derive(Clone, PartialEq, Debug)]
pub struct Dealt {
    /// The place.
    pub name: String,
    /// β, in share for each token; its p-value is that of the permutation test, simultaneous over the places.
    pub worth: Estimate,
}

/// The tokens dealt in a place, less the table's mean, by block and seat.
struct ProvinceDeal {
    name: String,
    /// Values of all blocks, seat by seat.
    more: Vec<f64>,
}

/// Returns the worth of each place in `starts`; empty if nothing was dealt.
#[must_use]
pub fn worth(starts: &[Start], seed: u64) -> Vec<Dealt> {
    let Some(seats) = starts.first().map(|start| start.points.len()) else { return Vec::new() };
    let shares: Vec<f64> = starts.iter().flat_map(|start| start.points.iter().copied()).collect();
    let places = places(starts, seats);
    let dealt: Vec<&[f64]> = places.iter().map(|place| &place.more[..]).collect();
    let mut rng = stream(hash_of(&("start deal", seed)), 0, Purpose::Analysis);
    let p = permutation::together(&dealt, &shares, seats, DEALS, &mut rng);
    let effects = |(place, p): (&ProvinceDeal, f64)| {
        Some(Dealt { name: place.name.clone(), worth: slope(place, &shares, seats, p)? })
    };
    places.iter().zip(p).filter_map(effects).collect()
}

fn places(starts: &[Start], seats: usize) -> Vec<ProvinceDeal> {
    let mut names: Vec<&String> = starts.iter().flat_map(|start| start.dealt.keys()).collect();
    names.sort();
    names.dedup();
    let of = |name: &&String| {
        let more = starts.iter().flat_map(|start| {
            let tokens = start.dealt.get(*name).cloned().unwrap_or_else(|| vec![0.0; seats]);
            let mean = tokens.iter().sum::<f64>() / seats as f64;
            tokens.into_iter().map(move |n| n - mean).collect::<Vec<_>>()
        });
        ProvinceDeal { name: (*name).clone(), more: more.collect() }
    };
    let places = names.iter().map(of);
    places.filter(|place| place.more.iter().any(|&x| x != 0.0)).collect()
}

/// Returns β of a place, with its interval by block.
fn slope(place: &ProvinceDeal, shares: &[f64], seats: usize, p: f64) -> Option<Estimate> {
    let mut ratio = ClusteredRatio::default();
    let blocks = place.more.chunks_exact(seats).zip(shares.chunks_exact(seats));
    for (block, (more, shares)) in (0..).zip(blocks) {
        let above: f64 = more.iter().zip(shares).map(|(x, y)| x * y).sum();
        ratio.add(block, above, more.iter().map(|x| x * x).sum());
    }
    let n = (shares.len() / seats) as u64;
    Some(Estimate { value: ratio.estimate()?, interval: ratio.interval(), p: Some(p), n })
}

#[cfg(test)]
mod tests {
    use engine::Randomness;

    use super::*;

    /// Returns blocks of four seats with three tokens each in three places; the winner is drawn with a weight for each
    /// token in the first place.
    fn starts(blocks: usize, weight: f64, rng: &mut impl Randomness) -> Vec<Start> {
        let block = |rng: &mut dyn FnMut() -> f64| {
            let mut hands = [[0.0; 4]; 3];
            for token in 0..12 {
                hands[(rng() * 3.0) as usize][token % 4] += 1.0;
            }
            let weights: Vec<f64> = (0..4).map(|seat| 1.0 + weight * hands[0][seat]).collect();
            let mut at = rng() * weights.iter().sum::<f64>();
            let winner = weights.iter().position(|w| {
                at -= w;
                at < 0.0
            });
            let mut points = vec![0.0; 4];
            points[winner.unwrap_or(3)] = 1.0;
            let dealt = ["a", "b", "c"].into_iter().zip(hands);
            let dealt = dealt.map(|(name, hand)| (name.to_owned(), hand.to_vec())).collect();
            Start { dealt, points }
        };
        (0..blocks).map(|_| block(&mut || rng.unit())).collect()
    }

    #[test]
    fn a_deal_that_decides_nothing_is_called_so_and_one_that_does_is_found() {
        let mut rng = stream(5, 0, Purpose::Analysis);
        let runs = 60;
        let (mut false_alarms, mut covered) = (0, 0);
        for run in 0..runs {
            let effects = worth(&starts(60, 0.0, &mut rng), run);
            assert_eq!(effects.len(), 3);
            false_alarms += u32::from(effects.iter().any(|one| one.worth.p < Some(0.05)));
            covered +=
                effects.iter().filter(|one| one.worth.interval.unwrap().contains(0.0)).count();
        }
        // 5 % of 60, and three standard errors; 95 % of 180, less three.
        assert!(false_alarms <= 8, "{false_alarms}");
        assert!(covered >= 162, "{covered}");
        let effects = worth(&starts(400, 1.0, &mut rng), 1);
        assert!(effects[0].worth.value > 0.0 && effects[0].worth.p < Some(0.001), "{effects:?}");
        assert!(effects[1].worth.value < effects[0].worth.value);
    }

    #[test]
    fn without_games_or_with_a_deal_that_is_always_the_same_nothing_is_told() {
        assert!(worth(&[], 1).is_empty());
        let same = Start {
            dealt: BTreeMap::from([("a".to_owned(), vec![1.0, 1.0])]),
            points: vec![1.0, 0.0],
        };
        assert!(worth(&[same.clone(), same], 1).is_empty());
    }
}
