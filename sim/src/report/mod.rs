//! Results as text: tables, JSON, CSV. Pure: data in, text out; files and terminal are the business of `cli`.

pub mod csv;
pub mod json;
pub mod ratings;
pub mod table;
