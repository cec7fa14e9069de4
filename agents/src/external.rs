//! An agent that is another program, in any language: one JSON line for each request, one for each answer.
//!
//! The protocol, with an example, is described in `docs/external-agents.md`. The program is started before its
//! first game and lives through all games of the agent; it sees what [`View::to_json`] shows and nothing else.
//! Whatever it does wrong (it dies, is late, out of step, writes nonsense or an illegal action) is a fault that costs
//! it the game ([`Agent::fault`]), and the next game finds a fresh process. That the machine cannot start it is a
//! fault of the machine ([`Fault::Host`]).

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
    /// What the agent is called where its program complains.
    pub name: String,
    /// The program and its arguments, between blanks; single quotes keep a word together, and two of them inside of
    /// quotes are one apostrophe.
    pub command: String,
    /// How long an answer may take, in seconds of wall time, more than 0.
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

    /// Looks for the program, without starting it.
    ///
    /// # Errors
    /// If the command has no program, or there is none of that name: the message says what would be accepted.
    pub fn find_program(&self) -> Result<(), String> {
        match self.words()?.first() {
            Some(name) if !program::is_there(name) => Err(format!(
                "there is no program \"{name}\" (accepted: the path of an executable file, or a name on PATH)"
            )),
            _ => Ok(()),
        }
    }
}

/// A program that plays.
pub struct External<G: Game> {
    name: String,
    consent: Consent,
    command: Vec<String>,
    limit: Duration,
    rules: Value,
    program: Option<Program>,
    fault: Option<Fault>,
    /// The number of the game in its run; where nobody announces it, games are counted here.
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
    /// The agent that asks the program of `params`, which is started when it is needed, if `consent` is to it.
    ///
    /// # Errors
    /// If the command cannot be read as words.
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

    /// Tells the program of a new game.
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
        program.tell(&protocol::start(number, game, seat, &self.rules));
        Ok(())
    }

    /// Asks the program which of `self.actions` it plays: an index.
    fn ask(&mut self, view: View<'_, G>, seed: u32) -> Result<usize, String> {
        let texts: Vec<String> =
            self.actions.iter().map(|&action| view.game().action_text(action)).collect();
        let number = self.numbers.next()?;
        let choice = ChoiceRequest { count: self.choices, seed };
        let answer = self.answer(number, &protocol::choose(number, choice, view, &texts))?;
        protocol::chosen(&answer, &texts)
    }

    /// Asks the program whether it has followed to the end of the game.
    fn part(&mut self) -> Result<(), String> {
        let number = self.numbers.next()?;
        self.answer(number, &protocol::end(number)).map(drop)
    }

    fn answer(&mut self, number: u64, request: &str) -> Result<Value, String> {
        let program = self.program.as_mut().ok_or("the program is not running")?;
        protocol::answer(&program.ask(request, self.limit)?, number)
    }

    /// Notes a fault; a program that is out of step is not listened to again.
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
