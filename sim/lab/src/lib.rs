//! Questions about games and agents, answered by seeded games: which agent is better, which cards and seats are worth what,
//! which parameters play best, whether an agent knows what it must not, where a search goes wrong.
//!
//! Each question is a module with what is asked (`request`), how it is played and what was found; the command `caesar` has
//! a subcommand for each.

pub mod balance;
pub mod battles;
pub mod compare;
pub mod diagnose;
pub mod dynamics;
pub mod fit;
pub mod ladder;
pub mod leaks;
pub mod perft;
pub mod speed;
pub mod tune;
