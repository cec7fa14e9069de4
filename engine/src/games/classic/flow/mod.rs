//! What happens: the rules, by section of the rules page, and how options become actions and chance falls.

mod chance;
mod choice;
mod conquest;
mod fall;
mod group;
mod land;
mod market;
mod movement;
mod naval;
mod scoring;
pub(super) mod setup;
mod turn;
