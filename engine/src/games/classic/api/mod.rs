//! What agents see of the rules beside states and actions.

mod read;
mod reply;
