//! An agent that is another program, in any language: one JSON line for each request, one for each answer.
//!
//! The protocol, with an example, is described in `docs/external-agents.md`. The program is started before its
//! first game and lives through all games of the agent; it sees what [`View::to_json`] shows and nothing else.
//! Whatever it does wrong (it dies, is late, writes nonsense or an illegal action) is a fault that costs it the
//! game ([`Agent::fault`]), and the next game finds a fresh process.

mod program;

use std::fmt;
use std::time::Duration;

use engine::{Configure, Game, Notation, Player, Randomness, Stream, View};
use serde_json::{Value, json};

use self::program::Program;
use crate::agent::Agent;

/// The version of the protocol, which every `start` names.
pub const PROTOCOL: u32 = 1;
/// Characters of a bad answer that a complaint shows.
const SHOWN: usize = 60;

/// The parameters of the agent `external`.
#[derive(Clone, PartialEq, Debug)]
pub struct ExternalParams {
    /// The program and its arguments, between blanks; single quotes keep a word together.
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
    command: Vec<String>,
    limit: Duration,
    rules: Value,
    program: Option<Program>,
    fault: Option<String>,
    choices: u32,
    actions: Vec<G::Action>,
}

impl<G: Game> fmt::Debug for External<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "External({:?}, {:?})", self.command, self.program)
    }
}

impl<G: Configure + Notation> External<G> {
    /// The agent that asks the program of `params`, which is started when it is needed.
    ///
    /// # Errors
    /// If the command cannot be read as words.
    pub fn new(params: &ExternalParams) -> Result<Self, String> {
        Ok(Self {
            command: params.words()?,
            limit: Duration::from_secs_f64(params.seconds),
            rules: params.rules.clone(),
            program: None,
            fault: None,
            choices: 0,
            actions: Vec::new(),
        })
    }

    /// Tells the program of a new game.
    fn introduce(&mut self, game: &G, seat: Player) -> Result<(), String> {
        let program = match &mut self.program {
            Some(program) => program,
            none => none.insert(Program::start(&self.command)?),
        };
        let start = json!({
            "type": "start",
            "caesar": PROTOCOL,
            "game": G::about().name,
            "players": game.n_players(),
            "seat": seat.idx(),
            "rules": self.rules,
        });
        program.tell(&start.to_string());
        Ok(())
    }

    /// Asks the program which of `self.actions` it plays: an index.
    fn ask(&mut self, view: View<'_, G>, seed: u32) -> Result<usize, String> {
        let texts: Vec<String> =
            self.actions.iter().map(|&action| view.game().action_text(action)).collect();
        let request = json!({
            "type": "choose",
            "choice": self.choices,
            "seat": view.observer().idx(),
            "seed": seed,
            "view": view.to_json(),
            "actions": texts,
        });
        let program = self.program.as_mut().ok_or("the program is not running")?;
        chosen(&program.ask(&request.to_string(), self.limit)?, &texts)
    }
}

/// The index among `texts` that `answer` names.
fn chosen(answer: &[u8], texts: &[String]) -> Result<usize, String> {
    let json: Value = serde_json::from_slice(answer)
        .map_err(|_| format!("the answer is not JSON: {}", shortened(answer)))?;
    match (json.get("action"), json.get("index")) {
        (Some(Value::String(action)), None) => texts
            .iter()
            .position(|text| text == action)
            .ok_or_else(|| format!("illegal action {}", shortened(action.as_bytes()))),
        (None, Some(Value::Number(index))) => index
            .as_u64()
            .map(|index| index as usize)
            .filter(|&index| index < texts.len())
            .ok_or_else(|| format!("illegal index {index} of {} actions", texts.len())),
        _ => Err(format!(
            "the answer has neither an \"action\" (text) nor an \"index\" (number): {}",
            shortened(answer)
        )),
    }
}

/// The start of what a program wrote, in quotes and on one line.
fn shortened(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() { format!("{start:?}…") } else { format!("{start:?}") }
}

impl<G: Configure + Notation> Agent<G> for External<G> {
    fn start(&mut self, game: &G, seat: Player) {
        self.choices = 0;
        self.fault = self.introduce(game, seat).err();
    }

    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action {
        self.choices += 1;
        self.actions.clear();
        view.actions(&mut self.actions);
        let idx = self.ask(view, rng.below(u32::MAX)).unwrap_or_else(|reason| {
            self.fault = Some(reason);
            self.program.take().into_iter().for_each(Program::kill);
            0
        });
        self.actions[idx]
    }

    fn fault(&mut self) -> Option<String> {
        self.fault.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_names_an_action_or_its_index() {
        let texts = ["pass", "bid"].map(str::to_owned);
        let read = |answer: &str| chosen(answer.as_bytes(), &texts);
        assert_eq!(read(r#"{"action":"bid"}"#), Ok(1));
        assert_eq!(read("{\"index\":0, \"why\":\"no idea\"}\r"), Ok(0));
        for (answer, complaint) in [
            ("bid", r#"the answer is not JSON: "bid""#),
            (r#"{"action":"Bid"}"#, r#"illegal action "Bid""#),
            (r#"{"index":2}"#, "illegal index 2 of 2 actions"),
            (r#"{"index":-1}"#, "illegal index -1 of 2 actions"),
            (r#"{"index":0.5}"#, "illegal index 0.5 of 2 actions"),
        ] {
            assert_eq!(read(answer).unwrap_err(), complaint);
        }
        for answer in ["{}", "[]", "1", "null", r#"{"action":1}"#, r#"{"action":"bid","index":1}"#]
        {
            assert!(read(answer).unwrap_err().starts_with("the answer has neither"), "{answer}");
        }
        let long = read(&"é\u{7}".repeat(100)).unwrap_err();
        assert!(long.ends_with("\"…") && long.chars().count() < 250, "{long}");
    }
}
