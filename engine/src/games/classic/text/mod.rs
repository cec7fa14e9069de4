//! Texts of classic: notation and JSON.

mod notation;
mod table;
mod tensor;

pub(crate) use self::tensor::Numbers;
