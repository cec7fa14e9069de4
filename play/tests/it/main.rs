//! Integration tests of tables with people, in one binary that is linked once.

mod leaks;
mod odds;
mod server;
mod table;
mod tables;
mod wire;
mod words;
