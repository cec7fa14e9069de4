//! `caesar balance all` and `caesar balance rules`: several studies, each in a directory of its own, after one plan.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::Args;
use engine::hash_of;
use serde_json::{Map, Value as Json, json};

use super::joint::{self, Drawing};
use super::run::{How, Played, played, probe};
use crate::balance::request::{Asked, Request, What};
use crate::balance::statements::{Statement, differences, statements};
use crate::balance::study::Study;
use crate::cli::files::{self, write_aside};
use crate::cli::output::Form;
use crate::cli::tournament::{stop_on_signal, threads};
use crate::cli::{Ending, look, note, print, ranged};
use crate::document::document;
use crate::error::Error;
use crate::export::summary::FILE as SUMMARY;
use crate::manifest::Shard;
use crate::report::balance as report;
use crate::report::balance::rules::{self, Compared};
use crate::units;

/// The options of several studies.
#[derive(Debug, Args)]
pub(super) struct Several {
    #[command(flatten)]
    pub(super) request: Request,
    /// Only this study: cards, provinces, seats, alliances (repeatable) [default: all that the game allows]
    #[arg(long = "study", value_name = "WORD", value_parser = What::parse)]
    studies: Vec<What>,
    /// Say how many games there are and what they can find, and play none
    #[arg(long)]
    pub(super) plan: bool,
    /// Number of threads; changes nothing but the time [default: all cores]
    #[arg(long, value_name = "T", value_parser = ranged::<u16>(1, 1024))]
    threads: Option<u16>,
    /// Write every study into a directory of its own in this one
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the unfinished run in --out
    #[arg(long, requires = "out")]
    resume: bool,
    /// Play only part I of N, from 1: of every study, which caesar merge joins, or of the joint draws
    #[arg(long, value_name = "I/N", requires = "out", value_parser = Shard::parse)]
    pub(super) shard: Option<Shard>,
    #[command(flatten)]
    pub(super) form: Form,
    /// No progress and no notes
    #[arg(long)]
    pub(super) quiet: bool,
}

/// The options of `caesar balance rules`.
#[derive(Debug, Args)]
pub(super) struct Changes {
    #[command(flatten)]
    several: Several,
    #[command(flatten)]
    drawing: Drawing,
}

/// A study, and where its results are in the directory.
pub(super) type Job = (String, Study);

/// `caesar balance all`.
pub(super) fn all(options: &Several) -> Result<Ending, Error> {
    refuse_form(options)?;
    let jobs: Vec<Job> = studies(options, &options.request)?
        .into_iter()
        .map(|study| (study.asked().what.word().to_owned(), study))
        .collect();
    let stop = stop_on_signal()?;
    if planned(options, &jobs, &stop)? {
        return Ok(Ending::Done);
    }
    let mut json = Map::new();
    for job in &jobs {
        let told = match play(options, job, Part::Study(options.shard), &stop)? {
            Played::Whole(told, _) => told,
            Played::Shard(_) => continue,
            Played::Stopped(..) => return Ok(stopped(options, &job.0)),
        };
        let text = report::json(&job.1, &told);
        let document = serde_json::from_str(&text).unwrap_or_default();
        json.insert(job.0.clone(), document);
        if !options.form.is_json() {
            print(&options.form.write(look(), None, &|_| report::page(&job.1, &told)))?;
        }
    }
    match options.shard {
        Some(_) => parted(&jobs),
        None => conclude(options, &document(&json)),
    }
}

/// `caesar balance rules`.
pub(super) fn changed(Changes { several: options, drawing }: &Changes) -> Result<Ending, Error> {
    refuse_form(options)?;
    if let Some(ranges) = drawing.ranges()? {
        return joint::run(options, drawing, &ranges);
    }
    if options.request.set.is_empty() {
        let what = "balance rules asks what a change does: name it, as in --set options.rounds=5, or what is uncertain, \
                    as in --range 'options.rounds=[3, 4, 5]'";
        return Err(Error::Usage(what.to_owned()));
    }
    let jobs = arms(options)?;
    let stop = stop_on_signal()?;
    if planned(options, &jobs, &stop)? {
        return Ok(Ending::Done);
    }
    let mut compared = Vec::new();
    for arms in jobs.chunks(3) {
        let mut said: Vec<Vec<Statement>> = Vec::new();
        for job in arms {
            match play(options, job, Part::Study(options.shard), &stop)? {
                Played::Whole(told, _) => said.push(statements(&job.1, &told.heard)),
                Played::Shard(_) => {}
                Played::Stopped(..) => return Ok(stopped(options, &job.0)),
            }
        }
        if options.shard.is_some() {
            continue;
        }
        compared.push(Compared {
            study: arms[0].1.asked().what.word(),
            moved: differences(&said[0], &said[1]),
            noise: differences(&said[0], &said[2]),
        });
    }
    if options.shard.is_some() {
        return parted(&jobs);
    }
    let set = &options.request.set;
    if !options.form.is_json() {
        let command = format!("caesar balance rules{}", said_of(options));
        let page = |_| rules::page(&compared, set, &command);
        print(&options.form.write(look(), None, &page))?;
    }
    let mut json = facts_of(jobs[0].1.asked());
    if let (Some(json), Json::Object(own)) = (json.as_object_mut(), rules::json(&compared, set)) {
        json.extend(own);
    }
    conclude(options, &document(&json))
}

/// What a document says of all studies before its rows.
pub(super) fn facts_of(asked: &Asked) -> Json {
    json!({
        "game": asked.setup.game,
        "players": asked.facts.players,
        "agents": asked.agents().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "seed": asked.seed,
    })
}

/// Every study under the old rules, under the new ones, and under the old ones on other seeds, one after another.
fn arms(options: &Several) -> Result<Vec<Job>, Error> {
    let seed = options.request.seed.unwrap_or(crate::config::DEFAULT_SEED);
    let arm = |name: &str| {
        let mut request = options.request.clone();
        if name != "new" {
            request.set.clear();
        }
        if name != "old" {
            request.seed = Some(hash_of(&("rules", name, seed)) >> 11);
        }
        studies(options, &request)
    };
    let [old, new, again] = [arm("old")?, arm("new")?, arm("again")?];
    let mut jobs = Vec::new();
    for ((old, new), again) in old.into_iter().zip(new).zip(again) {
        let word = old.asked().what.word();
        let name = |arm: &str| format!("{word}-{arm}");
        jobs.extend([(name("old"), old), (name("new"), new), (name("again"), again)]);
    }
    Ok(jobs)
}

/// The options of the command that plays this again.
pub(super) fn said_of(options: &Several) -> String {
    let studies = options.studies.iter().map(|what| format!(" --study {}", what.word()));
    format!("{} {}", studies.collect::<String>(), options.request.options())
}

/// One table cannot be chosen of several studies.
fn refuse_form(options: &Several) -> Result<(), Error> {
    if options.form.is_csv() {
        let what =
            "--format csv: there are several tables; with --out each is in a file of its own";
        return Err(Error::Usage(what.to_owned()));
    }
    let Some(name) = options.request.name.first() else { return Ok(()) };
    if matches!(options.studies[..], [What::Cards] | [What::Provinces]) {
        return Ok(());
    }
    let message = "not every study has such a name; ask balance cards or balance provinces for it";
    Err(Error::value("name", name, message))
}

/// The studies that are asked for, of those that the game allows.
pub(super) fn studies(options: &Several, request: &Request) -> Result<Vec<Study>, Error> {
    let one = |what: What| {
        let sweep = request.sweep && matches!(what, What::Cards | What::Provinces);
        Study::new(what, &Request { sweep, ..request.clone() }, &files::text)
    };
    if !options.studies.is_empty() {
        let is_asked = |what: &What| options.studies.contains(what);
        return What::ALL.into_iter().filter(is_asked).map(one).collect();
    }
    // Every game has seats: what is wrong with the request is wrong there, too.
    let facts = one(What::Seats)?.asked().facts.clone();
    What::ALL.into_iter().filter(|&what| facts.allow_study(what)).map(one).collect()
}

/// Tells the plan; true if that is all that was asked for.
fn planned(options: &Several, jobs: &[Job], stop: &AtomicBool) -> Result<bool, Error> {
    let n_threads = threads(options.threads);
    let (mut text, seconds) = look_at(options, jobs, stop)?;
    let games = |(_, study): &Job| study.experiment().games_per_block() * study.asked().blocks;
    let games: u64 = jobs.iter().map(games).sum();
    let studies = units::counted(jobs.len() as u64, "run");
    text += &format!("{studies}, {} games in all\n", units::count(games));
    if options.plan {
        print(&text)?;
        let threads = units::counted(n_threads as u64, "thread");
        let all = units::seconds(seconds);
        note(&format!(
            "about {all} in all on {threads} by probes of one block, confirmation not counted"
        ));
    } else if !options.quiet {
        note(text.trim_end());
    }
    Ok(options.plan)
}

/// The plan of some studies, and the seconds that they take by probes, if the plan is all that was asked for.
pub(super) fn look_at(
    options: &Several,
    jobs: &[Job],
    stop: &AtomicBool,
) -> Result<(String, f64), Error> {
    let (mut text, mut seconds) = (String::new(), 0.0);
    for (name, study) in jobs {
        let range = 0..study.asked().blocks;
        text += &format!("{name}: {}", report::plan(study, &range));
        if options.plan {
            seconds += probe(study, &range, threads(options.threads), stop)?.1;
        }
    }
    Ok((text, seconds))
}

/// What is played of a study.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it, or a shard.
    Study(Option<Shard>),
    /// What is compared between draws: the screen without its confirmation.
    Draw,
}

/// Plays a study, or its part.
pub(super) fn play(
    options: &Several,
    job: &Job,
    part: Part,
    stop: &AtomicBool,
) -> Result<Played, Error> {
    let (name, study) = job;
    if !options.quiet {
        note(&format!("{name}:"));
    }
    let how = How {
        out: options.out.as_ref().map(|out| out.join(name)),
        resume: options.resume,
        shard: if let Part::Study(shard) = part { shard } else { None },
        confirms: part != Part::Draw,
        threads: threads(options.threads),
        quiet: options.quiet,
        stop,
    };
    played(study, &how)
}

/// Says how the parts of several studies are joined.
fn parted(jobs: &[Job]) -> Result<Ending, Error> {
    let first = jobs.first().map_or("", |(name, _)| name.as_str());
    print(&format!(
        "a part of {} played; caesar merge joins the parts of each, as PART/{first} of all into WHOLE/{first}, and then \
         this command with --out WHOLE --resume and without --shard tells of all\n",
        units::counted(jobs.len() as u64, "run")
    ))?;
    Ok(Ending::Done)
}

pub(super) fn stopped(options: &Several, name: &str) -> Ending {
    let rest = match options.out {
        Some(_) => "what is played is saved; the same command with --resume goes on",
        None => "nothing is saved; with --out it would have been kept for --resume",
    };
    note(&format!("stopped early in {name}: {rest}"));
    Ending::Stopped
}

/// Writes the document of all, and prints it if it is asked for.
pub(super) fn conclude(options: &Several, text: &str) -> Result<Ending, Error> {
    if let Some(out) = &options.out {
        let place = out.join(SUMMARY);
        let written = write_aside(&place, text.as_bytes());
        written.map_err(Error::output(place.display().to_string()))?;
    }
    if options.form.is_json() {
        print(text)?;
    }
    Ok(Ending::Done)
}
