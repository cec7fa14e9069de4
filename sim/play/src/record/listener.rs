//! Who hears of a record while it is replayed, or of a game while it is played, in plain values: what comes after this
//! knows no game.

use agents::{Observable, OutcomeOdds};
use draw::story::{Event, Position};
use engine::{Game, Notation, Player};
use serde_json::Value as Json;

use crate::event::Forfeit;
use crate::win_model::WinModel;

/// What a listener wants of positions and opinions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Wants {
    /// The board as text, after every event.
    pub(crate) boards: bool,
    /// Opinions as documents in place of text.
    pub(crate) documents: bool,
}

/// The end of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended<'a> {
    pub(crate) scores: &'a Json,
    pub(crate) winners: &'a Json,
    pub(crate) plies: u64,
    pub(crate) forfeit: Option<&'a Forfeit>,
}

/// Hears of a game.
pub(crate) trait Listener {
    /// What it wants.
    fn wants(&self) -> Wants {
        Wants::default()
    }

    /// The game begins here.
    fn begin(&mut self, at: Position);

    /// A seat has chosen among so many options; what comes of it follows.
    fn choosing(&mut self, seat: usize, legal: usize, action: &str);

    /// What a search thinks of the choice, as text or as a document.
    fn opinion(&mut self, text: &str);

    /// What happened, with the position after it, unless others still choose.
    fn event(&mut self, event: &Event<'_>, after: Option<Position>);

    /// The state that stands in the record, as text.
    fn milestone(&mut self, text: &str);

    /// The game has ended.
    fn end(&mut self, end: &Ended<'_>);
}

/// How likely each seat is to win at a position after so many plies.
type Chances<G> = dyn Fn(&G, &<G as Game>::State, u32) -> Vec<f64>;

/// Makes positions of states.
pub(crate) struct Painter<G: Game> {
    odds: Option<Box<dyn OutcomeOdds<G>>>,
    chances: Option<Box<Chances<G>>>,
}

impl<G: Observable> Painter<G> {
    /// A painter of positions of `game`, with the chances to win by a model, if there is one.
    pub(crate) fn new(game: &G, model: Option<WinModel>) -> Self {
        let chances = |model: WinModel| -> Box<Chances<G>> {
            Box::new(move |game, state, plies| {
                model.probability(game, state, plies).first(game.n_players()).to_vec()
            })
        };
        Self { odds: game.outcome_odds(), chances: model.map(chances) }
    }
}

impl<G: Notation> Painter<G> {
    /// The position of `state` after so many plies.
    pub(crate) fn position(
        &mut self,
        game: &G,
        state: &G::State,
        plies: u32,
        wants: Wants,
    ) -> Position {
        let mut text = String::new();
        if wants.boards {
            let _ = game.write_state(state, &mut text);
        }
        Position {
            state: game.state_json(state),
            view: game.view_json(state, Player::new(0)),
            odds: self.odds.as_mut().map_or_else(Vec::new, |odds| odds.look(game, state)),
            text,
            chances: self
                .chances
                .as_ref()
                .map_or_else(Vec::new, |chances| chances(game, state, plies)),
        }
    }
}
