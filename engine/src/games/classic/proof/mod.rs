//! Proof: invariants of a position counted anew from the board.

mod audit;
