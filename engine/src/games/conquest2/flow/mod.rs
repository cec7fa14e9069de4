//! The course of the game: the rules by section of the rules page, from set-up to the end of the game.

pub(super) mod auction;
pub(super) mod battle;
pub(super) mod campaign;
pub(super) mod chance;
pub(super) mod choice;
mod due;
pub(super) mod immediate;
pub(super) mod movement;
mod outside;
pub(super) mod scoring;
pub(super) mod senate;
pub(super) mod setup;
pub(super) mod turn;
pub(super) mod uses;
