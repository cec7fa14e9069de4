//! The table of a real game as [`Seats`].

use agents::{Agent, AgentSpec, Playable};
use engine::{MAX_PLAYERS, Rules};

use super::seats::{Block, Seats, Strategy};
use crate::tune::entrants::Entrants;
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::game_loop::Address;
use sim::play::Arena;

/// Builds the game of `setup` and opens its table for the strategies of `entrants`.
///
/// # Errors
/// If the game or an agent cannot be built.
pub fn open_seats<'a>(setup: &Setup, entrants: &'a Entrants) -> Result<Box<dyn Seats + 'a>, Error> {
    struct Open<'a>(&'a Entrants);
    impl<'a> WithGame for Open<'a> {
        type Output = Result<Box<dyn Seats + 'a>, Error>;
        fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
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

    fn block(
        &self,
        arena: &mut Arena<'_, G>,
        specs: &[AgentSpec],
        seed: u64,
        block: u64,
        is_trial: bool,
    ) -> Result<Block, Error> {
        let players = self.game.n_players();
        let mut came = Block { points: vec![0.0; players], trace: 0.0 };
        for turn in 0..players {
            let mut seating = [0; MAX_PLAYERS];
            for place in 0..players {
                seating[(place + turn) % players] = place as u8;
            }
            let index = block * players as u64 + turn as u64;
            let game = arena.play(Address::of_block(seed, block, index), seating, None)?;
            if let Some(forfeit) = &game.forfeit {
                let place = usize::from(game.seating[forfeit.player]);
                if place > 0 || !is_trial || self.entrants.stop_at_fault {
                    return Err(Error::Failed(format!(
                        "{} forfeited game {} of seed {seed} in seat {}: {}; leave it out of the population, or \
                         narrow the space",
                        specs[place],
                        index + 1,
                        forfeit.player + 1,
                        forfeit.reason
                    )));
                }
            }
            for (seat, points) in game.points[..players].iter().enumerate() {
                came.points[usize::from(game.seating[seat])] += f64::from(*points) / players as f64;
            }
            came.trace = came.trace.mul_add(31.0, f64::from(game.plies)) % 1e9;
        }
        Ok(came)
    }
}

impl<G: Playable> Seats for GameSeats<'_, G> {
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
        let specs: Vec<AgentSpec> =
            places.iter().map(|place| self.spec(place)).collect::<Result<_, _>>()?;
        for spec in &specs {
            spec.build(&self.game)?;
        }
        let build = |entrant: usize| -> Box<dyn Agent<G>> {
            specs[entrant].build(&self.game).expect("it was built a moment ago")
        };
        let mut arena = Arena::new(&self.game, &build);
        let play = |&block: &u64| self.block(&mut arena, &specs, seed, block, is_trial);
        blocks.iter().map(play).collect()
    }
}
