//! Tables and document of the effects of cards.

use serde_json::{Value as Json, json};

use super::{StudyResult, cell, price_words, tiers, value};
use crate::report::table::{
    Cell, Column, Content, Listing, Mark, Note, Page, Readers, Scale, Table,
};
use lab::balance::cards::{
    CardEffect, Cards, FALSE_DISCOVERIES, Item, LEVEL, NO_STATEMENT, RARELY,
};
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::estimate::Estimate;
use sim::stats::{Convergence, Region};
use sim::units;

/// The tables for programs.
pub const TABLES: [&str; 4] = ["cards", "confirmed", "units", "demand"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 3] = ["first", "taken", "banned"];

/// Smallest number of rows of the screen for people.
const FEWEST_SHOWN: usize = 5;
/// Rows of the table of bans for people.
const SHOWN: usize = 20;
const SHARE: Content = Content::Estimate(Scale::Signed(3));
const PRICE: Content = Content::Estimate(Scale::Fixed(0));
const COUNT: Content = Content::Number(Scale::Count);

/// Returns the tables.
#[must_use]
pub fn page(cards: &Cards, result: &StudyResult) -> Page {
    let screen = cards.screen(&result.effects);
    // Confirmed effects are the findings and stand before their candidates.
    let mut tables: Vec<Table> = confirmed(cards, result).into_iter().collect();
    tables.extend([first(&screen), all(cards, &result.effects, &screen)]);
    tables.extend([
        units_of(cards, &result.effects).detail(),
        taken(cards, &result.effects).detail(),
    ]);
    tables.extend(bans(cards, &result.effects).map(Table::detail));
    tables.extend(demand(cards, &result.effects).map(Table::detail));
    Page { tables, footer: Vec::new() }
}

fn key(name: &str) -> Column {
    Column::plain(name, Content::Key)
}

/// Returns the fair price for people, in words if it has no bounds; an empty cell if there is no statement.
fn fair(line: &CardEffect) -> Cell {
    let result = line.fair_price().filter(|_| line.has_verdict());
    result.map_or(Cell::Nothing, |(fair, _)| Cell::text(price_words(Some(fair))))
}

/// Returns the verdict of a line; for people with a mark if a gift of the card harms.
fn verdict(line: &CardEffect, level: f64) -> Cell {
    let (name, mut shown) = (line.verdict(level).to_owned(), line.verdict(level).to_owned());
    if line.is_misused(level) {
        shown += "; misused";
    }
    Cell::Name { shown, name }
}

/// Returns the rows of the screen for people: all decided ones, too cheap before too dear and the surest first. If
/// these are few, the others follow by their distance from the price.
fn shown(screen: &[CardEffect]) -> Vec<&CardEffect> {
    let p = |line: &CardEffect| line.surplus.p.unwrap_or(1.0);
    let mut lines: Vec<&CardEffect> = screen.iter().filter(|line| line.has_verdict()).collect();
    let rank = |line: &CardEffect| match line.is_decided(FALSE_DISCOVERIES) {
        true if line.surplus.value > 0.0 => 0,
        true => 1,
        false => 2,
    };
    lines.sort_by(|a, b| rank(a).cmp(&rank(b)).then(p(a).total_cmp(&p(b))));
    let decided = lines.iter().filter(|line| line.is_decided(FALSE_DISCOVERIES)).count();
    lines.truncate(decided.max(FEWEST_SHOWN));
    lines
}

/// Builds the table of the cards whose worth differs most from their price, for people.
fn first(screen: &[CardEffect]) -> Table {
    let lines = shown(screen);
    let count =
        |is_one: &dyn Fn(&CardEffect) -> bool| screen.iter().filter(|line| is_one(line)).count();
    let verdicts = |word: &str| count(&|line| line.verdict(FALSE_DISCOVERIES) == word);
    let [cheap, dear, open, silent] =
        ["too cheap", "too dear", "undecided", NO_STATEMENT].map(verdicts);
    let caption = "Screen, candidates: value of a given card, in share of the points";
    let result = of_lines(FALSE_DISCOVERIES);
    let n = lines.len();
    let table = Listing::of(lines)
        .column(key("card"), cell_of(&result, "card"))
        .column(Column::new("season", "stage", Content::Key), cell_of(&result, "season"))
        .column(Column::new("value", "value [95 %]", SHARE), cell_of(&result, "value"))
        .column(Column::new("printed_price", "price", COUNT), cell_of(&result, "printed_price"))
        .column(Column::new("fair_price", "fair price [95 %]", Content::Text), |line| fair(line))
        .column(
            Column::new("screen", "candidate (10 %)", Content::Text),
            cell_of(&result, "verdict"),
        )
        .marked(|line| if line.is_decided(FALSE_DISCOVERIES) { Mark::Plain } else { Mark::Open })
        .table("first", caption)
        .only(Readers::People);
    let misused = count(&|line| line.is_misused(FALSE_DISCOVERIES));
    let harmed = match misused {
        0 => String::new(),
        n => format!("; in {n} rows a free card does harm, so the agent misuses it"),
    };
    table
        .noted(Note::new(format!(
            "{n} of {} rows are shown, with all decided ones; the table cards has all rows",
            screen.len()
        )))
        .noted(Note::new(format!(
            "candidates (false discovery rate 10 %): {cheap} too cheap, {dear} too dear; {open} undecided, which \
             does not mean fair; {silent} never taken by these agents (in less than {} % of the games with the \
             card), so no statement{harmed}",
            units::hundredths(RARELY)
        )))
        .noted(Note::new(
            "The 95 % intervals are individual. Fair prices and their intervals are cut at 0",
        ))
}

/// Builds the table of all cards, for programs.
fn all(cards: &Cards, effects: &EffectAccumulator, screen: &[CardEffect]) -> Table {
    let result = of_lines(FALSE_DISCOVERIES).into_iter().chain(of_screen(cards, effects));
    let shown = result.filter_map(|statistic| statistic.shown);
    shown
        .fold(Listing::of(screen), |table, (column, cell)| table.column(column, |line| cell(line)))
        .table("cards", "Value of every given card")
        .only(Readers::Programs)
}

/// Reader of a line's statistic, in one of the output forms.
type Of<'a, T> = Box<dyn Fn(&CardEffect) -> T + 'a>;

/// Statistic of a card given at a stage: a column of the table `cards`, an entry of the document, or both.
struct Statistic<'a> {
    key: String,
    shown: Option<(Column, Of<'a, Cell>)>,
    json: Option<Of<'a, Json>>,
}

impl<'a> Statistic<'a> {
    /// Returns a statistic for the table only.
    fn shown(column: Column, cell: impl Fn(&CardEffect) -> Cell + 'a) -> Self {
        Self { key: column.key.clone(), shown: Some((column, Box::new(cell))), json: None }
    }

    /// Returns a statistic for the document only.
    fn document_only(key: &str, json: impl Fn(&CardEffect) -> Json + 'a) -> Self {
        Self { key: key.to_owned(), shown: None, json: Some(Box::new(json)) }
    }

    /// Adds the statistic to the document also.
    fn also(self, json: impl Fn(&CardEffect) -> Json + 'a) -> Self {
        Self { json: Some(Box::new(json)), ..self }
    }

    /// Returns a statistic for the table and the document, with the same value.
    fn new(column: Column, cell: impl Fn(&CardEffect) -> Cell + Copy + 'a) -> Self {
        Self::shown(column, cell).also(move |line| match cell(line) {
            Cell::Nothing => Json::Null,
            Cell::Text(text) | Cell::Name { name: text, .. } => text.into(),
            Cell::Count(n) => n.into(),
            Cell::Number(x) | Cell::Estimate(x, _) => x.into(),
            Cell::Flag(is_so) => is_so.into(),
        })
    }

    /// Returns an estimate, with all its fields in the document.
    fn estimate(column: Column, of: impl Fn(&CardEffect) -> Option<Estimate> + Copy + 'a) -> Self {
        Self::shown(column, move |line| cell(of(line).as_ref()))
            .also(move |line| value(of(line).as_ref()))
    }
}

/// Returns the cell of a line under a key of `told`.
fn cell_of<'a>(result: &'a [Statistic<'_>], key: &str) -> impl Fn(&&CardEffect) -> Cell + 'a {
    let mut shown = result.iter().filter(|one| one.key == key).filter_map(|one| one.shown.as_ref());
    let (_, cell) = shown.next().expect("a statistic of lines");
    move |line| cell(line)
}

/// Returns the statistics of a line, in their order; a verdict holds at `level`.
fn of_lines(level: f64) -> Vec<Statistic<'static>> {
    let p = Column::new("p", "adjusted p", Content::PValue);
    let is_converged = |line: &CardEffect| line.convergence.map(|c| c == Convergence::Converged);
    vec![
        Statistic::new(key("card"), |line| Cell::text(&line.name)),
        Statistic::new(Column::plain("season", Content::Key), |line| {
            Cell::Count(line.stage.into())
        }),
        Statistic::estimate(Column::plain("value", SHARE), |line| Some(line.value)),
        Statistic::estimate(Column::plain("score", Content::Estimate(Scale::Signed(2))), |line| {
            line.score
        }),
        Statistic::shown(Column::plain("printed_price", COUNT), |line| {
            Cell::Count(line.printed.max(0) as u64)
        })
        .also(|line| line.printed.into()),
        Statistic::shown(Column::plain("fair_price", PRICE), |line| {
            let fair = line.fair_price();
            fair.map_or(Cell::Nothing, |(fair, _)| {
                Cell::Estimate(fair.estimate, fair.region.interval())
            })
        })
        .also(fair_json),
        Statistic::estimate(Column::plain("surplus", SHARE), |line| Some(line.surplus)),
        Statistic::new(p, |line| match line.has_verdict() {
            true => Cell::Number(line.adjusted_p),
            false => Cell::Nothing,
        }),
        Statistic::document_only("level", move |_| level.into()),
        Statistic::new(Column::plain("verdict", Content::Text), move |line| verdict(line, level)),
        Statistic::document_only("decided", move |line| line.is_decided(level).into()),
        Statistic::document_only("taken", |line| line.taken.into()),
        Statistic::document_only("misused", move |line| line.is_misused(level).into()),
        Statistic::document_only("converged", move |line| is_converged(line).into()),
        Statistic::new(Column::plain("tiers", Content::Text), |line| tiers(line.convergence)),
    ]
}

/// Returns the additional statistics of a line of the screen.
fn of_screen<'a>(cards: &'a Cards, effects: &'a EffectAccumulator) -> [Statistic<'a>; 5] {
    let taken = move |line: &CardEffect| cards.taken(effects, &line.name, line.stage);
    let pick_rate = Column::plain("pick_rate", Content::Estimate(Scale::SHARE));
    [
        Statistic::estimate(pick_rate, move |line| taken(line).0),
        Statistic::estimate(Column::plain("association", SHARE), move |line| taken(line).1),
        // A ban of the stage, or else one of the whole game.
        Statistic::estimate(Column::plain("ban", SHARE), move |line| {
            let ban = |stage| cards.ban(effects, &line.name, stage);
            ban(Some(line.stage)).or_else(|| ban(None))
        }),
        Statistic::shown(Column::plain("misused", Content::Text), |line| {
            Cell::Flag(line.is_misused(FALSE_DISCOVERIES))
        }),
        Statistic::shown(Column::plain("cut_at_0", Content::Text), |line| {
            Cell::Flag(line.fair_price().is_some_and(|(_, is_cut)| is_cut))
        }),
    ]
}

/// Builds the table of effects confirmed on fresh seeds, if the study has them.
fn confirmed(cards: &Cards, result: &StudyResult) -> Option<Table> {
    let (experiment, again) = result.again.as_ref()?;
    let lines = cards.confirmed(experiment, again, &result.effects);
    let result = of_lines(LEVEL);
    let programs = |column: Column| column.only(Readers::Programs);
    let people = Column::new("fair", "fair price [95 %]", Content::Text).only(Readers::People);
    let p = programs(Column::new("p", "p (Holm)", Content::PValue));
    let in_tiers = programs(Column::plain("tiers", Content::Text));
    let caption = "Findings: first candidates of the screen, confirmed on fresh seeds";
    let table = Listing::of(&lines)
        .column(key("card"), cell_of(&result, "card"))
        .column(Column::new("season", "stage", Content::Key), cell_of(&result, "season"))
        .column(Column::new("value", "value [95 %]", SHARE), cell_of(&result, "value"))
        .column(Column::new("printed_price", "price", COUNT), cell_of(&result, "printed_price"))
        .column(people, |line| fair(line))
        .column(programs(Column::plain("fair_price", PRICE)), cell_of(&result, "fair_price"))
        .column(programs(Column::plain("surplus", SHARE)), cell_of(&result, "surplus"))
        .column(p, cell_of(&result, "p"))
        .column(
            Column::new("verdict", "verdict (Holm)", Content::Text),
            cell_of(&result, "verdict"),
        )
        .column(in_tiers, cell_of(&result, "tiers"))
        .marked(|line| if line.is_decided(LEVEL) { Mark::Plain } else { Mark::Open })
        .table("confirmed", caption);
    Some(table.noted(Note::new(answer(&lines))).noted(Note::new(
        "Verdicts: p-values below 0.05, adjusted by Holm's method over these rows. The 95 % intervals are \
         individual. Values of actions and of money are estimated again",
    )))
}

/// Summarizes the confirmation in a sentence.
fn answer(lines: &[CardEffect]) -> String {
    let named = |word: &str| {
        let found = lines.iter().filter(|line| line.verdict(LEVEL) == word);
        let names: Vec<String> =
            found.map(|line| format!("{} (stage {})", line.name, line.stage)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    format!(
        "confirmed on fresh seeds: too cheap: {}; too dear: {}",
        named("too cheap"),
        named("too dear")
    )
}

/// Builds the table of the worth of an action and of money.
fn units_of(cards: &Cards, effects: &EffectAccumulator) -> Table {
    let unit = cards.validated.facts.market.map_or("", |market| market.unit);
    let money = Content::Estimate(Scale::Signed(5));
    Listing::of(cards.units(effects))
        .column(Column::new("season", "stage", Content::Key), |(stage, ..)| {
            Cell::text(stage.to_string())
        })
        .column(Column::new("action", "an action [95 %]", SHARE), |(_, action, _)| {
            cell(Some(action))
        })
        .column(Column::new("talent", format!("{unit}, each [95 %]"), money), |(.., money)| {
            cell(Some(money))
        })
        .table("units", "Value of an action and of a unit of money, in share of the points")
}

/// Builds the table of bans, picks and their association, for people.
fn taken(cards: &Cards, effects: &EffectAccumulator) -> Table {
    let all = cards.things.iter().map(|name| (name, cards.taken(effects, name, 0)));
    let rate = Column::new("pick_rate", "taken", Content::Number(Scale::Fixed(2)));
    Listing::of(all)
        .column(key("card"), |(name, _)| Cell::text(*name))
        .column(Column::new("ban", "banned for one [95 %]", SHARE), |(name, _)| {
            cell(cards.ban(effects, name, None).as_ref())
        })
        .column(rate, |(_, (picked, _))| {
            picked.map_or(Cell::Nothing, |picked| Cell::Number(picked.value))
        })
        .column(Column::new("association", "association [95 %]", SHARE), |(_, (_, owners))| {
            cell(owners.as_ref())
        })
        .table(
            "taken",
            "Cost of a ban: loss of one seat that cannot take a card, in share of the points",
        )
        .noted(Note::new(
            "association: share of the owners minus an equal share; this is no causal effect",
        ))
        .only(Readers::People)
}

/// Builds the table of the costliest bans by stage, if the study played bans.
fn bans(cards: &Cards, effects: &EffectAccumulator) -> Option<Table> {
    let ban = |(name, stage): &Item| {
        Some((name.clone(), *stage, cards.ban(effects, name, Some(*stage))?))
    };
    let mut all: Vec<(String, u8, Estimate)> = cards.items.iter().filter_map(ban).collect();
    all.sort_by(|a, b| a.2.value.total_cmp(&b.2.value));
    let caption = format!(
        "Cost of a ban in one stage: the {} largest of {}",
        all.len().min(SHOWN),
        all.len()
    );
    let table = Listing::of(all.iter().take(SHOWN))
        .column(key("card"), |(name, ..)| Cell::text(name))
        .column(Column::new("season", "stage", Content::Key), |(_, stage, _)| {
            Cell::Count((*stage).into())
        })
        .column(Column::new("ban", "banned for one [95 %]", SHARE), |(.., ban)| cell(Some(ban)));
    (!all.is_empty()).then(|| {
        table.table("banned", caption).only(Readers::People).noted(Note::new(
            "The intervals are individual; the largest of many estimates are too large by chance",
        ))
    })
}

/// Builds the table of demand by price, if the study swept prices.
fn demand(cards: &Cards, effects: &EffectAccumulator) -> Option<Table> {
    let swept = cards
        .things
        .iter()
        .flat_map(|name| cards.demand(effects, name).into_iter().map(move |point| (name, point)));
    let taken = Column::new("pick_rate", "taken [95 %]", Content::Estimate(Scale::Fixed(3)));
    let table = Listing::of(swept)
        .column(key("card"), |(name, _)| Cell::text(*name))
        .column(
            Column::plain("price", COUNT),
            |(_, (price, _))| Cell::Count((*price).max(0) as u64),
        )
        .column(taken, |(_, (_, picked))| cell(Some(picked)))
        .table("demand", "Demand: share of the games in which the card is taken, by price");
    (!table.rows.is_empty()).then_some(table)
}

/// Returns the document.
#[must_use]
pub fn json(cards: &Cards, result: &StudyResult) -> Json {
    let screen = cards.screen(&result.effects);
    let mut screened = of_lines(FALSE_DISCOVERIES);
    screened.extend(of_screen(cards, &result.effects));
    let lines: Vec<Json> = screen.iter().map(|line| entry(line, &screened)).collect();
    let again = result.again.as_ref();
    let confirmed: Vec<Json> = again.map_or_else(Vec::new, |(experiment, again)| {
        let lines = cards.confirmed(experiment, again, &result.effects);
        lines.iter().map(|line| entry(line, &of_lines(LEVEL))).collect()
    });
    let units = cards.units(&result.effects);
    let demand = cards.things.iter().flat_map(|name| {
        cards.demand(&result.effects, name).into_iter().map(move |(price, picked)| {
            json!({ "card": name, "price": price, "pick_rate": picked.json() })
        })
    });
    json!({
        "cards": lines,
        "confirmed": confirmed,
        "talent": units.iter().map(|(.., money)| money.json()).collect::<Vec<_>>(),
        "action": units.iter().map(|(_, action, _)| action.json()).collect::<Vec<_>>(),
        "seasons": cards.validated.stages,
        "demand": demand.collect::<Vec<_>>(),
    })
}

/// Returns the entry of a line in the document.
fn entry(line: &CardEffect, result: &[Statistic<'_>]) -> Json {
    let keyed = |one: &Statistic<'_>| Some((one.key.clone(), one.json.as_ref()?(line)));
    Json::Object(result.iter().filter_map(keyed).collect())
}

/// Returns the entry of a fair price in the document.
fn fair_json(line: &CardEffect) -> Json {
    let fair = line.fair_price();
    let interval = fair.and_then(|(fair, _)| fair.region.interval());
    let outside = match fair.map(|(fair, _)| fair.region) {
        Some(Region::Outside(gap)) => json!([gap.low, gap.high]),
        _ => Json::Null,
    };
    let bootstrap = line.bootstrap.map(|b| json!([b.low.max(0.0), b.high.max(0.0)]));
    json!({
        "estimate": fair.map(|(fair, _)| fair.estimate),
        "low": interval.map(|i| i.low),
        "high": interval.map(|i| i.high),
        "outside": outside,
        "bootstrap": bootstrap,
        "cut_at_0": fair.map(|(_, is_cut)| is_cut),
        "n": line.value.n,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::stats::{Interval, Ratio};

    fn line(name: &str, surplus: f64, p: f64, taken: f64) -> CardEffect {
        let estimate = |value: f64| Estimate {
            value,
            interval: Some(Interval { low: value - 0.01, high: value + 0.01 }),
            p: Some(p),
            n: 120,
        };
        let region = Region::Within(Interval { low: -25.0, high: -12.0 });
        CardEffect {
            name: name.to_owned(),
            stage: 1,
            value: estimate(surplus),
            score: None,
            fair: Some(Ratio { estimate: -16.0, region }),
            bootstrap: None,
            printed: 10,
            surplus: estimate(surplus),
            taken: Some(taken),
            adjusted_p: p,
            value_p: 1.0,
            convergence: None,
        }
    }

    /// Thirty cards that are significantly too dear do not hide one that is too cheap, and cards never taken have no
    /// row.
    #[test]
    fn people_see_all_that_is_decided_of_both_signs() {
        let mut screen: Vec<CardEffect> =
            (0..30).map(|i| line(&format!("dear-{i}"), -0.1, 0.0001, 0.5)).collect();
        screen.push(line("cheap", 0.05, 0.04, 0.5));
        screen.push(line("open", 0.01, 0.5, 0.5));
        screen.push(line("never", 0.5, 0.0001, 0.01));
        let seen = shown(&screen);
        assert_eq!((seen.len(), seen[0].name.as_str()), (31, "cheap"));
        let table = first(&screen);
        let notes: Vec<&str> = table.notes.iter().map(|note| note.text.as_str()).collect();
        assert!(notes[0].starts_with("31 of 33 rows are shown"), "{notes:?}");
        assert!(notes[1].contains("1 too cheap, 30 too dear; 1 undecided"), "{notes:?}");
        assert!(notes[1].contains("1 never taken by these agents"), "{notes:?}");
        let green = table.rows.iter().filter(|row| row.mark == Mark::Winner).count();
        assert_eq!(green, 0, "a price is neither better nor worse");
        assert_eq!(table.rows[0].cells[4], Cell::text("0 or less"));
    }
}
