//! Text of results: tables in every format, sentences, entries of documents. The module is pure: data in, text out.
//! Files and terminal belong to `cli`.

mod archive;
pub mod balance;
mod brief;
pub mod compare;
pub mod comparison;
pub mod dealt;
mod digits;
pub mod dynamics;
pub mod fit;
pub mod fixed_length;
pub mod format;
mod headline;
pub mod ladder;
pub mod learnt;
pub mod leaves;
pub mod luck;
mod metric;
pub mod names;
pub mod outcomes;
mod pairs;
pub mod panel;
pub mod plan;
mod portraits;
pub mod relations;
mod rounds;
pub mod rules;
pub mod standings;
pub mod strategies;
pub mod strategies_change;
pub mod table;
pub mod tune;
pub mod win_model;
