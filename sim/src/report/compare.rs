//! What a comparison came to, as text and as JSON.

use agents::AgentSpec;
use serde_json::{Value as Json, json};

use super::format::terminal::{Look, listed};
use super::names::Names;
use super::table::{Mark, Note};
use super::{luck, rules};
use crate::compare::reference_games::Sharpened;
use crate::compare::sequential_test::SequentialTest;
use crate::compare::{Comparison, heard::Heard};
use crate::config::Plan;
use crate::document::document;
use crate::stats::elo::{self, EloDifference};
use crate::stats::gsprt::LEAST_BLOCKS;
use crate::stats::{Interval, Sides, Verdict};
use crate::units;

/// The result as one JSON document: `verdict`, `h0`, `h1`, `effect`, `low`, `high`, `p`, `blocks`, `games`, and more
/// after these. What does not exist is null.
#[must_use]
pub fn json(
    comparison: &Comparison,
    test: &SequentialTest,
    sharpened: Option<&Sharpened>,
) -> String {
    let (stopped, sequence, naive) = (test.stopped(), test.sequence(), test.naive());
    let question = test.gsprt().question();
    let elo = stopped.and_then(|s| lead(comparison, test.heard(), s.estimate, s.interval));
    let result = json!({
        "verdict": test.gsprt().verdict().name(),
        "h0": question.h0,
        "h1": question.h1,
        "effect": stopped.map(|s| s.estimate),
        "low": stopped.map(|s| s.interval.low),
        "high": stopped.map(|s| s.interval.high),
        "p": stopped.map(|s| s.p),
        "blocks": test.blocks(),
        "games": test.heard().games(),
        "elo": elo.map(|e| e.elo),
        "elo_low": elo.map(|e| e.interval.low),
        "elo_high": elo.map(|e| e.interval.high),
        "design": "sequential",
        "level": stopped.map(|s| s.level),
        "is_two_sided": question.sides == Sides::Both,
        "mean_effect": test.effect(),
        "sequence_low": sequence.low,
        "sequence_high": sequence.high,
        "naive_low": naive.low,
        "naive_high": naive.high,
        "alpha": question.alpha,
        "beta": question.beta,
        "ratios": &test.gsprt().ratios()[..if question.sides == Sides::Both { 2 } else { 1 }],
    });
    whole_document(result, comparison, test.heard(), sharpened)
}

/// A document of a result with what is told of every comparison.
pub(super) fn whole_document(
    mut result: Json,
    comparison: &Comparison,
    heard: &Heard,
    sharpened: Option<&Sharpened>,
) -> String {
    let efficiency = heard.relative_efficiency();
    let sharpened = sharpened.map(|Sharpened { covariate, effect }| {
        json!({
            "covariate": covariate,
            "effect": effect.mean,
            "low": effect.interval.low,
            "high": effect.interval.high,
            "r_squared": effect.r_squared,
            "relative_efficiency": effect.relative_efficiency,
        })
    });
    let common = json!({
        "means": heard.arms().iter().map(|arm| arm.values.mean()).collect::<Vec<_>>(),
        "metric": comparison.metric.name(),
        "unit": comparison.metric.unit(),
        "relative_efficiency": efficiency.map(|g| g.ratio),
        "relative_efficiency_low": efficiency.and_then(|g| g.interval).map(|i| i.low),
        "relative_efficiency_high": efficiency.and_then(|g| g.interval).map(|i| i.high),
        "control_variate": sharpened,
        "forfeits": heard.arms().iter().map(|arm| arm.forfeits).collect::<Vec<_>>(),
        "seed": comparison.seed(),
        "command": comparison.command(),
    });
    if let (Json::Object(result), Json::Object(common)) = (&mut result, common) {
        result.extend(common);
    }
    if heard.luck().is_some() {
        result["luck"] = luck::document(comparison, heard);
    }
    document(&with_labels(with_changes(result, &comparison.plans), &comparison.plans))
}

/// A document with the agents that have labels, if any has one.
pub(super) fn with_labels(mut document: Json, plans: &[Plan]) -> Json {
    let lineup = &plans[0].lineup;
    if lineup.iter().any(|agent| agent.label().is_some()) {
        let n = if plans.len() == 1 { 2 } else { lineup.len() };
        let agent = |agent: &AgentSpec| json!({"label": agent.label(), "spec": agent.to_string()});
        document["agents"] = lineup.iter().take(n).map(agent).collect();
    }
    document
}

/// The result for people, down to the command.
#[must_use]
pub fn text(
    comparison: &Comparison,
    test: &SequentialTest,
    sharpened: Option<&Sharpened>,
    look: Look,
) -> String {
    let mut lines = effect(comparison, test);
    lines.extend([
        (
            "always",
            format!(
                "{} 95 % confidence sequence{}: holds at whatever moment somebody looks",
                interval(comparison, test.sequence()),
                if comparison.metric.is_share() { "" } else { " (for many blocks)" }
            ),
        ),
        ("means", means(comparison, test.heard())),
        ("test", ratios(test)),
        ("shared", efficiency(test.heard())),
        ("control", control(comparison, sharpened)),
    ]);
    lines.extend(luck::sentence(comparison, test.heard()));
    lines.push(("played", played(comparison, test.heard())));
    lines.extend(unsettled(test).map(|note| ("note", note)));
    lines.extend(caveats(comparison, test.heard()));
    let mark = match test.gsprt().verdict() {
        Verdict::H1 | Verdict::H0 => Mark::Winner,
        Verdict::Undecided => Mark::Open,
    };
    let verdict = ("verdict", Note::new(verdict(comparison, test)).marked(mark));
    listed(&closed(comparison, std::iter::once(verdict).chain(sentences(lines))), look)
}

/// Sentences with what they are about.
pub(super) type Lines = Vec<(&'static str, Note)>;

pub(super) fn sentences(
    lines: Vec<(&'static str, String)>,
) -> impl Iterator<Item = (&'static str, Note)> {
    lines.into_iter().map(|(name, text)| {
        let is_caveat = matches!(name, "cheats" | "timed" | "forfeits");
        (name, Note::new(text).marked(if is_caveat { Mark::Caveat } else { Mark::Plain }))
    })
}

/// The same lines, then who is called otherwise than by the spec, the rules, and the command.
pub(super) fn closed(
    comparison: &Comparison,
    lines: impl Iterator<Item = (&'static str, Note)>,
) -> Lines {
    let mut lines: Lines = lines.collect();
    let names = Names::of(&comparison.plans[0], usize::MAX);
    lines.extend(names.legend().map(|note| ("agent", note)));
    lines.extend(sentences(rules_lines(comparison).collect()));
    let seed = Note::new(comparison.seed().to_string()).before(comparison.command());
    lines.push(("seed", seed));
    lines
}

/// Estimate, interval and p-value of the test.
fn effect(comparison: &Comparison, test: &SequentialTest) -> Vec<(&'static str, String)> {
    let (unit, mean) = (comparison.metric.unit(), number(comparison, test.effect(), true));
    let Some(stopped) = test.stopped() else {
        let unknown = format!("{mean} {unit}; nothing is known of its spread: no interval");
        return vec![("effect", unknown)];
    };
    let estimate = number(comparison, stopped.estimate, true);
    let refused = match test.gsprt().verdict() {
        Verdict::H1 => ": leaves out h0",
        Verdict::H0 => ": leaves out h1",
        Verdict::Undecided => "",
    };
    let mut lines = vec![
        (
            "effect",
            format!("{estimate} {unit}, the median-unbiased estimate (mean of the blocks {mean})"),
        ),
        (
            "interval",
            format!(
                "{} {:.0} % interval of the test{refused}; {} against h0",
                interval(comparison, stopped.interval),
                100.0 * stopped.level,
                units::p_value(stopped.p),
            ),
        ),
    ];
    lines.extend(elo(comparison, test.heard(), stopped.estimate, stopped.interval));
    lines
}

/// The candidate's lead in Elo over the baselines; rule sets have none.
pub(super) fn lead(
    comparison: &Comparison,
    heard: &Heard,
    effect: f64,
    Interval { low, high }: Interval,
) -> Option<EloDifference> {
    let zero = comparison.design.zero();
    let shares = Interval { low: zero + low, high: zero + high };
    let players = comparison.plans[0].players;
    let lead = || elo::lead(zero + effect, shares, heard.blocks(), players);
    (comparison.plans.len() == 1).then(lead)
}

/// The same for people.
pub(super) fn elo(
    comparison: &Comparison,
    heard: &Heard,
    effect: f64,
    interval: Interval,
) -> Option<(&'static str, String)> {
    let EloDifference { elo, interval } = lead(comparison, heard, effect, interval)?;
    let formula = match comparison.plans[0].players {
        2 => "400 log10(p / (1 - p)) of the share p".to_owned(),
        k => format!("400 log10({} p / (1 - p)) of the share p, 0 at an equal share", k - 1),
    };
    let (low, high) = (units::elo(interval.low), units::elo(interval.high));
    Some(("elo", format!("{} [{low}, {high}], the same as Elo: {formula}", units::elo(elo))))
}

/// What to say where the confidence sequence still holds the hypothesis that the test refused.
fn unsettled(test: &SequentialTest) -> Option<String> {
    let question = test.gsprt().question();
    let (name, refused) = match test.gsprt().verdict() {
        Verdict::H1 => ("h0", question.h0),
        Verdict::H0 => ("h1", question.h1),
        Verdict::Undecided => return None,
    };
    let sequence = test.sequence();
    let is_held = sequence.contains(refused)
        || (question.sides == Sides::Both && sequence.contains(-refused));
    is_held.then(|| {
        format!(
            "the confidence sequence still holds {name}: it answers for every effect at every moment, \
             the test only for h0 and h1"
        )
    })
}

/// What the rules rest on and what was changed of them, for each side.
fn rules_lines(comparison: &Comparison) -> impl Iterator<Item = (&'static str, String)> {
    let names = if comparison.plans.len() == 1 { ["rules"; 2] } else { ["rules A", "rules B"] };
    let sides = comparison.plans.iter().zip(names);
    sides.filter_map(|(plan, name)| Some((name, rules::line(comparison.game(), &plan.changes)?)))
}

/// A document with what was changed of the rules of each side, if anything was.
pub(super) fn with_changes(mut document: Json, plans: &[Plan]) -> Json {
    let arms: Vec<_> = plans.iter().map(|plan| &plan.changes).collect();
    if arms.iter().any(|changes| !changes.is_empty()) {
        document[crate::changes::KEY] = json!(arms);
    }
    document
}

/// One line on how far a comparison is, short enough for a terminal of 80 characters.
#[must_use]
pub fn progress(comparison: &Comparison, test: &SequentialTest) -> String {
    let (at_h0, at_h1) = test.gsprt().question().bounds();
    let ratios = test.gsprt().ratios();
    let ratios = match test.gsprt().question().sides {
        Sides::Above => units::fixed(ratios[0], 1),
        Sides::Both => format!("{}, {}", units::fixed(ratios[0], 1), units::fixed(ratios[1], 1)),
    };
    let digits = if comparison.metric.is_share() { 3 } else { 1 };
    let Interval { low, high } = test.sequence();
    let known = match low.is_finite() && high.is_finite() {
        true => format!("[{}, {}]", units::signed(low, digits), units::signed(high, digits)),
        false => String::new(),
    };
    let text = format!(
        "{}: {} {known} LLR {ratios} ({at_h0:.1} H0, {at_h1:.1} H1)",
        units::counted(test.blocks(), "block"),
        units::signed(test.effect(), digits),
    );
    text.replace("  ", " ")
}

/// A number in the unit of the metric.
pub(super) fn number(comparison: &Comparison, x: f64, is_signed: bool) -> String {
    let digits = if comparison.metric.is_share() { 4 } else { 2 };
    if is_signed { units::signed(x, digits) } else { units::fixed(x, digits) }
}

pub(super) fn interval(comparison: &Comparison, Interval { low, high }: Interval) -> String {
    if !low.is_finite() || !high.is_finite() {
        return format!("[unknown before {LEAST_BLOCKS} blocks]");
    }
    format!("[{}, {}]", number(comparison, low, true), number(comparison, high, true))
}

fn verdict(comparison: &Comparison, test: &SequentialTest) -> String {
    let question = test.gsprt().question();
    let size = |x: f64| number(comparison, x, false);
    let (h0, h1) = (size(question.h0), size(question.h1));
    let hypotheses = match question.sides {
        Sides::Above => format!("h0 {h0}, h1 {h1}"),
        Sides::Both => format!("h0 {h0}, h1 {h1} in either direction"),
    };
    let specs = comparison.plans[0].names();
    let name = comparison.metric.name();
    let what = match (test.gsprt().verdict(), comparison.plans.len()) {
        (Verdict::H1, 1) => {
            format!("H1 accepted: {} gains more than {h0} on {}", specs[0], specs[1])
        }
        (Verdict::H0, 1) => {
            format!("H0 accepted: {} gains less than {h1} on {}", specs[0], specs[1])
        }
        (Verdict::H1, _) => {
            let side = if test.effect() > 0.0 { "larger" } else { "smaller" };
            format!("H1 accepted: {name} is {side} under B than under A by more than {h0}")
        }
        (Verdict::H0, _) => {
            format!("H0 accepted: {name} differs by less than {h1} between A and B")
        }
        (Verdict::Undecided, _) => {
            let blocks = units::counted(test.blocks(), "block");
            format!("undecided after {blocks}, which does not mean equal")
        }
    };
    format!("{what} ({hypotheses})")
}

pub(super) fn means(comparison: &Comparison, heard: &Heard) -> String {
    let mean = |arm: usize| number(comparison, heard.arms()[arm].values.mean(), false);
    match comparison.plans.len() {
        1 => format!(
            "{} of the candidate, an equal share is {}",
            mean(0),
            number(comparison, comparison.design.zero(), false)
        ),
        _ => format!("{}: {} under A, {} under B", comparison.metric.name(), mean(0), mean(1)),
    }
}

fn ratios(test: &SequentialTest) -> String {
    let question = test.gsprt().question();
    let (at_h0, at_h1) = question.bounds();
    let ratios = test.gsprt().ratios();
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
    let extreme = if test.blocks() < LEAST_BLOCKS && test.gsprt().verdict() != Verdict::Undecided {
        "; decided before block 30 by a mean far beyond the hypotheses"
    } else {
        ""
    };
    format!(
        "{seen}; {at_h0:.2} accepts H0, {at_h1:.2} accepts H1 (alpha {}, beta {}){extreme}",
        question.alpha, question.beta
    )
}

/// What it means that no block differs from another.
pub(super) const ALIKE: &str = "all blocks came out alike; where neither the game nor the agents draw lots they are one \
    block again and again, and tests say nothing of others";

pub(super) fn efficiency(heard: &Heard) -> String {
    let Some(efficiency) = heard.relative_efficiency() else {
        return format!("relative efficiency not known: {ALIKE}");
    };
    let against = match heard.arms().len() {
        1 => "games with dice of their own: the candidate sits in every seat under the same dice",
        _ => {
            "games with dice of their own in each arm: both arms meet the same set-up, decks and dice"
        }
    };
    let interval = efficiency.interval.map_or_else(
        || "(too few blocks for an interval)".to_owned(),
        |Interval { low, high }| format!("[{low:.2}, {high:.2}]"),
    );
    format!("relative efficiency {:.2} {interval} against {against}", efficiency.ratio)
}

pub(super) fn control(comparison: &Comparison, sharpened: Option<&Sharpened>) -> String {
    let Some(Sharpened { covariate, effect }) = sharpened else {
        return "no control variate helps: reference games of a cheap agent with the same dice say nothing more"
            .to_owned();
    };
    format!(
        "{} {} naive, by regression on {covariate}: relative efficiency {:.2} (R² {:.2})",
        number(comparison, effect.mean, true),
        interval(comparison, effect.interval),
        effect.relative_efficiency,
        effect.r_squared
    )
}

pub(super) fn played(comparison: &Comparison, heard: &Heard) -> String {
    format!(
        "{} of {} with {} players in {}",
        units::counted(heard.games(), "game"),
        comparison.game(),
        comparison.plans[0].players,
        units::counted(heard.blocks(), "block"),
    )
}

/// Agents that cheat, think for a time or broke off games.
pub(super) fn caveats(comparison: &Comparison, heard: &Heard) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let plan = &comparison.plans[0];
    let mut specs = plan.names();
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
    for arm in heard.arms() {
        if let Some(first) = &arm.first_forfeit {
            lines.push(("forfeits", format!("{}, {first}", units::counted(arm.forfeits, "game"))));
        }
    }
    lines
}
