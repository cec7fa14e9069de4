//! The memory of a seat: what has happened since its last choice. [`Memory`].

use draw::play::{Asked, DrawnGame, March, marches};
use draw::replay::BoardView;
use engine::Player;
use serde_json::Value as Json;
use sim::any::AnyState;

/// The memory of a seat, made of its own views alone.
#[derive(Clone, Debug)]
pub struct Memory {
    seat: Player,
    /// Its view after its last final choice, or at the start.
    before: Json,
    /// The marches of others since then.
    trail: Vec<March>,
    /// The table after the last final event.
    table: BoardView,
}

impl Memory {
    /// Begins at a position with nothing before it.
    #[must_use]
    pub fn new(state: &AnyState, seat: Player) -> Self {
        let before = state.view_json(seat);
        Self { seat, before, trail: Vec::new(), table: BoardView::default() }
    }

    /// Returns the seat.
    #[must_use]
    pub const fn seat(&self) -> Player {
        self.seat
    }

    /// Returns the view of the seat after its last final choice, or at the start.
    #[must_use]
    pub const fn before(&self) -> &Json {
        &self.before
    }

    /// Returns the marches of others since then.
    #[must_use]
    pub fn trail(&self) -> &[March] {
        &self.trail
    }

    /// Returns the table after the last final event.
    #[must_use]
    pub const fn table(&self) -> &BoardView {
        &self.table
    }

    /// Remembers a final position, with what others have marched to it.
    pub fn follow(&mut self, game: &DrawnGame, names: &[String], state: &AnyState) {
        let view = state.view_json(self.seat);
        let table = Asked { game, names, view: &view, seat: self.seat.idx() }.table();
        for march in marches(&self.table.areas, &table.areas) {
            if march.seat != self.seat.idx() {
                march.join(&mut self.trail);
            }
        }
        self.table = table;
    }

    /// Forgets what was before a choice of the seat that has led to `state`.
    pub fn acted(&mut self, state: &AnyState) {
        self.before = state.view_json(self.seat);
        self.trail.clear();
    }
}
