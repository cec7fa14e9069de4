//! A complete examination: several agents on the same positions of a game, given by its name.

use std::sync::atomic::AtomicBool;

use agents::side_by_side::within;
use agents::{AgentSpec, Playable};
use engine::rules::Change;
use engine::{Information, Rules};

use super::positions::{Wanted, record, sample};
use super::{Asking, Finding, Suspect, examine, may_differ};
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::runner::start_threads;

/// The default number of repetitions for a non-deterministic agent.
const REPEATS_IF_FREE: u32 = 10;

/// The request of an examination.
#[derive(Clone, Debug)]
pub struct Request {
    /// The agents.
    pub specs: Vec<AgentSpec>,
    /// The positions.
    pub wanted: Wanted,
    /// The number of repetitions of each query; `None` means one, or 10 for a non-deterministic agent.
    pub repeats: Option<u32>,
    /// The probability of accusing a non-deterministic agent that does not leak.
    pub alpha: f64,
    /// Number of threads, at least 1; results do not depend on it.
    pub threads: usize,
    /// True if the games with a leak are recorded.
    pub wants_records: bool,
}

/// The results of an examination.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Seats at the table.
    pub players: usize,
    /// The reason why there is nothing to test: the game hides nothing.
    pub open: Option<String>,
    /// Number of positions.
    pub positions: usize,
    /// The number of games that they come from.
    pub games: usize,
    /// The findings by agent; fewer if the run was stopped.
    pub findings: Vec<Finding>,
    /// The games with a leak, with their records if requested.
    pub records: Vec<(u64, String)>,
    /// The differences from the default rules.
    pub changes: Vec<Change>,
}

impl Outcome {
    /// Returns true if an agent leaks.
    #[must_use]
    pub fn is_leak(&self) -> bool {
        self.findings.iter().any(|finding| finding.is_leak)
    }

    /// Returns the number of a game in the file of records, from 1.
    #[must_use]
    pub fn place_of(&self, game: u64) -> Option<usize> {
        self.records.iter().position(|(known, _)| *known == game).map(|place| place + 1)
    }
}

/// The progress of an examination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// Some positions are done.
    Examined {
        /// The number of positions done.
        done: usize,
        /// The number of all positions.
        of: usize,
    },
    /// All positions are done.
    Finished,
}

/// Examines the agents of `request` in the game of `setup`; `watch` gets the progress of each agent, and `stop` ends
/// the run.
///
/// # Errors
/// If the game or an agent cannot be built, an agent fails, or threads cannot be started.
pub fn run(
    setup: &Setup,
    request: Request,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&AgentSpec, News),
) -> Result<Outcome, Error> {
    with_game(setup, LeakStudy { request, stop, watch })?
}

struct LeakStudy<'a> {
    request: Request,
    stop: &'a AtomicBool,
    watch: &'a mut dyn FnMut(&AgentSpec, News),
}

impl Request {
    fn asking(&self, spec: &AgentSpec) -> Result<Asking, Error> {
        let Self { alpha, threads, .. } = *self;
        let usual = if may_differ(spec) { REPEATS_IF_FREE } else { 1 };
        let repeats = self.repeats.unwrap_or(usual);
        if may_differ(spec) && repeats < 2 {
            let message =
                format!("\"{spec}\" may answer differently by chance: at least 2 are needed");
            return Err(Error::value("repeats", repeats.to_string(), message));
        }
        Ok(Asking { seed: self.wanted.seed, repeats, alpha, threads })
    }

    /// Passes the rules to all agents and returns the settings for each.
    fn prepare(&mut self, overrides: &serde_json::Value) -> Result<Vec<Asking>, Error> {
        self.specs.iter_mut().for_each(|spec| spec.supply_rules(overrides.clone()));
        self.specs.iter().map(|spec| self.asking(spec)).collect()
    }
}

impl WithGame for LeakStudy<'_> {
    type Output = Result<Outcome, Error>;

    fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
        let Self { mut request, stop, watch } = self;
        let overrides = rules.overrides();
        let askings = request.prepare(&overrides)?;
        for spec in &request.specs {
            spec.build(&game)?;
            spec.find_program()?;
        }
        let players = game.n_players();
        let mut outcome = Outcome {
            players,
            open: open(
                G::about().name,
                players,
                game.hides_at_this_table(),
                &G::about().information,
            ),
            positions: 0,
            games: 0,
            findings: Vec::new(),
            records: Vec::new(),
            changes: rules.changes(),
        };
        if outcome.open.is_some() {
            return Ok(outcome);
        }
        let pool = start_threads(request.threads)?;
        let positions = within(&pool, || sample(&game, request.wanted))?;
        let mut games: Vec<u64> = positions.iter().map(|position| position.place.game).collect();
        games.dedup();
        let of = positions.len();
        (outcome.positions, outcome.games) = (of, games.len());
        for (spec, asking) in request.specs.iter().zip(askings) {
            let build = || spec.build(&game).expect("it was built before");
            let suspect = Suspect::of(spec, &build);
            let mut on_progress = |done| watch(spec, News::Examined { done, of });
            let found = examine(&game, &positions, &suspect, asking, stop, &mut on_progress)?;
            watch(spec, News::Finished);
            let Some(finding) = found else { return Ok(outcome) };
            outcome.findings.push(finding);
        }
        let text = |index| match request.wants_records {
            true => record(&game, request.wanted, index, &overrides),
            false => String::new(),
        };
        let leaking = leaking(&outcome.findings);
        outcome.records = leaking.into_iter().map(|index| (index, text(index))).collect();
        Ok(outcome)
    }
}

/// Returns the distinct games with a leak.
fn leaking(findings: &[Finding]) -> Vec<u64> {
    let leaks = findings.iter().flat_map(|finding| &finding.leaks);
    let mut leaking: Vec<u64> = leaks.map(|leak| leak.game).collect();
    leaking.sort_unstable();
    leaking.dedup();
    leaking
}

/// Returns the reason why the game `name` has nothing to leak; `None` if it has.
fn open(name: &str, players: usize, hides_here: bool, information: &Information) -> Option<String> {
    match information {
        Information::Hidden(_) if hides_here => None,
        Information::Hidden(_) => {
            Some(format!("{name} hides nothing at a table of {players}: there is nothing to leak"))
        }
        Information::Perfect => Some(format!("{name} hides nothing: there is nothing to leak")),
        Information::AtOnce(what) => Some(format!(
            "{name} hides nothing: there is nothing to leak ({what} are chosen at once, and no position holds the \
             choice of another)"
        )),
    }
}
