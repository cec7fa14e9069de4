//! The execution of a [`Plan`]: the bridge from names to types for tournaments.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use agents::{Agent, Observable, Playable};
use engine::Rules;
use engine::rules::Change;
use serde_json::Value as Json;

use crate::catalogue::{WithGame, with_game};
use crate::config::Plan;
use crate::error::Error;
use crate::event::{GameResult, Observer};
use crate::runner::{self, Job, RecordHeader};

/// The options of a run beside its plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// True if results carry records.
    pub records: bool,
    /// True if results carry the extra numbers of the game and its changes of the lead.
    pub extras: bool,
}

/// Plays `plan` and reports to `observer`; `stop` ends the run at the next block. Returns the number of reported
/// blocks.
///
/// # Errors
/// If the game cannot be built, the threads cannot be started, or the machine fails an agent ([`Error::Host`]): the
/// blocks before are reported.
pub fn play(
    plan: &Plan,
    options: Options,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<u64, Error> {
    play_blocks(plan, 0..plan.blocks, options, observer, stop)
}

/// Plays some blocks of `plan`, with their results in the whole run; otherwise like [`play`].
///
/// # Errors
/// If the game cannot be built, the threads cannot be started, or the machine fails an agent ([`Error::Host`]): the
/// blocks before are reported.
pub fn play_blocks(
    plan: &Plan,
    blocks: Range<u64>,
    options: Options,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<u64, Error> {
    with_game(&plan.setup, Play { plan, blocks, options, observer, stop })?
}

/// Plays the game of `plan` with this index; `options.threads` does not matter.
///
/// # Errors
/// If the game cannot be built, or the machine fails an agent.
pub fn play_game(plan: &Plan, index: u64, options: Options) -> Result<GameResult, Error> {
    struct One<'a>(&'a Plan, u64, Options);
    impl WithGame for One<'_> {
        type Output = Result<GameResult, Error>;
        fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
            let Self(plan, index, options) = self;
            let job = job(plan, 0..plan.blocks, options, rules);
            runner::play_one(&game, &builder(plan, &game), &job, index)
        }
    }
    with_game(&plan.setup, One(plan, index, options))?
}

/// Plays the game of `plan` with this index and passes its narration to `say`, line by line, during the game.
///
/// # Errors
/// If the game cannot be built, or the machine fails an agent.
pub fn watch_game(plan: &Plan, index: u64, say: &mut dyn FnMut(&str)) -> Result<GameResult, Error> {
    struct One<'a>(&'a Plan, u64, &'a mut dyn FnMut(&str));
    impl WithGame for One<'_> {
        type Output = Result<GameResult, Error>;
        fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
            let Self(plan, index, say) = self;
            let options = Options { threads: 1, records: false, extras: false };
            let job = job(plan, 0..plan.blocks, options, rules);
            let seating = plan.timetable.seating(index);
            let spec = |&entrant: &u8| plan.specs()[usize::from(entrant)].clone();
            let agents: Vec<String> = seating[..plan.players].iter().map(spec).collect();
            let names =
                agents.iter().enumerate().map(|(seat, agent)| format!("{} {agent}", seat + 1));
            let names = names.collect::<Vec<_>>().join(", ");
            say(&format!("game {} of {}: seats {names}", index + 1, plan.setup.game));
            runner::watch_one(&game, &builder(plan, &game), &job, index, &agents, say)
        }
    }
    with_game(&plan.setup, One(plan, index, say))?
}

fn job(plan: &Plan, blocks: Range<u64>, options: Options, rules: &Rules) -> Job {
    let records =
        options.records.then(|| RecordHeader { rules: rules.overrides(), lineup: plan.specs() });
    Job {
        seed: plan.seed,
        timetable: plan.timetable.clone(),
        blocks,
        threads: options.threads,
        records,
        extras: options.extras,
        starts: plan.starts.clone(),
        luck: plan.luck,
    }
}

fn builder<'a, G: Playable>(
    plan: &'a Plan,
    game: &'a G,
) -> impl Fn(usize) -> Box<dyn Agent<G>> + Sync + 'a {
    |entrant| plan.lineup[entrant].build(game).expect("the plan built every agent once")
}

struct Play<'a> {
    plan: &'a Plan,
    blocks: Range<u64>,
    options: Options,
    observer: &'a mut dyn Observer,
    stop: &'a AtomicBool,
}

impl WithGame for Play<'_> {
    type Output = Result<u64, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let Self { plan, blocks, options, observer, stop } = self;
        let job = job(plan, blocks, options, rules);
        runner::run(&game, &builder(plan, &game), &job, observer, stop)
    }
}

/// The facts in a manifest about the game of a plan.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The whole merged rules configuration.
    pub rules: Json,
    /// The differences from the default rules.
    pub overrides: Json,
    /// The changes value by value, with the previous values.
    pub changes: Vec<Change>,
    /// The names of the game's extra numbers.
    pub extras: Vec<&'static str>,
    /// True if the game has scores.
    pub has_scores: bool,
}

/// Returns the facts about the game of `plan`.
///
/// # Errors
/// If the game cannot be built.
pub fn facts(plan: &Plan) -> Result<Facts, Error> {
    struct Ask;
    impl WithGame for Ask {
        type Output = Facts;
        fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Facts {
            let extras = game.extras(&game.start()).into_iter().map(|(name, _)| name).collect();
            let (changes, overrides) = (rules.changes(), rules.overrides());
            let has_scores = game.scores(&game.start()).is_some();
            Facts { rules: rules.to_json(), overrides, changes, extras, has_scores }
        }
    }
    with_game(&plan.setup, Ask)
}
