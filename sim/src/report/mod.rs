//! Results as text and data: tables, JSON, Parquet. Pure: data in, bytes out; files and terminal are the business
//! of `cli`.

pub mod compare;
pub mod json;
pub mod parquet;
pub mod ratings;
pub mod rules;
pub mod table;
