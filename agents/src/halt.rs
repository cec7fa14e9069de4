//! The end of all thinking: once it is raised, agents answer at once, and what they answer means nothing.
//!
//! It is for a process that ends: nobody lowers it. Whoever plays asks [`is_raised`] after every answer, and drops the game.

use std::sync::atomic::{AtomicBool, Ordering};

static RAISED: AtomicBool = AtomicBool::new(false);

/// Lets all agents of this process answer at once, from now on to its end.
pub fn raise() {
    RAISED.store(true, Ordering::SeqCst);
}

/// Returns whether answers mean nothing any more.
#[must_use]
pub fn is_raised() -> bool {
    RAISED.load(Ordering::Relaxed)
}
