//! What a panel of metrics came to: a table with a row a metric, and a document.

use serde_json::{Value as Json, json};

use super::compare::{with_changes, with_labels};
use super::comparison::ending;
use super::names::Names;
use super::table::{Cell, Column, Content, Mark, Note, Page, Readers, Scale, Table};
use crate::compare::panel::{LeftOut, Member, Panel, PanelTest};
use crate::compare::sequential_test::SequentialTest;
use crate::document::document;
use crate::stats::Verdict;
use crate::units;

/// What is said of a metric, for programs and for people.
fn word(member: &Member, test: &SequentialTest) -> &'static str {
    match (test.gsprt().verdict(), member.moved(test)) {
        (Verdict::H1, 1) => "larger",
        (Verdict::H1, _) => "smaller",
        (Verdict::H0, _) => "same",
        (Verdict::Undecided, _) => "undecided",
    }
}

/// The result as a table, a row a metric, in the order in which they were tested.
#[must_use]
pub fn page(panel: &Panel, test: &PanelTest, left_out: &[LeftOut], names: &Names) -> Page {
    let count = Content::Number(Scale::Count);
    let number = Content::Number(Scale::Fixed(3));
    let columns = vec![
        Column::plain("metric", Content::Key),
        Column::new("mean_a", "A", number),
        Column::new("mean_b", "B", number),
        Column::new("effect", "B less A [95 % together]", Content::Estimate(Scale::Signed(3))),
        Column::plain("p", Content::PValue),
        Column::new("h1", "worth finding", number),
        Column::plain("verdict", Content::Text),
        Column::plain("blocks", count),
        Column::plain("alpha", number).only(Readers::Programs),
    ];
    let rows = test.tests().iter().map(|(member, test)| row(member, test));
    let players = units::counted(panel.plans[0].players as u64, "player");
    let caption = format!("What the rules move, {} with {players}", panel.plans[0].setup.game);
    let mut table = Table::new("panel", caption, columns).with(rows);
    for note in verdicts(test).into_iter().chain(left_out.iter().map(left)) {
        table = table.noted(note);
    }
    Page { tables: vec![table], footer: footer(panel, test, names) }
}

fn row(member: &Member, test: &SequentialTest) -> Vec<Cell> {
    let told = member.told(test);
    let mean = |arm: usize| Cell::Number(test.heard().arms()[arm].values.mean());
    let effect = told.map_or_else(
        || Cell::Estimate(test.effect(), None),
        |told| Cell::Estimate(told.estimate, Some(told.interval)),
    );
    vec![
        Cell::text(member.metric.name()),
        mean(0),
        mean(1),
        effect,
        told.map_or(Cell::Nothing, |told| Cell::Number(told.p)),
        Cell::Number(member.question.h1),
        Cell::text(word(member, test)),
        Cell::Count(test.blocks()),
        Cell::Number(member.question.alpha),
    ]
}

/// What moved, what did not, and what is not known.
fn verdicts(test: &PanelTest) -> Vec<Note> {
    let named = |wanted: &[&str]| -> Vec<String> {
        let all = test.tests().iter().map(|(member, test)| (member, word(member, test)));
        let those = all.filter(|(_, word)| wanted.contains(word));
        those
            .map(|(member, word)| match wanted.len() {
                1 => member.metric.name().to_owned(),
                _ => format!("{} ({word} under B)", member.metric.name()),
            })
            .collect()
    };
    let mut notes = Vec::new();
    let moved = named(&["larger", "smaller"]);
    if moved.is_empty() {
        notes.push(Note::new("moved: nothing that is shown"));
    } else {
        notes.push(Note::new(format!("moved: {}", moved.join(", "))).marked(Mark::Winner));
    }
    let same = named(&["same"]);
    if !same.is_empty() {
        notes.push(Note::new(format!("less than worth finding: {}", same.join(", "))));
    }
    let open = named(&["undecided"]);
    if !open.is_empty() {
        let open = format!("undecided, which does not mean equal: {}", open.join(", "));
        notes.push(Note::new(open).marked(Mark::Open));
    }
    notes
}

fn left(left: &LeftOut) -> Note {
    Note::new(format!("left out: {}: {}", left.metric, left.why)).marked(Mark::Caveat)
}

/// How to read the table, who broke off games, the rules and the command.
fn footer(panel: &Panel, test: &PanelTest, names: &Names) -> Vec<Note> {
    let (alpha, beta) = panel.errors();
    let given = units::given;
    let mut notes = vec![Note::new(format!(
        "median-unbiased estimates; all intervals hold together in {} of 100 comparisons, and p counts all tests: alpha \
         {}, a quarter each for the seats, the score, the length and the lead; beta {} each",
        given((100.0 * (1.0 - alpha) * 100.0).round() / 100.0),
        given(alpha),
        given(beta)
    ))];
    if panel.plans[0].players == 2 {
        notes.push(Note::new("seat-1 has what seat-0 has not"));
    }
    let (games, blocks) = (test.heard().games(), test.heard().blocks());
    let (games, blocks) = (units::counted(games, "game"), units::counted(blocks, "block"));
    notes.push(Note::new(format!("{games} in {blocks}")));
    for arm in test.heard().arms() {
        let note = arm.first_forfeit.as_ref().map(|first| {
            Note::new(format!("forfeits: {}, {first}", units::counted(arm.forfeits, "game")))
        });
        notes.extend(note.map(|note| note.marked(Mark::Caveat)));
    }
    notes.extend(ending(&panel.plans, &panel.command(), names));
    notes
}

/// The result as one JSON document.
#[must_use]
pub fn json(panel: &Panel, test: &PanelTest, left_out: &[LeftOut]) -> String {
    let member = |(member, test): &(Member, SequentialTest)| -> Json {
        let told = member.told(test);
        json!({
            "metric": member.metric.name(),
            "verdict": word(member, test),
            "h0": 0.0,
            "h1": member.question.h1,
            "effect": told.map(|t| t.estimate),
            "low": told.map(|t| t.interval.low),
            "high": told.map(|t| t.interval.high),
            "p": told.map(|t| t.p),
            "blocks": test.blocks(),
            "alpha": member.question.alpha,
            "mean_effect": test.effect(),
            "means": test.heard().arms().iter().map(|arm| arm.values.mean()).collect::<Vec<_>>(),
            "unit": member.metric.unit(),
        })
    };
    let names = |is_wanted: &dyn Fn(&str) -> bool| -> Vec<&str> {
        let all = test.tests().iter().filter(|(member, test)| is_wanted(word(member, test)));
        all.map(|(member, _)| member.metric.name()).collect()
    };
    let (alpha, beta) = panel.errors();
    let result = json!({
        "design": "panel",
        "moved": names(&|word| matches!(word, "larger" | "smaller")),
        "same": names(&|word| word == "same"),
        "undecided": names(&|word| word == "undecided"),
        "blocks": test.heard().blocks(),
        "games": test.heard().games(),
        "alpha": alpha,
        "beta": beta,
        "members": test.tests().iter().map(member).collect::<Vec<_>>(),
        "left_out": left_out
            .iter()
            .map(|left| json!({"metric": left.metric, "why": left.why}))
            .collect::<Vec<_>>(),
        "forfeits": test.heard().arms().iter().map(|arm| arm.forfeits).collect::<Vec<_>>(),
        "seed": panel.plans[0].seed,
        "command": panel.command(),
    });
    document(&with_labels(with_changes(result, &panel.plans), &panel.plans))
}

/// One line on how far a panel is.
#[must_use]
pub fn progress(test: &PanelTest) -> String {
    let open = test.tests().iter().filter(|(_, test)| test.gsprt().verdict() == Verdict::Undecided);
    let open: Vec<&str> = open.map(|(member, _)| member.metric.name()).collect();
    let blocks = units::counted(test.heard().blocks(), "block");
    units::shortened(&format!("{blocks}, undecided: {}", open.join(", ")), 79)
}
