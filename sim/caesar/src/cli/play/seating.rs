//! Seating of `caesar play`: who sits where, in which game.

use std::path::Path;

use agents::AgentSpec;
use play::hosted_game::HostedGame;

use super::super::{files, overrides};
use super::Options;
use sim::any::{AnyAgent, AnyGame};
use sim::branch::Branch;
use sim::catalogue::Setup;
use sim::config::supply_files;
use sim::error::Error;
use sim::record::{FORMAT, Header};
use sim::session::{HUMAN, Seat, Session};

/// Seats before the game: the occupant of each seat, as `[LABEL=]SPEC`.
pub(super) struct Seating {
    game: AnyGame,
    agents: Vec<String>,
    seed: u64,
    branch: Option<Branch>,
}

/// Reads the position where the game begins, if it is one of a record.
fn branch(options: &Options) -> Result<Option<Branch>, Error> {
    let read = |spec: &String| Branch::read(spec, &|path| files::text(path));
    options.from.as_ref().map(read).transpose()
}

impl Seating {
    /// Returns the seating that `options` name.
    pub(super) fn of(options: &Options) -> Result<Self, Error> {
        let Options { played, rules, seed, .. } = options;
        let branch = branch(options)?;
        let mut overrides = overrides(rules)?;
        overrides.base = branch.as_ref().map(|branch| branch.rules().clone());
        let game = branch.as_ref().map_or(played.name(), Branch::game).to_owned();
        let players = branch.as_ref().map_or(played.players, |branch| Some(branch.players()));
        let game = AnyGame::new(&Setup { game, players, overrides })?;
        let players = game.players();
        let mut agents = options.agents.clone();
        if agents.is_empty() {
            agents.push(HUMAN.to_owned());
        }
        if agents.len() > players {
            return Err(Error::Usage(format!(
                "--agent: {} agents for {players} seats; name at most one for each seat, or raise --players",
                agents.len()
            )));
        }
        if options.seat > players {
            return Err(Error::value(
                "seat",
                options.seat.to_string(),
                format!("the table has {players} seats"),
            ));
        }
        if !agents.iter().any(|spec| named(spec).1 == HUMAN) {
            return Err(Error::Usage(
                "--agent: nobody is human; agents alone play in `caesar tournament`".to_owned(),
            ));
        }
        agents.resize(players, "greedy".to_owned());
        agents.rotate_right(options.seat - 1);
        Ok(Self { game, agents, seed: *seed, branch })
    }

    /// Reads the seats of a record, from its first line.
    pub(super) fn of_record(options: &Options, place: &Path, header: &str) -> Result<Self, Error> {
        let bad = |what: String| Error::Usage(format!("{}:1: {what}", place.display()));
        let header: Header =
            serde_json::from_str(header).map_err(|_| bad("it is no header of a record".into()))?;
        if header.format != FORMAT {
            return Err(bad(format!("the format is {}, not {FORMAT}", header.format)));
        }
        let mut setup = Setup::new(&header.game).for_players(header.seats);
        setup.overrides.recorded = Some(header.rules);
        let game = AnyGame::new(&setup)?;
        let seed = header.seed.split('/').next().and_then(|seed| seed.parse().ok());
        let seed = seed.ok_or_else(|| bad(format!("the seed is {}", header.seed)))?;
        if !header.agents.iter().any(|spec| named(spec).1 == HUMAN) {
            return Err(bad("nobody in this game is human".to_owned()));
        }
        Ok(Self { game, agents: header.agents, seed, branch: branch(options)? })
    }

    /// Returns the game with everybody in their seats, and the adviser.
    pub(super) fn hosted(self, options: &Options) -> Result<HostedGame, Error> {
        let adviser = match options.no_hints {
            true => None,
            false => Some(built(&self.game, &options.hint)?.0),
        };
        let Self { game, agents, seed, branch } = self;
        let names = agents
            .iter()
            .map(|spec| {
                let (label, spec) = named(spec);
                label.unwrap_or(spec).to_owned()
            })
            .collect();
        let seats = agents
            .iter()
            .map(|spec| match named(spec) {
                (name, HUMAN) => Ok(Seat::Person(name.map(str::to_owned))),
                _ => built(&game, spec).map(|(agent, spec)| Seat::Agent(Box::new(agent), spec)),
            })
            .collect::<Result<_, Error>>()?;
        let session = match &branch {
            None => Session::new(game, seats, seed),
            Some(branch) => Session::branched(game, seats, seed, branch),
        };
        Ok(HostedGame::new(session?, names, adviser))
    }
}

/// Returns the label before a spec of a person, and the spec.
fn named(spec: &str) -> (Option<&str>, &str) {
    match spec.split_once('=') {
        Some((label, HUMAN)) => (Some(label), HUMAN),
        _ => (None, spec.trim()),
    }
}

/// Builds the agent of `spec`, and returns its canonical spec with it.
fn built(game: &AnyGame, spec: &str) -> Result<(AnyAgent, String), Error> {
    let mut spec: AgentSpec = spec.parse()?;
    supply_files(&mut spec, &|path| files::text(path), &mut Vec::new())?;
    Ok((game.agent(&spec)?, spec.to_string()))
}
