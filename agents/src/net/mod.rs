//! Small net over the map that corrects a linear value function: it estimates each seat's chance to win.
//!
//! **Shape.** Each seat has sparse integer inputs ([`Inputs`]): its own, its allies' and its enemies', each with a
//! separate first layer. They and the inputs of the table sum to [`HIDDEN`] numbers; negative ones become 0. A second
//! layer reduces them to [`NARROW`], and a last layer, separate for each phase of the game, to one. This number is
//! added to the seat's logit by the linear value, times a factor of the phase. Chances are the softmax over the seats.
//! A net of zeros gives the chances of the linear value. The sums over enemies make enemies exchangeable.
//!
//! **Numbers.** Play uses the quantised net ([`Net`]): inputs in `i8`, layers in `i16`, sums of the first layer in
//! saturating `i16`, all others in `i32` and `i64`. Every machine and instruction set therefore computes the same bits.
//! Nothing is allocated. The loops are plain, and compilers vectorize them. The sparse first layer over counted inputs
//! is that of an efficiently updatable network (Nasu 2018). It is rebuilt for every position, because a search
//! evaluates few of the positions that it passes.
//!
//! **Priors.** A net may have a policy head ([`Net::has_policy`]), which says how promising the options of a decision are.
//!
//! **Learning** ([`learning`]) uses Adam on floating-point copies of the weights, in a fixed order of all sums.

mod arithmetic;
mod base64;
mod file;
mod inference;
mod inputs;
pub mod learning;
mod options;
mod policy;
mod quantised;

use self::arithmetic::FIRST;
pub use self::file::{FORMAT, PolicyProvenance, Provenance, is_net};
pub use self::inputs::{Entry, InputGroup, Inputs, Layout, NetInputs, SeatInputs, Slot, inputs_of};
pub use self::options::OptionInputs;
pub use self::quantised::Net;

/// The name of the parameter for the package's own net.
pub const OWN_NET: &str = "net";
/// The word of [`OWN_NET`] for the net of the package, whatever it is worth.
pub(crate) const ON: &str = "on";
/// The word of [`OWN_NET`] for the net of the package where the game takes it by default.
pub const AUTO: &str = "auto";
/// The word of [`OWN_NET`] for no net of the package.
pub const OFF: &str = "off";
/// Number of outputs of the first layer.
pub const HIDDEN: usize = 32;
/// Number of outputs of the second layer.
pub const NARROW: usize = 16;
/// Largest output of the first layer; larger ones are cut to it.
pub const CEILING: f32 = 8.0;
