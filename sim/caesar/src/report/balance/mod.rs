//! Tables and documents of balance studies.

pub mod alliances;
pub mod cards;
pub mod joint;
pub mod provinces;
pub mod rules;
pub mod seats;
pub mod strong;
pub mod variant;

use std::ops::Range;

use serde_json::{Value as Json, json};

use super::table::{Cell, Column, Content, Mark, Note, Page, Scale};
use lab::balance::cell::Experiment;
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::estimate::Estimate;
use lab::balance::plan;
use lab::balance::request::What;
use lab::balance::study::BalanceStudy;
use sim::document::document;
use sim::stats::{Convergence, Interval, Ratio, Region};
use sim::units;

/// Results of a study: its screening experiment and, if there is one, the confirmation.
#[derive(Clone, Debug)]
pub struct StudyResult {
    /// Effects measured by the screening experiment.
    pub effects: EffectAccumulator,
    /// Confirmation on fresh seeds: its experiment and effects.
    pub again: Option<(Experiment, EffectAccumulator)>,
}

impl StudyResult {
    /// Returns the number of games played.
    #[must_use]
    pub fn games(&self, study: &BalanceStudy) -> u64 {
        let again = self.again.as_ref().map_or(0, |(e, h)| e.games_per_block() * h.blocks());
        study.experiment().games_per_block() * self.effects.blocks() + again
    }
}

/// Returns the tables for programs.
#[must_use]
pub const fn tables(what: What) -> &'static [&'static str] {
    match what {
        What::Cards => &cards::TABLES,
        What::Provinces => &provinces::TABLES,
        What::Seats => &seats::TABLES,
        What::Alliances => &alliances::TABLES,
    }
}

/// Returns the tables for people that hold the same numbers.
#[must_use]
pub const fn for_people(what: What) -> &'static [&'static str] {
    match what {
        What::Cards => &cards::FOR_PEOPLE,
        What::Provinces => &provinces::FOR_PEOPLE,
        What::Seats => &seats::FOR_PEOPLE,
        What::Alliances => &alliances::FOR_PEOPLE,
    }
}

/// Returns the plan of a study in lines: the games it plays and the smallest effect it can detect.
#[must_use]
pub fn plan(study: &BalanceStudy, range: &Range<u64>) -> String {
    let experiment = study.experiment();
    let blocks = range.end - range.start;
    let players = study.validated().facts.players;
    let effect = study.validated().request.effect.unwrap_or(plan::EFFECT);
    let reach = study.validated().what.reach(players, effect);
    let smallest = reach * plan::smallest_effect(players, blocks);
    format!(
        "{} cells on {} of {} games: {} games\nsmallest detectable effect (80 % power): {} of a share; {} with four \
         times the blocks\n",
        units::count(experiment.cells.len() as u64),
        units::counted(blocks, "block"),
        units::count(experiment.games_per_block()),
        units::count(experiment.games_per_block() * blocks),
        units::fixed(smallest, 3),
        units::fixed(smallest / 2.0, 3),
    )
}

/// Returns the tables of a study.
#[must_use]
pub fn page(study: &BalanceStudy, result: &StudyResult) -> Page {
    let mut page = match study {
        BalanceStudy::Cards(cards) => cards::page(cards, result),
        BalanceStudy::Provinces(provinces) => provinces::page(provinces, result),
        BalanceStudy::Seats(seats) => seats::page(seats, result),
        BalanceStudy::Alliances(alliances) => alliances::page(alliances, result),
    };
    // A table never leaves open whose game it is about.
    let agent = study.validated().agents().last().map_or_else(String::new, ToString::to_string);
    page.tables.iter_mut().for_each(|table| table.caption += &format!(", by {agent}"));
    page.footer.extend(footer(study, result));
    page
}

/// Returns the document of a study, on one line.
#[must_use]
pub fn json(study: &BalanceStudy, result: &StudyResult) -> String {
    document(&value_of(study, result))
}

/// Returns the document of a study with one more key.
#[must_use]
pub fn json_with(study: &BalanceStudy, result: &StudyResult, key: &str, more: Json) -> String {
    let mut json = value_of(study, result);
    json[key] = more;
    document(&json)
}

fn value_of(study: &BalanceStudy, result: &StudyResult) -> Json {
    let validated = study.validated();
    let agents: Vec<String> = validated.agents().iter().map(ToString::to_string).collect();
    let mut json = json!({
        "game": validated.setup.game,
        "players": validated.facts.players,
        "agents": agents,
        "seed": validated.seed,
        "blocks": result.effects.blocks(),
        "games": result.games(study),
    });
    let own = match study {
        BalanceStudy::Cards(cards) => cards::json(cards, result),
        BalanceStudy::Provinces(provinces) => provinces::json(provinces, result),
        BalanceStudy::Seats(seats) => seats::json(seats, result),
        BalanceStudy::Alliances(alliances) => alliances::json(alliances, result),
    };
    if let (Some(json), Json::Object(own)) = (json.as_object_mut(), own) {
        json.extend(own);
    }
    json
}

/// Returns the notes under the tables: the number of seeds and the command.
fn footer(study: &BalanceStudy, result: &StudyResult) -> Vec<Note> {
    let validated = study.validated();
    let of = |effects: &EffectAccumulator| units::counted(effects.blocks(), "block");
    let again = result.again.as_ref().map_or_else(String::new, |(_, effects)| {
        format!(", {} of fresh seeds in the confirmation", of(effects))
    });
    let text = format!(
        "{}, {} players, {}{again}; by {}",
        validated.setup.game,
        validated.facts.players,
        of(&result.effects),
        validated.agents().last().map_or_else(String::new, ToString::to_string)
    );
    let mut notes = vec![Note::new(text).before(validated.request.command(validated.what))];
    if result.effects.are_copies() {
        let text = "all blocks are copies of one block, because neither the game nor the agents use chance: nothing \
        is decided, and the intervals are meaningless";
        notes.push(Note::new(text).marked(Mark::Caveat));
    }
    let forfeits: u64 =
        (0..study.experiment().cells.len()).map(|cell| result.effects.values(cell).forfeits).sum();
    if forfeits > 0 {
        let games = units::counted(forfeits, "game");
        notes.push(Note::new(format!("{games} broken off by an agent")).marked(Mark::Caveat));
    }
    notes.extend(super::rules::note(&validated.setup.game, &validated.tiers[0].changes));
    notes
}

/// Returns an estimate as a cell.
fn cell(estimate: Option<&Estimate>) -> Cell {
    estimate.map_or(Cell::Nothing, |e| Cell::Estimate(e.value, e.interval))
}

/// Returns a verdict on tiers as a cell.
fn tiers(convergence: Option<Convergence>) -> Cell {
    convergence.map_or(Cell::Nothing, |c| Cell::text(c.words()))
}

/// Returns an estimate in words for people. A number without an interval comes with the reason.
fn words(value: f64, interval: Option<Interval>, is_certain: bool, scale: Scale) -> String {
    match is_certain {
        true => format!("{} (every block)", scale.text(value)),
        false => {
            let column = Column::plain("", Content::Estimate(scale));
            column.shown(&Cell::Estimate(value, interval))
        }
    }
}

/// Returns a fair price, which is cut at 0, in words for people.
fn price_words(fair: Option<Ratio>) -> String {
    let round = |x: f64| units::fixed(x, 0);
    match fair.map(|fair| (fair.estimate, fair.region)) {
        Some((_, Region::Within(Interval { high, .. }))) if high <= 0.0 => "0 or less".to_owned(),
        Some((estimate, Region::Within(Interval { low, high }))) => {
            format!("{} [{}, {}]", round(estimate), round(low), round(high))
        }
        Some((_, Region::Outside(gap))) if gap.high <= 0.0 => "unbounded".to_owned(),
        Some((_, Region::Outside(gap))) if gap.low < 0.0 => {
            format!("unbounded, {} or more", round(gap.high))
        }
        Some((_, Region::Outside(gap))) => {
            format!("unbounded, not {} to {}", round(gap.low), round(gap.high))
        }
        Some((_, Region::Anything)) => "unbounded".to_owned(),
        None => String::new(),
    }
}

/// Returns an estimate as a document; null without one.
fn value(estimate: Option<&Estimate>) -> Json {
    estimate.map_or(Json::Null, Estimate::json)
}
