//! Rows of studies and searches, validated before a report uses any results derived from them.

use std::path::Path;

use crate::cli::lines::LineReader;
use crate::cli::sums;
use sim::bounded::LINE;
use sim::error::Error;
use sim::export::columns::without_checksum;

/// Refuses the file of rows at `path` if a row is damaged, doubled or missing. A torn row at the end is accepted: a
/// kill leaves one. Files without a column of checksums are not checked.
///
/// # Errors
/// If it cannot be read, or is damaged.
pub(super) fn check(path: &Path) -> Result<(), Error> {
    let mut lines = LineReader::open(path)?;
    let mut line = Vec::new();
    lines.line(&mut line, LINE)?;
    if !line.ends_with(b",check\n") {
        return Ok(());
    }
    let mut next: Option<u64> = None;
    loop {
        line.clear();
        if !lines.line(&mut line, LINE)? {
            return Ok(());
        }
        let text = std::str::from_utf8(&line).map_err(|_| "it is no text in UTF-8".to_owned());
        let row = text.and_then(without_checksum);
        let number = row.as_ref().ok().and_then(|row| row.split(',').next()?.parse::<u64>().ok());
        let complaint = match (&row, number, next) {
            (Err(complaint), ..) => complaint.clone(),
            (Ok(_), None, _) => "it has no number".to_owned(),
            (_, Some(number), Some(next)) if number != next => {
                format!("it has the number {number}, expected {next}")
            }
            (_, Some(number), _) => {
                next = Some(number + 1);
                continue;
            }
        };
        return if lines.is_at_end()? { Ok(()) } else { Err(lines.damaged(&complaint)) };
    }
}

/// Refuses tables and documents of `dir` that the run did not write. Reports files that cannot be checked.
///
/// # Errors
/// If one of them was changed.
pub(super) fn check_derived(dir: &Path) -> Result<Option<String>, Error> {
    match sums::faults(dir)? {
        None => Ok(Some(format!(
            "{}: an older version wrote this directory without checksums, so its tables cannot be verified",
            dir.display()
        ))),
        Some(faults) => match faults.first() {
            None => Ok(None),
            Some(fault) => Err(Error::Usage(format!(
                "{fault}; the command of the run writes it again (with --resume, from the existing rows)"
            ))),
        },
    }
}
