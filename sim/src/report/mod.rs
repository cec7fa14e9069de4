//! Results as text and JSON, for people who read and programs that ask. Pure: data in, text out; files and terminal are
//! the business of `cli`.

pub mod compare;
pub mod ratings;
pub mod rules;
pub mod table;
