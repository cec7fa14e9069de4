//! imperium: its story and its board.

mod cards;
mod map;
mod story;

pub use self::map::Map;
pub use self::story::Story;
