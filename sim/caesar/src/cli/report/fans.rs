//! How the chances to win went over the recorded games of a tournament, by a model that these games themselves judge.

use std::io;
use std::path::Path;

use agents::{Observable, Playable};
use draw::report::Source;
use engine::{Rules, Turn};
use serde_json::Value as Json;

use super::recorded::Beside;
use super::sheets::sheet;
use crate::cli::files;
use crate::report::{dynamics, win_model};
use lab::dynamics::findings::Judged;
use lab::dynamics::{fans, figures};
use sim::catalogue::{Overrides, Setup, WithGame, with_game};
use sim::error::Error;
use sim::manifest::Manifest;
use sim::record::stream;
use sim::units;
use sim::win_model::probes::{Trace, Tracer};
use sim::win_model::{Subject, WinModel, features_of};

/// Recorded games that are looked at, at most: memory and time are those of so many.
const MOST_GAMES: usize = 2_000;

/// Adds fans, lead changes and suspense by the model in the file `path` to `source`, or why they are not told.
///
/// # Errors
/// If records or model cannot be read, or the model is of another game, table, version or set of rules.
pub(super) fn read(
    records: &Path,
    beside: &Beside,
    manifest: &Manifest,
    path: &str,
    source: &mut Source,
) -> Result<(), Error> {
    let text = files::text(path).map_err(|e| Error::unreadable("model", path, &e))?;
    let setup = Setup {
        game: source.game.clone(),
        players: Some(source.players),
        overrides: Overrides { recorded: Some(manifest.overrides.clone()), ..Overrides::default() },
    };
    let look = Look { records, beside, manifest, model: (path, &text) };
    let (judged, traces, faults) = with_game(&setup, look)??;
    source.caveats.extend(faults);
    let (agent, games) = (&judged.model.subject.agent, units::count(traces.len() as u64));
    let by = format!("by the model {path}, fitted to games of {agent} in all seats");
    if let Some(why) = judged.audit.arc_refusal() {
        let what = format!(
            "Chances to win, lead changes and suspense are not told {by}: on {games} recorded games of this run {why}."
        );
        source.caveats.push(what);
    } else {
        source.statements.push(format!(
            "Chances to win, lead changes and suspense are of {games} recorded games of this run, {by}, which sees the whole \
             state; on these games {} (expected calibration error), intervals by block.",
            judged.audit.whole.expected_error().map_or_else(|| "-".to_owned(), |error| units::share(error.estimate))
        ));
        let lines = figures::score_lead(&traces).into_iter().chain(figures::of(&traces));
        let stages = figures::by_stage(&traces, judged.model.clock.n_stages());
        let fans = fans::of(&traces);
        let tables = [dynamics::lines(lines), dynamics::stages(&stages), dynamics::fans(&fans)];
        source.sheets.extend(tables.iter().map(sheet).collect::<Result<Vec<_>, Error>>()?);
    }
    let tables = win_model::tables(&judged);
    source.sheets.extend(tables.iter().map(sheet).collect::<Result<Vec<_>, Error>>()?);
    Ok(())
}

/// The traces of the recorded games.
struct Look<'a> {
    records: &'a Path,
    beside: &'a Beside,
    manifest: &'a Manifest,
    model: (&'a str, &'a str),
}

/// Why no more games are read.
enum Halt {
    Enough,
    Failed(io::Error),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl WithGame for Look<'_> {
    type Output = Result<(Judged, Vec<Trace>, Vec<String>), Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let (name, text) = self.model;
        let agent = serde_json::from_str::<Json>(text).unwrap_or_default()["agent"].clone();
        let subject = Subject {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: G::about().name.to_owned(),
            players: game.n_players(),
            rules: rules.overrides(),
            // Whoever plays here: whether it is right for them these games say.
            agent: agent.as_str().unwrap_or_default().to_owned(),
        };
        let model = WinModel::read(name, text, &subject, &features_of::<G>())?;
        let place = self.records.display().to_string();
        let mut input = files::open(&place)?;
        let (mut traces, mut faults) = (Vec::new(), Vec::new());
        let per_block = self.manifest.games_per_block.max(1);
        let open = |_: u64| Tracer::new(&model);
        let look = |tracer: &mut Tracer<'_>, state: &G::State, plies: u32| {
            tracer.look(&game, state, plies);
        };
        let (mut place_in_file, beside) = (0, self.beside);
        let read = stream::watch(&mut *input, &game, &subject.rules, &open, &look, &mut |game_| {
            place_in_file += 1;
            match game_ {
                // What has not the checksum of its row was said.
                _ if !beside.has(place_in_file) => {}
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
                // Broken off by an agent.
                Ok(_) => {}
            }
            if traces.len() < MOST_GAMES { Ok(()) } else { Err(Halt::Enough) }
        });
        if let Err(Halt::Failed(error)) = read {
            return Err(Error::file(place)(error));
        }
        let audit = model.audit(&traces);
        Ok((Judged { model, audit, treated: None, saving: None }, traces, faults))
    }
}
