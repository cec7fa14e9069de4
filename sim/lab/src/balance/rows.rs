//! The rows of `cells.csv`: the games of an experiment, each with a checksum, written and read back.
//!
//! `game` is the number of the game in the run, and `block` the number of its seed. `lineup` and `cell` identify the
//! cell. `seat` is the treated seat, or the seat at the lineup's first place. `points_P` and `score_P` belong to seat P.
//! `uptake` ([`UptakeRecord`] as text) is the record of the game's course:
//!
//! - in controls and cells without a seat: the things that could be taken, and their takers;
//! - in studies of places: the tokens of every seat at the end of each stage, and in controls also at the first
//!   decision;
//! - in all cells of experiments on turn orders: the outcomes of the bids.

use engine::MAX_PLAYERS;

use super::cell::Experiment;
use super::uptake::UptakeRecord;
use sim::export::columns::{
    Cell, ColumnKind, Columns, Declared, expect, header, joined, on_one_line, put,
};
use sim::export::row_file::RowFile;

/// The name of the file.
pub const FILE: &str = "cells.csv";

/// A game of a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// The number of the game in the run.
    pub game: u64,
    /// The number of its seed.
    pub block: u64,
    /// The index of its cell.
    pub cell: usize,
    /// The number of the game within its cell and block: the treated seat.
    pub rotation: usize,
    /// Choices of players.
    pub plies: u32,
    /// True if an agent forfeited the game.
    pub is_forfeit: bool,
    /// Points by seat.
    pub points: [f32; MAX_PLAYERS],
    /// Score by seat.
    pub scores: [f32; MAX_PLAYERS],
    /// The record of its course.
    pub uptake: UptakeRecord,
}

/// The layout shared by all rows of an experiment.
#[derive(Clone, Debug)]
pub struct RowsCsv {
    file: &'static str,
    players: usize,
    per_block: u64,
    /// The games of a block, in order.
    games: Vec<GameSlot>,
}

/// The place of a game in its block.
#[derive(Clone, Debug)]
struct GameSlot {
    lineup: usize,
    /// The name of its cell.
    id: String,
    cell: usize,
    rotation: usize,
}

impl RowsCsv {
    /// Creates the layout of the rows of `experiment`.
    #[must_use]
    pub fn new(experiment: &Experiment) -> Self {
        let mut games = Vec::new();
        for (place, cell) in experiment.cells.iter().enumerate() {
            let rotations = 0..experiment.rotations(cell);
            let (lineup, id) = (cell.lineup, on_one_line(&cell.id));
            games.extend(rotations.map(|rotation| GameSlot {
                lineup,
                id: id.clone(),
                cell: place,
                rotation,
            }));
        }
        Self { file: FILE, players: experiment.players, per_block: games.len() as u64, games }
    }

    /// Returns the layout for rows in another file.
    #[must_use]
    pub const fn in_file(mut self, file: &'static str) -> Self {
        self.file = file;
        self
    }

    fn place(&self, row: &Row) -> &GameSlot {
        &self.games[(row.game % self.per_block) as usize]
    }
}

impl RowFile for RowsCsv {
    type Row = Row;
    const ROW: &'static str = "game";
    const OF: &'static str = "experiment";
    const RENAMED: &'static [[&'static str; 2]] = &[["lineup", "lane"], ["uptake", "deeds"]];

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
        header(&self.checked())
    }
    fn text(&self, row: &Row) -> String {
        joined(&self.written(row))
    }
    fn fields(&self, text: &str) -> Option<Row> {
        self.read(text, Row::default())
    }
}

impl Declared<Row> for RowsCsv {
    fn declare(&self, to: &mut impl Columns<Row>) -> Option<()> {
        use ColumnKind::{Count, Long, Real, Text};
        to.column(
            "game",
            Long,
            |row| Cell::Long(row.game),
            |row, text| {
                put(&mut row.game, text)?;
                let GameSlot { cell, rotation, .. } = *self.place(row);
                (row.block, row.cell, row.rotation) = (row.game / self.per_block, cell, rotation);
                Some(())
            },
        )?;
        to.column("block", Long, |row| Cell::Long(row.block), |row, text| expect(row.block, text))?;
        let write = |row: &Row| Cell::Long(self.place(row).lineup as u64);
        to.column("lineup", Long, write, |row, text| expect(self.place(row).lineup, text))?;
        let write = |row: &Row| Cell::Text(self.place(row).id.clone());
        to.column("cell", Text, write, |row, text| (self.place(row).id == text).then_some(()))?;
        let write = |row: &Row| Cell::Long(row.rotation as u64);
        to.column("seat", Long, write, |row, text| expect(row.rotation, text))?;
        let write = |row: &Row| Cell::Count(row.plies);
        to.column("plies", Count, write, |row, text| put(&mut row.plies, text))?;
        let write = |row: &Row| Cell::Count(row.is_forfeit.into());
        to.column("forfeit", Count, write, |row, text| {
            row.is_forfeit = text.parse::<u64>().ok()? != 0;
            Some(())
        })?;
        for seat in 0..self.players {
            let write = |row: &Row| Cell::Real(row.points[seat]);
            to.column(format_args!("points_{seat}"), Real, write, |row, text| {
                put(&mut row.points[seat], text)
            })?;
        }
        for seat in 0..self.players {
            let write = |row: &Row| Cell::Real(row.scores[seat]);
            to.column(format_args!("score_{seat}"), Real, write, |row, text| {
                put(&mut row.scores[seat], text)
            })?;
        }
        let write = |row: &Row| Cell::Text(row.uptake.to_string());
        to.column("uptake", Text, write, |row, text| put(&mut row.uptake, text))
    }
}
