//! One game: agents at a [`Arena`], from the first event to the [`GameResult`].
//!
//! An agent that returns an illegal action, reports a fault or panics forfeits: it gets nothing, the others share
//! the point, and the run goes on. Where the machine fails an agent, the game has no result ([`HostFault`]).

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once};

use agents::agent::view_for;
use agents::{Agent, DiceLuck, Fault, Observable, Playable, SearchTally, halt};
use engine::{
    ByPlayer, ChanceStreams, Game, Joint, MAX_PLAYERS, Player, PlayerSet, Purpose, Stream, Turn,
    rng,
};

pub use crate::error::HostFault;
use crate::event::{Forfeit, GameResult, forfeit_points};
use crate::record::{Record, Writer};
use crate::watch::{Moment, Now, Watch};

/// Makes the agent of an entrant (a place in the line-up).
pub type Builder<'a, G> = dyn Fn(usize) -> Box<dyn Agent<G>> + Sync + 'a;

/// The address of a game: chance follows from seed and block, the agents' thinking from seed and index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The seed of the run.
    pub seed: u64,
    /// The index of the block.
    pub block: u64,
    /// The index of the game.
    pub index: u64,
}

/// Where games begin, if not at their start: the position of a [`Branch`](crate::branch::Branch).
#[derive(Clone, Debug)]
pub struct Start<G: Game> {
    /// The position.
    pub state: G::State,
    /// Plies before it.
    pub plies: u32,
    /// The seed of what is drawn from there on.
    pub seed: u64,
    /// The lines of the record so far, without its header.
    pub lines: Arc<str>,
}

/// Why a game ended before its rules ended it.
enum Break {
    Forfeit(Forfeit),
    Host(String),
    Halt,
}

/// Tells the extra numbers of a position, each with its column name.
type Extras<G> = fn(&G, &<G as Game>::State) -> Vec<(&'static str, ByPlayer<i32>)>;

/// The agents of the entrants that have played here, with memory that is reused from game to game.
pub struct Arena<'a, G: Game> {
    game: &'a G,
    build: &'a Builder<'a, G>,
    /// By entrant; built when they first sit down.
    agents: Vec<Option<Box<dyn Agent<G>>>>,
    streams: Vec<Stream>,
    scratch: Vec<G::Action>,
    /// What tells the extra numbers of a position, where they are wanted.
    extras: Option<Extras<G>>,
    /// Where games begin, if not at their start.
    start: Option<Arc<Start<G>>>,
    /// What tells the luck of dice, where it is wanted.
    dice: Option<Box<dyn DiceLuck<G>>>,
}

impl<G: Game> std::fmt::Debug for Arena<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Arena({} agents)", self.agents.iter().flatten().count())
    }
}

impl<G: Observable> Arena<'_, G> {
    /// Whether results carry the extra numbers of the game ([`Observable::extras`]) and its changes of the lead.
    #[must_use]
    pub fn with_extras(mut self, wanted: bool) -> Self {
        self.extras = wanted.then_some(G::extras);
        self
    }

    /// Whether results carry the luck of dice, in a game that knows it ([`Observable::dice_luck`]).
    #[must_use]
    pub fn with_luck(mut self, wanted: bool) -> Self {
        self.dice = if wanted { self.game.dice_luck() } else { None };
        self
    }
}

impl<'a, G: Playable> Arena<'a, G> {
    /// A table of `game`, with the agents that `build` makes.
    #[must_use]
    pub fn new(game: &'a G, build: &'a Builder<'a, G>) -> Self {
        quiet_caught_panics();
        Self {
            game,
            build,
            agents: Vec::new(),
            streams: Vec::new(),
            scratch: Vec::new(),
            extras: None,
            start: None,
            dice: None,
        }
    }

    /// Where games begin, if not at their start.
    #[must_use]
    pub fn with_start(mut self, start: Option<Arc<Start<G>>>) -> Self {
        self.start = start;
        self
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
        let run = self.open(address, seating, record);
        self.play_out(address, run, None)
    }

    /// Plays the game at `address` with somebody who watches it, from `moment` on, if there is one, with the streams as
    /// they stand there.
    ///
    /// # Errors
    /// If the machine fails an agent: the game has no result then.
    pub fn play_watched(
        &mut self,
        address: Address,
        seating: [u8; MAX_PLAYERS],
        moment: Option<&Moment<G>>,
        watch: Option<&mut dyn Watch<G>>,
    ) -> Result<GameResult, HostFault> {
        let mut run = self.open(address, seating, None);
        if let Some(moment) = moment {
            run.state = moment.state;
            run.plies = moment.plies;
            run.chance = moment.chance.clone();
            self.streams.clone_from(&moment.streams);
        }
        self.play_out(address, run, watch)
    }

    /// A game before its first event.
    fn open(
        &mut self,
        address: Address,
        seating: [u8; MAX_PLAYERS],
        record: Option<Writer>,
    ) -> Running<G> {
        let seats = Player::all(self.game.n_players());
        let start = self.start.clone();
        let seed = start.as_ref().map_or(address.seed, |start| start.seed);
        self.streams.clear();
        self.streams.extend(
            seats.map(|seat| rng::stream(seed, address.index, Purpose::Agent(seat.idx() as u8))),
        );
        Running {
            index: address.index,
            seating,
            seated: PlayerSet::default(),
            state: start.as_ref().map_or_else(|| self.game.start(), |start| start.state),
            chance: ChanceStreams::new(seed, address.block),
            plies: start.as_ref().map_or(0, |start| start.plies),
            lead: self.extras.map(|_| Lead::default()),
            luck: ByPlayer::default(),
            record,
        }
    }

    /// Seats the agents and plays to the end.
    fn play_out(
        &mut self,
        address: Address,
        mut run: Running<G>,
        watch: Option<&mut dyn Watch<G>>,
    ) -> Result<GameResult, HostFault> {
        let seats = Player::all(self.game.n_players());
        let outcome = seats
            .into_iter()
            .try_for_each(|seat| self.seat_agent(&mut run, seat))
            .and_then(|()| self.play_on(&mut run, watch));
        let (outcome, failed) = self.dismiss(&run, outcome);
        let searched = self.tallies(&run);
        for seat in failed.iter() {
            self.agents[run.entrant(seat)] = None;
        }
        let forfeit = match outcome {
            Ok(()) => None,
            Err(Break::Forfeit(forfeit)) => Some(forfeit),
            Err(Break::Host(reason)) => {
                return Err(HostFault { index: address.index, reason, is_halt: false });
            }
            Err(Break::Halt) => {
                let reason = "it was dropped".to_owned();
                return Err(HostFault { index: address.index, reason, is_halt: true });
            }
        };
        Ok(GameResult { searched, ..self.result(address, run, forfeit) })
    }

    /// Tells the agents that play on that the game is over. The first that failed, now or before, answers for the game;
    /// gives all that failed, whose places are then free.
    fn dismiss(
        &mut self,
        run: &Running<G>,
        mut outcome: Result<(), Break>,
    ) -> (Result<(), Break>, PlayerSet) {
        let mut failed = PlayerSet::default();
        match &outcome {
            Ok(()) => {}
            Err(Break::Forfeit(forfeit)) => failed.insert(Player::new(forfeit.player)),
            // Nobody waits for answers of which nothing depends any more.
            Err(Break::Host(_) | Break::Halt) => return (outcome, failed),
        }
        for seat in run.seated.iter() {
            if failed.contains(seat) {
                continue;
            }
            if let Err(broken) = self.act(run, seat, |agent, _| agent.end()) {
                failed.insert(seat);
                if outcome.is_ok() || matches!(broken, Break::Host(_) | Break::Halt) {
                    outcome = Err(broken);
                }
            }
        }
        (outcome, failed)
    }

    /// What was searched in the game, by seat; asked after every game, however it ended.
    fn tallies(&mut self, run: &Running<G>) -> Option<Box<[SearchTally; MAX_PLAYERS]>> {
        let mut tallies = [SearchTally::default(); MAX_PLAYERS];
        for seat in Player::all(self.game.n_players()) {
            // After a fault at the start somebody may never have sat down.
            let Some(Some(agent)) = self.agents.get_mut(run.entrant(seat)) else { continue };
            tallies[seat.idx()] = guarded(|| agent.tally()).unwrap_or_default();
        }
        let has_searched = tallies.iter().any(|tally| tally.decisions > 0);
        has_searched.then(|| Box::new(tallies))
    }

    fn seat_agent(&mut self, run: &mut Running<G>, seat: Player) -> Result<(), Break> {
        let entrant = run.entrant(seat);
        if self.agents.len() <= entrant {
            self.agents.resize_with(entrant + 1, || None);
        }
        self.agents[entrant].get_or_insert_with(|| (self.build)(entrant));
        run.seated.insert(seat);
        let game = self.game;
        self.act(run, seat, |agent, _| {
            agent.announce(run.index);
            agent.start(game, seat);
        })
    }

    /// Lets the agent of `seat` act, and asks whether it can play on.
    fn act<T>(
        &mut self,
        run: &Running<G>,
        seat: Player,
        act: impl FnOnce(&mut dyn Agent<G>, &mut Stream) -> T,
    ) -> Result<T, Break> {
        let agent = self.agents[run.entrant(seat)].as_mut().expect("everybody has sat down");
        let stream = &mut self.streams[seat.idx()];
        let came = guarded(|| (act(&mut **agent, stream), agent.fault()));
        if halt::is_raised() {
            return Err(Break::Halt);
        }
        match came {
            Ok((done, None)) => Ok(done),
            Ok((_, Some(Fault::Agent(reason)))) | Err(reason) => Err(forfeit(seat, reason)),
            Ok((_, Some(Fault::Host(reason)))) => Err(Break::Host(reason)),
        }
    }

    fn play_on(
        &mut self,
        run: &mut Running<G>,
        mut watch: Option<&mut dyn Watch<G>>,
    ) -> Result<(), Break> {
        loop {
            if let Some(watch) = &mut watch {
                watch.before(self.game, &run.now(&self.streams));
            }
            match self.game.turn(&run.state) {
                Turn::Player(player) => {
                    let action = self.choose(run, player)?;
                    if let Some(watch) = &mut watch {
                        watch.chosen(self.game, &run.state, player, action);
                    }
                    self.note_ply(run, player, action);
                    self.game.apply(&mut run.state, action);
                }
                Turn::Chance => {
                    let stream = run.chance.of(self.game.chance_purpose(&run.state));
                    let outcome = self.game.draw(&run.state, stream);
                    if let Some(watch) = &mut watch {
                        watch.drawn(self.game, &run.state, outcome);
                    }
                    if let Some(record) = &mut run.record {
                        record.chance(self.game, &run.state, outcome);
                    }
                    if let Some(dice) = &mut self.dice {
                        dice.hear(self.game, &run.state, outcome, &mut run.luck);
                    }
                    self.game.apply(&mut run.state, outcome);
                }
                Turn::Together(players) => {
                    let joint = self.play_together(run, players, watch.as_deref_mut())?;
                    self.game.apply_joint(&mut run.state, &joint);
                }
                Turn::Over => return Ok(()),
            }
            if let Some(record) = &mut run.record {
                record.after(self.game, &run.state);
            }
            if let Some(lead) = &mut run.lead
                && let Some(scores) = self.game.scores(&run.state)
            {
                lead.look(&scores.0[..self.game.n_players()]);
            }
        }
    }

    /// What `players` choose at the same time.
    fn play_together(
        &mut self,
        run: &mut Running<G>,
        players: PlayerSet,
        mut watch: Option<&mut (dyn Watch<G> + '_)>,
    ) -> Result<Joint<G::Action>, Break> {
        let mut joint = Joint::<G::Action>::default();
        for player in players.iter() {
            joint[player] = Some(match self.forced(&run.state, player) {
                Some(only) => only,
                None => {
                    let action = self.choose(run, player)?;
                    if let Some(watch) = &mut watch {
                        watch.chosen_together(self.game, &run.state, player, action);
                    }
                    self.note_ply(run, player, action);
                    action
                }
            });
        }
        Ok(joint)
    }

    /// The only action of a member of a simultaneous turn, who is then not asked.
    fn forced(&mut self, state: &G::State, player: Player) -> Option<G::Action> {
        if self.game.n_actions(state, player, &mut self.scratch) > 1 {
            return None;
        }
        self.scratch.clear();
        self.game.actions(state, player, &mut self.scratch);
        self.scratch.first().copied()
    }

    fn choose(&mut self, run: &Running<G>, player: Player) -> Result<G::Action, Break> {
        let game = self.game;
        let action = self.act(run, player, |agent, stream| {
            let view = view_for(agent, game, &run.state, player);
            agent.choose(view, stream)
        })?;
        if self.game.is_legal(&run.state, player, action, &mut self.scratch) {
            return Ok(action);
        }
        let text = guarded(|| self.game.action_text(action));
        let text = text.unwrap_or_else(|_| format!("{action:?}"));
        Err(forfeit(player, format!("illegal action \"{text}\"")))
    }

    fn note_ply(&mut self, run: &mut Running<G>, player: Player, action: G::Action) {
        run.plies += 1;
        if let Some(record) = &mut run.record {
            let legal = self.game.n_actions(&run.state, player, &mut self.scratch);
            record.ply(self.game, player, legal, action);
        }
    }

    fn result(&self, address: Address, run: Running<G>, forfeit: Option<Forfeit>) -> GameResult {
        let Running { seating, state, plies, lead, luck, record, .. } = run;
        let lead = lead.filter(|_| self.game.scores(&state).is_some());
        let points = match &forfeit {
            Some(forfeit) => forfeit_points(self.game.n_players(), forfeit.player),
            None => self.game.payoffs(&state).0,
        };
        let record = record.map(|record| match &forfeit {
            Some(forfeit) => record.break_off(self.game, &state, forfeit),
            None => record.finish(self.game, &state),
        });
        let record = record.map(Record::new);
        GameResult {
            index: address.index,
            block: address.block,
            seating,
            points,
            scores: self.game.scores(&state).map_or(points, |scores| scores.0.map(|s| s as f32)),
            plies,
            lead_changes: lead.map(|lead| lead.changes),
            extras: self.extras.map_or_else(Vec::new, |extras| {
                extras(self.game, &state).into_iter().map(|(_, by_player)| by_player.0).collect()
            }),
            // Never a negative zero.
            luck: self.dice.as_ref().map(|_| luck.0.map(|luck| luck as f32 + 0.0)),
            searched: None,
            forfeit: forfeit.map(Box::new),
            record,
        }
    }
}

/// A game that is being played.
struct Running<G: Game> {
    index: u64,
    seating: [u8; MAX_PLAYERS],
    /// Whose agents have been started.
    seated: PlayerSet,
    state: G::State,
    chance: ChanceStreams,
    plies: u32,
    /// Who leads, where asked for.
    lead: Option<Lead>,
    /// What the dice gave so far, by seat.
    luck: ByPlayer<f64>,
    record: Option<Writer>,
}

/// Who leads in score, and how often that was somebody else.
#[derive(Clone, Copy, Debug, Default)]
struct Lead {
    seat: Option<usize>,
    changes: u32,
}

impl Lead {
    /// Takes note of the scores after an event: a lead that is shared stays whose it was.
    fn look(&mut self, scores: &[i32]) {
        let Some(&most) = scores.iter().max() else { return };
        let mut first = scores.iter().enumerate().filter(|(_, score)| **score == most);
        if let (Some((seat, _)), None) = (first.next(), first.next()) {
            self.changes += u32::from(self.seat.is_some_and(|before| before != seat));
            self.seat = Some(seat);
        }
    }
}

impl<G: Game> Running<G> {
    fn now<'r>(&'r self, streams: &'r [Stream]) -> Now<'r, G> {
        Now { state: &self.state, plies: self.plies, chance: &self.chance, streams }
    }

    fn entrant(&self, seat: Player) -> usize {
        usize::from(self.seating[seat.idx()])
    }
}

fn forfeit(player: Player, reason: String) -> Break {
    Break::Forfeit(Forfeit { player: player.idx(), reason })
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs foreign code; a panic becomes its message.
///
/// # Errors
/// The message of the panic.
pub fn guarded<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    GUARDED.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(code));
    GUARDED.set(false);
    result.map_err(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        format!("panic: {}", text.unwrap_or_else(|| "without a message".to_owned()))
    })
}

/// Keeps panics that are caught from being printed.
pub fn quiet_caught_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                print(info);
            }
        }));
    });
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
        // Nobody leads at the beginning, and whoever is caught up with leads on until he is overtaken.
        assert_eq!(changes(&[[0, 0, 0], [0, 3, 0]]), 0);
        assert_eq!(changes(&[[0, 3, 0], [3, 3, 0], [3, 4, 0]]), 0);
        assert_eq!(changes(&[[0, 3, 0], [3, 3, 0], [4, 3, 0], [4, 3, 9]]), 2);
        assert_eq!(changes(&[[-1, -2, -3], [-5, -2, -3]]), 1);
        assert_eq!(changes(&[]), 0);
    }
}
