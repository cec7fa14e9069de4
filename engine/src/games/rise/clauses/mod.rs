//! Tests of the clauses of the rules page on positions made by hand, by their numbers.

mod actions;
mod empires;
mod endings;
mod tiles;
mod upkeep;
