//! Tables of a tournament: standings and searches, with the notes needed to read them.

use super::names::{Names, chains};
use super::rules;
use super::table::{
    Cell, Column, Content, Level, Mark, Note, Page, Readers, Row, Scale, Table, word,
};
use sim::config::Plan;
use sim::schedule::Schedule;
use sim::stats::{Method, Next, Standing, Standings};
use sim::units;

/// Below this p-value a difference counts as shown.
const SHOWN: f64 = 0.05;
/// The name of the main table of a tournament.
pub const STANDINGS: &str = "standings";
/// Name of the table of searches.
pub const SEARCHES: &str = "searches";
/// Name of the table of the opponents in a gauntlet.
const FIELD: &str = "field";
/// Name of the note above standings that faults decide.
const FAULTS: &str = "faults";

/// Returns the standings of a tournament with their notes, down to the command. Those of a gauntlet are two tables for
/// people: the candidate's share, and the shares of the others against it; programs get one, with the candidate first.
#[must_use]
pub fn page(plan: &Plan, standings: &Standings, names: &Names, level: Level) -> Page {
    let candidate = plan.candidate();
    let lines = standings.ranking(candidate.as_deref());
    let (ranked, mut tables) = match &candidate {
        None => (&lines[..], vec![table(plan, standings, names, level, &lines)]),
        Some(_) => (&lines[1..], gauntlet(plan, standings, names, level, &lines)),
    };
    let mut notes: Vec<Note> = names.legend().collect();
    notes.extend(caveats(names, &lines));
    notes.extend(order_notes(standings, names, ranked, level));
    if lines.len() > 1 {
        notes.extend(methods(names, &lines));
    }
    if let [only] = &lines[..] {
        let text = "its share is always 1/players";
        let name = names.shown(&only.name);
        notes.push(Note::new(format!("every seat holds {name}: {text}")).marked(Mark::Caveat));
    }
    let forfeits = forfeits(standings);
    let is_headline = standings.is_spoilt();
    notes.extend(forfeits.clone().filter(|_| !is_headline));
    if let Some(last) = tables.last_mut() {
        last.notes = notes;
    }
    if let Some(note) = forfeits.filter(|_| is_headline) {
        // A table without rows is its notes alone.
        let mut above = Table::new(FAULTS, String::new(), Vec::new()).noted(note);
        above.readers = Readers::People;
        tables.insert(0, above);
    }
    Page { tables, footer: footer(plan, standings, level) }
}

/// Returns the note on games that agents broke off.
fn forfeits(standings: &Standings) -> Option<Note> {
    let (game, what) = standings.first_forfeit()?;
    let counts = format!(
        "{} of {} games",
        units::count(standings.forfeits()),
        units::count(standings.games())
    );
    let first = format!("the first in game {}: {what}", game + 1);
    let text = match standings.is_spoilt() {
        true => format!("faults decide this table: {counts} were forfeited, {first}"),
        false => format!("forfeits: {counts}, {first}"),
    };
    Some(Note::new(text).marked(Mark::Caveat))
}

/// Returns the tables of a gauntlet: that for programs, and two for people.
fn gauntlet(
    plan: &Plan,
    standings: &Standings,
    names: &Names,
    level: Level,
    lines: &[Standing],
) -> Vec<Table> {
    let mut all = table(plan, standings, names, level, lines);
    all.readers = Readers::Programs;
    all.rows.iter_mut().for_each(|row| row.mark = Mark::Plain);
    let mut candidate = table(plan, standings, names, level, &lines[..1]);
    candidate.caption = format!("Candidate against all others: {}", candidate.caption);
    let mut field = table(plan, standings, names, level, &lines[1..]);
    let name = names.shown(&lines[0].name);
    field.caption = format!("Others, each by its games against {name}: {}", field.caption);
    field.name = FIELD;
    // Eighty columns hold one of the two.
    for column in field.columns.iter_mut().filter(|column| column.key == "mean_rank") {
        column.readers = Readers::Programs;
    }
    field.columns.push(Column::new("against_candidate", format!("than {name}"), Content::Text));
    for (row, line) in field.rows.iter_mut().zip(&lines[1..]) {
        let difference = standings.difference(&line.name, &lines[0].name);
        let difference =
            difference.filter(|_| !standings.met_in_copies(&line.name, &lines[0].name));
        let (word, mark) = difference.map_or(("undecided", Mark::Open), word);
        row.cells.push(Cell::text(word));
        row.mark = mark;
    }
    (candidate.readers, field.readers) = (Readers::People, Readers::People);
    vec![all, candidate, field]
}

fn table(
    plan: &Plan,
    standings: &Standings,
    names: &Names,
    level: Level,
    lines: &[Standing],
) -> Table {
    let played = standings.blocks();
    // If all agents played every block, the line below holds their number.
    let is_even = lines.iter().all(|line| line.blocks == played);
    let readers = if is_even { Readers::Programs } else { Readers::All };
    let data = |key: &str, kind| Column::plain(key, kind).only(Readers::Programs);
    let [share, together] = level.columns("share", "share", Scale::SHARE);
    let columns = vec![
        Column::plain("agent", Content::Key),
        data("spec", Content::Text),
        Column::plain("blocks", Content::Number(Scale::Count)).only(readers),
        Column::plain("games", Content::Number(Scale::Count)),
        share,
        together,
        Column::plain("mean score", Content::Estimate(Scale::MEAN)),
        Column::plain("mean rank", Content::Estimate(Scale::MEAN)),
        data("interval", Content::Text),
        data("beats_next", Content::Text),
        data("next_p", Content::PValue),
        data("met_next", Content::Text),
        data("next_difference", Content::Number(Scale::SHARE)),
        data("cheats", Content::Text),
        data("timed", Content::Text),
    ];
    let caption = format!(
        "Standings in {} with {}, with 95 % intervals by block",
        plan.setup.game,
        units::counted(plan.players as u64, "player"),
    );
    let mut table = Table::new(STANDINGS, caption, columns);
    table.rows = lines.iter().map(|line| row(line, names)).collect();
    // The same games select and compare neighbours, so a line counts as better only if it is so among all pairs.
    let is_better = |line: &Standing| is_decided(line, Level::Together) && is_decided(line, level);
    for (row, _) in table.rows.iter_mut().zip(lines).filter(|(_, line)| is_better(line)) {
        row.mark = Mark::Winner;
    }
    table
}

/// Returns whether a line's share is significantly larger than the next line's.
fn is_decided(line: &Standing, level: Level) -> bool {
    match level {
        Level::Alone => line.beats_next() == Some(true),
        Level::Together => {
            let is_ahead = line.next_difference().is_some_and(|difference| difference > 0.0);
            is_ahead && line.next_p().is_some_and(|p| p < SHOWN)
        }
    }
}

fn row(line: &Standing, names: &Names) -> Row {
    let caveat = names.caveat(&line.name);
    let cheats = if caveat.cheats { " (cheats)" } else { "" };
    let shown = names.shown(&line.name).to_owned() + cheats;
    Row::new(vec![
        Cell::Name { shown, name: line.name.clone() },
        Cell::text(names.spec(&line.name)),
        Cell::Count(line.blocks),
        Cell::Count(line.games),
        Cell::Estimate(line.share, Some(line.interval)),
        Cell::Estimate(line.share, Some(line.together)),
        Cell::Estimate(line.score, line.score_interval()),
        Cell::Estimate(line.rank, Some(line.mean_rank_interval())),
        Cell::text(line.method.name()),
        line.beats_next().map_or(Cell::Nothing, Cell::Flag),
        line.next_p().map_or(Cell::Nothing, Cell::Number),
        line.next.map_or(Cell::Nothing, |next| Cell::Flag(next != Next::NeverMet)),
        line.next_difference().map_or(Cell::Nothing, Cell::Number),
        Cell::Flag(caveat.cheats),
        Cell::Flag(caveat.is_timed),
    ])
}

/// Returns the notes on the order of the lines: neighbours whose order is undecided, with the reason.
fn order_notes(
    standings: &Standings,
    names: &Names,
    lines: &[Standing],
    level: Level,
) -> Vec<Note> {
    let order: Vec<&str> = lines.iter().map(|line| names.shown(&line.name)).collect();
    let places = |is_it: &dyn Fn(&Standing) -> bool| -> Vec<usize> {
        (0..lines.len().saturating_sub(1)).filter(|&place| is_it(&lines[place])).collect()
    };
    let copied = copies(standings, &|name| names.shown(name).to_owned());
    let mut notes: Vec<Note> =
        copied.map(|text| Note::new(text).marked(Mark::Caveat)).into_iter().collect();
    if standings.are_copies() {
        return notes;
    }
    let apart = places(&|line| line.next == Some(Next::NeverMet));
    if !apart.is_empty() {
        let text = format!("never met, so not comparable: {}", chains(&order, &apart));
        notes.push(Note::new(text).marked(Mark::Open));
    }
    notes.extend(open(standings, &order, lines, level));
    let is_behind = |line: &Standing| matches!(line.next, Some(Next::Met { meetings, .. }) if meetings.high < 0.0);
    for place in places(&is_behind) {
        let (upper, lower) = (order[place], order[place + 1]);
        let text = format!(
            "{lower} gets more than {upper} in their common games; {upper} ranks higher by its games against others"
        );
        notes.push(Note::new(text).marked(Mark::Caveat));
    }
    notes
}

/// Returns the note on blocks that are copies of each other, of all or of those of some pairs, whose agents are called
/// as `shown` says; `None` where there are none.
#[must_use]
pub fn copies(standings: &Standings, shown: &dyn Fn(&str) -> String) -> Option<String> {
    /// Most pairs that are named.
    const MOST_NAMED: usize = 6;
    let why = "neither the game nor the agents use chance, so more blocks add nothing";
    if standings.are_copies() {
        let (blocks, originals) = (standings.blocks(), standings.originals() as u64);
        let each = if originals > 1 { ", one for each table" } else { "" };
        return Some(format!(
            "{} are copies of {}{each}: {why}. Nothing is decided, and the intervals are meaningless",
            units::counted(blocks, "block"),
            units::counted(originals, "block")
        ));
    }
    let pairs = standings.copied_pairs();
    let named = pairs.iter().take(MOST_NAMED).map(|([a, b], blocks)| {
        format!("{} and {} ({})", shown(a), shown(b), units::counted(*blocks, "block"))
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let rest = match pairs.len().saturating_sub(MOST_NAMED) as u64 {
        0 => String::new(),
        n => format!(" and {} more", units::counted(n, "pair")),
    };
    (!pairs.is_empty()).then(|| {
        format!(
            "copies of one block: the games of {named}{rest}; {why}. Nothing is decided between the two, and the \
             intervals of these games are meaningless"
        )
    })
}

/// Returns the notes on undecided neighbours that met: each pair by itself, and among all pairs.
fn open(standings: &Standings, order: &[&str], lines: &[Standing], level: Level) -> Vec<Note> {
    let places = |is_it: &dyn Fn(&Standing) -> bool| -> Vec<usize> {
        let has_met = |line: &Standing| matches!(line.next, Some(Next::Met { .. }));
        let all = 0..lines.len().saturating_sub(1);
        all.filter(|&place| has_met(&lines[place]) && is_it(&lines[place])).collect()
    };
    if lines.len() > 2 && standings.tells_none_apart(lines, level == Level::Together) {
        let text = format!("no two are distinguishable: {}", order.join(", "));
        return vec![Note::new(text).marked(Mark::Open)];
    }
    let is_open = |level| move |line: &Standing| !is_decided(line, level);
    if level == Level::Together {
        let why = "p ≥ 0.05 after Holm's correction for all pairs";
        return undecided(order, &places(&is_open(level)), why).into_iter().collect();
    }
    let alone = places(&is_open(Level::Alone));
    let mut notes: Vec<Note> =
        undecided(order, &alone, "the interval of the difference includes 0").into_iter().collect();
    let among_all =
        places(&|line| is_decided(line, Level::Alone) && !is_decided(line, Level::Together));
    if !among_all.is_empty() {
        let text = format!(
            "decided only for a pair chosen in advance: {} (p ≥ 0.05 after Holm's correction for all pairs)",
            chains(order, &among_all)
        );
        notes.push(Note::new(text).marked(Mark::Open));
    }
    notes
}

/// Returns the note on undecided neighbours in an order, if there are any.
pub(super) fn undecided(order: &[&str], open: &[usize], why: &str) -> Option<Note> {
    let each = if open.len() > 1 { ", for each pair of neighbours" } else { "" };
    let text = format!("not decided: {} ({why}{each})", chains(order, open));
    (!open.is_empty()).then(|| Note::new(text).marked(Mark::Open))
}

/// Returns the notes on intervals of unusual methods, with the reason.
fn methods(names: &Names, lines: &[Standing]) -> Vec<Note> {
    let note = |method: Method, what: &str| {
        let such = lines.iter().filter(|line| line.method == method && line.blocks > 0);
        let such: Vec<&str> = such.map(|line| names.shown(&line.name)).collect();
        let whose = match such.len() {
            0 => return None,
            n if n == lines.len() => "intervals of shares".to_owned(),
            _ => format!("interval of {}", such.join(", ")),
        };
        Some(Note::new(format!("{whose}: {what}")))
    };
    let few = "Clopper-Pearson with the effective number of games, because blocks, wins or losses are few";
    let alike = "all blocks agree; the other end is what this many blocks cannot exclude";
    [note(Method::KornGraubard, few), note(Method::Agreement, alike)]
        .into_iter()
        .flatten()
        .collect()
}

/// Returns the caveats on agents, with the reason.
fn caveats(names: &Names, lines: &[Standing]) -> Vec<Note> {
    let with = |has: fn(&Names, &str) -> bool| -> Vec<&str> {
        let such = lines.iter().filter(|line| has(names, &line.name));
        such.map(|line| names.shown(&line.name)).collect()
    };
    let cheats = match &with(|names, name| names.caveat(name).cheats)[..] {
        [] => None,
        [one] => {
            Some(format!("cheats: {one} sees hidden information; it is a bound, not a player"))
        }
        all => Some(format!(
            "cheat: {} see hidden information; they are bounds, not players",
            all.join(", ")
        )),
    };
    let timed = match &with(|names, name| names.caveat(name).is_timed)[..] {
        [] => None,
        [one] => Some(format!("not reproducible: {one} has a time limit")),
        all => Some(format!("not reproducible: {} have a time limit", all.join(", "))),
    };
    let timed = timed.map(|text| text + ", so another run plays other games");
    cheats.into_iter().chain(timed).map(|text| Note::new(text).marked(Mark::Caveat)).collect()
}

fn footer(plan: &Plan, standings: &Standings, level: Level) -> Vec<Note> {
    let mut footer = vec![Note::new(format!(
        "{} of {} with {} players in {}; points per game and seat, 95 % intervals by block, {}",
        units::counted(standings.games(), "game"),
        plan.setup.game,
        plan.players,
        units::counted(standings.blocks(), "block"),
        match level {
            Level::Alone => level.words(),
            Level::Together => "simultaneous for shares",
        }
    ))];
    footer.extend(cycle(plan));
    let rules = rules::line(&plan.setup.game, &plan.changes);
    footer.extend(rules.map(|line| Note::new(format!("rules: {line}"))));
    let seed = format!("seed {}{}", plan.seed, part(plan, standings));
    footer.push(Note::new(seed).before(plan.command()));
    footer
}

/// Returns the part of the run's blocks that was played, if it is not the whole: the command names all blocks.
fn part(plan: &Plan, standings: &Standings) -> String {
    if standings.blocks() >= plan.blocks {
        return String::new();
    }
    format!(
        ", {} of {} played",
        units::count(standings.blocks()),
        units::counted(plan.blocks, "block")
    )
}

/// Returns the length of a full cycle of the schedule, if it exceeds one rotation of the line-up.
fn cycle(plan: &Plan) -> Option<Note> {
    let table = &plan.timetable;
    if matches!(table.schedule(), Schedule::Balanced | Schedule::Fixed) {
        return None;
    }
    let (blocks, per_block) = (table.cycle(), table.games_per_block());
    Some(Note::new(format!(
        "schedule {}: a full cycle is {} of {}, {}",
        table.schedule().name(),
        units::counted(blocks, "block"),
        units::counted(per_block, "game"),
        units::counted(blocks * per_block, "game")
    )))
}

/// Returns the best agents so far on a line of at most `width` characters, for those who watch; as many as fit, at
/// least one.
#[must_use]
pub fn leaders(standings: &Standings, names: &Names, width: usize) -> String {
    /// Names are cut where they are longer.
    const LONGEST: usize = 16;
    /// Characters between two, and of the dots at the end.
    const BETWEEN: usize = 3;
    let lines = standings.table();
    let one = |line: &Standing| {
        let name = units::shortened(names.shown(&line.name), LONGEST);
        format!("{name} {}", Scale::SHARE.estimate(line.share, Some(line.interval)))
    };
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        let one = one(line);
        let needed = text.chars().count() + one.chars().count() + 2 * BETWEEN;
        if i > 0 && needed > width {
            return text + ", …";
        }
        text = if i == 0 { one } else { format!("{text}, {one}") };
    }
    text
}

/// Builds the table of the agents' searches.
#[must_use]
pub fn searches(standings: &Standings, names: &Names) -> Table {
    let lines = standings.table();
    let count = |key| Column::plain(key, Content::Number(Scale::Count));
    let mean = |key, title| Column::new(key, title, Content::Number(Scale::MEAN));
    let columns = vec![
        Column::plain("agent", Content::Key),
        count("decisions"),
        mean("decisions_per_game", "a game"),
        count("iterations"),
        mean("iterations_per_decision", "a decision"),
        mean("mean_depth", "depth"),
        count("with macros"),
        Column::plain("left macros", Content::Number(Scale::SHARE)),
    ];
    let searched: Vec<_> = lines.iter().filter(|line| line.searched.decisions > 0).collect();
    let row = |line: &&Standing| {
        let tally = &line.searched;
        vec![
            names.cell(&line.name),
            Cell::Count(tally.decisions),
            Cell::Number(tally.decisions as f64 / line.games as f64),
            Cell::Count(tally.iterations),
            Cell::Number(tally.mean_iterations()),
            Cell::Number(tally.mean_depth()),
            Cell::Count(tally.with_macros),
            tally.share_left().map_or(Cell::Nothing, Cell::Number),
        ]
    };
    let mut table =
        Table::new(SEARCHES, "Searches by agent", columns).with(searched.iter().map(row));
    table.notes.push(Note::new(if searched.is_empty() {
        "no agent searches"
    } else {
        "left macros: share of decisions with macro-actions in which a single ply was preferred"
    }));
    table.notes.extend(searched.into_iter().filter_map(|line| limited(line, names)));
    table
}

/// Returns the note on an agent whose searches reached their limit of nodes.
fn limited(line: &Standing, names: &Names) -> Option<Note> {
    let (name, limited) = (names.shown(&line.name), line.searched.limited);
    let decisions = units::counted(limited, "decision");
    let text = format!("{name}: {decisions} reached the limit nodes=…");
    (limited > 0).then(|| Note::new(text).marked(Mark::Caveat))
}
