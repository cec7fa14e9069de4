//! All of an examination: agents one after the other, asked about the same positions of a game by its name.

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

/// How often a question is asked of an agent that may answer otherwise by itself.
const REPEATS_IF_FREE: u32 = 10;

/// An examination as it is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The agents.
    pub specs: Vec<AgentSpec>,
    /// The positions.
    pub wanted: Wanted,
    /// How often each question is asked; `None`: once, or `REPEATS_IF_FREE` times.
    pub repeats: Option<u32>,
    /// The probability of accusing an agent that may answer otherwise by itself and does not leak.
    pub alpha: f64,
    /// Number of threads that ask, at least 1; changes nothing but the time.
    pub threads: usize,
    /// Whether the games with a leak are recorded.
    pub wants_records: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Seats at the table.
    pub players: usize,
    /// Why nothing was asked: the game hides nothing.
    pub open: Option<String>,
    /// Number of positions.
    pub positions: usize,
    /// How many games they are from.
    pub games: usize,
    /// By agent; fewer where the run was stopped.
    pub findings: Vec<Finding>,
    /// The games with a leak, with their records if these are wanted.
    pub records: Vec<(u64, String)>,
    /// The differences from the default rules.
    pub changes: Vec<Change>,
}

impl Outcome {
    /// Whether an agent leaks.
    #[must_use]
    pub fn is_leak(&self) -> bool {
        self.findings.iter().any(|finding| finding.is_leak)
    }

    /// Returns the place of a game in the file of records, from 1.
    #[must_use]
    pub fn place_of(&self, game: u64) -> Option<usize> {
        self.records.iter().position(|(known, _)| *known == game).map(|place| place + 1)
    }
}

/// News of an examination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// The agent was asked about so many positions.
    Asked {
        /// Positions that are done.
        done: usize,
        /// All positions.
        of: usize,
    },
    /// The agent was asked about all.
    Finished,
}

/// Examines the agents of `request` in the game of `setup`; `watch` hears of each agent how far it is, `stop` ends it.
///
/// # Errors
/// If the game or an agent cannot be built, an agent fails, or threads cannot be started.
pub fn run(
    setup: &Setup,
    request: Request,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&AgentSpec, News),
) -> Result<Outcome, Error> {
    with_game(setup, Study { request, stop, watch })?
}

struct Study<'a> {
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
                format!("\"{spec}\" may answer otherwise by itself: at least 2 are needed");
            return Err(Error::value("repeats", repeats.to_string(), message));
        }
        Ok(Asking { seed: self.wanted.seed, repeats, alpha, threads })
    }

    /// Gives all agents the rules and tells how each is asked.
    fn prepare(&mut self, overrides: &serde_json::Value) -> Result<Vec<Asking>, Error> {
        self.specs.iter_mut().for_each(|spec| spec.supply_rules(overrides.clone()));
        self.specs.iter().map(|spec| self.asking(spec)).collect()
    }
}

impl WithGame for Study<'_> {
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
            let mut heard = |done| watch(spec, News::Asked { done, of });
            let found = examine(&game, &positions, &suspect, asking, stop, &mut heard)?;
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

/// Lists the games with a leak, each once.
fn leaking(findings: &[Finding]) -> Vec<u64> {
    let leaks = findings.iter().flat_map(|finding| &finding.leaks);
    let mut leaking: Vec<u64> = leaks.map(|leak| leak.game).collect();
    leaking.sort_unstable();
    leaking.dedup();
    leaking
}

/// Says why there is nothing to leak in the game `name`; `None` where there is.
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
