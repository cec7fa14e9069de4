//! What a search came to: the verdict, the play-off, what each parameter is worth; as tables and as a document. And what
//! a search will cost.

use agents::param::WEIGHT;
use serde_json::{Value as Json, json};

use super::names::Names;
use super::table::{Cell, Column, Content, Mark, Note, Page, Row, Scale, Table};
use crate::document::document;
use crate::error::Error;
use crate::stats::{Interval, Moments, NORMAL_95};
use crate::tune::request::{POWER, Study};
use crate::tune::response::Fitted;
use crate::tune::run::{Confirmation, Gain, Outcome, Verdict};
use crate::tune::space::Point;
use crate::tune::subject::Subject;
use crate::units;

/// The table of what is claimed.
pub const VERDICT: &str = "verdict";
/// The table of the finalists.
pub const PLAY_OFF: &str = "play-off";
/// The table of what each parameter is worth.
pub const EFFECTS: &str = "effects";
/// The table of pairs of parameters.
pub const INTERACTIONS: &str = "interactions";
/// The table of what the rules come to, where they are tuned.
pub const PARTS: &str = "parts";
/// All tables.
pub const TABLES: [&str; 5] = [VERDICT, PARTS, PLAY_OFF, EFFECTS, INTERACTIONS];

const COUNT: Content = Content::Number(Scale::Count);
const GAIN: Content = Content::Estimate(Scale::Signed(4));
/// The step of a one-step deviation, as a part of the range; a whole number or a word moves to the next one.
const STEP: f64 = 1.0 / 8.0;
/// The longest name of an agent in a table, however wide it may be: one with all its weights is thousands of letters long.
const LONGEST: usize = 60;
/// A name of so many letters makes no table too wide, whatever else stands on the page.
const SHORTEST: usize = 24;
/// Pairs that are told: the largest.
const PAIRS: usize = 12;

fn estimate(gain: Gain, moments: &Moments) -> Cell {
    Cell::Estimate(moments.mean(), Some(gain.interval(moments)))
}

/// What is tuned, for people.
const fn noun(study: &Study) -> &'static str {
    match study.subject {
        Subject::Agent(_) => "agent",
        Subject::Rules(_) => "rules",
    }
}

/// The result as tables, with names of agents of at most `longest` characters, and never longer than a line.
///
/// # Errors
/// If a point is no agent, which was checked before.
pub fn page(study: &Study, outcome: &Outcome, longest: usize) -> Result<Page, Error> {
    let finalists = outcome.finalists.iter();
    let finalists = finalists.map(|finalist| study.subject.spelled(&finalist.point));
    let finalists = finalists.collect::<Result<Vec<_>, Error>>()?;
    let specs = [finalists.clone(), study.subject.held_out()].concat();
    let names = Names::of_specs(&specs, noun(study), longest.clamp(SHORTEST, LONGEST));
    let mut tables = vec![verdict(study, outcome, &names)];
    tables.extend(parts(study, outcome));
    if !finalists.is_empty() {
        tables.push(play_off(study, outcome, (&finalists, &names)));
    }
    if let Some(fitted) = outcome.response.told() {
        let centre = outcome.candidate().unwrap_or(&outcome.start);
        tables.push(effects(study, &fitted, centre));
        let pairs = interactions(study, &fitted);
        tables.extend(Some(pairs).filter(|table| !table.rows.is_empty()));
    }
    Ok(Page { tables, footer: footer(study, outcome)? })
}

/// What is claimed: each line a gain of the chosen one.
fn verdict(study: &Study, outcome: &Outcome, names: &Names) -> Table {
    let columns = vec![
        Column::plain("against", Content::Key),
        Column::new("gain", "gain [95 %]", GAIN),
        Column::plain("blocks", COUNT),
    ];
    let caption = format!(
        "Report: what the chosen {} gains over the start, {} with {}",
        noun(study),
        study.setup.game,
        units::counted(study.players as u64, "player")
    );
    let mut table = Table::new(VERDICT, caption, columns);
    let mut row = |name: Cell, gain: &Moments, mark: Mark| {
        let cells = vec![name, estimate(outcome.gain, gain), Cell::Count(gain.n())];
        table.rows.push(Row { cells, mark });
    };
    let Some(confirmation) = &outcome.confirmation else {
        let text = "nothing was found that was worth a look at the pool of reports";
        return table.noted(Note::new(text));
    };
    let mark = match outcome.verdict() {
        Verdict::Better => Mark::Winner,
        Verdict::NoBetter => Mark::Plain,
        Verdict::Undecided => Mark::Open,
    };
    let whom = match &study.subject {
        Subject::Rules(laws) if !laws.target.has_opponents() => format!("games of {}", laws.agent),
        _ => "the pool".to_owned(),
    };
    row(Cell::text(whom), &confirmation.gain, mark);
    for (spec, gain) in study.subject.held_out().iter().zip(&confirmation.held_out) {
        let [shown, name] = [names.shown(spec), spec].map(|name| format!("held out: {name}"));
        row(Cell::Name { shown, name }, gain, Mark::Plain);
    }
    if let Some(duel) = &confirmation.duel {
        row(Cell::text("the start itself"), duel, Mark::Plain);
    }
    let held_out = study.subject.held_out();
    noted(study, outcome, confirmation, legend(table, names, &held_out))
}

/// A table with a legend of those of `specs` that it calls otherwise.
fn legend(mut table: Table, names: &Names, specs: &[String]) -> Table {
    let short = specs.iter().filter(|spec| names.shown(spec) != spec.as_str());
    let notes = short.map(|spec| Note::new(format!("{} = {spec}", names.shown(spec))));
    table.notes.extend(notes);
    table
}

fn noted(study: &Study, outcome: &Outcome, confirmation: &Confirmation, table: Table) -> Table {
    let equal = 1.0 / study.players as f64;
    let [candidate, start] = &confirmation.shares;
    let mut table = table.noted(Note::new(match &study.subject {
        Subject::Agent(_) => format!(
            "in points of share, block by block under the same chance: {} of the chosen agent, {} of the start against \
             the pool; against the start itself an equal share, {}, is 0",
            units::share(equal + candidate.mean()),
            units::share(equal + start.mean()),
            units::share(equal)
        ),
        Subject::Rules(laws) => format!(
            "less loss, block by block under the same chance: {} of the chosen rules, {} of the start; the loss is {}, \
             estimated with no bias, so that it may be told below 0",
            units::signed(-candidate.mean(), 4),
            units::signed(-start.mean(), 4),
            laws.target.loss()
        ),
    }));
    if let Some((gap, Interval { low, high })) = outcome.winners_curse() {
        table = table.noted(Note::new(format!(
            "winner's curse: the play-off told {} [{}, {}] more than the report",
            units::signed(gap, 4),
            units::signed(low, 4),
            units::signed(high, 4)
        )));
    }
    if confirmation.look > 1 {
        let text = format!(
            "this is look {} at the pool of reports of seed {}: whoever has looked before has chosen by it, and the \
             intervals are too narrow; take another seed",
            confirmation.look, study.search.seed
        );
        table = table.noted(Note::new(text).marked(Mark::Caveat));
    }
    table
}

/// What the parts of the loss of rules came to: shares of seats, the length, or how often something is taken.
fn parts(study: &Study, outcome: &Outcome) -> Option<Table> {
    let (Subject::Rules(laws), Some(confirmation)) = (&study.subject, &outcome.confirmation) else {
        return None;
    };
    let is_part = laws.target.is_part();
    let scale = Content::Estimate(if is_part { Scale::SHARE } else { Scale::Fixed(1) });
    let columns = vec![
        Column::plain("part", Content::Key),
        Column::plain("target", Content::Text),
        Column::new("start", "start [95 %]", scale),
        Column::new("chosen", "chosen [95 %]", scale),
    ];
    let cell =
        |moments: &Moments| Cell::Estimate(moments.mean(), Some(laws.target.interval(moments)));
    let wanted = laws.target.aim(study.players).wanted;
    let wanted = if is_part { units::share(wanted) } else { wanted.to_string() };
    let names = laws.target.parts(study.players).into_iter();
    let rows = names.zip(&confirmation.parts).map(|(name, [chosen, start])| {
        vec![Cell::text(name), Cell::text(wanted.clone()), cell(start), cell(chosen)]
    });
    let caption = format!("What the rules come to in the games of {}", laws.agent);
    Some(Table::new(PARTS, caption, columns).with(rows))
}

fn play_off(study: &Study, outcome: &Outcome, (specs, names): (&[String], &Names)) -> Table {
    let columns = vec![
        Column::plain(noun(study), Content::Key),
        Column::new("gain", "gain [95 %]", GAIN),
        Column::plain("blocks", COUNT),
    ];
    let rows = outcome.finalists.iter().zip(specs).map(|(finalist, spec)| {
        let gain = estimate(outcome.gain, &finalist.gain);
        vec![names.cell(spec), gain, Cell::Count(finalist.gain.n())]
    });
    let table = Table::new(PLAY_OFF, "Play-off: the finalists over the start", columns);
    legend(table.with(rows), names, specs).noted(Note::new(
        "the first was chosen because it is the first, so that what is told of it here is too good",
    ))
}

fn interval_of((difference, error): (f64, f64)) -> Cell {
    let interval =
        Interval { low: difference - NORMAL_95 * error, high: difference + NORMAL_95 * error };
    Cell::Estimate(difference, Some(interval))
}

/// What each parameter is worth around a point: from one end of its range to the other, and one step down and up.
fn effects(study: &Study, fitted: &Fitted, centre: &Point) -> Table {
    let columns = vec![
        Column::plain("parameter", Content::Key),
        Column::plain("value", Content::Text),
        Column::new("best", "best on its own", Content::Text),
        Column::new("range", "worst to best [95 %]", GAIN),
        Column::new("down", "a step down [95 %]", GAIN),
        Column::new("up", "a step up [95 %]", GAIN),
    ];
    let space = &study.search.space;
    let rows = space.dimensions().iter().enumerate().map(|(i, one)| {
        let moved = |place: f64| space.with(centre, i, place);
        let levels = one.range.levels(if one.range.is_ordered() {
            9
        } else {
            one.range.size().unwrap_or(2) as usize
        });
        let worth = |place: &f64| fitted.value(moved(*place).places());
        let by_worth = |a: &&f64, b: &&f64| worth(a).total_cmp(&worth(b));
        let best = *levels.iter().max_by(by_worth).unwrap_or(&0.5);
        let worst = *levels.iter().min_by(by_worth).unwrap_or(&0.5);
        let over =
            |place: f64, other: &Point| fitted.difference(moved(place).places(), other.places());
        let step = one.range.size().map_or(STEP, |n| STEP.max(1.0 / n as f64));
        let beside = |way: f64| {
            let place = centre.places()[i] + way * step;
            let is_there = (0.0..=1.0).contains(&place) && one.range.is_ordered();
            if is_there { interval_of(over(place, centre)) } else { Cell::Nothing }
        };
        vec![
            Cell::text(one.name.clone()),
            Cell::text(centre.texts()[i].clone()),
            Cell::text(moved(best).texts()[i].clone()),
            interval_of(over(best, &moved(worst))),
            beside(-1.0),
            beside(1.0),
        ]
    });
    let caption = format!(
        "What each parameter is worth where all others are those of the chosen {}",
        noun(study)
    );
    Table::new(EFFECTS, caption, columns)
        .with(rows)
        .noted(Note::new(
            "by a quadratic surface through everything that was searched with, so that intervals hold as far as it does; \
             a step is an eighth of the range, at least one value",
        ))
}

fn interactions(study: &Study, fitted: &Fitted) -> Table {
    let columns = vec![
        Column::plain("parameter", Content::Key),
        Column::new("other", "and", Content::Key),
        Column::new("interaction", "together [95 %]", GAIN),
    ];
    let names: Vec<&str> =
        study.search.space.dimensions().iter().map(|one| one.name.as_str()).collect();
    let mut pairs: Vec<(&str, &str, (f64, f64))> = Vec::new();
    for i in 0..names.len() {
        for j in i + 1..names.len() {
            pairs.extend(fitted.interaction(i, j).map(|found| (names[i], names[j], found)));
        }
    }
    pairs.sort_by(|a, b| b.2.0.abs().total_cmp(&a.2.0.abs()));
    let rows = pairs.into_iter().take(PAIRS);
    let rows = rows.map(|(a, b, found)| vec![Cell::text(a), Cell::text(b), interval_of(found)]);
    Table::new(INTERACTIONS, "Pairs of parameters, the largest interactions first", columns).with(rows).noted(Note::new(
        "what both at the upper end of their ranges, or both at the lower, are worth beyond each alone; of words the \
         largest pair",
    ))
}

/// What is to be used, what was played and the command.
fn footer(study: &Study, outcome: &Outcome) -> Result<Vec<Note>, Error> {
    let winner = study.subject.spelled(outcome.winner())?;
    let words = match outcome.verdict() {
        Verdict::Better => format!("better: use {winner}"),
        Verdict::NoBetter => format!("no better than the start, which is kept: {winner}"),
        Verdict::Undecided => {
            format!(
                "not shown to be better, which does not mean equal; the start is kept: {winner}"
            )
        }
    };
    let mark = if outcome.verdict() == Verdict::Better { Mark::Winner } else { Mark::Open };
    let games = units::counted(outcome.blocks * study.games_per_block(), "game");
    // A search that finds nothing but the start has no play-off.
    let searched = study.search.budget.train + study.search.budget.select;
    let how = study.search.how.name();
    let runs = match study.search.runs {
        1 => String::new(),
        runs => format!(" in {}", units::counted(runs, "search")),
    };
    let mut notes = vec![
        Note::new(words).marked(mark),
        Note::new(format!(
            "{how}{runs}, {} of {games} for searching and choosing{}",
            units::count(searched.min(outcome.blocks) * study.games_per_block()),
            study.smallest_gain().map_or_else(String::new, |gain| format!(
                "; the report can show a gain of {} in four of five runs",
                units::share(gain)
            ))
        )),
    ];
    notes.push(Note::new(format!("seed {}", study.search.seed)).before(study.request.command()));
    Ok(notes)
}

/// The weights of a point as a file of weights, or the rules as a file of rules; `None` where neither was tuned.
#[must_use]
pub fn file(study: &Study, point: &Point) -> Option<String> {
    if let Subject::Rules(laws) = &study.subject {
        return Some(laws.file(point));
    }
    let pairs = study.search.space.dimensions().iter().zip(point.texts());
    let lines: Vec<String> = pairs
        .filter_map(|(one, text)| Some(format!("{} = {text}\n", one.name.strip_prefix(WEIGHT)?)))
        .collect();
    (!lines.is_empty()).then(|| lines.concat())
}

fn json_of(gain: Gain, moments: &Moments) -> Json {
    let Interval { low, high } = gain.interval(moments);
    json!({"estimate": moments.mean(), "low": low, "high": high, "n": moments.n()})
}

/// What the parts of the loss of rules came to.
fn parts_json(study: &Study, confirmation: Option<&Confirmation>) -> Json {
    let (Subject::Rules(laws), Some(confirmation)) = (&study.subject, confirmation) else {
        return Json::Null;
    };
    let number = |moments: &Moments| {
        let Interval { low, high } = laws.target.interval(moments);
        json!({"estimate": moments.mean(), "low": low, "high": high, "n": moments.n()})
    };
    let names = laws.target.parts(study.players).into_iter();
    let parts = names.zip(&confirmation.parts).map(|(name, [chosen, start])| {
        json!({"part": name, "target": laws.target.aim(study.players).wanted, "start": number(start), "chosen": number(chosen)})
    });
    json!(parts.collect::<Vec<Json>>())
}

/// The result as one JSON document.
///
/// # Errors
/// As for [`page`].
pub fn json(study: &Study, outcome: &Outcome) -> Result<String, Error> {
    let json_of = |moments: &Moments| json_of(outcome.gain, moments);
    let agent = |point: &Point| Ok::<Json, Error>(json!(study.subject.spelled(point)?));
    let confirmation = outcome.confirmation.as_ref();
    let held_out = |confirmation: &Confirmation| {
        let held_out = study.subject.held_out();
        let pairs = held_out.iter().zip(&confirmation.held_out);
        let one =
            |(spec, gain): (&String, &Moments)| json!({"opponent": spec, "effect": json_of(gain)});
        pairs.map(one).collect::<Vec<Json>>()
    };
    let curse = outcome.winners_curse().map(|(gap, Interval { low, high })| {
        let n = confirmation.map_or(0, |confirmation| confirmation.gain.n());
        json!({"estimate": gap, "low": low, "high": high, "n": n})
    });
    let parts = parts_json(study, confirmation);
    let finalists = outcome.finalists.iter().map(|finalist| {
        Ok(json!({"agent": agent(&finalist.point)?, "effect": json_of(&finalist.gain)}))
    });
    let candidate = outcome.candidate().map(agent).transpose()?;
    Ok(document(&json!({
        "verdict": outcome.verdict().name(),
        "start": agent(&outcome.start)?,
        "winner": agent(outcome.winner())?,
        "candidate": candidate,
        "confirmation": confirmation.map(|one| json!({"effect": json_of(&one.gain), "verdict": outcome.verdict().name(), "look": one.look})),
        "held_out": confirmation.map_or_else(Vec::new, held_out),
        "duel": confirmation.and_then(|one| one.duel.as_ref()).map(json_of),
        "parts": parts,
        "winners_curse": curse,
        "play_off": finalists.collect::<Result<Vec<Json>, Error>>()?,
        "method": study.search.how.name(),
        "runs": study.search.runs,
        "smallest_gain": study.smallest_gain(),
        "games": outcome.blocks * study.games_per_block(),
        "seed": study.search.seed,
        "command": study.request.command(),
    })))
}

/// What a search will cost, for people.
#[must_use]
pub fn plan(study: &Study, minutes: f64, threads: usize) -> String {
    let budget = study.search.budget;
    let players = study.games_per_block();
    let games = |blocks: u64| units::counted(blocks * players, "game");
    let mut lines = vec![format!(
        "{} of {} in {}:",
        study.search.how.name(),
        study.subject.text(),
        units::counted(study.search.space.len() as u64, "dimension")
    )];
    lines.extend(study.search.space.dimensions().iter().map(|one| {
        format!("  {}: {} ({}), from {}", one.name, one.range.text(), one.range.scale(), one.start)
    }));
    lines.push(format!(
        "search    {} in {}",
        games(budget.train),
        units::counted(study.search.runs, "search")
    ));
    if let Subject::Rules(laws) = &study.subject {
        lines.push(format!("loss      {}", laws.target.loss()));
    }
    lines.push(format!("play-off  {}", games(budget.select)));
    lines.push(format!(
        "report    {}: {} for each of {} sides",
        games(budget.confirm * study.report_arms()),
        games(budget.confirm),
        study.report_arms()
    ));
    lines.push(format!(
        "in all    {}, about {} on {}",
        games(study.games() / players),
        units::seconds(60.0 * minutes),
        units::counted(threads as u64, "thread")
    ));
    lines.push(match study.smallest_gain() {
        Some(gain) => format!(
            "sees      a gain of {}{} in {:.0} % of reports, and less where common dice help",
            units::share(gain),
            if study.search.gain() == Gain::Share { " points of share" } else { "" },
            100.0 * POWER
        ),
        None => "sees      nobody knows before how much games differ".to_owned(),
    });
    lines.join("\n") + "\n"
}

/// The same as one JSON document.
#[must_use]
pub fn plan_json(study: &Study, minutes: f64) -> String {
    let budget = study.search.budget;
    let players = study.games_per_block();
    let dimensions = study.search.space.dimensions().iter().map(
        |one| json!({"name": one.name, "range": one.range.text(), "scale": one.range.scale(), "start": one.start}),
    );
    document(&json!({
        "method": study.search.how.name(),
        "runs": study.search.runs,
        "space": dimensions.collect::<Vec<Json>>(),
        "search_games": budget.train * players,
        "play_off_games": budget.select * players,
        "report_games": budget.confirm * study.report_arms() * players,
        "games": study.games(),
        "minutes": minutes,
        "smallest_gain": study.smallest_gain(),
        "command": study.request.command(),
    }))
}
