//! `seats.csv`: the long format, a row for each seat of each game, for data frames and regressions.
//!
//! | column | meaning |
//! | --- | --- |
//! | `game`, `block`, `seed` | as in `games.csv`; blocks are independent, seats and games of a block are not |
//! | `start` | with `--starts`: the number of the position where the game began, from 1 |
//! | `seat` | from 0 |
//! | `entrant`, `agent`, `spec` | the agent there: its place in the line-up from 0, its label (or spec), its spec |
//! | `share` | the seat's part of the game's one point, a 64-bit fraction; it adds up to 1 over the seats of a game |
//! | `win` | 1 if no other seat got as much, else 0: a shared first place is no win |
//! | `rank` | 1 the best, by points, then by score; equal seats share the mean of their ranks |
//! | `score` | the score under the rules; the share if a game has no scores |
//! | the game's extra numbers | under their own names |
//! | `luck` | with `--luck`: the seat's dice luck beyond the odds, in points; 0 on average for all agents |
//! | `plies` | choices of all players in the game |
//! | `decisions`, `iterations` | the search counts of the seat's agent; 0 if it does not search |
//! | `forfeit` | the reason if the seat broke off the game, otherwise empty |
//! | `rules` | the rule changes of the run, as in `games.csv` |

use std::io::{self, Write};

use agents::SearchTally;

use super::columns::{
    Cell, Column, ColumnKind, Columns, Declared, Rows, header, joined, on_one_line,
};
use super::{Exporter, Format, Resume};
use crate::event::GameResult;
use crate::manifest::Manifest;

/// The name of the file.
pub const FILE: &str = "seats.csv";

/// The format `seats.csv`.
pub const FORMAT: Format = Format {
    file: FILE,
    option: Some("seats"),
    resume: Resume::WhenComplete,
    is_rated: false,
    exporter: |run| Ok(Box::new(Csv(SeatRows::of(run.manifest)))),
};

/// The table with a row for each seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatRows {
    seed: u64,
    players: usize,
    names: Vec<String>,
    specs: Vec<String>,
    extras: Vec<String>,
    tells_luck: bool,
    has_starts: bool,
    rules: String,
}

impl SeatRows {
    /// Returns the table of a run.
    #[must_use]
    pub fn of(manifest: &Manifest) -> Self {
        Self {
            seed: manifest.seed(),
            players: manifest.players(),
            names: manifest.names(),
            specs: manifest.specs(),
            extras: manifest.extras.clone(),
            tells_luck: manifest.tells_luck(),
            has_starts: manifest.has_starts(),
            rules: on_one_line(&manifest.changes_in_words()),
        }
    }
}

/// A seat of a game.
struct Seat<'a> {
    game: &'a GameResult,
    seat: usize,
    rank: f64,
}

impl Seat<'_> {
    fn entrant(&self) -> u8 {
        self.game.seating[self.seat]
    }

    fn share(&self) -> f32 {
        self.game.points[self.seat]
    }

    /// Returns whether no other seat of `players` got as much.
    fn is_won(&self, players: usize) -> bool {
        let mut others = (0..players).filter(|&other| other != self.seat);
        others.all(|other| self.game.points[other] < self.share())
    }

    fn searched(&self) -> SearchTally {
        self.game.searched.as_ref().map(|tallies| tallies[self.seat]).unwrap_or_default()
    }

    /// Returns the reason if the seat broke off the game; otherwise empty.
    fn forfeit(&self) -> String {
        let forfeit = self.game.forfeit.as_ref().filter(|forfeit| forfeit.player == self.seat);
        forfeit.map_or_else(String::new, |forfeit| on_one_line(&forfeit.reason))
    }
}

impl<'a> Declared<Seat<'a>> for SeatRows {
    fn declare(&self, to: &mut impl Columns<Seat<'a>>) -> Option<()> {
        use ColumnKind::{Count, Double, Long, MaybeText, Real, Text, Whole};
        let of = |texts: &[String], at: &Seat<'_>| {
            Cell::Text(on_one_line(&texts[usize::from(at.entrant())]))
        };
        to.shown("game", Long, |at| Cell::Long(at.game.index))?;
        to.shown("block", Long, |at| Cell::Long(at.game.block))?;
        to.shown("seed", Long, |_| Cell::Long(self.seed))?;
        if self.has_starts {
            to.shown("start", Count, |at| Cell::Count(at.game.start.unwrap_or_default()))?;
        }
        to.shown("seat", Count, |at| Cell::Count(at.seat as u32))?;
        to.shown("entrant", Count, |at| Cell::Count(at.entrant().into()))?;
        to.shown("agent", Text, |at| of(&self.names, at))?;
        to.shown("spec", Text, |at| of(&self.specs, at))?;
        to.shown("share", Double, |at| Cell::Double(exact(at.share())))?;
        to.shown("win", Count, |at| Cell::Count(at.is_won(self.players).into()))?;
        to.shown("rank", Real, |at| Cell::Real(at.rank as f32))?;
        to.shown("score", Real, |at| Cell::Real(at.game.scores[at.seat]))?;
        for (i, name) in self.extras.iter().enumerate() {
            to.shown(name, Whole, |at| Cell::Whole(at.game.extras[i][at.seat]))?;
        }
        if self.tells_luck {
            to.shown("luck", Real, |at| Cell::Real(at.game.luck.unwrap_or_default()[at.seat]))?;
        }
        to.shown("plies", Count, |at| Cell::Count(at.game.plies))?;
        to.shown("decisions", Long, |at| Cell::Long(at.searched().decisions))?;
        to.shown("iterations", Long, |at| Cell::Long(at.searched().iterations))?;
        to.shown("forfeit", MaybeText, |at| Cell::Text(at.forfeit()))?;
        to.shown("rules", MaybeText, |_| Cell::Text(self.rules.clone()))
    }
}

/// Returns a share of points in 64 bits.
///
/// It is the simple fraction that rounds to the given 32 bits, so that the shares of a tie add up to 1. Any other
/// number stays unchanged.
fn exact(points: f32) -> f64 {
    /// A common denominator of the fractions of ties among up to six seats, and of ties within them.
    const PARTS: f64 = 60.0;
    let fraction = (f64::from(points) * PARTS).round() / PARTS;
    let is_it = (fraction as f32).to_bits() == points.to_bits();
    if is_it { fraction } else { f64::from(points) }
}

impl Rows for SeatRows {
    fn row_name(&self) -> &'static str {
        "seat"
    }

    fn columns(&self) -> Vec<Column> {
        self.named()
    }

    fn rows(&self, game: &GameResult) -> Vec<Vec<Cell>> {
        let ranks = game.ranks(self.players);
        let row = |seat: usize| self.written(&Seat { game, seat, rank: ranks[seat] });
        (0..self.players).map(row).collect()
    }
}

/// A writer of a table as CSV.
struct Csv<T>(T);

impl<T: Rows> Exporter for Csv<T> {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(header(&self.0.columns()).as_bytes())
    }

    fn game(&mut self, game: &GameResult, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.0.rows(game);
        rows.iter().try_for_each(|row| writeln!(out, "{}", joined(row)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Forfeit;

    fn seats() -> SeatRows {
        let texts = |of: [&str; 2]| of.map(str::to_owned).to_vec();
        SeatRows {
            seed: 5,
            players: 2,
            names: texts(["random", "long"]),
            specs: texts(["random", "mcts(c=1, iterations=9)"]),
            extras: vec!["money".to_owned()],
            tells_luck: false,
            has_starts: false,
            rules: String::new(),
        }
    }

    fn game(points: [f32; 2]) -> GameResult {
        let mut game = GameResult {
            index: 3,
            block: 1,
            seating: [1, 0, 0, 0, 0, 0],
            scores: [7.0, 9.0, 0.0, 0.0, 0.0, 0.0],
            plies: 12,
            extras: vec![[-4, 2, 0, 0, 0, 0]],
            luck: Some([0.25, -0.25, 0.0, 0.0, 0.0, 0.0]),
            searched: Some(Box::default()),
            forfeit: Some(Box::new(Forfeit { player: 1, reason: "late,\nand rude".to_owned() })),
            ..GameResult::default()
        };
        game.points[..2].copy_from_slice(&points);
        if let Some(searched) = &mut game.searched {
            (searched[0].decisions, searched[0].iterations) = (6, 54);
        }
        game
    }

    fn written(game: &GameResult) -> String {
        let (mut csv, mut out) = (Csv(seats()), Vec::new());
        csv.begin(&mut out).unwrap();
        csv.game(game, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_game_has_a_row_for_each_seat_with_the_name_of_its_agent() {
        assert_eq!(
            written(&game([1.0, 0.0])),
            "game,block,seed,seat,entrant,agent,spec,share,win,rank,score,money,plies,decisions,iterations,forfeit,rules\n\
             3,1,5,0,1,long,\"mcts(c=1, iterations=9)\",1,1,1,7,-4,12,6,54,,\n\
             3,1,5,1,0,random,random,0,0,2,9,2,12,0,0,\"late, and rude\",\n"
        );
    }

    #[test]
    fn luck_stands_behind_the_extra_numbers_of_a_run_that_tells_it() {
        let table = SeatRows { tells_luck: true, ..seats() };
        let names: Vec<String> = table.columns().into_iter().map(|column| column.name).collect();
        let place = names.iter().position(|name| name == "luck").unwrap();
        assert_eq!(names[place - 1..=place + 1], ["money", "luck", "plies"]);
        let rows = table.rows(&game([1.0, 0.0]));
        assert!(rows.iter().all(|row| row.len() == names.len()));
        assert_eq!([&rows[0][place], &rows[1][place]], [&Cell::Real(0.25), &Cell::Real(-0.25)]);
    }

    #[test]
    fn the_shares_of_every_tie_add_up_to_one() {
        for players in 2..=6_usize {
            for tied in 1..=players {
                let mut game = game([0.0, 0.0]);
                game.points[..tied].fill(1.0 / tied as f32);
                let table = SeatRows { players, ..seats() };
                let place = table.columns().iter().position(|c| c.name == "share").unwrap();
                let share = |row: &Vec<Cell>| match row[place] {
                    Cell::Double(share) => share,
                    ref other => panic!("{other:?} is no share"),
                };
                let sum: f64 = table.rows(&game).iter().map(share).sum();
                assert!((sum - 1.0).abs() < 1e-15, "{tied} of {players}: {sum}");
            }
        }
        assert_eq!(exact(1.0 / 3.0).to_string(), "0.3333333333333333");
        assert_eq!(exact(0.123).to_bits(), f64::from(0.123_f32).to_bits());
    }

    #[test]
    fn a_shared_first_place_is_nobodys_win() {
        let text = written(&game([0.5, 0.5]));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let of = |name: &str| {
            let place = names.iter().position(|column| column == name).unwrap();
            rows.iter().map(|row| row[place].to_owned()).collect::<Vec<_>>()
        };
        // Points are equal, scores are not.
        assert_eq!((of("share"), of("win")), (vec!["0.5".into(); 2], vec!["0".into(); 2]));
        assert_eq!(of("rank"), ["2", "1"]);
    }
}
