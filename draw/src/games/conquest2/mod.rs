//! conquest2: its story and its map.

mod battle;
mod cards;
mod changes;
pub mod map;
pub mod story;
