//! Diagnosis of a search on single positions: the loss of its choices, its agreement with itself, and its departures
//! from its priors.
//!
//! Positions come from games of a cheap agent ([`positions`]). Two independent searches estimate the options there.
//! They visit **every** option of the decision equally often, including those that the priors bury. The *reference*
//! selects the best option; the *judge* values the best and the chosen one ([`judge`]). The maximum of many noisy
//! values is biased upwards; the value from a second search is not.
//!
//! The [`spread`] of a search is the standard deviation of an option's value between searches of the same position,
//! with two options visited in turn. It falls as the budget grows if budget buys knowledge. Agreement alone is no
//! goal: a search that trusts its prior blindly agrees with itself, and loses.
//!
//! If the best option is a single ply although there are macro-actions, the judge plays the action that it begins to
//! its end. Either a macro-action has the same plies, or one is *missing* ([`macro_coverage`]).
//!
//! The calibration of leaf values is measured separately: the options of a position are played to the horizon, valued,
//! and played to the end ([`leaves`]).
//!
//! Each game contributes one position, so positions are independent; intervals are bootstrapped over positions
//! ([`estimate`]).

pub mod estimate;
pub mod judge;
pub mod leaves;
pub mod macro_coverage;
pub mod positions;
pub mod spread;
pub mod study;

pub use study::{Outcome, Request, run};
