//! Luck of dice: its gain for the agents of a tournament, as a table, and a comparison without luck.

use serde_json::{Value as Json, json};

use super::metric::{estimate, interval};
use super::names::Names;
use super::table::{Cell, Column, Content, Note, Readers, Scale, Table};
use lab::compare::block_stats::BlockStats;
use lab::compare::{Comparison, Design};
use sim::catalogue::dice_of;
use sim::config::Plan;
use sim::stats::Interval;
use sim::stats::control_variate::{Adjusted, efficiency_interval};
use sim::stats::luck::{LEAST_BLOCKS, LEAST_EFFICIENCY, Luck, MEAN};

/// The name of the table.
pub const LUCK: &str = "luck";

/// Returns the table, in the order of the line-up.
#[must_use]
pub fn table(plan: &Plan, luck: &Luck, names: &Names) -> Table {
    let columns = vec![
        Column::plain("agent", Content::Key),
        Column::plain("blocks", Content::Number(Scale::Count)).only(Readers::Programs),
        Column::new("luck", "luck [95 %]", Content::Estimate(Scale::Signed(4))),
        Column::plain("share", Content::Number(Scale::SHARE)),
        Column::new(
            "share_less_luck",
            "share without luck [95 %]",
            Content::Estimate(Scale::SHARE),
        ),
        Column::new(
            "relative_efficiency",
            "relative efficiency [95 %]",
            Content::Estimate(Scale::Fixed(2)),
        ),
    ];
    let lines = luck.lines();
    let around = |mean: f64, half: f64| Interval { low: mean - half, high: mean + half };
    let rows = lines.iter().map(|line| {
        let half = line.luck_half.map(|half| around(line.luck, half));
        let adjusted = line.useful();
        let efficiency = line.efficiency();
        vec![
            names.cell(&line.name),
            Cell::Count(line.blocks),
            Cell::Estimate(line.luck, half),
            Cell::Number(line.share),
            adjusted.map_or(Cell::Nothing, |adjusted| {
                Cell::Estimate(adjusted.mean, Some(adjusted.interval))
            }),
            efficiency.map_or(Cell::Nothing, |(at, within)| Cell::Estimate(at, Some(within))),
        ]
    });
    let caption = "Luck of the dice, in points per game and seat, and shares without luck";
    let mut table = Table::new(LUCK, caption, columns).with(rows);
    let dice = dice_of(&plan.setup.game).ok().flatten().unwrap_or("chance");
    table.notes.push(Note::new(format!(
        "luck: results of {dice} minus their exact odds, 0 on average for any agent; individual 95 % intervals"
    )));
    let has_adjusted = lines.iter().any(|line| line.useful().is_some());
    table.notes.push(Note::new(match has_adjusted {
        true => format!(
            "share without luck: regression over blocks, shown where it is worth {LEAST_EFFICIENCY} times the games \
             or more"
        ),
        false => format!(
            "no share without luck: the regression is worth less than {LEAST_EFFICIENCY} times the games"
        ),
    }));
    table
}

/// Returns the effect of a comparison without luck; `None` if luck is not measured, or there is no estimate yet.
fn less_luck(comparison: &Comparison, block_stats: &BlockStats) -> Option<Adjusted> {
    let mut adjusted =
        block_stats.luck()?.adjusted(MEAN).filter(|_| block_stats.blocks() >= LEAST_BLOCKS)?;
    let zero = comparison.design.zero();
    let Interval { low, high } = adjusted.interval;
    adjusted.mean -= zero;
    adjusted.interval = Interval { low: low - zero, high: high - zero };
    Some(adjusted)
}

/// Returns a sentence on the share of luck in a comparison, for people; `None` if luck is not measured.
pub(super) fn sentence(
    comparison: &Comparison,
    block_stats: &BlockStats,
) -> Option<(&'static str, String)> {
    block_stats.luck()?;
    let dice = dice_of(comparison.game()).ok().flatten().unwrap_or("chance");
    let Some(less) = less_luck(comparison, block_stats) else {
        return Some(("luck", format!("{dice}: unknown before {LEAST_BLOCKS} blocks")));
    };
    let Interval { low, high } = efficiency_interval(less.r_squared, block_stats.blocks());
    let efficiency = format!(
        "relative efficiency {:.2} [{low:.2}, {high:.2}] (R² {:.2})",
        less.relative_efficiency, less.r_squared
    );
    let level = match comparison.design {
        Design::Sequential(_) => "naive",
        Design::Fixed(..) => "95 %",
    };
    let text = match less.relative_efficiency >= LEAST_EFFICIENCY {
        true => format!(
            "{} {} {level}, without the luck of {dice}; {efficiency}",
            estimate(comparison, less.mean, less.interval),
            interval(comparison, less.interval)
        ),
        false => format!(
            "the luck of {dice} explains little: {efficiency}, below {LEAST_EFFICIENCY}, so the effect without it is \
             withheld"
        ),
    };
    Some(("luck", text))
}

/// Returns the share of luck for programs: null if luck is not measured. Effect and interval are null if they save too
/// little.
pub(super) fn document(comparison: &Comparison, block_stats: &BlockStats) -> Json {
    let Some(luck) = block_stats.luck() else { return Json::Null };
    let less = less_luck(comparison, block_stats);
    let adjusted = less.filter(|less| less.relative_efficiency >= LEAST_EFFICIENCY);
    let efficiency = less.map(|less| efficiency_interval(less.r_squared, block_stats.blocks()));
    json!({
        "dice": dice_of(comparison.game()).ok().flatten(),
        "mean": luck.covariates().mean(),
        "effect": adjusted.map(|less| less.mean),
        "low": adjusted.map(|less| less.interval.low),
        "high": adjusted.map(|less| less.interval.high),
        "r_squared": less.map(|less| less.r_squared),
        "relative_efficiency": less.map(|less| less.relative_efficiency),
        "relative_efficiency_low": efficiency.map(|interval| interval.low),
        "relative_efficiency_high": efficiency.map(|interval| interval.high),
    })
}
