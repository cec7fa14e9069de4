//! classic: its story and its map.

mod map;
mod pieces;
mod story;

pub use self::map::Map;
pub use self::story::Story;
