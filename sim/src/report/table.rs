//! Tables for people.

use comfy_table::{CellAlignment, Row, Table, presets};

use super::rules;
use crate::config::{Caveat, Plan};
use crate::schedule::Schedule;
use crate::stats::{Interval, Method, Standing, Standings};
use crate::units;

/// Columns of a terminal that texts are wrapped for.
const WIDTH: usize = 100;

/// A plain table: a header, columns from `first_number` on aligned to the right.
#[must_use]
pub fn plain(header: &[&str], first_number: usize, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(Row::from(header.to_vec()));
    for row in rows {
        table.add_row(row);
    }
    for idx in 0..header.len() {
        if let Some(column) = table.column_mut(idx) {
            let left = if idx == 0 { 0 } else { 1 };
            column.set_padding((left, 1));
            if idx >= first_number {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
    let mut text = String::new();
    for line in table.lines() {
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A row of a list of explained names, and the heading that stands before it, if one does.
pub type Explained = (Option<String>, [String; 3]);

/// A list of explained names: the last column is wrapped.
#[must_use]
pub fn explained(header: [&str; 3], rows: &[Explained]) -> String {
    let width = |i: usize| {
        let cells = rows.iter().map(|(_, row)| row[i].chars().count());
        cells.chain([header[i].len()]).max().unwrap_or_default()
    };
    let (first, second) = (width(0), width(1));
    let left = WIDTH - first - second - 6;
    let mut text = String::new();
    let mut push = |row: [&str; 3]| {
        let [mut name, mut value, meaning] = row;
        for line in wrap(meaning, left) {
            text += format!("  {name:first$}  {value:second$}  {line}").trim_end();
            text.push('\n');
            (name, value) = ("", "");
        }
    };
    push(header);
    for (heading, [name, value, meaning]) in rows {
        if let Some(heading) = heading {
            push([&format!("-- {heading}"), "", ""]);
        }
        push([name, value, meaning]);
    }
    text
}

/// `text` as a paragraph whose lines after the first begin with two blanks more.
#[must_use]
pub fn paragraph(text: &str) -> String {
    let blanks = text.len() - text.trim_start().len();
    let lines = wrap(text, WIDTH - blanks - 2);
    " ".repeat(blanks) + &lines.join(&format!("\n{:1$}", "", blanks + 2)) + "\n"
}

/// `text` in lines of at most `width` characters, unless a word has more; at least one line.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is a line");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The table of a tournament with its notes, down to the command; everything but the speed.
#[must_use]
pub fn tournament(plan: &Plan, standings: &Standings) -> String {
    let lines = standings.table();
    let mut text = plain(
        &["agent", "blocks", "games", "share [95 %]", "mean score", "mean rank"],
        1,
        lines.iter().map(|line| row(line, plan.caveat(&line.spec))).collect(),
    );
    text += &caveats(plan, &lines);
    for pair in lines.windows(2).filter(|pair| pair[0].beats_next == Some(false)) {
        text += &format!(
            "not decided: {} before {} (the interval of the difference includes 0)\n",
            pair[0].spec, pair[1].spec
        );
    }
    if lines.len() > 1 {
        text += &methods(&lines);
    }
    if let [only] = &lines[..] {
        text +=
            &format!("every seat holds {}: its share is 1/players, whatever happens\n", only.spec);
    }
    if let Some((game, what)) = standings.first_forfeit() {
        text += &format!(
            "forfeits: {} of {} games, the first in game {game}: {what}\n",
            standings.forfeits(),
            units::count(standings.games())
        );
    }
    text += &format!(
        "{} of {} with {} players in {}; points per game and seat, 95 % intervals by block\n",
        units::counted(standings.games(), "game"),
        plan.setup.game,
        plan.players,
        units::counted(standings.blocks(), "block"),
    );
    text += &cycle(plan);
    if let Some(line) = rules::line(&plan.setup.game, &plan.changes) {
        text += &format!("rules: {line}\n");
    }
    text += &format!("seed {}{}: {}\n", plan.seed, part(plan, standings), plan.command());
    text
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
fn cycle(plan: &Plan) -> String {
    let table = &plan.timetable;
    if matches!(table.schedule(), Schedule::Balanced | Schedule::Fixed) {
        return String::new();
    }
    let (blocks, per_block) = (table.cycle(), table.games_per_block());
    format!(
        "schedule {}: a full cycle is {} of {}, {}\n",
        table.schedule().name(),
        units::counted(blocks, "block"),
        units::counted(per_block, "game"),
        units::counted(blocks * per_block, "game")
    )
}

/// The best agents so far on a line, for those who watch.
#[must_use]
pub fn leaders(standings: &Standings) -> String {
    const SHOWN: usize = 3;
    const LONGEST: usize = 24;
    let lines = standings.table();
    let one = |line: &Standing| {
        let cut = line.spec.chars().count() > LONGEST;
        let spec: String = line.spec.chars().take(LONGEST - usize::from(cut)).collect();
        let dots = if cut { "…" } else { "" };
        let Interval { low, high } = line.interval;
        let [share, low, high] = [line.share, low, high].map(|x| units::fixed(x, 3));
        format!("{spec}{dots} {share} [{low}, {high}]")
    };
    let more = if lines.len() > SHOWN { ", …" } else { "" };
    lines.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ") + more
}

/// Which intervals of shares are not the usual ones, and why.
fn methods(lines: &[Standing]) -> String {
    let specs = |method| -> Vec<&str> {
        let such = lines.iter().filter(|line| line.method == method && line.blocks > 0);
        such.map(|line| line.spec.as_str()).collect()
    };
    let note = |specs: &[&str], what: &str| match specs.len() {
        0 => String::new(),
        n if n == lines.len() => format!("intervals of shares: {what}\n"),
        _ => format!("interval of {}: {what}\n", specs.join(", ")),
    };
    let few = "Clopper-Pearson on the effective number of games, since there are few blocks, or few games won or lost";
    let alike = "what so many blocks that all agree still leave possible";
    note(&specs(Method::KornGraubard), few) + &note(&specs(Method::Agreement), alike)
}

/// Who must be read with a caveat, and why.
fn caveats(plan: &Plan, lines: &[Standing]) -> String {
    let mut text = String::new();
    for Standing { spec, .. } in lines {
        let Caveat { cheats, is_timed } = plan.caveat(spec);
        if cheats {
            text += &format!(
                "cheats: {spec} sees what is hidden from its seat; a bound, not a player\n"
            );
        }
        if is_timed {
            text += &format!(
                "not reproducible: {spec} thinks for a time, so another run plays other games\n"
            );
        }
    }
    text
}

/// What the agents searched.
#[must_use]
pub fn searches(standings: &Standings) -> String {
    let lines = standings.table();
    let searched = lines.iter().filter(|line| line.searched.decisions > 0);
    let row = |line: &Standing| {
        let tally = &line.searched;
        vec![
            line.spec.clone(),
            units::count(tally.decisions),
            units::mean(tally.decisions as f64 / line.games as f64),
            units::count(tally.iterations),
            units::mean(tally.mean_iterations()),
            units::mean(tally.mean_depth()),
            units::count(tally.with_macros),
            tally.share_left().map_or_else(|| "none".to_owned(), units::share),
        ]
    };
    let limited: Vec<String> = searched.clone().filter_map(limited).collect();
    let rows: Vec<_> = searched.map(row).collect();
    if rows.is_empty() {
        return "no agent searches\n".to_owned();
    }
    let header = [
        "agent",
        "decisions",
        "a game",
        "iterations",
        "a decision",
        "depth",
        "with macros",
        "left macros",
    ];
    plain(&header, 1, rows)
        + "searched decisions; left macros: the share of those with macro-actions where a single ply was preferred\n"
        + &limited.concat()
}

/// What must be said of an agent whose searches came to their limit of nodes.
fn limited(line: &Standing) -> Option<String> {
    let (spec, limited) = (&line.spec, line.searched.limited);
    let decisions = units::counted(limited, "decision");
    (limited > 0).then(|| format!("{spec}: {decisions} with all nodes that nodes=… allows\n"))
}

fn row(line: &Standing, caveat: Caveat) -> Vec<String> {
    let plus_minus =
        |mean: f64, half: f64| format!("{} ± {}", units::mean(mean), units::mean(half));
    let score = line.score_half.map_or_else(
        || format!("{} (no interval)", units::mean(line.score)),
        |half| plus_minus(line.score, half),
    );
    // Where all blocks agree, ranks have an interval nevertheless, since they have bounds.
    let bounded = || {
        let Interval { low, high } = line.rank_interval;
        format!("{} [{}, {}]", units::mean(line.rank), units::mean(low), units::mean(high))
    };
    let rank = line.rank_half.map_or_else(bounded, |half| plus_minus(line.rank, half));
    let (low, high) = (units::share(line.interval.low), units::share(line.interval.high));
    vec![
        line.spec.clone() + if caveat.cheats { " (cheats)" } else { "" },
        units::count(line.blocks),
        units::count(line.games),
        format!("{} [{low}, {high}]", units::share(line.share)),
        score,
        rank,
    ]
}
