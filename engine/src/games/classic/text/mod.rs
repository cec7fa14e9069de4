//! How the game is written: text and JSON.

mod notation;
mod table;
