//! The positions where the games of a run begin: one (`--from`), or a suite of many (`--starts`).
//!
//! A suite is a text file with a position a line: `FILE:GAME:PLY`, or `FILE` for one that was made by hand. `*` as GAME
//! stands for every game of FILE that has the ply. FILE is relative to the folder of the suite. Blank lines, and lines that begin with `#`, are comments.
//!
//! All games of a block begin at one position, so each agent has each of its seats. All tables of a
//! [pass](crate::schedule::Timetable::pass) through the schedule also begin at one position, so all pairs meet from the same positions. The
//! cycles take them in the order of the list, again and again. If they are drawn, each pass through the list has a
//! random order, which follows from the seed; so a run that is shorter than the list has a random sample of it.

use std::collections::BTreeMap;
use std::path::Path;

use engine::{Purpose, Randomness as _, hash_of, rng};

use crate::branch::{Branch, Place, games_in, is_ply};
use crate::document::ReadFile;
use crate::error::Error;
use crate::schedule::Timetable;
use crate::units::counted;

/// The largest number of positions of a suite: all of them are replayed before the first game, and the manifest keeps
/// their lines.
pub const MOST_STARTS: usize = 4_096;

/// The positions where games begin, at least one.
#[derive(Clone, Debug)]
pub struct Starts {
    branches: Vec<Branch>,
    /// The path of the suite; `None` for a position that was named itself.
    suite: Option<String>,
    /// True if each pass through the list has a random order.
    is_drawn: bool,
}

impl Starts {
    /// Reads the position that `from` names, or the suite at the path `suite`; `None` if neither is given.
    ///
    /// # Errors
    /// If there is no such file, game or ply, if the positions are of different games, tables or rules, or if both are
    /// given.
    pub fn read(
        from: &Option<String>,
        suite: &Option<String>,
        draw: Option<bool>,
        read: ReadFile<'_>,
    ) -> Result<Option<Self>, Error> {
        let is_drawn = draw == Some(true);
        match (from, suite) {
            (None, None) if is_drawn => {
                let message = "there is nothing to draw from: name a suite of positions as starts";
                Err(Error::value("draw-starts", "true", message))
            }
            (None, None) => Ok(None),
            (Some(spec), None) if !is_drawn => {
                let branches = vec![Branch::read(spec, read)?];
                Ok(Some(Self { branches, suite: None, is_drawn }))
            }
            (Some(spec), _) => {
                let message = "it is one position, and starts names many: keep one of them";
                Err(Error::value("from", spec, message))
            }
            (None, Some(path)) => Self::read_suite(path, is_drawn, read).map(Some),
        }
    }

    fn read_suite(path: &str, is_drawn: bool, read: ReadFile<'_>) -> Result<Self, Error> {
        let text = read(path).map_err(|e| Error::unreadable("starts", path, &e))?;
        let mut suite = Suite { path, read, branches: Vec::new(), files: BTreeMap::new() };
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            suite.add(line).map_err(|message| {
                Error::value("starts", path, format!("line {}: {message}", i + 1))
            })?;
        }
        let branches = suite.branches;
        if branches.is_empty() {
            let message = "it lists no position: one FILE:GAME:PLY a line is expected, as in games.jsonl:3:120";
            return Err(Error::value("starts", path, message));
        }
        Ok(Self { branches, suite: Some(path.to_owned()), is_drawn })
    }

    /// Returns the positions in the order of the list.
    #[must_use]
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// Returns the first position, whose game, table and rules all share.
    #[must_use]
    pub fn first(&self) -> &Branch {
        &self.branches[0]
    }

    /// Returns the path of the suite; `None` for a position that was named itself.
    #[must_use]
    pub fn suite(&self) -> Option<&str> {
        self.suite.as_deref()
    }

    /// Returns whether each pass through the list has a random order.
    #[must_use]
    pub const fn is_drawn(&self) -> bool {
        self.is_drawn
    }

    /// Returns the place in the list, from 0, of the position of the cycle `pass` in a run with `seed`.
    #[must_use]
    pub fn place(&self, seed: u64, pass: u64) -> usize {
        let n = self.branches.len() as u64;
        let place = (pass % n) as usize;
        if !self.is_drawn {
            return place;
        }
        let mut order: Vec<u16> = (0..self.branches.len() as u16).collect();
        rng::stream(hash_of(&(seed, "starts")), pass / n, Purpose::Analysis).shuffle(&mut order);
        usize::from(order[place])
    }

    /// Returns the number in the suite, from 1, of the position of a pass; `None` without a suite.
    #[must_use]
    pub fn number(&self, seed: u64, pass: u64) -> Option<u32> {
        self.suite.as_ref().map(|_| self.place(seed, pass) as u32 + 1)
    }

    /// Returns the names and texts that a manifest keeps, so that the run can go on without the files.
    #[must_use]
    pub fn kept(&self) -> Vec<(String, String)> {
        let list = self.suite.iter().map(|path| {
            let lines = self.branches.iter().map(|branch| format!("{}\n", branch.spec()));
            (path.clone(), lines.collect())
        });
        let positions = self.branches.iter().map(|one| (one.spec().to_owned(), one.text()));
        list.chain(positions).collect()
    }

    /// Assigns the error of a position to the suite that lists it.
    #[must_use]
    pub fn blame(&self, error: Error) -> Error {
        match (&self.suite, error) {
            (Some(path), Error::Value { name: "from", value, message }) => {
                Error::value("starts", path, format!("{value}: {message}"))
            }
            (_, error) => error,
        }
    }

    /// Returns the note on positions that a run of `blocks` blocks meets less often than others, if any.
    ///
    /// # Errors
    /// If the schedule deals blocks and there are positions that are not drawn: means then hold only over random ones.
    pub fn unevenness(&self, timetable: &Timetable, blocks: u64) -> Result<Option<String>, Error> {
        if let (true, Some(path), false) =
            (timetable.schedule().is_dealt(), &self.suite, self.is_drawn)
        {
            let name = timetable.schedule().name();
            let message =
                format!("schedule {name} needs positions in a random order: add draw-starts");
            return Err(Error::value("starts", path, message));
        }
        let cycle = timetable.n_tables();
        let (n, passes) = (self.branches.len() as u64, blocks.div_ceil(cycle));
        if passes.is_multiple_of(n) {
            return Ok(None);
        }
        let met = match passes / n {
            0 => format!("the run begins at {passes} of {n} positions"),
            each => format!(
                "{} of {n} positions begin more passes than the others ({} instead of {each})",
                passes % n,
                each + 1
            ),
        };
        let even = n * cycle;
        Ok(Some(format!("{met}; a multiple of {even} blocks begins equally often at each")))
    }
}

/// A suite while it is read.
struct Suite<'a> {
    path: &'a str,
    read: ReadFile<'a>,
    branches: Vec<Branch>,
    /// The text of each file of records that was read.
    files: BTreeMap<String, String>,
}

impl Suite<'_> {
    /// Adds the positions that a line names.
    fn add(&mut self, line: &str) -> Result<(), String> {
        // The list that a manifest kept names each position in full.
        if (self.read)(line).is_ok() {
            return self.push(Branch::read(line, self.read));
        }
        let form = "expected FILE:GAME:PLY, as in games.jsonl:3:120 or games.jsonl:*:120";
        let beside = |file: &str| Path::new(self.path).with_file_name(file).display().to_string();
        if (self.read)(&beside(line)).is_ok() {
            return self.push(Branch::read(&beside(line), self.read));
        }
        let Place { file, game, ply } =
            Place::parse(line).ok_or_else(|| format!("{line}: {form}"))?;
        let file = beside(file);
        if !self.files.contains_key(&file) {
            let text = (self.read)(&file).map_err(|e| format!("{file}: {e}"))?;
            self.files.insert(file.clone(), text);
        }
        let text = self.files[&file].clone();
        let games = games_in(&text);
        let has_ply =
            |lines: &[&str]| lines.iter().filter(|line| is_ply(line)).count() as u64 >= ply;
        let wanted: Vec<usize> = match game {
            "*" => (0..games.len()).filter(|&game| has_ply(&games[game])).collect(),
            number => {
                let number = number.parse().ok().filter(|&n: &usize| n > 0);
                let number = number.ok_or_else(|| format!("{line}: {form}"))?;
                if number > games.len() {
                    return Err(format!(
                        "{line}: {file} has {}",
                        counted(games.len() as u64, "game")
                    ));
                }
                vec![number - 1]
            }
        };
        if wanted.is_empty() {
            return Err(format!("{line}: no game of {file} has a ply {ply}"));
        }
        for game in wanted {
            let number = (game + 1).to_string();
            let place = Place { file: &file, game: &number, ply };
            let spec = format!("{file}:{number}:{ply}");
            self.push(Branch::before(&spec, &place, &games[game], false))?;
        }
        Ok(())
    }

    fn push(&mut self, branch: Result<Branch, Error>) -> Result<(), String> {
        let branch = branch.map_err(|error| match error {
            Error::Value { value, message, .. } => format!("{value}: {message}"),
            other => other.to_string(),
        })?;
        if self.branches.len() == MOST_STARTS {
            return Err(format!(
                "{}: the most positions of a suite are {MOST_STARTS}",
                branch.spec()
            ));
        }
        if let Some(first) = self.branches.first() {
            let table = |one: &Branch| format!("{} for {} players", one.game(), one.players());
            if table(first) != table(&branch) {
                let (spec, here, there) = (branch.spec(), table(&branch), table(first));
                return Err(format!(
                    "{spec}: it is a game of {here}, and the first position is of {there}"
                ));
            }
            if first.rules() != branch.rules() {
                let spec = branch.spec();
                return Err(format!("{spec}: its rules are not those of the first position"));
            }
        }
        self.branches.push(branch);
        Ok(())
    }
}
