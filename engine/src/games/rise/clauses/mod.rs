//! Clauses of the rules page on hand-made positions, by their numbers.

mod actions;
mod empires;
mod endings;
mod tiles;
mod upkeep;
