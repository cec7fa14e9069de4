//! The runner: many games on many threads, reported to an observer in order.
//!
//! Blocks are played in batches on rayon while the observer processes the batch before. Its events depend neither on
//! the number of threads nor on the size of the batches. The size only follows the clock, so that waiting for each
//! other costs nothing.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agents::side_by_side::{side_by_side, within};
use agents::{Observable, Playable};
use serde_json::Value as Json;

use crate::error::Error;
use crate::event::{Event, GameResult, Observer};
use crate::game_loop::Address;
use crate::play::{Arena, Builder, HostFault, Start};
use crate::record::live_narration::LiveNarration;
use crate::record::{FORMAT, Header, Writer};
use crate::schedule::Timetable;
use crate::starts::Starts;

/// The description of a run, without the game and the agents themselves.
#[derive(Clone, Debug)]
pub struct Job {
    /// The seed of the run.
    pub seed: u64,
    /// The seating of each game.
    pub timetable: Timetable,
    /// The blocks to play, in order; a whole run begins with block 0.
    pub blocks: Range<u64>,
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The content of the headers of the games' records, if records are wanted.
    pub records: Option<RecordHeader>,
    /// True if results carry the extra numbers of the game.
    pub extras: bool,
    /// The positions where games begin, if not at their start.
    pub starts: Option<Arc<Starts>>,
    /// True if results carry the luck of dice.
    pub luck: bool,
}

/// The part of a record's header that all games of a run share.
#[derive(Clone, Debug)]
pub struct RecordHeader {
    /// The overrides of the default rules.
    pub rules: Json,
    /// The canonical specs of the line-up.
    pub lineup: Vec<String>,
}

/// The target duration of a batch: long compared with its start-up cost, short for a waiting user.
const BATCH_TIME: Duration = Duration::from_millis(150);
/// The largest number of games in a batch, so that memory is bounded.
const MOST_GAMES: u64 = 1 << 16;
/// The largest number of games in a batch if their records are kept.
const MOST_RECORDS: u64 = 1 << 8;

/// Plays `job` and reports to `observer`; `stop` ends the run at the next block. Returns the number of reported blocks.
///
/// # Errors
/// If the threads cannot be started, or the machine fails an agent: the blocks before are reported.
pub fn run<G: Playable + Observable>(
    game: &G,
    build: &Builder<'_, G>,
    job: &Job,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<u64, Error> {
    let starts = starts_of(game, job, job.blocks.clone())?;
    run_games(&|| ArenaOf::open(game, build, job, &starts), job, observer, stop)
}

/// Does the work of [`run`], compiled once for all games.
fn run_games(
    open: &Open<'_>,
    job: &Job,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<u64, Error> {
    let pool = start_threads(job.threads)?;
    let crew = Crew::new(open, job, stop);
    let n_games = (job.blocks.end - job.blocks.start) * crew.games_per_block();
    let _ = observer.on(&Event::Started { n_games });
    let n_blocks = within(&pool, || crew.run_all(observer));
    let _ = observer.on(&Event::Finished);
    crew.failure.into_inner().map_or(Ok(n_blocks), |fault| Err(fault.into()))
}

/// Starts `n` threads for games.
///
/// # Errors
/// If they cannot be started.
pub fn start_threads(n: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build();
    pool.map_err(|e| Error::Failed(format!("cannot start {n} threads: {e}")))
}

/// The target duration of a piece.
const PIECE_TIME: Duration = Duration::from_millis(1_500);
/// The largest number of blocks of a piece, since their results stay in memory.
const MOST_BLOCKS: u64 = 16;

/// The result of each block of a piece; `None` if it was stopped.
pub type Piece<T> = Result<Option<Vec<T>>, Error>;

/// Plays `blocks` by pieces and reports each block in order.
///
/// `piece` plays one piece. The end comes when all blocks are reported, a piece was stopped, or `tell` breaks off. The
/// reports depend neither on the number of threads nor on the size of pieces.
///
/// # Errors
/// If the threads cannot be started or a piece fails: the blocks before are reported.
pub fn play_pieces<T: Send>(
    blocks: Range<u64>,
    threads: usize,
    piece: &(dyn Fn(Range<u64>) -> Piece<T> + Sync),
    tell: &mut (dyn FnMut(T) -> ControlFlow<()> + Send),
) -> Result<(), Error> {
    let pool = start_threads(threads)?;
    let (mut next, mut size) = (blocks.start, 1);
    while next < blocks.end {
        let since = Instant::now();
        let n_pieces = (threads as u64).min((blocks.end - next).div_ceil(size));
        let edge = |i: u64| (next + i * size).min(blocks.end);
        let one = |i: usize| piece(edge(i as u64)..edge(i as u64 + 1));
        let played = within(&pool, || side_by_side(n_pieces as usize, &one));
        for piece in played {
            let Some(all) = piece? else { return Ok(()) };
            if all.into_iter().any(|one| tell(one).is_break()) {
                return Ok(());
            }
        }
        next = edge(n_pieces);
        let factor = PIECE_TIME.as_secs_f64() / since.elapsed().as_secs_f64().max(1e-6);
        size = ((size as f64 * factor.clamp(0.5, 2.0)) as u64).clamp(1, MOST_BLOCKS);
    }
    Ok(())
}

/// Plays only the game `index` of `job`, with its result in the whole run.
///
/// # Errors
/// If the threads cannot be started, or the machine fails an agent.
pub fn play_one<G: Playable + Observable>(
    game: &G,
    build: &Builder<'_, G>,
    job: &Job,
    index: u64,
) -> Result<GameResult, Error> {
    let block = index / job.timetable.games_per_block();
    let starts = starts_of(game, job, block..block + 1)?;
    play_game(&|| ArenaOf::open(game, build, job, &starts), job, index)
}

/// Plays game `index` of `job` between `agents` and passes its narration to `say`, line by line, during the game.
///
/// # Errors
/// If the threads cannot be started, or the machine fails an agent.
pub fn watch_one<G: Playable + Observable>(
    game: &G,
    build: &Builder<'_, G>,
    job: &Job,
    index: u64,
    agents: &[String],
    say: &mut dyn FnMut(&str),
) -> Result<GameResult, Error> {
    let seating = job.timetable.seating(index);
    let block = index / job.timetable.games_per_block();
    let mut arena = Arena::new(game, build);
    arena.set_start(starts_of(game, job, block..block + 1)?.of(job, job.timetable.pass(block)));
    let address = Address::of_block(job.seed, block, index);
    let mut narration = LiveNarration::new(game, agents, say);
    let result = arena.play_observed(address, seating, None, &mut narration)?;
    narration.end(game.n_players(), &result);
    Ok(result)
}

/// Does the work of [`play_one`], compiled once for all games.
fn play_game(open: &Open<'_>, job: &Job, index: u64) -> Result<GameResult, Error> {
    // Searches use existing threads; if they had to start some, a failure would look like theirs.
    let pool = start_threads(thread::available_parallelism().map_or(1, usize::from))?;
    let block = index / job.timetable.games_per_block();
    let address = Address::of_block(job.seed, block, index);
    Ok(within(&pool, || open().play(address))?)
}

/// The positions where some blocks of a job begin, by their place in the list; none if games begin at their start.
struct StartStates<G: Playable>(Vec<Option<Arc<Start<G>>>>);

impl<G: Playable> StartStates<G> {
    /// Returns the position where a pass through the schedule begins, if not at the start of the game.
    fn of(&self, job: &Job, pass: u64) -> Option<Arc<Start<G>>> {
        let place = job.starts.as_ref()?.place(job.seed, pass);
        self.0[place].clone()
    }
}

/// Returns the positions where `blocks` of `job` begin.
fn starts_of<G: Playable>(
    game: &G,
    job: &Job,
    blocks: Range<u64>,
) -> Result<StartStates<G>, Error> {
    let Some(starts) = &job.starts else { return Ok(StartStates(Vec::new())) };
    let n = starts.branches().len();
    let is_every = (blocks.end - blocks.start) / job.timetable.n_tables() >= n as u64;
    let mut is_used = vec![is_every; n];
    if !is_every {
        let passes = job.timetable.pass(blocks.start)..=job.timetable.pass(blocks.end);
        passes.for_each(|pass| is_used[starts.place(job.seed, pass)] = true);
    }
    let all = starts.branches().iter().zip(is_used);
    let states = all.map(|(one, is_used)| is_used.then(|| one.start(game, job.seed).map(Arc::new)));
    Ok(StartStates(states.map(Option::transpose).collect::<Result<_, _>>()?))
}

/// An arena for games of a job, with the type of the game erased.
trait AnyArena: Send {
    fn play(&mut self, address: Address) -> Result<GameResult, HostFault>;
}

/// A function that opens another arena.
type Open<'a> = dyn Fn() -> Box<dyn AnyArena + 'a> + Sync + 'a;

/// An arena of one game: the only part of a crew that is compiled for each game.
struct ArenaOf<'a, G: Playable> {
    game: &'a G,
    job: &'a Job,
    arena: Arena<'a, G>,
    starts: &'a StartStates<G>,
}

impl<'a, G: Playable + Observable> ArenaOf<'a, G> {
    fn open(
        game: &'a G,
        build: &'a Builder<'a, G>,
        job: &'a Job,
        starts: &'a StartStates<G>,
    ) -> Box<dyn AnyArena + 'a> {
        let arena = Arena::new(game, build).with_extras(job.extras).with_luck(job.luck);
        Box::new(Self { game, job, arena, starts })
    }
}

impl<G: Playable + Observable> AnyArena for ArenaOf<'_, G> {
    fn play(&mut self, address: Address) -> Result<GameResult, HostFault> {
        let players = self.game.n_players();
        let seating = self.job.timetable.seating(address.index);
        let timetable = &self.job.timetable;
        let pass = timetable.pass(address.index / timetable.games_per_block());
        let start = self.starts.of(self.job, pass);
        let record = self.job.records.as_ref().map(|shared| {
            let spec = |&entrant: &u8| shared.lineup[usize::from(entrant)].clone();
            let header = Header {
                format: FORMAT.to_owned(),
                game: G::about().name.to_owned(),
                seats: players,
                rules: shared.rules.clone(),
                agents: seating[..players].iter().map(spec).collect(),
                seed: format!("{}/{}", address.seed, address.index),
            };
            let writer = Writer::new(self.game, &header);
            match &start {
                None => writer,
                Some(start) => writer.going_on(self.game, &start.state, &start.lines, start.plies),
            }
        });
        self.arena.set_start(start);
        let number = self.job.starts.as_ref().and_then(|starts| starts.number(self.job.seed, pass));
        Ok(GameResult { start: number, ..self.arena.play(address, seating, record)? })
    }
}

/// The results of a stretch of whole blocks.
type Games = Vec<GameResult>;

/// The threads' shared state in a job; arenas live for `'t`.
struct Crew<'a, 't> {
    open: &'a Open<'t>,
    job: &'a Job,
    stop: &'a AtomicBool,
    /// The idle arenas, with agents whose memory is reused.
    arenas: Mutex<Vec<Box<dyn AnyArena + 't>>>,
    /// The reason why no further block begins.
    failure: OnceLock<HostFault>,
}

impl<'a, 't> Crew<'a, 't> {
    const fn new(open: &'a Open<'t>, job: &'a Job, stop: &'a AtomicBool) -> Self {
        Self { open, job, stop, arenas: Mutex::new(Vec::new()), failure: OnceLock::new() }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.failure.get().is_some()
    }

    const fn games_per_block(&self) -> u64 {
        self.job.timetable.games_per_block()
    }

    /// Returns the largest number of blocks in a batch.
    fn most_blocks(&self) -> u64 {
        let most = if self.job.records.is_some() { MOST_RECORDS } else { MOST_GAMES };
        (most / self.games_per_block()).max(self.job.threads as u64)
    }

    fn run_all(&self, observer: &mut dyn Observer) -> u64 {
        let mut n_games = 0;
        let mut next = self.job.blocks.start;
        let mut size = self.job.threads as u64;
        let mut waiting = Vec::new();
        loop {
            let batch = next..(next + size).min(self.job.blocks.end);
            next = batch.end;
            let since = Instant::now();
            let (flow, played) =
                rayon::join(|| tell(observer, &waiting), || self.play_batch(batch.clone()));
            n_games += waiting.iter().map(|games: &Games| games.len() as u64).sum::<u64>();
            let stopped = flow.is_break();
            waiting = if stopped { Vec::new() } else { played };
            if waiting.is_empty() {
                return n_games / self.games_per_block();
            }
            size = self.next_size(size, since.elapsed());
        }
    }

    fn next_size(&self, size: u64, took: Duration) -> u64 {
        let factor = BATCH_TIME.as_secs_f64() / took.as_secs_f64().max(1e-6);
        let wanted = (size as f64 * factor.clamp(0.25, 4.0)) as u64;
        wanted.clamp(self.job.threads as u64, self.most_blocks())
    }

    /// Plays the blocks of `batch`; if stopped early, returns the first of them, up to the first missing block.
    fn play_batch(&self, batch: Range<u64>) -> Vec<Games> {
        let n_blocks = batch.end - batch.start;
        let pieces = n_blocks.min(self.job.threads as u64 * 16);
        let edge = |i: usize| batch.start + n_blocks * i as u64 / pieces;
        let mut played = side_by_side(pieces as usize, &|i| self.play_piece(edge(i)..edge(i + 1)));
        let complete = played.iter().position(|(_, complete)| !complete);
        played.truncate(complete.map_or(played.len(), |first_cut| first_cut + 1));
        played.into_iter().map(|(games, _)| games).filter(|games| !games.is_empty()).collect()
    }

    /// Plays `blocks` in order and returns whether all of them were played.
    fn play_piece(&self, blocks: Range<u64>) -> (Games, bool) {
        let spare = self.arenas.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut arena = spare.unwrap_or_else(self.open);
        let n_games = (blocks.end - blocks.start) * self.games_per_block();
        let mut games = Games::with_capacity(n_games as usize);
        let mut complete = true;
        for block in blocks {
            if self.is_stopped() || !self.play_block(&mut *arena, block, &mut games) {
                complete = false;
                break;
            }
        }
        self.arenas.lock().unwrap_or_else(PoisonError::into_inner).push(arena);
        (games, complete)
    }

    /// Adds the games of `block` to `games`, all or none, and returns whether the block was completed.
    fn play_block(&self, arena: &mut dyn AnyArena, block: u64, games: &mut Games) -> bool {
        let (whole, per_block) = (games.len(), self.games_per_block());
        for index in block * per_block..(block + 1) * per_block {
            if self.is_stopped() {
                games.truncate(whole);
                return false;
            }
            match arena.play(Address::of_block(self.job.seed, block, index)) {
                Ok(game) => games.push(game),
                Err(fault) if fault.is_halt => {
                    games.truncate(whole);
                    return false;
                }
                Err(fault) => {
                    // Only the first fault is reported.
                    self.failure.set(fault).unwrap_or_default();
                    games.truncate(whole);
                    return false;
                }
            }
        }
        true
    }
}

fn tell(observer: &mut dyn Observer, waiting: &[Games]) -> ControlFlow<()> {
    waiting.iter().flatten().try_for_each(|game| observer.on(&Event::GameOver(game)))
}
