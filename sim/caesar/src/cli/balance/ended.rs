//! Endings of several studies: as a part, stopped, or with a document of all.

use std::path::Path;

use crate::cli::files::write_aside;
use crate::cli::{Ending, note, print};
use sim::error::Error;
use sim::export::summary::FILE as SUMMARY;
use sim::units;

/// Prints the command that joins the parts of several studies.
pub(super) fn parted(names: &[String]) -> Result<Ending, Error> {
    print(&format!(
        "a part of {} is played; caesar merge PART PART … --out WHOLE joins all parts, then run this command with \
         --out WHOLE --resume and without --shard\n",
        units::counted(names.len() as u64, "run")
    ))?;
    Ok(Ending::Done)
}

/// Prints the number of stopped studies and the command that continues them.
pub(super) fn stopped(out: Option<&Path>, name: &str) -> Ending {
    let rest = match out {
        Some(_) => "results so far are saved; the same command with --resume continues",
        None => "nothing is saved; use --out to keep results for --resume",
    };
    note(&format!("stopped early in {name}: {rest}"));
    Ending::Stopped
}

/// Writes the document of all studies, and prints it on request.
pub(super) fn conclude(out: Option<&Path>, is_json: bool, text: &str) -> Result<Ending, Error> {
    if let Some(out) = out {
        let place = out.join(SUMMARY);
        let written = write_aside(&place, text.as_bytes());
        written.map_err(Error::output(place.display().to_string()))?;
    }
    if is_json {
        print(text)?;
    }
    Ok(Ending::Done)
}
