//! The chances of hits of a roll in which a die hits if it shows a kind of unit that is there, each unit at most once.

use engine::games::conquest2::units::N_MILITARY;

/// Dice of a roll at most.
pub const MOST_DICE: usize = 31;

/// Chances of 0, 1, … hits.
pub(super) type Hits = [f64; MOST_DICE + 1];

/// Weights of so many dice that score so many hits: room for [`chances_of_hits`].
pub(super) type Ways = [Hits; MOST_DICE + 1];

/// Room for [`chances_of_hits`].
pub(super) fn no_ways() -> Box<Ways> {
    Box::new([[0.0; MOST_DICE + 1]; MOST_DICE + 1])
}

/// The chances of 0, 1, … hits with `dice` dice, and how many of them are more than nothing.
///
/// Faces are taken kind by kind; `ways[u][h]` holds the summed weight of `u` dice that score `h` hits, each kind
/// with weight `p^x / x!` for `x` dice, so that the multinomial is complete when it is multiplied by `dice!`.
pub(super) fn chances_of_hits(
    faces: &[f64; N_MILITARY + 1],
    units: [u8; N_MILITARY],
    dice: usize,
    ways: &mut Ways,
) -> (Hits, usize) {
    ways[..=dice].iter_mut().for_each(|way| way[..=dice].fill(0.0));
    ways[0][0] = 1.0;
    let mut miss = faces[N_MILITARY];
    let mut most = 0;
    for (kind, &number) in units.iter().enumerate() {
        if number == 0 {
            miss += faces[kind];
            continue;
        }
        // From many dice to few, so that what is read has not been written for this kind.
        for used in (0..=dice).rev() {
            let mut weight = 1.0;
            for x in 1..=dice - used {
                weight *= faces[kind] / x as f64;
                let more = x.min(number.into());
                for hits in 0..=used.min(most) {
                    ways[used + x][hits + more] += ways[used][hits] * weight;
                }
            }
        }
        most = dice.min(most + usize::from(number));
    }
    let mut chances = [0.0; MOST_DICE + 1];
    let mut weight = 1.0;
    for blanks in 0..=dice {
        for (chance, way) in chances.iter_mut().zip(&ways[dice - blanks][..=dice]) {
            *chance += way * weight;
        }
        weight *= miss / (blanks + 1) as f64;
    }
    let orders: f64 = (1..=dice).map(|n| n as f64).product();
    chances[..=dice].iter_mut().for_each(|chance| *chance *= orders);
    let number =
        chances[..=dice].iter().rposition(|&chance| chance > 0.0).map_or(1, |last| last + 1);
    (chances, number)
}
