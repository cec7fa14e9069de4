//! Results as text and data: tables in every format, JSON, Parquet. Pure: data in, bytes out; files and terminal are the
//! business of `cli`.

pub mod compare;
pub mod comparison;
pub mod format;
pub mod json;
pub mod names;
pub mod parquet;
pub mod ratings;
pub mod relations;
pub mod rules;
pub mod standings;
pub mod table;
