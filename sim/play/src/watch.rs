//! Games watched while they are played, and gone on with from a moment of them.
//!
//! A [`Moment`] is a position with the streams of chance and of the agents as they stand there. Whoever goes on from one
//! under the same rules plays the rest of the same game; under rules that differ only in what comes later, the game that
//! would have been played whole under them, as far as agents neither remember what came before nor look so far ahead. So
//! many games that differ late are played early once.

use agents::Playable;
use engine::{ChanceStreams, Game, Player, Stream};

/// A position in the course of a game, with its streams as they stand there.
#[derive(Clone, Debug)]
pub struct Moment<G: Game> {
    /// The position.
    pub state: G::State,
    /// Plies before it.
    pub plies: u32,
    pub(crate) chance: ChanceStreams,
    pub(crate) streams: Vec<Stream>,
}

/// A game that is under way, as those who watch it see it.
#[derive(Debug)]
pub struct Now<'a, G: Game> {
    /// The position, in which an event is due or the game is over.
    pub state: &'a G::State,
    /// Plies before it.
    pub plies: u32,
    pub(crate) chance: &'a ChanceStreams,
    pub(crate) streams: &'a [Stream],
}

impl<G: Game> Now<'_, G> {
    /// What is needed to go on from here.
    #[must_use]
    pub fn moment(&self) -> Moment<G> {
        Moment {
            state: *self.state,
            plies: self.plies,
            chance: self.chance.clone(),
            streams: self.streams.to_vec(),
        }
    }
}

/// Somebody who watches a game being played: he changes nothing.
pub trait Watch<G: Playable> {
    /// An event is due, or the game is over.
    fn before(&mut self, _game: &G, _now: &Now<'_, G>) {}

    /// A player whose turn it was alone has chosen.
    fn chosen(&mut self, _game: &G, _state: &G::State, _player: Player, _action: G::Action) {}

    /// A player has chosen among several options while others choose at the same time.
    fn chosen_together(
        &mut self,
        _game: &G,
        _state: &G::State,
        _player: Player,
        _action: G::Action,
    ) {
    }

    /// Chance has come to an outcome.
    fn drawn(&mut self, _game: &G, _state: &G::State, _outcome: G::Action) {}
}
