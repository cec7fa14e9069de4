//! Proof: invariants of a position counted anew from the board, and tests of clauses on positions set up by hand.

mod audit;
#[cfg(test)]
mod beside;
#[cfg(test)]
mod clauses;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod position;
#[cfg(test)]
mod succession;
