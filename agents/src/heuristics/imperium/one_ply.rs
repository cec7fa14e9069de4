//! The one-ply policy: what each stack looks like it is worth, a sum over provinces, looked up in a table of 24 numbers.
//! Prior logits, rollout policy and the greedy agent's best reply are made of it.
//!
//! The table says what no, one or two more pieces of the mover change in each province, for all others' pieces as
//! they are or as they are imagined. With everybody's stacks imagined, provinces of this round are scored for certain.

use engine::games::imperium::stacks::{MOST_CARDS, PROVINCES};
use engine::games::imperium::{Action, Imperium, State};
use engine::{Fast, Game, Player, Randomness};

use super::evaluation::{Counts, Evaluation, counts};

/// No piece, one, or the two of a doubled card: what a player can bring to a province in a round.
const MOST_MORE: usize = 3;

/// What the mover gains, by province and number of new pieces.
#[derive(Clone, Copy, Debug)]
struct ProvinceGains {
    by_pieces: [[f32; MOST_MORE]; PROVINCES],
    /// What all provinces are worth without new pieces, and the special cards of the mover.
    base: f32,
    /// By number of pieces that stay on the board: what being short of them costs.
    short: [f32; MOST_CARDS + 1],
    /// The provinces that are scored in this round, as bytes.
    scored: u64,
}

/// The mover's situation, with what is known or imagined of the others' stacks.
#[derive(Clone, Copy, Debug)]
struct StackValues {
    /// Without and with the mover's Ear.
    gains: [ProvinceGains; 2],
}

/// Values stacks, and chooses by their values.
#[derive(Clone, Debug)]
pub(super) struct OnePlyPolicy {
    pub(super) evaluation: Evaluation,
    /// What somebody can reveal whose choice is imagined.
    actions: Vec<Action>,
    /// What the mover can reveal, with the sum of its values.
    own: Vec<(Action, f32)>,
}

/// What is imagined of the stacks of this round.
struct Imagined {
    counts: Counts,
    n_ears: usize,
    /// Rounds of pieces that are still to be placed before the first province is scored.
    doubt: usize,
}

impl OnePlyPolicy {
    pub(super) const fn new(evaluation: Evaluation) -> Self {
        Self { evaluation, actions: Vec::new(), own: Vec::new() }
    }

    /// What the relative prospects of `seat` are, by province and number of his new pieces, if `n_scored` provinces are
    /// scored in this round.
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

    /// The position as it is, with the stacks that are known in it; what is scored now is as uncertain as after one
    /// more round, unless nobody but the mover is to choose.
    fn blind(game: &Imperium, s: &State, mover: Player) -> Imagined {
        let is_last = Player::all(game.n_players()).all(|p| p == mover || !s.is_asked(p));
        let mut imagined = Imagined { counts: counts(s), n_ears: 0, doubt: usize::from(!is_last) };
        for seat in 0..game.n_players() {
            if let Some(action) = s.revealed(seat) {
                imagined.add(game, seat, action);
            }
        }
        imagined
    }

    /// Appends what each of `actions` looks like it is worth to `mover`.
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
        // To wait for the others' stacks is worth about as much more than the best of one's own as one wavers between
        // them, but costs the card.
        let weights = &self.evaluation.weights;
        oracle.into_iter().for_each(|at| out[at] = best + weights.waver - weights.oracle);
    }

    /// The rollout policy: the stack that looks best to `mover` when his judgement wavers a little.
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

    /// The best stack of `mover` on average over `n` guesses of what the others reveal, each of whom follows
    /// the rollout policy.
    /// The Oracle is worth the average of the best stacks, which he could then choose.
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

    /// The others' stacks as the rollout policy would have them.
    fn imagine(&mut self, game: &Imperium, s: &State, mover: Player, rng: &mut Fast) -> Imagined {
        let mut imagined = Self::blind(game, s, mover);
        for other in Player::all(game.n_players()).filter(|&p| p != mover && s.is_asked(p)) {
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
    /// What `action` is worth; the least number for the Oracle, which decides nothing.
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

    /// Adds `noise` to what new pieces gain in each province.
    fn add(&mut self, noise: &[f32; PROVINCES]) {
        for gains in &mut self.gains {
            for (gained, more) in gains.by_pieces.iter_mut().zip(noise) {
                gained[1] += more;
                gained[2] += more;
            }
        }
    }
}

/// Noise for each province, up to `most`: who always chose what looks best would tie with all who think alike.
fn noise(most: f32, rng: &mut (impl Randomness + ?Sized)) -> [f32; PROVINCES] {
    std::array::from_fn(|_| most * rng.unit() as f32)
}

/// The first action with the largest value.
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
