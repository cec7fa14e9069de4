//! Integration tests of tables with people, in one binary that is linked once.

mod table;
mod tables;
mod words;
