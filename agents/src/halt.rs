//! The stop signal for all agents of the process. Once it is raised, agents answer at once, and their answers mean
//! nothing.
//!
//! It is for a process that ends, so it is never lowered. The caller checks [`is_raised`] after every answer and drops
//! the game.

use std::sync::atomic::{AtomicBool, Ordering};

static RAISED: AtomicBool = AtomicBool::new(false);

/// Makes all agents of this process answer at once, until the process ends.
pub fn raise() {
    RAISED.store(true, Ordering::SeqCst);
}

/// Returns whether the stop signal is raised and answers mean nothing.
#[must_use]
pub fn is_raised() -> bool {
    RAISED.load(Ordering::Relaxed)
}
