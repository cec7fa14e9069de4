//! The legion with most hits, from probabilities of faces that are computed once (7.3, 7.4).

use crate::games::classic::model::battle::Legion;
use crate::games::shared::dice::Die;
use crate::games::shared::units::N_LAND_MILITARY;

/// Probabilities of faces of a roll, by type of troops and number of dice.
#[derive(Clone, Debug)]
pub(crate) struct Faces {
    /// `at_least[type][dice][n - 1]`: the probability of at least `n` faces of the type with this number of dice.
    at_least: [Vec<Vec<f32>>; N_LAND_MILITARY],
}

impl Faces {
    /// Returns the probabilities for up to `most` dice.
    pub(crate) fn new(die: &Die, most: usize) -> Self {
        let chances = die.chances();
        let of = |unit: usize| (0..=most).map(|dice| at_least(chances[unit], dice)).collect();
        Self { at_least: std::array::from_fn(of) }
    }

    /// Returns the largest number of dice with stored probabilities.
    pub(crate) fn most_dice(&self) -> usize {
        self.at_least[0].len() - 1
    }

    /// Fills up `legion` to `size` out of `force` with the types from `first` on. The result has most hits on average
    /// in a roll with `extra` more dice; among equals, earlier types come first.
    ///
    /// A type hits once for each face that shows it, and at most once for each of its troops. One more of its troops
    /// adds a hit with the probability that its face shows that often. This probability falls with the number of
    /// troops, so that taking the likeliest type each time is best.
    pub(crate) fn fill(
        &self,
        legion: &mut Legion,
        force: Legion,
        first: usize,
        size: u8,
        extra: u8,
    ) {
        let dice = usize::from(size + extra);
        let room = size.saturating_sub(legion.iter().sum());
        for _ in 0..room {
            let mut best = None;
            for unit in (first..N_LAND_MILITARY).filter(|&unit| legion[unit] < force[unit]) {
                let chance = self.at_least[unit][dice][usize::from(legion[unit])];
                if best.is_none_or(|(most, _)| chance > most) {
                    best = Some((chance, unit));
                }
            }
            let Some((_, unit)) = best else { return };
            legion[unit] += 1;
        }
    }

    /// Returns the average hits of a legion that rolls `extra` more dice than it has troops. For each type it sums the
    /// probabilities that the face shows at least once, twice, … up to its troops.
    pub(crate) fn mean_hits(&self, legion: Legion, extra: u8) -> f32 {
        let dice = usize::from(legion.iter().sum::<u8>() + extra);
        let of_type = |(chances, n): (&Vec<Vec<f32>>, u8)| -> f64 {
            chances[dice][..usize::from(n)].iter().map(|&chance| f64::from(chance)).sum()
        };
        self.at_least.iter().zip(legion).map(of_type).sum::<f64>() as f32
    }
}

/// Returns the probabilities of at least 1, 2, … hits with `dice` dice that each hit with probability `p`.
fn at_least(p: f64, dice: usize) -> Vec<f32> {
    let mut exactly = vec![1.0];
    for _ in 0..dice {
        let mut next = vec![0.0; exactly.len() + 1];
        for (hits, chance) in exactly.iter().enumerate() {
            next[hits] += chance * (1.0 - p);
            next[hits + 1] += chance * p;
        }
        exactly = next;
    }
    let mut left = 1.0;
    let mut tails = Vec::with_capacity(dice);
    for chance in &exactly[..dice] {
        left -= chance;
        tails.push(left as f32);
    }
    tails
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faces() -> (Faces, [f64; N_LAND_MILITARY]) {
        let names = ["infantry", "infantry", "cavalry", "catapult", "galley", "blank"];
        let die = Die::new(&names.map(str::to_owned));
        let [infantry, cavalry, catapult, ..] = die.chances();
        (Faces::new(&die, 12), [infantry, cavalry, catapult])
    }

    /// Returns the mean number of hits of a legion, over all numbers of faces that each type can show.
    fn mean(legion: Legion, chances: [f64; N_LAND_MILITARY], dice: u8) -> f64 {
        let mut sum = 0.0;
        for (n, p) in legion.into_iter().zip(chances) {
            let mut chance = (1.0 - p).powi(dice.into());
            for shown in 0..=dice {
                sum += chance * f64::from(shown.min(n));
                chance *= f64::from(dice - shown) / f64::from(shown + 1) * p / (1.0 - p);
            }
        }
        sum
    }

    #[test]
    fn no_other_legion_hits_more() {
        let (faces, chances) = faces();
        for force in [[9, 4, 2], [3, 9, 0], [1, 5, 5], [12, 1, 0]] {
            for (size, extra) in [(5, 0), (5, 1), (7, 0), (1, 2)] {
                let mut chosen = [0; 3];
                faces.fill(&mut chosen, force, 0, size, extra);
                assert_eq!(chosen.iter().sum::<u8>(), size.min(force.iter().sum()));
                let hits = mean(chosen, chances, size + extra);
                for infantry in 0..=size.min(force[0]) {
                    for cavalry in 0..=(size - infantry).min(force[1]) {
                        let catapults = (size - infantry - cavalry).min(force[2]);
                        let other = mean([infantry, cavalry, catapults], chances, size + extra);
                        assert!(other <= hits + 1e-6, "{force:?}: {chosen:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn hits_on_average_are_those_of_all_rolls() {
        let (faces, chances) = faces();
        for (legion, extra) in
            [([1, 0, 0], 0), ([2, 1, 1], 1), ([5, 0, 0], 0), ([0, 3, 4], 2), ([0, 0, 0], 3)]
        {
            let dice = legion.iter().sum::<u8>() + extra;
            let (counted, expected) =
                (f64::from(faces.mean_hits(legion, extra)), mean(legion, chances, dice));
            assert!((counted - expected).abs() < 1e-5, "{legion:?}: {counted}, not {expected}");
        }
    }

    #[test]
    fn what_is_chosen_already_stays() {
        let (faces, _) = faces();
        let mut legion = [4, 0, 0];
        faces.fill(&mut legion, [9, 4, 2], 1, 5, 0);
        assert_eq!(legion, [4, 1, 0]);
    }
}
