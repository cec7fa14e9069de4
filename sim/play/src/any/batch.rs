//! Many games of one kind that are stepped together, for learners: [`AnyBatch`].

use std::fmt;
use std::sync::Arc;

use engine::bits::each;
use engine::{ChanceStreams, Fast, Joint, Player, Purpose, Turn, View, observation, rng};
use rayon::prelude::*;

use crate::catalogue::Listed;

/// Fewest games that a thread takes at once.
const LEAST_ROWS: usize = 64;
/// Numbers of an observation that are written together: 64 bytes.
const CHUNK: usize = 16;

/// The memory that a batch writes into: a row for each game, row after row.
///
/// All that is written of a game concerns the player who chooses next, whose seat stands in `seats`. Most of a row is 0 and
/// stays so: a step writes only what it finds or left other than 0 in `observations` and `mask`.
#[derive(Debug)]
pub struct Buffers<'b> {
    /// The observation of that player.
    pub observations: &'b mut [f32],
    /// 1 for the number of each of their legal actions, 0 for all others.
    pub mask: &'b mut [u8],
    /// Their seat.
    pub seats: &'b mut [u8],
    /// The points of each seat where the step ended a game, else 0. The row then shows the next game already.
    pub points: &'b mut [f32],
    /// 1 where the step ended a game.
    pub ended: &'b mut [u8],
}

/// A step that was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadStep {
    /// The first game whose action is not legal.
    pub row: usize,
    /// The number of that action.
    pub number: u32,
}

impl fmt::Display for BadStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, number } = self;
        write!(f, "row {row}: action {number} is not legal here (the mask has those that are)")
    }
}

impl std::error::Error for BadStep {}

/// Games that are stepped together. Each stands at a choice of a player: chance is drawn at once, and a game that ends
/// gives way to the next one.
///
/// Game `i` of the batch plays games `i`, `i + n`, `i + 2n` … of a run, so that a row meets the chance of these games.
/// Rows do not depend on each other or on the number of threads: the pool of the caller steps them.
pub struct AnyBatch(Box<dyn ErasedBatch>);

impl fmt::Debug for AnyBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyBatch({} games)", self.len())
    }
}

/// The functions of a batch that need the type of its game.
pub(super) trait ErasedBatch: Send {
    fn len(&self) -> usize;
    fn reset(&mut self, seed: u64);
    fn observe(&mut self, buffers: Buffers<'_>);
    fn step(&mut self, numbers: &[u32], buffers: Buffers<'_>) -> Result<(), BadStep>;
    fn draw_actions(&mut self, numbers: &mut [u32]);
}

/// A game of a batch.
struct Row<G: Listed> {
    state: G::State,
    /// The choices of a simultaneous turn so far.
    joint: Joint<G::Action>,
    chance: ChanceStreams,
    /// The numbers of [`AnyBatch::draw_actions`].
    choices: Fast,
    /// The number of the game in the run.
    index: u64,
    /// The player who chooses.
    seat: Player,
}

/// The legal actions of a game, and the content of its row in the buffers.
struct Shown<G: Listed> {
    /// The legal actions with their numbers, which are 1 in the mask.
    legal: Vec<(u32, G::Action)>,
    /// A bit for each [`CHUNK`] of the observation, set where it has another number than 0.
    filled: Box<[u64]>,
    /// False if the buffers may hold anything.
    is_written: bool,
}

impl<G: Listed> Shown<G> {
    fn new(game: &G, row: &Row<G>, n_observed: usize) -> Self {
        let filled = vec![0; (n_observed / CHUNK).div_ceil(64)].into();
        let mut new = Self { legal: Vec::new(), filled, is_written: false };
        new.list(game, row, &mut Vec::new());
        new
    }

    /// Lists the legal actions of a position.
    fn list(&mut self, game: &G, row: &Row<G>, scratch: &mut Vec<G::Action>) {
        scratch.clear();
        game.actions(&row.state, row.seat, scratch);
        self.legal.clear();
        self.legal.extend(scratch.iter().map(|&action| (game.number_of(action) as u32, action)));
    }

    /// Returns the legal action with this number.
    fn legal(&self, number: u32) -> Option<G::Action> {
        self.legal.iter().find(|(legal, _)| *legal == number).map(|(_, action)| *action)
    }

    /// Copies an observation to where the former one stands.
    fn observe(&mut self, numbers: &[f32], out: &mut [f32]) {
        let (numbers, rest) = numbers.as_chunks::<CHUNK>();
        let (out, out_rest) = out.as_chunks_mut::<CHUNK>();
        out_rest.copy_from_slice(rest);
        let groups = out.chunks_mut(64).zip(numbers.chunks(64)).zip(&mut self.filled);
        for ((out, numbers), filled) in groups {
            let mut now = 0;
            for (i, numbers) in numbers.iter().enumerate() {
                let bits = numbers.iter().fold(0, |bits, number| bits | number.to_bits());
                now |= u64::from(bits != 0) << i;
            }
            // Chunks that are 0 and were 0 are not touched: the buffers of many games exceed the caches.
            for i in each(*filled | now) {
                out[usize::from(i)] = numbers[usize::from(i)];
            }
            *filled = now;
        }
    }
}

pub(super) struct TypedBatch<G: Listed> {
    game: Arc<G>,
    seed: u64,
    rows: Vec<Row<G>>,
    shown: Vec<Shown<G>>,
    n_observed: usize,
}

/// The memory of a thread.
struct Scratch<G: Listed> {
    actions: Vec<G::Action>,
    observation: Vec<f32>,
}

impl<G: Listed> TypedBatch<G> {
    pub(super) fn new(game: Arc<G>, n: usize, seed: u64) -> Self {
        let n_observed = observation::len(&observation::layout(&*game));
        let mut new = Self { game, seed, rows: Vec::new(), shown: Vec::new(), n_observed };
        new.begin(n as u64);
        new
    }

    fn begin(&mut self, n: u64) {
        let game = &*self.game;
        self.rows = (0..n).map(|index| Row::new(game, self.seed, index)).collect();
        self.shown = self.rows.iter().map(|row| Shown::new(game, row, self.n_observed)).collect();
    }

    fn scratch(&self) -> impl Fn() -> Scratch<G> + use<G> {
        let n_observed = self.n_observed;
        move || Scratch { actions: Vec::new(), observation: vec![0.0; n_observed] }
    }
}

impl<G: Listed> Row<G> {
    fn new(game: &G, seed: u64, index: u64) -> Self {
        let mut row = Self {
            state: game.start(),
            joint: Joint::default(),
            chance: ChanceStreams::new(seed, index),
            choices: rng::fast(&mut rng::stream(seed, index, Purpose::Analysis)),
            index,
            seat: Player::new(0),
        };
        row.go_on(game, &mut Vec::new());
        row
    }

    /// Goes on to the next choice, and returns whether there is one in this game.
    fn go_on(&mut self, game: &G, scratch: &mut Vec<G::Action>) -> bool {
        loop {
            match game.turn(&self.state) {
                Turn::Player(player) => {
                    self.seat = player;
                    return true;
                }
                Turn::Chance => {
                    let stream = self.chance.of(game.chance_purpose(&self.state));
                    let outcome = game.draw(&self.state, stream);
                    game.apply(&mut self.state, outcome);
                }
                Turn::Simultaneous(players) => {
                    for player in players.iter() {
                        if self.joint[player].is_some() {
                            continue;
                        }
                        if game.n_actions(&self.state, player, scratch) > 1 {
                            self.seat = player;
                            return true;
                        }
                        scratch.clear();
                        game.actions(&self.state, player, scratch);
                        self.joint[player] = scratch.first().copied();
                    }
                    let joint = std::mem::take(&mut self.joint);
                    game.apply_joint(&mut self.state, &joint);
                }
                Turn::Over => return false,
            }
        }
    }

    fn choose(&mut self, game: &G, action: G::Action) {
        if matches!(game.turn(&self.state), Turn::Simultaneous(_)) {
            self.joint[self.seat] = Some(action);
        } else {
            game.apply(&mut self.state, action);
        }
    }
}

/// The part of the buffers that belongs to one game.
struct RowOut<'b> {
    observation: &'b mut [f32],
    mask: &'b mut [u8],
    seat: &'b mut u8,
    points: &'b mut [f32],
    ended: &'b mut u8,
}

impl RowOut<'_> {
    fn write<G: Listed>(
        &mut self,
        game: &G,
        row: &Row<G>,
        shown: &mut Shown<G>,
        scratch: &mut Scratch<G>,
    ) {
        let Scratch { actions, observation } = scratch;
        *self.seat = row.seat.number();
        observation::write(View::new(game, &row.state, row.seat), observation);
        if shown.is_written {
            shown.legal.iter().for_each(|(number, _)| self.mask[*number as usize] = 0);
        } else {
            self.mask.fill(0);
            self.observation.fill(0.0);
            shown.filled.fill(0);
            shown.is_written = true;
        }
        shown.observe(observation, self.observation);
        shown.list(game, row, actions);
        shown.legal.iter().for_each(|(number, _)| self.mask[*number as usize] = 1);
    }
}

impl<G: Listed> TypedBatch<G> {
    /// Cuts buffers into rows.
    ///
    /// # Panics
    /// If a buffer has another length than the batch needs.
    fn cut<'b>(&self, buffers: Buffers<'b>) -> Vec<RowOut<'b>> {
        let (n, n_numbers, n_players) =
            (self.rows.len(), self.game.n_numbers(), self.game.n_players());
        let Buffers { observations, mask, seats, points, ended } = buffers;
        let lengths = [observations.len(), mask.len(), seats.len(), points.len(), ended.len()];
        let needed = [n * self.n_observed, n * n_numbers, n, n * n_players, n];
        assert_eq!(lengths, needed, "observations, mask, seats, points, ended");
        let rows = observations
            .chunks_mut(self.n_observed)
            .zip(mask.chunks_mut(n_numbers))
            .zip(seats)
            .zip(points.chunks_mut(n_players))
            .zip(ended);
        let row = |((((observation, mask), seat), points), ended)| RowOut {
            observation,
            mask,
            seat,
            points,
            ended,
        };
        rows.map(row).collect()
    }
}

impl<G: Listed> ErasedBatch for TypedBatch<G> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn reset(&mut self, seed: u64) {
        self.seed = seed;
        self.begin(self.rows.len() as u64);
    }

    fn observe(&mut self, buffers: Buffers<'_>) {
        let (scratch, outs) = (self.scratch(), self.cut(buffers));
        let game = &*self.game;
        let rows = self.rows.par_iter().zip(&mut self.shown).zip(outs).with_min_len(LEAST_ROWS);
        rows.for_each_init(scratch, |scratch, ((row, shown), mut out)| {
            out.points.fill(0.0);
            *out.ended = 0;
            shown.is_written = false;
            out.write(game, row, shown, scratch);
        });
    }

    fn step(&mut self, numbers: &[u32], buffers: Buffers<'_>) -> Result<(), BadStep> {
        let (n, seed) = (self.rows.len(), self.seed);
        assert_eq!(numbers.len(), n, "an action for each game");
        let (scratch, outs) = (self.scratch(), self.cut(buffers));
        let game = &*self.game;
        let bad = self
            .shown
            .iter()
            .zip(numbers)
            .position(|(shown, &number)| shown.legal(number).is_none());
        if let Some(row) = bad {
            return Err(BadStep { row, number: numbers[row] });
        }
        let rows = self.rows.par_iter_mut().zip(&mut self.shown).zip(numbers).zip(outs);
        rows.with_min_len(LEAST_ROWS).for_each_init(
            scratch,
            |scratch, (((row, shown), &number), mut out)| {
                row.choose(game, shown.legal(number).expect("it was checked"));
                out.points.fill(0.0);
                *out.ended = 0;
                while !row.go_on(game, &mut scratch.actions) {
                    let points = game.payoffs(&row.state);
                    out.points.copy_from_slice(points.first(out.points.len()));
                    *out.ended = 1;
                    *row = Row::new(game, seed, row.index + n as u64);
                }
                out.write(game, row, shown, scratch);
            },
        );
        Ok(())
    }

    fn draw_actions(&mut self, numbers: &mut [u32]) {
        assert_eq!(numbers.len(), self.rows.len(), "a number for each game");
        let game = &*self.game;
        let rows = self.rows.par_iter_mut().zip(numbers).with_min_len(LEAST_ROWS);
        rows.for_each_init(Vec::new, |scratch, (row, number)| {
            let Row { state, seat, choices, .. } = row;
            let action = game.random_action(state, *seat, choices, scratch);
            *number = game.number_of(action) as u32;
        });
    }
}

impl AnyBatch {
    pub(super) fn new(batch: Box<dyn ErasedBatch>) -> Self {
        Self(batch)
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins anew with the first games of the run with seed `seed`.
    pub fn reset(&mut self, seed: u64) {
        self.0.reset(seed);
    }

    /// Writes all rows as they stand, whatever the buffers hold.
    ///
    /// # Panics
    /// If a buffer is too short or too long.
    pub fn observe(&mut self, buffers: Buffers<'_>) {
        self.0.observe(buffers);
    }

    /// Plays in each game the action with the number of its row, and writes all rows. The buffers are those of the last
    /// call, unchanged; [`Self::observe`] comes first where they are others.
    ///
    /// # Errors
    /// If an action is not legal; no game has moved then, and nothing was written.
    ///
    /// # Panics
    /// If there are more or fewer numbers than games, or a buffer is too short or too long.
    pub fn step(&mut self, numbers: &[u32], buffers: Buffers<'_>) -> Result<(), BadStep> {
        self.0.step(numbers, buffers)
    }

    /// Draws a random legal action for each game. The draws change no chance event.
    ///
    /// # Panics
    /// If there are more or fewer numbers than games.
    pub fn draw_actions(&mut self, numbers: &mut [u32]) {
        self.0.draw_actions(numbers);
    }
}
