//! A model of win probability applied to the recorded games of a tournament, which also audit it.

use std::io::{self, BufRead};

use agents::{Observable, Playable};
use engine::{Rules, Turn};
use serde_json::Value as Json;

use super::findings::Judged;
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::record::stream;
use sim::win_model::probes::{Trace, Tracer};
use sim::win_model::{Subject, WinModel, features_of};

/// The largest number of recorded games that are replayed, a bound on memory and time.
const MOST_GAMES: usize = 2_000;

/// A file with a model.
#[derive(Clone, Copy, Debug)]
pub struct ModelFile<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// A file of records, checked against the rows of their games.
#[derive(Clone, Copy)]
pub struct Records<'a> {
    /// The name of the file.
    pub place: &'a str,
    /// Returns true if the record of a game, counted from 1, matches its row.
    pub has: &'a dyn Fn(u64) -> bool,
    /// The number of games in a block.
    pub per_block: u64,
}

impl std::fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Records({})", self.place)
    }
}

/// Opens a file of records.
pub type Open<'a> = dyn Fn() -> Result<Box<dyn BufRead>, Error> + 'a;

/// A model and the recorded games that audited it.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The model with its audit by these games.
    pub judged: Judged,
    /// The games.
    pub traces: Vec<Trace>,
    /// The faults of games that are not counted.
    pub faults: Vec<String>,
}

/// Replays recorded games of `setup` and evaluates them with the model in `file`.
///
/// # Errors
/// If records or model cannot be read, or the model is for another game, table, version or set of rules.
pub fn recorded(
    setup: &Setup,
    file: ModelFile<'_>,
    records: Records<'_>,
    open: &Open<'_>,
) -> Result<Recorded, Error> {
    with_game(setup, RecordedGame { file, records, open })?
}

/// The inputs of a replay of recorded games.
struct RecordedGame<'a> {
    file: ModelFile<'a>,
    records: Records<'a>,
    open: &'a Open<'a>,
}

/// The reason why no more games are read.
enum Halt {
    Enough,
    Failed(io::Error),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl WithGame for RecordedGame<'_> {
    type Output = Result<Recorded, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let ModelFile { name, text } = self.file;
        let Records { place, has, per_block } = self.records;
        let per_block = per_block.max(1);
        let agent = serde_json::from_str::<Json>(text).unwrap_or_default()["agent"].clone();
        let subject = Subject {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: G::about().name.to_owned(),
            players: game.n_players(),
            rules: rules.overrides(),
            // The model may be for other agents: the audit on these games shows whether it fits them.
            agent: agent.as_str().unwrap_or_default().to_owned(),
        };
        let model = WinModel::read(name, text, &subject, &features_of::<G>())?;
        let mut input = (self.open)()?;
        let (mut traces, mut faults) = (Vec::new(), Vec::new());
        let open = |_: u64| Tracer::new(&model);
        let look = |tracer: &mut Tracer<'_>, state: &G::State, plies: u32| {
            tracer.look(&game, state, plies);
        };
        let mut number = 0;
        let read = stream::watch(&mut *input, &game, &subject.rules, &open, &look, &mut |game_| {
            number += 1;
            match game_ {
                // A record that does not match the checksum of its row is already reported.
                _ if !has(number) => {}
                Err(fault) => faults.push(format!(
                    "{place}:{}: game {} is not counted: {}.",
                    fault.line, fault.game, fault.message
                )),
                Ok(watched) if game.turn(&watched.end) == Turn::Over => {
                    let points = game.payoffs(&watched.end).0.map(f64::from);
                    traces.push(Trace {
                        block: watched.index / per_block,
                        points: points[..game.n_players()].to_vec(),
                        ..watched.seen.trace
                    });
                }
                // Forfeited by an agent.
                Ok(_) => {}
            }
            if traces.len() < MOST_GAMES { Ok(()) } else { Err(Halt::Enough) }
        });
        if let Err(Halt::Failed(error)) = read {
            return Err(Error::file(place)(error));
        }
        let audit = model.audit(&traces);
        Ok(Recorded {
            judged: Judged { model, audit, treated: None, saving: None },
            traces,
            faults,
        })
    }
}
