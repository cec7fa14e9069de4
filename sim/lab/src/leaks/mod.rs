//! A test for leaks: decisions of an agent that depend on information hidden from its seat.
//!
//! Positions of seeded games ([`positions`]) are shown to an agent as they are, and with everything that is hidden
//! from its seat redrawn ([`Game::determinize`](engine::Game::determinize)). Each time the agent has just sat down. A
//! deterministic agent gets the same random numbers each time. Any difference is a leak: in its choice, or in its
//! search before it ([`SearchReport`](agents::SearchReport)). A non-deterministic agent (a program, a search by the
//! clock) is queried repeatedly, in random order, and its answers are tested ([`randomization`]).

pub mod positions;
pub mod study;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use agents::leaks::{Decision, decide};
use agents::side_by_side::{side_by_side, within};
use agents::{Agent, AgentSpec, Fault, Playable, halt};
use engine::{Purpose, Randomness, Stream, hash_of, rng};
use serde::Serialize;
use serde_json::Value as Json;

use self::positions::{DecisionPoint, Position};
use sim::error::Error;
use sim::game_loop::{guarded, quiet_caught_panics};
use sim::stats::randomization::{self, Answers};

/// The number of permutations of the test.
pub const PERMUTATIONS: usize = 4_999;
/// The number of positions that each thread examines at once.
const BATCH: usize = 4;
/// The largest number of differing values that a finding lists.
const MOST_TOLD: usize = 3;

/// The settings of an examination.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// The seed of the order of queries and of the agents' random numbers.
    pub seed: u64,
    /// The number of repetitions of each query, at least 1; for a non-deterministic agent at least 2.
    pub repeats: u32,
    /// The probability of accusing a non-deterministic agent that does not leak.
    pub alpha: f64,
    /// Number of threads, at least 1; results do not depend on it.
    pub threads: usize,
}

/// The agent under examination.
pub struct Suspect<'a, G: Playable> {
    /// The name in messages.
    pub name: String,
    /// A function that builds the agent.
    pub build: &'a (dyn Fn() -> Box<dyn Agent<G>> + Sync),
    /// True if it may answer the same query differently.
    pub is_free: bool,
    /// True if it remembers games, so that only a new instance has no memory.
    pub remembers: bool,
}

impl<G: Playable> std::fmt::Debug for Suspect<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Suspect({})", self.name)
    }
}

impl<'a, G: Playable> Suspect<'a, G> {
    /// Creates a suspect with the agent of `spec`, which `build` builds.
    #[must_use]
    pub fn of(spec: &AgentSpec, build: &'a (dyn Fn() -> Box<dyn Agent<G>> + Sync)) -> Self {
        Self {
            name: spec.name(),
            build,
            is_free: may_differ(spec),
            remembers: spec.remembers_games(),
        }
    }
}

/// Returns true if an agent may answer the same query differently.
#[must_use]
pub fn may_differ(spec: &AgentSpec) -> bool {
    spec.is_timed() || spec.is_external()
}

/// A value of a state that differs in another world.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    /// The key of the value in the recorded state.
    pub key: String,
    /// The value in the state.
    pub here: Json,
    /// The value in the other world.
    pub there: Json,
}

/// A position in which a decision depends on hidden information.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Leak {
    /// The index of the game in the sample.
    pub game: u64,
    /// The ply of the choice, from 1.
    pub ply: u32,
    /// The seat of the player who is to choose.
    pub seat: usize,
    /// The choice in the state, with frequencies if it varied.
    pub choice: String,
    /// The choice in the other world.
    pub other: String,
    /// True if the choices were equal and only the searches before them differed.
    pub in_thought_only: bool,
    /// The p-value adjusted for all positions; `None` if a difference is a proof.
    pub p: Option<f64>,
    /// The first values of the state that differ in the other world.
    pub hidden: Vec<Difference>,
}

/// The result for an agent.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The number of its decisions.
    pub decisions: u64,
    /// The number of repetitions of each query.
    pub repeats: u32,
    /// The positions in which it decided differently in another world, by proof or by test. If only all positions
    /// together show a leak, the clearest one.
    pub leaks: Vec<Leak>,
    /// The p-value of "it leaks nowhere"; `None` for an agent whose differences are proofs.
    pub p: Option<f64>,
    /// True if it leaks.
    pub is_leak: bool,
}

/// Examines `suspect` on `positions`; `watch` gets the number of positions done, and `stop` ends it with `None`.
///
/// # Errors
/// If the agent fails, a deterministic agent answers the same query differently, or threads cannot be started.
pub fn examine<G: Playable>(
    game: &G,
    positions: &[Position<G::State>],
    suspect: &Suspect<'_, G>,
    asking: Asking,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(usize),
) -> Result<Option<Finding>, Error> {
    quiet_caught_panics();
    let pool = sim::runner::start_threads(asking.threads)?;
    let room = Room { game, suspect, asking, seed: seed_of(asking), idle: Mutex::default() };
    let mut answered = Vec::new();
    for batch in positions.chunks(BATCH * asking.threads) {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let first = answered.len();
        let batch =
            within(&pool, || side_by_side(batch.len(), &|i| room.ask(first + i, &batch[i])));
        // Of several failures the first by position is reported, whichever came first in time.
        for one in batch {
            match one {
                Ok(one) => answered.push(one),
                Err(Error::Stopped) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        watch(answered.len());
    }
    Ok(Some(room.judge(positions, &answered)))
}

/// Returns a seed for order and agents that is independent of the streams of the games.
fn seed_of(asking: Asking) -> u64 {
    hash_of(&(asking.seed, 1_u64))
}

/// An agent's answers about a position, by repetition and world, as indices of decisions.
struct AgentAnswers<A> {
    decisions: Vec<Decision<A>>,
    answers: Answers,
}

struct Room<'a, G: Playable> {
    game: &'a G,
    suspect: &'a Suspect<'a, G>,
    asking: Asking,
    seed: u64,
    /// Agents that are not in use.
    idle: Mutex<Vec<Box<dyn Agent<G>>>>,
}

impl<G: Playable> Room<'_, G> {
    fn ask(
        &self,
        number: usize,
        position: &Position<G::State>,
    ) -> Result<AgentAnswers<G::Action>, Error> {
        let n = position.worlds.len();
        let mut shuffle = rng::stream(self.seed, number as u64, Purpose::Analysis);
        let mut answered = AgentAnswers { decisions: Vec::new(), answers: Vec::new() };
        let mut order: Vec<usize> = (0..n).collect();
        for repeat in 0..self.asking.repeats {
            // An agent that remembers earlier queries must not learn which world it is in.
            shuffle.shuffle(&mut order);
            let question = number as u64 * u64::from(self.asking.repeats) + u64::from(repeat);
            let mut row = vec![0; n];
            for (turn, &world) in order.iter().enumerate() {
                let index = question * n as u64 + turn as u64;
                let decision = self.decide(position, world, question, index)?;
                row[world] = answered.number_of(decision, self.suspect.is_free);
            }
            self.check_steady(position, question, &row, &answered)?;
            answered.answers.push(row);
        }
        Ok(answered)
    }

    /// Returns the agent's decision in a world; `question` sets its random numbers, `index` numbers all decisions.
    fn decide(
        &self,
        position: &Position<G::State>,
        world: usize,
        question: u64,
        index: u64,
    ) -> Result<Decision<G::Action>, Error> {
        let DecisionPoint { player, .. } = position.place;
        let state = &position.worlds[world];
        let mut agent = self.seat();
        let mut thinking = rng::stream(self.seed, question, Purpose::Agent(player.idx() as u8));
        let decided = guarded(|| {
            agent.announce(index);
            decide(&mut *agent, self.game, state, player, &mut thinking)
        });
        if halt::is_raised() {
            return Err(Error::Stopped);
        }
        let decision = match decided {
            Ok(Ok(decision)) => decision,
            Ok(Err(Fault::Agent(reason) | Fault::Host { reason, .. })) | Err(reason) => {
                return Err(self.failed(position.place, &reason));
            }
        };
        let action = decision.action;
        if !self.game.is_legal(state, player, action, &mut Vec::new()) {
            let text = guarded(|| self.game.action_text(action));
            let text = text.unwrap_or_else(|_| format!("{action:?}"));
            return Err(self.failed(position.place, &format!("illegal action \"{text}\"")));
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(agent);
        Ok(decision)
    }

    fn seat(&self) -> Box<dyn Agent<G>> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let rested = if self.suspect.remembers { None } else { idle() };
        rested.unwrap_or_else(|| (self.suspect.build)())
    }

    fn failed(&self, place: DecisionPoint, reason: &str) -> Error {
        let DecisionPoint { game, ply, player } = place;
        let name = &self.suspect.name;
        Error::Failed(format!(
            "agent \"{name}\", seat {} at ply {ply} of game {}: {reason}",
            player.ordinal(),
            game + 1
        ))
    }

    /// Checks that an agent whose answers differ between worlds is deterministic.
    fn check_steady(
        &self,
        position: &Position<G::State>,
        question: u64,
        row: &[u32],
        answered: &AgentAnswers<G::Action>,
    ) -> Result<(), Error> {
        if self.suspect.is_free || row.iter().all(|answer| *answer == row[0]) {
            return Ok(());
        }
        let again = self.decide(position, 0, question, question)?;
        if again == answered.decisions[row[0] as usize] {
            return Ok(());
        }
        Err(self.failed(
            position.place,
            "it decided differently on the same input with the same random numbers, so a difference \
             between worlds proves nothing",
        ))
    }

    fn judge(
        &self,
        positions: &[Position<G::State>],
        answered: &[AgentAnswers<G::Action>],
    ) -> Finding {
        let tested = self.suspect.is_free.then(|| {
            let tables: Vec<Answers> =
                answered.iter().map(|answered| answered.answers.clone()).collect();
            let mut draws: Stream = rng::stream(self.seed, u64::MAX, Purpose::Analysis);
            randomization::test(&tables, PERMUTATIONS, &mut draws)
        });
        let half = self.asking.alpha / 2.0;
        let leak = |(i, answered): (usize, &AgentAnswers<G::Action>)| {
            let p = tested.as_ref().map(|outcome| outcome.single[i]);
            let has_changed = p.map_or_else(|| answered.changes(), |p| p <= half);
            has_changed.then(|| self.leak(&positions[i], answered, p))
        };
        let mut leaks: Vec<Leak> = answered.iter().enumerate().filter_map(leak).collect();
        let p = tested.as_ref().map(randomization::Outcome::p);
        let is_leak = p.map_or(!leaks.is_empty(), |p| p <= self.asking.alpha);
        if let Some(outcome) = tested.as_ref().filter(|_| is_leak && leaks.is_empty()) {
            // Only all positions together show the leak: the clearest one represents them.
            let clearest = (0..answered.len())
                .rev()
                .min_by(|&a, &b| outcome.single[a].total_cmp(&outcome.single[b]));
            leaks.extend(
                clearest.map(|i| self.leak(&positions[i], &answered[i], Some(outcome.single[i]))),
            );
        }
        let worlds = |answered: &AgentAnswers<G::Action>| {
            answered.answers.iter().map(Vec::len).sum::<usize>()
        };
        Finding {
            decisions: answered.iter().map(|answered| worlds(answered) as u64).sum(),
            repeats: self.asking.repeats,
            is_leak,
            leaks,
            p,
        }
    }

    fn leak(
        &self,
        position: &Position<G::State>,
        answered: &AgentAnswers<G::Action>,
        p: Option<f64>,
    ) -> Leak {
        let DecisionPoint { game, ply, player } = position.place;
        let other = answered.farthest();
        let [here, there] = [0, other].map(|world| self.choices(answered, world));
        let [state, world] = [0, other].map(|world| self.game.state_json(&position.worlds[world]));
        let mut hidden = Vec::new();
        differences("", &state, &world, &mut hidden);
        hidden.truncate(MOST_TOLD);
        let seat = player.idx();
        Leak {
            game,
            ply,
            seat,
            in_thought_only: here == there,
            choice: here,
            other: there,
            p,
            hidden,
        }
    }

    /// Returns the choices in a world, most frequent first.
    fn choices(&self, answered: &AgentAnswers<G::Action>, world: usize) -> String {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for row in &answered.answers {
            let action = answered.decisions[row[world] as usize].action;
            *counts.entry(self.game.action_text(action)).or_default() += 1;
        }
        let mut counts: Vec<(String, u32)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        match &counts[..] {
            [(only, _)] => only.clone(),
            several => {
                let times: Vec<String> =
                    several.iter().map(|(text, n)| format!("{text} {n}×")).collect();
                times.join(", ")
            }
        }
    }
}

impl<A: Copy + Eq> AgentAnswers<A> {
    /// Returns the index of a decision; for a non-deterministic agent only its action counts.
    fn number_of(&mut self, decision: Decision<A>, is_free: bool) -> u32 {
        let is_one = |known: &Decision<A>| match is_free {
            true => known.action == decision.action,
            false => *known == decision,
        };
        let place = self.decisions.iter().position(is_one).unwrap_or_else(|| {
            self.decisions.push(decision);
            self.decisions.len() - 1
        });
        place as u32
    }

    fn changes(&self) -> bool {
        self.answers.iter().any(|row| row.iter().any(|answer| *answer != row[0]))
    }

    /// Returns the world whose choices differ most from those in the state; if all choices agree, the one whose
    /// searches differ most.
    fn farthest(&self) -> usize {
        let action = |answer: u32| self.decisions[answer as usize].action;
        let differs = |world: usize| {
            let rows = || self.answers.iter();
            let choices = rows().filter(|row| action(row[0]) != action(row[world])).count();
            (choices, rows().filter(|row| row[0] != row[world]).count())
        };
        // The first of equally distant worlds.
        let worlds = 1..self.answers[0].len();
        worlds.rev().max_by_key(|&world| differs(world)).unwrap_or_default()
    }
}

/// Collects the differences between two recorded states.
fn differences(key: &str, here: &Json, there: &Json, found: &mut Vec<Difference>) {
    let step = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match (here, there) {
        (Json::Object(a), Json::Object(b)) => {
            let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for name in names {
                let of = |map: &serde_json::Map<String, Json>| {
                    map.get(name).cloned().unwrap_or_default()
                };
                differences(&step(name), &of(a), &of(b), found);
            }
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                differences(&step(&i.to_string()), a, b, found);
            }
        }
        _ if here != there => {
            let (here, there) = (here.clone(), there.clone());
            found.push(Difference { key: key.to_owned(), here, there });
        }
        _ => {}
    }
}
