//! Tables of an adaptive tournament: confidence sequences of pairs, and only numbers that its choices do not bias.

use serde_json::{Value as Json, json};

use super::dealt::{self, Told};
use super::names::Names;
use super::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use sim::adaptive::{AdaptiveRun, Undecided};
use sim::config::Plan;
use sim::stats::Interval;
use sim::stats::pairs::Order;
use sim::units;

/// The name of the table.
const PAIRS: &str = "pairs";

impl Told for Undecided {
    const TABLES: &[&str] = &[PAIRS];

    fn page(plan: &Plan, run: &AdaptiveRun<'_>, names: &Names) -> Page {
        page(plan, run, names)
    }

    fn entries(plan: &Plan, run: &AdaptiveRun<'_>) -> Json {
        entries(plan, run)
    }

    fn progress(run: &AdaptiveRun<'_>) -> String {
        let blocks = units::counted(run.blocks(), "block");
        let (open, all) = (run.pairs().open().len(), run.pairs().len());
        format!("{blocks}, {open} of {all} pairs undecided")
    }
}

/// Returns the words for the order of a pair: for programs, for people.
const fn words(order: Order) -> [&'static str; 2] {
    match order {
        Order::Before => ["before", "before"],
        Order::Behind => ["behind", "behind"],
        Order::Open => ["undecided", "not decided"],
    }
}

/// Returns the result as a table, a row a pair, in the order of the line-up.
fn page(plan: &Plan, run: &AdaptiveRun<'_>, names: &Names) -> Page {
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
    notes.extend(dealt::closing(plan, run, names));
    notes
}

/// Returns the entries of the document.
fn entries(plan: &Plan, run: &AdaptiveRun<'_>) -> Json {
    let (agents, pairs) = (plan.names(), run.pairs());
    let pair = |(pair, (a, b)): (usize, (usize, usize))| -> Json {
        let Interval { low, high } = pairs.interval(pair);
        let order = words(pairs.order(pair))[0];
        let blocks = pairs.blocks(pair);
        json!({"a": agents[a], "b": agents[b], "low": low, "high": high, "order": order, "blocks": blocks})
    };
    json!({
        "level": 1.0 - sim::stats::pairs::ALPHA,
        "undecided": pairs.open().len(),
        "pairs": pairs.names().into_iter().enumerate().map(pair).collect::<Vec<_>>(),
    })
}
