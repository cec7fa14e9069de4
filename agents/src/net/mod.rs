//! A small net that knows the map: what a position is worth to each seat beyond a linear value of counted features.
//!
//! **Shape.** For each seat sparse whole-number inputs ([`Inputs`]) of its own, of its allies and of its enemies, each with
//! a first layer of their own, and those of the table add up to [`HIDDEN`] numbers; what is negative counts as 0. A second
//! layer makes [`NARROW`] of them, a last one, which each phase of the game has of its own, one: it is added to the logit that
//! the linear value gives the seat, times a factor of the phase. Chances are the softmax over the seats. A net of zeros says what the
//! linear value says. The sums over enemies make enemies exchangeable.
//!
//! **Numbers.** What plays is quantised ([`Net`]): inputs in `i8`, layers in `i16`, sums of the first in `i16` that stop at their
//! ends, all others in `i32` and `i64`, so that every machine and instruction set comes to the same bits. Nothing is
//! allocated. The loops are plain: compilers make vector code of them. (The sparse first layer over counted inputs is that of an efficiently updatable
//! network, Nasu 2018; it is rebuilt for every position, since a search values few of the positions that it passes.)
//!
//! **Learning** ([`learning`]) is by Adam on floating-point twins of the weights, in a fixed order of all sums.

mod base64;
mod file;
mod inference;
mod inputs;
pub mod learning;
mod quantised;

pub use self::file::{FORMAT, Provenance, is_net};
pub use self::inputs::{Entry, InputGroup, Inputs, Layout, NetInputs, SeatInputs, Slot, inputs_of};
pub use self::quantised::Net;

/// Numbers behind the first layer.
pub const HIDDEN: usize = 32;
/// Numbers behind the second layer.
pub const NARROW: usize = 16;
/// The greatest number behind the first layer; what is more counts as this.
pub const CEILING: f32 = 8.0;
