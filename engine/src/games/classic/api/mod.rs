//! What agents see of the rules beside states and actions.

mod combat;
mod purchase;
mod read;
mod reply;

pub use self::combat::{BattleRules, Engagement, Muster};
