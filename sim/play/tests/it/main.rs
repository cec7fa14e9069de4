//! The integration tests of games, tournaments and records, in one binary: linked once.

mod any;
mod bad_agents;
mod batch;
mod branch;
mod first_game;
mod menus;
mod session;
mod sessions;
mod starts;
