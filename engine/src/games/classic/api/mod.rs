//! The interface for agents: readers of the rules beside states and actions.

mod combat;
mod length;
mod purchase;
mod read;
mod reply;

pub use self::combat::{BattleRules, Engagement, Muster};
