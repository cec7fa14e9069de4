//! Agents at a table: the loop over the events of a game, and the handling of agents that fail.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use agents::agent::view_for;
use agents::{Agent, Fault, GameEnd, Playable, halt};
use engine::{Game, MAX_PLAYERS, Mover, Player, play_event};

use super::address::{Run, Streams};
use super::observer::GameObserver;

/// The reason why a game ended before its rules ended it.
pub(crate) enum Break {
    /// The agent of a seat chose an illegal action, reported its own fault or panicked.
    Agent(Player, String),
    /// The machine failed the agent of a seat; `remedy` is set if the reason does not state it.
    Host { seat: Player, reason: String, remedy: Option<&'static str> },
    /// All games were told to end.
    Halt,
}

/// The agents at a table, with memory that is reused from game to game.
pub(crate) struct AgentTable<'a, G: Game> {
    pub(crate) game: &'a G,
    /// The agents by entrant, if present.
    pub(crate) agents: Vec<Option<Box<dyn Agent<G>>>>,
    /// The entrant in each seat.
    pub(crate) seating: [u8; MAX_PLAYERS],
    scratch: Vec<G::Action>,
}

impl<'a, G: Playable> AgentTable<'a, G> {
    /// Returns a table of `game` where each agent sits in the seat with its own number.
    pub(crate) fn new(game: &'a G, agents: Vec<Option<Box<dyn Agent<G>>>>) -> Self {
        quiet_caught_panics();
        let seating = std::array::from_fn(|seat| seat as u8);
        Self { game, agents, seating, scratch: Vec::new() }
    }

    /// Returns the entrant in a seat.
    #[inline]
    pub(crate) fn entrant(&self, seat: Player) -> usize {
        usize::from(self.seating[seat.idx()])
    }

    /// Starts the agent of `seat` and announces the number of the game, if there is one.
    pub(crate) fn start(&mut self, seat: Player, number: Option<u64>) -> Result<(), Break> {
        let game = self.game;
        self.act(seat, |agent| {
            if let Some(number) = number {
                agent.announce(number);
            }
            agent.start(game, seat);
        })
    }

    /// Notifies the agent of `seat` of the end of the game.
    pub(crate) fn end(&mut self, seat: Player, end: GameEnd<'_, G>) -> Result<(), Break> {
        self.act(seat, |agent| agent.end(end))
    }

    /// Plays `run` until its end, or until `observer` has enough.
    ///
    /// Agents choose only among several actions. Members of a simultaneous turn with a single action are not asked, and
    /// no observer gets their forced action.
    pub(crate) fn play_on<O: GameObserver<G> + ?Sized>(
        &mut self,
        run: &mut Run<G::State>,
        observer: &mut O,
    ) -> Result<(), Break> {
        let game = self.game;
        observer.begins(game, run);
        loop {
            let Run { state, plies, streams } = run;
            let goes_on = play_event(game, state, |state, mover| {
                let player = match mover {
                    Mover::Alone(player) => player,
                    Mover::Simultaneous(player) => match self.forced(state, player) {
                        Some(only) => return Ok(only),
                        None => player,
                    },
                    Mover::Chance => {
                        let outcome = streams.draw(game, state);
                        observer.drawn(game, state, outcome, *plies);
                        return Ok(outcome);
                    }
                };
                let action = self.choose(state, streams, player)?;
                observer.chosen(game, state, player, action, *plies);
                *plies += 1;
                Ok(action)
            })?;
            if !goes_on {
                return Ok(());
            }
            observer.at(game, run);
            if observer.has_enough() {
                return Ok(());
            }
        }
    }

    /// Returns the choice of the agent of `player` in `state`.
    #[inline]
    pub(crate) fn choose(
        &mut self,
        state: &G::State,
        streams: &mut Streams,
        player: Player,
    ) -> Result<G::Action, Break> {
        let game = self.game;
        let stream = streams.of_agent(player);
        let action =
            self.act(player, |agent| agent.choose(view_for(agent, game, state, player), stream))?;
        if game.is_legal(state, player, action, &mut self.scratch) {
            return Ok(action);
        }
        let text = guarded(|| game.action_text(action)).unwrap_or_else(|_| format!("{action:?}"));
        Err(Break::Agent(player, format!("illegal action \"{text}\"")))
    }

    /// Returns the only action of a member of a simultaneous turn, or `None` if there are several.
    fn forced(&mut self, state: &G::State, player: Player) -> Option<G::Action> {
        if self.game.n_actions(state, player, &mut self.scratch) > 1 {
            return None;
        }
        self.scratch.clear();
        self.game.actions(state, player, &mut self.scratch);
        self.scratch.first().copied()
    }

    /// Lets the agent of `seat` act, then checks whether it can play on.
    #[inline]
    fn act<T>(
        &mut self,
        seat: Player,
        act: impl FnOnce(&mut dyn Agent<G>) -> T,
    ) -> Result<T, Break> {
        let entrant = self.entrant(seat);
        let agent = self.agents[entrant].as_mut().expect("everybody has sat down");
        let came = guarded(|| (act(&mut **agent), agent.fault()));
        if halt::is_raised() {
            return Err(Break::Halt);
        }
        match came {
            Ok((done, None)) => Ok(done),
            Ok((_, Some(Fault::Agent(reason)))) | Err(reason) => Err(Break::Agent(seat, reason)),
            Ok((_, Some(Fault::Host { reason, remedy }))) => {
                Err(Break::Host { seat, reason, remedy })
            }
        }
    }
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs foreign code and turns a panic into its message.
///
/// # Errors
/// If the code panics: the message of the panic.
#[inline]
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

/// Stops caught panics from being printed.
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
