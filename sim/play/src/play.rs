//! A single game: agents at an [`Arena`], from the first event to the [`GameResult`].
//!
//! An agent that returns an illegal action, reports a fault or panics forfeits: it gets no points, the others share the
//! point, and the run goes on. If the machine fails an agent, the game has no result ([`HostFault`]).

use std::sync::Arc;

use agents::{Agent, DiceLuck, GameEnd, Observable, Playable, SearchTally, forfeit_points};
use engine::{ByPlayer, Game, MAX_PLAYERS, Player, PlayerSet};

pub use crate::error::HostFault;
use crate::event::{Forfeit, GameResult};
use crate::game_loop::{Address, AgentTable, Break, GameObserver, Run, guarded};
use crate::record::{Record, Writer};

/// A function that makes the agent of an entrant (a place in the line-up).
pub type Builder<'a, G> = dyn Fn(usize) -> Box<dyn Agent<G>> + Sync + 'a;

/// The position where games begin, if not at their start: that of a [`Branch`](crate::branch::Branch).
#[derive(Clone, Debug)]
pub struct Start<G: Game> {
    /// The position.
    pub state: G::State,
    /// The number of plies before it.
    pub plies: u32,
    /// The seed of all later random numbers.
    pub seed: u64,
    /// The lines of the record so far, without its header.
    pub lines: Arc<str>,
}

/// A function that returns the extra numbers of a position, each with its column name.
type Extras<G> = fn(&G, &<G as Game>::State) -> Vec<(&'static str, ByPlayer<i32>)>;

/// The agents that have played here, by entrant, with memory that is reused from game to game.
pub struct Arena<'a, G: Game> {
    /// The table; agents are built when they first sit down.
    table: AgentTable<'a, G>,
    build: &'a Builder<'a, G>,
    /// The source of the extra numbers of a position, if requested.
    extras: Option<Extras<G>>,
    /// The position where games begin, if not at their start.
    start: Option<Arc<Start<G>>>,
    /// The meter of the luck of dice, if requested.
    dice: Option<Box<dyn DiceLuck<G>>>,
}

impl<G: Game> std::fmt::Debug for Arena<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Arena({} agents)", self.table.agents.iter().flatten().count())
    }
}

impl<G: Observable> Arena<'_, G> {
    /// Sets whether results carry the extra numbers of the game ([`Observable::extras`]) and its changes of the lead.
    #[must_use]
    pub fn with_extras(mut self, wanted: bool) -> Self {
        self.extras = wanted.then_some(G::extras);
        self
    }

    /// Sets whether results carry the luck of dice, in a game that supports it ([`Observable::dice_luck`]).
    #[must_use]
    pub fn with_luck(mut self, wanted: bool) -> Self {
        self.dice = if wanted { self.table.game.dice_luck() } else { None };
        self
    }
}

impl<'a, G: Playable> Arena<'a, G> {
    /// Returns a table of `game`, with the agents that `build` makes.
    #[must_use]
    pub fn new(game: &'a G, build: &'a Builder<'a, G>) -> Self {
        let table = AgentTable::new(game, Vec::new());
        Self { table, build, extras: None, start: None, dice: None }
    }

    /// Sets the position where games begin from now on; `None` for their start.
    pub fn set_start(&mut self, start: Option<Arc<Start<G>>>) {
        self.start = start;
    }

    /// Plays the game at `address`; `record` is its record so far, if one is kept.
    ///
    /// # Errors
    /// If the machine fails an agent: the game has no result then.
    pub fn play(
        &mut self,
        address: Address,
        seating: [u8; MAX_PLAYERS],
        record: Option<Writer>,
    ) -> Result<GameResult, HostFault> {
        let run = self.open(address);
        self.play_out(address, seating, run, record, &mut ())
    }

    /// Plays the game at `address`, from the state of `from` if given, and reports it to `observer`.
    ///
    /// # Errors
    /// If the machine fails an agent: then the game has no result.
    pub fn play_observed(
        &mut self,
        address: Address,
        seating: [u8; MAX_PLAYERS],
        from: Option<&Run<G::State>>,
        observer: &mut dyn GameObserver<G>,
    ) -> Result<GameResult, HostFault> {
        let run = from.map_or_else(|| self.open(address), Run::clone);
        self.play_out(address, seating, run, None, observer)
    }

    /// Returns a game before its first event.
    fn open(&self, address: Address) -> Run<G::State> {
        let game = self.table.game;
        let seats = game.n_players();
        match &self.start {
            None => Run::new(game.start(), 0, seats, address),
            Some(start) => {
                Run::new(start.state, start.plies, seats, Address { seed: start.seed, ..address })
            }
        }
    }

    /// Seats the agents and plays to the end; `record` is the record so far.
    fn play_out<O: GameObserver<G> + ?Sized>(
        &mut self,
        address: Address,
        seating: [u8; MAX_PLAYERS],
        mut run: Run<G::State>,
        record: Option<Writer>,
        observer: &mut O,
    ) -> Result<GameResult, HostFault> {
        let n_players = self.table.game.n_players();
        self.table.seating = seating;
        let mut seated = PlayerSet::default();
        let outcome = Player::all(n_players).try_for_each(|seat| {
            self.build(seat);
            seated.insert(seat);
            self.table.start(seat, Some(address.index))
        });
        let mut ledger = Ledger {
            lead: self.extras.map(|_| Lead::default()),
            dice: self.dice.take(),
            luck: ByPlayer::default(),
            record,
            scratch: Vec::new(),
        };
        let outcome =
            outcome.and_then(|()| self.table.play_on(&mut run, &mut (&mut ledger, observer)));
        self.dice = ledger.dice.take();
        let (outcome, failed) = self.dismiss(seated, &run.state, outcome);
        let searched = self.tallies();
        for seat in failed.iter() {
            let entrant = self.table.entrant(seat);
            self.table.agents[entrant] = None;
        }
        let index = address.index;
        let forfeit = match outcome {
            Ok(()) => None,
            Err(Break::Agent(seat, reason)) => Some(Forfeit { player: seat.idx(), reason }),
            Err(Break::Host { reason, remedy, .. }) => {
                return Err(HostFault { index, reason, remedy, is_halt: false });
            }
            Err(Break::Halt) => {
                let reason = "it was dropped".to_owned();
                return Err(HostFault { index, reason, remedy: None, is_halt: true });
            }
        };
        Ok(GameResult { searched, ..self.result(address, &run, ledger, forfeit) })
    }

    /// Builds the agent of `seat`, unless it exists.
    fn build(&mut self, seat: Player) {
        let (entrant, agents) = (self.table.entrant(seat), &mut self.table.agents);
        if agents.len() <= entrant {
            agents.resize_with(entrant + 1, || None);
        }
        agents[entrant].get_or_insert_with(|| (self.build)(entrant));
    }

    /// Notifies the agents that still play of the end of the game.
    ///
    /// The first agent that failed, now or earlier, decides the outcome. Returns the seats of all that failed; their
    /// places are then free.
    fn dismiss(
        &mut self,
        seated: PlayerSet,
        state: &G::State,
        mut outcome: Result<(), Break>,
    ) -> (Result<(), Break>, PlayerSet) {
        let mut failed = PlayerSet::default();
        match &outcome {
            Ok(()) => {}
            Err(Break::Agent(seat, _)) => failed.insert(*seat),
            // After such a failure no answer matters any more, so none is awaited.
            Err(Break::Host { .. } | Break::Halt) => return (outcome, failed),
        }
        let forfeit = failed.iter().next();
        for seat in seated.iter() {
            if failed.contains(seat) {
                continue;
            }
            if let Err(broken) = self.table.end(seat, GameEnd::new(self.table.game, state, forfeit))
            {
                failed.insert(seat);
                if outcome.is_ok() || matches!(broken, Break::Host { .. } | Break::Halt) {
                    outcome = Err(broken);
                }
            }
        }
        (outcome, failed)
    }

    /// Returns the search counts of the game, by seat; called after every game, however it ended.
    fn tallies(&mut self) -> Option<Box<[SearchTally; MAX_PLAYERS]>> {
        let mut tallies = [SearchTally::default(); MAX_PLAYERS];
        for seat in Player::all(self.table.game.n_players()) {
            let entrant = self.table.entrant(seat);
            // After a fault at the start some agents may never have sat down.
            let Some(Some(agent)) = self.table.agents.get_mut(entrant) else { continue };
            tallies[seat.idx()] = guarded(|| agent.tally()).unwrap_or_default();
        }
        let has_searched = tallies.iter().any(|tally| tally.decisions > 0);
        has_searched.then(|| Box::new(tallies))
    }

    fn result(
        &self,
        address: Address,
        run: &Run<G::State>,
        ledger: Ledger<G>,
        forfeit: Option<Forfeit>,
    ) -> GameResult {
        let (game, state) = (self.table.game, &run.state);
        let scores = game.scores(state);
        let points = match &forfeit {
            Some(forfeit) => forfeit_points(game.n_players(), Player::new(forfeit.player)).0,
            None => game.payoffs(state).0,
        };
        let record = ledger.record.map(|record| match &forfeit {
            Some(forfeit) => record.break_off(game, state, forfeit),
            None => record.finish(game, state),
        });
        GameResult {
            start: None,
            index: address.index,
            block: address.chance[0],
            seating: self.table.seating,
            points,
            scores: scores.map_or(points, |scores| scores.0.map(|s| s as f32)),
            plies: run.plies,
            lead_changes: ledger.lead.filter(|_| scores.is_some()).map(|lead| lead.changes),
            extras: self.extras.map_or_else(Vec::new, |extras| {
                extras(game, state).into_iter().map(|(_, by_player)| by_player.0).collect()
            }),
            // Never a negative zero.
            luck: self.dice.as_ref().map(|_| ledger.luck.0.map(|luck| luck as f32 + 0.0)),
            searched: None,
            forfeit: forfeit.map(Box::new),
            record: record.map(Record::new),
        }
    }
}

/// The notes on a game for its result.
struct Ledger<G: Game> {
    /// The leader, if requested.
    lead: Option<Lead>,
    /// The meter of the luck of dice, if requested.
    dice: Option<Box<dyn DiceLuck<G>>>,
    /// The luck of dice so far, by seat.
    luck: ByPlayer<f64>,
    record: Option<Writer>,
    scratch: Vec<G::Action>,
}

impl<G: Playable> GameObserver<G> for Ledger<G> {
    #[inline]
    fn begins(&mut self, _game: &G, _run: &Run<G::State>) {}

    #[inline]
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        if let Some(record) = &mut self.record {
            record.after(game, &run.state);
        }
        if let Some(lead) = &mut self.lead
            && let Some(scores) = game.scores(&run.state)
        {
            lead.look(scores.first(game.n_players()));
        }
    }

    #[inline]
    fn chosen(&mut self, game: &G, state: &G::State, player: Player, action: G::Action, _: u32) {
        if let Some(record) = &mut self.record {
            let legal = game.n_actions(state, player, &mut self.scratch);
            record.ply(game, player, legal, action);
        }
    }

    #[inline]
    fn drawn(&mut self, game: &G, state: &G::State, outcome: G::Action, _plies: u32) {
        if let Some(record) = &mut self.record {
            record.chance(game, state, outcome);
        }
        if let Some(dice) = &mut self.dice {
            dice.add(game, state, outcome, &mut self.luck);
        }
    }
}

/// The leader in score, and the number of changes of the lead.
#[derive(Clone, Copy, Debug, Default)]
struct Lead {
    seat: Option<usize>,
    changes: u32,
}

impl Lead {
    /// Updates the lead with the scores after an event; a tie leaves the lead where it was.
    fn look(&mut self, scores: &[i32]) {
        let Some(&most) = scores.iter().max() else { return };
        let mut first = scores.iter().enumerate().filter(|(_, score)| **score == most);
        if let (Some((seat, _)), None) = (first.next(), first.next()) {
            self.changes += u32::from(self.seat.is_some_and(|before| before != seat));
            self.seat = Some(seat);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_changes_when_another_seat_alone_is_ahead() {
        let changes = |scores: &[[i32; 3]]| {
            let mut lead = Lead::default();
            scores.iter().for_each(|scores| lead.look(scores));
            lead.changes
        };
        // At the beginning there is no leader. A leader who is caught up with keeps the lead until another seat
        // overtakes them.
        assert_eq!(changes(&[[0, 0, 0], [0, 3, 0]]), 0);
        assert_eq!(changes(&[[0, 3, 0], [3, 3, 0], [3, 4, 0]]), 0);
        assert_eq!(changes(&[[0, 3, 0], [3, 3, 0], [4, 3, 0], [4, 3, 9]]), 2);
        assert_eq!(changes(&[[-1, -2, -3], [-5, -2, -3]]), 1);
        assert_eq!(changes(&[]), 0);
    }
}
