//! Files that appear only when they are complete: written aside and renamed.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::bounded;
use crate::error::Error;

/// A file that takes its place when it is finished; dropped before, it leaves what was there.
#[derive(Debug)]
pub(super) struct Aside {
    file: BufWriter<File>,
    /// Where it is written, unless it is written in place.
    aside: Option<PathBuf>,
    place: PathBuf,
}

impl Aside {
    /// Opens a file that will stand at `place`; pipes and devices are written directly.
    pub(super) fn create(place: &Path) -> io::Result<Self> {
        let is_special = fs::metadata(place).is_ok_and(|meta| !meta.is_file() && !meta.is_dir());
        if place.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        let aside = (!is_special).then(|| {
            let mut name = place.file_name().unwrap_or_default().to_owned();
            name.push(format!(".{}.tmp", std::process::id()));
            place.with_file_name(name)
        });
        let file = match &aside {
            Some(path) => File::create(path)?,
            None => File::options().write(true).open(place)?,
        };
        Ok(Self { file: BufWriter::new(file), aside, place: place.to_owned() })
    }

    /// Puts the file in its place.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        match self.aside.take() {
            Some(path) => fs::rename(path, &self.place),
            None => Ok(()),
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(path) = &self.aside {
            fs::remove_file(path).unwrap_or_default();
        }
    }
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The text of the file at `path`, which people write: rules, configurations, weights, value functions.
pub(super) fn text(path: &str) -> io::Result<String> {
    bounded::text(File::open(path)?, bounded::TEXT)
}

/// The text of a document of ours at `path`.
pub(super) fn document(path: &Path) -> io::Result<String> {
    bounded::text(File::open(path)?, bounded::DOCUMENT)
}

/// Opens `path` for reading; `-` is stdin.
pub(super) fn open(path: &str) -> Result<Box<dyn BufRead>, Error> {
    if path == "-" {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    if Path::new(path).is_dir() {
        let source = io::Error::new(io::ErrorKind::IsADirectory, "it is a directory");
        return Err(Error::File { place: path.to_owned(), source });
    }
    let name = if path.is_empty() { "\"\"" } else { path };
    let file = File::open(path).map_err(Error::file(name))?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}
