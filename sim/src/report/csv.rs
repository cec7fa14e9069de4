//! `games.csv`: one row a game.
//!
//! `seating` lists, seat by seat, places in the line-up (the `agents` of the manifest, from 0); every other list of
//! numbers has a column a seat: `points_0`, `points_1`, … The forfeit column says which seat broke off and why.

use std::io;

use csv::Writer;

use crate::event::GameResult;

/// Writes rows of games.
#[derive(Debug)]
pub struct Games<W: io::Write> {
    writer: Writer<W>,
    players: usize,
    seed: String,
    row: Vec<String>,
}

impl<W: io::Write> Games<W> {
    /// Writes the header; `extras` are the names of the game's extra numbers.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(writer: W, players: usize, seed: u64, extras: &[&str]) -> io::Result<Self> {
        let mut writer = Writer::from_writer(writer);
        let mut header: Vec<String> =
            ["game", "block", "seed", "seating"].map(str::to_owned).to_vec();
        for name in ["points", "score"].iter().chain(extras) {
            header.extend((0..players).map(|seat| format!("{name}_{seat}")));
        }
        header.extend(["plies", "forfeit"].map(str::to_owned));
        writer.write_record(&header)?;
        Ok(Self { writer, players, seed: seed.to_string(), row: Vec::new() })
    }

    /// Writes the row of `game`.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&mut self, game: &GameResult) -> io::Result<()> {
        let n = self.players;
        let seating: Vec<String> = game.seating[..n].iter().map(u8::to_string).collect();
        self.row.clear();
        self.row.extend([game.index.to_string(), game.block.to_string(), self.seed.clone()]);
        self.row.push(seating.join(" "));
        self.row.extend(game.points[..n].iter().map(f32::to_string));
        self.row.extend(game.scores[..n].iter().map(f32::to_string));
        self.row.extend(game.extras.iter().flat_map(|extra| &extra[..n]).map(i32::to_string));
        self.row.push(game.plies.to_string());
        self.row.push(game.forfeit.as_ref().map_or_else(String::new, |forfeit| {
            format!("seat {}: {}", forfeit.player, forfeit.reason)
        }));
        self.writer.write_record(&self.row)?;
        Ok(())
    }

    /// Gives the writer back.
    ///
    /// # Errors
    /// If what is left cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}
