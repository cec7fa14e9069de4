//! The files of a run: one trait, and a module for each format.
//!
//! A format declares here, and only here, the name of its file, when it is written, and how it is restored after the
//! run was stopped. Clean-up, `--resume`, `merge` and `--out` read this from [`FORMATS`]. A new format is a file with
//! an [`Exporter`] and a [`Format`], and a line in that list.

pub mod columns;
pub mod games_csv;
pub mod manifest;
pub mod on_completion;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod ratings;
pub mod records;
pub mod row_file;
pub mod seats;
pub mod summary;

use std::io::{self, Write};

use crate::config::Plan;
use crate::event::GameResult;
use crate::manifest::Manifest;
use crate::stats::Standings;
use crate::stats::relations::Report;

/// All formats with a file of a fixed name; those that every run needs come first.
pub const FORMATS: &[Format] = &[
    manifest::FORMAT,
    games_csv::FORMAT,
    summary::FORMAT,
    seats::FORMAT,
    ratings::JSON,
    ratings::CSV,
    #[cfg(feature = "parquet")]
    parquet::GAMES,
    #[cfg(feature = "parquet")]
    parquet::SEATS,
];

/// A writer of one file of a run, which gets the games in order.
pub trait Exporter: Send {
    /// Writes the part before the first game.
    ///
    /// # Errors
    /// If it cannot be written.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes the part of a game, or keeps it for later.
    ///
    /// # Errors
    /// If it cannot be written.
    fn game(&mut self, _game: &GameResult, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes the part after the last game.
    ///
    /// # Errors
    /// If it cannot be written.
    fn end(&mut self, _end: &End<'_>, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// The results of a run after its last game.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// The standings.
    pub standings: &'a Standings,
    /// The comparison of the agents; present if [`Format::is_rated`] requires it.
    pub report: Option<&'a Report>,
}

/// The time at which a file is written, and so the way it is restored after the run was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// Before the first game; the file never changes, and with it a run has begun.
    Fixed,
    /// Block by block; the part after the last whole block is cut off and played again.
    Grows,
    /// At the end, complete or not; a file on more blocks than are kept is removed.
    AtEnd,
    /// At the completion of the run, from all games, including those that were kept; before that there is no file.
    WhenComplete,
}

/// A format of results, and its file in the directory of a run.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name of the file.
    pub file: &'static str,
    /// The option value that requests the format; `None` if it is always written.
    pub option: Option<&'static str>,
    /// The time at which it is written.
    pub resume: Resume,
    /// True if it holds the comparison of the agents.
    pub is_rated: bool,
    /// The function that makes its writer.
    pub exporter: fn(&Run<'_>) -> io::Result<Box<dyn Exporter>>,
}

/// A run before its first game.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The plan of the run.
    pub plan: &'a Plan,
    /// The manifest: all that the results depend on.
    pub manifest: &'a Manifest,
}

/// Returns the formats that are restored in one of these ways.
pub fn that_are(resumed: &[Resume]) -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(move |format| resumed.contains(&format.resume))
}

/// Returns the names of all files.
pub fn files() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.file)
}

/// Returns the format that the option value `name` requests.
///
/// # Errors
/// If there is none: the message lists the known values.
pub fn format_named(name: &str) -> Result<&'static Format, String> {
    if cfg!(not(feature = "parquet")) && ["parquet", "seats-parquet"].contains(&name) {
        return Err(NO_PARQUET.to_owned());
    }
    FORMATS.iter().find(|format| format.option == Some(name)).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().filter_map(|format| format.option).collect();
        format!("known: {}; games.csv and summary.json are always written", known.join(", "))
    })
}

/// The error message for Parquet in a build without it.
pub(crate) const NO_PARQUET: &str =
    "this build cannot write Parquet; a build with the feature parquet can";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_file_and_a_word_of_its_own() {
        let unique = |mut names: Vec<&str>| {
            let n = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), n, "{names:?}");
        };
        unique(files().collect());
        unique(FORMATS.iter().filter_map(|format| format.option).collect());
        for format in FORMATS {
            // Every requested file can be rebuilt from the rows that are always kept.
            assert_eq!(
                format.option.is_some(),
                format.resume == Resume::WhenComplete,
                "{format:?}"
            );
        }
        assert_eq!(format_named("seats").unwrap().file, seats::FILE);
        assert!(format_named("csv").unwrap_err().starts_with("known: seats, ratings, ratings-csv"));
    }
}
