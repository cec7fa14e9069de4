//! The file of a record that grows while people play.

use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use super::super::files;
use super::super::outputs::Output;
use super::Options;
use super::seating::Seating;
use sim::error::Error;
use sim::session::Session;

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
pub(super) fn opened(options: &Options) -> Result<(Session, Vec<String>, Option<Kept>), Error> {
    let place = options.resume.as_ref().or(options.records.as_ref());
    let Some(place) = place else {
        let (session, names) = Seating::of(options)?.seated()?;
        return Ok((session, names, None));
    };
    let failed = || Error::file(place.display().to_string());
    let (session, names) = if options.resume.is_some() {
        let text = std::fs::read_to_string(place).map_err(failed())?;
        let (header, lines) = text.split_once('\n').unwrap_or((&text, ""));
        let (mut session, names) = Seating::of_record(options, place, header)?.seated()?;
        let replayed = session.replay(lines);
        replayed.map_err(|e| Error::Usage(format!("{}: {e}", place.display())))?;
        (session, names)
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
        table.seated()?
    };
    // A truncated record is written again up to the end of its game.
    files::write_aside(place, session.final_record().as_bytes()).map_err(failed())?;
    let file = files::open_locked(place).map_err(failed())?;
    let written = session.final_record().len() as u64;
    Ok((session, names, Some(Kept { file, place: place.clone(), written })))
}
