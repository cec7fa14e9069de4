//! Tables of a comparison's result and of a test's forecast. Each comparison is a row, so that rows of many comparisons
//! can be joined.

use super::compare::lead;
use super::headline::{Finding, mark};
use super::metric::number;
use super::names::Names;
use super::rules;
use super::table::{Cell, Column, Content, Note, Page, Readers, Row, Scale, Table};
use lab::compare::block_stats::BlockStats;
use lab::compare::fixed_test::FixedTest;
use lab::compare::forecast::{Forecast, Lengths};
use lab::compare::reference_games::Sharpened;
use lab::compare::sequential_test::SequentialTest;
use lab::compare::{Comparison, Design};
use sim::config::Plan;
use sim::stats::{Interval, Moments};
use sim::units;

/// Returns the result as a row.
#[must_use]
pub fn page(
    comparison: &Comparison,
    test: &SequentialTest,
    sharpened: Option<&Sharpened>,
    names: &Names,
) -> Page {
    let finding = Finding::of(comparison, test);
    let summary = EffectSummary {
        finding: &finding,
        mean: test.effect(),
        sequence: Some(test.sequence()),
        block_stats: test.block_stats(),
        sharpened,
    };
    let mut fields = sides(comparison, names);
    fields.extend(estimates(comparison, &summary));
    fields.extend(questions(comparison, test, &finding));
    whole(comparison, &summary, "Sequential test", fields, names)
}

/// Returns the result of a test of fixed length as a row.
#[must_use]
pub fn fixed_page(
    comparison: &Comparison,
    test: &FixedTest,
    sharpened: Option<&Sharpened>,
    names: &Names,
) -> Page {
    let finding = Finding::of_fixed(test);
    let summary = EffectSummary {
        finding: &finding,
        mean: test.block_stats().moments().mean() - test.null().zero,
        sequence: None,
        block_stats: test.block_stats(),
        sharpened,
    };
    let mut fields = sides(comparison, names);
    fields.extend(estimates(comparison, &summary));
    fields.extend(words(comparison, &finding));
    fields.push(data("h0", Content::Number(Scale::SHARE), Cell::Number(test.null().h0)));
    whole(comparison, &summary, "Test of fixed length", fields, names)
}

/// Returns a page of one row with these fields, followed by the amount of play.
fn whole(
    comparison: &Comparison,
    summary: &EffectSummary<'_>,
    what: &str,
    mut fields: Vec<Field>,
    names: &Names,
) -> Page {
    let (count, block_stats) = (Content::Number(Scale::Count), summary.block_stats);
    fields.extend([
        (Column::plain("blocks", count), Cell::Count(block_stats.blocks())),
        (Column::plain("games", count), Cell::Count(block_stats.games())),
        data("seed", count, Cell::Count(comparison.seed())),
    ]);
    let (columns, cells): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let game = comparison.game();
    let players = units::counted(comparison.plans[0].players as u64, "player");
    let caption = format!("{what}, {game} with {players}");
    let mut table = Table::new("comparison", caption, columns);
    table.rows.push(Row { cells, mark: mark(summary.finding.word, comparison.plans.len()) });
    let mut notes = vec![summary.finding.note(comparison, block_stats)];
    notes.extend(footer(comparison, names));
    Page { tables: vec![table], footer: notes }
}

/// Summary of a test's estimate of the effect.
struct EffectSummary<'a> {
    finding: &'a Finding,
    mean: f64,
    sequence: Option<Interval>,
    block_stats: &'a BlockStats,
    sharpened: Option<&'a Sharpened>,
}

type Field = (Column, Cell);

/// Returns a field for programs.
fn data(key: &str, content: Content, cell: Cell) -> Field {
    (Column::plain(key, content).only(Readers::Programs), cell)
}

/// Returns the scale of numbers in the unit of the metric.
fn scale(comparison: &Comparison) -> Scale {
    Scale::Signed(if comparison.metric.is_share() { 4 } else { 2 })
}

/// Returns the fields that name the two sides.
fn sides(comparison: &Comparison, names: &Names) -> Vec<Field> {
    let plan = &comparison.plans[0];
    let metric = comparison.metric.name();
    let mut fields = vec![
        data("game", Content::Key, Cell::text(comparison.game())),
        data("players", Content::Number(Scale::Count), Cell::Count(plan.players as u64)),
    ];
    if comparison.plans.len() == 1 {
        let own = plan.names();
        for (key, name) in ["candidate", "baseline"].into_iter().zip(&own) {
            fields.push((Column::plain(key, Content::Key), names.cell(name)));
            let spec = Cell::text(names.spec(name));
            fields.push(data(&format!("{key}_spec"), Content::Text, spec));
        }
        fields.push(data("metric", Content::Text, Cell::text(metric)));
    } else {
        fields.push((Column::plain("metric", Content::Key), Cell::text(metric)));
    }
    fields.push(data("unit", Content::Text, Cell::text(comparison.metric.unit())));
    fields
}

/// Returns the fields with the estimates of the effect.
fn estimates(comparison: &Comparison, summary: &EffectSummary<'_>) -> Vec<Field> {
    let scale = scale(comparison);
    let known = |interval: Interval| {
        (interval.low.is_finite() && interval.high.is_finite()).then_some(interval)
    };
    let number = |x: Option<f64>| x.map_or(Cell::Nothing, Cell::Number);
    let finding = summary.finding;
    let title = match finding.level {
        Some(level) => format!("effect [{} %]", units::hundredths(level)),
        None => "effect".to_owned(),
    };
    let effect =
        finding.effect.map_or(Cell::Nothing, |(at, interval)| Cell::Estimate(at, Some(interval)));
    let estimate = Content::Estimate(scale);
    let mut fields = vec![
        (Column::new("effect", title, estimate), effect),
        data("level", Content::Number(Scale::Fixed(2)), number(finding.level)),
        (Column::plain("p", Content::PValue), number(finding.p)),
    ];
    if comparison.plans.len() == 1 {
        let lead = finding
            .effect
            .and_then(|(at, within)| lead(comparison, summary.block_stats, at, within));
        let cell = lead.map_or(Cell::Nothing, |lead| Cell::Estimate(lead.elo, Some(lead.interval)));
        fields.push((Column::new("elo", "Elo", Content::Estimate(Scale::Elo)), cell));
    }
    if let Some(sequence) = summary.sequence {
        let mean = Cell::Estimate(summary.mean, known(sequence));
        fields.push((Column::new("mean_effect", "mean [95 % anytime-valid]", estimate), mean));
    }
    let efficiency = summary.block_stats.relative_efficiency();
    let control = summary.sharpened.map(|sharpened| &sharpened.effect);
    fields.extend([
        data(
            "relative_efficiency",
            Content::Estimate(Scale::Fixed(2)),
            efficiency.map_or(Cell::Nothing, |e| Cell::Estimate(e.ratio, e.interval)),
        ),
        data(
            "control_effect",
            estimate,
            control.map_or(Cell::Nothing, |e| Cell::Estimate(e.mean, known(e.interval))),
        ),
    ]);
    fields
}

/// Returns the fields with the hypotheses and the verdict.
fn questions(comparison: &Comparison, test: &SequentialTest, finding: &Finding) -> Vec<Field> {
    let question = test.gsprt().question();
    let number = |key, x| data(key, Content::Number(Scale::SHARE), Cell::Number(x));
    let mut fields = words(comparison, finding);
    fields.extend([
        data("test", Content::Text, Cell::text(test.gsprt().verdict().name())),
        number("h0", question.h0),
        number("h1", question.h1),
        number("alpha", question.alpha),
        number("beta", question.beta),
    ]);
    fields
}

/// Returns the verdict and the effect of interest.
fn words(comparison: &Comparison, finding: &Finding) -> Vec<Field> {
    let above = finding.above.map_or(Cell::Nothing, Cell::Number);
    let word = Cell::text(finding.name(comparison));
    vec![
        (Column::plain("verdict", Content::Text), word),
        data("no_difference_above", Content::Number(Scale::SHARE), above),
    ]
}

/// Returns the notes that hold for every table of a comparison.
fn footer(comparison: &Comparison, names: &Names) -> Vec<Note> {
    let mut notes = Vec::new();
    let unit = comparison.metric.unit();
    notes.push(Note::new(match &comparison.design {
        Design::Sequential(question) => format!(
            "effect in {unit}: median-unbiased estimate and interval of the test (H0 {}, H1 {}, alpha {}, beta {})",
            number(comparison, question.h0, false),
            number(comparison, question.h1, false),
            units::given(question.alpha),
            units::given(question.beta)
        ),
        Design::Fixed(null, _) => format!(
            "effect in {unit}: mean of a fixed number of blocks, with 95 % interval (H0 {})",
            number(comparison, null.h0, false)
        ),
    }));
    notes.extend(ending(&comparison.plans, &comparison.command(), names));
    notes
}

/// Returns the notes on names that differ from the spec, on the rules of each side, and on the command.
pub(super) fn ending(plans: &[Plan], command: &str, names: &Names) -> Vec<Note> {
    let mut notes: Vec<Note> = names.legend().collect();
    let sides = if plans.len() == 1 { ["rules"; 2] } else { ["rules A", "rules B"] };
    for (plan, side) in plans.iter().zip(sides) {
        let line = rules::line(&plan.setup.game, &plan.changes);
        notes.extend(line.map(|line| Note::new(format!("{side}: {line}"))));
    }
    notes.push(Note::new(format!("seed {}", plans[0].seed)).before(command));
    notes
}

/// Builds the forecast of a test from a pilot's blocks that took `seconds`: a row for each case and quantile.
#[must_use]
pub fn forecast(
    comparison: &Comparison,
    pilot: &Moments,
    forecast: &Forecast,
    seconds: f64,
    names: &Names,
) -> Page {
    let pace = seconds / pilot.n().max(1) as f64;
    let per_block = comparison.games_per_block() as f64;
    let count = Content::Number(Scale::Count);
    let columns = vec![
        Column::plain("case", Content::Key),
        Column::new("ended", "runs ended", Content::Number(Scale::Confidence)),
        Column::plain("blocks", count),
        Column::plain("games", count),
        Column::new("seconds", "time", Content::Number(Scale::Seconds)),
    ];
    let row = |case: &str, ended: Cell, blocks: f64| {
        let blocks = blocks.ceil();
        let games = Cell::Count((blocks * per_block) as u64);
        let time = Cell::Number(blocks * pace);
        vec![Cell::text(case), ended, Cell::Count(blocks as u64), games, time]
    };
    let mut rows = vec![row("fixed number of blocks", Cell::Nothing, forecast.fixed)];
    let cases: [(&str, &Lengths); 2] =
        [("effect of h0", &forecast.at_h0), ("effect of h1", &forecast.at_h1)];
    for (case, lengths) in cases {
        let quantiles = lengths.quantiles();
        rows.extend(quantiles.map(|(part, blocks)| row(case, Cell::Number(part), blocks)));
    }
    rows.push(row("most", Cell::Nothing, comparison.most_blocks() as f64));
    let pilot = format!(
        "pilot: {} on seed {} (not part of the test)",
        units::counted(pilot.n(), "block"),
        comparison.pilot_seed()
    );
    let table = Table::new("plan", "Expected blocks and games of the test", columns).with(rows);
    Page { tables: vec![table.noted(Note::new(pilot))], footer: footer(comparison, names) }
}
