//! Tuning: better values for the parameters of an agent, or for rules, looked for by playing and honestly confirmed.
//!
//! A [`space`] says what may change, a [method](methods) asks for points to be played, the [evaluator] has them played
//! on an [objective] and writes every row into a [journal], and the [run] chooses among what was found on one [pool of
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
