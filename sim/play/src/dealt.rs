//! A run whose tables follow from its results: blocks are dealt in batches, each from the games before.
//!
//! A block belongs to one pair: both sit at its table. The number of threads changes nothing, and a resumed run deals
//! the same blocks when it has read its rows. A [`Dealer`] decides who meets: [`crate::adaptive`], [`crate::rounds`].

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::config::Plan;
use crate::error::Error;
use crate::event::{Event, GameResult, Observer};
use crate::schedule::Seating;
use crate::tournament::{self, Options};

/// A rule that decides who meets next.
pub trait Dealer: Send {
    /// Deals the next blocks, from block `first` on; none when the run is over.
    fn deal(&mut self, plan: &Plan, first: u64) -> Vec<Dealt>;

    /// Records a game, before its block is complete.
    fn see(&mut self, _plan: &Plan, _game: &GameResult) {}

    /// Records a complete block of `pair`: the part of its games in which the first agent finished before the second;
    /// ties count half.
    fn add(&mut self, pair: [usize; 2], value: f64);
}

/// A block that was dealt.
#[derive(Clone, Copy, Debug)]
pub struct Dealt {
    /// The pair that it is about, as places in the line-up.
    pub pair: [usize; 2],
    /// The agents at the table, in seating order.
    pub table: Seating,
}

/// The state of a run of a plan with a schedule that is dealt.
#[derive(Clone, Debug)]
pub struct DealtRun<'a, D> {
    plan: &'a Plan,
    dealer: D,
    batch: Vec<Dealt>,
    /// The first block of the batch.
    first: u64,
    /// The number of recorded games.
    games: u64,
    /// The games of the open block in which the first agent of the pair finished before the second; ties count half.
    points: f64,
    forfeits: u64,
    first_forfeit: Option<String>,
}

impl<'a, D: Dealer> DealtRun<'a, D> {
    /// Returns the run of `plan` before its first block.
    #[must_use]
    pub fn start(plan: &'a Plan, mut dealer: D) -> Self {
        let batch = dealer.deal(plan, 0);
        let (first, games, points, forfeits, first_forfeit) = (0, 0, 0.0, 0, None);
        Self { plan, dealer, batch, first, games, points, forfeits, first_forfeit }
    }

    /// Returns the dealer, with what it learned from the recorded games.
    #[must_use]
    pub const fn dealer(&self) -> &D {
        &self.dealer
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

    /// Deals the next batch.
    fn deal(&mut self) {
        self.first += self.batch.len() as u64;
        self.batch = self.dealer.deal(self.plan, self.first);
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
        let Some(&Dealt { pair, .. }) = dealt.filter(|dealt| seated(&dealt.table)) else {
            let message = format!(
                "game {}: others sit there than this run deals after the games before",
                game.index + 1
            );
            return Err(Error::Usage(message));
        };
        let [a, b] = pair;
        let ranks = game.ranks(players);
        let rank = |agent: usize| {
            let seat = game.seating[..players].iter().position(|&e| usize::from(e) == agent);
            ranks[seat.unwrap_or_default()]
        };
        self.points +=
            0.5 * f64::from(1 + i8::from(rank(a) < rank(b)) - i8::from(rank(a) > rank(b)));
        self.note_forfeit(game);
        self.dealer.see(self.plan, game);
        self.games += 1;
        if self.games.is_multiple_of(per_block) {
            self.dealer.add(pair, self.points / per_block as f64);
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
        look: Progress<'_, D>,
    ) -> Result<(), Error> {
        let mut seen = ControlFlow::Continue(());
        while !self.is_over() && seen.is_continue() {
            let tables = self.batch.iter().map(|dealt| dealt.table).collect();
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

/// A callback that sees a run after each game.
type Progress<'a, D> =
    &'a mut (dyn FnMut(&DealtRun<'_, D>, &GameResult) -> Result<ControlFlow<()>, Error> + Send);

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
