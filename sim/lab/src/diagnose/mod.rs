//! What a search makes of its budget, without playing games out: what its choices lose, how far it agrees with itself,
//! and where it leaves what its priors prefer.
//!
//! Positions come from games of a cheap agent ([`positions`]). What an option is worth there say two independent searches
//! that visit **every** option of the decision equally often, so that options count that priors bury: the *reference*
//! names the best one, the *judge* says what the best and the chosen one are worth ([`judge`]). The best of many noisy
//! values is too high; a value that another search gives to what was picked by the first is not.
//!
//! The [`spread`] of a search is how much the value of one of two options changes from one search of a position to
//! the next, where both are visited in turn. Where budgets buy knowledge, it falls as they grow. That searches agree
//! with themselves is no aim: who trusts his prior does, and loses.
//!
//! Where the best option is a single ply though there are macro-actions, the action that it begins is played to its end by
//! the judge, and a macro-action says the same, or none does and one is *missing* ([`macro_coverage`]).
//!
//! What leaves say of how games end is asked apart: the options of a position are played to the horizon, valued, and played
//! to the end ([`leaves`]).
//!
//! A position of each game counts once, so positions are independent, and intervals are bootstrapped over them
//! ([`estimate`]).

pub mod estimate;
pub mod judge;
pub mod leaves;
pub mod macro_coverage;
pub mod positions;
pub mod spread;
pub mod study;

pub use study::{Outcome, Request, run};
