//! Listeners to a record during its replay, or to a running game, in plain values that are independent of the game's
//! type.

use agents::{Observable, OutcomeOdds};
use draw::replay::Mistake;
use draw::story::{Event, Position};
use engine::{Game, Notation, Player};
use serde_json::Value as Json;

use crate::event::Forfeit;
use crate::win_model::WinModel;

/// A listener's requests for positions and analyses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Wants {
    /// The board as text, after every event.
    pub(crate) boards: bool,
    /// Analyses as documents instead of text.
    pub(crate) documents: bool,
}

/// The end of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended<'a> {
    pub(crate) scores: &'a Json,
    pub(crate) winners: &'a Json,
    pub(crate) plies: u64,
    pub(crate) forfeit: Option<&'a Forfeit>,
    /// Hints given to people.
    pub(crate) hints: u32,
}

/// A listener to a game.
pub(crate) trait Listener {
    /// Returns the requests of the listener.
    fn wants(&self) -> Wants {
        Wants::default()
    }

    /// Receives the position where the game begins.
    fn begin(&mut self, at: Position);

    /// Receives the choice of a seat among `legal` options; its effects follow.
    fn choosing(&mut self, seat: usize, legal: usize, action: &str);

    /// Receives the analysis of the choice, as text or as a document.
    fn opinion(&mut self, text: &str);

    /// Receives a choice that cost its seat something by the values of the analysis; its effects follow.
    fn mistake(&mut self, _mistake: Mistake) {}

    /// Receives an event, with the position after it unless others still choose.
    fn event(&mut self, event: &Event<'_>, after: Option<Position>);

    /// Receives the state in the record, as text.
    fn milestone(&mut self, text: &str);

    /// Receives the end of the game.
    fn end(&mut self, end: &Ended<'_>);
}

/// A function that returns the win probability of each seat at a position after a number of plies.
type Chances<G> = dyn Fn(&G, &<G as Game>::State, u32) -> Vec<f64>;

/// A maker of positions from states.
pub(crate) struct Painter<G: Game> {
    odds: Option<Box<dyn OutcomeOdds<G>>>,
    chances: Option<Box<Chances<G>>>,
}

impl<G: Observable> Painter<G> {
    /// Returns a painter of positions of `game`, with win probabilities from a model, if there is one.
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
    /// Returns the position of `state` after `plies` plies.
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
