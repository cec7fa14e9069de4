//! Checksums of the tables and documents that a run derives from its rows. They reveal later changes to a reader.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::files::write_aside;
use sim::document::document;
use sim::error::Error;
use sim::record::checksum;

/// The name of the file.
pub(super) const FILE: &str = "checksums.json";
/// Its format.
const FORMAT: &str = "caesar-checksums/1";

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sums {
    format: String,
    /// The beginning of the BLAKE3 hash of each file, in hexadecimal digits.
    files: BTreeMap<String, String>,
}

fn sum(bytes: &[u8]) -> String {
    format!("{:016x}", checksum(bytes))
}

/// Writes `files` into `dir` in order, and then their checksums.
///
/// # Errors
/// If one of them cannot be written.
pub(super) fn write_all(
    dir: &Path,
    files: impl IntoIterator<Item = (String, String)>,
) -> Result<(), Error> {
    let mut sums = Sums { format: FORMAT.to_owned(), files: BTreeMap::new() };
    let write = |name: &str, bytes: &[u8]| {
        let place = dir.join(name);
        write_aside(&place, bytes).map_err(Error::output(place.display().to_string()))
    };
    for (name, text) in files {
        write(&name, text.as_bytes())?;
        sums.files.insert(name, sum(text.as_bytes()));
    }
    write(FILE, document(&sums).as_bytes())
}

/// Returns an error for each file of `dir` that its run did not write; `None` if the run wrote no checksums.
///
/// # Errors
/// If the checksums cannot be read.
pub(super) fn faults(dir: &Path) -> Result<Option<Vec<String>>, Error> {
    let place = dir.join(FILE);
    if !place.is_file() {
        return Ok(None);
    }
    let name = place.display().to_string();
    let text = super::files::document(&place).map_err(Error::file(name.as_str()))?;
    let read = serde_json::from_str::<Sums>(&text);
    let sums = read.map_err(|e| Error::Usage(format!("{name}: it is damaged: {e}")))?;
    let fault = |(file, sum_there): (&String, &String)| {
        // A name that leads out of the directory is not ours.
        let path = Path::new(file).file_name().map(|name| dir.join(name))?;
        match fs::read(&path) {
            Ok(bytes) if sum(&bytes) == *sum_there => None,
            Ok(_) => Some(format!("{}: it has changed since the run wrote it", path.display())),
            Err(error) => Some(format!("{}: {error}", path.display())),
        }
    };
    Ok(Some(sums.files.iter().filter_map(fault).collect()))
}
