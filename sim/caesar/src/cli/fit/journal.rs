//! Directory of `fit iterate`: its log and the fitted files, none of which depends on the directory's path.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use agents::AgentSpec;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::source::spec_by;
use crate::cli::directory::remove_from;
use crate::cli::outputs::{Existing, ITERATIONS as LOG, There, refuse_other};
use crate::cli::{files, note};
use lab::fit::iterate::Loss;
use lab::fit::step::Part;
use sim::catalogue::Setup;
use sim::document::document as line;
use sim::error::Error;
use sim::export::columns::checksum;

/// The format of the first line of a log.
const FORMAT: &str = "caesar-fit-iterate/2";
/// Prefix of the names of the run's own files, in the log and in those files. It keeps the directory independent of its
/// path.
const OWN: &str = "OUT/";

/// Returns the folder of a step's fitted files; steps count from 1.
fn folder(step: u32) -> String {
    format!("step-{step}")
}

/// The directory of a run, and the names of the files in it.
#[derive(Clone, Debug)]
pub(super) struct Home {
    dir: PathBuf,
}

impl Home {
    pub(super) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Returns the text of a file, inside the run or outside.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn text(&self, path: &str) -> io::Result<String> {
        match path.strip_prefix(OWN) {
            Some(own) => files::text_at(&self.dir.join(own)),
            None => files::text(path),
        }
    }

    /// Returns the agent `text` with its files.
    ///
    /// # Errors
    /// If it is no agent, or a file cannot be read.
    pub(super) fn spec(&self, text: &str) -> Result<AgentSpec, Error> {
        spec_by("start", text, &|path| self.text(path))
    }

    /// Returns the agent with which a run begins.
    ///
    /// # Errors
    /// If it is no agent, or names files with the prefix of the run's own files.
    pub(super) fn start(&self, text: &str) -> Result<AgentSpec, Error> {
        if ["=", "=\""].iter().any(|before| text.contains(&format!("{before}{OWN}"))) {
            let message =
                format!("names that begin with {OWN} are reserved for fitted files; write ./{OWN}");
            return Err(Error::value("start", text, message));
        }
        self.spec(text)
    }

    /// Returns names and texts of the files of the first agent and its rules.
    ///
    /// # Errors
    /// If one cannot be read.
    pub(super) fn files(
        &self,
        start: &AgentSpec,
        setup: &Setup,
    ) -> Result<Vec<(String, String)>, Error> {
        let read = |(_, path): (_, &str)| {
            let text = self.text(path).map_err(Error::file(path))?;
            Ok((path.to_owned(), text))
        };
        let rules = setup.overrides.file.iter().cloned().map(Ok);
        start.files().map(read).chain(rules).collect()
    }

    /// Returns the agent `text` in the form that other commands accept.
    pub(super) fn shown(&self, text: &str) -> String {
        let own = format!("={OWN}");
        let mut parts = text.split(&own);
        let mut shown = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (file, rest) = part.split_at(part.find([',', ')']).unwrap_or(part.len()));
            let path = self.dir.join(file).display().to_string();
            let is_plain = !path.contains([',', '(', ')', '=', ' ']);
            let path = if is_plain { path } else { format!("\"{path}\"") };
            shown += &format!("={path}{rest}");
        }
        shown
    }

    /// Writes a fitted file and returns the agent that names it; without a text, the same agent with its files.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn keep(
        &self,
        step: u32,
        agent: &AgentSpec,
        part: Part,
        text: &str,
    ) -> Result<AgentSpec, Error> {
        if text.is_empty() {
            return self.spec(&agent.to_string());
        }
        let file = format!("{}/{}.toml", folder(step), part.name());
        let path = self.dir.join(&file);
        let place = path.display().to_string();
        files::write_aside(&path, text.as_bytes()).map_err(Error::output(place))?;
        let name = match part {
            Part::Value | Part::Net => "value",
            Part::Weights | Part::Priors => "weights",
        };
        self.spec(&agent.saying(name, &format!("{OWN}{file}"))?.to_string())
    }

    /// Removes the fitted files of all steps.
    fn clear(&self) -> Result<(), Error> {
        for step in 1.. {
            let dir = self.dir.join(folder(step));
            if !dir.is_dir() {
                break;
            }
            for part in Part::ALL {
                remove_from(&dir, &format!("{}.toml", part.name()))?;
            }
            // Other files there stay.
            fs::remove_dir(dir).unwrap_or_default();
        }
        Ok(())
    }
}

/// First line of a log, with all that its steps depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: String,
    command: String,
    /// The BLAKE3 hashes of the files that the agent and the rules come from, by the names under which they were given. Logs
    /// of before have none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    files: BTreeMap<String, String>,
}

/// Result of a step, as a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Logged {
    pub(super) step: u32,
    pub(super) agent: String,
    pub(super) candidate: String,
    pub(super) losses: Vec<Loss>,
    pub(super) seed: u64,
    pub(super) verdict: String,
    pub(super) effect: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) blocks: u64,
    pub(super) games: u64,
    pub(super) kept: bool,
}

/// Line with its checksum.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checked {
    check: String,
    line: Json,
}

/// Log that grows by whole lines.
pub(super) struct Log {
    file: File,
    place: String,
}

impl Log {
    /// Begins a log, or continues one with its existing steps, of `steps` requested. `files` are the texts from which
    /// the agent and the rules come.
    ///
    /// # Errors
    /// If the directory cannot be used, or holds something that is not to go on or be replaced.
    pub(super) fn open(
        home: &Home,
        existing: Existing,
        steps: u32,
        command: String,
        files: &[(String, String)],
    ) -> Result<(Self, Vec<Logged>), Error> {
        let (dir, path) = (&home.dir, home.dir.join(LOG));
        refuse_other(dir, LOG)?;
        let place = path.display().to_string();
        let failed = || Error::opening(place.clone());
        let mut replaced = None;
        if !path.exists() {
            let names: Vec<String> = (1..=steps).map(folder).collect();
            replaced = existing.replace_foreign(dir, names.iter().map(String::as_str))?;
        } else if !existing.goes_on() {
            let text = files::document(&path).map_err(Error::file(place.clone()))?;
            let (command, done) = about(&text);
            let is_finished = done >= steps;
            let run = There { dir, what: "run of fit iterate", command: &command, is_finished };
            replaced = Some(existing.replace(&run)?);
        }
        files::make_dirs(dir).map_err(failed())?;
        let mut file = files::open_locked(&path).map_err(failed())?;
        if let Some(line) = replaced {
            note(&line);
            home.clear()?;
            file = files::emptied(file, &path).map_err(failed())?;
        }
        let text = files::document(&path).map_err(Error::file(place.clone()))?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let hashed = |(name, text): &(String, String)| {
            (name.clone(), blake3::hash(text.as_bytes()).to_hex().to_string())
        };
        let files = files.iter().map(hashed).collect();
        let header = Header { format: FORMAT.to_owned(), version, command, files };
        let (kept, steps) = read(&text, &header, &place)?;
        // A line that a kill has cut does not count.
        file.set_len(kept).map_err(Error::output(place.clone()))?;
        let mut log = Self { file, place };
        if kept == 0 {
            log.write(&header)?;
        }
        Ok((log, steps))
    }

    /// Writes the result of a step.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, logged: &Logged) -> Result<(), Error> {
        self.write(logged)
    }

    fn write(&mut self, what: &impl Serialize) -> Result<(), Error> {
        let what = serde_json::to_value(what).expect("names and numbers are a document");
        let check = checksum(&what.to_string());
        let text = line(&Checked { check, line: what });
        let write = |mut file: &File| {
            io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
            file.write_all(text.as_bytes())?;
            file.sync_data()
        };
        write(&self.file).map_err(Error::output(self.place.clone()))
    }
}

/// Returns the length of the whole lines of a log, and its steps.
fn read(text: &str, header: &Header, place: &str) -> Result<(u64, Vec<Logged>), Error> {
    let mut kept = 0;
    let mut steps: Vec<Logged> = Vec::new();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    for (number, text) in (1..).zip(whole) {
        let bad = |message: &str| Error::Usage(format!("{place}:{number}: {message}"));
        let checked: Checked =
            serde_json::from_str(text).map_err(|_| bad("it is no line of such a log"))?;
        if checksum(&checked.line.to_string()) != checked.check {
            return Err(bad("its checksum does not fit: the file was changed"));
        }
        kept += text.len() as u64;
        if number == 1 {
            let own: Header = serde_json::from_value(checked.line)
                .map_err(|_| bad("it is no head of such a log"))?;
            if own.format != FORMAT {
                let format = own.format;
                return Err(bad(&format!(
                    "its format is {format}, and this version of caesar reads {FORMAT}; name another directory"
                )));
            }
            if (&own.version, &own.command) != (&header.version, &header.command) {
                return Err(bad(&format!(
                    "it is the log of {} by version {}, and not of {}",
                    own.command, own.version, header.command
                )));
            }
            let is_other = |(name, hash): &(&String, &String)| {
                header.files.get(*name).is_some_and(|here| here != *hash)
            };
            if let Some((name, _)) = own.files.iter().find(is_other) {
                return Err(bad(&format!(
                    "{name} has changed since its games were played; start another run"
                )));
            }
            continue;
        }
        let step: Logged =
            serde_json::from_value(checked.line).map_err(|_| bad("it is no step of such a log"))?;
        if step.step != steps.len() as u32 + 1 {
            return Err(bad("a step is missing before it"));
        }
        steps.push(step);
    }
    Ok((kept, steps))
}

/// Returns the command at the head of a log of any version, and the number of its steps.
fn about(text: &str) -> (String, u32) {
    let head = text.lines().next().unwrap_or_default();
    let head: Json = serde_json::from_str(head).unwrap_or_default();
    let command = head["line"]["command"].as_str().unwrap_or_default().to_owned();
    (command, text.matches('\n').count().saturating_sub(1) as u32)
}
