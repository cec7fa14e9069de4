//! The address of a game's random numbers, and a running game with its random streams.

use engine::{ChanceStreams, Game, Player, Purpose, Stream, rng};

/// The address of a game's random numbers.
///
/// Set-up, decks, dice and the agents' searches each have their own address. So one of them can change while the others
/// stay fixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The seed of the run.
    pub seed: u64,
    /// The block of the run for each purpose of chance ([`Purpose::OF_CHANCE`]).
    pub chance: [u64; 3],
    /// The index of the game; it addresses the streams of the agents.
    pub index: u64,
}

impl Address {
    /// Returns the address of a game of a block; all games of the block share their chance.
    #[must_use]
    pub const fn of_block(seed: u64, block: u64, index: u64) -> Self {
        Self { seed, chance: [block; 3], index }
    }

    /// Returns the address of a game that is its own block.
    #[must_use]
    pub const fn of_game(seed: u64, index: u64) -> Self {
        Self::of_block(seed, index, index)
    }
}

/// The random streams of one game, at their current positions.
#[derive(Clone, Debug)]
pub struct Streams {
    chance: ChanceStreams,
    agents: Vec<Stream>,
}

impl Streams {
    /// Draws an outcome of the chance event that is due.
    #[inline]
    pub fn draw<G: Game>(&mut self, game: &G, state: &G::State) -> G::Action {
        game.draw(state, self.chance.of(game.chance_purpose(state)))
    }

    /// Returns the stream of the agent of `seat`.
    #[inline]
    pub fn of_agent(&mut self, seat: Player) -> &mut Stream {
        &mut self.agents[seat.idx()]
    }
}

/// A running game.
///
/// A copy under the same rules continues as the same game. Under rules that differ only in later events, a copy
/// continues as the game that those rules would have given from the start. This holds if agents neither remember the
/// past nor look that far ahead. So many games that differ late need their beginning only once.
#[derive(Clone, Debug)]
pub struct Run<S> {
    /// The current state.
    pub state: S,
    /// The number of choices so far.
    pub plies: u32,
    /// The remaining random numbers.
    pub streams: Streams,
}

impl<S: Copy> Run<S> {
    /// Returns a game of `seats` at `state`; from there on its random numbers come from `address`.
    #[must_use]
    pub fn new(state: S, plies: u32, seats: usize, address: Address) -> Self {
        let Address { seed, chance, index } = address;
        let agent = |seat: Player| rng::stream(seed, index, Purpose::Agent(seat.idx() as u8));
        let agents = Player::all(seats).map(agent).collect();
        Self {
            state,
            plies,
            streams: Streams { chance: ChanceStreams::dealt(seed, chance), agents },
        }
    }
}
