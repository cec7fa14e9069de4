//! Tables and document of a tuning search: the verdict, the play-off and parameter effects. Also the plan of a search.

mod effects;
mod plan;

use agents::param::WEIGHT;
use serde_json::{Map, Value as Json, json};

use super::names::Names;
use super::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table, word};
use lab::tune::confirm::{Confirmation, Verdict};
use lab::tune::gain::Gain;
use lab::tune::objective::Field;
use lab::tune::request::Request;
use lab::tune::rule_set::is_open;
use lab::tune::run::{Finalist, Outcome};
use lab::tune::space::{Dimension, Point};
use lab::tune::study::TuningStudy;
use lab::tune::subject::Subject;
use sim::config::{Played, options_text};
use sim::document::document;
use sim::error::Error;
use sim::stats::{Family, Interval, Moments};
use sim::units;

pub use plan::{plan, plan_json};

/// The name of the answer, which stands above the tables.
const ANSWER: &str = "answer";
/// The table of what is claimed.
pub const VERDICT: &str = "verdict";
/// The table of the finalists.
pub const PLAY_OFF: &str = "play-off";
/// Table of parameter effects.
pub const EFFECTS: &str = "effects";
/// The table of pairs of parameters.
pub const INTERACTIONS: &str = "interactions";
/// Table of the rule losses, if rules are tuned.
pub const PARTS: &str = "parts";
/// All tables.
pub const TABLES: [&str; 5] = [VERDICT, PARTS, PLAY_OFF, EFFECTS, INTERACTIONS];

const COUNT: Content = Content::Number(Scale::Count);
const GAIN: Content = Content::Estimate(Scale::Signed(4));
/// Longest name of an agent in a table of any width: a spec with all its weights has thousands of letters.
const LONGEST: usize = 60;
/// Name length that fits into every table.
const SHORTEST: usize = 24;

/// Returns the noun for the tuned object, for people.
const fn noun(study: &TuningStudy) -> &'static str {
    match study.subject {
        Subject::Agent(_) => "agent",
        Subject::Rules(_) => "rules",
    }
}

/// Returns columns of gains over the start.
fn gains(key: &str) -> Vec<Column> {
    vec![
        Column::plain(key, Content::Key),
        Column::new("gain", "gain [95 %]", GAIN),
        Column::plain("blocks", COUNT),
    ]
}

/// Returns the result as tables, with names of agents of at most `longest` characters, and never longer than a line.
///
/// # Errors
/// If a point is no agent, which was checked before.
pub fn page(study: &TuningStudy, outcome: &Outcome, longest: usize) -> Result<Page, Error> {
    let finalists = outcome.finalists.iter();
    let finalists = finalists.map(|finalist| study.subject.spelled(&finalist.point));
    let finalists = finalists.collect::<Result<Vec<_>, Error>>()?;
    let specs = [finalists.clone(), study.subject.held_out()].concat();
    let names = Names::of_specs(&specs, noun(study), longest.clamp(SHORTEST, LONGEST));
    // A table without rows is its notes alone: the answer comes first.
    let answer = Table::new(ANSWER, String::new(), Vec::new()).only(Readers::People);
    let answer = answer.noted(sentence(study, outcome, &names)?);
    let mut tables = vec![answer, verdict(study, outcome, &names)];
    tables.extend(parts(study, outcome).map(Table::detail));
    if !finalists.is_empty() {
        tables.push(play_off(study, outcome, &finalists, &names).detail());
    }
    if let Some(surface) = &outcome.surface {
        let centre = outcome.candidate().unwrap_or(&outcome.start);
        tables.push(effects::effects(study, surface, centre).detail());
        let pairs = effects::interactions(study, surface).detail();
        tables.extend(Some(pairs).filter(|table| !table.rows.is_empty()));
    }
    Ok(Page { tables, footer: footer(study, outcome)? })
}

/// Builds the table of claims: each line is a gain of the chosen candidate with its verdict.
fn verdict(study: &TuningStudy, outcome: &Outcome, names: &Names) -> Table {
    let columns = [gains("against"), vec![Column::plain("verdict", Content::Text)]].concat();
    let caption = format!(
        "Report: gain of the chosen {} over the start, {} with {}",
        noun(study),
        study.setup.game,
        units::counted(study.players as u64, "player")
    );
    let mut table = Table::new(VERDICT, caption, columns);
    let Some(confirmation) = &outcome.confirmation else { return table };
    let mut row = |name: Cell, gain: &Moments, interval: Interval| {
        let (word, mark) = word(interval);
        let gained = Cell::Estimate(gain.mean(), Some(interval));
        let cells = vec![name, gained, Cell::Count(gain.n()), Cell::text(word)];
        table.rows.push(Row { cells, mark });
    };
    let whom = match &study.subject {
        Subject::Rules(laws) if !laws.target.has_opponents() => format!("games of {}", laws.agent),
        _ => "the pool".to_owned(),
    };
    row(Cell::text(whom), &confirmation.gain, confirmation.interval(outcome.gain));
    for (spec, gain) in study.subject.held_out().iter().zip(&confirmation.held_out) {
        let [shown, name] = [names.shown(spec), spec].map(|name| format!("held out: {name}"));
        row(Cell::Name { shown, name }, gain, outcome.gain.interval(gain));
    }
    if let Some(duel) = &confirmation.duel {
        row(Cell::text("the start itself"), duel, outcome.gain.interval(duel));
    }
    let held_out = study.subject.held_out();
    noted(study, outcome, confirmation, legend(table, names, &held_out))
}

/// Returns a table with a legend of those of `specs` that it calls otherwise.
fn legend(mut table: Table, names: &Names, specs: &[String]) -> Table {
    let short = specs.iter().filter(|spec| names.shown(spec) != spec.as_str());
    let notes = short.map(|spec| Note::new(format!("{} = {spec}", names.shown(spec))));
    table.notes.extend(notes);
    table
}

fn noted(
    study: &TuningStudy,
    outcome: &Outcome,
    confirmation: &Confirmation,
    table: Table,
) -> Table {
    let equal = 1.0 / study.players as f64;
    let [candidate, start] = &confirmation.shares;
    let mut table = table.noted(Note::new(match &study.subject {
        Subject::Agent(_) => format!(
            "gain in points of share, by blocks with the same chance. Against the pool: chosen agent {}, start {}. \
             Against the start itself: 0 is an equal share, {}",
            units::share(equal + candidate.mean()),
            units::share(equal + start.mean()),
            units::share(equal)
        ),
        Subject::Rules(laws) => format!(
            "gain: reduction of the loss, by blocks with the same chance. Chosen rules {}, start {}. The loss is {}; \
             its estimate is unbiased and may be below 0",
            units::signed(-candidate.mean(), 4),
            units::signed(-start.mean(), 4),
            laws.target.loss()
        ),
    }));
    if confirmation.is_early() {
        table = table.noted(Note::new(format!(
            "The report stopped after {} of {} blocks, because a gain had become unlikely. Its interval is valid for \
             every stopping time",
            units::count(confirmation.gain.n()),
            units::count(confirmation.planned)
        )));
    }
    if let Some((gap, interval)) = outcome.winners_curse() {
        table = table.noted(Note::new(format!(
            "winner's curse: the play-off estimate was {} above the report",
            Scale::Signed(4).estimate(gap, Some(interval)),
        )));
    }
    if confirmation.look > 1 {
        let text = format!(
            "This is look {} at the report games of seed {}: earlier looks may have influenced the choice, so the \
             intervals are too narrow. Use another seed",
            confirmation.look, study.search.seed
        );
        table = table.noted(Note::new(text).marked(Mark::Caveat));
    }
    table
}

/// Builds the table of the parts of a rule loss: shares of seats, length, or pick rates.
fn parts(study: &TuningStudy, outcome: &Outcome) -> Option<Table> {
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
    let family = confirmation.family();
    let cell = |moments: &Moments| {
        Cell::Estimate(moments.mean(), Some(laws.target.interval(moments, family)))
    };
    let wanted = laws.target.aim(study.players).wanted;
    let wanted = if is_part { units::share(wanted) } else { wanted.to_string() };
    let names = laws.target.parts(study.players).into_iter();
    let rows = names.zip(&confirmation.parts).map(|(name, [chosen, start])| {
        vec![Cell::text(name), Cell::text(wanted.clone()), cell(start), cell(chosen)]
    });
    let caption = format!("Values of the target in games of {}", laws.agent);
    Some(Table::new(PARTS, caption, columns).with(rows))
}

fn play_off(study: &TuningStudy, outcome: &Outcome, specs: &[String], names: &Names) -> Table {
    let family = Family::of(specs.len());
    let rows = outcome.finalists.iter().zip(specs).map(|(finalist, spec)| {
        let Finalist { gain, .. } = finalist;
        let gained = Cell::Estimate(gain.mean(), Some(outcome.gain.together(gain, family)));
        vec![names.cell(spec), gained, Cell::Count(gain.n())]
    });
    let table =
        Table::new(PLAY_OFF, "Play-off: gain of the finalists over the start", gains(noun(study)));
    let table = legend(table.with(rows), names, specs);
    if specs.len() < 2 {
        return table;
    }
    table.noted(Note::new(
        "These gains are optimistic: the first was chosen because it is largest here. The intervals are simultaneous",
    ))
}

/// Returns the result in one sentence.
fn sentence(study: &TuningStudy, outcome: &Outcome, names: &Names) -> Result<Note, Error> {
    let winner = study.subject.spelled(outcome.winner())?;
    let verdict = outcome.verdict();
    let name = verdict.name();
    let kept = format!("the start is kept: {winner}");
    let is_worse = |confirmation: &Confirmation| confirmation.interval(outcome.gain).high < 0.0;
    let text = match (verdict, &outcome.confirmation) {
        (Verdict::Better, _) => format!("{name}: use {winner}"),
        (Verdict::PoolOnly, _) => {
            let held_out = study.subject.held_out();
            let whom = |field: &Field| match field {
                Field::HeldOut(i) => names.shown(&held_out[*i]),
                Field::Pool | Field::Start | Field::Member(_) | Field::Table(_) => {
                    "the start itself"
                }
            };
            let worse = outcome.confirmation.as_ref().map(|one| one.worse(outcome.gain));
            let worse: Vec<&str> = worse.iter().flatten().map(whom).collect();
            let worse = worse.join(" and ");
            let next = match study.subject {
                Subject::Agent(_) => "tune again with it in the pool",
                Subject::Rules(_) => "the change helps one agent and harms another",
            };
            format!("{name}, worse against {worse}: {next}; {kept}")
        }
        (Verdict::NoBetter, None) => {
            format!("{name}: no candidate of the play-off is worth a report; {kept}")
        }
        (Verdict::NoBetter, Some(one)) if is_worse(one) => {
            format!("{name}: the candidate is worse than the start; {kept}")
        }
        (Verdict::NoBetter, Some(one)) if one.is_early() => {
            format!("{name}: the candidate was behind when the report stopped; {kept}")
        }
        (Verdict::NoBetter, Some(_)) => {
            format!("{name}: the report shows no gain (this does not mean equal); {kept}")
        }
    };
    Ok(Note::new(text).marked(match verdict {
        Verdict::Better => Mark::Winner,
        Verdict::PoolOnly => Mark::Caveat,
        Verdict::NoBetter => Mark::Open,
    }))
}

/// Returns the specs of the opponents against which the candidate is worse than the start.
fn worse_against(study: &TuningStudy, outcome: &Outcome) -> Result<Vec<String>, Error> {
    let worse = outcome.confirmation.as_ref().map(|one| one.worse(outcome.gain));
    let name = |field: &Field| match field {
        Field::HeldOut(i) => Ok(study.subject.held_out()[*i].clone()),
        Field::Pool | Field::Start | Field::Member(_) | Field::Table(_) => {
            study.subject.spelled(&outcome.start)
        }
    };
    worse.iter().flatten().map(name).collect()
}

/// Returns the command that compares the candidate with the start once more, on games of another seed; `None` where it
/// was not chosen, and for rules that are tuned for a share against others.
fn next_command(study: &TuningStudy, outcome: &Outcome) -> Result<Option<String>, Error> {
    let candidate = outcome.candidate().filter(|_| outcome.verdict() == Verdict::Better);
    let Some(candidate) = candidate else { return Ok(None) };
    let mut options = Map::new();
    let Request { played: Played { game, players }, rules, .. } = &study.request;
    let fixed: Vec<&String> = rules.settings.iter().filter(|setting| !is_open(setting)).collect();
    options.insert("game".to_owned(), json!(game));
    options.insert("players".to_owned(), json!(players));
    match &study.subject {
        Subject::Agent(_) => {
            let both = [candidate, &outcome.start].map(|point| study.subject.spelled(point));
            let both = both.into_iter().collect::<Result<Vec<String>, Error>>()?;
            options.insert("agents".to_owned(), json!(both));
        }
        Subject::Rules(laws) if !laws.target.has_opponents() => {
            options.insert("agents".to_owned(), json!([laws.agent.to_string()]));
            options.insert("set-b".to_owned(), json!(laws.settings(candidate)));
        }
        Subject::Rules(_) => return Ok(None),
    }
    options.extend(rules.file.iter().map(|rules| ("rules".to_owned(), json!(rules))));
    options.insert("set".to_owned(), json!(fixed));
    options.insert("seed".to_owned(), json!(study.search.seed.wrapping_add(1)));
    Ok(Some(format!("caesar compare {}", options_text(options))))
}

/// Returns the dimensions in which the candidate stands at an end of its range, with further values beyond: each with
/// the value and the end.
fn at_edge<'a>(
    study: &'a TuningStudy,
    outcome: &'a Outcome,
) -> impl Iterator<Item = (&'a Dimension, &'a String, &'static str)> {
    let texts = outcome.candidate().into_iter().flat_map(Point::texts);
    let pairs = study.search.space.dimensions().iter().zip(texts);
    pairs.filter_map(|(one, text)| Some((one, text, one.edge(text)?)))
}

/// Returns the notes on the games, the ranges and the next commands.
fn footer(study: &TuningStudy, outcome: &Outcome) -> Result<Vec<Note>, Error> {
    let games = units::counted(outcome.blocks * study.games_per_block(), "game");
    // A search that finds nothing but the start has no play-off.
    let searched = study.search.budget.train + study.search.budget.select;
    let how = study.search.how.name();
    let runs = match study.search.runs {
        1 => String::new(),
        runs => format!(" in {}", units::counted(runs, "search")),
    };
    let mut notes = vec![Note::new(format!(
        "{how}{runs}, {} of {games} for the search and the play-off{}",
        units::count(searched.min(outcome.blocks) * study.games_per_block()),
        study.smallest_gain().map_or_else(String::new, |gain| format!(
            "; the report detects a gain of {} with 80 % power",
            units::share(gain)
        ))
    ))];
    let edges = at_edge(study, outcome).map(|(one, text, end)| {
        format!(
            "{} is {text}, at the {end} end of its range {}. A better value may lie beyond: widen the range",
            one.name,
            one.range.text()
        )
    });
    let costs = study.cautions();
    notes.extend(edges.chain(costs).map(|text| Note::new(text).marked(Mark::Open)));
    let next = next_command(study, outcome)?;
    notes.extend(next.map(|command| Note::new("to test it on other games").before(command)));
    notes.push(Note::new(format!("seed {}", study.search.seed)).before(study.request.command()));
    Ok(notes)
}

/// Returns the weights of a point as a file of weights, or the rules as a file of rules; `None` where neither was
/// tuned.
#[must_use]
pub fn file(study: &TuningStudy, point: &Point) -> Option<String> {
    if let Subject::Rules(laws) = &study.subject {
        return Some(laws.file(point));
    }
    let pairs = study.search.space.dimensions().iter().zip(point.texts());
    let lines: Vec<String> = pairs
        .filter_map(|(one, text)| Some(format!("{} = {text}\n", one.name.strip_prefix(WEIGHT)?)))
        .collect();
    (!lines.is_empty()).then(|| lines.concat())
}

fn json_of(gain: Gain, moments: &Moments, family: Family) -> Json {
    let Interval { low, high } = gain.together(moments, family);
    json!({"estimate": moments.mean(), "low": low, "high": high, "n": moments.n()})
}

/// Returns the parts of a rule loss.
fn parts_json(study: &TuningStudy, confirmation: Option<&Confirmation>) -> Json {
    let (Subject::Rules(laws), Some(confirmation)) = (&study.subject, confirmation) else {
        return Json::Null;
    };
    let number = |moments: &Moments| {
        let Interval { low, high } = laws.target.interval(moments, confirmation.family());
        json!({"estimate": moments.mean(), "low": low, "high": high, "n": moments.n()})
    };
    let names = laws.target.parts(study.players).into_iter();
    let parts = names.zip(&confirmation.parts).map(|(name, [chosen, start])| {
        json!({"part": name, "target": laws.target.aim(study.players).wanted, "start": number(start), "chosen": number(chosen)})
    });
    json!(parts.collect::<Vec<Json>>())
}

/// Returns the result as one JSON document.
///
/// # Errors
/// As for [`page`].
pub fn json(study: &TuningStudy, outcome: &Outcome) -> Result<String, Error> {
    let json_of = |moments: &Moments| json_of(outcome.gain, moments, Family::of(1));
    let family = Family::of(outcome.finalists.len());
    let agent = |point: &Point| Ok::<Json, Error>(json!(study.subject.spelled(point)?));
    let confirmation = outcome.confirmation.as_ref();
    let held_out = |confirmation: &Confirmation| {
        let held_out = study.subject.held_out();
        let pairs = held_out.iter().zip(&confirmation.held_out);
        let one = |(spec, gain): (&String, &Moments)| json!({"opponent": spec, "effect": json_of(gain), "verdict": word(outcome.gain.interval(gain)).0});
        pairs.map(one).collect::<Vec<Json>>()
    };
    let curse = outcome.winners_curse().map(|(gap, Interval { low, high })| {
        let n = confirmation.map_or(0, |confirmation| confirmation.gain.n());
        json!({"estimate": gap, "low": low, "high": high, "n": n})
    });
    let parts = parts_json(study, confirmation);
    let finalists = outcome.finalists.iter().map(|finalist| {
        Ok(json!({"agent": agent(&finalist.point)?, "effect": self::json_of(outcome.gain, &finalist.gain, family)}))
    });
    let candidate = outcome.candidate().map(agent).transpose()?;
    Ok(document(&json!({
        "verdict": outcome.verdict().name(),
        "worse_against": worse_against(study, outcome)?,
        "start": agent(&outcome.start)?,
        "winner": agent(outcome.winner())?,
        "candidate": candidate,
        "at_edge": at_edge(study, outcome).map(|(one, ..)| &one.name).collect::<Vec<_>>(),
        "notes": study.cautions(),
        "confirmation": confirmation.map(|one| json!({
            "effect": self::json_of(outcome.gain, &one.gain, one.family()),
            "verdict": word(one.interval(outcome.gain)).0,
            "blocks_planned": one.planned,
            "is_early": one.is_early(),
            "look": one.look,
        })),
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
        "next_command": next_command(study, outcome)?,
    })))
}
