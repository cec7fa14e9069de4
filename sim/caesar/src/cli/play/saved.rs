//! The file of a record that grows while people play.

use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use play::hosted_game::HostedGame;

use super::super::files;
use super::super::outputs::Output;
use super::Options;
use super::seating::Seating;
use sim::error::Error;

/// File of the record, which grows with the game.
pub(super) struct Kept {
    file: File,
    pub(super) place: PathBuf,
    written: u64,
}

impl Kept {
    /// Writes the events that have become final since the last call, and `end` for a game that is left.
    pub(super) fn keep(&mut self, record: &str, end: &str) -> Result<(), Error> {
        let new = &record[(self.written as usize).min(record.len())..];
        let written = self.file.seek(SeekFrom::Start(self.written)).and_then(|_| {
            self.file.write_all(format!("{new}{end}").as_bytes())?;
            self.file.set_len((record.len() + end.len()) as u64)
        });
        written.map_err(Error::file(self.place.display().to_string()))?;
        self.written = record.len() as u64;
        Ok(())
    }
}

/// Begins or continues the game of `options`.
pub(super) fn opened(options: &Options) -> Result<(HostedGame, Option<Kept>), Error> {
    let place = options.resume.as_ref().or(options.records.as_ref());
    let Some(place) = place else {
        return Ok((Seating::of(options)?.hosted(options)?, None));
    };
    let failed = || Error::file(place.display().to_string());
    let hosted = if options.resume.is_some() {
        let text = std::fs::read_to_string(place).map_err(failed())?;
        let (header, lines) = text.split_once('\n').unwrap_or((&text, ""));
        let mut hosted = Seating::of_record(options, place, header)?.hosted(options)?;
        let replayed = hosted.replay(lines);
        replayed.map_err(|e| Error::Usage(format!("{}: {e}", place.display())))?;
        hosted
    } else {
        let table = Seating::of(options)?;
        let output = Output::of("records", place, options.force)?;
        if output.is_stdout() || output.packing().is_some() {
            return Err(Error::value(
                "records",
                place.display().to_string(),
                "the record grows with the game: name a plain file",
            ));
        }
        output.check()?;
        table.hosted(options)?
    };
    // A truncated record is written again up to the end of its game.
    let record = hosted.session().final_record();
    files::write_aside(place, record.as_bytes()).map_err(failed())?;
    let file = files::open_locked(place).map_err(failed())?;
    let kept = Kept { file, place: place.clone(), written: record.len() as u64 };
    Ok((hosted, Some(kept)))
}
