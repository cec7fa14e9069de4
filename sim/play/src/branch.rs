//! Games that go on from a position of a record, `FILE:GAME:PLY`, or from one that was made by hand, `FILE`.
//!
//! The position is that before ply PLY of game GAME of the records in FILE, both counted from 1. Every earlier choice
//! and chance event is the source's. From there on, chance and the agents' searches have new random streams. Their
//! address is the seed of the run, the source game and the ply, then block and game as in every run. So two runs that
//! branch from one ply meet the same chance, regardless of treatments. A branched game has the rules of its source.
//! Treatments can be added that act at that position or later, such as a gift at the stage that begins there. The lines
//! of the source must be legal under them also. The record of the game is the source's lines, then its own. A position
//! made by hand ([`Position`]) is the one line of its source, and the ply is the first.

use agents::Playable;
use engine::rules::Change;
use engine::{Rules, hash_of};
use serde_json::Value as Json;

use crate::catalogue::Overrides;
use crate::document::ReadFile;
use crate::error::Error;
use crate::play::Start;
use crate::position::Position;
use crate::record::{Header, replay_lines, stream};
use crate::units::counted;

/// A branch point: the position of a record where games begin.
#[derive(Clone, Debug)]
pub struct Branch {
    spec: String,
    file: String,
    ply: u64,
    header: Header,
    /// The lines of the source between its header and the ply.
    lines: Vec<String>,
    /// The source, if it was made by hand.
    made: Option<Position>,
}

impl Branch {
    /// Reads the position that `spec` names.
    ///
    /// A file whose name is the whole `spec` is the copy that a manifest kept.
    ///
    /// # Errors
    /// If `spec` is no `FILE:GAME:PLY` and no file of a position, or there is no such file, game or ply.
    pub fn read(spec: &str, read: ReadFile<'_>) -> Result<Self, Error> {
        let bad = |message: String| Error::value("from", spec, message);
        let number = |text: &str| text.parse::<u64>().ok().filter(|&n| n > 0);
        let own = read(spec);
        if let Ok(text) = own.as_ref().map(String::as_str)
            && Position::is_meant(text)
        {
            return Self::made(spec, text);
        }
        let place = Place::parse(spec).and_then(|place| Some((number(place.game)?, place)));
        let Some((game, place)) = place else {
            let why = own.err().map_or_else(String::new, |e| format!(" ({spec}: {e})"));
            return Err(bad(format!(
                "expected FILE:GAME:PLY, as in games.jsonl:3:120, or the file of a position{why}"
            )));
        };
        let (text, game, is_kept) = match own {
            Ok(kept) => (kept, 1, true),
            Err(_) => {
                let file = place.file;
                (read(file).map_err(|e| bad(format!("{file}: {e}")))?, game, false)
            }
        };
        let games = games_in(&text);
        let lines = games.get(game as usize - 1).ok_or_else(|| {
            let games = counted(games.len() as u64, "game");
            bad(format!("{} has {games}, no game {game}", place.file))
        })?;
        Self::before(spec, &place, lines, is_kept)
    }

    /// Returns the position before the ply of `place` in a game with these lines; a kept copy ends there.
    ///
    /// # Errors
    /// If the game has no such ply, or its header cannot be read.
    pub(crate) fn before(
        spec: &str,
        place: &Place<'_>,
        lines: &[&str],
        is_kept: bool,
    ) -> Result<Self, Error> {
        let Place { file, game, ply } = *place;
        let bad = |message: String| Error::value("from", spec, message);
        let header = stream::read_header(lines[0])
            .map_err(|message| bad(format!("game {game}: {message}")))?;
        let body = &lines[1..];
        let plies = body.iter().enumerate().filter(|(_, line)| is_ply(line));
        let n_plies = plies.clone().count();
        let end = match plies.map(|(place, _)| place).nth(ply as usize - 1) {
            Some(place) => place,
            None if n_plies as u64 + 1 == ply && is_kept => body.len(),
            None => return Err(bad(format!("game {game} has {n_plies} plies, no ply {ply}"))),
        };
        let lines = body[..end].iter().map(|&line| line.to_owned()).collect();
        Ok(Self { spec: spec.to_owned(), file: file.to_owned(), ply, header, lines, made: None })
    }

    /// Returns the position of the document `text`, which was made by hand.
    fn made(spec: &str, text: &str) -> Result<Self, Error> {
        let made = Position::read(text).map_err(|message| Error::value("from", spec, message))?;
        Ok(Self {
            spec: spec.to_owned(),
            file: spec.to_owned(),
            ply: 1,
            header: made.header(),
            lines: vec![made.line()],
            made: Some(made),
        })
    }

    /// Returns the spec `FILE:GAME:PLY`.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// Returns the file of the source.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the game of the source.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.header.game
    }

    /// Returns the number of players.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.header.seats
    }

    /// Returns the changes of the source's rules to the default rules.
    #[must_use]
    pub const fn rules(&self) -> &Json {
        &self.header.rules
    }

    /// Returns the record of the source up to the ply, or its document if it was made by hand.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(made) = &self.made {
            return made.text();
        }
        crate::document::document(&self.header) + &self.body()
    }

    fn body(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn bad(&self, message: impl Into<String>) -> Error {
        Error::value("from", &self.spec, message)
    }

    /// Checks that the rules of a run are those of the source; only treatments may be added.
    ///
    /// # Errors
    /// If they differ otherwise; the message names the first other change.
    pub fn check_rules<G: Playable>(&self, rules: &Rules) -> Result<(), Error> {
        let recorded = Some(self.header.rules.clone());
        let source = Overrides { recorded, ..Overrides::default() }.rules::<G>()?.changes();
        let treated = rules.treated(self.header.seats)?;
        let is_in = |change: &Change, all: &[Change]| {
            all.iter().any(|other| (&other.key, &other.now) == (&change.key, &change.now))
        };
        let is_treatment = |change: &Change| treated.iter().any(|one| one.key == change.key);
        let here = rules.changes();
        if let Some(other) = here.iter().find(|c| !is_in(c, &source) && !is_treatment(c)) {
            return Err(self.bad(format!(
                "its game was played without {} = {}: only treatments can be added to its rules",
                other.key, other.now
            )));
        }
        if let Some(gone) = source.iter().find(|change| !is_in(change, &here)) {
            let message =
                format!("its game was played with {} = {}, which must stay", gone.key, gone.now);
            return Err(self.bad(message));
        }
        Ok(())
    }

    /// Returns the position in `game`, and the address of later chance in a run with `seed`.
    ///
    /// # Errors
    /// If the lines of the source are not legal in `game`, or others choose at the same time as the ply.
    pub fn start<G: Playable>(&self, game: &G, seed: u64) -> Result<Start<G>, Error> {
        let state = replay_lines(game, &self.lines).map_err(|(line, message)| {
            if self.made.is_some() {
                return self.bad(message);
            }
            let what = if line == 0 {
                "the position".to_owned()
            } else {
                format!("line {line} of its game")
            };
            self.bad(format!("{what} is not as recorded under these rules: {message}"))
        })?;
        // The identity of the source is its lines before the ply, not the name of its file.
        let body = self.body();
        let source = (self.header.seed.as_str(), self.ply, body.as_str());
        Ok(Start {
            state,
            plies: self.ply as u32 - 1,
            seed: hash_of(&(seed, source)),
            lines: body.into(),
        })
    }
}

/// The parts of `FILE:GAME:PLY`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The file of records.
    pub(crate) file: &'a str,
    /// The number of the game, or another word.
    pub(crate) game: &'a str,
    /// The number of the ply, from 1.
    pub(crate) ply: u64,
}

impl<'a> Place<'a> {
    /// Reads `FILE:GAME:PLY`; `None` if a part is missing or PLY is no number from 1.
    pub(crate) fn parse(spec: &'a str) -> Option<Self> {
        let mut parts = spec.rsplitn(3, ':');
        let ply = parts.next()?.parse().ok().filter(|&ply| ply > 0)?;
        let (game, file) = (parts.next()?, parts.next().filter(|file| !file.is_empty())?);
        Some(Self { file, game, ply })
    }
}

/// Returns the lines of each game in the text of a file of records.
#[must_use]
pub fn games_in(text: &str) -> Vec<Vec<&str>> {
    let mut games: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        match games.last_mut().filter(|_| !stream::is_header(line)) {
            Some(game) => game.push(line),
            None => games.push(vec![line]),
        }
    }
    games
}

/// Returns whether a line of a record is a choice of a player.
pub(crate) fn is_ply(line: &str) -> bool {
    line.contains("\"player\"") && line.contains("\"action\"")
}
