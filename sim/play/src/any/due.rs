//! What comes next in a position, and what came of it.

use engine::{ChanceEvent, Player};

/// Who acts next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// A player chooses. Of several who choose at once the first who has not chosen.
    Player(Player),
    /// An event of chance.
    Chance,
    /// The game is over.
    Over,
}

/// An event of chance that happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    /// The whole event, as a record has it.
    pub event: ChanceEvent,
    /// What each seat sees of it.
    pub seen: Vec<ChanceEvent>,
}
