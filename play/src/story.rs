//! The story of a game as one seat may know it: [`SeatStory`].

use draw::games::teller;
use draw::story::{Event, Position, Sentence, Teller};
use engine::Player;
use sim::any::AnyState;
use sim::session::Happening;

/// A story that a seat is told: that of records, made from the views of the seat and from the events as it sees them.
///
/// Nothing else reaches the narrator, so positions that the seat cannot tell apart have the same story.
pub struct SeatStory {
    seat: Player,
    teller: Box<dyn Teller + Send>,
    told: Vec<Sentence>,
}

impl std::fmt::Debug for SeatStory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SeatStory({:?}, {} sentences)", self.seat, self.told.len())
    }
}

impl SeatStory {
    /// Begins the story of the game called `name` for `seat` at `start`.
    #[must_use]
    pub fn new(name: &str, seat: Player, start: &AnyState) -> Self {
        Self { seat, teller: teller(name, &seen(start, seat)), told: Vec::new() }
    }

    /// Returns the seat.
    #[must_use]
    pub const fn seat(&self) -> Player {
        self.seat
    }

    /// Returns all sentences so far.
    #[must_use]
    pub fn sentences(&self) -> &[Sentence] {
        &self.told
    }

    /// Narrates events that became public together, after which the game stands at `after`.
    pub fn narrate(&mut self, happenings: &[Happening], after: &AnyState) {
        let Some((last, before)) = happenings.split_last() else { return };
        for happening in before {
            self.event(happening, None);
        }
        self.event(last, Some(&seen(after, self.seat)));
    }

    fn event(&mut self, happening: &Happening, after: Option<&Position>) {
        let event = match happening {
            Happening::Choice { seat, action, label } => {
                // Without a narrator of its own a game is told in the words of its options.
                let action = if self.teller.is_plain() { label } else { action };
                Event::Choice { seat: seat.idx(), action }
            }
            Happening::Chance(seen) => {
                let seen = &seen[self.seat.idx()];
                Event::Chance { kind: &seen.chance, who: seen.who.as_ref(), value: &seen.value }
            }
        };
        self.teller.narrate(&event, after, &mut self.told);
    }

    /// Narrates the rest after the last event of the game.
    pub fn finish(&mut self) {
        self.teller.finish(&mut self.told);
    }
}

/// Returns a position as far as `seat` sees it.
fn seen(state: &AnyState, seat: Player) -> Position {
    let view = state.view_json(seat);
    Position { state: view.clone(), view, ..Position::default() }
}
