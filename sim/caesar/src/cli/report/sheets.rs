//! Tables as sheets of a page, and the other contents requested for the page.

use std::path::PathBuf;

use draw::report::Sheet;

use crate::report::format;
use crate::report::table::Table;
use sim::error::Error;

/// Contents requested for a page besides tables.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    /// Replays of each tournament.
    pub(super) replays: usize,
    /// The file of a model of win probability.
    pub(super) model: Option<String>,
    /// Files of records outside of their directories that may be read.
    pub(super) records: Vec<PathBuf>,
}

/// Returns a table of comma-separated values.
pub(super) fn parsed(name: String, text: &str) -> Result<Sheet, csv::Error> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers()?.iter().map(str::to_owned).collect();
    let row =
        |row: Result<csv::StringRecord, csv::Error>| Ok(row?.iter().map(str::to_owned).collect());
    let rows = reader.records().map(row).collect::<Result<_, csv::Error>>()?;
    Ok(Sheet { name, caption: String::new(), columns, rows })
}

/// Returns a table of results as a sheet.
pub(super) fn sheet(table: &Table) -> Result<Sheet, Error> {
    let read = parsed(table.name.replace('-', "_"), &format::csv::write(table));
    let sheet = read.map_err(|e| Error::Failed(format!("table {}: {e}", table.name)))?;
    Ok(Sheet { caption: table.caption.clone(), ..sheet })
}
