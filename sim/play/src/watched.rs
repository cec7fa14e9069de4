//! Games that are watched while they are played: [`Seats`] play, a [`Witness`] is told of every choice and every position.
//!
//! A witness gets the state itself: what it finds out is for analysis after the game and reaches no agent, which gets its
//! view as ever. Set-up, decks, dice and the thinking of the agents have addresses of their own each ([`Deal`]), so that
//! one of them can be dealt anew while the others are held. A game of one seed and index is that of a tournament with
//! as many games a block as there are; there is no forfeit here, since half a game says nothing of the whole: an agent
//! that fails ends the study.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use agents::agent::view_for;
use agents::side_by_side::side_by_side;
use agents::{Agent, AgentSpec, Fault, Playable, halt};
use engine::{
    ByPlayer, ChanceStreams, Game, Joint, Player, Purpose, Randomness, Stream, Turn, rng,
};

use crate::error::Error;
use crate::play::{guarded, quiet_caught_panics};
use crate::runner::Piece;

/// Hears of a game while it is played; does nothing by default.
pub trait Witness<G: Game> {
    /// `player` has chosen `action` in `state`, to which it is not yet applied; before it, `plies` choices were made.
    fn chosen(
        &mut self,
        _game: &G,
        _state: &G::State,
        _player: Player,
        _action: G::Action,
        _plies: u32,
    ) {
    }

    /// Chance has come to `outcome` in `state`, to which it is not yet applied.
    fn chance(&mut self, _game: &G, _state: &G::State, _outcome: G::Action, _plies: u32) {}

    /// The game stands at `state`: at its start, and after every event.
    fn at(&mut self, _game: &G, _state: &G::State, _plies: u32) {}
}

/// Nobody watches.
impl<G: Game> Witness<G> for () {}

/// Two who watch the same game.
impl<G: Game, A: Witness<G>, B: Witness<G>> Witness<G> for (A, B) {
    fn chosen(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        action: G::Action,
        plies: u32,
    ) {
        self.0.chosen(game, state, player, action, plies);
        self.1.chosen(game, state, player, action, plies);
    }

    fn chance(&mut self, game: &G, state: &G::State, outcome: G::Action, plies: u32) {
        self.0.chance(game, state, outcome, plies);
        self.1.chance(game, state, outcome, plies);
    }

    fn at(&mut self, game: &G, state: &G::State, plies: u32) {
        self.0.at(game, state, plies);
        self.1.at(game, state, plies);
    }
}

/// Where the random numbers of a game come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal {
    /// The seed of the run.
    pub seed: u64,
    /// The games of the run whose chance it is: set-up, decks, dice.
    pub chance: [u64; 3],
    /// The game of the run from which the agents think.
    pub minds: u64,
}

impl Deal {
    /// Those of game `index`.
    #[must_use]
    pub const fn game(seed: u64, index: u64) -> Self {
        Self { seed, chance: [index; 3], minds: index }
    }
}

/// A game on its way.
#[derive(Clone, Debug)]
pub struct Run<S> {
    /// Where it stands.
    pub state: S,
    /// Choices that were made.
    pub plies: u32,
    chance: ChanceStreams,
    minds: Vec<Stream>,
}

impl<S: Copy> Run<S> {
    /// A game of `seats` that stands at `state`, from where on it gets its random numbers from `deal`.
    #[must_use]
    pub fn new(state: S, plies: u32, seats: usize, deal: Deal) -> Self {
        let mind =
            |seat: Player| rng::stream(deal.seed, deal.minds, Purpose::Agent(seat.idx() as u8));
        Self {
            state,
            plies,
            chance: ChanceStreams::dealt(deal.seed, deal.chance),
            minds: Player::all(seats).map(mind).collect(),
        }
    }
}

/// The agents at a table, with memory that is reused from game to game.
pub struct Seats<'a, G: Game> {
    game: &'a G,
    agents: Vec<Box<dyn Agent<G>>>,
    scratch: Vec<G::Action>,
}

impl<G: Game> std::fmt::Debug for Seats<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Seats({})", self.agents.len())
    }
}

impl<'a, G: Playable> Seats<'a, G> {
    /// Seats the agents of `specs`, one for each seat.
    ///
    /// # Errors
    /// If a file that a spec names is of no use to the game.
    pub fn new(game: &'a G, specs: &[AgentSpec]) -> Result<Self, Error> {
        quiet_caught_panics();
        let build = |spec: &AgentSpec| Ok(spec.build(game)?);
        let agents = specs.iter().map(build).collect::<Result<_, Error>>()?;
        Ok(Self { game, agents, scratch: Vec::new() })
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// Whether nobody sits there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Plays a whole game, and gives the points of the seats.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn play(
        &mut self,
        deal: Deal,
        witness: &mut dyn Witness<G>,
    ) -> Result<ByPlayer<f64>, Error> {
        let mut run = Run::new(self.game.start(), 0, self.agents.len(), deal);
        self.play_until(&mut run, witness, &mut |_| false)?;
        Ok(ByPlayer(self.game.payoffs(&run.state).0.map(f64::from)))
    }

    /// Plays `run` until its end, or until `is_enough` says so of the state after an event.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn play_until(
        &mut self,
        run: &mut Run<G::State>,
        witness: &mut dyn Witness<G>,
        is_enough: &mut dyn FnMut(&G::State) -> bool,
    ) -> Result<(), Error> {
        let game = self.game;
        for seat in 0..self.agents.len() {
            self.ask(run, seat, |agent, _, _| agent.start(game, Player::new(seat)))?;
        }
        witness.at(game, &run.state, run.plies);
        while self.step(run, witness)? {
            witness.at(game, &run.state, run.plies);
            if is_enough(&run.state) {
                break;
            }
        }
        (0..self.agents.len()).try_for_each(|seat| self.ask(run, seat, |agent, _, _| agent.end()))
    }

    /// Plays an event; says whether there was one.
    fn step(
        &mut self,
        run: &mut Run<G::State>,
        witness: &mut dyn Witness<G>,
    ) -> Result<bool, Error> {
        let game = self.game;
        match game.turn(&run.state) {
            Turn::Over => return Ok(false),
            Turn::Chance => {
                let stream = run.chance.of(game.chance_purpose(&run.state));
                let outcome = game.draw(&run.state, stream);
                witness.chance(game, &run.state, outcome, run.plies);
                game.apply(&mut run.state, outcome);
            }
            Turn::Player(player) => {
                let action = self.choose(run, player)?;
                witness.chosen(game, &run.state, player, action, run.plies);
                run.plies += 1;
                game.apply(&mut run.state, action);
            }
            Turn::Together(players) => {
                let mut joint = Joint::<G::Action>::default();
                for player in players.iter() {
                    joint[player] = Some(match self.forced(&run.state, player) {
                        Some(only) => only,
                        None => {
                            let action = self.choose(run, player)?;
                            witness.chosen(game, &run.state, player, action, run.plies);
                            run.plies += 1;
                            action
                        }
                    });
                }
                game.apply_joint(&mut run.state, &joint);
            }
        }
        Ok(true)
    }

    /// The only action of a member of a simultaneous turn, who is then not asked.
    fn forced(&mut self, state: &G::State, player: Player) -> Option<G::Action> {
        self.scratch.clear();
        self.game.actions(state, player, &mut self.scratch);
        self.scratch.first().copied().filter(|_| self.scratch.len() == 1)
    }

    /// What the agent of `player` chooses where `run` stands.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn choose(&mut self, run: &mut Run<G::State>, player: Player) -> Result<G::Action, Error> {
        let game = self.game;
        let action = self.ask(run, player.idx(), |agent, state, stream| {
            let view = view_for(agent, game, state, player);
            agent.choose(view, stream)
        })?;
        if game.is_legal(&run.state, player, action, &mut self.scratch) {
            return Ok(action);
        }
        Err(failed(player.idx(), &format!("illegal action {action:?}")))
    }

    fn ask<T>(
        &mut self,
        run: &mut Run<G::State>,
        seat: usize,
        what: impl FnOnce(&mut dyn Agent<G>, &G::State, &mut Stream) -> T,
    ) -> Result<T, Error> {
        let (agent, stream, state) = (&mut self.agents[seat], &mut run.minds[seat], &run.state);
        let came = guarded(|| (what(&mut **agent, state, stream), agent.fault()));
        if halt::is_raised() {
            return Err(Error::Stopped);
        }
        match came {
            Ok((done, None)) => Ok(done),
            Ok((_, Some(Fault::Agent(reason) | Fault::Host(reason)))) | Err(reason) => {
                Err(failed(seat, &reason))
            }
        }
    }
}

fn failed(seat: usize, reason: &str) -> Error {
    Error::Failed(format!(
        "the agent in seat {} failed ({reason}): nothing is said of games that were not finished",
        seat + 1
    ))
}

/// The seed of a part of a study: its parts share no games.
#[must_use]
pub fn seed_of_part(seed: u64, part: u64) -> u64 {
    u64::from(rng::stream(seed, part, Purpose::Analysis).below(u32::MAX))
}

/// Plays some blocks at a table of these agents; nothing if `stop` says so.
///
/// # Errors
/// If an agent fails.
pub fn piece<G: Playable, T>(
    game: &G,
    specs: &[AgentSpec],
    blocks: Range<u64>,
    stop: &AtomicBool,
    mut play: impl FnMut(&mut Seats<'_, G>, u64) -> Result<T, Error>,
) -> Piece<T> {
    let mut seats = Seats::new(game, specs)?;
    let mut all = Vec::with_capacity((blocks.end - blocks.start) as usize);
    for block in blocks {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match play(&mut seats, block) {
            Ok(came) => all.push(came),
            Err(Error::Stopped) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(all))
}

/// Blocks that one thread plays at a stretch; a number of its own, so that nothing depends on threads.
const STRETCH: u64 = 8;

/// Plays blocks `0..blocks` on the threads that there are, and gives what `play` says of each, in order.
///
/// # Errors
/// The first one, by block.
pub fn blocks<G: Playable, T: Send>(
    game: &G,
    specs: &[AgentSpec],
    blocks: u64,
    play: impl Fn(&mut Seats<'_, G>, u64) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let stretch = |start: u64| -> Result<Vec<T>, Error> {
        let mut seats = Seats::new(game, specs)?;
        (start..(start + STRETCH).min(blocks)).map(|block| play(&mut seats, block)).collect()
    };
    let starts: Vec<u64> = (0..blocks).step_by(STRETCH as usize).collect();
    let played: Vec<Result<Vec<T>, Error>> = side_by_side(starts.len(), &|i| stretch(starts[i]));
    let mut all = Vec::with_capacity(blocks as usize);
    for stretch in played {
        all.extend(stretch?);
    }
    Ok(all)
}
