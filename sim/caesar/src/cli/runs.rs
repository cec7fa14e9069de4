//! `caesar runs`: lists the runs in a directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use draw::report::headline;
use serde_json::Map;

use super::output::Form;
use super::report::read;
use super::{Ending, look, print};
use crate::report::table::{Cell, Column, Content, Listing, Mark, Note, Page, Scale};
use crate::report::win_model;
use sim::document::document;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;

/// Levels of directories that are searched.
const DEPTH: usize = 4;
/// Seconds of a day.
const DAY: u64 = 86_400;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Directory with runs
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    #[command(flatten)]
    form: Form,
}

/// A run of the list.
struct Run {
    place: String,
    what: &'static str,
    /// The time of its results, or of its manifest while it is unfinished.
    when: SystemTime,
    games: u64,
    is_finished: bool,
    headline: String,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let mut places = Vec::new();
    find(&options.dir, DEPTH, &mut places)?;
    let mut runs: Vec<Run> = places.iter().map(|dir| listed(dir)).collect();
    runs.sort_by(|a, b| b.when.cmp(&a.when).then_with(|| a.place.cmp(&b.place)));
    let page = page(&runs);
    print(&match options.form.is_json() {
        true => document(&win_model::document(Map::new(), &page.tables)),
        false => options.form.write(look(), None, &|_| page.clone()),
    })?;
    Ok(Ending::Done)
}

/// Finds the runs in a directory, by name. Hidden directories and links are left out.
fn find(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    if read::is_run(dir)? {
        found.push(dir.to_owned());
        return Ok(());
    }
    if depth == 0 {
        return Ok(());
    }
    let place = dir.display().to_string();
    let entries = fs::read_dir(dir).map_err(Error::file(place.as_str()))?;
    let is_inside = |entry: &fs::DirEntry| {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    let mut inside: Vec<PathBuf> =
        entries.filter_map(Result::ok).filter(is_inside).map(|entry| entry.path()).collect();
    inside.sort();
    inside.iter().try_for_each(|dir| match find(dir, depth - 1, found) {
        // A directory that cannot be read hides no other.
        Err(Error::File { .. }) => Ok(()),
        other => other,
    })
}

/// Returns the line of a run; one that cannot be read has the reason as its headline.
fn listed(dir: &Path) -> Run {
    let time = |name: &str| dir.join(name).metadata().and_then(|meta| meta.modified()).ok();
    let place = dir.display().to_string();
    let place = place.trim_start_matches("./").to_owned();
    let (source, document, is_finished) = match read::described(dir) {
        Ok(read::Described { source, document, is_finished }) => (source, document, is_finished),
        Err(error) => {
            let (when, headline) = (time(MANIFEST).unwrap_or(UNIX_EPOCH), error.to_string());
            return Run { place, what: "-", when, games: 0, is_finished: false, headline };
        }
    };
    let when = time(document).or_else(|| time(MANIFEST)).unwrap_or(UNIX_EPOCH);
    let headline = match is_finished {
        true => headline(&source).unwrap_or_else(|| "nothing is decided".to_owned()),
        false => "unfinished".to_owned(),
    };
    Run { place, what: source.kind.title(), when, games: source.games, is_finished, headline }
}

fn page(runs: &[Run]) -> Page {
    let number = Content::Number(Scale::Count);
    let table = Listing::of(runs)
        .column(Column::plain("run", Content::Key), |run| Cell::text(&run.place))
        .column(Column::plain("what", Content::Text), |run| Cell::text(run.what))
        .column(Column::new("when", "when (UTC)", Content::Text), |run| Cell::text(date(run.when)))
        .column(Column::plain("games", number), |run| match run.games {
            0 => Cell::Nothing,
            n => Cell::Count(n),
        })
        .column(Column::plain("headline", Content::Prose), |run| Cell::text(&run.headline))
        .marked(|run| if run.is_finished { Mark::Plain } else { Mark::Open })
        .table("runs", "Runs, the newest first");
    let none = runs.is_empty().then(|| Note::new("no runs here: --out of a command writes one"));
    Page { tables: vec![table], footer: none.into_iter().collect() }
}

/// Formats a time as a date and minutes, in UTC.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let [year, month, day] = civil(seconds / DAY);
    let minutes = seconds % DAY / 60;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// Returns year, month and day of the Gregorian calendar, so many days after 1 January 1970.
fn civil(mut days: u64) -> [u64; 3] {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    [year, month, days + 1]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00"),
            (951_782_399, "2000-02-28 23:59"),
            (951_782_400, "2000-02-29 00:00"),
            (1_704_067_199, "2023-12-31 23:59"),
            (4_107_542_400, "2100-03-01 00:00"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
