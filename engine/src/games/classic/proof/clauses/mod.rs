//! The clauses of the rules page on positions set up by hand, a file for each part of it.

mod combat;
mod course;
mod market;
mod movement;
mod succession;
