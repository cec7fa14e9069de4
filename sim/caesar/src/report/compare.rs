//! Text and JSON of a comparison's result.

use agents::AgentSpec;
use serde_json::{Value as Json, json};

use super::format::terminal::{TerminalStyle, listed};
use super::headline::Finding;
use super::metric::{digits, estimate, interval, number};
use super::names::Names;
use super::table::{Mark, Note, Scale};
use super::{luck, rules};
use lab::compare::reference_games::Sharpened;
use lab::compare::sequential_test::SequentialTest;
use lab::compare::{Comparison, block_stats::BlockStats};
use sim::config::Plan;
use sim::document::document;
use sim::stats::elo::{self, EloDifference};
use sim::stats::gsprt::LEAST_BLOCKS;
use sim::stats::{Interval, Sides, Verdict};
use sim::units;

/// Returns the result as one JSON document: `verdict`, `h0`, `h1`, `effect`, `low`, `high`, `p`, `blocks`, `games`, and
/// further fields. Missing values are null. The verdict is a word; `test` holds the decision of the test.
#[must_use]
pub fn json(
    comparison: &Comparison,
    test: &SequentialTest,
    sharpened: Option<&Sharpened>,
) -> String {
    let finding = Finding::of(comparison, test);
    let (stopped, sequence, naive) = (test.stopped(), test.sequence(), test.naive());
    let question = test.gsprt().question();
    let elo = stopped.and_then(|s| lead(comparison, test.block_stats(), s.estimate, s.interval));
    let result = json!({
        "verdict": finding.name(comparison),
        "h0": question.h0,
        "h1": question.h1,
        "effect": stopped.map(|s| s.estimate),
        "low": stopped.map(|s| s.interval.low),
        "high": stopped.map(|s| s.interval.high),
        "p": stopped.map(|s| s.p),
        "blocks": test.blocks(),
        "games": test.block_stats().games(),
        "elo": elo.map(|e| e.elo),
        "elo_low": elo.map(|e| e.interval.low),
        "elo_high": elo.map(|e| e.interval.high),
        "sentence": finding.sentence(comparison, test.block_stats()),
        "no_difference_above": finding.above,
        "test": test.gsprt().verdict().name(),
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
        "ratios": test.gsprt().known_ratios(),
    });
    whole_document(result, comparison, test.block_stats(), sharpened)
}

/// Adds the fields common to all comparisons to the document of a result.
pub(super) fn whole_document(
    mut result: Json,
    comparison: &Comparison,
    block_stats: &BlockStats,
    sharpened: Option<&Sharpened>,
) -> String {
    let efficiency = block_stats.relative_efficiency();
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
        "means": block_stats.arms().iter().map(|arm| arm.values.mean()).collect::<Vec<_>>(),
        "metric": comparison.metric.name(),
        "unit": comparison.metric.unit(),
        "relative_efficiency": efficiency.map(|g| g.ratio),
        "relative_efficiency_low": efficiency.and_then(|g| g.interval).map(|i| i.low),
        "relative_efficiency_high": efficiency.and_then(|g| g.interval).map(|i| i.high),
        "control_variate": sharpened,
        "forfeits": block_stats.arms().iter().map(|arm| arm.forfeits).collect::<Vec<_>>(),
        "seed": comparison.seed(),
        "command": comparison.command(),
    });
    if let (Json::Object(result), Json::Object(common)) = (&mut result, common) {
        result.extend(common);
    }
    if block_stats.luck().is_some() {
        result["luck"] = luck::document(comparison, block_stats);
    }
    document(&with_labels(with_changes(result, &comparison.plans), &comparison.plans))
}

/// Adds the agents that have labels to a document, if any has one.
pub(super) fn with_labels(mut document: Json, plans: &[Plan]) -> Json {
    let lineup = &plans[0].lineup;
    if lineup.iter().any(|agent| agent.label().is_some()) {
        let n = if plans.len() == 1 { 2 } else { lineup.len() };
        let agent = |agent: &AgentSpec| json!({"label": agent.label(), "spec": agent.to_string()});
        document["agents"] = lineup.iter().take(n).map(agent).collect();
    }
    document
}

/// Returns the result for people, including the command: the verdict and the games played; `is_long` adds details of
/// the test.
#[must_use]
pub fn text(
    comparison: &Comparison,
    test: &SequentialTest,
    sharpened: Option<&Sharpened>,
    is_long: bool,
    look: TerminalStyle,
) -> String {
    let (block_stats, finding) = (test.block_stats(), Finding::of(comparison, test));
    let more = is_long.then(|| Details { lines: details(comparison, test), sharpened });
    headline(comparison, block_stats, &finding, more, look)
}

/// Optional lines of a result.
pub(super) struct Details<'a> {
    /// The estimate beside the mean, and the test.
    pub(super) lines: Vec<(&'static str, String)>,
    /// The result by reference games.
    pub(super) sharpened: Option<&'a Sharpened>,
}

/// Returns the verdict, its details, and the command.
pub(super) fn headline(
    comparison: &Comparison,
    block_stats: &BlockStats,
    finding: &Finding,
    details: Option<Details<'_>>,
    look: TerminalStyle,
) -> String {
    let is_long = details.is_some();
    let (more, sharpened) = details.map(|more| (more.lines, more.sharpened)).unwrap_or_default();
    let mut lines = Vec::new();
    if let Some((effect, within)) = finding.effect {
        lines.extend(elo(comparison, block_stats, effect, within));
    }
    let seen = block_stats.moments().mean() - comparison.design.zero();
    let corrected = finding.effect.and_then(|(effect, within)| {
        let [effect, seen] = [effect, seen].map(|x| estimate(comparison, x, within));
        (effect != seen).then(|| format!("; {seen} before correction for early stopping"))
    });
    let digits = digits(comparison, finding.effect.map(|(_, within)| within));
    lines.push(("means", means(comparison, block_stats, digits) + &corrected.unwrap_or_default()));
    lines.extend(more);
    lines.extend(efficiency(block_stats).filter(|_| is_long));
    lines.extend(control(comparison, sharpened));
    lines.extend(luck::sentence(comparison, block_stats));
    lines.push(("played", played(comparison, block_stats)));
    let is_known =
        finding.effect.is_some() && block_stats.arms().len() > 1 && block_stats.blocks() > 1;
    if is_known && block_stats.arms().iter().all(|arm| arm.values.variance() <= 0.0) {
        lines.push(("note", ALIKE.to_owned()));
    }
    lines.extend(caveats(comparison, block_stats));
    let verdict = ("verdict", finding.note(comparison, block_stats));
    listed(&closed(comparison, std::iter::once(verdict).chain(sentences(lines))), look)
}

/// Sentences with their subjects.
pub(super) type Lines = Vec<(&'static str, Note)>;

pub(super) fn sentences(
    lines: Vec<(&'static str, String)>,
) -> impl Iterator<Item = (&'static str, Note)> {
    lines.into_iter().map(|(name, text)| {
        let is_caveat = matches!(name, "cheats" | "timed" | "forfeits");
        (name, Note::new(text).marked(if is_caveat { Mark::Caveat } else { Mark::Plain }))
    })
}

/// Returns the same lines, followed by names that differ from the spec, the rules, and the command.
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

/// Returns the estimate beside the mean, and other details of the long form.
fn details(comparison: &Comparison, test: &SequentialTest) -> Vec<(&'static str, String)> {
    let mean = number(comparison, test.effect(), true);
    let estimate = test.stopped().map(|stopped| number(comparison, stopped.estimate, true));
    let effect = estimate.map_or_else(
        || format!("{mean} (mean of the blocks; its spread is unknown)"),
        |estimate| format!("{estimate} (median-unbiased estimate; mean of the blocks {mean})"),
    );
    let sequence = test.sequence();
    let mut lines = vec![("effect", effect)];
    if sequence.low.is_finite() && sequence.high.is_finite() {
        let many = if comparison.metric.is_share() { "" } else { " (for many blocks)" };
        lines.push((
            "always",
            format!(
                "{} (anytime-valid 95 % confidence sequence{many}){}",
                interval(comparison, sequence),
                unsettled(test)
            ),
        ));
    }
    lines.push(("test", ratios(comparison, test)));
    lines
}

/// Returns the candidate's lead in Elo over the baselines; rule sets have none.
pub(super) fn lead(
    comparison: &Comparison,
    block_stats: &BlockStats,
    effect: f64,
    Interval { low, high }: Interval,
) -> Option<EloDifference> {
    let zero = comparison.design.zero();
    let shares = Interval { low: zero + low, high: zero + high };
    let players = comparison.plans[0].players;
    let lead = || elo::lead(zero + effect, shares, block_stats.blocks(), players);
    (comparison.plans.len() == 1).then(lead)
}

/// Returns the Elo difference, for people.
pub(super) fn elo(
    comparison: &Comparison,
    block_stats: &BlockStats,
    effect: f64,
    interval: Interval,
) -> Option<(&'static str, String)> {
    let EloDifference { elo, interval } = lead(comparison, block_stats, effect, interval)?;
    let formula = match comparison.plans[0].players {
        2 => "400 log10(p / (1 - p)), share p".to_owned(),
        k => format!("400 log10({} p / (1 - p)), share p", k - 1),
    };
    let elo = Scale::Elo.estimate(elo, Some(interval));
    Some(("elo", format!("{elo} ({formula})")))
}

/// Returns the note for a confidence sequence that still includes the hypothesis that the test refused.
fn unsettled(test: &SequentialTest) -> &'static str {
    let question = test.gsprt().question();
    let (text, refused) = match test.gsprt().verdict() {
        Verdict::H1 => (
            ". It is wider than the test's interval and still includes h0. That is expected",
            question.h0,
        ),
        Verdict::H0 => (
            ". It is wider than the test's interval and still includes h1. That is expected",
            question.h1,
        ),
        Verdict::Undecided => return "",
    };
    let sequence = test.sequence();
    let is_held = sequence.contains(refused)
        || (question.sides == Sides::Both && sequence.contains(-refused));
    if is_held { text } else { "" }
}

/// Returns the reconstructed and changed rules of each side.
fn rules_lines(comparison: &Comparison) -> impl Iterator<Item = (&'static str, String)> {
    let names = if comparison.plans.len() == 1 { ["rules"; 2] } else { ["rules A", "rules B"] };
    let sides = comparison.plans.iter().zip(names);
    sides.filter_map(|(plan, name)| Some((name, rules::line(comparison.game(), &plan.changes)?)))
}

/// Adds the rule changes of each side to a document, if there are any.
pub(super) fn with_changes(mut document: Json, plans: &[Plan]) -> Json {
    let arms: Vec<_> = plans.iter().map(|plan| &plan.changes).collect();
    if arms.iter().any(|changes| !changes.is_empty()) {
        document[sim::changes::KEY] = json!(arms);
    }
    document
}

/// Returns the progress of a comparison in one line, short enough for a terminal of 80 characters.
#[must_use]
pub fn progress(comparison: &Comparison, test: &SequentialTest) -> String {
    let (at_h0, at_h1) = test.gsprt().question().bounds();
    let ratios = test.gsprt().known_ratios().into_iter();
    let ratios: Vec<String> =
        ratios.map(|ratio| ratio.map_or_else(|| "?".to_owned(), |x| units::fixed(x, 1))).collect();
    let ratios = ratios.join(", ");
    let size = |x: f64| number(comparison, x, true);
    let Interval { low, high } = test.sequence();
    let known = match low.is_finite() && high.is_finite() {
        true => format!("[{}, {}]", size(low), size(high)),
        false => String::new(),
    };
    let text = format!(
        "{}: {} {known} LLR {ratios} ({at_h0:.1} H0, {at_h1:.1} H1)",
        units::counted(test.blocks(), "block"),
        size(test.effect()),
    );
    text.replace("  ", " ")
}

fn means(comparison: &Comparison, block_stats: &BlockStats, digits: usize) -> String {
    let mean = |arm: usize| units::fixed(block_stats.arms()[arm].values.mean(), digits);
    match comparison.plans.len() {
        1 => format!(
            "{} for the candidate; an equal share is {}",
            mean(0),
            units::fixed(comparison.design.zero(), digits)
        ),
        _ => format!("{}: {} under A, {} under B", comparison.metric.shown(), mean(0), mean(1)),
    }
}

fn ratios(comparison: &Comparison, test: &SequentialTest) -> String {
    let question = test.gsprt().question();
    let (at_h0, at_h1) = question.bounds();
    let size = |x: f64| number(comparison, x, false);
    let verdict = match test.gsprt().verdict() {
        Verdict::H1 => "H1 accepted",
        Verdict::H0 => "H0 accepted",
        Verdict::Undecided => "neither H0 nor H1 accepted",
    };
    let seen = match &test.gsprt().known_ratios()[..] {
        [Some(ratio)] => format!("log-likelihood ratio {}", units::mean(*ratio)),
        [Some(above), Some(below)] => format!(
            "log-likelihood ratios {} above and {} below 0",
            units::mean(*above),
            units::mean(*below)
        ),
        _ => "no log-likelihood ratio (the spread is unknown)".to_owned(),
    };
    let sides = if question.sides == Sides::Both { " in either direction" } else { "" };
    let is_early = test.blocks() < LEAST_BLOCKS && test.gsprt().verdict() != Verdict::Undecided;
    let extreme = if is_early { "; ended early by a mean far beyond the hypotheses" } else { "" };
    format!(
        "{verdict} (h0 {}, h1 {}{sides}); {seen}; {at_h0:.2} accepts H0, {at_h1:.2} accepts H1 (alpha {}, beta \
         {}){extreme}",
        size(question.h0),
        size(question.h1),
        question.alpha,
        question.beta
    )
}

/// The note if no block differs from another in either arm.
pub(super) const ALIKE: &str = "all blocks have the same result. If neither the game nor the agents use chance, they \
are copies of one block, and the test is meaningless";

/// Returns the gain in efficiency from shared chance, if it is significant.
pub(super) fn efficiency(block_stats: &BlockStats) -> Option<(&'static str, String)> {
    let efficiency = block_stats.relative_efficiency()?;
    let Interval { low, high } = efficiency.interval.filter(|interval| interval.low > 1.0)?;
    let what = match block_stats.arms().len() {
        1 => "Shared chance with rotated seats",
        _ => "Shared chance",
    };
    let ratio = efficiency.ratio;
    Some(("shared", format!("{what} saved games: ×{ratio:.2} [{low:.2}, {high:.2}]")))
}

/// Returns the gain from reference games of a cheap agent, if there is one.
pub(super) fn control(
    comparison: &Comparison,
    sharpened: Option<&Sharpened>,
) -> Option<(&'static str, String)> {
    let Sharpened { covariate, effect } = sharpened?;
    let text = format!(
        "{} {} (naive interval) by regression on {covariate}; relative efficiency {:.2}, R² {:.2}",
        estimate(comparison, effect.mean, effect.interval),
        interval(comparison, effect.interval),
        effect.relative_efficiency,
        effect.r_squared
    );
    Some(("control", text))
}

pub(super) fn played(comparison: &Comparison, block_stats: &BlockStats) -> String {
    format!(
        "{} of {} with {} players in {}",
        units::counted(block_stats.games(), "game"),
        comparison.game(),
        comparison.plans[0].players,
        units::counted(block_stats.blocks(), "block"),
    )
}

/// Returns the caveats on agents that cheat, are limited by time, or broke off games.
pub(super) fn caveats(
    comparison: &Comparison,
    block_stats: &BlockStats,
) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let plan = &comparison.plans[0];
    let mut specs = plan.names();
    specs.dedup();
    for spec in specs {
        let caveat = plan.caveat(&spec);
        if caveat.cheats {
            lines.push(("cheats", format!("{spec} sees hidden information")));
        }
        if caveat.is_timed {
            let what = "has a time limit, so another run plays other games";
            lines.push(("timed", format!("{spec} {what}")));
        }
    }
    // If too many of them prevent a verdict, the first sentence gives the reason.
    for arm in block_stats.arms().iter().filter(|_| block_stats.spoilt().is_none()) {
        if let Some(first) = &arm.first_forfeit {
            lines.push(("forfeits", format!("{}, {first}", units::counted(arm.forfeits, "game"))));
        }
    }
    lines
}
