//! circus: its story and its board.

mod story;
mod track;

pub use self::story::Story;
pub use self::track::Track;
