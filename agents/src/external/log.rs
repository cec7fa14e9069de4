//! The log of a program: every request and answer as a JSON object on a line, with its time.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use engine::Player;
use serde_json::{Map, Value, json};

use crate::agent::Fault;

/// A log file, to which the programs of all tables append.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: Option<File>,
    /// The game in its run and the seat, both counted from 1.
    game: u64,
    seat: u8,
}

impl Log {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self { path, file: None, game: 0, seat: 0 }
    }

    pub(super) const fn begin_game(&mut self, game: u64, seat: Player) {
        self.game = game + 1;
        self.seat = seat.ordinal();
    }

    /// Appends a request, its answer if there is one, the time of waiting, and the most memory of the program so far.
    ///
    /// # Errors
    /// If the file cannot be written; that is no fault of the program.
    pub(super) fn write(
        &mut self,
        request: &str,
        answer: Option<&[u8]>,
        waited: Duration,
        memory: Option<u64>,
    ) -> Result<(), Fault> {
        let mut line = Map::from_iter([
            ("game".to_owned(), json!(self.game)),
            ("seat".to_owned(), json!(self.seat)),
            ("request".to_owned(), serde_json::from_str(request).unwrap_or_default()),
        ]);
        if let Some(answer) = answer {
            let text = || Value::from(String::from_utf8_lossy(answer));
            let answer = serde_json::from_slice(answer).unwrap_or_else(|_| text());
            line.insert("answer".to_owned(), answer);
        }
        line.insert("milliseconds".to_owned(), json!(waited.as_secs_f64() * 1e3));
        line.extend(memory.map(|bytes| ("peak_memory".to_owned(), json!(bytes))));
        let text = format!("{}\n", Value::Object(line));
        let written = self.file().and_then(|file| file.write_all(text.as_bytes()));
        written.map_err(|error| Fault::Host {
            reason: format!("cannot write the log \"{}\": {error}", self.path.display()),
            remedy: Some("name another file as log"),
        })
    }

    fn file(&mut self) -> std::io::Result<&mut File> {
        match &mut self.file {
            Some(file) => Ok(file),
            none => Ok(none.insert(File::options().append(true).create(true).open(&self.path)?)),
        }
    }
}
