//! The rows of `games.csv`: one a game, in order, each with a checksum, written and read back.
//!
//! `seating` lists, seat by seat, places in the line-up (the `agents` of the manifest, from 0), and `agent_0`,
//! `agent_1`, … their specs (`fast=mcts(iterations=100)` where one has a label); every other list has a column a seat: `points_0`, `points_1`, …
//! In a run with `--luck` the last of them is `luck_0`, `luck_1`, …, what the dice gave beyond their odds, in points. The forfeit column says which seat broke off and why.
//! `search` has what the agents searched, seats divided by `;`, each as decisions, iterations, choices, decisions
//! with macro-actions, decisions that left them, and, only where there are any, decisions whose search had all nodes that it
//! may have; it is empty if nobody searched. `rules` says what the run changed of the rules, so that rows of several
//! runs can be laid together; it is empty under the default rules. `record` is the checksum of the game's record
//! ([`record::checksum`](crate::record::checksum)), empty in a run that keeps none. `check` is the beginning of the
//! BLAKE3 hash of the row before it, so that a row that was cut off or damaged is found.
//!
//! Rows are what a long run leaves behind when it is killed: everything that is told of a game is in its row
//! (apart from the text of the record), so that a run that goes on reads its beginning back.

use std::fmt::Write as _;
use std::io::{self, Write};

use agents::SearchTally;
use engine::MAX_PLAYERS;

use super::columns::{
    Cell, Column, ColumnKind, Rows, checksum, header, joined, on_one_line, split,
};
use super::row_file::RowFile;
use super::{Exporter, Format, Resume};
use crate::event::{Forfeit, GameResult};
use crate::record::Record;

/// The name of the file.
pub const FILE: &str = "games.csv";

/// The format.
pub const FORMAT: Format = Format {
    file: FILE,
    option: None,
    resume: Resume::Grows,
    is_rated: false,
    exporter: |run| Ok(Box::new(run.manifest.games_csv())),
};

/// Hexadecimal digits of a record's checksum.
const RECORD_DIGITS: usize = 16;
/// Columns before those by seat: game, block, seed, seating.
const FIRST_COLUMNS: usize = 4;
/// Lists by seat before the extra numbers and luck: agent, points, score.
const BY_SEAT: usize = 3;
/// Columns after those by seat, before the checksum: plies, forfeit, search, rules, record.
const LAST_COLUMNS: usize = 5;

/// What all rows of a run have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamesCsv {
    players: usize,
    seed: u64,
    agents: Vec<String>,
    extras: Vec<String>,
    rules: String,
    keeps_records: bool,
    tells_luck: bool,
}

impl GamesCsv {
    /// The file of games of `agents`, the line-up, at tables of `players` with the run's seed, which keeps no records;
    /// `extras` are the names of the game's extra numbers.
    #[must_use]
    pub fn new(
        players: usize,
        seed: u64,
        agents: &[impl AsRef<str>],
        extras: &[impl AsRef<str>],
    ) -> Self {
        let agents = agents.iter().map(|name| on_one_line(name.as_ref())).collect();
        let extras = extras.iter().map(|name| name.as_ref().to_owned()).collect();
        Self {
            players,
            seed,
            agents,
            extras,
            rules: String::new(),
            keeps_records: false,
            tells_luck: false,
        }
    }

    /// The same file of a run under changed rules; `changes` says in words what was changed.
    #[must_use]
    pub fn under(mut self, changes: &str) -> Self {
        self.rules = on_one_line(changes);
        self
    }

    /// The same file of a run that keeps records, or of one that does not.
    #[must_use]
    pub const fn keeping_records(mut self, keeps_records: bool) -> Self {
        self.keeps_records = keeps_records;
        self
    }

    /// The same file of a run that tells the luck of dice, or of one that does not.
    #[must_use]
    pub const fn telling_luck(mut self, tells_luck: bool) -> Self {
        self.tells_luck = tells_luck;
        self
    }

    /// Lists by seat.
    const fn by_seat(&self) -> usize {
        BY_SEAT + self.extras.len() + self.tells_luck as usize
    }

    /// The columns in their order.
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        use ColumnKind::{Count, Long, MaybeText, Real, Text, Whole};
        let extras = self.extras.iter().map(|name| (name.as_str(), Whole));
        let by_seat =
            [("agent", Text), ("points", Real), ("score", Real)].into_iter().chain(extras);
        let by_seat = by_seat.chain(self.tells_luck.then_some(("luck", Real)));
        let by_seat = by_seat.flat_map(|(name, kind)| {
            (0..self.players).map(move |seat| Column::new(format!("{name}_{seat}"), kind))
        });
        let named = |(name, kind): (&str, ColumnKind)| Column::new(name, kind);
        let first = [("game", Long), ("block", Long), ("seed", Long), ("seating", Text)];
        let last = [
            ("plies", Count),
            ("forfeit", MaybeText),
            ("search", MaybeText),
            ("rules", MaybeText),
            ("record", MaybeText),
            ("check", Text),
        ];
        first.map(named).into_iter().chain(by_seat).chain(last.map(named)).collect()
    }

    /// The fields of the row of `game`, one for each of [`GamesCsv::columns`].
    #[must_use]
    pub fn cells(&self, game: &GameResult) -> Vec<Cell> {
        let mut cells = self.unchecked(game);
        let check = checksum(&joined(&cells));
        cells.push(Cell::Text(check));
        cells
    }

    /// The fields of a row before its checksum.
    fn unchecked(&self, game: &GameResult) -> Vec<Cell> {
        let n = self.players;
        let mut cells = Vec::with_capacity(FIRST_COLUMNS + self.by_seat() * n + LAST_COLUMNS + 1);
        cells.extend([game.index, game.block, self.seed].map(Cell::Long));
        let mut seating = String::with_capacity(3 * n);
        for (seat, entrant) in game.seating[..n].iter().enumerate() {
            let blank = if seat == 0 { "" } else { " " };
            write!(seating, "{blank}{entrant}").expect("a text can always grow");
        }
        cells.push(Cell::Text(seating));
        let agent = |&entrant: &u8| Cell::Text(self.agents[usize::from(entrant)].clone());
        cells.extend(game.seating[..n].iter().map(agent));
        cells.extend(game.points[..n].iter().copied().map(Cell::Real));
        cells.extend(game.scores[..n].iter().copied().map(Cell::Real));
        for extra in &game.extras {
            cells.extend(extra[..n].iter().copied().map(Cell::Whole));
        }
        if self.tells_luck {
            cells.extend(game.luck.unwrap_or_default()[..n].iter().copied().map(Cell::Real));
        }
        cells.push(Cell::Count(game.plies));
        let forfeit = game.forfeit.as_ref().map_or_else(String::new, |forfeit| {
            on_one_line(&format!("seat {}: {}", forfeit.player, forfeit.reason))
        });
        let search = game.searched.as_ref().map_or_else(String::new, |t| searched(&t[..n]));
        let record = game.record.as_ref().filter(|_| self.keeps_records);
        let record = record.map_or_else(String::new, |record| {
            format!("{:0width$x}", record.check(), width = RECORD_DIGITS)
        });
        cells.extend([forfeit, search, self.rules.clone(), record].map(Cell::Text));
        cells
    }

    fn parse_record(&self, text: &str) -> Option<Option<Record>> {
        match (self.keeps_records, text) {
            (false, "") => Some(None),
            (true, digits) if digits.len() == RECORD_DIGITS => {
                u64::from_str_radix(digits, 16).ok().map(|check| Some(Record::known_by(check)))
            }
            _ => None,
        }
    }

    /// Where two rows of a game differ, a text for each column: `points_0 is 1 there and 0.5 here`.
    ///
    /// The checksum of the row is named only where nothing else differs.
    #[must_use]
    pub fn differences(&self, there: &str, here: &str) -> Vec<String> {
        let fields = |row: &str| split(row.trim_end_matches(['\n', '\r'])).unwrap_or_default();
        let (there, here) = (fields(there), fields(here));
        if there.len() != here.len() {
            return vec![format!("it has {} columns there and {} here", there.len(), here.len())];
        }
        let shown = |text: &str| if text.is_empty() { "empty" } else { text }.to_owned();
        let columns = self.columns();
        let pairs = columns.iter().zip(there.iter().zip(here.iter()));
        let mut lines: Vec<String> = pairs
            .filter(|(_, (there, here))| there != here)
            .map(|(Column { name, .. }, (there, here))| {
                format!("{name} is {} there and {} here", shown(there), shown(here))
            })
            .collect();
        if lines.len() > 1 {
            lines.retain(|line| !line.starts_with("check is "));
        }
        lines
    }
}

impl RowFile for GamesCsv {
    type Row = GameResult;
    const ROW: &'static str = "game";
    const OF: &'static str = "run";

    fn file(&self) -> &'static str {
        FILE
    }
    fn header(&self) -> String {
        header(&self.columns())
    }
    fn text(&self, game: &GameResult) -> String {
        joined(&self.unchecked(game))
    }
    fn number(game: &GameResult) -> u64 {
        game.index
    }

    /// The game of a row, without the text of its record.
    fn fields(&self, row: &str) -> Option<GameResult> {
        let record = split(row)?;
        let n = self.players;
        let by_seat = self.by_seat();
        if record.len() != FIRST_COLUMNS + by_seat * n + LAST_COLUMNS
            || record[2] != *self.seed.to_string()
        {
            return None;
        }
        let from = |list: usize| FIRST_COLUMNS + list * n;
        let last = from(by_seat);
        if record[last + 3] != *self.rules {
            return None;
        }
        let seating: [u8; MAX_PLAYERS] = by_seat_of(record[3].split(' '))?;
        let agents = seating[..n].iter().map(|&entrant| self.agents.get(usize::from(entrant)));
        let mut named = record.iter().skip(from(0)).take(n);
        if !agents.into_iter().all(|agent| agent.map(String::as_str) == named.next()) {
            return None;
        }
        let mut extras = Vec::with_capacity(self.extras.len());
        for list in BY_SEAT..BY_SEAT + self.extras.len() {
            extras.push(by_seat_of(record.iter().skip(from(list)).take(n))?);
        }
        let luck = match self.tells_luck {
            true => Some(by_seat_of(record.iter().skip(from(by_seat - 1)).take(n))?),
            false => None,
        };
        Some(GameResult {
            index: record[0].parse().ok()?,
            block: record[1].parse().ok()?,
            seating,
            points: by_seat_of(record.iter().skip(from(1)).take(n))?,
            scores: by_seat_of(record.iter().skip(from(2)).take(n))?,
            plies: record[last].parse().ok()?,
            lead_changes: None,
            extras,
            luck,
            searched: parse_searched(&record[last + 2])?,
            forfeit: parse_forfeit(&record[last + 1])?,
            record: self.parse_record(&record[last + 4])?,
        })
    }
}

impl Rows for GamesCsv {
    fn row_name(&self) -> &'static str {
        "game"
    }

    fn columns(&self) -> Vec<Column> {
        self.columns()
    }

    fn rows(&self, game: &GameResult) -> Vec<Vec<Cell>> {
        vec![self.cells(game)]
    }
}

impl Exporter for GamesCsv {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.header().as_bytes())
    }

    fn game(&mut self, game: &GameResult, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.row(game).as_bytes())
    }
}

fn searched(tallies: &[SearchTally]) -> String {
    let text = |t: &SearchTally| {
        let numbers =
            [t.decisions, t.iterations, t.choices, t.with_macros, t.left_macros, t.limited];
        // Most searches have room enough; the last number stands only where one had not.
        let n = numbers.len() - usize::from(t.limited == 0);
        numbers[..n].iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    tallies.iter().map(text).collect::<Vec<_>>().join(";")
}

fn parse_searched(text: &str) -> Option<Option<Box<[SearchTally; MAX_PLAYERS]>>> {
    if text.is_empty() {
        return Some(None);
    }
    let mut tallies = [SearchTally::default(); MAX_PLAYERS];
    for (seat, numbers) in text.split(';').enumerate() {
        let numbers: Vec<u64> =
            numbers.split(' ').map_while(|number| number.parse().ok()).collect();
        let &[decisions, iterations, choices, with_macros, left_macros, ref limited @ ..] =
            &numbers[..]
        else {
            return None;
        };
        let limited = match *limited {
            [] => 0,
            [limited] => limited,
            _ => return None,
        };
        *tallies.get_mut(seat)? =
            SearchTally { decisions, iterations, choices, with_macros, left_macros, limited };
    }
    Some(Some(Box::new(tallies)))
}

fn parse_forfeit(text: &str) -> Option<Option<Box<Forfeit>>> {
    if text.is_empty() {
        return Some(None);
    }
    let (seat, reason) = text.strip_prefix("seat ")?.split_once(": ")?;
    let player = seat.parse().ok()?;
    Some(Some(Box::new(Forfeit { player, reason: reason.to_owned() })))
}

fn by_seat_of<'a, T: std::str::FromStr + Default + Copy>(
    fields: impl Iterator<Item = &'a str>,
) -> Option<[T; MAX_PLAYERS]> {
    let mut values = [T::default(); MAX_PLAYERS];
    for (seat, field) in fields.enumerate() {
        *values.get_mut(seat)? = field.parse().ok()?;
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> GameResult {
        let tally = SearchTally {
            decisions: 3,
            iterations: 300,
            choices: 901,
            with_macros: 2,
            left_macros: 1,
            limited: 0,
        };
        GameResult {
            index: 7,
            block: 2,
            seating: [2, 0, 1, 0, 0, 0],
            points: [0.0, 1.0 / 3.0, 2.0 / 3.0, 0.0, 0.0, 0.0],
            scores: [-5.0, 0.5, 1e9, 0.0, 0.0, 0.0],
            plies: 99,
            lead_changes: None,
            extras: vec![[4, -1, 0, 0, 0, 0]],
            luck: Some([0.125, -1e-7, -0.3, 0.0, 0.0, 0.0]),
            searched: Some(Box::new([tally; MAX_PLAYERS].map(|mut t| {
                t.decisions += 1;
                t
            }))),
            forfeit: Some(Box::new(Forfeit { player: 1, reason: "a \"b\",\nc".to_owned() })),
            record: Some(Record::new("{}\n".to_owned())),
        }
    }

    const AGENTS: [&str; 4] = ["random", "mcts(c=1, iterations=9)", "greedy", "random"];
    const RULES: &str = "options.rounds = 7, changed (was 4; \"rulebook\")";

    fn games_csv() -> GamesCsv {
        GamesCsv::new(3, u64::MAX, &AGENTS, &["money"]).under(RULES).keeping_records(true)
    }

    #[test]
    fn a_row_read_back_is_the_same_row() {
        for (keep, limited, luck) in [(true, 0, false), (true, 2, true), (false, 0, true)] {
            let mut game = game();
            let games_csv = games_csv().keeping_records(keep).telling_luck(luck);
            if let Some(searched) = &mut game.searched {
                searched[1].limited = limited;
            }
            if !keep {
                (game.searched, game.forfeit) = (None, None);
            }
            let row = games_csv.row(&game);
            assert_eq!(row.matches('\n').count(), 1);
            let back = games_csv.parse(&row).unwrap();
            assert_eq!(games_csv.row(&back), row);
            assert_eq!((back.points, back.scores), (game.points, game.scores));
            assert_eq!(back.luck, game.luck.filter(|_| luck));
            let tallies = |game: &GameResult| game.searched.as_ref().map(|all| all[..3].to_vec());
            assert_eq!(tallies(&back), tallies(&game));
            assert_eq!((back.index, back.block, back.seating), (7, 2, game.seating));
            let check = |record: Option<Record>| record.map(|record| record.check());
            assert_eq!(check(back.record), check(game.record).filter(|_| keep));
        }
    }

    #[test]
    fn a_row_has_a_field_for_each_name_of_the_header() {
        let row = games_csv().row(&game());
        let text = games_csv().header() + &row;
        let told = games_csv().telling_luck(true);
        assert!(
            told.header().contains(",money_2,luck_0,luck_1,luck_2,plies,"),
            "{}",
            told.header()
        );
        assert!(told.row(&game()).contains(",0.125,-0.0000001,-0.3,99,"), "{}", told.row(&game()));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let record = reader.records().next().unwrap().unwrap();
        assert_eq!(record.len(), header.len());
        assert_eq!(&record[header.len() - 5], "seat 1: a \"b\", c");
        assert_eq!((&header[header.len() - 3], &record[header.len() - 3]), ("rules", RULES));
    }

    #[test]
    fn every_damage_is_found() {
        let row = games_csv().row(&game());
        for end in 0..row.len() {
            assert!(games_csv().parse(&row[..end]).is_err(), "cut off at {end}");
        }
        for place in 0..row.len() - 1 {
            let mut bytes = row.clone().into_bytes();
            bytes[place] ^= 1;
            let damaged = String::from_utf8(bytes).unwrap();
            assert!(games_csv().parse(&damaged).is_err(), "damaged at {place}: {damaged}");
        }
        let other = GamesCsv::new(3, 5, &AGENTS, &["money"]);
        assert_eq!(other.parse(&row).unwrap_err(), "it is the row of another run");
        let other = GamesCsv::new(4, u64::MAX, &AGENTS, &["money"]);
        assert_eq!(other.parse(&row).unwrap_err(), "it is the row of another run");
        let other = games_csv().keeping_records(false);
        assert_eq!(other.parse(&row).unwrap_err(), "it is the row of another run");
        let other = GamesCsv::new(3, u64::MAX, &AGENTS, &["money"]).keeping_records(true);
        assert_eq!(other.parse(&row).unwrap_err(), "it is the row of another run");
        let other = games_csv().telling_luck(true);
        assert_eq!(other.parse(&row).unwrap_err(), "it is the row of another run");
        let other = games_csv().keeping_records(false);
        let without = other.row(&game());
        assert_eq!(games_csv().parse(&without).unwrap_err(), "it is the row of another run");
    }

    #[test]
    fn a_difference_names_its_columns() {
        let row = games_csv().row(&game());
        let mut other = game();
        (other.plies, other.forfeit) = (98, None);
        assert_eq!(
            games_csv().differences(&row, &games_csv().row(&other)),
            ["plies is 99 there and 98 here", "forfeit is seat 1: a \"b\", c there and empty here"]
        );
        let spoilt =
            format!("{}00000000\n", &row[..row.len() - 1 - crate::export::columns::CHECK_DIGITS]);
        let lines = games_csv().differences(&spoilt, &row);
        assert!(lines.len() == 1 && lines[0].starts_with("check is 00000000 there"), "{lines:?}");
        assert_eq!(games_csv().differences("7,2\n", &row), ["it has 2 columns there and 22 here"]);
        assert_eq!(games_csv().differences(&row, &row), [""; 0]);
    }
}
