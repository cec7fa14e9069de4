//! conquest2: its story and its map.

mod battle;
mod changes;
pub mod map;
pub mod story;
