//! The course of the game: the rules by section of the rules page, options as actions, and events of chance.

mod chance;
mod choice;
mod conquest;
mod fall;
mod group;
mod land;
mod market;
mod movement;
mod naval;
mod scoring;
pub(super) mod setup;
mod turn;
