//! Page of `balance game`: the course of a game and the sources of its result.

use super::table::{Cell, Column, Content, Listing, Mark, Note, Page, Readers, Row, Scale, Table};
use super::win_model::{self, cell};
use lab::dynamics::choices::{HOPELESS, MATTERS};
use lab::dynamics::explain::{Effect, Explained};
use lab::dynamics::fans::{self, Spread};
use lab::dynamics::figures::NamedFigure;
use lab::dynamics::figures::{IDLE, SAFE, Stage};
use lab::dynamics::findings::Report;
use lab::dynamics::restricted::{Cost, NOTHING, RANDOM};
use lab::dynamics::streams::Stream;
use sim::stats::regression::Regression;
use sim::units;

/// The names of the tables.
pub const TABLES: [&str; 14] = [
    "game",
    "stages",
    "fans",
    "leads",
    "kinds",
    "unused",
    "streams",
    "skill",
    "restrictions",
    "model",
    "reliability",
    "model-stages",
    "treated",
    "explained",
];
/// Largest distance of bounds that are still informative.
const WIDE: f64 = 0.2;
/// The table of restrictions.
const RESTRICTIONS: &str = TABLES[8];
/// Number of never-taken actions shown to people.
const UNUSED_SHOWN: usize = 12;
/// Causes that a sentence names.
const CAUSES: usize = 3;
/// Smallest number of offers for an action to be listed.
const OFTEN: u64 = 100;

/// Returns the page.
#[must_use]
pub fn page(report: &Report) -> Page {
    let mut tables: Vec<Table> = report.explained.iter().map(explained).collect();
    tables.push(game(report));
    if !report.stages.is_empty() {
        tables.push(stages(&report.stages).detail());
    }
    if !report.fans.is_empty() {
        tables.push(fans(&report.fans).detail());
    }
    if !report.leads.is_empty() {
        tables.push(leads(report).detail());
    }
    tables.extend([kinds(report).detail(), unused(report).detail()]);
    if report.luck.is_some() {
        tables.push(streams(report).detail());
    }
    if !report.ladder.is_empty() {
        tables.push(skill(report).detail());
    }
    if !report.restrictions.is_empty() {
        tables.push(restrictions(report).detail());
    }
    tables.extend(win_model::tables(&report.judged).into_iter().map(Table::detail));
    Page { tables, footer: Vec::new() }
}

/// Builds the table of a game's figures, a line for each.
#[must_use]
pub fn lines(lines: impl IntoIterator<Item = NamedFigure>) -> Table {
    let columns = vec![
        Column::plain("figure", Content::Key),
        Column::new("value", "value [95 %]", Content::Estimate(Scale::Fixed(3))).mixed(),
    ];
    let row = |line: NamedFigure| vec![Cell::text(line.name), cell(Some(line.figure))];
    Table::new(TABLES[0], "", columns).with(lines.into_iter().map(row))
}

fn game(report: &Report) -> Table {
    let dynamics: &[NamedFigure] = report.dynamics.as_deref().unwrap_or_default();
    let subject = &report.judged.model.subject;
    let caption = format!(
        "A game of {} with {} players, {} in all seats",
        subject.game, subject.players, subject.agent
    );
    let mut table = lines(report.plain.iter().chain(dynamics).cloned());
    table.caption = caption;
    table.notes.push(match &report.dynamics {
        Err(why) => Note::new(format!("lead-change figures are withheld: {why}")).marked(Mark::Caveat),
        Ok(_) => Note::new(format!(
            "a choice matters if its options differ by {MATTERS} in the mover's win probability; hopeless: below \
             {HOPELESS}; decided: {SAFE} or more; idle: below {IDLE}"
        )),
    });
    table.notes.push(Note::new(format!(
        "{} held out from the model; individual 95 % intervals by game",
        units::counted(report.judged.audit.games(), "game")
    )));
    table
}

/// Builds the table of the game's course by stage.
#[must_use]
pub fn stages(stages: &[Stage]) -> Table {
    let share = |key: &str, title: &str| {
        Column::new(key, format!("{title} [95 %]"), Content::Estimate(Scale::Fixed(3)))
    };
    let columns = vec![
        Column::plain("stage", Content::Key),
        share("decided", "decided"),
        share("suspense", "suspense"),
        share("surprise", "surprise"),
    ];
    let rows = stages.iter().map(|stage| {
        let number = Cell::text(stage.stage.to_string());
        vec![number, cell(stage.decided), cell(stage.suspense), cell(stage.surprise)]
    });
    Table::new(
        TABLES[1],
        "Games decided before a stage, suspense and surprise of its rounds",
        columns,
    )
    .with(rows)
}

/// Builds the table of win probabilities by round.
#[must_use]
pub fn fans(all: &[Spread]) -> Table {
    let quantile =
        |(key, title): (&str, &str)| Column::new(key, title, Content::Number(Scale::Fixed(3)));
    let mut columns = vec![
        Column::plain("whose", Content::Key),
        Column::plain("round", Content::Number(Scale::Count)),
        Column::plain("stage", Content::Number(Scale::Count)),
        Column::new("n", "games", Content::Number(Scale::Count)),
    ];
    let quantiles =
        [("q05", "5 %"), ("q25", "25 %"), ("q50", "median"), ("q75", "75 %"), ("q95", "95 %")];
    columns.extend(quantiles.map(quantile));
    let rows = all.iter().map(|spread| {
        let counts = [spread.round, spread.stage, spread.n].map(|n| Cell::Count(n as u64));
        let whose = Cell::text(spread.whose.name());
        std::iter::once(whose).chain(counts).chain(spread.at.map(Cell::Number)).collect()
    });
    Table::new(TABLES[2], "Win probability round by round: quantiles over games", columns)
        .with(rows)
        .noted(Note::new(format!(
            "Quantiles over games, not intervals of a mean. leader: highest probability at the time; winner: \
             probability of the seat that wins alone; rounds reached by at least {} games and one in {}",
            fans::FEWEST,
            fans::MOST_ENDED
        )))
}

fn leads(report: &Report) -> Table {
    let columns = vec![
        Column::plain("stage", Content::Key),
        Column::new("ahead_by", "ahead by", Content::Number(Scale::Signed(0))),
        Column::new("n", "seats", Content::Number(Scale::Count)),
        Column::new("wins", "wins [95 %]", Content::Estimate(Scale::Fixed(3))),
    ];
    let rows = report.leads.iter().map(|lead| {
        let number = Cell::text(lead.stage.to_string());
        vec![number, Cell::Number(lead.by), Cell::Count(lead.seats as u64), cell(Some(lead.wins))]
    });
    let caption = "Win rate by lead at the start of a stage: ahead of all others, or behind the first, by at least \
    this much";
    Table::new(TABLES[3], caption, columns).with(rows)
}

fn kinds(report: &Report) -> Table {
    let columns = vec![
        Column::plain("kind", Content::Key),
        Column::plain("chosen", Content::Number(Scale::Count)),
        Column::new("share", "of choices", Content::Number(Scale::Fixed(3))),
        Column::plain("offered", Content::Number(Scale::Count)),
        Column::plain("actions", Content::Number(Scale::Count)),
        Column::new("ever_chosen", "ever chosen", Content::Number(Scale::Count)),
    ];
    let kinds = &report.coverage.kinds;
    let all: u64 = kinds.iter().map(|kind| kind.uses.chosen).sum();
    let rows = kinds.iter().map(|kind| {
        vec![
            Cell::text(&*kind.word),
            Cell::Count(kind.uses.chosen),
            Cell::Number(kind.uses.chosen as f64 / all.max(1) as f64),
            Cell::Count(kind.uses.offered),
            Cell::Count(kind.actions[0]),
            Cell::Count(kind.actions[1]),
        ]
    });
    Table::new(TABLES[4], "Kinds of action: choices, options offered, distinct actions", columns)
        .with(rows)
}

fn unused(report: &Report) -> Table {
    let columns = vec![
        Column::new("unused", "never chosen", Content::Key),
        Column::plain("offered", Content::Number(Scale::Count)),
    ];
    let unused = &report.coverage.unused;
    let often: Vec<_> = unused.iter().filter(|(_, offered)| *offered >= OFTEN).collect();
    let rows = often.iter().take(UNUSED_SHOWN);
    let rows = rows.map(|(text, offered)| vec![Cell::text(text.as_str()), Cell::Count(*offered)]);
    let table = Table::new(TABLES[5], "Actions offered and never chosen", columns);
    table.with(rows).noted(Note::new(format!(
        "{} never chosen after {OFTEN} offers or more; {} after fewer offers",
        units::counted(often.len() as u64, "action"),
        units::count((unused.len() - often.len()) as u64)
    )))
}

fn streams(report: &Report) -> Table {
    let share = |key: &str, title: &str| {
        Column::new(key, format!("{title} [95 %]"), Content::Estimate(Scale::Fixed(3)))
    };
    let columns = vec![
        Column::plain("stream", Content::Key),
        Column::new("bounds", "share of the variance", Content::Text).only(Readers::People),
        share("alone", "alone: at least"),
        share("total", "with others: at most"),
        Column::plain("used", Content::Text),
    ];
    let rows = report.luck.iter().flatten().map(|stream| {
        let used = if stream.is_used { "yes" } else { "never" };
        vec![
            Cell::text(stream.name),
            Cell::text(bounds(stream)),
            cell(Some(stream.alone)),
            cell(Some(stream.total)),
            Cell::text(used),
        ]
    });
    Table::new(TABLES[6], "Luck: share of the variance of the result, by stream of random numbers", columns)
        .with(rows)
        .noted(Note::new(
            "The share of a stream lies between two bounds. alone: variance explained by the stream itself. with \
             others: variance left when all other streams are known. Interactions count in several upper bounds, so \
             these add up to more than 1. The first column is cut at 0 and 1",
        ))
        .noted(Note::new(luck(report.luck.as_deref().unwrap_or_default())))
}

/// Returns the two bounds of a stream's share, cut at 0 and 1, the lower first even if noise has reversed them.
fn bounds(stream: &Stream) -> String {
    let [low, high] = within(stream).map(|share| units::fixed(share, 3));
    format!("{low} … {high}")
}

/// Returns the numeric interval of a stream's share.
fn within(stream: &Stream) -> [f64; 2] {
    let [one, other] = [stream.alone, stream.total].map(|share| share.estimate.clamp(0.0, 1.0));
    [one.min(other), one.max(other)]
}

/// Summarizes the bounds of all streams in a sentence.
fn luck(streams: &[Stream]) -> String {
    let used = || streams.iter().filter(|stream| stream.is_used);
    let by_itself: Vec<&str> = used()
        .filter(|stream| stream.alone.interval.is_some_and(|at| at.low > 0.0))
        .map(|stream| stream.name)
        .collect();
    let open: Vec<&str> = used()
        .filter(|stream| {
            let [low, high] = within(stream);
            high - low > WIDE
        })
        .map(|stream| stream.name)
        .collect();
    let alone = match by_itself[..] {
        [] => "no stream alone has a significant share".to_owned(),
        ref names => format!("significant alone: {}", names.join(", ")),
    };
    match open[..] {
        [] => alone,
        ref names => {
            format!("{alone}; interactions are not bounded for {}", names.join(", "))
        }
    }
}

fn skill(report: &Report) -> Table {
    let columns = vec![
        Column::plain("agent", Content::Key),
        Column::new("against", "other seats", Content::Text),
        Column::new("share", "share [95 %]", Content::Estimate(Scale::SHARE)),
    ];
    let rows = report.ladder.iter().map(|step| {
        vec![Cell::text(&*step.upper), Cell::text(&*step.lower), cell(Some(step.share))]
    });
    let even = 1.0 / report.judged.model.subject.players as f64;
    Table::new(
        TABLES[7],
        "Skill: share of a stronger agent in one seat, rotated through all seats",
        columns,
    )
    .with(rows)
    .noted(Note::new(format!("an equal share is {}", units::share(even))))
}

/// Builds the table of the causes of an outcome, without rows where nothing is explained.
fn explained(explained: &Explained) -> Table {
    let Explained { outcome, games, fitted } = explained;
    let refusal = explained.refusal();
    let told = fitted.iter().filter(|_| refusal.is_none()).flat_map(|(_, effects)| effects);
    let change = Content::Estimate(Scale::Signed(3));
    let table = Listing::of(told)
        .column(Column::plain("fact", Content::Key), |effect| Cell::text(&effect.name))
        .column(Column::new("share", "in games", Content::Number(Scale::Fixed(3))), |effect| {
            Cell::Number(effect.share)
        })
        .column(Column::new("effect", "change [95 %]", change), |effect| {
            Cell::Estimate(effect.coefficient.estimate, Some(effect.coefficient.interval))
        })
        .column(Column::new("p", "adjusted p", Content::PValue), |effect| {
            Cell::Number(effect.adjusted_p)
        })
        .column(Column::plain("verdict", Content::Text), |effect| Cell::text(direction(effect)))
        .marked(|effect| if effect.is_found() { Mark::Plain } else { Mark::Open })
        .table(TABLES[13], format!("Early causes of {}: {}", outcome.word(), outcome.meaning()));
    let games = units::counted(*games as u64, "game");
    let told = match (refusal, fitted) {
        (Some(why), _) => {
            let text = format!("{} of {games}: {why}", outcome.word());
            return table.noted(Note::new(text).marked(Mark::Caveat));
        }
        (None, Some((fit, effects))) => {
            Note::new(format!("{} of {games}: {}", outcome.word(), sentence(fit, effects)))
        }
        (None, None) => Note::new(games),
    };
    table.noted(told).noted(Note::new(
        "change: that of the number with one more such seat, all other facts held; an association, no effect of an \
         intervention. opens: first choice of the game; begins: first choice of a seat; takes: from a market, in the first stage. The most frequent of each kind is \
         the reference. Intervals are individual; p-values are adjusted by Holm's method",
    ))
}

/// Returns the verdict on an effect.
fn direction(effect: &Effect) -> &'static str {
    match effect.coefficient.estimate > 0.0 {
        _ if !effect.is_found() => "undecided",
        true => "more",
        false => "less",
    }
}

/// Returns the explanation in a sentence: how much is explained, and the surest causes.
fn sentence(fit: &Regression, effects: &[Effect]) -> String {
    let (estimate, at) = fit.held_out;
    let [share, low, high] = [estimate, at.low, at.high].map(|x| units::fixed(100.0 * x, 1));
    let found: Vec<String> = effects
        .iter()
        .filter(|effect| effect.is_found())
        .take(CAUSES)
        .map(|effect| format!("{} {}", effect.name, units::signed(effect.coefficient.estimate, 1)))
        .collect();
    let causes = match found.is_empty() {
        true => "no single fact is found".to_owned(),
        false => found.join(", "),
    };
    format!(
        "early facts explain {share} % [{low}, {high}] of the variance of unseen games; {causes}"
    )
}

/// Builds the table of the costs of restrictions.
fn restrictions(report: &Report) -> Table {
    let columns = vec![
        Column::plain("forbidden", Content::Key),
        Column::new("cost", "cost [95 %]", Content::Estimate(Scale::Signed(3))),
        Column::new("n", "blocks", Content::Number(Scale::Count)),
        Column::new("p", "adjusted p", Content::PValue),
        Column::new("felt", "felt in [95 %]", Content::Estimate(Scale::Fixed(3))),
        Column::plain("verdict", Content::Text),
    ];
    let row = |one: &Cost| {
        let cells = vec![
            Cell::text(one.name.as_str()),
            Cell::Estimate(one.cost.value, one.cost.interval),
            Cell::Count(one.cost.n),
            one.adjusted_p.map_or(Cell::Nothing, Cell::Number),
            cell(Some(one.parted)),
            Cell::text(one.verdict()),
        ];
        let is_found = matches!(one.verdict(), "costs" | "better without");
        Row { cells, mark: if is_found { Mark::Plain } else { Mark::Open } }
    };
    let caption = "Restrictions: cost to one restricted seat, in share of the points";
    let mut table = Table::new(RESTRICTIONS, caption, columns);
    table.rows = report.restrictions.iter().map(row).collect();
    table.noted(Note::new(format!(
        "cost: equal share minus the share of the restricted seat, over all seats. Below 0 the agent does better \
         with the restriction. {NOTHING}: the same games with other random numbers of the agents; {RANDOM}: the seat \
         plays at random; felt in: share of the games with another choice. Verdicts use p-values adjusted by Holm's \
         method over all restrictions; the 95 % intervals are individual"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::stats::Interval;
    use sim::stats::calibration::Figure;

    fn stream(name: &'static str, alone: f64, total: f64) -> Stream {
        let figure = |estimate: f64| Figure {
            estimate,
            interval: Some(Interval { low: estimate - 0.05, high: estimate + 0.05 }),
        };
        Stream { name, is_used: true, total: figure(total), alone: figure(alone) }
    }

    /// Noise puts a share below 0 or reverses two bounds; the printed bounds are ordered and possible.
    #[test]
    fn what_a_stream_decides_is_told_as_bounds_in_order() {
        assert_eq!(bounds(&stream("decks", 0.011, 0.784)), "0.011 … 0.784");
        assert_eq!(bounds(&stream("dice", -0.032, 1.004)), "0.000 … 1.000");
        assert_eq!(bounds(&stream("dice", 0.02, 0.01)), "0.010 … 0.020");
    }

    #[test]
    fn a_stream_whose_bounds_are_far_apart_is_not_called_large() {
        let table = luck(&[stream("thinking", 0.121, 1.0), stream("decks", 0.011, 0.784)]);
        assert!(table.starts_with("significant alone: thinking; "), "{table}");
        assert!(table.ends_with("interactions are not bounded for thinking, decks"), "{table}");
        assert_eq!(luck(&[stream("dice", 0.0, 0.02)]), "no stream alone has a significant share");
    }
}
