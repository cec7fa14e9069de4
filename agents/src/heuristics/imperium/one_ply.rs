//! The one-ply policy: the apparent value of each stack, a sum over provinces from a table of 24 numbers. It gives the
//! prior logits, the rollout policy and the greedy agent's best reply.
//!
//! The table holds the change by 0, 1 or 2 more pieces of the mover in each province. The others' pieces are the real
//! or guessed ones. If all stacks are guessed, the provinces of this round are scored with certainty.

use engine::games::imperium::stacks::{MOST_CARDS, PROVINCES};
use engine::games::imperium::{Action, Imperium, State};
use engine::{Fast, Game, Player, Randomness};

use super::evaluation::{Counts, Evaluation, counts};

/// Number of table entries per province: no piece, one, or the two of a doubled card.
const MOST_MORE: usize = 3;

/// The mover's gains, by province and number of new pieces.
#[derive(Clone, Copy, Debug)]
struct ProvinceGains {
    by_pieces: [[f32; MOST_MORE]; PROVINCES],
    /// The value of all provinces without new pieces, and of the mover's special cards.
    base: f32,
    /// The cost of missing pieces, by the number of pieces that stay on the board.
    short: [f32; MOST_CARDS + 1],
    /// The provinces that are scored in this round, as bytes.
    scored: u64,
}

/// The values of stacks for the mover, with the known or guessed stacks of the others.
#[derive(Clone, Copy, Debug)]
struct StackValues {
    /// The gains without and with the mover's Ear.
    gains: [ProvinceGains; 2],
}

/// A policy that chooses stacks by their values.
#[derive(Clone, Debug)]
pub(super) struct OnePlyPolicy {
    pub(super) evaluation: Evaluation,
    /// The possible stacks of a player whose choice is guessed.
    actions: Vec<Action>,
    /// The mover's possible stacks, with the sums of their values.
    own: Vec<(Action, f32)>,
}

/// The guessed stacks of this round.
struct Imagined {
    counts: Counts,
    n_ears: usize,
    /// The number of rounds of pieces before the first province is scored.
    doubt: usize,
}

impl OnePlyPolicy {
    pub(super) const fn new(evaluation: Evaluation) -> Self {
        Self { evaluation, actions: Vec::new(), own: Vec::new() }
    }

    /// Returns the relative prospects of `seat`, by province and number of the seat's new pieces. `has_ear` and the
    /// guessed Ears fix the provinces that are scored.
    fn gains(
        &self,
        game: &Imperium,
        s: &State,
        seat: usize,
        imagined: &Imagined,
        has_ear: bool,
    ) -> ProvinceGains {
        let n = game.n_players();
        let n_scored = game.board().n_scored(imagined.n_ears + usize::from(has_ear));
        let share = self.evaluation.weights.rival / (n - 1) as f32;
        let mut gains = ProvinceGains {
            by_pieces: [[0.0; MOST_MORE]; PROVINCES],
            base: 0.0,
            short: [0.0; MOST_CARDS + 1],
            scored: 0,
        };
        let mut home = 0;
        for ahead in 0..PROVINCES {
            let province = (s.mark() + ahead) % PROVINCES;
            let is_scored = ahead < n_scored;
            let rounds = if is_scored { 0 } else { ahead - n_scored };
            let doubt = if is_scored { imagined.doubt } else { rounds + 1 };
            let mut here = imagined.counts[province];
            home += if is_scored { i32::from(here[seat]) } else { 0 };
            gains.scored |= if is_scored { 0xff << (8 * province) } else { 0 };
            for more in 0..MOST_MORE {
                let points = self.evaluation.expect(game, s, province, &here, doubt);
                let all: f32 = points[..n].iter().sum();
                let lead = (1.0 + share) * points[seat] - share * all;
                let cost = if is_scored { 0.0 } else { self.evaluation.lock(rounds) * more as f32 };
                gains.by_pieces[province][more] = self.evaluation.discount(rounds) * lead - cost;
                here[seat] += 1;
            }
            let [none, gained @ ..] = &mut gains.by_pieces[province];
            gained.iter_mut().for_each(|value| *value -= *none);
            gains.base += std::mem::take(none);
        }
        let free = i32::from(s.free(seat)) + home;
        gains.short = std::array::from_fn(|used| -self.evaluation.shortage(free - used as i32));
        gains.base -= if has_ear { self.evaluation.weights.ear } else { 0.0 };
        gains
    }

    fn stack_values(
        &self,
        game: &Imperium,
        s: &State,
        seat: usize,
        imagined: &Imagined,
    ) -> StackValues {
        let without = self.gains(game, s, seat, imagined, false);
        let with =
            if s.has_ear(seat) { self.gains(game, s, seat, imagined, true) } else { without };
        StackValues { gains: [without, with] }
    }

    /// Returns the present position with its known stacks. A present scoring is as uncertain as after one more round,
    /// unless only the mover still has to choose.
    fn blind(game: &Imperium, s: &State, mover: Player) -> Imagined {
        let is_last = Player::all(game.n_players()).all(|p| p == mover || !s.is_choosing(p));
        let mut imagined = Imagined { counts: counts(s), n_ears: 0, doubt: usize::from(!is_last) };
        for seat in 0..game.n_players() {
            if let Some(action) = s.revealed(seat) {
                imagined.add(game, seat, action);
            }
        }
        imagined
    }

    /// Appends the apparent value of each of `actions` for `mover`.
    pub(super) fn prior_logits(
        &self,
        game: &Imperium,
        s: &State,
        mover: Player,
        actions: impl Iterator<Item = Action>,
        out: &mut Vec<f32>,
    ) {
        let values = self.stack_values(game, s, mover.idx(), &Self::blind(game, s, mover));
        let (mut best, mut oracle) = (f32::MIN, None);
        for action in actions {
            if action == Action::ORACLE {
                oracle = Some(out.len());
            }
            out.push(values.value(game, action));
            best = best.max(values.value(game, action));
        }
        // The Oracle waits for the others' stacks. Its gain over the best own stack is about the noise of the choice,
        // minus the cost of the card.
        let weights = &self.evaluation.weights;
        oracle.into_iter().for_each(|at| out[at] = best + weights.waver - weights.oracle);
    }

    /// Returns the action of the rollout policy: the best stack of `mover` under slightly noisy values.
    pub(super) fn choose(
        &mut self,
        game: &Imperium,
        s: &State,
        mover: Player,
        rng: &mut (impl Randomness + ?Sized),
    ) -> Action {
        let mut values = self.stack_values(game, s, mover.idx(), &Self::blind(game, s, mover));
        values.add(&noise(self.evaluation.weights.waver, rng));
        self.list(game, s, mover);
        let value = |action: Action| values.value(game, action);
        best(&self.actions, value)
    }

    fn list(&mut self, game: &Imperium, s: &State, mover: Player) {
        self.actions.clear();
        game.actions(s, mover, &mut self.actions);
    }

    /// Returns the stack of `mover` with the best mean over `n` guesses of the others' stacks. The guesses follow the
    /// rollout policy. The Oracle is worth the mean of the best stacks, because the player could then choose them.
    pub(super) fn best_reply(
        &mut self,
        game: &Imperium,
        s: &State,
        mover: Player,
        n: u32,
        rng: &mut Fast,
    ) -> Action {
        self.list(game, s, mover);
        let mut own = std::mem::take(&mut self.own);
        own.clear();
        own.extend(self.actions.iter().map(|&action| (action, 0.0)));
        let mut oracle = -(n as f32) * self.evaluation.weights.oracle;
        let noise = noise(self.evaluation.weights.waver, rng);
        for _ in 0..n {
            let imagined = self.imagine(game, s, mover, rng);
            let mut values = self.stack_values(game, s, mover.idx(), &imagined);
            values.add(&noise);
            let mut best = f32::MIN;
            for (action, sum) in &mut own {
                let value = values.value(game, *action);
                best = best.max(value);
                *sum += value;
            }
            oracle += best;
        }
        let ask = own.iter_mut().filter(|(action, _)| *action == Action::ORACLE);
        ask.for_each(|(_, sum)| *sum = oracle);
        let mut best = own[0];
        for &option in &own {
            best = if option.1 > best.1 { option } else { best };
        }
        self.own = own;
        best.0
    }

    /// Returns a guess of the others' stacks by the rollout policy.
    fn imagine(&mut self, game: &Imperium, s: &State, mover: Player, rng: &mut Fast) -> Imagined {
        let mut imagined = Self::blind(game, s, mover);
        for other in Player::all(game.n_players()).filter(|&p| p != mover && s.is_choosing(p)) {
            let action = self.choose(game, s, other, rng);
            imagined.add(game, other.idx(), action);
        }
        imagined.doubt = 0;
        imagined
    }
}

impl Imagined {
    fn add(&mut self, game: &Imperium, seat: usize, action: Action) {
        let stack = game.board().stack(action);
        for (province, counts) in self.counts.iter_mut().enumerate() {
            counts[seat] += (stack.placed() >> (8 * province)) as u8;
        }
        self.n_ears += usize::from(stack.has_ear());
    }
}

impl StackValues {
    /// Returns the value of `action`; the least number for the Oracle, which decides nothing.
    fn value(&self, game: &Imperium, action: Action) -> f32 {
        if action == Action::ORACLE {
            return f32::MIN;
        }
        let stack = game.board().stack(action);
        let gains = &self.gains[usize::from(stack.has_ear())];
        let mut value = gains.base;
        let mut used = 0;
        for &card in stack.cards() {
            let province = usize::from(card);
            if province < PROVINCES {
                let more = (stack.placed() >> (8 * province)) as usize & 0xff;
                value += gains.by_pieces[province][more];
                used += if gains.scored >> (8 * province) & 1 == 1 { 0 } else { more };
            }
        }
        value + gains.short[used]
    }

    /// Adds `noise` to the gains of new pieces in each province.
    fn add(&mut self, noise: &[f32; PROVINCES]) {
        for gains in &mut self.gains {
            for (gained, more) in gains.by_pieces.iter_mut().zip(noise) {
                gained[1] += more;
                gained[2] += more;
            }
        }
    }
}

/// Returns noise for each province, up to `most`. Without noise a player would tie with all players of this policy.
fn noise(most: f32, rng: &mut (impl Randomness + ?Sized)) -> [f32; PROVINCES] {
    std::array::from_fn(|_| most * rng.unit() as f32)
}

/// Returns the first action with the largest value.
fn best(actions: &[Action], value: impl Fn(Action) -> f32) -> Action {
    let mut best = (f32::MIN, actions[0]);
    for &action in actions {
        let value = value(action);
        if value > best.0 {
            best = (value, action);
        }
    }
    best.1
}
