//! Experiments on a game: what is a card, a place, a seat, a rule worth?
//!
//! An **experiment** is a list of **cells**. A cell is one treatment (or none: a *control*) at a stage of the game, in a
//! **lane**: who sits at the table. Every cell is played on the same seeds; what it changes is its difference to the
//! control of its lane under the same seed. The unit of observation is the **block**: one seed, with the treatment given
//! to each seat in turn, or, where different agents meet, with the agents rotated through the seats.
//!
//! With one agent in all seats and the treatment given to each in turn, the shares of the control add up to exactly one
//! over the rotation: the difference to the control under the same seed is then, number for number, that to an equal
//! share. So the share of a gift or a ban needs no control games; scores, lengths, and what has no seat to gain, do.
//!
//! Treatments of a later stage branch from the control: it is played once, with the moment kept at which each stage
//! begins, and every cell goes on from the moment of its stage ([`sim::game_loop::Run`]).
//!
//! Nothing here names a game. What can be done to one, what in it is money, what a thing that is taken for a price, it
//! declares itself: [`engine::treatment`], [`engine::market`].

pub mod alliances;
pub mod cards;
pub mod cell;
pub mod deal;
pub mod effect_accumulator;
pub mod estimate;
pub mod facts;
mod forced;
pub mod joint;
pub mod manifest;
pub mod order;
pub mod placed;
pub mod plan;
pub mod provinces;
pub mod request;
pub mod rows;
pub mod runner;
pub mod seats;
pub mod statements;
pub mod study;
pub mod uptake;
