//! Positions of seeded games in which a player decides with hidden information, with the worlds that they cannot
//! distinguish from the state.
//!
//! The seed draws an agent of [`LINEUP`] for each seat, so that the positions come from good, bad and mixed play. A
//! scribe wraps every player: it is an agent that gets the state, records it and passes a view to its player.

use std::sync::{Arc, Mutex, PoisonError};

use agents::side_by_side::side_by_side;
use agents::{Agent, AgentSpec, Playable, leaks};
use engine::{Game, MAX_PLAYERS, Player, Purpose, Randomness, Stream, View, rng};
use serde_json::Value as Json;

use sim::error::Error;
use sim::event::GameResult;
use sim::game_loop::Address;
use sim::play::Arena;
use sim::record::{FORMAT, Header, Writer};

/// The agents that play the games.
pub const LINEUP: [&str; 3] = ["random", "greedy", "greedy(epsilon=0.2)"];
/// The largest number of positions of a game, drawn uniformly from those that qualify.
const MOST_OF_A_GAME: usize = 4;
/// The number of games that are played at once; it is fixed, so that the positions do not depend on threads.
const BATCH: u64 = 16;
/// The largest number of games for each requested position; at least [`FEWEST_GAMES`] are played in total.
const GAMES_A_POSITION: u64 = 10;
const FEWEST_GAMES: u64 = 200;

/// A position in which a player decides with hidden information.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecisionPoint {
    /// The index of the game in the run, from 0.
    pub game: u64,
    /// The ply of the choice, from 1 over all players of the game.
    pub ply: u32,
    /// The player who is to choose.
    pub player: Player,
}

/// A decision point with its state, and other worlds that the player cannot exclude.
#[derive(Clone, Debug)]
pub struct Position<S> {
    /// The decision point.
    pub place: DecisionPoint,
    /// The state first, then a limited number of distinct other worlds of the player's information set.
    pub worlds: Vec<S>,
}

/// A request for positions.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The seed of the games.
    pub seed: u64,
    /// Number of positions.
    pub positions: usize,
    /// The largest number of worlds of each position, without the state.
    pub worlds: usize,
}

/// Plays games until there are as many positions as requested, in the order of games and plies; fewer if they are too
/// rare.
///
/// # Errors
/// If the view of a position reveals hidden information: a fault of the game.
pub fn sample<G: Playable>(game: &G, wanted: Wanted) -> Result<Vec<Position<G::State>>, Error> {
    let most = (wanted.positions as u64).saturating_mul(GAMES_A_POSITION).max(FEWEST_GAMES);
    let mut found = Vec::new();
    for start in (0..most).step_by(BATCH as usize) {
        let played =
            side_by_side(BATCH as usize, &|i| play(game, wanted, start + i as u64, None).0);
        found.extend(played.into_iter().flatten());
        if found.len() >= wanted.positions {
            break;
        }
    }
    found.truncate(wanted.positions);
    found.iter().try_for_each(|position| check_view(game, position))?;
    Ok(found)
}

/// Returns the record of game `index` of the sample; `rules` are the differences from the default.
///
/// # Panics
/// Never: a game that is played for its record has one.
#[must_use]
pub fn record<G: Playable>(game: &G, wanted: Wanted, index: u64, rules: &Json) -> String {
    let (_, result) = play(game, wanted, index, Some(rules));
    let record = result.and_then(|result| result.record);
    record.and_then(|record| record.text().map(str::to_owned)).expect("a record was asked for")
}

/// Plays a game and returns its positions and result; empty after a fault of the machine, which built-in agents do not
/// cause.
fn play<G: Playable>(
    game: &G,
    wanted: Wanted,
    index: u64,
    record: Option<&Json>,
) -> (Vec<Position<G::State>>, Option<GameResult>) {
    let mut rng = rng::stream(wanted.seed, index, Purpose::Analysis);
    let seats = 0..game.n_players();
    let lineup: Vec<&str> = seats.clone().map(|_| *rng.pick(&LINEUP)).collect();
    let notes = Notes { wanted, index, rng, plies: 0, seen: 0, kept: Vec::new() };
    let notes = Arc::new(Mutex::new(notes));
    let build = |entrant: usize| -> Box<dyn Agent<G>> {
        let spec: AgentSpec = lineup[entrant].parse().expect("our line-up is written well");
        let player = spec.build(game).expect("every game has these agents");
        Box::new(Scribe { player, notes: Arc::clone(&notes) })
    };
    let header = record.map(|rules| Header {
        format: FORMAT.to_owned(),
        game: G::about().name.to_owned(),
        seats: game.n_players(),
        rules: rules.clone(),
        agents: lineup.iter().map(|&spec| spec.to_owned()).collect(),
        seed: format!("{}/{index}", wanted.seed),
    });
    let mut seating = [0; MAX_PLAYERS];
    seats.for_each(|seat| seating[seat] = seat as u8);
    let address = Address::of_game(wanted.seed, index);
    let writer = header.map(|header| Writer::new(game, &header));
    let result = Arena::new(game, &build).play(address, seating, writer).ok();
    let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
    notes.kept.sort_by_key(|position| position.place.ply);
    (std::mem::take(&mut notes.kept), result)
}

/// The recorder of a game.
struct Notes<S> {
    wanted: Wanted,
    index: u64,
    rng: Stream,
    plies: u32,
    /// The number of positions that qualified.
    seen: u32,
    kept: Vec<Position<S>>,
}

impl<S: Copy + Eq> Notes<S> {
    /// Keeps each qualifying position with equal probability.
    fn note<G: Game<State = S>>(&mut self, game: &G, state: &S, player: Player) {
        self.plies += 1;
        let mut worlds =
            leaks::determinizations(game, state, player, self.wanted.worlds, &mut self.rng);
        if worlds.is_empty() {
            return;
        }
        worlds.insert(0, *state);
        let place = DecisionPoint { game: self.index, ply: self.plies, player };
        self.seen += 1;
        if self.kept.len() < MOST_OF_A_GAME {
            self.kept.push(Position { place, worlds });
        } else if let Some(old) = self.kept.get_mut(self.rng.below(self.seen) as usize) {
            *old = Position { place, worlds };
        }
    }
}

/// An agent that lets another one decide, and records the position.
struct Scribe<G: Game> {
    player: Box<dyn Agent<G>>,
    notes: Arc<Mutex<Notes<G::State>>>,
}

impl<G: Game> Agent<G> for Scribe<G> {
    fn start(&mut self, game: &G, seat: Player) {
        self.player.start(game, seat);
    }

    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action {
        let (game, player) = (view.game(), view.observer());
        let state = view.truth().expect("a scribe gets the state");
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).note(game, state, player);
        self.player.choose(View::new(game, state, player), rng)
    }

    fn cheats(&self) -> bool {
        true
    }
}

/// Refuses a game whose views, as given to programs and people, reveal hidden information.
fn check_view<G: Playable>(game: &G, position: &Position<G::State>) -> Result<(), Error> {
    let DecisionPoint { game: index, ply, player } = position.place;
    let seen = |state: &G::State| {
        let view = View::new(game, state, player);
        let mut actions = Vec::new();
        view.actions(&mut actions);
        (view.to_json(), view.to_text(), actions)
    };
    let here = seen(&position.worlds[0]);
    if position.worlds[1..].iter().all(|world| seen(world) == here) {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "{}: the view of seat {} at ply {ply} of game {} shows what is hidden from it, so any agent there can use it",
        G::about().name,
        player.ordinal(),
        index + 1
    )))
}
