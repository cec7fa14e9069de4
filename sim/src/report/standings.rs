//! The tables of a tournament: standings and searches, with what must be known to read them.

use super::names::{Names, chains};
use super::rules;
use super::table::{Cell, Column, Content, Level, Mark, Note, Page, Readers, Row, Scale, Table};
use crate::config::Plan;
use crate::schedule::Schedule;
use crate::stats::{Interval, Method, Standing, Standings};
use crate::units;

/// Below this p-value a difference counts as shown.
const SHOWN: f64 = 0.05;
/// The name of the main table of a tournament.
pub const STANDINGS: &str = "standings";
/// The name of the table of what was searched.
pub const SEARCHES: &str = "searches";

/// The standings of a tournament with their notes, down to the command.
#[must_use]
pub fn page(plan: &Plan, standings: &Standings, names: &Names, level: Level) -> Page {
    let lines = standings.table();
    let mut table = table(plan, standings, (names, level), &lines);
    table.notes = names.legend().collect();
    table.notes.extend(caveats(names, &lines));
    table.notes.extend(open(names, &lines, level));
    if lines.len() > 1 {
        table.notes.extend(methods(names, &lines));
    }
    if let [only] = &lines[..] {
        let text = "its share is 1/players, whatever happens";
        let name = names.shown(&only.name);
        table
            .notes
            .push(Note::new(format!("every seat holds {name}: {text}")).marked(Mark::Caveat));
    }
    if let Some((game, what)) = standings.first_forfeit() {
        let (forfeits, games) = (standings.forfeits(), units::count(standings.games()));
        let text =
            format!("forfeits: {forfeits} of {games} games, the first in game {game}: {what}");
        table.notes.push(Note::new(text).marked(Mark::Caveat));
    }
    Page { tables: vec![table], footer: footer(plan, standings, level) }
}

fn table(
    plan: &Plan,
    standings: &Standings,
    (names, level): (&Names, Level),
    lines: &[Standing],
) -> Table {
    let played = standings.blocks();
    // Where everybody played every block, the line below says how many.
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
        data("cheats", Content::Text),
        data("timed", Content::Text),
    ];
    let caption = format!(
        "{} with {}: shares of points, mean scores and ranks with 95 % intervals by block",
        plan.setup.game,
        units::counted(plan.players as u64, "player"),
    );
    let mut table = Table::new(STANDINGS, caption, columns);
    table.rows = lines.iter().map(|line| row(line, names)).collect();
    if let Some(first) = table.rows.first_mut().filter(|_| is_decided(&lines[0], level)) {
        first.mark = Mark::Winner;
    }
    table
}

/// Whether a line's share is shown to be larger than the next one's.
fn is_decided(line: &Standing, level: Level) -> bool {
    match level {
        Level::Alone => line.beats_next == Some(true),
        Level::Together => line.next_p.is_some_and(|p| p < SHOWN),
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
        line.beats_next.map_or(Cell::Nothing, Cell::Flag),
        line.next_p.map_or(Cell::Nothing, Cell::Number),
        Cell::Flag(caveat.cheats),
        Cell::Flag(caveat.is_timed),
    ])
}

/// Which neighbours are not decided: by themselves, and among all pairs.
fn open(names: &Names, lines: &[Standing], level: Level) -> Vec<Note> {
    let order: Vec<&str> = lines.iter().map(|line| names.shown(&line.name)).collect();
    let places = |is_it: &dyn Fn(&Standing) -> bool| -> Vec<usize> {
        (0..lines.len().saturating_sub(1)).filter(|&place| is_it(&lines[place])).collect()
    };
    let is_open = |level| move |line: &Standing| !is_decided(line, level);
    if level == Level::Together {
        let why = "p is not below 0.05, Holm's over all pairs";
        return undecided(&order, &places(&is_open(level)), why).into_iter().collect();
    }
    let alone = places(&is_open(Level::Alone));
    let mut notes: Vec<Note> =
        undecided(&order, &alone, "the interval of the difference includes 0")
            .into_iter()
            .collect();
    let among_all =
        places(&|line| is_decided(line, Level::Alone) && !is_decided(line, Level::Together));
    if !among_all.is_empty() {
        let text = format!(
            "decided for a pair that was chosen beforehand, not among all pairs: {} (p is not below 0.05, Holm's over \
             all pairs)",
            chains(&order, &among_all)
        );
        notes.push(Note::new(text).marked(Mark::Open));
    }
    notes
}

/// The note on neighbours in an order between whom nothing is decided, if there are any.
pub(super) fn undecided(order: &[&str], open: &[usize], why: &str) -> Option<Note> {
    let each = if open.len() > 1 { ", for each two neighbours" } else { "" };
    let text = format!("not decided: {} ({why}{each})", chains(order, open));
    (!open.is_empty()).then(|| Note::new(text).marked(Mark::Open))
}

/// Which intervals of shares are not the usual ones, and why.
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
    let few = "Clopper-Pearson on the effective number of games, since there are few blocks, or few games won or lost";
    let alike = "what so many blocks that all agree still leave possible";
    [note(Method::KornGraubard, few), note(Method::Agreement, alike)]
        .into_iter()
        .flatten()
        .collect()
}

/// Who must be read with a caveat, and why.
fn caveats(names: &Names, lines: &[Standing]) -> Vec<Note> {
    let with = |has: fn(&Names, &str) -> bool| -> Vec<&str> {
        let such = lines.iter().filter(|line| has(names, &line.name));
        such.map(|line| names.shown(&line.name)).collect()
    };
    let cheats = match &with(|names, name| names.caveat(name).cheats)[..] {
        [] => None,
        [one] => {
            Some(format!("cheats: {one} sees what is hidden from its seat; a bound, not a player"))
        }
        all => Some(format!(
            "cheat: {} see what is hidden from their seats; bounds, not players",
            all.join(", ")
        )),
    };
    let timed = match &with(|names, name| names.caveat(name).is_timed)[..] {
        [] => None,
        [one] => Some(format!("not reproducible: {one} thinks for a time")),
        all => Some(format!("not reproducible: {} think for a time", all.join(", "))),
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
            Level::Together => "those of shares hold together",
        }
    ))];
    footer.extend(cycle(plan));
    let rules = rules::line(&plan.setup.game, &plan.changes);
    footer.extend(rules.map(|line| Note::new(format!("rules: {line}"))));
    let seed = format!("seed {}{}", plan.seed, part(plan, standings));
    footer.push(Note::new(seed).before(plan.command()));
    footer
}

/// How many blocks of the run were played, where it is not all of them: the command names all.
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

/// How long a full cycle of the schedule is, where it is more than the line-up rotated once.
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

/// The best agents so far on a line of at most `width` characters, for those who watch; as many as fit, at least one.
#[must_use]
pub fn leaders(standings: &Standings, names: &Names, width: usize) -> String {
    /// Names are cut where they are longer.
    const LONGEST: usize = 16;
    /// Characters between two, and of the dots at the end.
    const BETWEEN: usize = 3;
    let lines = standings.table();
    let one = |line: &Standing| {
        let name = units::shortened(names.shown(&line.name), LONGEST);
        let Interval { low, high } = line.interval;
        let [share, low, high] = [line.share, low, high].map(|x| units::fixed(x, 2));
        format!("{name} {share} [{low}, {high}]")
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

/// What the agents searched.
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
        Table::new(SEARCHES, "Searched decisions", columns).with(searched.iter().map(row));
    table.notes.push(Note::new(if searched.is_empty() {
        "no agent searches"
    } else {
        "searched decisions; left macros: the share of those with macro-actions where a single ply was preferred"
    }));
    table.notes.extend(searched.into_iter().filter_map(|line| limited(line, names)));
    table
}

/// What must be said of an agent whose searches came to their limit of nodes.
fn limited(line: &Standing, names: &Names) -> Option<Note> {
    let (name, limited) = (names.shown(&line.name), line.searched.limited);
    let decisions = units::counted(limited, "decision");
    let text = format!("{name}: {decisions} with all nodes that nodes=… allows");
    (limited > 0).then(|| Note::new(text).marked(Mark::Caveat))
}
