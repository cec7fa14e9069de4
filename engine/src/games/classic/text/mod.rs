//! Texts of classic: notation and JSON.

mod notation;
mod table;
