//! Positions of seeded games in which one player decides, one from each game.

use std::convert::Infallible;

use agents::guide::MacroActions;
use agents::side_by_side::side_by_side;
use agents::{Agent, AgentSpec, Playable, Settings};
use engine::{Mover, Player, Purpose, Randomness, Turn, View, play_event, rng};

use sim::error::Error;
use sim::game_loop::{Address, Run};

/// The number of games that are played at once; it is fixed, so that the positions do not depend on threads.
const BATCH: u64 = 16;
/// The largest number of games for each requested position; at least [`FEWEST_GAMES`] are played in total.
const GAMES_A_POSITION: u64 = 10;
const FEWEST_GAMES: u64 = 100;

/// A filter on decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decisions {
    /// Choices among whole actions, in games with macro-actions; all decisions in other games.
    Whole,
    /// Choices among single plies only.
    Single,
    /// All decisions.
    All,
}

/// A request for positions.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The seed of the games.
    pub seed: u64,
    /// Number of positions.
    pub positions: usize,
    /// The agent in all seats of the games.
    pub by: AgentSpec,
    /// The accepted decisions.
    pub decisions: Decisions,
}

/// A position in which a player decides.
#[derive(Clone, Copy, Debug)]
pub struct Position<S> {
    /// The index of the game in the run, from 0.
    pub game: u64,
    /// The player who is to choose.
    pub player: Player,
    /// The state.
    pub state: S,
}

/// Plays games until there are as many positions as requested, one from each game, drawn uniformly from the accepted
/// decisions. Returns fewer if games with such decisions are too rare.
///
/// # Errors
/// If the agent cannot be built for the game.
pub fn sample<G: Playable>(game: &G, wanted: &Wanted) -> Result<Vec<Position<G::State>>, Error> {
    wanted.by.build(game)?;
    let most = (wanted.positions as u64).saturating_mul(GAMES_A_POSITION).max(FEWEST_GAMES);
    let mut found = Vec::new();
    for start in (0..most).step_by(BATCH as usize) {
        let played = side_by_side(BATCH as usize, &|i| play(game, wanted, start + i as u64));
        found.extend(played.into_iter().flatten());
        if found.len() >= wanted.positions {
            break;
        }
    }
    found.truncate(wanted.positions);
    Ok(found)
}

/// Returns an accepted decision of game `index`, drawn uniformly.
fn play<G: Playable>(game: &G, wanted: &Wanted, index: u64) -> Option<Position<G::State>> {
    let mut seats: Vec<Box<dyn Agent<G>>> = Vec::new();
    for player in Player::all(game.n_players()) {
        let mut agent = wanted.by.build(game).expect("it was built before");
        agent.start(game, player);
        seats.push(agent);
    }
    let mut draws = rng::stream(wanted.seed, index, Purpose::Analysis);
    let mut guide = plain_guide(game);
    let (mut seen, mut kept) = (0, None);
    let mut run = Run::new(game.start(), 0, seats.len(), Address::of_game(wanted.seed, index));
    loop {
        if let Turn::Player(player) = game.turn(&run.state)
            && is_wanted(game, &mut guide, &run.state, player, wanted.decisions)
        {
            seen += 1;
            if draws.below(seen) == 0 {
                kept = Some(Position { game: index, player, state: run.state });
            }
        }
        let Run { state, streams, .. } = &mut run;
        let decide = |state: &G::State, mover: Mover| {
            Ok::<_, Infallible>(match mover.player() {
                Some(player) => {
                    let view = View::new(game, state, player);
                    seats[player.idx()].choose(view, streams.of_agent(player))
                }
                None => streams.draw(game, state),
            })
        };
        let Ok(goes_on) = play_event(game, state, decide);
        if !goes_on {
            return kept;
        }
    }
}

/// Returns true if there is a choice of the accepted kind.
fn is_wanted<G: Playable>(
    game: &G,
    guide: &mut G::Guide,
    state: &G::State,
    player: Player,
    decisions: Decisions,
) -> bool {
    let mut actions = Vec::new();
    game.actions(state, player, &mut actions);
    let mut whole = Vec::new();
    guide.macro_actions(game, state, player, &mut whole);
    let has_macros = <G::Guide as MacroActions<G>>::HAS_MACROS;
    actions.len() > 1
        && match decisions {
            Decisions::Whole => !whole.is_empty() || !has_macros,
            Decisions::Single => whole.is_empty(),
            Decisions::All => true,
        }
}

/// Returns the guide with default settings.
///
/// # Panics
/// Never: every game has a plain guide.
pub(super) fn plain_guide<G: Playable>(game: &G) -> G::Guide {
    game.guide(&Settings::default()).expect("every game has a plain guide")
}
