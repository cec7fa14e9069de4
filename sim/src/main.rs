//! The `caesar` command.
fn main() {}
