//! The stop signal for all agents of the process. Once it is raised, agents answer at once, and their answers mean
//! nothing.
//!
//! A process that ends leaves it raised; one that goes on lowers it when its games are dropped. The caller checks
//! [`is_raised`] after every answer and drops the game.

use std::sync::atomic::{AtomicBool, Ordering};

static RAISED: AtomicBool = AtomicBool::new(false);

/// Makes all agents of this process answer at once, until the signal is lowered.
pub fn raise() {
    RAISED.store(true, Ordering::SeqCst);
}

/// Lets agents think again, after the games that were played have been dropped.
pub fn lower() {
    RAISED.store(false, Ordering::SeqCst);
}

/// Returns whether the stop signal is raised and answers mean nothing.
#[must_use]
pub fn is_raised() -> bool {
    RAISED.load(Ordering::Relaxed)
}
