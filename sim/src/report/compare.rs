//! What a comparison came to, as text and as JSON.

use serde_json::{Value as Json, json};

use super::json::document;
use super::rules;
use crate::compare::Comparison;
use crate::compare::forecast::{Forecast, detectable};
use crate::compare::judge::Judge;
use crate::compare::mirror::Sharpened;
use crate::stats::gsprt::LEAST_BLOCKS;
use crate::stats::{Interval, Moments, Sides, Verdict};
use crate::units;

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accept => "accept",
        Verdict::Reject => "reject",
        Verdict::Undecided => "undecided",
    }
}

/// The result as one JSON document: `verdict`, `effect`, `low`, `high`, `blocks`, `games`, and more after these.
#[must_use]
pub fn json(comparison: &Comparison, judge: &Judge, sharpened: Option<&Sharpened>) -> String {
    let (sequence, naive) = (judge.sequence(), judge.naive());
    let question = &comparison.question;
    let sharpened = sharpened.map(|Sharpened { covariate, effect }| {
        json!({
            "covariate": covariate,
            "effect": effect.mean,
            "low": effect.interval.low,
            "high": effect.interval.high,
            "r_squared": effect.r_squared,
            "gain": effect.gain,
        })
    });
    let result = json!({
        "verdict": word(judge.test().verdict()),
        "effect": judge.effect(),
        "low": sequence.low,
        "high": sequence.high,
        "blocks": judge.blocks(),
        "games": judge.games(),
        "naive_low": naive.low,
        "naive_high": naive.high,
        "means": judge.arms().iter().map(|arm| arm.values.mean()).collect::<Vec<_>>(),
        "metric": comparison.metric.name(),
        "unit": comparison.metric.unit(),
        "tested_effect": question.effect,
        "alpha": question.alpha,
        "beta": question.beta,
        "ratios": &judge.test().ratios()[..if question.sides == Sides::Both { 2 } else { 1 }],
        "gain": judge.gain(),
        "control_variate": sharpened,
        "forfeits": judge.arms().iter().map(|arm| arm.forfeits).collect::<Vec<_>>(),
        "seed": comparison.seed(),
        "command": comparison.command(),
    });
    document(&with_changes(result, comparison))
}

/// The result for people, down to the command.
#[must_use]
pub fn text(comparison: &Comparison, judge: &Judge, sharpened: Option<&Sharpened>) -> String {
    let unit = comparison.metric.unit();
    let mut lines = vec![
        ("verdict", verdict(comparison, judge)),
        ("effect", format!("{} {unit}", number(comparison, judge.effect(), true))),
        (
            "95 %",
            format!(
                "{} confidence sequence{}: holds at whatever moment a run stops",
                interval(comparison, judge.sequence()),
                if comparison.metric.is_share() { "" } else { " (for many blocks)" }
            ),
        ),
        (
            "naive",
            format!(
                "{} 95 % interval by block, as if the number of blocks had been fixed",
                interval(comparison, judge.naive())
            ),
        ),
        ("means", means(comparison, judge)),
        ("test", ratios(judge)),
        ("gain", gain(judge)),
        ("control", control(comparison, sharpened)),
        ("played", played(comparison, judge)),
    ];
    if judge.test().verdict() == Verdict::Accept && judge.sequence().contains(0.0) {
        let note = "the confidence sequence still includes 0: it asks for more than the test, which had \
                    to tell two sizes of effect apart";
        lines.push(("note", note.to_owned()));
    }
    lines.extend(caveats(comparison, judge));
    lines.extend(rules_lines(comparison));
    lines.push(("seed", format!("{}: {}", comparison.seed(), comparison.command())));
    listed(&lines)
}

/// What the rules rest on and what was changed of them, for each side.
fn rules_lines(comparison: &Comparison) -> impl Iterator<Item = (&'static str, String)> {
    let names = if comparison.plans.len() == 1 { ["rules"; 2] } else { ["rules A", "rules B"] };
    let sides = comparison.plans.iter().zip(names);
    sides.filter_map(|(plan, name)| Some((name, rules::line(comparison.game(), &plan.changes)?)))
}

/// A document with what was changed of the rules of each side, if anything was.
fn with_changes(mut document: Json, comparison: &Comparison) -> Json {
    let arms: Vec<_> = comparison.plans.iter().map(|plan| &plan.changes).collect();
    if arms.iter().any(|changes| !changes.is_empty()) {
        document[rules::KEY] = json!(arms);
    }
    document
}

/// Lines with their names in a column before them.
fn listed(lines: &[(&str, String)]) -> String {
    lines.iter().map(|(name, line)| format!("{name:<8} {line}\n")).collect()
}

/// One line on how far a comparison is.
#[must_use]
pub fn progress(comparison: &Comparison, judge: &Judge) -> String {
    let (reject, accept) = judge.test().question().bounds();
    let sides = judge.test().question().sides;
    let ratios = judge.test().ratios();
    let ratio = match sides {
        Sides::Above => units::mean(ratios[0]),
        Sides::Both => {
            format!("{} above, {} below", units::mean(ratios[0]), units::mean(ratios[1]))
        }
    };
    format!(
        "{}, {}: effect {} {}, log ratio {ratio} ({reject:.2} rejects, {accept:.2} accepts)",
        units::counted(judge.blocks(), "block"),
        units::counted(judge.games(), "game"),
        number(comparison, judge.effect(), true),
        interval(comparison, judge.sequence()),
    )
}

/// A number in the unit of the metric.
fn number(comparison: &Comparison, x: f64, is_signed: bool) -> String {
    let digits = if comparison.metric.is_share() { 4 } else { 2 };
    if is_signed { units::signed(x, digits) } else { units::fixed(x, digits) }
}

fn interval(comparison: &Comparison, Interval { low, high }: Interval) -> String {
    if !low.is_finite() || !high.is_finite() {
        return format!("[unknown before {LEAST_BLOCKS} blocks]");
    }
    format!("[{}, {}]", number(comparison, low, true), number(comparison, high, true))
}

fn verdict(comparison: &Comparison, judge: &Judge) -> String {
    let verdict = judge.test().verdict();
    let effect = number(comparison, comparison.question.effect, false);
    let name = comparison.metric.name();
    let is_agents = comparison.plans.len() == 1;
    let what = match verdict {
        Verdict::Accept if is_agents => {
            let specs = comparison.plans[0].specs();
            format!("{} is better than {}", specs[0], specs[1])
        }
        Verdict::Reject if is_agents => {
            let specs = comparison.plans[0].specs();
            format!("{} does not gain {effect} on {}", specs[0], specs[1])
        }
        Verdict::Accept => {
            let side = if judge.effect() > 0.0 { "larger" } else { "smaller" };
            format!("{name} is {side} under B than under A")
        }
        Verdict::Reject => format!("{name} does not differ by {effect} between A and B"),
        Verdict::Undecided => {
            return format!(
                "not decided after {}, which does not mean equal",
                units::counted(judge.blocks(), "block")
            );
        }
    };
    format!("{}: {what}", word(verdict))
}

fn means(comparison: &Comparison, judge: &Judge) -> String {
    let mean = |arm: usize| number(comparison, judge.arms()[arm].values.mean(), false);
    match comparison.plans.len() {
        1 => format!(
            "{} of the candidate, an equal share is {}",
            mean(0),
            number(comparison, comparison.question.null, false)
        ),
        _ => format!("{}: {} under A, {} under B", comparison.metric.name(), mean(0), mean(1)),
    }
}

fn ratios(judge: &Judge) -> String {
    let question = judge.test().question();
    let (reject, accept) = question.bounds();
    let ratios = judge.test().ratios();
    let seen = match question.sides {
        Sides::Above => format!("log-likelihood ratio {}", units::mean(ratios[0])),
        Sides::Both => {
            format!(
                "log-likelihood ratios {} above and {} below 0",
                units::mean(ratios[0]),
                units::mean(ratios[1])
            )
        }
    };
    format!(
        "{seen}; {reject:.2} rejects, {accept:.2} accepts an effect of {} (alpha {}, beta {})",
        question.effect, question.alpha, question.beta
    )
}

fn gain(judge: &Judge) -> String {
    let Some(gain) = judge.gain() else {
        return "not known: all blocks came out alike".to_owned();
    };
    let against = match judge.arms().len() {
        1 => "games with dice of their own: the candidate sits in every seat under the same dice",
        _ => {
            "games with dice of their own in each arm: both arms meet the same set-up, decks and dice"
        }
    };
    format!("equivalent to {gain:.2} times the {against}")
}

fn control(comparison: &Comparison, sharpened: Option<&Sharpened>) -> String {
    let Some(Sharpened { covariate, effect }) = sharpened else {
        return "no control variate helps: games of a cheap agent with the same dice say nothing more"
            .to_owned();
    };
    format!(
        "{} {} naive, by regression on {covariate}: equivalent to {:.2} times the games (R² {:.2})",
        number(comparison, effect.mean, true),
        interval(comparison, effect.interval),
        effect.gain,
        effect.r_squared
    )
}

fn played(comparison: &Comparison, judge: &Judge) -> String {
    format!(
        "{} of {} with {} players in {}",
        units::counted(judge.games(), "game"),
        comparison.game(),
        comparison.plans[0].players,
        units::counted(judge.blocks(), "block"),
    )
}

/// Agents that cheat, think for a time or broke off games.
fn caveats(comparison: &Comparison, judge: &Judge) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let plan = &comparison.plans[0];
    let mut specs = plan.specs();
    specs.dedup();
    for spec in specs {
        let caveat = plan.caveat(&spec);
        if caveat.cheats {
            lines.push(("cheats", format!("{spec} sees what is hidden from its seat")));
        }
        if caveat.is_timed {
            let what = "thinks for a time, so another run plays other games";
            lines.push(("timed", format!("{spec} {what}")));
        }
    }
    for arm in judge.arms() {
        if let Some(first) = &arm.first_forfeit {
            lines.push(("forfeits", format!("{}, {first}", units::counted(arm.forfeits, "game"))));
        }
    }
    lines
}

/// What a test will need, for people: from the values of a pilot's blocks that took `seconds`.
#[must_use]
pub fn forecast(
    comparison: &Comparison,
    pilot: &Moments,
    forecast: &Forecast,
    seconds: f64,
) -> String {
    let spread = pilot.variance().sqrt();
    let per_block = comparison.games_per_block() as f64;
    let pace = seconds / pilot.n().max(1) as f64;
    let need = |blocks: f64| {
        let blocks = blocks.ceil();
        let time = units::seconds(blocks * pace);
        let games = units::count((blocks * per_block) as u64);
        format!("{} blocks, {games} games, {time}", units::count(blocks as u64))
    };
    let seen = detectable(&comparison.question, spread, comparison.most_blocks());
    let effect = number(comparison, comparison.question.effect, false);
    let mut lines = vec![
        (
            "pilot",
            format!(
                "{} on seed {}, none of them of the test; a block's value has the standard deviation {}",
                units::counted(pilot.n(), "block"),
                comparison.pilot_seed(),
                number(comparison, spread, false)
            ),
        ),
        ("fixed", format!("{} for a fixed number", need(forecast.fixed))),
        ("no", format!("{} on average if there is no effect", need(forecast.without_effect))),
        ("yes", format!("{} on average if the effect is {effect}", need(forecast.with_effect))),
        (
            "most",
            format!(
                "{}: enough for an effect of {}",
                need(comparison.most_blocks() as f64),
                number(comparison, seen, false)
            ),
        ),
        (
            "note",
            format!(
                "a pilot of {} knows these numbers to about half; no verdict before {LEAST_BLOCKS} blocks",
                units::counted(pilot.n(), "block")
            ),
        ),
    ];
    lines.extend(rules_lines(comparison));
    lines.push(("seed", format!("{}: {}", comparison.seed(), comparison.command())));
    listed(&lines)
}

/// The same as one JSON document.
#[must_use]
pub fn forecast_json(
    comparison: &Comparison,
    pilot: &Moments,
    forecast: &Forecast,
    seconds: f64,
) -> String {
    let per_block = comparison.games_per_block() as f64;
    let pace = seconds / pilot.n().max(1) as f64;
    let need = |blocks: f64| {
        let blocks = blocks.ceil();
        json!({"blocks": blocks, "games": blocks * per_block, "minutes": blocks * pace / 60.0})
    };
    let forecast = json!({
        "pilot_blocks": pilot.n(),
        "pilot_seed": comparison.pilot_seed(),
        "spread": pilot.variance().sqrt(),
        "fixed": need(forecast.fixed),
        "without_effect": need(forecast.without_effect),
        "with_effect": need(forecast.with_effect),
        "command": comparison.command(),
    });
    document(&with_changes(forecast, comparison))
}
