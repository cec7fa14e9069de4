//! Tuning: a search for better parameters of an agent, or for rules that meet a target, with a confirmation on fresh
//! games.
//!
//! A [`space`] lists the open values, and a [method](methods) requests points. The [evaluator] plays them on an
//! [objective] and writes every row into a [journal]. The [run] chooses among the results on one [pool of
//! seeds](pools) and reports on another.

pub mod agent_objective;
pub mod confirm;
pub mod entrants;
pub mod evaluator;
pub mod gain;
pub mod history;
pub mod journal;
pub mod manifest;
pub mod methods;
pub mod objective;
pub mod pools;
pub mod request;
pub mod response;
pub mod rule_set;
mod rules_objective;
pub mod run;
pub mod space;
mod space_file;
pub mod study;
pub mod subject;
pub mod target;
pub mod template;
