//! Whole tables as files for other tools, in the form given by the file extension.

use std::io::{self, Write};
use std::path::Path;

use super::columns::{Cell, Column, header, joined};
#[cfg(feature = "parquet")]
use super::parquet;
use crate::error::Error;

/// The forms of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet, with the feature `parquet`.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Form {
    /// Returns the form of a file of this name.
    ///
    /// # Errors
    /// If its extension is that of neither.
    pub fn of(path: &Path) -> Result<Self, Error> {
        match path.extension().and_then(|ext| ext.to_str()) {
            Some("csv") => Ok(Self::Csv),
            #[cfg(feature = "parquet")]
            Some("parquet") => Ok(Self::Parquet),
            #[cfg(not(feature = "parquet"))]
            Some("parquet") => {
                Err(Error::value("export", path.display().to_string(), super::NO_PARQUET))
            }
            _ => {
                let message = "its ending names no format (accepted: .csv, .parquet)";
                Err(Error::value("export", path.display().to_string(), message))
            }
        }
    }
}

/// Writes a table; `row` is the name of a row, in one word.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(
    form: Form,
    #[cfg_attr(
        not(feature = "parquet"),
        expect(unused_variables, reason = "rows of CSV have no name")
    )]
    row: &'static str,
    columns: &[Column],
    rows: Vec<Vec<Cell>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match form {
        #[cfg(feature = "parquet")]
        Form::Parquet => parquet::write_table(row, columns, rows.into_iter(), out),
        Form::Csv => {
            out.write_all(header(columns).as_bytes())?;
            rows.into_iter().try_for_each(|row| writeln!(out, "{}", joined(&row)))
        }
    }
}
