//! The games of an experiment as rows of `cells.csv`, each with a checksum, written and read back.
//!
//! `game` is the number of the game in the run, `block` that of its seed. `lane` and `cell` say what was played, `seat`
//! who was treated, or who sat there first. `points_P` and `score_P` are those of seat P. `deeds` is told of controls and
//! of cells without a seat: for each stage what could be taken, as `2.NAME`, and who took it, as `2.NAME=03`;
//! of places what every seat held when the stage was over, as `2.NAME:3/0/1/2`, and, of controls, at the first decision, as
//! of stage 0;
//! and of all cells of experiments on turn orders what came of the bids of stage 2, as `2@0/1/15/40;…`: for each seat its
//! place, its side, what it paid and its score then.

use engine::MAX_PLAYERS;

use super::cell::Experiment;
use sim::export::columns::{Cell, joined, on_one_line, split};
use sim::export::row_file::RowFile;

/// The name of the file.
pub const FILE: &str = "cells.csv";

/// A game of a cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its number in the run.
    pub game: u64,
    /// The number of its seed.
    pub block: u64,
    /// The place of its cell.
    pub cell: usize,
    /// Which game of the cell it is in the block: the seat that is treated.
    pub turn: usize,
    /// Choices of players.
    pub plies: u32,
    /// Whether an agent broke it off.
    pub is_forfeit: bool,
    /// Points by seat.
    pub points: [f32; MAX_PLAYERS],
    /// Score by seat.
    pub scores: [f32; MAX_PLAYERS],
    /// What could be taken and who took it.
    pub deeds: String,
}

/// What all rows of an experiment have in common.
#[derive(Clone, Debug)]
pub struct RowsCsv {
    file: &'static str,
    players: usize,
    per_block: u64,
    /// Lane, name, place and game of each game of a block.
    games: Vec<(usize, String, usize, usize)>,
}

impl RowsCsv {
    /// The rows of `experiment`.
    #[must_use]
    pub fn new(experiment: &Experiment) -> Self {
        let mut games = Vec::new();
        for (place, cell) in experiment.cells.iter().enumerate() {
            let turns = 0..experiment.turns(cell);
            games.extend(turns.map(|turn| (cell.lane, on_one_line(&cell.id), place, turn)));
        }
        Self { file: FILE, players: experiment.players, per_block: games.len() as u64, games }
    }

    /// The same rows in another file.
    #[must_use]
    pub const fn in_file(mut self, file: &'static str) -> Self {
        self.file = file;
        self
    }
}

impl RowFile for RowsCsv {
    type Row = Row;
    const ROW: &'static str = "game";
    const OF: &'static str = "experiment";

    fn file(&self) -> &'static str {
        self.file
    }
    fn per_block(&self) -> u64 {
        self.per_block
    }
    fn number(row: &Row) -> u64 {
        row.game
    }

    fn header(&self) -> String {
        let mut names: Vec<String> =
            ["game", "block", "lane", "cell", "seat", "plies", "forfeit"].map(str::to_owned).into();
        names.extend((0..self.players).map(|seat| format!("points_{seat}")));
        names.extend((0..self.players).map(|seat| format!("score_{seat}")));
        names.extend(["deeds".to_owned(), "check".to_owned()]);
        names.join(",") + "\n"
    }

    fn text(&self, row: &Row) -> String {
        let (lane, id, ..) = &self.games[(row.game % self.per_block) as usize];
        let mut cells = vec![
            Cell::Long(row.game),
            Cell::Long(row.block),
            Cell::Long(*lane as u64),
            Cell::Text(id.clone()),
            Cell::Long(row.turn as u64),
            Cell::Count(row.plies),
            Cell::Count(row.is_forfeit.into()),
        ];
        cells.extend(row.points[..self.players].iter().map(|&x| Cell::Real(x)));
        cells.extend(row.scores[..self.players].iter().map(|&x| Cell::Real(x)));
        cells.push(Cell::Text(row.deeds.clone()));
        joined(&cells)
    }

    fn fields(&self, row: &str) -> Option<Row> {
        let record = split(row)?;
        if record.len() != 8 + 2 * self.players {
            return None;
        }
        let number = |i: usize| record[i].parse::<u64>().ok();
        let game = number(0)?;
        let (lane, id, cell, turn) = &self.games[(game % self.per_block) as usize];
        let is_ours = number(1)? == game / self.per_block
            && number(2)? == *lane as u64
            && &record[3] == id.as_str()
            && number(4)? == *turn as u64;
        let reals = |first: usize| {
            let mut values = [0.0; MAX_PLAYERS];
            for (seat, value) in values.iter_mut().enumerate().take(self.players) {
                *value = record[first + seat].parse().ok()?;
            }
            Some(values)
        };
        is_ours.then_some(Row {
            game,
            block: game / self.per_block,
            cell: *cell,
            turn: *turn,
            plies: number(5)?.try_into().ok()?,
            is_forfeit: number(6)? != 0,
            points: reals(7)?,
            scores: reals(7 + self.players)?,
            deeds: record[7 + 2 * self.players].to_owned(),
        })
    }
}
