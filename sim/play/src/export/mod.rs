//! What a run leaves behind: one trait, and a file for each format.
//!
//! A format says here, and nowhere else, what its file is called, when it is written and how it comes back after the
//! run was stopped; clean-up, `--resume`, `merge` and `--out` read it from [`FORMATS`]. A new format is a file with an
//! [`Exporter`] and a [`Format`], and a line in that list.

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

/// All formats with a file of a fixed name, those without which there is no run first.
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

/// Writes one file of a run, told of its games in order.
pub trait Exporter: Send {
    /// Writes what stands before the first game.
    ///
    /// # Errors
    /// If it cannot be written.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes what a game adds, or keeps it for later.
    ///
    /// # Errors
    /// If it cannot be written.
    fn game(&mut self, _game: &GameResult, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes what stands behind the last game.
    ///
    /// # Errors
    /// If it cannot be written.
    fn end(&mut self, _end: &End<'_>, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// What is known behind the last game.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// The standings.
    pub standings: &'a Standings,
    /// How the agents stand to each other; there where [`Format::is_rated`] asks for it.
    pub report: Option<&'a Report>,
}

/// When a file is written, and so how it comes back after a run was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// Before the first game; it never changes, and with it a run has begun.
    Fixed,
    /// It grows by whole blocks; what is behind the last whole one is cut off and played again.
    Grows,
    /// At the end, complete or not; one that speaks of more blocks than are kept is removed.
    AtEnd,
    /// When the run is complete, from all games, those that were kept among them; before that there is none.
    WhenComplete,
}

/// A format of results, and its file in the directory of a run.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name of the file.
    pub file: &'static str,
    /// What asks for it; `None` if it is always written.
    pub option: Option<&'static str>,
    /// When it is written.
    pub resume: Resume,
    /// Whether it holds how the agents stand to each other.
    pub is_rated: bool,
    /// Makes what writes it.
    pub exporter: fn(&Run<'_>) -> io::Result<Box<dyn Exporter>>,
}

/// What is known of a run before its first game.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What is played.
    pub plan: &'a Plan,
    /// What the results depend on.
    pub manifest: &'a Manifest,
}

/// The formats that come back in one of these ways.
pub fn that_are(resumed: &[Resume]) -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(move |format| resumed.contains(&format.resume))
}

/// The names of all files.
pub fn files() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.file)
}

/// The format that `name` asks for.
///
/// # Errors
/// If there is none: the message lists those that there are.
pub fn asked_for(name: &str) -> Result<&'static Format, String> {
    if cfg!(not(feature = "parquet")) && ["parquet", "seats-parquet"].contains(&name) {
        return Err(NO_PARQUET.to_owned());
    }
    FORMATS.iter().find(|format| format.option == Some(name)).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().filter_map(|format| format.option).collect();
        format!("known: {}; games.csv and summary.json are always written", known.join(", "))
    })
}

/// What somebody reads who asks for Parquet of a build without it.
pub(crate) const NO_PARQUET: &str =
    "this build writes no Parquet; what is built with the feature parquet does";

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
            // What is asked for can be made again from the rows that are always kept.
            assert_eq!(
                format.option.is_some(),
                format.resume == Resume::WhenComplete,
                "{format:?}"
            );
        }
        assert_eq!(asked_for("seats").unwrap().file, seats::FILE);
        assert!(asked_for("csv").unwrap_err().starts_with("known: seats, ratings, ratings-csv"));
    }
}
