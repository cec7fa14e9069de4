//! The integration tests of questions about games and agents, in one binary: linked once.

mod requests;
mod spelled;
