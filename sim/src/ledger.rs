//! The rows of `games.csv`: one a game, in order, each with a checksum, written and read back.
//!
//! `seating` lists, seat by seat, places in the line-up (the `agents` of the manifest, from 0); every other list of
//! numbers has a column a seat: `points_0`, `points_1`, … The forfeit column says which seat broke off and why.
//! `search` has what the agents searched, seats divided by `;`, each as decisions, iterations, choices, decisions
//! with plans, decisions that left them, and, only where there are any, decisions whose search had all nodes that it may
//! have; it is empty if nobody searched. `check` is the beginning of the BLAKE3 hash
//! of the row before it, so that a row that was cut off or damaged is found.
//!
//! Rows are what a long run leaves behind when it is killed: everything that is told of a game is in its row
//! (apart from the record), so that a run that goes on reads its beginning back.

use std::fmt::Write as _;

use agents::SearchTally;
use engine::MAX_PLAYERS;

use crate::event::{Forfeit, GameResult};

/// Hexadecimal digits of a row's checksum.
const CHECK_DIGITS: usize = 8;
/// Columns before those by seat: game, block, seed, seating.
const FIRST_COLUMNS: usize = 4;
/// Columns after those by seat, before the checksum: plies, forfeit, search.
const LAST_COLUMNS: usize = 3;

/// What all rows of a run have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ledger {
    players: usize,
    seed: u64,
    extras: Vec<String>,
}

impl Ledger {
    /// The ledger of games at tables of `players` with the run's seed; `extras` are the names of the game's extra
    /// numbers.
    #[must_use]
    pub fn new(players: usize, seed: u64, extras: &[impl AsRef<str>]) -> Self {
        let extras = extras.iter().map(|name| name.as_ref().to_owned()).collect();
        Self { players, seed, extras }
    }

    /// The names of the game's extra numbers.
    #[must_use]
    pub fn extras(&self) -> &[String] {
        &self.extras
    }

    /// The names of the columns, as a line with its end.
    #[must_use]
    pub fn header(&self) -> String {
        let mut names: Vec<String> = ["game", "block", "seed", "seating"].map(str::to_owned).into();
        for name in ["points", "score"].into_iter().chain(self.extras.iter().map(String::as_str)) {
            names.extend((0..self.players).map(|seat| format!("{name}_{seat}")));
        }
        names.extend(["plies", "forfeit", "search", "check"].map(str::to_owned));
        names.join(",") + "\n"
    }

    /// The row of `game`, as a line with its end.
    #[must_use]
    pub fn row(&self, game: &GameResult) -> String {
        let n = self.players;
        let mut row = format!("{},{},{},", game.index, game.block, self.seed);
        join(&mut row, ' ', &game.seating[..n]);
        for list in [&game.points[..n], &game.scores[..n]] {
            row.push(',');
            join(&mut row, ',', list);
        }
        for extra in &game.extras {
            row.push(',');
            join(&mut row, ',', &extra[..n]);
        }
        let forfeit = game.forfeit.as_ref().map_or_else(String::new, |forfeit| {
            quoted(&format!("seat {}: {}", forfeit.player, forfeit.reason))
        });
        let search = game.searched.as_ref().map_or_else(String::new, |t| searched(&t[..n]));
        write!(row, ",{},{forfeit},{search}", game.plies).expect("a text can always grow");
        let check = check(&row);
        row.push(',');
        row.push_str(&check);
        row.push('\n');
        row
    }

    /// The game of a row, without its record.
    ///
    /// # Errors
    /// If the row is damaged or of another run: the message says how.
    pub fn parse(&self, line: &str) -> Result<GameResult, String> {
        let line = line.strip_suffix('\n').ok_or("it has no end")?;
        let (row, sum) = line.rsplit_once(',').ok_or("it has no checksum")?;
        if check(row) != sum {
            return Err("its checksum does not fit".to_owned());
        }
        self.fields(row).ok_or_else(|| "it is the row of another run".to_owned())
    }

    fn fields(&self, row: &str) -> Option<GameResult> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row.as_bytes());
        let mut record = csv::StringRecord::new();
        reader.read_record(&mut record).ok()?;
        let n = self.players;
        let by_seat = 2 + self.extras.len();
        if record.len() != FIRST_COLUMNS + by_seat * n + LAST_COLUMNS
            || record[2] != *self.seed.to_string()
        {
            return None;
        }
        let from = |list: usize| FIRST_COLUMNS + list * n;
        let last = from(by_seat);
        let mut extras = Vec::with_capacity(self.extras.len());
        for list in 2..by_seat {
            extras.push(by_seat_of(record.iter().skip(from(list)).take(n))?);
        }
        Some(GameResult {
            index: record[0].parse().ok()?,
            block: record[1].parse().ok()?,
            seating: by_seat_of(record[3].split(' '))?,
            points: by_seat_of(record.iter().skip(from(0)).take(n))?,
            scores: by_seat_of(record.iter().skip(from(1)).take(n))?,
            plies: record[last].parse().ok()?,
            extras,
            searched: parse_searched(&record[last + 2])?,
            forfeit: parse_forfeit(&record[last + 1])?,
            record: None,
        })
    }
}

fn check(row: &str) -> String {
    let mut hash = blake3::hash(row.as_bytes()).to_hex().to_string();
    hash.truncate(CHECK_DIGITS);
    hash
}

fn join<T: std::fmt::Display>(row: &mut String, between: char, values: &[T]) {
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            row.push(between);
        }
        write!(row, "{value}").expect("a text can always grow");
    }
}

/// A text as one field of one line, whatever is in it.
fn quoted(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.contains([',', '"']) { format!("\"{}\"", line.replace('"', "\"\"")) } else { line }
}

fn searched(tallies: &[SearchTally]) -> String {
    let text = |t: &SearchTally| {
        let numbers = [t.decisions, t.iterations, t.choices, t.with_plans, t.left_plans, t.limited];
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
        let &[decisions, iterations, choices, with_plans, left_plans, ref limited @ ..] =
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
            SearchTally { decisions, iterations, choices, with_plans, left_plans, limited };
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
            with_plans: 2,
            left_plans: 1,
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
            searched: Some(Box::new([tally; MAX_PLAYERS].map(|mut t| {
                t.decisions += 1;
                t
            }))),
            forfeit: Some(Box::new(Forfeit { player: 1, reason: "a \"b\",\nc".to_owned() })),
            record: None,
        }
    }

    fn ledger() -> Ledger {
        Ledger::new(3, u64::MAX, &["money"])
    }

    #[test]
    fn a_row_read_back_is_the_same_row() {
        for (keep, limited) in [(true, 0), (true, 2), (false, 0)] {
            let mut game = game();
            if let Some(searched) = &mut game.searched {
                searched[1].limited = limited;
            }
            if !keep {
                (game.searched, game.forfeit) = (None, None);
            }
            let row = ledger().row(&game);
            assert_eq!(row.matches('\n').count(), 1);
            let back = ledger().parse(&row).unwrap();
            assert_eq!(ledger().row(&back), row);
            assert_eq!((back.points, back.scores), (game.points, game.scores));
            let tallies = |game: &GameResult| game.searched.as_ref().map(|all| all[..3].to_vec());
            assert_eq!(tallies(&back), tallies(&game));
            assert_eq!((back.index, back.block, back.seating), (7, 2, game.seating));
        }
    }

    #[test]
    fn a_row_has_a_field_for_each_name_of_the_header() {
        let row = ledger().row(&game());
        let text = ledger().header() + &row;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let record = reader.records().next().unwrap().unwrap();
        assert_eq!(record.len(), header.len());
        assert_eq!(&record[header.len() - 3], "seat 1: a \"b\", c");
    }

    #[test]
    fn every_damage_is_found() {
        let row = ledger().row(&game());
        for end in 0..row.len() {
            assert!(ledger().parse(&row[..end]).is_err(), "cut off at {end}");
        }
        for place in 0..row.len() - 1 {
            let mut bytes = row.clone().into_bytes();
            bytes[place] ^= 1;
            let damaged = String::from_utf8(bytes).unwrap();
            assert!(ledger().parse(&damaged).is_err(), "damaged at {place}: {damaged}");
        }
        let other = Ledger::new(3, 5, &["money"]);
        assert_eq!(other.parse(&row).unwrap_err(), "it is the row of another run");
        let other = Ledger::new(4, u64::MAX, &["money"]);
        assert_eq!(other.parse(&row).unwrap_err(), "it is the row of another run");
    }
}
