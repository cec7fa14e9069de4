//! The command: inside Python, and as the entry point of the package.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agents::halt;
use pyo3::prelude::*;

use crate::calls::{self, Call, Calls, Message};
use crate::error::bad;
use crate::question::{self, Waiting};

/// Interval at which signals are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

thread_local! {
    /// The number of runs that wait on this thread: an agent of a run may itself start a search.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Runs `work` on a thread of its own, without the interpreter, and does the calls that it sends. A signal stops all
/// agents, and is raised when the work has ended.
pub(crate) fn interruptibly<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Calls) -> T + Send,
) -> PyResult<T> {
    let channel = calls::channel();
    let calls = channel.0.clone();
    wait_for(py, channel, &AtomicBool::new(false), || work(calls))
}

/// Runs `work` and meanwhile does the calls into Python that come by the channel, on this thread. So no other thread
/// takes the interpreter's lock, a signal is raised inside the call that it finds, and it ends endless calls.
fn wait_for<T: Send>(
    py: Python<'_>,
    channel: calls::Channel,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (calls, receiver) = channel;
    let mut inbox = Inbox { receiver, kept: VecDeque::new() };
    DEPTH.set(DEPTH.get() + 1);
    let mut interrupt = None;
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            // Sent when this is dropped, and so after a panic.
            let _over = calls.over_when_dropped();
            work()
        });
        while let Some(call) = inbox.next(py) {
            let signal = match call {
                // The games that wait for a call are dropped.
                Some(_) if interrupt.is_some() => continue,
                Some(call) => call(py).and_then(|()| py.check_signals()).err(),
                None => py.check_signals().err(),
            };
            if let Some(signal) = signal {
                stop.store(true, Ordering::Relaxed);
                halt::raise();
                interrupt.get_or_insert(signal);
            }
        }
        py.detach(|| worker.join())
    });
    DEPTH.set(DEPTH.get() - 1);
    match (interrupt, result) {
        (Some(signal), _) => {
            // The run in whose agent this one began is still to be stopped.
            if DEPTH.get() == 0 {
                halt::lower();
            }
            Err(signal)
        }
        (None, Ok(result)) => Ok(result),
        (None, Err(_)) => Err(bad("the toolkit failed: please report how")),
    }
}

/// The messages of a run, in the order in which they came.
struct Inbox {
    receiver: Mutex<Receiver<Message>>,
    /// Messages that came before a call was full.
    kept: VecDeque<Message>,
}

impl Inbox {
    /// Waits for a call without the interpreter. Returns `Some(None)` when it is time to look for signals, and `None` at
    /// the end of the work.
    fn next(&mut self, py: Python<'_>) -> Option<Option<Call>> {
        let came = self.kept.pop_front().map_or_else(
            || {
                let receiver = &self.receiver;
                let lock = || receiver.lock().unwrap_or_else(PoisonError::into_inner);
                py.detach(|| lock().recv_timeout(LOOK_EVERY))
            },
            Ok,
        );
        match came {
            Ok(Message::Call(call)) => Some(Some(call)),
            Ok(Message::Question(first)) => {
                let all = self.with_others(first);
                Some(Some(Box::new(move |py| question::answer(py, all))))
            }
            Err(RecvTimeoutError::Timeout) => Some(None),
            Ok(Message::Over) | Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Returns a question with those that wait beside it and can go in one call.
    fn with_others(&mut self, first: Waiting) -> Vec<Waiting> {
        let mut all = vec![first];
        let receiver = self.receiver.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.kept.extend(receiver.try_iter());
        for message in std::mem::take(&mut self.kept) {
            match message {
                Message::Question(other) if all.len() < all[0].most && other.goes_with(&all[0]) => {
                    all.push(other);
                }
                other => self.kept.push_back(other),
            }
        }
        all
    }
}

/// Runs the command with these arguments and returns its exit code, and what it would print on stdout and on stderr.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, args: Vec<String>) -> PyResult<(u8, String, String)> {
    let stop = Arc::new(AtomicBool::new(false));
    let args = std::iter::once("caesar".to_owned()).chain(args).map(OsString::from);
    let args: Vec<OsString> = args.collect();
    let flag = Arc::clone(&stop);
    let calls = calls::channel();
    let Some(_taken) = calls.0.take_calls_of_agents() else {
        return Err(bad("another run of this process is not over yet"));
    };
    let ended = wait_for(py, calls, &stop, || caesar::cli::run_within(args, flag))?;
    let ended = ended.ok_or_else(|| bad("another run of this process is not over yet"))?;
    Ok((ended.code, ended.printed, ended.notes))
}

/// Runs the command on the terminal and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| caesar::cli::run(args))
}
