//! Integration tests of games with people, in one binary that is linked once.

mod battles;
mod cost;
mod drafts;
mod hosted_game;
mod hosts;
mod leaks;
mod odds;
mod sender;
mod server;
#[path = "../../../sim/play/tests/it/sessions.rs"]
mod sessions;
mod streams;
mod wire;
mod words;
