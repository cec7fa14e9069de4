//! Tables and document of a ladder: its steps, the curve of strength by budget, and the power of its tests.

use serde_json::{Value as Json, json};

use super::headline::{Finding, mark};
use super::metric::number;
use super::rules;
use super::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use lab::compare::sequential_test::SequentialTest;
use lab::compare::verdict::Word;
use lab::ladder::Ladder;
use lab::ladder::test::LadderTest;
use sim::document::document;
use sim::stats::elo::EloDifference;
use sim::stats::{Interval, Sides, Stopped, Verdict};
use sim::units;

/// The table of the steps.
pub const STEPS: &str = "steps";
/// The table of strength by budget.
pub const CURVE: &str = "curve";
/// Table of the effects that the tests can detect.
pub const POWER: &str = "power";
/// All tables.
pub const TABLES: [&str; 3] = [STEPS, CURVE, POWER];

const COUNT: Content = Content::Number(Scale::Count);

/// Returns the verdict of a step.
fn word(test: &SequentialTest) -> &'static str {
    test.word().name(1)
}

/// Returns the number of a rung.
fn value(ladder: &Ladder, rung: usize) -> String {
    units::given(ladder.rungs[rung].value)
}

/// Returns the confidence of the intervals of the curve.
fn level(ladder: &Ladder) -> f64 {
    1.0 - ladder.question().alpha - ladder.question().beta
}

fn estimate(at: Option<(f64, Interval)>) -> Cell {
    at.map_or(Cell::Nothing, |(x, interval)| Cell::Estimate(x, Some(interval)))
}

fn elo_cell(lead: Option<&EloDifference>) -> Cell {
    estimate(lead.map(|lead| (lead.elo, lead.interval)))
}

/// Returns the share that an effect is, with its interval.
fn share(test: &SequentialTest, stopped: &Stopped) -> (f64, Interval) {
    let zero = test.gsprt().question().zero;
    let Interval { low, high } = stopped.interval;
    (zero + stopped.estimate, Interval { low: zero + low, high: zero + high })
}

/// Returns the result as tables.
#[must_use]
pub fn page(ladder: &Ladder, test: &LadderTest) -> Page {
    let stopped = test.results();
    let tables = vec![
        steps(ladder, test, &stopped),
        curve(ladder, test, &test.curve()).detail(),
        power(ladder, test).detail(),
    ];
    Page { tables, footer: footer(ladder, test) }
}

fn steps(ladder: &Ladder, test: &LadderTest, stopped: &[Option<Stopped>]) -> Table {
    let elo = Content::Estimate(Scale::Elo);
    let columns = vec![
        Column::new("value", ladder.template.name(), Content::Key),
        Column::plain("against", Content::Key),
        Column::new("share", "share", Content::Estimate(Scale::SHARE)),
        Column::new("elo", "Elo", elo),
        Column::plain("level", Content::Number(Scale::Fixed(2))),
        Column::plain("p", Content::PValue).only(Readers::Programs),
        Column::new("p_of_all", "adjusted p", Content::PValue),
        Column::plain("verdict", Content::Text),
        Column::plain("test", Content::Text).only(Readers::Programs),
        Column::plain("blocks", COUNT),
        Column::plain("games", COUNT).only(Readers::Programs),
        Column::new("sequence", "share [95 % anytime-valid]", Content::Estimate(Scale::SHARE))
            .only(Readers::Programs),
        Column::plain("seed", COUNT).only(Readers::Programs),
    ];
    let players = units::counted(ladder.players() as u64, "player");
    let game = ladder.steps[0].game();
    let agent = ladder.template.with_label();
    let caption = format!("Steps of {agent}, {game} with {players}");
    let (leads, p_of_all) = (test.leads(stopped), LadderTest::p_of_all(stopped));
    let mut table = Table::new(STEPS, caption, columns);
    for (i, step) in test.steps().iter().enumerate() {
        let known = stopped[i].as_ref();
        let p = |p: f64| known.map_or(Cell::Nothing, |_| Cell::Number(p));
        let word = step.word();
        let mean = step.gsprt().tally().moments().mean();
        let Interval { low, high } = step.sequence();
        let zero = step.gsprt().question().zero;
        let sequence = Interval { low: zero + low, high: zero + high };
        let cells = vec![
            Cell::text(value(ladder, i + 1)),
            Cell::text(value(ladder, i)),
            estimate(known.map(|stopped| share(step, stopped))),
            elo_cell(leads[i].as_ref()),
            known.map_or(Cell::Nothing, |stopped| Cell::Number(stopped.level)),
            p(known.map_or(1.0, |stopped| stopped.p)),
            p(p_of_all[i]),
            Cell::text(word.name(1)),
            Cell::text(step.gsprt().verdict().name()),
            Cell::Count(step.blocks()),
            Cell::Count(step.block_stats().games()),
            Cell::Estimate(mean, Some(sequence)),
            Cell::Count(ladder.steps[i].seed()),
        ];
        table.rows.push(Row { cells, mark: mark(word, 1) });
    }
    for (i, step) in test.steps().iter().enumerate() {
        table.notes.extend(no_verdict(ladder, i, step));
    }
    with_errors(ladder, table)
}

/// Returns the reason why a step has no verdict, if it has none.
fn no_verdict(ladder: &Ladder, i: usize, step: &SequentialTest) -> Option<Note> {
    let (of, finding) = (&ladder.steps[i], Finding::of(&ladder.steps[i], step));
    (finding.word == Word::None).then(|| {
        let who = format!("{} against {}", value(ladder, i + 1), value(ladder, i));
        Note::new(format!("{who}: {}", finding.sentence(of, step.block_stats())))
            .marked(Mark::Caveat)
    })
}

/// Adds the error rates of verdicts and p-values to the table.
fn with_errors(ladder: &Ladder, table: Table) -> Table {
    let question = ladder.question();
    let given = units::given;
    let steps = units::counted(ladder.steps.len() as u64, "step");
    table
        .noted(Note::new(format!(
            "Each rung takes every seat once, against the rung below in all others. share: points per game (equal \
             share {}); {}",
            units::share(question.zero),
            verdict_note(ladder)
        )))
        .noted(Note::new(format!(
            "Error rates of each step: alpha {}, beta {}. Of ladders of {steps} without any gain, at most {} % have \
             a step that is called {}. adjusted p: by Holm's method over {steps}",
            given(question.alpha),
            given(question.beta),
            units::hundredths(ladder.family_alpha()),
            if question.sides == Sides::Both { "better or worse" } else { "better" }
        )))
}

/// Returns the meaning of a step's verdict.
fn verdict_note(ladder: &Ladder) -> String {
    let question = ladder.question();
    let size = |x: f64| number(&ladder.steps[0], x, false);
    match question.sides {
        Sides::Both => format!("no difference: none above {}", size(question.h1)),
        Sides::Above => format!(
            "H0 is a gain of {}, H1 of {}; verdicts follow from the interval",
            size(question.h0),
            size(question.h1)
        ),
    }
}

fn curve(ladder: &Ladder, test: &LadderTest, curve: &[EloDifference]) -> Table {
    let title = format!("Elo over {} [{} %]", value(ladder, 0), units::hundredths(level(ladder)));
    let columns = vec![
        Column::new("value", ladder.template.name(), Content::Key),
        Column::new("elo", title, Content::Estimate(Scale::Elo)),
        Column::new("blocks", "blocks in all", COUNT),
        Column::new("games", "games in all", COUNT),
    ];
    let mut blocks = 0;
    let mut games = 0;
    let mut rows =
        vec![vec![Cell::text(value(ladder, 0)), Cell::Number(0.0), Cell::Count(0), Cell::Count(0)]];
    for (i, step) in test.steps().iter().enumerate() {
        blocks += step.blocks();
        games += step.block_stats().games();
        let cell = elo_cell(curve.get(i));
        rows.push(vec![
            Cell::text(value(ladder, i + 1)),
            cell,
            Cell::Count(blocks),
            Cell::Count(games),
        ]);
    }
    let name = ladder.template.name();
    Table::new(CURVE, format!("Strength by {name}"), columns).with(rows).noted(Note::new(
        "Sums of the steps, with individual intervals. Sums assume transitive strength: a rung beats rungs far below \
         as the steps between predict",
    ))
}

fn power(ladder: &Ladder, test: &LadderTest) -> Table {
    let number = Content::Number(Scale::Fixed(3));
    let is_both = ladder.question().sides == Sides::Both;
    let below = Column::new("h1_below", "worse", number);
    let below = if is_both { below } else { below.only(Readers::Programs) };
    let columns = vec![
        Column::new("value", ladder.template.name(), Content::Key),
        Column::plain("against", Content::Key),
        Column::new("effect", "gain", Content::Number(Scale::Signed(4))),
        Column::new("elo", "in Elo", Content::Number(Scale::Elo)),
        Column::new("h1", if is_both { "better" } else { "H1 accepted" }, number),
        below,
        Column::new("h0", if is_both { "no difference" } else { "H0 accepted" }, number),
        Column::plain("undecided", number),
    ];
    let rows = (0..test.steps().len()).flat_map(|step| {
        test.power(step).into_iter().map(move |power| {
            vec![
                Cell::text(value(ladder, step + 1)),
                Cell::text(value(ladder, step)),
                Cell::Number(power.effect),
                Cell::Number(power.elo),
                Cell::Number(power.endings.h1),
                Cell::Number(power.endings.h1_below),
                Cell::Number(power.endings.h0),
                Cell::Number(power.endings.undecided()),
            ]
        })
    });
    let most = units::counted(ladder.steps[0].most_blocks(), "block");
    Table::new(
        POWER,
        format!("Power: how often a step of at most {most} is decided, by true gain"),
        columns,
    )
    .with(rows)
    .noted(Note::new("For normally distributed blocks with the observed spread"))
}

/// Returns the notes on the games, agents with caveats, the rules and the command.
fn footer(ladder: &Ladder, test: &LadderTest) -> Vec<Note> {
    let (games, blocks) =
        (units::counted(test.games(), "game"), units::counted(test.blocks(), "block"));
    let mut notes = Vec::new();
    let open = undecided(test);
    if open > 0 {
        let open = units::counted(open as u64, "step");
        notes.push(
            Note::new(format!("{open} undecided (this does not mean equal)")).marked(Mark::Open),
        );
    }
    notes
        .extend(caveats(ladder, test).into_iter().map(|text| Note::new(text).marked(Mark::Caveat)));
    let plan = &ladder.steps[0].plans[0];
    notes.extend(
        rules::line(&plan.setup.game, &plan.changes)
            .map(|line| Note::new(format!("rules: {line}"))),
    );
    notes.push(Note::new(format!("{games} in {blocks}")));
    notes.push(Note::new(format!("seed {}", ladder.seed)).before(ladder.command()));
    notes
}

/// Returns the number of undecided steps.
fn undecided(test: &LadderTest) -> usize {
    test.steps().iter().filter(|step| step.word() == Word::Undecided).count()
}

fn caveats(ladder: &Ladder, test: &LadderTest) -> Vec<String> {
    let mut lines = Vec::new();
    let all = || ladder.steps.iter().flat_map(|step| &step.plans[0].caveats);
    if all().any(|caveat| caveat.cheats) {
        lines.push("cheats: these agents see hidden information".to_owned());
    }
    if all().any(|caveat| caveat.is_timed) {
        lines.push(
            "timed: these agents have a time limit, so another run plays other games".to_owned(),
        );
    }
    for (i, step) in test.steps().iter().enumerate() {
        let who = format!("{} against {}", value(ladder, i + 1), value(ladder, i));
        let arm = &step.block_stats().arms()[0];
        // Too many of them stand above as the reason why there is no verdict.
        if let Some(first) =
            arm.first_forfeit.as_ref().filter(|_| step.block_stats().spoilt().is_none())
        {
            let n = units::counted(arm.forfeits, "game");
            lines.push(format!("forfeits of {who}: {n}, {first}"));
        }
    }
    lines
}

/// Returns the result as one JSON document.
#[must_use]
pub fn json(ladder: &Ladder, test: &LadderTest) -> String {
    let stopped = test.results();
    let (leads, p_of_all) = (test.leads(&stopped), LadderTest::p_of_all(&stopped));
    let steps: Vec<Json> = test
        .steps()
        .iter()
        .enumerate()
        .map(|(i, step)| step_json(ladder, i, step, stopped[i], leads[i], p_of_all[i]))
        .collect();
    let curve: Vec<Json> = test
        .curve()
        .iter()
        .zip(&ladder.rungs[1..])
        .map(|(at, rung)| json!({"value": rung.value, "elo": at.elo, "low": at.interval.low, "high": at.interval.high}))
        .collect();
    let plan = &ladder.steps[0].plans[0];
    let question = ladder.question();
    let first = json!({"value": ladder.rungs[0].value, "elo": 0.0, "low": 0.0, "high": 0.0});
    let mut result = json!({
        "game": plan.setup.game,
        "players": plan.players,
        "agent": ladder.template.with_label(),
        "parameter": ladder.template.name(),
        "values": ladder.rungs.iter().map(|rung| rung.value).collect::<Vec<_>>(),
        "h0": question.h0,
        "h1": question.h1,
        "level": level(ladder),
        "alpha": question.alpha,
        "beta": question.beta,
        "alpha_of_all": ladder.family_alpha(),
        "blocks": test.blocks(),
        "games": test.games(),
        "undecided": undecided(test),
        "steps": steps,
        "curve": std::iter::once(first).chain(curve).collect::<Vec<_>>(),
        "power": power_json(ladder, test),
        "caveats": caveats(ladder, test),
        "seed": ladder.seed,
        "command": ladder.command(),
    });
    if !plan.changes.is_empty() {
        result[sim::changes::KEY] = json!(plan.changes);
    }
    document(&result)
}

fn step_json(
    ladder: &Ladder,
    i: usize,
    step: &SequentialTest,
    stopped: Option<Stopped>,
    lead: Option<EloDifference>,
    p_of_all: f64,
) -> Json {
    let share = stopped.map(|stopped| share(step, &stopped));
    let zero = step.gsprt().question().zero;
    let sequence = step.sequence();
    json!({
        "value": ladder.rungs[i + 1].value,
        "against": ladder.rungs[i].value,
        "spec": ladder.rungs[i + 1].agent.to_string(),
        "verdict": word(step),
        "sentence": Finding::of(&ladder.steps[i], step).sentence(&ladder.steps[i], step.block_stats()),
        "test": step.gsprt().verdict().name(),
        "level": stopped.map(|stopped| stopped.level),
        "share": share.map(|(at, _)| at),
        "low": share.map(|(_, interval)| interval.low),
        "high": share.map(|(_, interval)| interval.high),
        "elo": lead.map(|lead| lead.elo),
        "elo_low": lead.map(|lead| lead.interval.low),
        "elo_high": lead.map(|lead| lead.interval.high),
        "p": stopped.map(|stopped| stopped.p),
        "p_of_all": stopped.map(|_| p_of_all),
        "blocks": step.blocks(),
        "games": step.block_stats().games(),
        "mean_share": step.gsprt().tally().moments().mean(),
        "sequence_low": zero + sequence.low,
        "sequence_high": zero + sequence.high,
        "seed": ladder.steps[i].seed(),
        "command": ladder.steps[i].command(),
    })
}

fn power_json(ladder: &Ladder, test: &LadderTest) -> Vec<Json> {
    let steps = 0..test.steps().len();
    let row = |step: usize| {
        test.power(step).into_iter().map(move |power| {
            json!({
                "value": ladder.rungs[step + 1].value,
                "against": ladder.rungs[step].value,
                "effect": power.effect,
                "elo": power.elo,
                "h1": power.endings.h1,
                "h1_below": power.endings.h1_below,
                "h0": power.endings.h0,
                "undecided": power.endings.undecided(),
            })
        })
    };
    steps.flat_map(row).collect()
}

/// Returns the progress of a ladder in one line.
#[must_use]
pub fn progress(ladder: &Ladder, test: &LadderTest) -> String {
    let open = test.steps().iter().enumerate();
    let open = open.filter(|(_, step)| step.gsprt().verdict() == Verdict::Undecided);
    let open: Vec<String> = open.map(|(i, _)| value(ladder, i + 1)).collect();
    let blocks = units::counted(test.blocks(), "block");
    units::shortened(&format!("{blocks}, undecided: {}", open.join(", ")), 79)
}
