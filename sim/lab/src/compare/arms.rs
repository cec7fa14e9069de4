//! The arms of a comparison, played side by side and reported block by block.
//!
//! Each arm is a tournament with the same seed. Block b of every arm therefore has the same set-up, decks and dice,
//! and every seat of a game has the same stream of random numbers for its agent. Arms play on their own threads and
//! report their blocks in order. The callback gets block b of all arms at once, before block b + 1 of any arm. The
//! decision thus depends on neither the number of threads nor the speed of the arms. An arm that is ahead waits.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::metric::Metric;
use sim::config::Plan;
use sim::error::Error;
use sim::event::{Event, GameResult, Observer};
use sim::export::columns::on_one_line;
use sim::tournament::{self, Options};

/// The largest number of blocks by which an arm may be ahead.
const MOST_AHEAD: usize = 1_024;

/// A block of one arm.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The values of the metrics over its games.
    pub values: Vec<Value>,
    /// The mean number of players' choices.
    pub plies: f64,
    /// A hash of points, scores and length of its games; equal for copies of one block.
    pub print: u32,
    /// Games forfeited by an agent.
    pub forfeits: u64,
    /// The agent of the first forfeit and the reason.
    pub first_forfeit: Option<String>,
}

/// A metric over the games of a block.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Value {
    /// The mean.
    pub mean: f64,
    /// The mean of the square.
    pub square: f64,
}

impl Block {
    /// Returns the mean of the first metric.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.values.first().map_or(0.0, |value| value.mean)
    }
}

/// Plays `plans` and passes block after block, one of each plan, to `on_blocks`. It ends when `on_blocks` breaks, the plans are
/// played, or `stop` is raised.
///
/// # Errors
/// If a game cannot be built, threads cannot be started, or a fault of the machine stops an agent ([`Error::Host`]).
pub fn play(
    plans: &[Plan],
    metrics: &[Metric],
    threads: usize,
    stop: &AtomicBool,
    on_blocks: &mut dyn FnMut(&[Block]) -> ControlFlow<()>,
) -> Result<(), Error> {
    play_blocks(plans, 0..plans[0].blocks, metrics, threads, stop, on_blocks)
}

/// Plays a range of the blocks of `plans`, numbered as in the whole; otherwise like [`play`].
///
/// # Errors
/// If a game cannot be built, threads cannot be started, or a fault of the machine stops an agent ([`Error::Host`]).
/// Blocks before the error are reported.
pub fn play_blocks(
    plans: &[Plan],
    blocks: Range<u64>,
    metrics: &[Metric],
    threads: usize,
    stop: &AtomicBool,
    on_blocks: &mut dyn FnMut(&[Block]) -> ControlFlow<()>,
) -> Result<(), Error> {
    thread::scope(|scope| {
        let start = |arm: usize| {
            let (sender, receiver) = sync_channel(MOST_AHEAD);
            let plan = &plans[arm];
            let mut sink = BlockSink::new(plan, metrics, sender);
            let share = (threads + plans.len() - 1 - arm) / plans.len();
            let extras = metrics.iter().any(Metric::needs_extras);
            let options = Options { threads: share.max(1), records: false, extras };
            let blocks = blocks.clone();
            let run = move || tournament::play_blocks(plan, blocks, options, &mut sink, stop);
            thread::Builder::new()
                .spawn_scoped(scope, run)
                .map(|run| (receiver, run))
                .map_err(|e| Error::Failed(format!("cannot start a thread: {e}")))
        };
        // If one arm cannot start, the others find their channels closed.
        let arms: Vec<_> = (0..plans.len()).map(start).collect::<Result<_, _>>()?;
        let (receivers, runs): (Vec<_>, Vec<_>) = arms.into_iter().unzip();
        while let Some(blocks) = next(&receivers) {
            if on_blocks(&blocks).is_break() {
                break;
            }
        }
        // An arm that waits to send a block finds its channel closed.
        drop(receivers);
        for run in runs {
            run.join()
                .map_err(|_| Error::Failed("an arm of the comparison panicked".to_owned()))??;
        }
        Ok(())
    })
}

/// Returns the next block of each arm; `None` if an arm has no more.
fn next(receivers: &[Receiver<Block>]) -> Option<Vec<Block>> {
    receivers.iter().map(|receiver| receiver.recv().ok()).collect()
}

/// A sink that sums the games of a block and sends the block.
struct BlockSink<'a> {
    plan: &'a Plan,
    metrics: &'a [Metric],
    sender: SyncSender<Block>,
    block: Block,
    hasher: blake3::Hasher,
    games: u64,
}

impl<'a> BlockSink<'a> {
    fn new(plan: &'a Plan, metrics: &'a [Metric], sender: SyncSender<Block>) -> Self {
        let hasher = blake3::Hasher::new();
        Self { plan, metrics, sender, block: Block::default(), hasher, games: 0 }
    }

    fn hash(&mut self, game: &GameResult) {
        self.hasher.update(&game.plies.to_le_bytes());
        for number in game.points.iter().chain(&game.scores) {
            self.hasher.update(&number.to_bits().to_le_bytes());
        }
    }

    fn add(&mut self, game: &GameResult) -> ControlFlow<()> {
        let per_block = self.plan.games_per_block();
        let part = 1.0 / per_block as f64;
        self.block.values.resize(self.metrics.len(), Value::default());
        for (sum, metric) in self.block.values.iter_mut().zip(self.metrics) {
            let value = metric.of(game, self.plan.players);
            sum.mean += value * part;
            sum.square += value * value * part;
        }
        self.block.plies += f64::from(game.plies) * part;
        self.hash(game);
        if let Some(forfeit) = &game.forfeit {
            self.block.forfeits += 1;
            self.block.first_forfeit.get_or_insert_with(|| {
                let entrant = usize::from(game.seating[forfeit.player]);
                let spec = &self.plan.lineup[entrant];
                // A trace keeps the reason on one line and prints it unchanged.
                on_one_line(&format!(
                    "the first in game {}, seat {}: {spec}: {}",
                    game.index + 1,
                    forfeit.player + 1,
                    forfeit.reason
                ))
            });
        }
        self.games += 1;
        if self.games.is_multiple_of(per_block) {
            self.block.print = print_of(&self.hasher);
            self.hasher.reset();
            let block = std::mem::take(&mut self.block);
            if self.sender.send(block).is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the first four bytes of the hash.
fn print_of(hasher: &blake3::Hasher) -> u32 {
    let hash = hasher.finalize();
    let [a, b, c, d, ..] = *hash.as_bytes();
    u32::from_be_bytes([a, b, c, d])
}

impl Observer for BlockSink<'_> {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::GameOver(game) => self.add(game),
            Event::Started { .. } | Event::Finished => ControlFlow::Continue(()),
        }
    }
}
