//! The table of a real game as [`Seats`].

use std::collections::{BTreeMap, BTreeSet};

use agents::{Agent, AgentSpec, Observable, Playable};
use engine::{MAX_PLAYERS, Rules};

use super::seats::{Block, Seats, Strategy, Thing, WatchedGame};
use super::watch::Watch;
use crate::tune::entrants::Entrants;
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::event::GameResult;
use sim::game_loop::{Address, GameObserver};
use sim::play::Arena;
use sim::record::{FORMAT, Header, Writer};

/// Builds the game of `setup` and opens its table for the strategies of `entrants`.
///
/// # Errors
/// If the game or an agent cannot be built.
pub fn open_seats<'a>(setup: &Setup, entrants: &'a Entrants) -> Result<Box<dyn Seats + 'a>, Error> {
    struct Open<'a>(&'a Entrants);
    impl<'a> WithGame for Open<'a> {
        type Output = Result<Box<dyn Seats + 'a>, Error>;
        fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
            let seats = GameSeats { game, overrides: rules.overrides(), entrants: self.0 };
            let space = &self.0.space;
            let start = space.start();
            let ends = (0..space.len()).flat_map(|i| [0.0, 1.0].map(|end| (i, end)));
            let ends = ends.map(|(i, end)| Strategy::Point(space.with(&start, i, end)));
            let given = (0..self.0.against.len()).map(Strategy::Given);
            for strategy in given.chain([Strategy::Point(start.clone())]).chain(ends) {
                seats.spec(&strategy)?.build(&seats.game)?;
            }
            Ok(Box::new(seats))
        }
    }
    with_game(setup, Open(entrants))?
}

/// Returns the agent that plays a strategy.
///
/// # Errors
/// If a value is refused.
pub fn spec(entrants: &Entrants, strategy: &Strategy) -> Result<AgentSpec, Error> {
    match strategy {
        Strategy::Point(point) => entrants.agent(point),
        Strategy::Given(i) => Ok(entrants.against[*i].clone()),
    }
}

/// The address of a game: its number in a block decides who sits where.
#[derive(Clone, Copy)]
struct Turn {
    seed: u64,
    block: u64,
    turn: usize,
}

impl Turn {
    /// Returns the place in each seat.
    fn seating(self, players: usize) -> [u8; MAX_PLAYERS] {
        let mut seating = [0; MAX_PLAYERS];
        for place in 0..players {
            seating[(place + self.turn) % players] = place as u8;
        }
        seating
    }

    fn address(self, players: usize) -> Address {
        let index = self.block * players as u64 + self.turn as u64;
        Address::of_block(self.seed, self.block, index)
    }
}

struct GameSeats<'a, G> {
    game: G,
    overrides: serde_json::Value,
    entrants: &'a Entrants,
}

impl<G: Playable> GameSeats<'_, G> {
    fn spec(&self, strategy: &Strategy) -> Result<AgentSpec, Error> {
        let mut spec = spec(self.entrants, strategy)?;
        spec.supply_rules(self.overrides.clone());
        spec.find_program()?;
        Ok(spec)
    }

    /// Plays a game; the first place may forfeit if `is_trial`.
    fn game(
        &self,
        arena: &mut Arena<'_, G>,
        specs: &[AgentSpec],
        at: Turn,
        is_trial: bool,
        observer: &mut dyn GameObserver<G>,
    ) -> Result<GameResult, Error> {
        let players = self.game.n_players();
        let (address, seating) = (at.address(players), at.seating(players));
        let game = arena.play_observed(address, seating, None, observer)?;
        let Some(forfeit) = &game.forfeit else { return Ok(game) };
        let place = usize::from(game.seating[forfeit.player]);
        if place == 0 && is_trial && !self.entrants.stop_at_fault {
            return Ok(game);
        }
        Err(Error::Failed(format!(
            "{} forfeited game {} of seed {} in seat {}: {}; leave it out of the population, or narrow the space",
            specs[place],
            address.index + 1,
            at.seed,
            forfeit.player + 1,
            forfeit.reason
        )))
    }

    fn block(
        &self,
        arena: &mut Arena<'_, G>,
        specs: &[AgentSpec],
        at: Turn,
        is_trial: bool,
    ) -> Result<Block, Error> {
        let players = self.game.n_players();
        let mut came = Block { points: vec![0.0; players], trace: 0.0 };
        for turn in 0..players {
            let game = self.game(arena, specs, Turn { turn, ..at }, is_trial, &mut ())?;
            for (seat, points) in game.points[..players].iter().enumerate() {
                came.points[usize::from(game.seating[seat])] += f64::from(*points) / players as f64;
            }
            came.trace = came.trace.mul_add(31.0, f64::from(game.plies)) % 1e9;
        }
        Ok(came)
    }

    /// Returns the agents of the places, which can be built.
    fn specs(&self, places: &[Strategy]) -> Result<Vec<AgentSpec>, Error> {
        let specs: Vec<AgentSpec> =
            places.iter().map(|place| self.spec(place)).collect::<Result<_, _>>()?;
        for spec in &specs {
            spec.build(&self.game)?;
        }
        Ok(specs)
    }
}

/// Returns a game by place at the table; `names` are those of its extra numbers.
fn by_place<G: Observable>(
    at: Turn,
    game: &GameResult,
    watch: Watch,
    names: &[&'static str],
    players: usize,
) -> WatchedGame {
    let features = G::FEATURES.iter().map(|feature| feature.name);
    let means = watch.means.all(features);
    let things = watch.things.into_iter().map(|(thing, seats)| {
        (thing, seats.iter().map(|seat| usize::from(game.seating[seat.idx()])).collect())
    });
    let things: BTreeMap<Thing, BTreeSet<usize>> = things.collect();
    let placed = |numbers: &dyn Fn(usize) -> f64| {
        let mut all = vec![0.0; players];
        (0..players).for_each(|seat| all[usize::from(game.seating[seat])] = numbers(seat));
        all
    };
    let ends = names.iter().zip(&game.extras);
    let ends = ends.map(|(&name, numbers)| (name, placed(&|seat| numbers[seat].into())));
    let points = placed(&|seat| game.points[seat].into());
    let means = means
        .into_iter()
        .map(|(kind, name, numbers)| (Thing { kind, name }, placed(&|seat| numbers.0[seat])));
    let Turn { block, turn, .. } = at;
    WatchedGame { block, turn, points, things, ends: ends.collect(), means: means.collect() }
}

impl<G: Playable + Observable> Seats for GameSeats<'_, G> {
    fn players(&self) -> usize {
        self.game.n_players()
    }

    fn play(
        &self,
        places: &[Strategy],
        seed: u64,
        blocks: &[u64],
        is_trial: bool,
    ) -> Result<Vec<Block>, Error> {
        let specs = self.specs(places)?;
        let build = |entrant: usize| -> Box<dyn Agent<G>> {
            specs[entrant].build(&self.game).expect("it was built a moment ago")
        };
        let mut arena = Arena::new(&self.game, &build);
        let play =
            |&block: &u64| self.block(&mut arena, &specs, Turn { seed, block, turn: 0 }, is_trial);
        blocks.iter().map(play).collect()
    }

    fn watch(
        &self,
        places: &[Strategy],
        seed: u64,
        blocks: &[u64],
        is_trial: bool,
    ) -> Result<Vec<WatchedGame>, Error> {
        let (specs, players) = (self.specs(places)?, self.game.n_players());
        let build = |entrant: usize| -> Box<dyn Agent<G>> {
            specs[entrant].build(&self.game).expect("it was built a moment ago")
        };
        let mut arena = Arena::new(&self.game, &build).with_extras(true);
        let names: Vec<&'static str> =
            self.game.extras(&self.game.start()).into_iter().map(|(name, _)| name).collect();
        let turns = blocks.iter().flat_map(|&block| (0..players).map(move |turn| (block, turn)));
        let play = |(block, turn)| {
            let mut watch = Watch::new();
            let at = Turn { seed, block, turn };
            let game = self.game(&mut arena, &specs, at, is_trial, &mut watch)?;
            Ok(by_place::<G>(at, &game, watch, &names, players))
        };
        turns.map(play).collect()
    }

    fn record(
        &self,
        places: &[Strategy],
        seed: u64,
        block: u64,
        turn: usize,
    ) -> Result<Option<String>, Error> {
        let (specs, players) = (self.specs(places)?, self.game.n_players());
        let build = |entrant: usize| -> Box<dyn Agent<G>> {
            specs[entrant].build(&self.game).expect("it was built a moment ago")
        };
        let at = Turn { seed, block, turn };
        let (address, seating) = (at.address(players), at.seating(players));
        let header = Header {
            format: FORMAT.to_owned(),
            game: G::about().name.to_owned(),
            seats: players,
            rules: self.overrides.clone(),
            agents: seating[..players]
                .iter()
                .map(|&place| specs[usize::from(place)].with_label())
                .collect(),
            seed: format!("{}/{}", address.seed, address.index),
        };
        let writer = Writer::new(&self.game, &header);
        let game = Arena::new(&self.game, &build).play(address, seating, Some(writer))?;
        Ok(game.record.and_then(|record| record.text().map(str::to_owned)))
    }
}
