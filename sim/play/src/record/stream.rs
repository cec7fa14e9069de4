//! A stream of records: cut into games, each replayed under its own rules.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};
use std::ops::RangeInclusive;
use std::sync::Arc;

use agents::side_by_side::side_by_side;
use agents::{Observable, Playable, SearchTally};
use draw::replay::Replay;
use engine::Rules;
use engine::rules::Change;
use serde_json::Value as Json;

use super::analysis::{Analysis, Analyst};
use super::entry::json_complaint;
use super::listener::{Listener, Painter};
use super::narration::{Narration, Style};
use super::page_replay::{PageReplay, PageReplayOptions};
use super::replay::{Fault, RecordReplay, ReplayHooks};
use super::{FORMAT, Header};
use crate::bounded::{self, LINE, RECORD, too_long};
use crate::catalogue::{Overrides, Setup, WithGame, with_game};
use crate::visible::visible;
use crate::win_model::WinModel;

/// The number of games that are replayed at once.
const BATCH: usize = 64;

/// The result of checking a game of a stream.
#[derive(Clone, Default, Debug)]
pub struct Checked {
    /// The first fault, if there is one.
    pub fault: Option<Fault>,
    /// The game as text up to the fault, if requested.
    pub text: String,
    /// The game as a replay up to the fault, if requested.
    pub replay: Option<Replay>,
    /// The search counts of its analysis.
    pub searched: SearchTally,
}

/// The lines of one game, from its header to the next one.
struct Chunk {
    game: u64,
    first_line: u64,
    bytes: usize,
    lines: Vec<String>,
}

/// The requested output on games beside their faults; by default none.
#[derive(Clone, Debug, Default)]
pub struct Telling {
    /// The style of games as text, if requested.
    pub text: Option<Style>,
    /// The options of games as replays, if requested; then they are not narrated as text.
    pub replay: Option<PageReplayOptions>,
    /// The largest number of games that are replayed.
    pub most: Option<usize>,
    /// Only this game of the stream is replayed, counted from 1.
    pub game: Option<u64>,
    /// Only these games of the stream are replayed, counted from 1.
    pub games: Option<BTreeSet<u64>>,
    /// Only these plies are narrated, counted from 1, each with the chance events after it.
    pub plies: Option<RangeInclusive<u64>>,
    /// The search that evaluates the plies.
    pub analysis: Option<Analysis>,
}

/// Replays the games of `input` and passes the results to `each`, in order; `telling` requests more output.
///
/// # Errors
/// If the input cannot be read, or `each` fails.
pub fn check<E: From<io::Error>>(
    input: &mut dyn BufRead,
    telling: &Telling,
    each: &mut dyn FnMut(Checked) -> Result<(), E>,
) -> Result<(), E> {
    let mut stream = Stream { input, line: 0, game: 0, waiting: None };
    let is_wanted = |chunk: &Chunk| {
        let is_among = telling.games.as_ref().is_none_or(|games| games.contains(&chunk.game));
        is_among && telling.game.is_none_or(|game| game == chunk.game)
    };
    let mut readers = Readers::default();
    let mut left = telling.most.unwrap_or(usize::MAX);
    loop {
        let mut batch = Vec::with_capacity(BATCH);
        let mut bytes = 0;
        while batch.len() < BATCH.min(left)
            && bytes < RECORD
            && let Some(chunk) = stream.next_chunk()?
        {
            if is_wanted(&chunk) {
                let reader = readers.of(&chunk);
                bytes += chunk.bytes;
                batch.push((chunk, reader));
            }
        }
        if batch.is_empty() {
            return Ok(());
        }
        left -= batch.len();
        let checked = side_by_side(batch.len(), &|i| replay(&batch[i].0, &batch[i].1, telling));
        checked.into_iter().try_for_each(&mut *each)?;
    }
}

/// A replayed game of a stream, with the values of its observer.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayedGame<T, S> {
    /// The number of the game in its run, as in the record; its number in the stream if the record has none.
    pub index: u64,
    /// The last position.
    pub end: S,
    /// The values of the observer.
    pub seen: T,
}

/// A callback for the result of a game.
pub type Hearing<'a, T, S, E> = dyn FnMut(Result<ReplayedGame<T, S>, Fault>) -> Result<(), E> + 'a;

/// Replays the games of `input`, all of which must be `game` under its rules with the overrides `rules`.
///
/// `open` makes the observer of game number N. `look` updates it with every position and the number of plies before it.
/// The result of each game is passed to `each`, in order.
///
/// # Errors
/// If the input cannot be read, or `each` fails. The fault of a game is also passed to `each`.
pub fn watch<G: Playable, T: Send, E: From<io::Error>>(
    input: &mut dyn BufRead,
    game: &G,
    rules: &Json,
    open: &(dyn Fn(u64) -> T + Sync),
    look: &(dyn Fn(&mut T, &G::State, u32) + Sync),
    each: &mut Hearing<'_, T, G::State, E>,
) -> Result<(), E> {
    let mut stream = Stream { input, line: 0, game: 0, waiting: None };
    loop {
        let mut batch = Vec::with_capacity(BATCH);
        let mut bytes = 0;
        while batch.len() < BATCH
            && bytes < RECORD
            && let Some(chunk) = stream.next_chunk()?
        {
            bytes += chunk.bytes;
            batch.push(chunk);
        }
        if batch.is_empty() {
            return Ok(());
        }
        let one = |chunk: &Chunk| {
            watch_one(chunk, game, rules, open, look).map_err(|(place, message)| Fault {
                line: chunk.first_line + place as u64,
                game: chunk.game,
                message,
            })
        };
        let watched: Vec<_> = side_by_side(batch.len(), &|i| one(&batch[i]));
        watched.into_iter().try_for_each(&mut *each)?;
    }
}

fn watch_one<G: Playable, T>(
    chunk: &Chunk,
    game: &G,
    rules: &Json,
    open: &(dyn Fn(u64) -> T + Sync),
    look: &(dyn Fn(&mut T, &G::State, u32) + Sync),
) -> Result<ReplayedGame<T, G::State>, (usize, String)> {
    let header = read_header(&chunk.lines[0]).map_err(|message| (0, message))?;
    is_of(&header, game, rules).map_err(|message| (0, message))?;
    let index = header.seed.split_once('/').and_then(|(_, index)| index.parse().ok());
    let index = index.unwrap_or(chunk.game);
    let mut seen = open(index);
    let mut eye = |state: &G::State, plies: u32| look(&mut seen, state, plies);
    let hooks = ReplayHooks { audience: None, plies: None, analyst: None, eye: Some(&mut eye) };
    let mut replay = RecordReplay::new(game, hooks);
    for (place, line) in chunk.lines[1..].iter().enumerate() {
        replay.line(line).map_err(|message| (place + 1, message))?;
    }
    if !replay.has_ended() {
        let message = "the record stops after this line, without an end line".to_owned();
        return Err((chunk.lines.len() - 1, message));
    }
    let end = *replay.state();
    Ok(ReplayedGame { index, end, seen })
}

/// Refuses the record of another game, another table or other rules.
fn is_of<G: Playable>(header: &Header, game: &G, rules: &Json) -> Result<(), String> {
    let name = G::about().name;
    if header.game != name {
        return Err(format!("the record is of {}, but {name} is wanted", header.game));
    }
    if header.seats != game.n_players() {
        let (has, wanted) = (header.seats, game.n_players());
        return Err(format!("the record is of {has} players, but {wanted} are wanted"));
    }
    if header.rules != *rules {
        let has = &header.rules;
        return Err(format!(
            "the record's rules differ from the default in {has}, the wanted ones in {rules}"
        ));
    }
    Ok(())
}

/// Returns the header of the first game of `input`.
///
/// # Errors
/// If the first line is no header: the message gives the reason.
pub fn first_header(input: &mut dyn BufRead) -> Result<Header, String> {
    let mut stream = Stream { input, line: 0, game: 0, waiting: None };
    match stream.next_line() {
        Ok(Some(line)) => read_header(&line),
        Ok(None) => Err("no record: it is empty".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

struct Stream<'a> {
    input: &'a mut dyn BufRead,
    line: u64,
    game: u64,
    waiting: Option<String>,
}

impl Stream<'_> {
    fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        self.line += 1;
        if bounded::read_bytes(self.input, &mut bytes, LINE).map_err(|e| self.here(&e))? == 0 {
            self.line -= 1;
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
    }

    /// Returns the error for a failure at the line that is being read.
    fn here(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("line {}: {error}", self.line))
    }

    fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        let first = match self.waiting.take() {
            Some(line) => Some(line),
            None => self.next_line()?,
        };
        let Some(first) = first else { return Ok(None) };
        self.game += 1;
        let mut chunk = Chunk {
            game: self.game,
            first_line: self.line,
            bytes: first.len(),
            lines: vec![first],
        };
        while let Some(line) = self.next_line()? {
            if is_header(&line) {
                self.waiting = Some(line);
                break;
            }
            chunk.bytes += line.len();
            chunk.lines.push(line);
            if chunk.bytes > RECORD {
                return Err(
                    self.here(&too_long(&format!("the record of game {}", self.game), RECORD))
                );
            }
        }
        Ok(Some(chunk))
    }
}

/// Returns whether a line begins a game: no other line has this key.
pub(crate) fn is_header(line: &str) -> bool {
    line.trim_start().starts_with('{') && line.contains("\"format\"")
}

type Reader = Arc<dyn Read>;

/// A game with its type erased, ready to replay records.
trait Read: Send + Sync {
    /// Replays the lines after the header of the game with this number.
    ///
    /// A fault is the number of lines after the header, and a message.
    fn read(
        &self,
        chunk: &Chunk,
        header: &Header,
        telling: &Telling,
        checked: &mut Checked,
    ) -> Result<(), (usize, String)>;

    /// Returns the differences from the default rules.
    fn changes(&self) -> &[Change];
}

struct ReadOf<G> {
    game: G,
    /// The whole configuration.
    rules: Json,
    changes: Vec<Change>,
}

impl<G: Playable + Observable> Read for ReadOf<G> {
    fn changes(&self) -> &[Change] {
        &self.changes
    }

    fn read(
        &self,
        chunk: &Chunk,
        header: &Header,
        telling: &Telling,
        checked: &mut Checked,
    ) -> Result<(), (usize, String)> {
        let mut analyst = match &telling.analysis {
            None => None,
            Some(wish) => Some(
                Analyst::new(&self.game, wish, chunk.game, &header.seed)
                    .map_err(|bad| (0, bad.to_string()))?,
            ),
        };
        let narration =
            |style| Narration::new(&header.game, &header.agents, style, telling.plies.clone());
        let mut narration = telling.text.filter(|_| telling.replay.is_none()).map(narration);
        let (mut page_replay, mut model) = (None, None);
        if let Some(replay) = &telling.replay {
            model = replay.model::<G>(header).map_err(|message| (0, message))?;
            page_replay = Some(PageReplay::new(chunk.game, header, &self.rules));
        }
        let notes = notes(self.changes(), model.as_ref(), telling.analysis.as_ref());
        let listener = match (&mut narration, &mut page_replay) {
            (Some(narration), _) => Some(narration as &mut dyn Listener),
            (None, Some(page_replay)) => Some(page_replay as &mut dyn Listener),
            (None, None) => None,
        };
        let audience = listener.map(|listener| (listener, Painter::new(&self.game, model)));
        let hooks = ReplayHooks {
            audience,
            plies: telling.plies.clone(),
            analyst: analyst.as_mut(),
            eye: None,
        };
        let mut replay = RecordReplay::new(&self.game, hooks);
        let body = &chunk.lines[1..];
        let fault = body
            .iter()
            .enumerate()
            .find_map(|(place, line)| replay.line(line).err().map(|message| (place + 1, message)));
        let has_ended = replay.has_ended();
        checked.text += &narration.map(|mut narration| narration.take()).unwrap_or_default();
        checked.replay = page_replay.map(|page_replay| page_replay.replay(notes));
        if let Some(mut analyst) = analyst {
            checked.searched = analyst.searched();
            checked.text += &analyst.take_documents();
        }
        if let Some(fault) = fault {
            return Err(fault);
        }
        if has_ended {
            return Ok(());
        }
        Err((body.len(), "the record stops after this line, without an end line".to_owned()))
    }
}

/// Returns the notes that a reader of a replay needs.
fn notes(changes: &[Change], model: Option<&WinModel>, analysis: Option<&Analysis>) -> Vec<String> {
    let changed = changes.iter().map(|change| format!("Rules: {change}."));
    let model = model.map(|model| {
        let (agent, games) = (&model.subject.agent, model.games);
        format!("Chances to win: a model fitted to {games} games of {agent} in all seats, which sees the whole state.")
    });
    let search = analysis.map(|analysis| {
        format!(
            "Opinions under a choice: {}, asked anew before each choice; no record holds them.",
            analysis.spec
        )
    });
    changed.chain(model).chain(search).collect()
}

/// Games by name, seats and rules, so that a stream of thousands builds each of them once.
#[derive(Default)]
struct Readers(BTreeMap<(String, usize, String), Result<Reader, String>>);

impl Readers {
    fn of(&mut self, chunk: &Chunk) -> Result<(Header, Reader), String> {
        let header = read_header(&chunk.lines[0])?;
        let key = (header.game.clone(), header.seats, header.rules.to_string());
        let reader = self.0.entry(key).or_insert_with(|| build(&header)).clone()?;
        Ok((header, reader))
    }
}

/// Reads the header of a game.
///
/// # Errors
/// If the line is none, or one of another format: the message gives the reason.
pub fn read_header(line: &str) -> Result<Header, String> {
    if !is_header(line) {
        return Err(format!("expected the header of a game, {{\"format\":\"{FORMAT}\",…}}"));
    }
    let json: Json = serde_json::from_str(line).map_err(|e| json_complaint(&e, line))?;
    if json["format"] != FORMAT {
        return Err(format!("unknown format {} (this reads \"{FORMAT}\")", json["format"]));
    }
    let header: Header = serde_json::from_value(json).map_err(|e| format!("bad header: {e}"))?;
    if header.agents.len() != header.seats {
        let n = header.agents.len();
        return Err(format!("bad header: {n} agents for {} seats", header.seats));
    }
    if !header.rules.is_object() {
        return Err(format!("bad header: rules are {} instead of an object", header.rules));
    }
    Ok(header)
}

fn build(header: &Header) -> Result<Reader, String> {
    struct MakeReader;
    impl WithGame for MakeReader {
        type Output = Reader;
        fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Reader {
            Arc::new(ReadOf { game, rules: rules.to_json(), changes: rules.changes() })
        }
    }
    let setup = Setup {
        game: header.game.clone(),
        players: Some(header.seats),
        overrides: Overrides { recorded: Some(header.rules.clone()), ..Overrides::default() },
    };
    with_game(&setup, MakeReader).map_err(|e| e.to_string())
}

fn replay(chunk: &Chunk, reader: &Result<(Header, Reader), String>, telling: &Telling) -> Checked {
    let mut checked = Checked::default();
    let outcome = match reader {
        Err(message) => Err((0, message.clone())),
        Ok((header, reader)) => {
            if telling.text.is_some() && telling.replay.is_none() {
                checked.text = title(chunk.game, header, reader.changes());
            }
            reader.read(chunk, header, telling, &mut checked)
        }
    };
    checked.fault = outcome.err().map(|(place, message)| Fault {
        line: chunk.first_line + place as u64,
        game: chunk.game,
        message,
    });
    checked
}

fn title(number: u64, header: &Header, changes: &[Change]) -> String {
    let Header { game, seats, agents, seed, .. } = header;
    let agents: Vec<String> = agents
        .iter()
        .enumerate()
        .map(|(seat, spec)| format!("{} {}", seat + 1, visible(spec)))
        .collect();
    let changes: Vec<String> = changes
        .iter()
        .map(|change| format!("\n  rules: {}", visible(&change.to_string())))
        .collect();
    let rules = changes.concat();
    format!(
        "game {number}: {game} for {seats}, seed {}\n  seats: {}{rules}\n",
        visible(seed),
        agents.join(", ")
    )
}
