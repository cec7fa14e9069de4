//! Games of a study: [`SeatedAgents`] play, and an observer gets every choice and every position.
//!
//! A game with a given seed and index equals that of a tournament with the same number of games a block. There is no
//! forfeit here, since half a game is no evidence on the whole: an agent that fails ends the study.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use agents::side_by_side::side_by_side;
use agents::{AgentSpec, GameEnd, Playable, halt};
use engine::{ByPlayer, Game, Player, Purpose, Randomness, rng};

use crate::error::Error;
use crate::game_loop::{Address, AgentTable, Break, GameObserver, Run};
use crate::runner::Piece;

/// The agents in their seats, with memory that is reused from game to game.
pub struct SeatedAgents<'a, G: Game>(AgentTable<'a, G>);

impl<G: Game> std::fmt::Debug for SeatedAgents<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SeatedAgents({})", self.0.agents.len())
    }
}

impl<'a, G: Playable> SeatedAgents<'a, G> {
    /// Seats the agents of `specs`, one for each seat.
    ///
    /// # Errors
    /// If a file that a spec names does not fit the game.
    pub fn new(game: &'a G, specs: &[AgentSpec]) -> Result<Self, Error> {
        let build = |spec: &AgentSpec| Ok(Some(spec.build(game)?));
        Ok(Self(AgentTable::new(game, specs.iter().map(build).collect::<Result<_, Error>>()?)))
    }

    /// Returns the number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.agents.len()
    }

    /// Returns whether no agent is seated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.agents.is_empty()
    }

    /// Plays a whole game and returns the points of the seats.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn play(
        &mut self,
        address: Address,
        observer: &mut dyn GameObserver<G>,
    ) -> Result<ByPlayer<f64>, Error> {
        let game = self.0.game;
        let mut run = Run::new(game.start(), 0, self.len(), address);
        self.play_on(&mut run, observer)?;
        Ok(ByPlayer(game.payoffs(&run.state).0.map(f64::from)))
    }

    /// Plays `run` until its end, or until `observer` has enough.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn play_on(
        &mut self,
        run: &mut Run<G::State>,
        observer: &mut dyn GameObserver<G>,
    ) -> Result<(), Error> {
        let (n, table) = (self.len(), &mut self.0);
        let started = Player::all(n).try_for_each(|seat| table.start(seat, None));
        let played = started.and_then(|()| table.play_on(run, observer));
        let ended = played.and_then(|()| {
            let end = GameEnd::new(table.game, &run.state, None);
            Player::all(n).try_for_each(|seat| table.end(seat, end))
        });
        ended.map_err(failed)
    }

    /// Returns the choice of the agent of `player` at the state of `run`.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn choose(&mut self, run: &mut Run<G::State>, player: Player) -> Result<G::Action, Error> {
        self.0.choose(&run.state, &mut run.streams, player).map_err(failed)
    }
}

fn failed(broken: Break) -> Error {
    match broken {
        Break::Agent(seat, reason) | Break::Host { seat, reason, .. } => Error::Failed(format!(
            "the agent in seat {} failed ({reason}): there is no result for unfinished games",
            seat.ordinal()
        )),
        Break::Halt => Error::Stopped,
    }
}

/// Returns the seed of a part of a study; different parts share no games.
#[must_use]
pub fn seed_of_part(seed: u64, part: u64) -> u64 {
    u64::from(rng::stream(seed, part, Purpose::Analysis).below(u32::MAX))
}

/// Plays some blocks at a table of these agents; returns `None` if `stop` is set.
///
/// # Errors
/// If an agent fails.
pub fn piece<G: Playable, T>(
    game: &G,
    specs: &[AgentSpec],
    blocks: Range<u64>,
    stop: &AtomicBool,
    mut play: impl FnMut(&mut SeatedAgents<'_, G>, u64) -> Result<T, Error>,
) -> Piece<T> {
    let mut seats = SeatedAgents::new(game, specs)?;
    let mut all = Vec::with_capacity((blocks.end - blocks.start) as usize);
    for block in blocks {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match play(&mut seats, block) {
            Ok(came) => all.push(came),
            Err(Error::Stopped) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(all))
}

/// The number of blocks that one thread plays in a row; it is constant, so that results do not depend on threads.
const STRETCH: u64 = 8;

/// Plays blocks `0..blocks` on all available threads and returns the result of `play` for each, in order.
///
/// # Errors
/// The first error, in the order of the blocks; [`Error::Stopped`] if the agents are stopped.
pub fn blocks<G: Playable, T: Send>(
    game: &G,
    specs: &[AgentSpec],
    blocks: u64,
    play: impl Fn(&mut SeatedAgents<'_, G>, u64) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let stretch = |start: u64| -> Result<Vec<T>, Error> {
        if halt::is_raised() {
            return Err(Error::Stopped);
        }
        let mut seats = SeatedAgents::new(game, specs)?;
        (start..(start + STRETCH).min(blocks)).map(|block| play(&mut seats, block)).collect()
    };
    let starts: Vec<u64> = (0..blocks).step_by(STRETCH as usize).collect();
    let played: Vec<Result<Vec<T>, Error>> = side_by_side(starts.len(), &|i| stretch(starts[i]));
    let mut all = Vec::with_capacity(blocks as usize);
    for stretch in played {
        all.extend(stretch?);
    }
    Ok(all)
}
