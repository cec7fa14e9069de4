//! The command: inside Python, and as the entry point of the package.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agents::halt;
use pyo3::prelude::*;

use crate::error::bad;

/// Interval at which signals are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Runs `work` on a thread of its own, without the interpreter. A signal stops all agents, and is raised when the work
/// has ended.
pub(crate) fn interruptibly<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    interruptibly_with(py, &AtomicBool::new(false), work)
}

fn interruptibly_with<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (done, came) = mpsc::channel();
    let came = Mutex::new(came);
    let mut interrupt = None;
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let result = work();
            // Nobody waits any more if the channel is closed.
            done.send(()).unwrap_or_default();
            result
        });
        loop {
            let heard = py.detach(|| {
                came.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK_EVERY)
            });
            if !matches!(heard, Err(RecvTimeoutError::Timeout)) {
                return py.detach(|| worker.join());
            }
            if let Err(signal) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                halt::raise();
                interrupt.get_or_insert(signal);
            }
        }
    });
    match (interrupt, result) {
        (Some(signal), _) => {
            halt::lower();
            Err(signal)
        }
        (None, Ok(result)) => Ok(result),
        (None, Err(_)) => Err(bad("the toolkit failed: please report how")),
    }
}

/// Runs the command with these arguments and returns its exit code, and what it would print on stdout and on stderr.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, args: Vec<String>) -> PyResult<(u8, String, String)> {
    let stop = Arc::new(AtomicBool::new(false));
    let args = std::iter::once("caesar".to_owned()).chain(args).map(OsString::from);
    let args: Vec<OsString> = args.collect();
    let flag = Arc::clone(&stop);
    let ended = interruptibly_with(py, &stop, || caesar::cli::run_within(args, flag))?;
    let ended = ended.ok_or_else(|| bad("another run of this process is not over yet"))?;
    Ok((ended.code, ended.printed, ended.notes))
}

/// Runs the command on the terminal and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| caesar::cli::run(args))
}
