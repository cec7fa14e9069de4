//! A check of an external program: whole games in every seat, its faults, its time, and whether it repeats itself.

use std::time::Duration;

use agents::AgentSpec;
use serde_json::Value as Json;

use sim::any::AnyGame;
use sim::catalogue::Setup;
use sim::error::Error;
use sim::session::{Seat, Session, Step};

/// Agent in the other seats.
const OPPONENT: &str = "random";
/// Largest length of a game, in events; a longer one is left there.
const MOST_EVENTS: usize = 1_000_000;

/// Findings of a check.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checked {
    /// Games played, two in every seat: the second repeats the first.
    pub games: usize,
    /// Choices of the program in the first games.
    pub choices: usize,
    /// Reasons why games were broken off.
    pub faults: Vec<String>,
    /// True if every second game was equal to its first.
    pub is_repeatable: bool,
    /// Time of each answer to a choice in the first games, in order.
    pub times: Vec<Duration>,
    /// The most memory that a process held, in bytes, where the system says so.
    pub peak_memory: Option<u64>,
    /// Questions to the model.
    pub model_questions: usize,
    /// Lines of the log of the first games.
    pub traffic: Vec<Json>,
}

impl Checked {
    /// Returns the time that a share of the answers does not exceed; `None` without answers.
    #[must_use]
    pub fn time(&self, share: f64) -> Option<Duration> {
        let mut times = self.times.clone();
        times.sort_unstable();
        let last = times.len().checked_sub(1)?;
        times.get((share * last as f64).ceil() as usize).copied()
    }

    fn read(&mut self, log: &str) {
        self.traffic = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        for line in &self.traffic {
            self.peak_memory = self.peak_memory.max(line["peak_memory"].as_u64());
            if line["answer"].get("ask").is_some() {
                self.model_questions += 1;
            }
            let kind = line["request"]["type"].as_str();
            let Some(milliseconds) = line["milliseconds"].as_f64() else { continue };
            match kind {
                Some("choose") => self.times.push(Duration::from_secs_f64(milliseconds / 1e3)),
                // The answer of the model does not end the choice: its time counts with that of the choice.
                Some("model") => {
                    if let Some(time) = self.times.last_mut() {
                        *time += Duration::from_secs_f64(milliseconds / 1e3);
                    }
                }
                _ => {}
            }
        }
        self.choices = self.times.len();
    }
}

/// Plays the program `spec` in every seat of the game of `setup`, twice with the seed `seed`, against random opponents.
/// The program's lines of the first games are logged in the file `log`; `take` reads and removes it.
///
/// # Errors
/// If the game or an agent cannot be built, or `take` fails. Faults of the program are findings.
pub fn check(
    setup: &Setup,
    spec: &AgentSpec,
    seed: u64,
    log: &str,
    take: &mut dyn FnMut() -> Result<String, Error>,
) -> Result<Checked, Error> {
    let game = AnyGame::new(setup)?;
    let mut plain = spec.clone();
    plain.supply_rules(game.overrides());
    let mut logged = spec.saying("log", log)?;
    logged.supply_rules(game.overrides());
    let mut checked = Checked { is_repeatable: true, ..Checked::default() };
    let mut lines = String::new();
    for seat in 0..game.players() {
        let seed = seed.wrapping_add(seat as u64);
        let first = play(&game, &logged, seat, seed);
        lines += &take()?;
        let second = play(&game, &plain, seat, seed);
        checked.games += 2;
        checked.is_repeatable &= first.is_ok() && first == second;
        checked.faults.extend([first, second].into_iter().filter_map(Result::err));
    }
    checked.faults.dedup();
    checked.read(&lines);
    Ok(checked)
}

/// Plays a game and returns its record.
///
/// # Errors
/// If an agent fails: the reason.
fn play(game: &AnyGame, spec: &AgentSpec, seat: usize, seed: u64) -> Result<String, String> {
    let said = |error: Error| error.to_string();
    let opponent: AgentSpec = OPPONENT.parse().expect("a kind of agent");
    let seats = (0..game.players()).map(|at| {
        let spec = if at == seat { spec } else { &opponent };
        Ok(Seat::Agent(Box::new(game.agent(spec).map_err(said)?), spec.kind().name().to_owned()))
    });
    let seats = seats.collect::<Result<Vec<_>, String>>()?;
    let mut session = Session::new(game.clone(), seats, seed).map_err(said)?;
    for _ in 0..MOST_EVENTS {
        if session.step().map_err(said)? == Step::Over {
            break;
        }
    }
    Ok(session.take_record().unwrap_or_default())
}
