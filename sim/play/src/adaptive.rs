//! An adaptive tournament: blocks go to the pairs of a large pool that are still undecided.
//!
//! A block belongs to one pair: both sit at its table. If the table has more seats, other agents of the pool are drawn
//! for each block, in a random order; all seats are rotated. So the mean of the blocks of a pair stays constant,
//! whatever is played when, as [`Pairs`] requires. It measures which of the two finishes first among random others. The
//! others at the table are not rated: earlier results chose the tables.
//!
//! Blocks are dealt in batches of [`BATCH`], each from the results of all earlier batches. So the number of threads
//! changes nothing, and a resumed run deals the same blocks when it has read its rows. A run ends when all pairs are
//! decided, or after the blocks of the plan.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use engine::{MAX_PLAYERS, Purpose, Randomness, rng};

use crate::config::Plan;
use crate::error::Error;
use crate::event::{Event, GameResult, Observer};
use crate::schedule::Seating;
use crate::stats::pairs::Pairs;
use crate::tournament::{self, Options};

/// The number of blocks that are dealt at once.
pub const BATCH: u64 = 128;

/// The state of a run of a plan with [`Schedule::Adaptive`](crate::schedule::Schedule::Adaptive).
#[derive(Clone, Debug)]
pub struct AdaptiveRun<'a> {
    plan: &'a Plan,
    pairs: Pairs,
    names: Vec<(usize, usize)>,
    /// The pair and the table of each block of the batch.
    batch: Vec<(usize, Seating)>,
    /// The first block of the batch.
    first: u64,
    /// The number of recorded games.
    games: u64,
    /// The games of the open block in which the first agent of the pair finished before the second; ties count half.
    points: f64,
    forfeits: u64,
    first_forfeit: Option<String>,
}

impl<'a> AdaptiveRun<'a> {
    /// Returns the run of `plan` before its first block.
    #[must_use]
    pub fn new(plan: &'a Plan) -> Self {
        let pairs = Pairs::new(plan.lineup.len());
        let names = pairs.names();
        let (batch, first_forfeit) = (Vec::new(), None);
        let mut run = Self {
            plan,
            pairs,
            names,
            batch,
            first: 0,
            games: 0,
            points: 0.0,
            forfeits: 0,
            first_forfeit,
        };
        run.deal();
        run
    }

    /// Returns the pairs with their decisions.
    #[must_use]
    pub const fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Returns the number of recorded blocks.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.games / self.plan.games_per_block()
    }

    /// Returns the number of recorded games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of games that an agent broke off, and the agent that broke off the first.
    #[must_use]
    pub fn forfeits(&self) -> Option<(u64, &str)> {
        self.first_forfeit.as_deref().map(|first| (self.forfeits, first))
    }

    /// Returns whether the run is over: no block is left to deal.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.batch.is_empty()
    }

    /// Deals the blocks of the next batch.
    fn deal(&mut self) {
        self.first += self.batch.len() as u64;
        let left = self.plan.blocks - self.first;
        let dealt = self.pairs.deal(BATCH.min(left)).into_iter().zip(self.first..);
        self.batch = dealt.map(|(pair, block)| (pair, self.table(pair, block))).collect();
    }

    /// Returns the table of `block`: the pair, then the randomly drawn others, in seating order.
    fn table(&self, pair: usize, block: u64) -> Seating {
        let (a, b) = self.names[pair];
        let mut rng = rng::stream(self.plan.seed, block, Purpose::Analysis);
        let mut others: Vec<u8> =
            (0..self.plan.lineup.len()).filter(|&i| i != a && i != b).map(|i| i as u8).collect();
        rng.shuffle(&mut others);
        let mut seated = vec![a as u8, b as u8];
        seated.extend(others.into_iter().take(self.plan.players - 2));
        rng.shuffle(&mut seated);
        let mut table = [0; MAX_PLAYERS];
        table.iter_mut().zip(seated).for_each(|(seat, entrant)| *seat = entrant);
        table
    }

    /// Records the next game, played now or earlier.
    ///
    /// # Errors
    /// If the agents at the table differ from those that were dealt: the game is of another run.
    pub fn record(&mut self, game: &GameResult) -> Result<(), Error> {
        let (per_block, players) = (self.plan.games_per_block(), self.plan.players);
        let dealt = self.batch.get((self.blocks() - self.first) as usize);
        let seated = |table: &Seating| {
            let mut table = table[..players].to_vec();
            table.rotate_right((self.games % per_block) as usize);
            table == game.seating[..players]
        };
        let Some(&(pair, _)) = dealt.filter(|(_, table)| seated(table)) else {
            let message = format!(
                "game {}: others sit there than this run deals after the games before",
                game.index + 1
            );
            return Err(Error::Usage(message));
        };
        let (a, b) = self.names[pair];
        let ranks = game.ranks(players);
        let rank = |agent: usize| {
            let seat = game.seating[..players].iter().position(|&e| usize::from(e) == agent);
            ranks[seat.unwrap_or_default()]
        };
        self.points +=
            0.5 * f64::from(1 + i8::from(rank(a) < rank(b)) - i8::from(rank(a) > rank(b)));
        self.note_forfeit(game);
        self.games += 1;
        if self.games.is_multiple_of(per_block) {
            self.pairs.add(pair, self.points / per_block as f64);
            self.points = 0.0;
        }
        if self.games == (self.first + self.batch.len() as u64) * per_block {
            self.deal();
        }
        Ok(())
    }

    fn note_forfeit(&mut self, game: &GameResult) {
        let Some(forfeit) = &game.forfeit else { return };
        self.forfeits += 1;
        let spec = &self.plan.lineup[usize::from(game.seating[forfeit.player])];
        self.first_forfeit.get_or_insert_with(|| {
            format!("the first in game {}: {spec}: {}", game.index + 1, forfeit.reason)
        });
    }

    /// Plays until the run is over or `stop` is set.
    ///
    /// `look` sees the run and the game after each game, and ends the run by `Break`.
    ///
    /// # Errors
    /// If a game cannot be built, threads cannot be started, the machine fails an agent, or `look` fails. The blocks
    /// before are recorded.
    pub fn play(
        &mut self,
        options: Options,
        stop: &AtomicBool,
        look: Progress<'_>,
    ) -> Result<(), Error> {
        let mut seen = ControlFlow::Continue(());
        while !self.is_over() && seen.is_continue() {
            let tables = self.batch.iter().map(|&(_, table)| table).collect();
            let timetable = self.plan.timetable.dealt(self.first, tables);
            let plan = Plan { timetable, ..self.plan.clone() };
            let blocks = self.blocks()..self.first + self.batch.len() as u64;
            let (n_blocks, mut failure) = (blocks.end - blocks.start, Ok(()));
            let mut ear = Ear(&mut |game| {
                match self.record(game).and_then(|()| look(self, game)) {
                    Ok(go_on) => seen = go_on,
                    Err(error) => {
                        failure = Err(error);
                        return ControlFlow::Break(());
                    }
                }
                seen
            });
            let played = tournament::play_blocks(&plan, blocks, options, &mut ear, stop);
            failure?;
            if played? < n_blocks {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// A callback that sees an adaptive run after each game.
type Progress<'a> =
    &'a mut (dyn FnMut(&AdaptiveRun<'_>, &GameResult) -> Result<ControlFlow<()>, Error> + Send);

/// An observer that passes games to a callback.
struct Ear<'a>(&'a mut (dyn FnMut(&GameResult) -> ControlFlow<()> + Send));

impl Observer for Ear<'_> {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::GameOver(game) => (self.0)(game),
            Event::Started { .. } | Event::Finished => ControlFlow::Continue(()),
        }
    }
}
