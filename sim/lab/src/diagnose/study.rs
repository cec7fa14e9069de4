//! A complete diagnosis: agents at several budgets on the same positions, judged by the same searches.

use std::sync::atomic::{AtomicBool, Ordering};

use agents::guide::Progress;
use agents::leaks::{Decision, decide};
use agents::side_by_side::{side_by_side, within};
use agents::{AgentSpec, Fault, Playable, RootVisits, SearchReport};
use engine::rules::Change;
use engine::{Purpose, Rules, Stream, hash_of, rng};

use super::estimate::Estimate;
use super::judge::{BestPly, Choice, Judgement, kind};
use super::leaves::{self, Within};
use super::macro_coverage::{is_spelled, play_to_its_end, texts};
use super::positions::{Position, Wanted, sample};
use super::spread::variance;
use crate::fit::Sections;
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::game_loop::{guarded, quiet_caught_panics};
use sim::runner::start_threads;

/// The request for a diagnosis.
#[derive(Clone, Debug)]
pub struct Request {
    /// The agents to diagnose, each as the same search at every budget.
    pub arms: Vec<Vec<AgentSpec>>,
    /// The search that values options; it visits all of them equally often.
    pub judge: AgentSpec,
    /// Searches of each position and budget for the spread, at least 2; 0 for none.
    pub searches: u32,
    /// Plays to a leaf for each option of a position, at least 2; 0 for none.
    pub leaves: u32,
    /// The positions.
    pub wanted: Wanted,
    /// Number of threads, at least 1; results do not depend on it.
    pub threads: usize,
}

/// The results of a diagnosis.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Number of positions.
    pub positions: usize,
    /// Number of judged positions. In the others a result was proven, or the judge saw only one option.
    pub judged: usize,
    /// Mean number of options of a judged position.
    pub options: f64,
    /// Results by agent and budget.
    pub arms: Vec<Vec<Arm>>,
    /// Judged positions with macro-actions.
    pub with_macros: usize,
    /// The judged positions whose best option is a single ply although there are macro-actions.
    pub single: Vec<Single>,
    /// The leaf statistics by agent and position; empty if leaves were not requested.
    pub leaves: Vec<Vec<Within>>,
    /// The sections of the positions.
    pub sections: Vec<usize>,
    /// The names of the sections.
    pub section_names: Vec<String>,
}

/// A single ply that is the best option although there are macro-actions, and the action that it begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Single {
    /// The value of the ply less that of the best macro-action.
    pub gain: f64,
    /// Its kind ([`kind`]).
    pub kind: String,
    /// The plies of the mover, in order, as played by the judge.
    pub plies: Vec<String>,
    /// True if no macro-action has these plies.
    pub is_missing: bool,
}

/// An agent at a budget.
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// The mean loss of its choices over the positions.
    pub loss: Option<Estimate>,
    /// Its loss less that of the first agent at this budget, on the same positions; `None` for the first agent.
    pub against_first: Option<Estimate>,
    /// Its loss less its own at the previous budget, on the same positions; `None` for the first budget.
    pub since_before: Option<Estimate>,
    /// The number of positions in which its choice was judged.
    pub chosen: usize,
    /// The choices that depart from the prior's preference.
    pub departures: Vec<super::judge::Departure>,
    /// The root mean square over the positions of the standard deviation of an option's value.
    pub spread: Option<Estimate>,
    /// The spread at the first budget divided by this one; `None` for the first budget.
    pub falls_by: Option<Estimate>,
}

/// The purpose of a stream of random numbers. Agents at the same budget share their streams.
#[derive(Clone, Copy, Hash)]
enum Role {
    Reference,
    Judge,
    Choice { budget: usize },
    Ending { decision: usize },
    Leaves,
    Spread { budget: usize, search: u32 },
}

/// The results of all searches of a position.
struct PositionAnswers {
    judgement: Judgement,
    single: Option<Single>,
    /// Choices by agent and budget.
    choices: Vec<Vec<Option<Choice>>>,
    /// The variance of the value of the first of two options, by agent and budget.
    variances: Vec<Vec<Option<f64>>>,
}

/// The leaf statistics of every agent, and the progress of the game.
struct Seen {
    leaves: Vec<Within>,
    progress: Progress,
}

/// A position with its number, which determines its streams of random numbers.
#[derive(Clone, Copy)]
struct Here<'a, S> {
    number: usize,
    position: &'a Position<S>,
}

struct Room<'a, G: Playable> {
    game: &'a G,
    request: &'a Request,
    /// The seed of the searches, independent of the streams of the games.
    seed: u64,
}

/// A diagnosis, and the table that it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// Seats at the table.
    pub players: usize,
    /// The differences from the default rules.
    pub changes: Vec<Change>,
    /// The diagnosis; `None` if it was stopped.
    pub outcome: Option<Outcome>,
}

/// Runs the diagnosis of `request` in the game of `setup`. `watch` gets the number of positions done. `stop` ends it
/// without an outcome.
///
/// # Errors
/// If the game or an agent cannot be built, an agent fails, the judge is not a search, or no such position is found.
pub fn run(
    setup: &Setup,
    request: &Request,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(usize),
) -> Result<Found, Error> {
    struct Task<'a>(&'a Request, &'a AtomicBool, &'a mut dyn FnMut(usize));
    impl WithGame for Task<'_> {
        type Output = Result<Found, Error>;
        fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
            let outcome = diagnose(&game, self.0, self.1, self.2)?;
            Ok(Found { players: game.n_players(), changes: rules.changes(), outcome })
        }
    }
    with_game(setup, Task(request, stop, watch))?
}

/// Runs the diagnosis in one game, as [`run`] does; `None` if it was stopped.
fn diagnose<G: Playable>(
    game: &G,
    request: &Request,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(usize),
) -> Result<Option<Outcome>, Error> {
    quiet_caught_panics();
    let room = Room { game, request, seed: hash_of(&(request.wanted.seed, 2_u64)) };
    room.check()?;
    let pool = start_threads(request.threads)?;
    let positions = within(&pool, || sample(game, &request.wanted))?;
    if positions.is_empty() {
        let name = G::about().name;
        return Err(Error::Usage(format!(
            "games of \"{}\" in {name} have no decision of one player of the requested kind",
            request.wanted.by
        )));
    }
    let (mut answers, mut seen) = (Vec::new(), Vec::new());
    for (batch, some) in positions.chunks(request.threads).enumerate() {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let first = batch * request.threads;
        let batch = within(&pool, || side_by_side(some.len(), &|i| room.ask(first + i, &some[i])));
        // Of several failures the first by position is reported, whichever came first in time.
        for one in batch {
            answers.extend(one?);
        }
        if request.leaves > 0 {
            let looked = within(&pool, || side_by_side(some.len(), &|i| room.look(&some[i])));
            for one in looked {
                seen.push(one?);
            }
        }
        watch(first + some.len());
    }
    Ok(Some(room.outcome(positions.len(), &answers, &seen)))
}

impl<G: Playable> Room<'_, G> {
    /// Refuses agents that do not search, or whose root visits cannot be set.
    fn check(&self) -> Result<(), Error> {
        for spec in self.request.arms.iter().flatten().chain([&self.request.judge]) {
            let mut agent = spec.build(self.game)?;
            if spec.is_timed() || !agent.visit_root(RootVisits::Equal) {
                return Err(Error::Usage(format!(
                    "agent \"{spec}\" does not search by iterations (mcts does)"
                )));
            }
        }
        Ok(())
    }

    /// Returns the report of `spec` on a position; `None` if there is no choice.
    fn think(
        &self,
        spec: &AgentSpec,
        visits: RootVisits,
        role: Role,
        here: Here<'_, G::State>,
    ) -> Result<Option<SearchReport>, Error> {
        Ok(self.decide(spec, visits, role, here)?.report)
    }

    /// Returns the decision of `spec` in a position.
    fn decide(
        &self,
        spec: &AgentSpec,
        visits: RootVisits,
        role: Role,
        here: Here<'_, G::State>,
    ) -> Result<Decision<G::Action>, Error> {
        let mut agent = spec.build(self.game)?;
        agent.visit_root(visits);
        let Position { state, player, game } = here.position;
        let mut stream = self.stream(role, here.number);
        match guarded(|| decide(&mut *agent, self.game, state, *player, &mut stream)) {
            Ok(Ok(decision)) => Ok(decision),
            Ok(Err(Fault::Agent(reason) | Fault::Host { reason, .. })) | Err(reason) => {
                let name = spec.name();
                Err(Error::Failed(format!(
                    "agent \"{name}\", seat {} in game {}: {reason}",
                    player.ordinal(),
                    game + 1
                )))
            }
        }
    }

    fn stream(&self, role: Role, number: usize) -> Stream {
        rng::stream(hash_of(&(self.seed, role)), number as u64, Purpose::Analysis)
    }

    /// Plays the action that a single ply begins, with the judge.
    fn play_out(
        &self,
        best: &BestPly,
        Here { number, position }: Here<'_, G::State>,
    ) -> Result<Single, Error> {
        let game = self.game;
        let mut actions = Vec::new();
        game.actions(&position.state, position.player, &mut actions);
        let is_it = |action: &G::Action| game.action_text(*action) == best.text;
        let first = actions.into_iter().find(is_it).expect("the options of a search are legal");
        let mut dice = self.stream(Role::Ending { decision: 0 }, number);
        let course =
            play_to_its_end(game, position, first, &mut dice, |decision, state, player| {
                let then = Position { game: position.game, player, state: *state };
                let here = Here { number, position: &then };
                let role = Role::Ending { decision };
                Ok(self.decide(&self.request.judge, RootVisits::Preferred, role, here)?.action)
            })?;
        Ok(Single {
            gain: best.gain,
            kind: kind(&best.text, false),
            is_missing: !is_spelled(game, position, &course),
            plies: texts(game, &course),
        })
    }

    fn ask(
        &self,
        number: usize,
        position: &Position<G::State>,
    ) -> Result<Option<PositionAnswers>, Error> {
        let here = Here { number, position };
        let judge = |role| self.think(&self.request.judge, RootVisits::Equal, role, here);
        let (Some(reference), Some(judge)) = (judge(Role::Reference)?, judge(Role::Judge)?) else {
            return Ok(None);
        };
        let mover = position.player.idx();
        let Some(judgement) = Judgement::of(&reference, &judge, mover) else { return Ok(None) };
        let single = judgement.best_ply();
        let single = single.map(|best| self.play_out(&best, here)).transpose()?;
        let mut answers =
            PositionAnswers { judgement, single, choices: Vec::new(), variances: Vec::new() };
        for arm in &self.request.arms {
            let (mut choices, mut variances) = (Vec::new(), Vec::new());
            for (budget, spec) in arm.iter().enumerate() {
                let role = Role::Choice { budget };
                let found = self.think(spec, RootVisits::Preferred, role, here)?;
                choices.push(found.as_ref().and_then(|report| answers.judgement.choice(report)));
                variances.push(match found {
                    Some(report) if self.request.searches > 0 => {
                        self.variance(spec, budget, &report, &answers.judgement, here)?
                    }
                    _ => None,
                });
            }
            answers.choices.push(choices);
            answers.variances.push(variances);
        }
        Ok(Some(answers))
    }

    /// Returns the variance of the best option's value, with the best and second best options visited in turn. `None`
    /// if the search lacks one of them.
    fn variance(
        &self,
        spec: &AgentSpec,
        budget: usize,
        known: &SearchReport,
        judgement: &Judgement,
        here: Here<'_, G::State>,
    ) -> Result<Option<f64>, Error> {
        let number = |text: &str| {
            known.options.iter().find(|option| option.text == text).map(|option| option.number)
        };
        let [first, second] = judgement.best_two().map(number);
        let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
        let mover = here.position.player.idx();
        let mut values = Vec::new();
        for search in 0..self.request.searches {
            let role = Role::Spread { budget, search };
            let found = self.think(spec, RootVisits::Pair([first, second]), role, here)?;
            let options = found.iter().flat_map(|report| &report.options);
            let value = options.filter(|option| option.number == first && option.visits > 0);
            values.extend(value.map(|option| option.values[mover]));
        }
        Ok(if values.len() == self.request.searches as usize { variance(&values) } else { None })
    }

    /// Plays to the leaves of every agent from a position; all agents share its chance.
    fn look(&self, position: &Position<G::State>) -> Result<Seen, Error> {
        let Request { arms, leaves: times, wanted, .. } = self.request;
        let look = |arm: &Vec<AgentSpec>| {
            let seed = hash_of(&(self.seed, Role::Leaves));
            leaves::look(self.game, position, &arm[0], &wanted.by, *times, seed)
        };
        let leaves = arms.iter().map(look).collect::<Result<_, _>>()?;
        Ok(Seen { leaves, progress: leaves::progress(self.game, position) })
    }

    fn outcome(&self, positions: usize, answers: &[PositionAnswers], seen: &[Seen]) -> Outcome {
        let options: usize = answers.iter().map(|one| one.judgement.options()).sum();
        let arms = (0..self.request.arms.len()).map(|agent| {
            let budgets = 0..self.request.arms[agent].len();
            budgets.map(|budget| self.arm(agent, budget, answers)).collect()
        });
        let sections = Sections::of(seen.iter().map(|one| one.progress).collect::<Vec<_>>());
        let by_agent =
            |agent: usize| -> Vec<Within> { seen.iter().map(|one| one.leaves[agent]).collect() };
        Outcome {
            leaves: (0..self.request.arms.len()).map(by_agent).collect(),
            sections: seen.iter().map(|one| sections.at(one.progress)).collect(),
            section_names: sections.names().to_vec(),
            positions,
            judged: answers.len(),
            options: options as f64 / answers.len().max(1) as f64,
            arms: arms.collect(),
            with_macros: answers.iter().filter(|one| one.judgement.has_macros()).count(),
            single: answers.iter().filter_map(|one| one.single.clone()).collect(),
        }
    }

    fn arm(&self, agent: usize, budget: usize, answers: &[PositionAnswers]) -> Arm {
        let seed = self.seed;
        let loss = |one: &PositionAnswers, agent: usize, budget: usize| {
            one.choices[agent][budget].as_ref().map(|choice| choice.loss)
        };
        let less = |other_agent: usize, other_budget: usize| {
            let both = answers.iter().filter_map(|one| {
                Some(loss(one, agent, budget)? - loss(one, other_agent, other_budget)?)
            });
            Estimate::mean(&both.collect::<Vec<_>>(), seed)
        };
        let choices = answers.iter().filter_map(|one| one.choices[agent][budget].as_ref());
        let losses: Vec<f64> = choices.clone().map(|choice| choice.loss).collect();
        let departures = choices.filter_map(|choice| choice.departure.clone());
        let pairs = answers.iter().filter_map(|one| {
            let variances = &one.variances[agent];
            Some((variances[0]?, variances[budget]?))
        });
        let (before, now): (Vec<f64>, Vec<f64>) = pairs.unzip();
        Arm {
            loss: Estimate::mean(&losses, seed),
            against_first: if agent > 0 { less(0, budget) } else { None },
            since_before: if budget > 0 { less(agent, budget - 1) } else { None },
            chosen: losses.len(),
            departures: departures.collect(),
            spread: Estimate::spread(&now, seed),
            falls_by: if budget > 0 { Estimate::fall(&before, &now, seed) } else { None },
        }
    }
}
