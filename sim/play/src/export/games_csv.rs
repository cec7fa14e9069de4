//! The rows of `games.csv`: one a game, in order, each with a checksum, written and read back.
//!
//! - `seating` lists, seat by seat, places in the line-up (the `agents` of the manifest, from 0).
//! - `start`, in a run with a suite of positions, is the number of the position where the game began, from 1.
//! - `agent_0`, `agent_1`, … are their specs, with a label if there is one (`fast=mcts(iterations=100)`).
//! - Every other list has a column a seat: `points_0`, `points_1`, …. In a run with `--luck` the last of them is
//!   `luck_0`, `luck_1`, …, the dice luck beyond the odds, in points.
//! - The forfeit column holds the seat that broke off, and the reason.
//! - `search` has the search counts of the agents, with seats divided by `;`. Each has decisions, iterations, choices,
//!   decisions with macro-actions, and decisions that left them. Decisions whose search reached its node limit follow
//!   only if there are any. The column is empty if no agent searched.
//! - `rules` holds the rule changes of the run, so that rows of several runs can be combined. It is empty under the
//!   default rules.
//! - `record` is the checksum of the game's record ([`record::checksum`](crate::record::checksum)), empty in a run that
//!   keeps none.
//! - `check` is the beginning of the BLAKE3 hash of the row before it, so that a truncated or damaged row is found.
//!
//! Rows survive when a long run is killed: the row of a game holds all reported values (except the text of the record).
//! So a resumed run reads its beginning back.

use std::fmt::Write as _;
use std::io::{self, Write};

use agents::SearchTally;
use engine::MAX_PLAYERS;

use super::columns::{
    Cell, Column, ColumnKind, Columns, Declared, Rows, checksum, expect, header, joined,
    on_one_line, put, split,
};
use super::row_file::RowFile;
use super::{Exporter, Format, Resume};
use crate::event::{Forfeit, GameResult};
use crate::record::Record;

/// The name of the file.
pub const FILE: &str = "games.csv";

/// The format `games.csv`.
pub const FORMAT: Format = Format {
    file: FILE,
    option: None,
    resume: Resume::Grows,
    is_rated: false,
    exporter: |run| Ok(Box::new(run.manifest.games_csv())),
};

/// The number of hexadecimal digits of a record's checksum.
const RECORD_DIGITS: usize = 16;
/// The `games.csv` of a run: the values that all its rows share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamesCsv {
    players: usize,
    seed: u64,
    agents: Vec<String>,
    extras: Vec<String>,
    rules: String,
    keeps_records: bool,
    tells_luck: bool,
    has_starts: bool,
}

impl GamesCsv {
    /// Returns the file of games of the line-up `agents` at tables of `players` with the run's seed, without records.
    ///
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
            has_starts: false,
        }
    }

    /// Returns this file for a run under changed rules; `changes` describes the changes in words.
    #[must_use]
    pub fn under(mut self, changes: &str) -> Self {
        self.rules = on_one_line(changes);
        self
    }

    /// Returns this file for a run that keeps records, or for a run that does not.
    #[must_use]
    pub const fn keeping_records(mut self, keeps_records: bool) -> Self {
        self.keeps_records = keeps_records;
        self
    }

    /// Returns this file for a run that reports the luck of dice, or for a run that does not.
    #[must_use]
    pub const fn telling_luck(mut self, tells_luck: bool) -> Self {
        self.tells_luck = tells_luck;
        self
    }

    /// Returns this file for a run with a suite of positions, or for a run without one.
    #[must_use]
    pub const fn with_starts(mut self, has_starts: bool) -> Self {
        self.has_starts = has_starts;
        self
    }

    /// Returns the columns in their order.
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        self.checked()
    }

    /// Returns the fields of the row of `game`, one for each of [`GamesCsv::columns`].
    #[must_use]
    pub fn cells(&self, game: &GameResult) -> Vec<Cell> {
        let mut cells = self.written(game);
        let check = checksum(&joined(&cells));
        cells.push(Cell::Text(check));
        cells
    }

    /// Returns a game of which no field has been read.
    fn blank(&self) -> GameResult {
        GameResult {
            extras: vec![Default::default(); self.extras.len()],
            luck: self.tells_luck.then(Default::default),
            ..GameResult::default()
        }
    }

    /// Passes the columns with a field for each seat to `to`.
    fn declare_seats(&self, to: &mut impl Columns<GameResult>) -> Option<()> {
        use ColumnKind::{Real, Text, Whole};
        let seats = || 0..self.players;
        let agent = |game: &GameResult, seat: usize| &self.agents[usize::from(game.seating[seat])];
        for seat in seats() {
            let write = |game: &GameResult| Cell::Text(agent(game, seat).clone());
            to.column(format_args!("agent_{seat}"), Text, write, |game, text| {
                (self.agents.get(usize::from(game.seating[seat]))? == text).then_some(())
            })?;
        }
        for seat in seats() {
            let write = |game: &GameResult| Cell::Real(game.points[seat]);
            to.column(format_args!("points_{seat}"), Real, write, |game, text| {
                put(&mut game.points[seat], text)
            })?;
        }
        for seat in seats() {
            let write = |game: &GameResult| Cell::Real(game.scores[seat]);
            to.column(format_args!("score_{seat}"), Real, write, |game, text| {
                put(&mut game.scores[seat], text)
            })?;
        }
        for (extra, name) in self.extras.iter().enumerate() {
            for seat in seats() {
                let write = |game: &GameResult| Cell::Whole(game.extras[extra][seat]);
                to.column(format_args!("{name}_{seat}"), Whole, write, |game, text| {
                    put(&mut game.extras[extra][seat], text)
                })?;
            }
        }
        for seat in seats().filter(|_| self.tells_luck) {
            let write = |game: &GameResult| Cell::Real(game.luck.unwrap_or_default()[seat]);
            to.column(format_args!("luck_{seat}"), Real, write, |game, text| {
                put(&mut game.luck.get_or_insert_default()[seat], text)
            })?;
        }
        Some(())
    }

    /// Returns the checksum of the record of `game`; empty if none is kept.
    fn record(&self, game: &GameResult) -> String {
        let record = game.record.as_ref().filter(|_| self.keeps_records);
        record.map_or_else(String::new, |record| {
            format!("{:0width$x}", record.check(), width = RECORD_DIGITS)
        })
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

    /// Returns the differences of two rows of a game, a text for each column: `points_0 is 1 there and 0.5 here`.
    ///
    /// The checksum of the row is named only if nothing else differs.
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

impl Declared<GameResult> for GamesCsv {
    fn declare(&self, to: &mut impl Columns<GameResult>) -> Option<()> {
        use ColumnKind::{Count, Long, MaybeText, Text};
        let n = self.players;
        to.column(
            "game",
            Long,
            |game| Cell::Long(game.index),
            |game, text| put(&mut game.index, text),
        )?;
        to.column(
            "block",
            Long,
            |game| Cell::Long(game.block),
            |game, text| put(&mut game.block, text),
        )?;
        to.column("seed", Long, |_| Cell::Long(self.seed), |_, text| expect(self.seed, text))?;
        if self.has_starts {
            let write = |game: &GameResult| Cell::Count(game.start.unwrap_or_default());
            to.column("start", Count, write, |game, text| {
                put(game.start.get_or_insert_default(), text)
            })?;
        }
        let write = |game: &GameResult| Cell::Text(seating(&game.seating[..n]));
        to.column("seating", Text, write, |game, text| {
            game.seating = parse_seating(text)?;
            Some(())
        })?;
        self.declare_seats(to)?;
        to.column(
            "plies",
            Count,
            |game| Cell::Count(game.plies),
            |game, text| put(&mut game.plies, text),
        )?;
        to.column(
            "forfeit",
            MaybeText,
            |game| Cell::Text(forfeit(game)),
            |game, text| {
                game.forfeit = parse_forfeit(text)?;
                Some(())
            },
        )?;
        let write = |game: &GameResult| Cell::Text(searched(game, n));
        to.column("search", MaybeText, write, |game, text| {
            game.searched = parse_searched(text)?;
            Some(())
        })?;
        to.column(
            "rules",
            MaybeText,
            |_| Cell::Text(self.rules.clone()),
            |_, text| (text == self.rules).then_some(()),
        )?;
        let write = |game: &GameResult| Cell::Text(self.record(game));
        to.column("record", MaybeText, write, |game, text| {
            game.record = self.parse_record(text)?;
            Some(())
        })
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
        joined(&self.written(game))
    }
    fn number(game: &GameResult) -> u64 {
        game.index
    }

    /// Returns the game of a row, without the text of its record.
    fn fields(&self, row: &str) -> Option<GameResult> {
        self.read(row, self.blank())
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

fn seating(entrants: &[u8]) -> String {
    let mut text = String::with_capacity(3 * entrants.len());
    for (seat, entrant) in entrants.iter().enumerate() {
        let blank = if seat == 0 { "" } else { " " };
        write!(text, "{blank}{entrant}").expect("a text can always grow");
    }
    text
}

fn parse_seating(text: &str) -> Option<[u8; MAX_PLAYERS]> {
    let mut seating = [0; MAX_PLAYERS];
    for (seat, entrant) in text.split(' ').enumerate() {
        put(seating.get_mut(seat)?, entrant)?;
    }
    Some(seating)
}

fn forfeit(game: &GameResult) -> String {
    game.forfeit.as_ref().map_or_else(String::new, |forfeit| {
        on_one_line(&format!("seat {}: {}", forfeit.player, forfeit.reason))
    })
}

fn searched(game: &GameResult, players: usize) -> String {
    let text = |t: &SearchTally| {
        let numbers =
            [t.decisions, t.iterations, t.choices, t.with_macros, t.left_macros, t.limited];
        // Most searches stay below their node limit; the last number is written only for those that reached it.
        let n = numbers.len() - usize::from(t.limited == 0);
        numbers[..n].iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let tallies = game.searched.iter().flat_map(|tallies| &tallies[..players]);
    tallies.map(text).collect::<Vec<_>>().join(";")
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
            extras: vec![[4, -1, 0, 0, 0, 0]],
            luck: Some([0.125, -1e-7, -0.3, 0.0, 0.0, 0.0]),
            searched: Some(Box::new([tally; MAX_PLAYERS].map(|mut t| {
                t.decisions += 1;
                t
            }))),
            forfeit: Some(Box::new(Forfeit { player: 1, reason: "a \"b\",\nc".to_owned() })),
            record: Some(Record::new("{}\n".to_owned())),
            ..GameResult::default()
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
        let table = games_csv().telling_luck(true);
        assert!(
            table.header().contains(",money_2,luck_0,luck_1,luck_2,plies,"),
            "{}",
            table.header()
        );
        assert!(
            table.row(&game()).contains(",0.125,-0.0000001,-0.3,99,"),
            "{}",
            table.row(&game())
        );
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let record = reader.records().next().unwrap().unwrap();
        assert_eq!(record.len(), header.len());
        let of = |name: &str| &record[header.iter().position(|column| column == name).unwrap()];
        assert_eq!((of("forfeit"), of("rules")), ("seat 1: a \"b\", c", RULES));
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
