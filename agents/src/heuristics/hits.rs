//! Hit probabilities of a roll: a die hits if it shows a kind of unit that is present, and each unit hits at most once.

use engine::games::conquest2::units::N_MILITARY;

/// Maximum number of dice of a roll.
pub const MOST_DICE: usize = 31;

/// The probabilities of 0, 1, … hits.
pub(super) type Hits = [f64; MOST_DICE + 1];

/// The weights by number of dice and of hits: scratch for [`chances_of_hits`].
pub(super) type Ways = [Hits; MOST_DICE + 1];

/// Returns scratch for [`chances_of_hits`].
pub(super) fn no_ways() -> Box<Ways> {
    Box::new([[0.0; MOST_DICE + 1]; MOST_DICE + 1])
}

/// Computes the probabilities of 0, 1, … hits with `dice` dice, and the number of positive ones.
///
/// Faces are taken kind by kind. `ways[u][h]` holds the total weight of `u` dice with `h` hits. Each kind has weight
/// `p^x / x!` for `x` dice, so multiplying by `dice!` gives the multinomial distribution.
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
        // The loop goes from many dice to few, so that entries are read before this kind overwrites them.
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
