//! `caesar balance rules --range`: finds the statements that hold under joint draws of uncertain rule numbers.

use std::sync::atomic::AtomicBool;

use clap::Args;
use engine::hash_of;
use serde_json::{Map, Value as Json, json};

use super::ended::{conclude, stopped};
use super::run::Played;
use super::several::{Job, Part, Pick, Several, facts_of, look_at, options_text, play, studies};
use crate::cli::running::stop_on_signal;
use crate::cli::{Ending, files, look, note, print};
use crate::report::balance::joint::{self as report, Studied};
use lab::balance::joint::{DRAWS, FEWEST, MOST, Ranges, judged};
use lab::balance::request::Request;
use lab::balance::statements::{Statement, statements};
use lab::balance::study::BalanceStudy;
use sim::config::numbers::{ranged, whole};
use sim::config::{DEFAULT_SEED, RuleSet};
use sim::document::document;
use sim::error::Error;
use sim::units;

/// Options of the joint draws.
#[derive(Debug, Args)]
pub(super) struct Drawing {
    /// Draw an uncertain rule among these values, as in options.rounds=[3, 4, 5], instead of --set (repeatable)
    #[arg(long, value_name = "KEY=[V, V]", conflicts_with = "set")]
    range: Vec<String>,
    /// File (TOML) of uncertain rules: a rules file with a list of values for each key
    #[arg(long, value_name = "FILE", conflicts_with = "set")]
    ranges: Option<String>,
    /// Number of joint draws [default: 50]
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(FEWEST, MOST))]
    joint_draws: Option<u64>,
    /// Blocks of each joint draw [default: --blocks]
    #[arg(long, value_name = "N", value_parser = whole)]
    draw_blocks: Option<u64>,
}

impl Drawing {
    /// Returns the ranges of the draws; `None` if no option names them.
    pub(super) fn ranges(&self) -> Result<Option<Ranges>, Error> {
        let mut ranges = match &self.ranges {
            None => Ranges::default(),
            Some(path) => {
                let text = files::text(path).map_err(|e| Error::unreadable("ranges", path, &e))?;
                Ranges::read(path, &text)?
            }
        };
        self.range.iter().try_for_each(|range| ranges.add_text(range))?;
        let more = [
            ("joint-draws", self.joint_draws.is_some()),
            ("draw-blocks", self.draw_blocks.is_some()),
        ];
        if !ranges.is_empty() {
            return Ok(Some(ranges));
        }
        match more.into_iter().find(|(_, is_set)| *is_set) {
            None if self.ranges.is_none() => Ok(None),
            None => Err(Error::Usage("--ranges: the file names no key to draw".to_owned())),
            Some((name, _)) => Err(Error::Usage(format!(
                "--{name}: no rule is drawn; name one, as in --range 'options.rounds=[3, 4, 5]'"
            ))),
        }
    }

    /// Returns the options that request this.
    fn options(&self) -> String {
        let mut words: Vec<String> =
            self.range.iter().map(|range| format!(" --range '{range}'")).collect();
        words.extend(self.ranges.iter().map(|path| format!(" --ranges {path}")));
        words.extend(self.joint_draws.map(|n| format!(" --joint-draws {n}")));
        words.extend(self.draw_blocks.map(|n| format!(" --draw-blocks {n}")));
        words.concat()
    }
}

/// Runs `caesar balance rules` with ranges.
pub(super) fn run(options: &Several, drawing: &Drawing, ranges: &Ranges) -> Result<Ending, Error> {
    let draws = drawing.joint_draws.unwrap_or(DRAWS);
    if options.studies.contains(&Pick::Game) {
        let message = "its figures have no sign that draws could keep; use balance rules --set";
        return Err(Error::value("study", "game", message));
    }
    let job = |study: BalanceStudy| (study.validated().what.word().to_owned(), study);
    let printed: Vec<Job> = studies(options, &options.request)?.into_iter().map(job).collect();
    ranges.check(&printed[0].1.validated().setup)?;
    let draw = Draw { options, drawing, ranges };
    let first = draw.jobs(0)?;
    let stop = stop_on_signal()?;
    if planned(options, [&printed, &first], draws, &stop)? {
        return Ok(Ending::Done);
    }
    let words = || printed.iter().map(|(word, _)| word.clone());
    let drawn = (1..=draws).flat_map(|number| words().map(move |word| named(number, &word)));
    options.make_way(&words().chain(drawn).collect::<Vec<_>>())?;
    let mut by_run: Vec<Vec<Vec<Statement>>> = Vec::new();
    let mine = |number: &u64| options.shard.is_none_or(|s| number % s.of == s.index - 1);
    for number in (0..=draws).filter(mine) {
        let drawn = if number > 0 { draw.jobs(number - 1)? } else { Vec::new() };
        let mut studied = Vec::new();
        for job in if number > 0 { &drawn } else { &printed } {
            match play(options, job, Part::Draw, &stop)? {
                Played::Whole(result, _) => studied.push(statements(&job.1, &result.effects)),
                Played::Shard(_) | Played::Stopped(..) => {
                    return Ok(stopped(options.out.as_deref(), &job.0));
                }
            }
        }
        by_run.push(studied);
    }
    if options.shard.is_some() {
        print(
            "its draws are played; put the directories of all parts into one, then run this command with --out and \
             --resume and without --shard\n",
        )?;
        return Ok(Ending::Done);
    }
    let of_study = |(i, (_, study)): (usize, &Job)| {
        let drawn: Vec<Vec<Statement>> = by_run[1..].iter().map(|run| run[i].clone()).collect();
        Studied { study: study.validated().what.word(), all: judged(&by_run[0][i], &drawn) }
    };
    let studied: Vec<Studied> = printed.iter().enumerate().map(of_study).collect();
    if !options.form.is_json() {
        let command = format!("caesar balance rules{}{}", drawing.options(), options_text(options));
        print(&options.form.write(look(), None, &|_| report::page(&studied, draws, &command)))?;
    }
    let about = json!({
        "blocks": printed[0].1.validated().blocks,
        "draws": draws,
        "draw_blocks": first[0].1.validated().blocks,
        "ranges": ranges.json(),
    });
    let parts = [facts_of(printed[0].1.validated()), about, report::json(&studied)];
    let all: Map<String, Json> =
        parts.into_iter().flat_map(|part| part.as_object().cloned().unwrap_or_default()).collect();
    conclude(options.out.as_deref(), options.form.is_json(), &document(&all))
}

/// Prints the plan if it was requested. Returns true if the command ends with it.
fn planned(
    options: &Several,
    [printed, first]: [&[Job]; 2],
    draws: u64,
    stop: &AtomicBool,
) -> Result<bool, Error> {
    let (text, seconds) = look_at(options, printed, stop)?;
    let (of_draw, more) = look_at(options, first, stop)?;
    let text =
        format!("{text}{} of the rules, each:\n{of_draw}", units::counted(draws, "joint draw"));
    if options.plan {
        print(&text)?;
        let all = units::seconds(seconds + more * draws as f64);
        note(&format!("about {all} in all (estimated from a few games, without the confirmation)"));
    } else if !options.quiet {
        note(text.trim_end());
    }
    Ok(options.plan)
}

/// Returns the directory of a study under the rules that were drawn as number `number`, from 1.
fn named(number: u64, word: &str) -> String {
    format!("draw-{number:02}-{word}")
}

/// Studies under drawn rules.
struct Draw<'a> {
    options: &'a Several,
    drawing: &'a Drawing,
    ranges: &'a Ranges,
}

impl Draw<'_> {
    /// Returns the studies of one draw, on separate seeds.
    fn jobs(&self, number: u64) -> Result<Vec<Job>, Error> {
        let request = &self.options.request;
        let seed = request.seed.unwrap_or(DEFAULT_SEED);
        let blocks = self.drawing.draw_blocks;
        let request = Request {
            rules: RuleSet { settings: self.ranges.drawn(seed, number), ..request.rules.clone() },
            seed: Some(hash_of(&("joint draw", number, seed)) >> 11),
            blocks: blocks.or(request.blocks),
            quick: request.quick && blocks.is_none(),
            ..request.clone()
        };
        let name = |study: BalanceStudy| (named(number + 1, study.validated().what.word()), study);
        Ok(studies(self.options, &request)?.into_iter().map(name).collect())
    }
}
