//! Table with a row for each metric of a panel, and the document of the panel.

use serde_json::{Value as Json, json};

use super::compare::{with_changes, with_labels};
use super::comparison::ending;
use super::headline::forfeited;
use super::names::Names;
use super::table::{Cell, Column, Content, Mark, Note, Page, Readers, Scale, Table};
use lab::compare::panel::{LeftOut, Member, Panel, PanelTest};
use lab::compare::sequential_test::SequentialTest;
use lab::compare::verdict::Word;
use sim::document::document;
use sim::stats::{Interval, Verdict};
use sim::units;

/// The arms of a panel, for the words of its metrics.
const ARMS: usize = 2;

/// Returns the verdict on a metric; none if too many games were forfeited.
fn word(panel: &PanelTest, test: &SequentialTest) -> Word {
    if panel.block_stats().spoilt().is_some() { Word::None } else { test.word() }
}

/// Returns the verdict on the whole panel: moved if any metric did, no difference if that is shown of all.
fn whole(test: &PanelTest) -> &'static str {
    let words: Vec<Word> = test.tests().iter().map(|(_, one)| word(test, one)).collect();
    let any = |wanted: &[Word]| words.iter().any(|word| wanted.contains(word));
    match () {
        () if test.block_stats().spoilt().is_some() => Word::None.name(ARMS),
        () if any(&[Word::Better, Word::Worse]) => "moved",
        () if any(&[Word::Undecided, Word::None]) || words.is_empty() => Word::Undecided.name(ARMS),
        () => Word::NoDifference.name(ARMS),
    }
}

/// Returns the result as a table, a row a metric, in the order in which they were tested; with the first sentence below
/// it, if it does not stand elsewhere.
#[must_use]
pub fn page(
    panel: &Panel,
    test: &PanelTest,
    left_out: &[LeftOut],
    names: &Names,
    has_verdict: bool,
) -> Page {
    let count = Content::Number(Scale::Count);
    let number = Content::Number(Scale::Fixed(3));
    let mut columns = vec![Column::plain("metric", Content::Key)];
    columns.extend(sides(number));
    columns.extend([
        Column::new("level", "level", Content::Number(Scale::Fixed(4))).only(Readers::Programs),
        Column::plain("p", Content::PValue).only(Readers::Programs),
        Column::new("h1", "worth finding", number).only(Readers::Programs),
        Column::plain("verdict", Content::Text),
        Column::plain("blocks", count).only(Readers::Programs),
        Column::plain("alpha", number).only(Readers::Programs),
    ]);
    let rows = test.tests().iter().map(|(member, one)| row(test, member, one));
    let players = units::counted(panel.plans[0].players as u64, "player");
    let caption = format!("Effect of the rules, {} with {players}", panel.plans[0].setup.game);
    let mut table = Table::new("panel", caption, columns).with(rows);
    let first = has_verdict.then(|| verdict(test));
    for note in first.into_iter().chain(left_out.iter().map(left)) {
        table = table.noted(note);
    }
    Page { tables: vec![table], footer: footer(panel, test, names) }
}

/// Returns the columns of a metric under both rule sets, in the form `each`, and of its difference.
pub(super) fn sides(each: Content) -> [Column; 3] {
    [
        Column::new("mean_a", "A", each),
        Column::new("mean_b", "B", each),
        Column::new("effect", "B minus A", Content::Estimate(Scale::Signed(3))).mixed(),
    ]
}

fn row(panel: &PanelTest, member: &Member, test: &SequentialTest) -> Vec<Cell> {
    let stopped = member.answer(test).stopped;
    let mean = |arm: usize| Cell::Number(test.block_stats().arms()[arm].values.mean());
    let known = |interval: Interval| interval.low.is_finite() && interval.high.is_finite();
    let interval = stopped.map(|stopped| stopped.interval).filter(|interval| known(*interval));
    let word = word(panel, test);
    vec![
        Cell::Name { shown: member.metric.shown(), name: member.metric.name().to_owned() },
        mean(0),
        mean(1),
        Cell::Estimate(test.effect(), interval),
        stopped.map_or(Cell::Nothing, |stopped| Cell::Number(stopped.level)),
        stopped.map_or(Cell::Nothing, |stopped| Cell::Number(stopped.p)),
        Cell::Number(member.question.h1),
        Cell::text(word.name(ARMS)),
        Cell::Count(test.blocks()),
        Cell::Number(member.question.alpha),
    ]
}

/// Returns the first sentence: the metrics that moved, those that did not, and those undecided.
fn sentence(test: &PanelTest) -> String {
    if let Some(spoilt) = test.block_stats().spoilt() {
        return forfeited(&spoilt);
    }
    let named = |wanted: &[Word], say: &dyn Fn(&Member, Word) -> String| -> String {
        let all = test.tests().iter().map(|(member, one)| (member, word(test, one)));
        let those = all.filter(|(_, word)| wanted.contains(word));
        those.map(|(member, word)| say(member, word)).collect::<Vec<_>>().join(", ")
    };
    let name = |member: &Member| member.metric.shown();
    let moved = named(&[Word::Better, Word::Worse], &|member, word| {
        format!("{} is {}", name(member), word.name(ARMS))
    });
    let same = named(&[Word::NoDifference], &|member, _| {
        format!("{} in {}", units::fixed(member.question.h1, 3), name(member))
    });
    let open = named(&[Word::Undecided, Word::None], &|member, _| name(member));
    let mut parts = Vec::new();
    if !moved.is_empty() {
        parts.push(format!("under B {moved}"));
    }
    if !same.is_empty() {
        parts.push(format!("no difference above {same}"));
    }
    if !open.is_empty() {
        parts.push(format!("undecided (this does not mean equal): {open}"));
    }
    parts.join("; ")
}

/// Returns the first sentence in its colour.
#[must_use]
pub fn verdict(test: &PanelTest) -> Note {
    let mark = match whole(test) {
        "none" => Mark::Caveat,
        "undecided" => Mark::Open,
        _ => Mark::Plain,
    };
    Note::new(sentence(test)).marked(mark)
}

fn left(left: &LeftOut) -> Note {
    Note::new(format!("left out: {}: {}", left.metric, left.why)).marked(Mark::Caveat)
}

/// Returns the notes on reading the table, games broken off, the rules and the command.
fn footer(panel: &Panel, test: &PanelTest, names: &Names) -> Vec<Note> {
    let (alpha, beta) = panel.errors();
    let given = units::given;
    let mut notes = vec![Note::new(format!(
        "Differences of means. Intervals of larger, smaller and undecided are simultaneous ({} %); each interval of \
         no difference has {} % (alpha {}, a quarter each for seats, score, length and lead; beta {} each)",
        units::hundredths(1.0 - alpha),
        units::hundredths(1.0 - 2.0 * beta),
        given(alpha),
        given(beta)
    ))];
    if panel.plans[0].players == 2 {
        notes.push(Note::new("seat 2 has the rest of the points"));
    }
    notes.push(Note::new(
        "which strategies die or come: `caesar strategies` under the same two rule sets",
    ));
    let (games, blocks) = (test.block_stats().games(), test.block_stats().blocks());
    let (games, blocks) = (units::counted(games, "game"), units::counted(blocks, "block"));
    notes.push(Note::new(format!("{games} in {blocks}")));
    for arm in test.block_stats().arms().iter().filter(|_| test.block_stats().spoilt().is_none()) {
        let note = arm.first_forfeit.as_ref().map(|first| {
            Note::new(format!("forfeits: {}, {first}", units::counted(arm.forfeits, "game")))
        });
        notes.extend(note.map(|note| note.marked(Mark::Caveat)));
    }
    notes.extend(ending(&panel.plans, &panel.command(), names));
    notes
}

/// Returns the result as one JSON document.
#[must_use]
pub fn json(panel: &Panel, test: &PanelTest, left_out: &[LeftOut]) -> String {
    let member = |(member, one): &(Member, SequentialTest)| -> Json {
        let stopped = member.answer(one).stopped;
        json!({
            "metric": member.metric.name(),
            "verdict": word(test, one).name(ARMS),
            "test": one.gsprt().verdict().name(),
            "no_difference_above": member.question.h1,
            "h0": 0.0,
            "h1": member.question.h1,
            "effect": one.effect(),
            "low": stopped.map(|t| t.interval.low),
            "high": stopped.map(|t| t.interval.high),
            "level": stopped.map(|t| t.level),
            "p": stopped.map(|t| t.p),
            "blocks": one.blocks(),
            "alpha": member.question.alpha,
            "mean_effect": one.effect(),
            "means": one.block_stats().arms().iter().map(|arm| arm.values.mean()).collect::<Vec<_>>(),
            "unit": member.metric.unit(),
        })
    };
    let names = |wanted: &[Word]| -> Vec<&str> {
        let is_wanted = |one: &SequentialTest| wanted.contains(&word(test, one));
        let all = test.tests().iter().filter(|(_, one)| is_wanted(one));
        all.map(|(member, _)| member.metric.name()).collect()
    };
    let (alpha, beta) = panel.errors();
    let result = json!({
        "verdict": whole(test),
        "sentence": sentence(test),
        "design": "panel",
        "moved": names(&[Word::Better, Word::Worse]),
        "no_difference": names(&[Word::NoDifference]),
        "undecided": names(&[Word::Undecided, Word::None]),
        "blocks": test.block_stats().blocks(),
        "games": test.block_stats().games(),
        "alpha": alpha,
        "beta": beta,
        "members": test.tests().iter().map(member).collect::<Vec<_>>(),
        "left_out": left_out
            .iter()
            .map(|left| json!({"metric": left.metric, "why": left.why}))
            .collect::<Vec<_>>(),
        "forfeits": test.block_stats().arms().iter().map(|arm| arm.forfeits).collect::<Vec<_>>(),
        "seed": panel.plans[0].seed,
        "command": panel.command(),
    });
    document(&with_labels(with_changes(result, &panel.plans), &panel.plans))
}

/// Returns the progress of a panel in one line.
#[must_use]
pub fn progress(test: &PanelTest) -> String {
    let open = test.tests().iter().filter(|(_, test)| test.gsprt().verdict() == Verdict::Undecided);
    let open: Vec<String> = open.map(|(member, _)| member.metric.shown()).collect();
    let blocks = units::counted(test.block_stats().blocks(), "block");
    units::shortened(&format!("{blocks}, undecided: {}", open.join(", ")), 79)
}
