//! Tables of an adaptive tournament: confidence sequences of pairs, and only numbers that its choices do not bias.

use serde_json::{Value as Json, json};

use super::names::Names;
use super::rules;
use super::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use sim::adaptive::AdaptiveRun;
use sim::config::Plan;
use sim::document::document;
use sim::stats::Interval;
use sim::stats::pairs::Order;
use sim::units;

/// The name of the table.
pub const PAIRS: &str = "pairs";

/// Returns the words for the order of a pair: for programs, for people.
const fn words(order: Order) -> [&'static str; 2] {
    match order {
        Order::Before => ["before", "before"],
        Order::Behind => ["behind", "behind"],
        Order::Open => ["undecided", "not decided"],
    }
}

/// Returns the result as a table, a row a pair, in the order of the line-up.
#[must_use]
pub fn page(plan: &Plan, run: &AdaptiveRun<'_>, names: &Names) -> Page {
    let share = Content::Number(Scale::SHARE);
    let columns = vec![
        Column::plain("a", Content::Key),
        Column::plain("b", Content::Key),
        Column::new("interval", "a ahead of b [anytime-valid]", Content::Text)
            .only(Readers::People),
        Column::plain("low", share).only(Readers::Programs),
        Column::plain("high", share).only(Readers::Programs),
        Column::new("order", "a is", Content::Text),
        Column::plain("blocks", Content::Number(Scale::Count)),
    ];
    let agents = plan.names();
    let pairs = run.pairs();
    let row = |(pair, (a, b)): (usize, (usize, usize))| {
        let Interval { low, high } = pairs.interval(pair);
        let order = pairs.order(pair);
        let [name, shown] = words(order).map(str::to_owned);
        let cells = vec![
            names.cell(&agents[a]),
            names.cell(&agents[b]),
            Cell::text(format!("[{}, {}]", units::share(low), units::share(high))),
            Cell::Number(low),
            Cell::Number(high),
            Cell::Name { shown, name },
            Cell::Count(pairs.blocks(pair)),
        ];
        let mark = if order == Order::Open { Mark::Open } else { Mark::Plain };
        Row { cells, mark }
    };
    let players = units::counted(plan.players as u64, "player");
    let caption = format!("Pairs of {} agents, {} with {players}", agents.len(), plan.setup.game);
    let mut table = Table::new(PAIRS, caption, columns);
    table.rows = pairs.names().into_iter().enumerate().map(row).collect();
    Page { tables: vec![table], footer: footer(plan, run, names) }
}

fn footer(plan: &Plan, run: &AdaptiveRun<'_>, names: &Names) -> Vec<Note> {
    let pairs = run.pairs();
    let (n, open) = (pairs.len() as u64, pairs.open().len() as u64);
    let others = match plan.players {
        2 => "",
        _ => ", with other agents drawn at random",
    };
    let mut notes = vec![
        Note::new(format!(
            "Share of the games in which a finishes ahead of b, ties half{others}. The anytime-valid intervals are \
             simultaneous (95 %); each misses in {} of 100 runs",
            units::hundredths(pairs.alpha())
        )),
        Note::new(
            "Blocks went to undecided pairs, so shares, ratings and rankings would be biased and are withheld",
        ),
    ];
    let decided = format!("{} of {} decided", units::count(n - open), units::counted(n, "pair"));
    let played = (units::counted(run.games(), "game"), units::counted(run.blocks(), "block"));
    let end = format!("{decided}, {} in {}", played.0, played.1);
    let open_mark = if open > 0 { Mark::Open } else { Mark::Plain };
    notes.push(Note::new(end).marked(open_mark));
    notes.extend(caveats(plan, run).into_iter().map(|text| Note::new(text).marked(Mark::Caveat)));
    notes.extend(names.legend());
    let line = rules::line(&plan.setup.game, &plan.changes);
    notes.extend(line.map(|line| Note::new(format!("rules: {line}"))));
    notes.push(Note::new(format!("seed {}", plan.seed)).before(plan.command()));
    notes
}

fn caveats(plan: &Plan, run: &AdaptiveRun<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, caveat) in plan.names().iter().zip(&plan.caveats) {
        if caveat.cheats {
            lines.push(format!("cheats: {name} sees hidden information"));
        }
        if caveat.is_timed {
            lines.push(format!("timed: {name} has a time limit, so another run plays other games"));
        }
    }
    if let Some((n, first)) = run.forfeits() {
        lines.push(format!("forfeits: {}, {first}", units::counted(n, "game")));
    }
    lines
}

/// Returns the result as one JSON document, which depends on the games only.
#[must_use]
pub fn json(plan: &Plan, run: &AdaptiveRun<'_>) -> String {
    let (agents, pairs) = (plan.names(), run.pairs());
    let pair = |(pair, (a, b)): (usize, (usize, usize))| -> Json {
        let Interval { low, high } = pairs.interval(pair);
        let order = words(pairs.order(pair))[0];
        let blocks = pairs.blocks(pair);
        json!({"a": agents[a], "b": agents[b], "low": low, "high": high, "order": order, "blocks": blocks})
    };
    let agent =
        |agent: &agents::AgentSpec| json!({"label": agent.label(), "spec": agent.to_string()});
    let mut result = json!({
        "game": plan.setup.game,
        "players": plan.players,
        "blocks": run.blocks(),
        "games": run.games(),
        "seed": plan.seed,
        "schedule": plan.timetable.schedule().name(),
        "complete": run.is_over(),
        "level": 1.0 - sim::stats::pairs::ALPHA,
        "undecided": pairs.open().len(),
        "pairs": pairs.names().into_iter().enumerate().map(pair).collect::<Vec<_>>(),
        "agents": plan.lineup.iter().map(agent).collect::<Vec<_>>(),
        "caveats": caveats(plan, run),
        "command": plan.command(),
    });
    if !plan.changes.is_empty() {
        result[sim::changes::KEY] = json!(plan.changes);
    }
    document(&result)
}

/// Returns the progress of a run in one line.
#[must_use]
pub fn progress(run: &AdaptiveRun<'_>) -> String {
    let blocks = units::counted(run.blocks(), "block");
    let (open, all) = (run.pairs().open().len(), run.pairs().len());
    format!("{blocks}, {open} of {all} pairs undecided")
}
