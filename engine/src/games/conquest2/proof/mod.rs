//! Proofs that the rules are kept: invariants of every position, and clauses on positions made by hand.

mod audit;
#[cfg(test)]
mod clauses;
#[cfg(test)]
mod course;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod position;
