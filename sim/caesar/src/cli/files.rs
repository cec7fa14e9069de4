//! File access: symbolic links are followed, files are locked while they are written, and each is either complete or
//! absent.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use same_file::Handle;

use super::packed::Packing;
use sim::bounded;
use sim::error::Error;

/// Suffix of a file while it is written aside.
const ASIDE: &str = ".caesar-tmp";
/// Number of attempts at a temporary name. Other processes take such a name and release it at once.
const TRIES: usize = 100;

/// Returns the place that `path` leads to through symbolic links, whether there is a file yet or not, and whether the
/// directories on the way are made yet or not.
///
/// # Errors
/// If something on the way is no directory, or the links lead in a circle.
pub(super) fn followed(path: &Path) -> io::Result<PathBuf> {
    let is_link = || fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    match fs::canonicalize(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let parent = parent.unwrap_or(Path::new("."));
            let mut place = followed(parent)?;
            match path.components().next_back() {
                Some(Component::Normal(name)) => place.push(name),
                Some(Component::ParentDir) => drop(place.pop()),
                _ => return Err(io::ErrorKind::InvalidFilename.into()),
            }
            // A link may lead to a file that does not exist yet; links in a circle are another error.
            if let Ok(target) = fs::read_link(&place) {
                return followed(&place.parent().unwrap_or(Path::new("/")).join(target));
            }
            Ok(place)
        }
        Err(e) if e.kind() != io::ErrorKind::PermissionDenied && is_link() => {
            let text = format!("it is a symbolic link that leads nowhere: {e}");
            Err(io::Error::new(io::ErrorKind::InvalidInput, text))
        }
        other => other,
    }
}

/// Creates the directory `dir` with its parents; returns the created ones, the deepest first.
///
/// # Errors
/// If one cannot be made.
pub(super) fn make_dirs(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let place = followed(dir)?;
    let missing = place.ancestors().take_while(|dir| !dir.exists()).map(Path::to_owned).collect();
    fs::create_dir_all(place)?;
    // A path that goes up from a missing directory leads nowhere until that directory exists.
    if !dir.exists() {
        fs::create_dir_all(dir)?;
    }
    Ok(missing)
}

/// Removes created directories that are empty.
pub(super) fn unmake_dirs(made: &[PathBuf]) {
    made.iter().for_each(|dir| fs::remove_dir(dir).unwrap_or_default());
}

/// Returns whether two paths lead, or would lead, to the same file.
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
/// If it cannot be opened, or another process has locked it (`ResourceBusy`).
pub(super) fn open_locked(path: &Path) -> io::Result<File> {
    loop {
        let file =
            File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        lock(&file)?;
        // The previous holder of the lock may have moved the file meanwhile.
        if leads_to(path, &file) {
            return Ok(file);
        }
    }
}

/// Replaces the open and locked `file` at `path` with a new one, if it holds anything. Other names of the old file keep
/// it.
///
/// # Errors
/// If it cannot be removed or made.
pub(super) fn emptied(file: File, path: &Path) -> io::Result<File> {
    if file.metadata()?.len() == 0 {
        return Ok(file);
    }
    fs::remove_file(path)?;
    open_locked(path)
}

fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "another run is writing to it; wait for it or name another file",
        )),
        // A file system without locks does not prevent play.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Returns whether `path` is a name of the open `file`.
pub(super) fn leads_to(path: &Path, file: &File) -> bool {
    match (Handle::from_path(path), file.try_clone().and_then(Handle::from_file)) {
        (Ok(there), Ok(here)) => there == here,
        (Err(e), _) => e.kind() != io::ErrorKind::NotFound,
        _ => true,
    }
}

/// Returns the temporary path of the file that will stand at `place`.
fn aside_of(place: &Path) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(ASIDE);
    place.with_file_name(name)
}

/// Refuses a `place` to which another process is writing, aside or directly.
///
/// # Errors
/// `ResourceBusy`.
pub(super) fn refuse_busy(place: &Path) -> io::Result<()> {
    refuse_while_aside(place)?;
    opened_if_regular(place)?.map_or(Ok(()), |file| lock(&file))
}

/// Refuses a `place` for which another process is writing a file aside.
///
/// # Errors
/// `ResourceBusy`.
pub(super) fn refuse_while_aside(place: &Path) -> io::Result<()> {
    opened_if_regular(&aside_of(place))?.map_or(Ok(()), |file| lock(&file))
}

/// Opens a regular file for reading. Refuses others: a pipe would wait for a writer, and a link could lead elsewhere.
fn opened_if_regular(path: &Path) -> io::Result<Option<File>> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() => Ok(File::open(path).ok()),
        _ => Ok(None),
    }
}

/// Creates and locks the temporary file `aside`. An existing file of this name loses the name and is not written to,
/// even if it has other names: a killed run or another process may have left it.
fn create_aside(aside: &Path) -> io::Result<File> {
    for _ in 0..TRIES {
        match File::options().read(true).write(true).create_new(true).open(aside) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
            Ok(file) => {
                lock(&file)?;
                // Another process may have removed it as a leftover before it was locked.
                if leads_to(aside, &file) {
                    return Ok(file);
                }
                continue;
            }
        }
        match opened_if_regular(aside)? {
            None => remove_one(aside)?,
            Some(left) => {
                lock(&left)?;
                if leads_to(aside, &left) {
                    remove_one(aside)?;
                }
            }
        }
    }
    Err(io::Error::new(
        io::ErrorKind::ResourceBusy,
        "other processes create and remove it all the time",
    ))
}

/// Removes the file at `place`, if there is one, and its temporary file.
///
/// # Errors
/// If it is there and cannot be removed.
pub(super) fn remove(place: &Path) -> io::Result<()> {
    remove_one(place)?;
    forget_aside(place)
}

/// Removes a temporary file that a killed process has left for `place`.
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

/// File that takes its place when it is finished. If it is dropped earlier, the previous file stays.
#[derive(Debug)]
pub(super) struct Aside {
    file: BufWriter<File>,
    aside: PathBuf,
    place: PathBuf,
    is_finished: bool,
    /// Flag for a file that keeps another file that appears at its place before the end.
    is_new: bool,
    /// Directories that were made for it, the deepest first.
    made: Vec<PathBuf>,
    /// Previous file at the place, locked against appends.
    _replaced: Option<File>,
}

impl Aside {
    /// Opens a file that will stand at `place`, or where a symbolic link there leads to, in a directory that is made if it
    /// is not there.
    ///
    /// # Errors
    /// If that is no place for a file, or another process is writing there.
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
        let made = make_dirs(place.parent().unwrap_or(Path::new("/")))?;
        let aside = aside_of(&place);
        let file = BufWriter::new(create_aside(&aside).inspect_err(|_| unmake_dirs(&made))?);
        let mut this =
            Self { file, aside, place, is_finished: false, is_new: false, made, _replaced: None };
        this._replaced = opened_if_regular(&this.place)?;
        this._replaced.as_ref().map_or(Ok(()), lock)?;
        Ok(this)
    }

    /// Opens a file that must be new: another file that appears at its place before the end stays.
    pub(super) fn create_new(place: &Path) -> io::Result<Self> {
        let mut this = Self::create(place)?;
        this.is_new = true;
        Ok(this)
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If it cannot be written to its end, or not be put there.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        // A name must not reach the disk before its bytes.
        self.file.get_ref().sync_data()?;
        if self.is_new && holds_something(&self.place) {
            self.is_finished = true;
            let aside = self.aside.display();
            let text =
                format!("it appeared during the run and is kept; the results are in {aside}");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
        }
        fs::rename(&self.aside, &self.place)?;
        self.is_finished = true;
        Ok(())
    }
}

/// Returns whether `path` is a file with at least one byte.
pub(super) fn holds_something(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.len() > 0)
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.is_finished {
            fs::remove_file(&self.aside).unwrap_or_default();
            unmake_dirs(&self.made);
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

/// Writes a small file under a temporary name and moves it to its place.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_aside(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Aside::create(place)?;
    file.write_all(bytes)?;
    file.finish()
}

/// File that grows by whole blocks: waiting bytes are handed over as a whole or not at all.
#[derive(Debug)]
pub(super) struct Growing {
    file: File,
    place: PathBuf,
    waiting: Vec<u8>,
    /// Length of the bytes handed over.
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

    /// Returns the final path of the file.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    /// Returns the number of waiting bytes.
    pub(super) const fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Hands over the waiting bytes.
    ///
    /// # Errors
    /// If it cannot be written. Then the file ends where it did before, unless this fails also.
    pub(super) fn hand_over(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.waiting);
        if written.is_ok() {
            self.length += self.waiting.len() as u64;
        } else {
            // If this fails, a torn end stays, which a continued run cuts.
            self.file.set_len(self.length).unwrap_or_default();
        }
        self.waiting.clear();
        written
    }

    /// Returns whether the file is still the one at its path.
    pub(super) fn is_in_place(&self) -> bool {
        leads_to(&self.place, &self.file)
    }

    /// Syncs the bytes handed over to the disk.
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

/// Buffered writer: bytes wait until they are handed over.
impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Refuses an output file that is named twice. Each file comes with its name for error messages.
///
/// # Errors
/// If one of `outputs` equals another one, or one of `inputs`.
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

/// Returns the text of the file at `path`, which people write: rules, configurations, weights, value functions.
pub(super) fn text(path: &str) -> io::Result<String> {
    text_at(Path::new(path))
}

/// Returns the text of the file at `path`, which people write.
pub(super) fn text_at(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    match Packing::of(path) {
        Some(packing) => bounded::text(packing.reader(file), bounded::TEXT),
        None => bounded::text(file, bounded::TEXT),
    }
}

/// Returns the text of a document of ours at `path`.
pub(super) fn document(path: &Path) -> io::Result<String> {
    refuse_irregular(path)?;
    document_of(path)
}

/// Returns the text of a document, also from a pipe.
pub(super) fn document_of(path: &Path) -> io::Result<String> {
    bounded::text(File::open(path)?, bounded::DOCUMENT)
}

/// Refuses an existing path that is no regular file: a pipe in a directory of results would block forever.
///
/// # Errors
/// If it is none.
pub(super) fn refuse_irregular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(meta) if !meta.is_file() && !meta.is_dir() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
        }
        _ => Ok(()),
    }
}

/// Opens `path` for reading; `-` is stdin.
pub(super) fn open(path: &str) -> Result<Box<dyn BufRead>, Error> {
    if path == "-" {
        return plain(BufReader::new(io::stdin()), path);
    }
    if Path::new(path).is_dir() {
        let source = io::Error::new(io::ErrorKind::IsADirectory, "it is a directory");
        return Err(Error::File { place: path.to_owned(), source });
    }
    let name = if path.is_empty() { "\"\"" } else { path };
    let file = File::open(path).map_err(Error::file(name))?;
    if let Some(packing) = Packing::of(Path::new(path)) {
        return plain(packing.reader(file), name);
    }
    plain(BufReader::with_capacity(1 << 16, file), name)
}

/// Returns the text of `input` after the byte order mark of UTF-8.
///
/// # Errors
/// If it is no plain text.
fn plain(mut input: impl BufRead + 'static, name: &str) -> Result<Box<dyn BufRead>, Error> {
    let head = input.fill_buf().map_err(Error::file(name))?;
    if head.starts_with(bounded::MARK) {
        input.consume(bounded::MARK.len());
    } else if let Some(what) = bounded::disguise(head) {
        return Err(Error::Usage(format!("{name}: {what}")));
    }
    Ok(Box::new(input))
}
