//! The command `caesar`: its options, its terminal, and the tables that it prints.

pub mod cli;
pub mod report;
