//! The evaluation of imperium: the expected points of each province, by the certainty of the ranks in it.
//!
//! A player's place is given by the number of rivals with at least as many pieces, because ties take the lowest place.
//! More pieces will be placed before a province is scored. So each rival is ahead only with a probability: a logistic
//! function of the difference of pieces, whose width grows with the remaining rounds.

use engine::ByPlayer;
use engine::games::imperium::stacks::{MOST_CARDS, PROVINCES};
use engine::games::imperium::{Imperium, MOST_SEATS, State};

use super::weights::Weights;

/// The largest distinguished difference of pieces. Beyond it the ranks are practically certain.
const MOST_AHEAD: i32 = 7;
const N_DIFFERENCES: usize = 2 * MOST_AHEAD as usize + 1;
/// The shift of the even point by half a piece, because a rival with equal pieces takes the better place.
const TIES_LOSE: f32 = 0.5;

/// The pieces of all seats in all provinces.
pub(super) type Counts = [[u8; MOST_SEATS]; PROVINCES];

/// The evaluation.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub(super) weights: Weights,
    /// The probability that a rival stays at least level, by remaining rounds (none or more) and difference of pieces.
    level: [[f32; N_DIFFERENCES]; PROVINCES + 1],
    /// The value of a point, by the remaining rounds after the next.
    discount: [f32; PROVINCES],
}

/// The points of all seats in a province.
pub(super) type Points = [f32; MOST_SEATS];

impl Evaluation {
    pub(super) fn new(weights: Weights) -> Self {
        let level = |rounds: usize, difference: i32| match rounds {
            0 => f32::from(u8::from(difference >= 0)),
            _ => {
                let width = weights.doubt + weights.doubt_grows * (rounds - 1) as f32;
                1.0 / (1.0 + libm::expf(-(difference as f32 + TIES_LOSE) / width))
            }
        };
        Self {
            weights,
            level: std::array::from_fn(|rounds| {
                std::array::from_fn(|i| level(rounds, i as i32 - MOST_AHEAD))
            }),
            discount: std::array::from_fn(|rounds| libm::powf(weights.patience, rounds as f32)),
        }
    }

    /// Returns the value of a point that is scored after `rounds` more rounds than the next.
    pub(super) const fn discount(&self, rounds: usize) -> f32 {
        self.discount[rounds]
    }

    /// Returns the expected points of each seat in `province`, which is scored after `rounds` more rounds of pieces.
    /// With `rounds` = 0 they are certain.
    pub(super) fn expect(
        &self,
        game: &Imperium,
        s: &State,
        province: usize,
        counts: &[u8; MOST_SEATS],
        rounds: usize,
    ) -> Points {
        let (board, n) = (game.board(), engine::Game::n_players(game));
        let mut points = [0.0; MOST_SEATS];
        for seat in 0..n {
            if rounds == 0 && counts[seat] == 0 {
                continue;
            }
            let own = i32::from(counts[seat]);
            // The probabilities of the places, from the first.
            let mut places = [1.0, 0.0, 0.0, 0.0, 0.0];
            let rivals = (0..n).filter(|&rival| rival != seat);
            for (met, rival) in rivals.enumerate() {
                let ahead = (i32::from(counts[rival]) - own).clamp(-MOST_AHEAD, MOST_AHEAD);
                let level = self.level[rounds][(ahead + MOST_AHEAD) as usize];
                for place in (1..=met + 1).rev() {
                    places[place] += (places[place - 1] - places[place]) * level;
                }
                places[0] *= 1.0 - level;
            }
            let bonus = board.proconsul_bonus() * board.group(s.held(seat), province);
            let scored = (0..n).map(|place| places[place] * board.points(province, place) as f32);
            points[seat] = scored.sum::<f32>() + places[0] * bonus as f32;
        }
        points
    }

    /// Returns the value of a position at the start of a round for all seats, in points at the end.
    pub(super) fn evaluate(&self, game: &Imperium, s: &State) -> ByPlayer<f32> {
        let n = engine::Game::n_players(game);
        let mut values = ByPlayer::default();
        let counts = counts(s);
        for rounds in 0..PROVINCES {
            let province = (s.mark() + rounds) % PROVINCES;
            let here = &counts[province];
            let points = self.expect(game, s, province, here, rounds + 1);
            for seat in 0..n {
                let cost = self.lock(rounds) * f32::from(here[seat]);
                values.0[seat] += self.discount(rounds) * points[seat] - cost;
            }
        }
        for (seat, value) in values.0.iter_mut().enumerate().take(n) {
            *value += s.points(seat) as f32 - self.shortage(s.free(seat).into());
            *value += if s.has_ear(seat) { self.weights.ear } else { 0.0 };
            *value += if s.has_oracle(seat) { self.weights.oracle } else { 0.0 };
        }
        values
    }

    /// Returns the cost of a piece in a province that is scored after `rounds` more rounds than the next.
    pub(super) fn lock(&self, rounds: usize) -> f32 {
        self.weights.lock * (rounds + 1) as f32
    }

    /// Returns the cost of having only `free` pieces for the next round.
    pub(super) fn shortage(&self, free: i32) -> f32 {
        let most = MOST_CARDS as i32;
        self.weights.short * (most - free).clamp(0, most) as f32
    }

    /// Returns the lead that multiplies the odds of winning by e.
    pub(super) fn logistic_scale(&self, game: &Imperium, s: &State) -> f32 {
        let most = (0..engine::Game::n_players(game)).map(|seat| s.points(seat)).max();
        let missing = game.board().win_score().saturating_sub(most.unwrap_or(0));
        self.weights.logistic_scale + self.weights.logistic_scale_grows * missing as f32
    }
}

/// Returns the pieces of all seats.
pub(super) fn counts(s: &State) -> Counts {
    std::array::from_fn(|province| std::array::from_fn(|seat| s.pieces(seat, province)))
}

#[cfg(test)]
mod tests {
    use engine::{Event, Game, Walk};

    use super::*;

    /// Returns the pieces of all seats after the stacks of `joint`, and the number of Ears among them.
    fn placed(
        game: &Imperium,
        s: &State,
        joint: &engine::Joint<engine::games::imperium::Action>,
    ) -> (Counts, usize) {
        let (mut counts, mut n_ears) = (counts(s), 0);
        for (seat, action) in joint.0.iter().enumerate() {
            let Some(action) = *action else { continue };
            let stack = game.board().stack(action);
            n_ears += usize::from(stack.has_ear());
            for (province, counts) in counts.iter_mut().enumerate() {
                counts[seat] += (stack.placed() >> (8 * province)) as u8;
            }
        }
        (counts, n_ears)
    }

    #[test]
    fn what_is_certain_is_what_the_rules_give() {
        let evaluation = Evaluation::new(Weights::default());
        let mut n_compared = 0;
        for (seed, n) in (0..40).flat_map(|seed| (2..=5).map(move |n| (seed, n))) {
            let game = Imperium::new(n);
            let mut walk = Walk::new(&game, seed, 0);
            let mut before = *walk.state();
            while let Some(event) = walk.next() {
                let (s, after) = (before, *walk.state());
                before = after;
                let Event::Joint(joint) = event else { panic!("{event:?}") };
                let (counts, n_ears) = placed(&game, &s, &joint);
                if after.round() == s.round() || n_ears > 0 || s.is_second_choice() {
                    continue;
                }
                let here = &counts[s.mark()];
                let points = evaluation.expect(&game, &s, s.mark(), here, 0);
                for seat in 0..n {
                    let gained = (after.points(seat) - s.points(seat)) as f32;
                    assert!((points[seat] - gained).abs() < 1e-4, "{s:?} {joint:?}: {points:?}");
                    n_compared += 1;
                }
            }
        }
        assert!(n_compared > 1000, "{n_compared}");
    }

    #[test]
    fn one_piece_more_promises_more_and_the_far_future_less_surely() {
        let evaluation = Evaluation::new(Weights::default());
        let game = Imperium::new(4);
        let s = game.start();
        let aegyptus = PROVINCES - 1;
        let promise = |counts: [u8; MOST_SEATS], rounds| {
            evaluation.expect(&game, &s, aegyptus, &counts, rounds)[0]
        };
        for rounds in 1..=PROVINCES {
            assert!(promise([3, 1, 1, 2, 0], rounds) > promise([2, 1, 1, 2, 0], rounds));
        }
        assert!(promise([3, 0, 0, 0, 0], 1) > promise([3, 0, 0, 0, 0], 5));
        assert!(promise([0, 2, 2, 2, 0], 1) < promise([0, 2, 2, 2, 0], 5));
    }
}
