//! The road to a better agent: a fit of its weights, a search from the better of the two, and reports at every number
//! of players. The instruments are those of [`fit`](crate::fit), [`compare`](crate::compare) and
//! [`tune`](crate::tune); nothing here estimates anything.
//!
//! A [`road`] writes the request of each step, and keeps the seeds for searching, for accepting and for reporting
//! apart by their types. An [`answer`] puts the results of the steps into sentences.

pub mod answer;
pub mod road;
