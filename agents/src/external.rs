//! An agent that is an external program, in any language, with one JSON line per request and per answer.
//!
//! `docs/external-agents.md` describes the protocol with an example. The program starts before its first game and lives
//! through all games of the agent. It sees only the output of [`View::to_json`]. Each failure of the program is a fault
//! that costs it the game ([`Agent::fault`]): a crash, a late or out-of-step answer, malformed text, an illegal action.
//! The next game gets a fresh process. If the machine cannot start the program, the fault is the machine's
//! ([`Fault::Host`]).

mod consent;
mod errors;
mod program;
mod protocol;
mod running;

use std::fmt;
use std::time::Duration;

use engine::{Configure, Game, Notation, Player, Randomness, Stream, View};
use serde_json::Value;

pub use self::consent::{
    Ask, Consent, allow_all_programs, allow_program, allow_programs_beginning_with,
    ask_about_programs, only_look_at_programs,
};
use self::program::Program;
pub use self::protocol::PROTOCOL;
use self::protocol::{ChoiceRequest, Numbers};
pub use self::running::kill_all_programs;
use crate::agent::{Agent, Fault};

/// The parameters of the agent `external`.
#[derive(Clone, PartialEq, Debug)]
pub struct ExternalParams {
    /// The name of the agent in error messages.
    pub name: String,
    /// The program and its arguments, separated by blanks. Single quotes keep a word together; two single quotes inside
    /// quotes are one apostrophe.
    pub command: String,
    /// The time limit of an answer, in seconds of wall time, greater than 0.
    pub seconds: f64,
    /// The overrides of the default rules, as in the header of a record.
    pub rules: Value,
}

impl ExternalParams {
    fn words(&self) -> Result<Vec<String>, String> {
        if self.command.contains('"') {
            return Err(format!(
                "command = \"{}\": no double quotes inside (single quotes keep a word together)",
                self.command
            ));
        }
        program::split_words(&self.command)
    }

    /// Returns the hashes of the files that the command names, by the words that name them.
    pub(crate) fn file_hashes(&self) -> Vec<(String, String)> {
        let words = self.words().unwrap_or_default();
        let hash = |(place, word): (usize, &String)| {
            let hash = program::file_hash(word, place == 0)?;
            Some((word.clone(), hash))
        };
        words.iter().enumerate().filter_map(hash).collect()
    }

    /// Searches for the program without starting it.
    ///
    /// # Errors
    /// If the command is empty or the program does not exist: the message lists the accepted values.
    pub fn find_program(&self) -> Result<(), String> {
        match self.words()?.first() {
            Some(name) if !program::is_there(name) => Err(format!(
                "there is no program \"{name}\" (accepted: the path of an executable file, or a name on PATH)"
            )),
            _ => Ok(()),
        }
    }
}

/// An agent that is played by an external program.
pub struct External<G: Game> {
    name: String,
    consent: Consent,
    command: Vec<String>,
    limit: Duration,
    rules: Value,
    program: Option<Program>,
    fault: Option<Fault>,
    /// The number of the game in its run. Without announcements the agent counts its games.
    game: u64,
    is_announced: bool,
    numbers: Numbers,
    choices: u32,
    actions: Vec<G::Action>,
}

impl<G: Game> fmt::Debug for External<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "External({:?}, {:?})", self.command, self.program)
    }
}

impl<G: Configure + Notation> External<G> {
    /// Creates the agent for the program of `params`. The program starts when it is first needed, if `consent` covers
    /// it.
    ///
    /// # Errors
    /// If the command cannot be split into words.
    pub fn new(params: &ExternalParams, consent: Consent) -> Result<Self, String> {
        Ok(Self {
            name: params.name.clone(),
            consent,
            command: params.words()?,
            limit: Duration::from_secs_f64(params.seconds),
            rules: params.rules.clone(),
            program: None,
            fault: None,
            game: 0,
            is_announced: false,
            numbers: Numbers::of_game(0),
            choices: 0,
            actions: Vec::new(),
        })
    }

    /// Sends a new game to the program, and starts the program if necessary.
    fn introduce(&mut self, game: &G, seat: Player) -> Result<(), Fault> {
        let number = self.numbers.next().map_err(Fault::Agent)?;
        let program = match &mut self.program {
            Some(program) => program,
            none => none.insert(Program::start(&self.command, self.consent)?),
        };
        program.begin_game(format!(
            "{}, seat {}, game {}",
            self.name,
            seat.idx() + 1,
            self.game + 1
        ));
        program.send(&protocol::start(number, game, seat, &self.rules));
        Ok(())
    }

    /// Requests a choice among `self.actions` from the program. Returns its index.
    fn ask(&mut self, view: View<'_, G>, seed: u32) -> Result<usize, String> {
        let texts: Vec<String> =
            self.actions.iter().map(|&action| view.game().action_text(action)).collect();
        let number = self.numbers.next()?;
        let choice = ChoiceRequest { count: self.choices, seed };
        let answer = self.answer(number, &protocol::choose(number, choice, view, &texts))?;
        protocol::chosen(&answer, &texts)
    }

    /// Checks that the program has followed the game to its end.
    fn part(&mut self) -> Result<(), String> {
        let number = self.numbers.next()?;
        self.answer(number, &protocol::end(number)).map(drop)
    }

    fn answer(&mut self, number: u64, request: &str) -> Result<Value, String> {
        let program = self.program.as_mut().ok_or("the program is not running")?;
        protocol::answer(&program.ask(request, self.limit)?, number)
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
        let idx = self.ask(view, rng.below(u32::MAX)).unwrap_or_else(|reason| {
            self.fail(Fault::Agent(reason));
            0
        });
        self.actions[idx]
    }

    fn end(&mut self) {
        self.part().unwrap_or_else(|reason| self.fail(Fault::Agent(reason)));
    }

    fn fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }
}
