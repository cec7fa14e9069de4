//! Next event due in a position, and chance events drawn.

use engine::{ChanceEvent, Player};

/// Kind of the next event in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// Choice of a player. If several choose at once: the first who has not chosen.
    Player(Player),
    /// An event of chance.
    Chance,
    /// The game is over.
    Over,
}

/// An event of chance that happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    /// Whole event, as a record holds it.
    pub event: ChanceEvent,
    /// View of each seat of the event.
    pub seen: Vec<ChanceEvent>,
}

/// The possible ends of a process, each with its probability. They add up to one.
pub type Ends = Vec<(&'static str, f64)>;
