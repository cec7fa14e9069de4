//! A [`Plan`] played: the bridge from names to types for tournaments.

use std::sync::atomic::AtomicBool;

use agents::Playable;
use engine::Rules;
use serde_json::Value as Json;

use crate::catalogue::{WithGame, with_game};
use crate::config::Plan;
use crate::error::Error;
use crate::event::Observer;
use crate::runner::{self, Job, RecordHeader};

/// What a run does besides playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Whether results carry records.
    pub records: bool,
    /// Whether results carry the extra numbers of the game.
    pub extras: bool,
}

/// Plays `plan` and tells `observer`; `stop` ends the run at the next block. Returns the number of blocks told.
///
/// # Errors
/// If the game cannot be built or the threads cannot be started.
pub fn play(
    plan: &Plan,
    options: Options,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<u64, Error> {
    with_game(&plan.setup, Play { plan, options, observer, stop })?
}

struct Play<'a> {
    plan: &'a Plan,
    options: Options,
    observer: &'a mut dyn Observer,
    stop: &'a AtomicBool,
}

impl WithGame for Play<'_> {
    type Output = Result<u64, Error>;

    fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
        let Self { plan, options, observer, stop } = self;
        let records = options
            .records
            .then(|| RecordHeader { rules: rules.overrides(), lineup: plan.specs() });
        let job = Job {
            seed: plan.seed,
            schedule: plan.schedule,
            blocks: plan.blocks,
            threads: options.threads,
            records,
            extras: options.extras,
        };
        let build = |entrant: usize| {
            plan.lineup[entrant].build(&game).expect("the plan built every agent once")
        };
        runner::run(&game, &build, &job, observer, stop)
    }
}

/// What a manifest says about the game of a plan.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The whole merged rules configuration.
    pub rules: Json,
    /// What differs from the default.
    pub overrides: Json,
    /// The names of the game's extra numbers.
    pub extras: Vec<&'static str>,
}

/// Facts about the game of `plan`.
///
/// # Errors
/// If the game cannot be built.
pub fn facts(plan: &Plan) -> Result<Facts, Error> {
    struct Ask;
    impl WithGame for Ask {
        type Output = Facts;
        fn run<G: Playable>(self, game: G, rules: &Rules) -> Facts {
            let extras = game.extras(&game.start()).into_iter().map(|(name, _)| name).collect();
            Facts { rules: rules.to_json(), overrides: rules.overrides(), extras }
        }
    }
    with_game(&plan.setup, Ask)
}
