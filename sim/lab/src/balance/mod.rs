//! Experiments on a game: the worth of a card, a place, a seat or a rule.
//!
//! An **experiment** is a list of **cells**. A cell is a treatment (or none: a *control*) at a stage of the game, in a
//! **lineup**: a line-up at the table. Every cell is played on the same seeds. Its effect is its difference from the
//! control of its lineup under the same seed. The unit of observation is the **block**: one seed, with the treatment
//! given to each seat in turn. If different agents meet, the agents rotate through the seats instead.
//!
//! With one agent in all seats and each seat treated in turn, the shares of the control sum to exactly one over the
//! rotation. The difference from the control under the same seed is then, number for number, the difference from an
//! equal share. The share of a gift or a ban therefore needs no control games. Scores, lengths, and treatments without
//! a seat need them.
//!
//! Treatments of a later stage branch from the control. The control is played once and saved at the start of each
//! stage; every cell continues from the save of its stage ([`sim::game_loop::Run`]).
//!
//! No code here names a game. A game declares its own treatments, its money, and the things that players take for a
//! price: [`engine::treatment`], [`engine::market`].

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
pub mod strong;
pub mod study;
pub mod uptake;
pub mod verdict;
