//! Many games of one kind that are stepped together, for learners: [`AnyBatch`].

use std::fmt;
use std::sync::Arc;

use engine::{ChanceStreams, Fast, Joint, Player, Purpose, Turn, View, observation, rng};
use rayon::prelude::*;

use crate::catalogue::Listed;

/// Fewest games that a thread takes at once.
const LEAST_ROWS: usize = 64;

/// The memory that a batch writes into: a row for each game, row after row.
///
/// All that is written of a game concerns the player who chooses next, whose seat stands in `seats`.
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
    fn observe(&self, buffers: Buffers<'_>);
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

pub(super) struct TypedBatch<G: Listed> {
    game: Arc<G>,
    seed: u64,
    rows: Vec<Row<G>>,
    n_observed: usize,
}

impl<G: Listed> TypedBatch<G> {
    pub(super) fn new(game: Arc<G>, n: usize, seed: u64) -> Self {
        let n_observed = observation::len(&observation::layout(&*game));
        let rows = (0..n as u64).map(|index| Row::new(&*game, seed, index)).collect();
        Self { game, seed, rows, n_observed }
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

    /// Returns the action with a number, if it is legal here.
    fn legal(&self, game: &G, number: u32, scratch: &mut Vec<G::Action>) -> Option<G::Action> {
        let action = game.action_of(number as usize)?;
        game.is_legal(&self.state, self.seat, action, scratch).then_some(action)
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
    fn write<G: Listed>(&mut self, game: &G, row: &Row<G>, scratch: &mut Vec<G::Action>) {
        *self.seat = row.seat.number();
        observation::write(View::new(game, &row.state, row.seat), self.observation);
        self.mask.fill(0);
        scratch.clear();
        game.actions(&row.state, row.seat, scratch);
        scratch.iter().for_each(|&action| self.mask[game.number_of(action)] = 1);
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
        let n = self.rows.len() as u64;
        self.seed = seed;
        self.rows = (0..n).map(|index| Row::new(&*self.game, seed, index)).collect();
    }

    fn observe(&self, buffers: Buffers<'_>) {
        let rows = self.rows.par_iter().zip(self.cut(buffers)).with_min_len(LEAST_ROWS);
        rows.for_each_init(Vec::new, |scratch, (row, mut out)| {
            out.points.fill(0.0);
            *out.ended = 0;
            out.write(&*self.game, row, scratch);
        });
    }

    fn step(&mut self, numbers: &[u32], buffers: Buffers<'_>) -> Result<(), BadStep> {
        let (n, seed) = (self.rows.len(), self.seed);
        assert_eq!(numbers.len(), n, "an action for each game");
        let mut outs = self.cut(buffers);
        let game = &*self.game;
        let bad = self
            .rows
            .par_iter()
            .zip(numbers)
            .with_min_len(LEAST_ROWS)
            .map_init(Vec::new, |scratch, (row, &number)| {
                row.legal(game, number, scratch).is_none()
            })
            .position_first(|is_bad| is_bad);
        if let Some(row) = bad {
            return Err(BadStep { row, number: numbers[row] });
        }
        let rows = self.rows.par_iter_mut().zip(numbers).zip(&mut outs).with_min_len(LEAST_ROWS);
        rows.for_each_init(Vec::new, |scratch, ((row, &number), out)| {
            let action = game.action_of(number as usize).expect("it was checked");
            row.choose(game, action);
            out.points.fill(0.0);
            *out.ended = 0;
            while !row.go_on(game, scratch) {
                let points = game.payoffs(&row.state);
                out.points.copy_from_slice(points.first(out.points.len()));
                *out.ended = 1;
                *row = Row::new(game, seed, row.index + n as u64);
            }
            out.write(game, row, scratch);
        });
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

    /// Writes all rows as they stand.
    ///
    /// # Panics
    /// If a buffer is too short or too long.
    pub fn observe(&self, buffers: Buffers<'_>) {
        self.0.observe(buffers);
    }

    /// Plays in each game the action with the number of its row, and writes all rows.
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
