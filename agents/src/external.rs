//! An agent that is an external program, in any language, with one JSON line per request and per answer.
//!
//! `docs/external-agents.md` describes the protocol with an example. The program starts before its first game and lives
//! through all games of the agent. It sees only the output of [`View::to_json`]. Each failure of the program is a fault
//! that costs it the game ([`Agent::fault`]): a crash, a late or out-of-step answer, malformed text, an illegal action.
//! The next game gets a fresh process. If the machine cannot start the program, the fault is the machine's
//! ([`Fault::Host`]).

mod clock;
mod consent;
mod embedded;
mod errors;
mod launch;
mod log;
mod program;
mod protocol;
mod running;
mod times;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use engine::{Configure, Game, Notation, Player, Randomness, Rules, Stream, View};
use serde_json::Value;

pub use self::clock::Clock;
pub(crate) use self::consent::plays_nothing;
pub use self::consent::{
    Ask, Consent, allow_all_programs, allow_program, allow_programs_beginning_with,
    ask_about_programs, only_look_at_programs, only_read_agents,
};
pub(crate) use self::embedded::{AtTable, maker};
pub use self::embedded::{Embedded, EmbeddedGame, MakeEmbedded, embed, is_embedded, withdraw};
use self::launch::Launch;
pub use self::launch::written;
use self::log::Log;
use self::program::Program;
pub use self::protocol::PROTOCOL;
use self::protocol::{ChoiceRequest, Numbers, SentRules};
pub use self::running::kill_all_programs;
pub use self::times::{ChoiceTimes, TimeSummary};
use crate::agent::{Agent, Fault};
use crate::game_end::GameEnd;
use crate::model::Model;

/// The parameters of the agent `external`.
#[derive(Clone, Debug)]
pub struct ExternalParams {
    /// The name of the agent in error messages.
    pub name: String,
    /// The program and its arguments, separated by blanks. Single quotes keep a word together; two single quotes inside
    /// quotes are one apostrophe.
    pub command: String,
    /// The working directory of the program, if it is another than that of this process.
    pub cwd: Option<String>,
    /// Variables of the environment besides those of this process: words `NAME=value`, separated as in the command.
    pub env: Option<String>,
    /// The time limit of an answer, in seconds of wall time, greater than 0.
    pub seconds: f64,
    /// The clock for all answers of a game, if there is one.
    pub clock: Option<Clock>,
    /// The version of the protocol, 2 or [`PROTOCOL`].
    pub version: u64,
    /// True if the end of a game shows the final position.
    pub reveals: bool,
    /// The file to which requests and answers are appended.
    pub log: Option<PathBuf>,
    /// The overrides of the default rules, as in the header of a record.
    pub rules: Value,
    /// The counter of the times of its choices.
    pub times: ChoiceTimes,
}

impl ExternalParams {
    fn launch(&self) -> Result<Launch, String> {
        Launch::new(&self.command, self.cwd.as_deref(), self.env.as_deref())
    }

    /// Returns the words that need consent.
    pub(crate) fn written(&self) -> String {
        written(&self.command, self.cwd.as_deref(), self.env.as_deref())
    }

    /// Returns the hashes of the files that the command names, by the words that name them.
    pub(crate) fn file_hashes(&self) -> Vec<(String, String)> {
        if maker(&self.command).is_some() {
            return Vec::new();
        }
        self.launch().map_or_else(|_| Vec::new(), |launch| launch.file_hashes())
    }

    /// Searches for the program without starting it, unless nothing plays.
    ///
    /// # Errors
    /// If the command, the directory or a variable cannot be: the message lists the accepted values.
    pub fn find_program(&self) -> Result<(), String> {
        if maker(&self.command).is_some() || plays_nothing() {
            return Ok(());
        }
        self.launch()?.find()
    }
}

/// An agent that is played by an external program.
pub struct External<G: Game> {
    name: String,
    consent: Consent,
    launch: Launch,
    limit: Duration,
    clock: Option<Clock>,
    /// Time left on the clock in this game.
    left: Duration,
    rules: SentRules,
    reveals: bool,
    log: Option<Log>,
    program: Option<Program>,
    fault: Option<Fault>,
    /// The number of the game in its run. Without announcements the agent counts its games.
    game: u64,
    is_announced: bool,
    numbers: Numbers,
    choices: u32,
    times: ChoiceTimes,
    actions: Vec<G::Action>,
}

impl<G: Game> fmt::Debug for External<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "External({:?}, {:?})", self.launch, self.program)
    }
}

impl<G: Configure + Notation> External<G> {
    /// Creates the agent for the program of `params`. The program starts when it is first needed, if `consent` covers
    /// it.
    ///
    /// # Errors
    /// If the program cannot be started from the parameters, or the rules are not those of the game.
    pub fn new(params: &ExternalParams, consent: Consent) -> Result<Self, String> {
        let whole = || {
            let mut rules = Rules::of::<G>();
            let laid = rules.overlay_json(&params.rules);
            laid.map(|()| rules.to_json()).map_err(|error| error.to_string())
        };
        let whole = (params.version > 2).then(whole).transpose()?;
        Ok(Self {
            name: params.name.clone(),
            consent,
            launch: params.launch()?,
            limit: Duration::from_secs_f64(params.seconds),
            clock: params.clock,
            left: Duration::ZERO,
            rules: SentRules { overrides: params.rules.clone(), whole },
            reveals: params.reveals,
            log: params.log.clone().map(Log::new),
            program: None,
            fault: None,
            game: 0,
            is_announced: false,
            numbers: Numbers::of_game(0),
            choices: 0,
            times: params.times.clone(),
            actions: Vec::new(),
        })
    }

    /// Sends a new game to the program, and starts the program if necessary.
    fn introduce(&mut self, game: &G, seat: Player) -> Result<(), Fault> {
        let number = self.numbers.next().map_err(Fault::Agent)?;
        let program = match &mut self.program {
            Some(program) => program,
            none => none.insert(Program::start(&self.launch, self.consent)?),
        };
        program.begin_game(format!(
            "{}, seat {}, game {}",
            self.name,
            seat.idx() + 1,
            self.game + 1
        ));
        let start = protocol::start(number, game, seat, &self.rules);
        program.send(&start);
        if let Some(log) = &mut self.log {
            log.begin_game(self.game, seat);
            log.write(&start, None, Duration::ZERO, None)?;
        }
        Ok(())
    }

    /// Requests a choice among `self.actions` from the program, and answers for the model until it chooses. Returns its
    /// index.
    fn ask(&mut self, view: View<'_, G>, seed: u32) -> Result<usize, Fault> {
        let texts: Vec<String> =
            self.actions.iter().map(|&action| view.game().action_text(action)).collect();
        let number = self.numbers.next().map_err(Fault::Agent)?;
        let clock = self.clock.map(|_| self.left.as_secs_f64());
        let choice = ChoiceRequest { count: self.choices, seed, clock };
        let mut request = protocol::choose(number, choice, view, &texts);
        let (mut limit, mut model) = (self.limit, None);
        loop {
            let answer = self.answer(number, &request, limit)?;
            limit -= self.program.as_ref().map_or(limit, Program::waited).min(limit);
            let Some(operations) = answer.get("ask").filter(|_| self.rules.whole.is_some()) else {
                self.left += self.clock.map_or(Duration::ZERO, |clock| clock.increment);
                self.times.add(self.limit - limit);
                return protocol::chosen(&answer, &texts).map_err(Fault::Agent);
            };
            let model = model.get_or_insert_with(|| Model::of_view(view));
            let answers = model.answer(operations).map_err(Fault::Agent)?;
            request = protocol::model(number, &answers);
        }
    }

    /// Checks that the program has followed the game to its end.
    fn part(&mut self, end: &GameEnd<'_, G>) -> Result<(), Fault> {
        let number = self.numbers.next().map_err(Fault::Agent)?;
        let request = match self.rules.whole {
            None => protocol::end(number),
            Some(_) => protocol::end_with_result(number, end, self.reveals),
        };
        // The end is no move: it has the limit of an answer, whatever the clock says.
        self.left = self.left.max(self.limit);
        self.answer(number, &request, self.limit).map(drop)
    }

    /// Sends a request and returns its answer, which has to come within `limit` and within the clock.
    fn answer(&mut self, number: u64, request: &str, limit: Duration) -> Result<Value, Fault> {
        let Some(program) = &mut self.program else {
            return Err(Fault::Agent("the program is not running".to_owned()));
        };
        let limit = if self.clock.is_some() { limit.min(self.left) } else { limit };
        let reply = program.ask(request, limit);
        let waited = program.waited();
        self.left = self.left.saturating_sub(waited);
        if let Some(log) = &mut self.log {
            let memory = program.peak_memory();
            log.write(request, reply.as_ref().ok().map(|reply| &reply.line[..]), waited, memory)?;
        }
        let answer = reply.and_then(|reply| protocol::answer(&reply, number));
        answer.map_err(|reason| match self.clock {
            Some(clock) if waited >= limit && self.left.is_zero() => {
                Fault::Agent(format!("its clock of {clock} s ran out"))
            }
            _ if waited >= limit => {
                Fault::Agent(format!("no answer within {} s", self.limit.as_secs_f64()))
            }
            _ => Fault::Agent(reason),
        })
    }

    /// Records a fault. A program that is out of step is stopped.
    fn fail(&mut self, fault: Fault) {
        self.fault = Some(fault);
        self.program.take().into_iter().for_each(Program::kill);
    }
}

impl<G: Configure + Notation> Agent<G> for External<G> {
    fn announce(&mut self, index: u64) {
        self.game = index;
        self.is_announced = true;
    }

    fn start(&mut self, game: &G, seat: Player) {
        self.choices = 0;
        self.fault = None;
        self.left = self.clock.map_or(Duration::ZERO, |clock| clock.time);
        self.numbers = Numbers::of_game(self.game);
        self.introduce(game, seat).unwrap_or_else(|fault| self.fail(fault));
        if !self.is_announced {
            self.game += 1;
        }
    }

    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action {
        self.choices += 1;
        self.actions.clear();
        view.actions(&mut self.actions);
        let idx = self.ask(view, rng.below(u32::MAX)).unwrap_or_else(|fault| {
            self.fail(fault);
            0
        });
        self.actions[idx]
    }

    fn end(&mut self, end: GameEnd<'_, G>) {
        self.part(&end).unwrap_or_else(|fault| self.fail(fault));
    }

    fn fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }
}
