//! `caesar compare`.

use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::live::Live;
use super::output::{Form, Format};
use super::tournament::stop_on_signal;
use super::{Ending, files, look, note, print, ranged, seats, whole};
use crate::compare::arms::Block;
use crate::compare::fixed_test::FixedTest;
use crate::compare::forecast::{PILOT_BLOCKS, forecast};
use crate::compare::heard::{Heard, value_of};
use crate::compare::panel::{Panel, PanelTest};
use crate::compare::reference_games::{Sharpened, sharpen};
use crate::compare::{Comparison, Design, Request, RuleSet};
use crate::error::Error;
use crate::report::names::Names;
use crate::report::{
    compare as report, comparison, fixed_length, panel as panels, plan as forecasts,
};
use crate::stats::{Moments, Null, Question};
use crate::units;

/// What stands under the options.
pub(super) const AFTER_HELP: &str = "\
Two --agent are the candidate, which takes every seat once in each block of games under the same \
dice, and the baseline in all other seats. The effect is the candidate's share less an equal share: \
H0 says that it is h0, H1 that it is h1. H1 accepted means more than h0, H0 accepted less than h1.
With --rules-a, --set-a, --rules-b or --set-b the agents are one for each seat, or one for all \
seats, and play under both rule sets with the same dice. The effect is the metric under B less that \
under A, and H0 and H1 are about its size in either direction: H1 accepted means that the metric \
differs by more than h0, with the sign of the effect, H0 accepted that it differs by less than h1. \
With one agent for all seats a block is one game under each rule set.
Without --metric a panel is tested: the share of each seat (0.05 is worth finding), mean score and \
length (2 % of the mean under A in a pilot) and changes of the lead in score (0.1), each family with \
a quarter of alpha. It ends when all are decided and says which moved; its intervals hold together.
Metrics: seat-0 and so on (points of a seat), max-seat (the seat that a pilot of 40 blocks on other \
seeds shows to have most points under A), share=AGENT, plies, score, lead-changes, the game's extra columns of \
games.csv; score_1 is that of seat 1.
--fixed N plays N blocks and looks once, for a paper that fixes its sample beforehand: the p-value is \
two-sided and below 0.05 exactly when the 95 % interval by block leaves out h0. Elo of the candidate, \
with both kinds of test, is 400 log10((k - 1) p / (1 - p)) of its share p at a table of k players.
The interval of the test leaves out h0 whenever H1 is accepted, and h1 whenever H0 is; it misses the \
effect with the probabilities alpha (too high) and beta (too low), so it is a 90 % interval unless \
they are given. The confidence sequence holds at whatever moment somebody looks.";

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The game [default: conquest2]
    #[arg(long)]
    game: Option<String>,
    /// Number of players [default: that of the game]
    #[arg(long, value_name = "N", value_parser = seats)]
    players: Option<usize>,
    /// The candidate, then the baseline; for two rule sets one agent for all seats, or one for each
    /// [default for rule sets: that of the game]
    #[arg(long, value_name = "SPEC")]
    agent: Vec<String>,
    /// Rules file (TOML) over the default rules, for both sides
    #[arg(long, value_name = "FILE")]
    rules: Option<String>,
    /// Change one rule for both sides, as in options.rounds=5 (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Rules file of side A, in place of --rules
    #[arg(long, value_name = "FILE")]
    rules_a: Option<String>,
    /// Change one rule of side A (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set_a: Vec<String>,
    /// Rules file of side B, in place of --rules
    #[arg(long, value_name = "FILE")]
    rules_b: Option<String>,
    /// Change one rule of side B (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set_b: Vec<String>,
    /// What is compared between rule sets, see below [default: a panel of metrics]
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// The effect worth finding, in the unit of the metric: short for --h0 0 --h1 E [default: 0.05
    /// points per game]
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    effect: Option<f64>,
    /// The effect under H0, in place of --effect [default: 0]
    #[arg(long, value_name = "A", value_parser = number, allow_hyphen_values = true)]
    h0: Option<f64>,
    /// The effect under H1, above that
    #[arg(long, value_name = "B", value_parser = number, allow_hyphen_values = true)]
    h1: Option<f64>,
    /// Probability to accept H1 where the effect is h0 [default: 0.05]
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    alpha: Option<f64>,
    /// Probability to accept H0 where the effect is h1 [default: 0.05]
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    beta: Option<f64>,
    /// End undecided after so many blocks [default: 20000]
    #[arg(long, value_name = "N", value_parser = whole)]
    max_blocks: Option<u64>,
    /// Play exactly so many blocks and test h0 once, after the last, in place of the sequential test
    #[arg(long, value_name = "N", value_parser = whole)]
    fixed: Option<u64>,
    /// Seed of the run: the same seed gives the same games [default: 1]
    #[arg(long, value_parser = whole)]
    seed: Option<u64>,
    /// Number of threads, at least one for each rule set; changes nothing but the time [default: all
    /// cores]
    #[arg(long, value_name = "T", value_parser = ranged::<u16>(1, 1024))]
    threads: Option<u16>,
    /// Go on from a position of a record, the one before ply PLY of game GAME in FILE (both from 1), under the rules of
    /// that game and treatments given with --set-a and --set-b
    #[arg(long, value_name = "FILE:GAME:PLY")]
    from: Option<String>,
    /// Play only a pilot of 40 blocks on other seeds and print the blocks, games and time to expect
    #[arg(long)]
    plan: bool,
    #[command(flatten)]
    form: Form,
    /// No progress and no notes
    #[arg(long)]
    quiet: bool,
}

/// A number, for options that take one.
fn number(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "expected a number".to_owned())
}

impl Options {
    fn request(&self) -> Request {
        let set = |file: &Option<String>, settings: &[String]| RuleSet {
            file: file.clone(),
            settings: settings.to_vec(),
        };
        Request {
            game: self.game.clone(),
            players: self.players,
            agents: self.agent.clone(),
            rules: set(&self.rules, &self.set),
            arms: [set(&self.rules_a, &self.set_a), set(&self.rules_b, &self.set_b)],
            metric: self.metric.clone(),
            effect: self.effect,
            h0: self.h0,
            h1: self.h1,
            alpha: self.alpha,
            beta: self.beta,
            most_blocks: self.max_blocks,
            fixed: self.fixed,
            seed: self.seed,
            from: self.from.clone(),
        }
    }

    fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    fn note(&self, line: &str) {
        if !self.quiet {
            note(line);
        }
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    if let Some(blocks) = options.fixed.filter(|_| options.plan) {
        let message = "the plan is what a sequential test will need, and how many blocks one of fixed length: give \
                       either fixed or plan";
        return Err(Error::value("fixed", blocks.to_string(), message));
    }
    let request = options.request();
    if Panel::is_asked(&request) {
        if options.plan {
            let message = "--plan is for one metric, and without --metric a panel of them is tested: name one, as in \
                           --metric seat-0";
            return Err(Error::Usage(message.to_owned()));
        }
        let stop = stop_on_signal()?;
        return panel(options, &Panel::new(&request, &files::text)?, &stop);
    }
    let mut comparison = Comparison::new(&request, &files::text)?;
    let stop = stop_on_signal()?;
    if options.plan || comparison.metric.is_open() {
        let mut live = Live::new(options.quiet);
        let look = &mut |n| live.look(|| format!("pilot: {n} of {PILOT_BLOCKS} blocks"));
        let pilot = comparison.pilot(options.threads(), &stop, look)?;
        live.finish();
        if stop.load(Ordering::Relaxed) {
            note("stopped early in the pilot: nothing is known yet");
            return Ok(Ending::Stopped);
        }
        let seconds = live.seconds();
        if comparison.metric.is_open() {
            comparison.settle(&pilot);
            let seat = comparison.metric.name();
            options.note(&format!("max-seat is {seat}: most points under A in the pilot"));
        }
        if options.plan {
            return plan(options, &comparison, &pilot, seconds);
        }
    }
    match comparison.design {
        Design::Sequential(question) => test(options, &comparison, question, &stop),
        Design::Fixed(null) => test_fixed(options, &comparison, null, &stop),
    }
}

fn plan(
    options: &Options,
    comparison: &Comparison,
    pilot: &[Vec<Block>],
    seconds: f64,
) -> Result<Ending, Error> {
    let mut values = Moments::default();
    for blocks in pilot {
        values.add(value_of(blocks, 0));
    }
    let Design::Sequential(question) = &comparison.design else { return Ok(Ending::Done) };
    let forecast = forecast(question, values.variance().sqrt());
    let page = |longest| {
        let names = Names::of(&comparison.plans[0], longest);
        comparison::forecast(comparison, &values, &forecast, seconds, &names)
    };
    print(&match options.form.format() {
        Format::Json => forecasts::forecast_json(comparison, &values, &forecast, seconds),
        Format::Table => forecasts::forecast(comparison, &values, &forecast, seconds, look()),
        _ => options.form.write(look(), None, &page),
    })?;
    Ok(Ending::Done)
}

fn test(
    options: &Options,
    comparison: &Comparison,
    question: Question,
    stop: &AtomicBool,
) -> Result<Ending, Error> {
    let mut live = Live::new(options.quiet);
    let mut test = comparison.sequential_test(question);
    comparison.play(options.threads(), stop, &mut |blocks| {
        let go_on = test.hear(blocks);
        live.look(|| report::progress(comparison, &test));
        go_on
    })?;
    live.finish();
    let seconds = live.seconds();
    let sharpened = control_variate(options, comparison, test.heard(), test.was_stopped(), stop)?;
    let sharpened = sharpened.as_ref();
    let page = |longest| {
        let names = Names::of(&comparison.plans[0], longest);
        comparison::page(comparison, &test, sharpened, &names)
    };
    print(&match options.form.format() {
        Format::Json => report::json(comparison, &test, sharpened),
        Format::Table => {
            report::text(comparison, &test, sharpened, look())
                + &speed_line(test.heard(), options, seconds)
        }
        _ => options.form.write(look(), None, &page),
    })?;
    if test.was_stopped() {
        note(
            "stopped early: this is what is known; the same command plays on from the first block to a verdict",
        );
        return Ok(Ending::Stopped);
    }
    Ok(Ending::Done)
}

/// The same of a test of fixed length.
fn test_fixed(
    options: &Options,
    comparison: &Comparison,
    null: Null,
    stop: &AtomicBool,
) -> Result<Ending, Error> {
    let mut live = Live::new(options.quiet);
    let mut test: FixedTest = comparison.fixed_test(null);
    comparison.play(options.threads(), stop, &mut |blocks| {
        let go_on = test.hear(blocks);
        live.look(|| fixed_length::progress(&test));
        go_on
    })?;
    live.finish();
    let seconds = live.seconds();
    let sharpened = control_variate(options, comparison, test.heard(), test.was_stopped(), stop)?;
    let sharpened = sharpened.as_ref();
    let page = |longest| {
        let names = Names::of(&comparison.plans[0], longest);
        comparison::fixed_page(comparison, &test, sharpened, &names)
    };
    print(&match options.form.format() {
        Format::Json => fixed_length::json(comparison, &test, sharpened),
        Format::Table => {
            fixed_length::text(comparison, &test, sharpened, look())
                + &speed_line(test.heard(), options, seconds)
        }
        _ => options.form.write(look(), None, &page),
    })?;
    if test.was_stopped() {
        note(
            "stopped early: this is what is known; the same command plays all of the blocks from the first",
        );
        return Ok(Ending::Stopped);
    }
    Ok(Ending::Done)
}

/// A panel of metrics: a pilot, which says what is worth finding, then all tests.
fn panel(options: &Options, panel: &Panel, stop: &AtomicBool) -> Result<Ending, Error> {
    let mut live = Live::new(options.quiet);
    let look_at = &mut |n| live.look(|| format!("pilot: {n} of {PILOT_BLOCKS} blocks"));
    let (members, left_out) = panel.members(options.threads(), stop, look_at)?;
    live.finish();
    if stop.load(Ordering::Relaxed) {
        note("stopped early in the pilot: nothing is known yet");
        return Ok(Ending::Stopped);
    }
    let mut live = Live::new(options.quiet);
    let watch = &mut |test: &PanelTest| live.look(|| panels::progress(test));
    let test = panel.play(members, options.threads(), stop, watch)?;
    live.finish();
    let seconds = live.seconds();
    let page = |longest| {
        let names = Names::of(&panel.plans[0], longest);
        panels::page(panel, &test, &left_out, &names)
    };
    print(&match options.form.format() {
        Format::Json => panels::json(panel, &test, &left_out),
        Format::Table => {
            options.form.write(look(), None, &page) + &speed_line(test.heard(), options, seconds)
        }
        _ => options.form.write(look(), None, &page),
    })?;
    if test.was_stopped() {
        note(
            "stopped early: this is what is known; the same command plays on from the first block to all verdicts",
        );
        return Ok(Ending::Stopped);
    }
    Ok(Ending::Done)
}

/// What reference games add; nothing after a stop.
fn control_variate(
    options: &Options,
    comparison: &Comparison,
    heard: &Heard,
    was_stopped: bool,
    stop: &AtomicBool,
) -> Result<Option<Sharpened>, Error> {
    if was_stopped {
        return Ok(None);
    }
    sharpen(comparison, heard.values(), options.threads(), stop)
}

fn speed_line(heard: &Heard, options: &Options, seconds: f64) -> String {
    let threads = options.threads();
    format!(
        "{:<8} {} games/s on {} ({})\n",
        "speed",
        units::rate(heard.games() as f64 / seconds),
        units::counted(threads as u64, "thread"),
        units::seconds(seconds)
    )
}
