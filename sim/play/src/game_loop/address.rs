//! Where the random numbers of a game come from, and the game on its way with what is left of them.

use engine::{ChanceStreams, Game, Player, Purpose, Stream, rng};

/// The address of a game's random numbers. Set-up, decks, dice and the agents' thinking have addresses of their own each, so
/// that one of them can be dealt anew while the others are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The seed of the run.
    pub seed: u64,
    /// The block of the run for each purpose of chance ([`Purpose::OF_CHANCE`]).
    pub chance: [u64; 3],
    /// The index of the game, from which the agents think.
    pub index: u64,
}

impl Address {
    /// A game of a block, whose chance all of its games share.
    #[must_use]
    pub const fn of_block(seed: u64, block: u64, index: u64) -> Self {
        Self { seed, chance: [block; 3], index }
    }

    /// A game that is a block of its own.
    #[must_use]
    pub const fn of_game(seed: u64, index: u64) -> Self {
        Self::of_block(seed, index, index)
    }
}

/// The streams of one game, as far as they were drawn from.
#[derive(Clone, Debug)]
pub struct Streams {
    chance: ChanceStreams,
    agents: Vec<Stream>,
}

impl Streams {
    /// An outcome of the chance event that is due.
    #[inline]
    pub fn draw<G: Game>(&mut self, game: &G, state: &G::State) -> G::Action {
        game.draw(state, self.chance.of(game.chance_purpose(state)))
    }

    /// The stream of the agent of `seat`.
    #[inline]
    pub fn of_agent(&mut self, seat: Player) -> &mut Stream {
        &mut self.agents[seat.idx()]
    }
}

/// A game on its way. Whoever goes on from a copy under the same rules plays the rest of the same game; under rules that
/// differ only in what comes later, the game that would have been played whole under them, as far as agents neither
/// remember what came before nor look so far ahead. So many games that differ late are played early once.
#[derive(Clone, Debug)]
pub struct Run<S> {
    /// Where it stands.
    pub state: S,
    /// Choices that were made.
    pub plies: u32,
    /// The random numbers that are left.
    pub streams: Streams,
}

impl<S: Copy> Run<S> {
    /// A game of `seats` that stands at `state`, from where on it gets its random numbers from `address`.
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
