//! Evaluation: the points that each province of a position promises, by how sure the ranks in it are.
//!
//! A player takes the place that is given by the number of rivals with at least as many pieces as he has, because ties
//! take the lowest place. Until a province is scored more pieces will be placed, so each rival is ahead with a
//! probability only, a logistic function of the difference of pieces whose width grows with the rounds to come.

use engine::ByPlayer;
use engine::games::imperium::stacks::{MOST_CARDS, PROVINCES};
use engine::games::imperium::{Imperium, MOST_SEATS, State};

use super::weights::Weights;

/// Differences of pieces beyond this count as this: by then the ranks are as good as sure.
const MOST_AHEAD: i32 = 7;
const N_DIFFERENCES: usize = 2 * MOST_AHEAD as usize + 1;
/// Who has as many pieces takes the better place, so the even point lies half a piece below.
const TIES_LOSE: f32 = 0.5;

/// Pieces of all seats in all provinces.
pub(super) type Counts = [[u8; MOST_SEATS]; PROVINCES];

/// The evaluation.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub(super) weights: Weights,
    /// By rounds to come (none, or more): the probability that a rival with so many pieces more stays at least level.
    level: [[f32; N_DIFFERENCES]; PROVINCES + 1],
    /// By rounds to come after the next: what a point is worth.
    discount: [f32; PROVINCES],
}

/// What everybody gets in a province.
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

    /// What a point is worth that is scored after `rounds` more rounds than the next.
    pub(super) const fn discount(&self, rounds: usize) -> f32 {
        self.discount[rounds]
    }

    /// Points that each seat can expect of `province`, which is scored when `rounds` more rounds of pieces have
    /// been placed; with `rounds` = 0 for certain.
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
            // Probabilities of the places, from the first.
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

    /// What the position at the start of a round is worth to everybody, in points at the end.
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

    /// What a piece costs in a province that is scored after `rounds` more rounds than the next.
    pub(super) fn lock(&self, rounds: usize) -> f32 {
        self.weights.lock * (rounds + 1) as f32
    }

    /// What it costs to have only `free` pieces for the next round.
    pub(super) fn shortage(&self, free: i32) -> f32 {
        let most = MOST_CARDS as i32;
        self.weights.short * (most - free).clamp(0, most) as f32
    }

    /// The lead that multiplies the odds to win by e.
    pub(super) fn logistic_scale(&self, game: &Imperium, s: &State) -> f32 {
        let most = (0..engine::Game::n_players(game)).map(|seat| s.points(seat)).max();
        let missing = game.board().win_score().saturating_sub(most.unwrap_or(0));
        self.weights.logistic_scale + self.weights.logistic_scale_grows * missing as f32
    }
}

/// Everybody's pieces.
pub(super) fn counts(s: &State) -> Counts {
    std::array::from_fn(|province| std::array::from_fn(|seat| s.pieces(seat, province)))
}

#[cfg(test)]
mod tests {
    use engine::{Event, Game, Walk};

    use super::*;

    /// Everybody's pieces after the stacks of `joint`, and how many Ears are among them.
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
