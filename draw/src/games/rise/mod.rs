//! rise: its story and its map.

mod map;
mod story;
mod tiles;

pub use self::map::Map;
pub use self::story::Story;
