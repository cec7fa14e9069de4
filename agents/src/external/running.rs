//! The running programs, so that they can be ended before this process exits at once.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a program that was started.
pub(super) fn note(id: u32) {
    running().insert(id);
}

/// Removes a program, before the system may reuse its id.
pub(super) fn forget(id: u32) {
    running().remove(&id);
}

/// Kills all programs that this process has started, with their children.
pub fn kill_all_programs() {
    // The lock is held, so no id is reused during the loop.
    for &id in running().iter() {
        kill(id);
    }
}

#[cfg(unix)]
fn kill(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    pid.map_or(Ok(()), |pid| kill_process_group(pid, Signal::KILL)).unwrap_or_default();
}

#[cfg(not(unix))]
fn kill(_id: u32) {}
