//! `caesar balance rules`: measures the effects of a rule change in every study.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use clap::Args;
use engine::hash_of;
use serde_json::{Value as Json, json};

use super::ended::{conclude, parted, stopped};
use super::joint::{self, Drawing};
use super::run::Played;
use super::several::{
    Game, Job, Part, Pick, Several, facts_of, names, options_text, planned, play, play_game,
    refuse_form, studies, watched,
};
use super::watching;
use crate::cli::files;
use crate::cli::running::stop_on_signal;
use crate::cli::{Ending, look, print};
use crate::report::balance::rules::{self, Compared};
use lab::balance::statements::{Statement, differences, of_game, statements};
use lab::dynamics::request as watch;
use sim::document::document;
use sim::error::Error;

/// The rule sets of a study: the old one, the new one, and the old one on other seeds.
pub(super) const ARMS: [&str; 3] = ["old", "new", "again"];

/// The options of `caesar balance rules`.
#[derive(Debug, Args)]
pub(super) struct Changes {
    #[command(flatten)]
    several: Several,
    /// Rules file (TOML) of the new side, instead of --rules; --set changes it further
    #[arg(long, value_name = "FILE", conflicts_with_all = ["range", "ranges"])]
    rules_b: Option<String>,
    #[command(flatten)]
    drawing: Drawing,
}

/// Runs `caesar balance rules`.
pub(super) fn changed(
    Changes { several: options, rules_b, drawing }: &Changes,
) -> Result<Ending, Error> {
    refuse_form(options)?;
    if let Some(ranges) = drawing.ranges()? {
        return joint::run(options, drawing, &ranges);
    }
    if options.request.rules.settings.is_empty() && rules_b.is_none() {
        let what = "balance rules needs a change of the rules, as in --set options.rounds=5 or --rules-b FILE, or an \
        uncertain rule, as in --range 'options.rounds=[3, 4, 5]'";
        return Err(Error::Usage(what.to_owned()));
    }
    if let Some(file) = rules_b {
        files::text(file).map_err(|e| Error::value("rules-b", file, e.to_string()))?;
    }
    let (jobs, games) = arms(options, rules_b.as_ref())?;
    let stop = stop_on_signal()?;
    if planned(options, &jobs, &games, &stop)? {
        return Ok(Ending::Done);
    }
    options.make_way(&names(&jobs, &games))?;
    let studies = match play_arms(options, &jobs, &games, ARMS.len(), &stop)? {
        ControlFlow::Continue(studies) => studies,
        ControlFlow::Break(ending) => return Ok(ending),
    };
    if options.shard.is_some() {
        return parted(&names(&jobs, &games));
    }
    let compared: Vec<Compared> =
        studies.into_iter().filter_map(|(study, by_arm)| compare(study, &by_arm)).collect();
    print_outcome(options, rules_b.as_deref(), &compared, &jobs, &games)
}

/// Statements of each study under each rule set; a shard has none.
pub(super) type ByArm = Vec<(&'static str, Vec<Vec<Statement>>)>;

/// Plays all studies under all rule sets: `n_arms` runs for each study, one after another. Returns the ending instead if
/// it was stopped.
pub(super) fn play_arms(
    options: &Several,
    jobs: &[Job],
    games: &[Game],
    n_arms: usize,
    stop: &AtomicBool,
) -> Result<ControlFlow<Ending, ByArm>, Error> {
    let mut all = ByArm::new();
    let halted = |name: &str| Ok(ControlFlow::Break(stopped(options.out.as_deref(), name)));
    for arms in jobs.chunks(n_arms) {
        let mut by_arm = Vec::new();
        for job in arms {
            match play(options, job, Part::Study(options.shard), stop)? {
                Played::Whole(result, _) => by_arm.push(statements(&job.1, &result.effects)),
                Played::Shard(_) => {}
                Played::Stopped(..) => return halted(&job.0),
            }
        }
        all.push((arms[0].1.validated().what.word(), by_arm));
    }
    let mut by_arm = Vec::new();
    for (name, validated) in games {
        match play_game(options, name, validated, stop)? {
            watching::Played::Whole(found) => {
                if let watch::Found::Game(report) = *found {
                    by_arm.push(of_game(&validated.study, &report));
                }
            }
            watching::Played::Shard(_) => {}
            watching::Played::Stopped(..) => return halted(name),
        }
    }
    all.push((Pick::Game.word(), by_arm));
    Ok(ControlFlow::Continue(all))
}

/// Returns the seed of a rule set: that of the request for the old rules, and independent ones for the others.
pub(super) fn seed_of(arm: &str, seed: Option<u64>) -> Option<u64> {
    let asked = seed.unwrap_or(sim::config::DEFAULT_SEED);
    if arm == ARMS[0] { seed } else { Some(hash_of(&("rules", arm, asked)) >> 11) }
}

/// Prints and stores the effects of the new rules.
fn print_outcome(
    options: &Several,
    file: Option<&str>,
    compared: &[Compared],
    jobs: &[Job],
    games: &[Game],
) -> Result<Ending, Error> {
    let changes = rules::Changes { file, set: &options.request.rules.settings };
    if !options.form.is_json() {
        let new = file
            .map_or_else(String::new, |file| format!(" --rules-b {}", sim::config::quoted(file)));
        let command = format!("caesar balance rules{new}{}", options_text(options));
        let page = |_| rules::page(compared, changes, &command);
        print(&options.form.write(look(), None, &page))?;
    }
    let mut json = match (jobs.first(), games.first()) {
        (Some((_, study)), _) => facts_of(study.validated()),
        (None, Some((_, validated))) => {
            let (study, subject) = (&validated.study, &validated.study.subject);
            json!({ "game": subject.game, "players": subject.players, "agents": [subject.agent], "seed": study.seed })
        }
        (None, None) => Json::Null,
    };
    if let (Some(json), Json::Object(own)) = (json.as_object_mut(), rules::json(compared, changes))
    {
        json.extend(own);
    }
    conclude(options.out.as_deref(), options.form.is_json(), &document(&json))
}

/// Compares a study's statements: under the old rules, under the new ones, and under the old ones again. Returns `None`
/// for a shard.
fn compare(study: &'static str, by_arm: &[Vec<Statement>]) -> Option<Compared> {
    let [old, new, again] = by_arm else { return None };
    Some(Compared { study, moved: differences(old, new), noise: differences(old, again) })
}

/// Returns every study under the old rules, under the new ones, and under the old ones on other seeds, one after
/// another.
fn arms(options: &Several, rules_b: Option<&String>) -> Result<(Vec<Job>, Vec<Game>), Error> {
    let validated = |name: &str| {
        let mut request = options.request.clone();
        if name != "new" {
            request.rules.settings.clear();
        } else if let Some(file) = rules_b {
            request.rules.file = Some(file.clone());
        }
        request.seed = seed_of(name, request.seed);
        request
    };
    let arm = |name: &str| studies(options, &validated(name));
    let [old, new, again] = [arm("old")?, arm("new")?, arm("again")?];
    let mut jobs = Vec::new();
    for ((old, new), again) in old.into_iter().zip(new).zip(again) {
        let word = old.validated().what.word();
        let name = |arm: &str| format!("{word}-{arm}");
        jobs.extend([(name("old"), old), (name("new"), new), (name("again"), again)]);
    }
    let mut games = Vec::new();
    for name in ARMS {
        let game = watched(options, &validated(name))?;
        games.extend(game.map(|validated| (format!("{}-{name}", Pick::Game.word()), validated)));
    }
    Ok((jobs, games))
}
