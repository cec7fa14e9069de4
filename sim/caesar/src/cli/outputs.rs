//! Common policy for all outputs: existing files are refused, or replaced with `--force`; `-` is stdout; missing
//! directories are created.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use same_file::Handle;
use serde_json::Value as Json;

use super::files::{Aside, document, followed, holds_something, make_dirs, refuse_busy};
use super::note;
use super::packed::{Packer, Packing};
use super::within;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;

/// Names of stdout on operating systems.
const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
/// Documents that identify directories of results, with the kind of each.
const DOCUMENTS: [(&str, &str); 4] = [
    (MANIFEST, "a run"),
    (LADDER, "a ladder"),
    (ITERATIONS, "a run of fit iterate"),
    (IMPROVE, "a run of improve"),
];
/// The document of a ladder.
pub(super) const LADDER: &str = "ladder.json";
/// The document of a run of `improve`.
pub(super) const IMPROVE: &str = "improve.json";
/// The log of `fit iterate`.
pub(super) const ITERATIONS: &str = "iterate.jsonl";

/// `--force`, wherever something is written.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Force {
    /// Overwrite existing results, and report what was replaced; without it they are kept and the command is
    /// refused
    #[arg(long)]
    force: bool,
}

impl Force {
    /// Returns whether existing results are replaced.
    pub(super) const fn is_given(self) -> bool {
        self.force
    }
}

/// `--resume` and `--force`, wherever a run is kept in `--out`.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Again {
    /// Resume the run in --out, or start it if there is none
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub(super) resume: bool,
    #[command(flatten)]
    pub(super) force: Force,
}

impl Again {
    /// Returns the treatment of an existing run.
    pub(super) const fn existing(self) -> Existing {
        match (self.resume, self.force.force) {
            (true, _) => Existing::GoesOn,
            (false, true) => Existing::Replaced,
            (false, false) => Existing::Refused,
        }
    }
}

/// Treatment of a run that is already in a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Existing {
    /// Continued.
    GoesOn,
    /// Replaced.
    Replaced,
    /// Refused by a command that can continue it.
    Refused,
    /// Refused by a command that cannot continue it.
    RefusedForGood,
}

impl Existing {
    /// Returns the treatment without `--resume`.
    pub(super) const fn without_resume(force: Force) -> Self {
        if force.force { Self::Replaced } else { Self::RefusedForGood }
    }

    /// Returns whether an existing run continues.
    pub(super) fn goes_on(self) -> bool {
        self == Self::GoesOn
    }

    /// Refuses an existing run, unless it is replaced; then returns the note on the replacement.
    ///
    /// # Errors
    /// If it is refused.
    pub(super) fn replace(self, there: &There<'_>) -> Result<String, Error> {
        let There { dir, what, command, is_finished } = there;
        let state = if *is_finished { "a finished" } else { "an unfinished" };
        let (state, place) = (format!("{state} {what} ({command})"), dir.display());
        let resumed = match (self, is_finished) {
            (Self::Replaced, _) => {
                return Ok(format!("--force: {place} held {state}; it is replaced"));
            }
            (Self::Refused | Self::GoesOn, true) => "--resume prints it again, ",
            (Self::Refused | Self::GoesOn, false) => "--resume continues it, ",
            (Self::RefusedForGood, _) => "",
        };
        Err(Error::Usage(format!(
            "--out {place} holds {state}: {resumed}--force replaces it, or name another directory"
        )))
    }

    /// Refuses the files `names` of a directory that is of no run, unless they are replaced.
    ///
    /// # Errors
    /// If one of them is there and holds something.
    pub(super) fn replace_foreign<'a>(
        self,
        dir: &Path,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Option<String>, Error> {
        let there = names.into_iter().filter(|name| fs::symlink_metadata(dir.join(name)).is_ok());
        let there =
            there.filter(|name| holds_something(&dir.join(name)) || dir.join(name).is_dir());
        let there: Vec<&str> = there.collect();
        let place = dir.display();
        match &there[..] {
            [] => Ok(None),
            all if self == Self::Replaced => {
                Ok(Some(format!("--force: {place} held {}, replaced now", all.join(", "))))
            }
            [name, ..] => Err(Error::Usage(format!(
                "--out {place}: {name} exists and belongs to no run of caesar; --force replaces it, or name another \
                 directory"
            ))),
        }
    }
}

/// Existing run in a directory.
#[derive(Clone, Copy, Debug)]
pub(super) struct There<'a> {
    /// The directory.
    pub(super) dir: &'a Path,
    /// Name of such a run.
    pub(super) what: &'a str,
    /// The command that plays it.
    pub(super) command: &'a str,
    /// Flag for a complete run.
    pub(super) is_finished: bool,
}

/// Refuses a path that is no directory of results with the document `own`: stdout, or a directory of other results.
///
/// # Errors
/// If it is that.
pub(super) fn refuse_other(dir: &Path, own: &str) -> Result<(), Error> {
    let refuse = |text: &str| Err(Error::Usage(format!("--out {}: {text}", dir.display())));
    if dir == Path::new("-") {
        return refuse("results need a directory, not stdout; name one");
    }
    for (document, what) in DOCUMENTS.into_iter().filter(|(document, _)| *document != own) {
        if dir.join(document).is_file() {
            return refuse(&format!("it holds {what} ({document}); name another directory"));
        }
    }
    Ok(())
}

/// Directory of results with a document that holds their command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Documented<'a> {
    /// The directory.
    pub(super) dir: &'a Path,
    /// The document.
    pub(super) document: &'a str,
    /// Name of such results.
    pub(super) what: &'a str,
    /// The file that stands there at the end; none for results that do not continue.
    pub(super) last: Option<&'a str>,
}

impl Documented<'_> {
    /// Creates the directory for the results of `command`. Refuses other results in it, replaces such results on
    /// request, and continues those of the same command.
    ///
    /// # Errors
    /// If it cannot be used.
    pub(super) fn enter(
        self,
        command: &str,
        existing: Existing,
        names: &[String],
    ) -> Result<(), Error> {
        let Self { dir, document, what, last } = self;
        let failed = || Error::opening(format!("--out {}", dir.display()));
        refuse_other(dir, document)?;
        if fs::metadata(dir).is_ok_and(|meta| !meta.is_dir()) {
            let text = "it exists and is not a directory; name another one";
            return Err(failed()(io::Error::new(io::ErrorKind::NotADirectory, text)));
        }
        let replaced = match self.command() {
            Some(there) if existing.goes_on() && there == command => None,
            Some(there) if existing.goes_on() => {
                return Err(Error::Usage(format!(
                    "--out {} holds a {what} of another command ({there}); name another directory",
                    dir.display()
                )));
            }
            Some(command) => {
                let is_finished = last.is_none_or(|last| dir.join(last).is_file());
                Some(existing.replace(&There { dir, what, command: &command, is_finished })?)
            }
            None => existing.replace_foreign(dir, names.iter().map(String::as_str))?,
        };
        make_dirs(dir).map_err(failed())?;
        replaced.iter().for_each(|line| note(line));
        Ok(())
    }

    /// Returns the command of the results, if there are any.
    fn command(self) -> Option<String> {
        let text = document(&self.dir.join(self.document)).ok()?;
        let json: Json = serde_json::from_str(&text).ok()?;
        json["command"].as_str().map(str::to_owned)
    }
}

/// Returns the name for error messages of the file at `path` that `option` names.
pub(super) fn label(option: &str, path: &Path) -> String {
    format!("--{option} {}", path.display())
}

/// Destination that an option names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// Our stdout, under any name.
    Stdout,
    /// A pipe or a device: it takes what is written and does not keep it.
    Stream(PathBuf),
    /// A file, there or to be made; symbolic links are followed.
    File(PathBuf),
}

impl Target {
    /// Resolves `path`, which `option` names.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub(super) fn of(option: &str, path: &Path) -> Result<Self, Error> {
        if STDOUT.iter().any(|name| path == Path::new(name)) {
            return Ok(Self::Stdout);
        }
        let refused = |kind, text: &str| {
            Err(Error::opening(label(option, path))(io::Error::new(kind, text.to_owned())))
        };
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() => refused(io::ErrorKind::IsADirectory, "it is a directory"),
            Ok(meta) if !meta.is_file() => Ok(Self::Stream(path.to_owned())),
            Ok(_) if is_open_as(path, Handle::stdout()) => Ok(Self::Stdout),
            Ok(_) if is_open_as(path, Handle::stderr()) => {
                refused(io::ErrorKind::InvalidInput, "notes are printed there; name another file")
            }
            _ => followed(path).map(Self::File).map_err(Error::opening(label(option, path))),
        }
    }

    /// Returns the file, if it is one.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Stdout | Self::Stream(_) => None,
        }
    }
}

fn is_open_as(path: &Path, open: io::Result<Handle>) -> bool {
    matches!((Handle::from_path(path), open), (Ok(file), Ok(open)) if file == open)
}

/// Returns the size of an existing file, in kB.
fn size(path: &Path) -> String {
    let bytes = fs::metadata(path).map_or(0, |meta| meta.len());
    format!("{} kB", bytes.div_ceil(1000))
}

/// Refuses the file at `path`, named `label` in messages, if it holds anything, unless it is replaced.
///
/// # Errors
/// If it is refused.
pub(super) fn refuse_file(label: &str, path: &Path, is_forced: bool) -> Result<(), Error> {
    if is_forced || !holds_something(path) {
        return Ok(());
    }
    let size = size(path);
    Err(Error::Usage(format!(
        "{label}: it exists already ({size}): --force replaces it, or name a new file"
    )))
}

/// Prints a note that the file at `path`, named `label`, is replaced, if it holds anything.
pub(super) fn say_replaced(label: &str, path: &Path) {
    if holds_something(path) {
        note(&format!("--force: {label} existed ({}); it is replaced", size(path)));
    }
}

/// Output destination of a file.
#[derive(Clone, Debug)]
pub(super) struct Output {
    target: Target,
    label: String,
    force: Force,
}

impl Output {
    /// Resolves the output `path`, which `option` names.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub(super) fn of(option: &str, path: &Path, force: Force) -> Result<Self, Error> {
        Ok(Self { target: Target::of(option, path)?, label: label(option, path), force })
    }

    /// Checks, before the work begins, that the destination can be written. Changes nothing.
    ///
    /// # Errors
    /// If it cannot be made, another process is writing there, or a file is there that is not to be replaced.
    pub(super) fn check(&self) -> Result<(), Error> {
        let Target::File(path) = &self.target else { return Ok(()) };
        let failed = || Error::opening(self.label.as_str());
        refuse_busy(path).map_err(failed())?;
        refuse_file(&self.label, path, self.force.force)?;
        Aside::create(path).map(drop).map_err(failed())
    }

    /// Returns the compression of a file of records by its name.
    pub(super) fn packing(&self) -> Option<Packing> {
        let path = self.target.file().filter(|_| self.label.starts_with("--records "));
        path.and_then(Packing::of)
    }

    /// Returns whether it goes to stdout.
    pub(super) fn is_stdout(&self) -> bool {
        self.target == Target::Stdout
    }

    /// Returns the name of the file for error messages and its path, if it is a file.
    pub(super) fn named(&self) -> Option<(String, PathBuf)> {
        self.target.file().map(|path| (self.label.clone(), path.to_owned()))
    }

    /// Returns the name of the destination for notes.
    pub(super) fn place(&self) -> String {
        match &self.target {
            Target::Stdout => "stdout".to_owned(),
            Target::Stream(path) | Target::File(path) => path.display().to_string(),
        }
    }

    /// Opens it.
    ///
    /// # Errors
    /// If it cannot be opened, another process is writing to it, or a file is there that is not to be replaced.
    pub(super) fn open(&self) -> Result<Opened, Error> {
        let label = self.label.clone();
        match &self.target {
            Target::Stdout => Ok(Opened::Stdout),
            Target::Stream(path) => {
                let file = File::options().write(true).open(path);
                let file = file.map_err(Error::opening(label.as_str()))?;
                Ok(Opened::Stream(BufWriter::new(file), label))
            }
            Target::File(path) => {
                refuse_busy(path).map_err(Error::opening(label.as_str()))?;
                refuse_file(&label, path, self.force.force)?;
                let made = if self.force.force { Aside::create } else { Aside::create_new };
                let file = made(path).map_err(Error::opening(label.as_str()))?;
                say_replaced(&label, path);
                Ok(match self.packing() {
                    None => Opened::File(file, label),
                    Some(packing) => Opened::Packed(Packer::new(packing, file), label),
                })
            }
        }
    }

    /// Writes the whole text. A closed pipe does not change the result.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        let mut opened = self.open()?;
        match opened.write(bytes).and_then(|()| opened.finish()) {
            Err(Error::ClosedPipe) => Ok(()),
            written => written,
        }
    }
}

/// Open output, written in pieces.
pub(super) enum Opened {
    /// Stdout.
    Stdout,
    /// Pipe or device, with its name for error messages.
    Stream(BufWriter<File>, String),
    /// File that appears when it is complete, with its name for error messages.
    File(Aside, String),
    /// Compressed file of the same kind.
    Packed(Packer<Aside>, String),
}

impl Opened {
    /// Writes the next bytes.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Self::Stdout if within::is_within() => {
                within::keep_printed(&String::from_utf8_lossy(bytes));
                Ok(())
            }
            Self::Stdout => io::stdout().lock().write_all(bytes).map_err(Error::output("stdout")),
            Self::Stream(file, name) => file.write_all(bytes).map_err(Error::output(name.as_str())),
            Self::File(file, name) => file.write_all(bytes).map_err(Error::output(name.as_str())),
            Self::Packed(file, name) => file.write_all(bytes).map_err(Error::output(name.as_str())),
        }
    }

    /// Writes the waiting bytes, and puts a file in its place.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(self) -> Result<(), Error> {
        match self {
            Self::Stdout => io::stdout().flush().map_err(Error::output("stdout")),
            Self::Stream(mut file, name) => file.flush().map_err(Error::output(name)),
            Self::File(file, name) => file.finish().map_err(Error::output(name)),
            Self::Packed(file, name) => {
                file.finish().and_then(Aside::finish).map_err(Error::output(name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_circles_refused() {
        let top = tempfile::tempdir().unwrap();
        let at = |name: &str| top.path().join(name);
        let of = |path: &Path| Target::of("records", path);
        std::os::unix::fs::symlink("two", at("one")).unwrap();
        std::os::unix::fs::symlink("three", at("two")).unwrap();
        let real = fs::canonicalize(top.path()).unwrap().join("three");
        assert_eq!(of(&at("one")).unwrap(), Target::File(real.clone()));
        fs::write(&real, "").unwrap();
        assert_eq!(of(&at("one")).unwrap(), Target::File(real));
        std::os::unix::fs::symlink("circle", at("circle")).unwrap();
        let complaint = of(&at("circle")).unwrap_err();
        assert!(complaint.to_string().contains("leads nowhere"), "{complaint}");
        assert_eq!(complaint.exit_code(), 2);
        assert_eq!(of(Path::new("/dev/null")).unwrap(), Target::Stream("/dev/null".into()));
        assert_eq!(of(Path::new("/dev/stdout")).unwrap(), Target::Stdout);
    }
}
