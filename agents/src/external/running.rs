//! The programs that run now: whoever ends this process at once can end them before, and say what it waits for.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// For each running program the moment until which its answer is waited for, if it is asked.
static RUNNING: Mutex<BTreeMap<u32, Option<Instant>>> = Mutex::new(BTreeMap::new());

fn running() -> MutexGuard<'static, BTreeMap<u32, Option<Instant>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a program that was started, asked for an answer until `until`, or answered.
pub(super) fn note(id: u32, until: Option<Instant>) {
    running().insert(id, until);
}

/// Forgets a program, before the system may give its number to another.
pub(super) fn forget(id: u32) {
    running().remove(&id);
}

/// Returns how long an answer of a program may still be waited for; `None` if none is.
#[must_use]
pub fn longest_wait_for_programs() -> Option<Duration> {
    let now = Instant::now();
    running().values().flatten().map(|until| until.saturating_duration_since(now)).max()
}

/// Kills all programs that this process has started, with what they have started in their turn.
pub fn kill_all_programs() {
    // The lock is held: no number is given back while it is used.
    for &id in running().keys() {
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
