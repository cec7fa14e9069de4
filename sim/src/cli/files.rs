//! Files: followed through symbolic links, locked while they are written, and either complete or not there.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::bounded;
use crate::error::Error;

/// What the name of a file ends in while it is written aside.
const ASIDE: &str = ".caesar-tmp";

/// The place that `path` leads to through symbolic links, whether there is a file yet or not.
///
/// # Errors
/// If there is no directory for it, or the links lead in a circle.
pub(super) fn followed(path: &Path) -> io::Result<PathBuf> {
    let is_link = || fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    match fs::canonicalize(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let parent = parent.unwrap_or(Path::new("."));
            // A link may lead to a file that is still to be made; links in a circle are another error.
            if let Ok(target) = fs::read_link(path) {
                return followed(&parent.join(target));
            }
            let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
            Ok(fs::canonicalize(parent)?.join(name))
        }
        Err(e) if e.kind() != io::ErrorKind::PermissionDenied && is_link() => {
            let text = format!("it is a symbolic link that leads nowhere: {e}");
            Err(io::Error::new(io::ErrorKind::InvalidInput, text))
        }
        other => other,
    }
}

/// Whether two paths lead to one file, under whatever names, or would.
pub(super) fn are_one(a: &Path, b: &Path) -> bool {
    let is_file = |path: &Path| fs::metadata(path).is_ok_and(|meta| meta.is_file());
    if is_file(a) && is_file(b) && same_file::is_same_file(a, b).unwrap_or(false) {
        return true;
    }
    followed(a).ok().zip(followed(b).ok()).is_some_and(|(a, b)| a == b)
}

/// Opens `path` for reading and writing, made if it is not there, and locks it for as long as it is open.
///
/// # Errors
/// If it cannot be opened, or somebody else has locked it (`ResourceBusy`).
pub(super) fn open_locked(path: &Path) -> io::Result<File> {
    loop {
        let file =
            File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        lock(&file)?;
        // Whoever had locked it may have put it elsewhere while we waited to be let in.
        if leads_to(path, &file) {
            return Ok(file);
        }
    }
}

fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "another run is writing to it; wait for it or name another file",
        )),
        // A file system without locks is no reason not to play.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Whether `path` is a name of the open `file`.
pub(super) fn leads_to(path: &Path, file: &File) -> bool {
    match (Handle::from_path(path), file.try_clone().and_then(Handle::from_file)) {
        (Ok(there), Ok(here)) => there == here,
        (Err(e), _) => e.kind() != io::ErrorKind::NotFound,
        _ => true,
    }
}

/// Where the file that will stand at `place` is written.
fn aside_of(place: &Path) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(ASIDE);
    place.with_file_name(name)
}

/// Refuses a `place` for which somebody is writing a file aside.
///
/// # Errors
/// `ResourceBusy`.
pub(super) fn refuse_while_aside(place: &Path) -> io::Result<()> {
    File::open(aside_of(place)).map_or(Ok(()), |file| lock(&file))
}

/// Removes the file at `place`, if there is one, and what was written aside for it.
///
/// # Errors
/// If it is there and cannot be removed.
pub(super) fn remove(place: &Path) -> io::Result<()> {
    remove_one(place)?;
    forget_aside(place)
}

/// Removes what somebody who was killed has written aside for `place`.
///
/// # Errors
/// If it is there and cannot be removed.
pub(super) fn forget_aside(place: &Path) -> io::Result<()> {
    remove_one(&aside_of(place))
}

fn remove_one(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// A file that takes its place when it is finished; dropped before, it leaves what was there.
#[derive(Debug)]
pub(super) struct Aside {
    file: BufWriter<File>,
    aside: PathBuf,
    place: PathBuf,
    is_finished: bool,
    /// What stands there so far, locked, so that nobody appends to it.
    _replaced: Option<File>,
}

impl Aside {
    /// Opens a file that will stand at `place`, or where a symbolic link there leads to.
    ///
    /// # Errors
    /// If that is no place for a file, or somebody else is writing there.
    pub(super) fn create(place: &Path) -> io::Result<Self> {
        let place = followed(place)?;
        match fs::metadata(&place) {
            Ok(meta) if meta.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
            }
            Ok(meta) if !meta.is_file() => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
            }
            _ => {}
        }
        let aside = aside_of(&place);
        let file = BufWriter::new(open_locked(&aside)?);
        let mut this = Self { file, aside, place, is_finished: false, _replaced: None };
        this.file.get_ref().set_len(0)?;
        if let Ok(replaced) = File::open(&this.place) {
            lock(&replaced)?;
            this._replaced = Some(replaced);
        }
        Ok(this)
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If it cannot be written to its end, or not be put there.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        // A name must not reach the disk before the bytes that it stands for.
        self.file.get_ref().sync_data()?;
        fs::rename(&self.aside, &self.place)?;
        self.is_finished = true;
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.is_finished {
            fs::remove_file(&self.aside).unwrap_or_default();
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

/// Writes a small file aside and puts it in its place.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_aside(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Aside::create(place)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A file that grows by whole blocks: what waits is handed over whole, or as if it had never been.
#[derive(Debug)]
pub(super) struct Growing {
    file: File,
    place: PathBuf,
    waiting: Vec<u8>,
    /// The length of what was handed over.
    length: u64,
}

impl Growing {
    /// Takes `file`, which is open at `place` and ends, from now on, after `length` bytes.
    ///
    /// # Errors
    /// If it cannot be cut there.
    pub(super) fn new(mut file: File, place: &Path, length: u64) -> io::Result<Self> {
        file.set_len(length)?;
        io::Seek::seek(&mut file, io::SeekFrom::Start(length))?;
        Ok(Self { file, place: place.to_owned(), waiting: Vec::new(), length })
    }

    /// Where it stands.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    /// Number of bytes that wait.
    pub(super) const fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Hands over what waits.
    ///
    /// # Errors
    /// If it cannot be written; then the file ends where it did before, unless that fails, too.
    pub(super) fn hand_over(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.waiting);
        if written.is_ok() {
            self.length += self.waiting.len() as u64;
        } else {
            // Should it fail, a torn end is left, which whoever goes on cuts.
            self.file.set_len(self.length).unwrap_or_default();
        }
        self.waiting.clear();
        written
    }

    /// Whether the file is still the one that its name leads to.
    pub(super) fn is_in_place(&self) -> bool {
        leads_to(&self.place, &self.file)
    }

    /// Has what was handed over written to the disk.
    ///
    /// # Errors
    /// If it cannot be, or the file is not where it was any more.
    pub(super) fn sync(&self) -> io::Result<()> {
        if !self.is_in_place() {
            return Err(io::Error::other(
                "it was removed or replaced while the run was writing to it",
            ));
        }
        self.file.sync_data()
    }
}

/// What is written waits until it is handed over.
impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Refuses a file that is written and also named elsewhere; each comes with what complaints call it.
///
/// # Errors
/// If one of `outputs` is another one, or one of `inputs`.
pub(super) fn refuse_one_file_twice(
    outputs: &[(String, PathBuf)],
    inputs: &[(String, PathBuf)],
) -> Result<(), Error> {
    for (i, (name, path)) in outputs.iter().enumerate() {
        let others = outputs[i + 1..].iter().chain(inputs);
        if let Some((other, _)) = others.into_iter().find(|(_, other)| are_one(path, other)) {
            return Err(Error::Usage(format!("{name} and {other} are one file; name another")));
        }
    }
    Ok(())
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
