//! Texts of conquest2: actions, events and positions as words, as JSON, and as each seat sees them.

mod notation;
mod observation;
mod table;
mod tensor;

pub(crate) use self::tensor::numbers;
