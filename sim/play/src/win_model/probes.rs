//! Looks at a game: the features of the position at the end of each round, at the end of each turn, and at one random
//! position in each round.

use agents::Observable;
use agents::playable::decider;
use agents::spectator::Course;
use engine::{Player, Purpose, Randomness, Stream, rng};

use super::WinModel;
use crate::game_loop::{GameObserver, Run};

/// The features at one point of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Probe {
    /// The progress of the game.
    pub course: Course,
    /// The number of choices so far.
    pub plies: u32,
    /// The round under way, counted from 0 through the whole game.
    pub round: u32,
    /// The counts by feature and seat.
    pub counts: Box<[f64]>,
}

impl Probe {
    /// Returns the features of `state` after `plies` choices.
    pub fn of<G: Observable>(game: &G, state: &G::State, plies: u32) -> Self {
        let seats = game.n_players();
        let mut counts = Vec::with_capacity(G::FEATURES.len());
        game.features(state, &mut counts);
        let counts = counts.iter().flat_map(|count| count.first(seats)).copied().collect();
        let course = game.course(state);
        Self { course, plies, round: round_of(course, plies, seats), counts }
    }
}

/// Returns the current round; a game without rounds gets one for every `seats` plies.
fn round_of(course: Course, plies: u32, seats: usize) -> u32 {
    course.round.unwrap_or(plies / seats as u32)
}

/// A collector of looks for a fit: at the start, at the beginning of each round, and one at random within each.
#[derive(Debug)]
pub struct Probes<S> {
    rng: Stream,
    round: Option<u32>,
    /// The number of positions in this round, and the one that was drawn.
    seen: u32,
    drawn: Option<(S, u32)>,
    /// The looks, in order.
    pub taken: Vec<Probe>,
}

impl<S: Copy> Probes<S> {
    /// Returns a collector of looks at game `index` of the run with seed `seed`.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Self {
        let rng = rng::stream(seed, index, Purpose::Analysis);
        Self { rng, round: None, seen: 0, drawn: None, taken: Vec::new() }
    }
}

impl<G: Observable> GameObserver<G> for Probes<G::State> {
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        let Run { state, plies, .. } = run;
        if decider(game, state).is_none() && self.round.is_some() {
            return;
        }
        let round = round_of(game.course(state), *plies, game.n_players());
        if self.round != Some(round) {
            self.round = Some(round);
            if let Some((state, plies)) = self.drawn.take() {
                self.taken.push(Probe::of(game, &state, plies));
            }
            self.taken.push(Probe::of(game, state, *plies));
            self.seen = 0;
            return;
        }
        self.seen += 1;
        if self.rng.below(self.seen) == 0 {
            self.drawn = Some((*state, *plies));
        }
    }
}

/// The chances of a game from look to look.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// The block of the game: games of one block share their chance.
    pub block: u64,
    /// The looks at the start, and at the beginning of each later round.
    pub rounds: Vec<Snapshot>,
    /// The counts of the looks at the start, and at each change of the deciding player.
    pub turns: Turns,
    /// The points of the seats.
    pub points: Vec<f64>,
    /// The number of choices in the whole game.
    pub plies: u32,
}

/// The change of a chance below which a turn counts as idle.
pub const IDLE: f64 = 0.005;

/// Counts over the turns of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Turns {
    /// The number of looks.
    pub looks: u32,
    /// The number of turns in which no chance changed by [`IDLE`] or more.
    pub idle: u32,
    /// The number of changes of the sole leader in score; `None` in a game without scores.
    pub lead_changes: Option<u32>,
}

/// Returns the sole leader, by at least `margin`.
#[must_use]
pub fn leader(values: &[f64], margin: f64) -> Option<usize> {
    let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]))?;
    let is_behind = |(seat, &value): (usize, &f64)| {
        seat == best || (value < values[best] && value <= values[best] - margin)
    };
    values.iter().enumerate().all(is_behind).then_some(best)
}

/// The model's chances at a look.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot {
    /// The stage, as numbered in tables.
    pub stage: usize,
    /// The chances of the seats.
    pub chances: Vec<f64>,
    /// The scores of the seats, in a game with scores.
    pub scores: Option<Vec<i32>>,
}

/// A collector of looks with a model.
#[derive(Debug)]
pub struct Tracer<'a> {
    model: &'a WinModel,
    round: Option<u32>,
    mover: Option<Player>,
    /// The chances at the previous turn, and the last sole leader in score.
    last: Option<Vec<f64>>,
    ahead: Option<usize>,
    /// The collected looks.
    pub trace: Trace,
}

impl<'a> Tracer<'a> {
    /// Returns a collector of looks at a game by `model`.
    #[must_use]
    pub fn new(model: &'a WinModel) -> Self {
        let turns = Turns { lead_changes: Some(0), ..Turns::default() };
        let trace = Trace { turns, ..Trace::default() };
        Self { model, round: None, mover: None, last: None, ahead: None, trace }
    }

    fn count(&mut self, look: &Snapshot) {
        let turns = &mut self.trace.turns;
        turns.looks += 1;
        let is_idle = |last: &Vec<f64>| {
            last.iter().zip(&look.chances).all(|(before, now)| (before - now).abs() < IDLE)
        };
        turns.idle += u32::from(self.last.as_ref().is_some_and(is_idle));
        self.last = Some(look.chances.clone());
        let Some(scores) = &look.scores else {
            turns.lead_changes = None;
            return;
        };
        let scores: Vec<f64> = scores.iter().copied().map(f64::from).collect();
        let Some(seat) = leader(&scores, 0.0) else { return };
        let is_another = self.ahead.is_some_and(|before| before != seat);
        turns.lead_changes = turns.lead_changes.map(|n| n + u32::from(is_another));
        self.ahead = Some(seat);
    }

    /// Takes a look at a position; `plies` choices were made before it.
    pub fn look<G: Observable>(&mut self, game: &G, state: &G::State, plies: u32) {
        self.trace.plies = plies;
        let mover = decider(game, state);
        if mover.is_none() && self.round.is_some() {
            return;
        }
        let round = round_of(game.course(state), plies, game.n_players());
        let is_new_round = self.round != Some(round);
        if !is_new_round && (mover.is_none() || mover == self.mover) {
            return;
        }
        let look = self.snapshot(game, state, plies);
        self.count(&look);
        if is_new_round {
            self.trace.rounds.push(look);
        }
        (self.round, self.mover) = (Some(round), mover.or(self.mover));
    }

    fn snapshot<G: Observable>(&self, game: &G, state: &G::State, plies: u32) -> Snapshot {
        let look = Probe::of(game, state, plies);
        let scores = game.scores(state);
        Snapshot {
            stage: self.model.clock.stage(&look),
            chances: self.model.chances(&look),
            scores: scores.map(|scores| scores.first(game.n_players()).to_vec()),
        }
    }
}

impl<G: Observable> GameObserver<G> for Tracer<'_> {
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        self.look(game, &run.state, run.plies);
    }
}
