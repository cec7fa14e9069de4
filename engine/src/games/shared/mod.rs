//! Parts that several games share: dice, units, maps of provinces and zones, sets of options.

pub(super) mod dice;
pub(super) mod map;
pub(super) mod options;
pub(super) mod side;
pub mod units;
