//! Events of chance: first player, tokens, cards, dice, random Senators.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::state::State;
use crate::games::shared::dice::Roll;
use crate::rng::{Purpose, Randomness};

impl Conquest2 {
    pub(crate) fn draw_event<R: Randomness + ?Sized>(&self, s: &State, rng: &mut R) -> Action {
        match s.phase() {
            Phase::FirstPlayer => Action::with(Verb::First, rng.below(self.n_players as u32) as u8),
            Phase::SetupToken | Phase::SeasonToken => {
                Action::with(Verb::Token, weighted(&s.bag, rng))
            }
            Phase::SeasonCard => Action::with(Verb::Drawn, weighted(&s.deck, rng)),
            Phase::SenatorDraw => {
                Action::with(Verb::Senator, weighted(&Self::senators_at_stake(s), rng))
            }
            Phase::NullDraw => Action::with(Verb::Null, rng.below(2) as u8),
            phase => {
                debug_assert_eq!(phase, Phase::Dice);
                dice(self.board.die.roll(self.n_dice(s), rng))
            }
        }
    }

    pub(crate) const fn purpose_of(s: &State) -> Purpose {
        match s.phase() {
            Phase::FirstPlayer | Phase::SetupToken => Purpose::Setup,
            Phase::SeasonToken | Phase::SeasonCard => Purpose::Decks,
            Phase::NullDraw => Self::null_purpose(s),
            _ => Purpose::Dice,
        }
    }

    pub(crate) fn list_events(&self, s: &State, out: &mut Vec<(Action, f64)>) {
        let mut bag = |verb, counts: &[u8]| {
            let total: f64 = counts.iter().map(|&n| f64::from(n)).sum();
            let possible = counts.iter().enumerate().filter(|(_, n)| **n > 0);
            out.extend(possible.map(|(i, &n)| (Action::with(verb, i as u8), f64::from(n) / total)));
        };
        match s.phase() {
            Phase::FirstPlayer => bag(Verb::First, &[1; 6][..self.n_players]),
            Phase::SetupToken | Phase::SeasonToken => bag(Verb::Token, &s.bag),
            Phase::SeasonCard => bag(Verb::Drawn, &s.deck),
            Phase::SenatorDraw => bag(Verb::Senator, &Self::senators_at_stake(s)),
            Phase::NullDraw => bag(Verb::Null, &[1; 2]),
            _ => {
                let rolls = self.board.die.rolls(self.n_dice(s));
                out.extend(rolls.into_iter().map(|(roll, chance)| (dice(roll), chance)));
            }
        }
    }
}

/// Returns a roll as an outcome.
const fn dice(roll: Roll) -> Action {
    Action { verb: Verb::Dice, args: roll }
}

/// Returns an index with probability proportional to its weight.
fn weighted<const N: usize, R: Randomness + ?Sized>(weights: &[u8; N], rng: &mut R) -> u8 {
    let (words, rest) = weights.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = || words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    let total = lanes_sum(words().map(in_lanes).sum());
    if total < 128 {
        return drawn_of_few(words(), rng.below(total));
    }
    let mut left = rng.below(total);
    for (i, word) in words().enumerate() {
        let sum = lanes_sum(in_lanes(word));
        match left.checked_sub(sum) {
            None => return 8 * i as u8 + drawn_of(word, left),
            Some(rest) => left = rest,
        }
    }
    unreachable!("the draw is below the total weight")
}

/// Returns the bytes of a word added up by pairs, in four lanes of 16 bits: room for the sum of 128 bytes.
const fn in_lanes(word: u64) -> u64 {
    const EVEN: u64 = u64::MAX / 0xffff * 0xff;
    (word & EVEN) + (word >> 8 & EVEN)
}

/// Returns the sum of four lanes.
const fn lanes_sum(lanes: u64) -> u32 {
    (lanes.wrapping_mul(u64::MAX / 0xffff) >> 48) as u32
}

/// Returns the index of the byte of a word on which a draw below their sum falls: the number of partial sums that do
/// not exceed the draw.
fn drawn_of(word: u64, draw: u32) -> u8 {
    let mut sum = 0;
    let reached = word.to_le_bytes().map(|weight| {
        sum += u32::from(weight);
        u8::from(sum <= draw)
    });
    reached.into_iter().sum()
}

/// Returns the index on which a draw falls where all bytes add up to less than 128. It computes the sums of a word at
/// once, without a search for the word.
fn drawn_of_few(words: impl Iterator<Item = u64>, draw: u32) -> u8 {
    const ONES: u64 = u64::MAX / 0xff;
    const HIGHEST: u64 = ONES << 7;
    let draws = (ONES * u64::from(draw)) | HIGHEST;
    let (mut before, mut reached) = (0, 0);
    for word in words {
        let sums = word.wrapping_mul(ONES);
        reached += ((draws - ONES * before - sums) & HIGHEST).count_ones();
        before += sums >> 56;
    }
    reached as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::stream;

    /// Returns the index on which `draw` falls when weights are subtracted from it in turn.
    fn naive(weights: &[u8], mut draw: u32) -> Option<usize> {
        weights.iter().position(|&weight| {
            let is_his = draw < u32::from(weight);
            draw = draw.saturating_sub(weight.into());
            is_his
        })
    }

    fn check<const N: usize>() {
        let mut rng = stream(5, N as u64, Purpose::Analysis);
        for most in [2, 4, 31, 256] {
            for _ in 0..200 {
                let weights: [u8; N] = std::array::from_fn(|_| rng.below(most) as u8);
                let total: u32 = weights.iter().map(|&w| u32::from(w)).sum();
                if total > 0 {
                    let draw = rng.clone().below(total);
                    let drawn = usize::from(weighted(&weights, &mut rng));
                    assert_eq!(Some(drawn), naive(&weights, draw), "{draw} of {weights:?}");
                }
            }
        }
    }

    #[test]
    fn an_index_is_drawn_as_if_weights_were_taken_off_one_by_one() {
        check::<4>();
        check::<12>();
        check::<16>();
        check::<43>();
    }
}
