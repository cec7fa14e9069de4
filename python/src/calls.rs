//! Calls into Python from the threads of a run. One thread does them all: the one that waits for the run.
//!
//! If each thread of the run took the interpreter's lock for its own calls, a signal or another thread of Python would
//! wait for it behind all of them: Python promises no turn among threads that it meets anew in each call. And no signal
//! could end a call that does not return, since Python raises signals on its main thread alone.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agents::evaluators::Evaluated;
use agents::halt;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error::{STOPPED, reason};
use crate::question::{Question, Waiting};

/// A call; its error is an interrupt.
pub(crate) type Call = Box<dyn FnOnce(Python<'_>) -> PyResult<()> + Send>;

/// A message from the threads of a run to the thread that waits for it.
pub(crate) enum Message {
    /// A call to do.
    Call(Call),
    /// A question, which may share a call with others.
    Question(Waiting),
    /// The end of the run.
    Over,
}

/// The sending end of a channel of calls.
#[derive(Clone, Debug)]
pub(crate) struct Calls(Sender<Message>);

/// A channel of calls; the mutex lets the receiver wait without the interpreter.
pub(crate) type Channel = (Calls, Mutex<Receiver<Message>>);

/// Interval at which a thread that waits for its call checks the stop signal.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The channel of the run whose agents are written in Python.
static OF_AGENTS: Mutex<Option<Calls>> = Mutex::new(None);

fn of_agents() -> MutexGuard<'static, Option<Calls>> {
    OF_AGENTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a new channel.
pub(crate) fn channel() -> Channel {
    let (send, receive) = mpsc::channel();
    (Calls(send), Mutex::new(receive))
}

/// Sends [`Message::Over`] when it is dropped.
pub(crate) struct Over(Calls);

impl Drop for Over {
    fn drop(&mut self) {
        // Nobody waits any more if the channel is closed.
        self.0.0.send(Message::Over).unwrap_or_default();
    }
}

/// The right to the calls of agents, until it is dropped.
pub(crate) struct Taken(());

impl Drop for Taken {
    fn drop(&mut self) {
        *of_agents() = None;
    }
}

impl Calls {
    /// Returns a guard that ends the wait for the run when it is dropped.
    pub(crate) const fn over_when_dropped(self) -> Over {
        Over(self)
    }

    /// Leads the calls of agents through this channel. Returns `None` if another run has them.
    pub(crate) fn take_calls_of_agents(&self) -> Option<Taken> {
        let mut of_agents = of_agents();
        of_agents.is_none().then(|| {
            *of_agents = Some(self.clone());
            Taken(())
        })
    }

    /// Lets the thread that waits for the run do `call`, and returns its result, with the time before it began.
    ///
    /// # Errors
    /// If the call raises an exception, or the run was stopped: the reason, in one line.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        call: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static,
    ) -> (Result<T, String>, Duration) {
        let (reply, answer) = mpsc::channel();
        let since = Instant::now();
        let call = Box::new(move |py: Python<'_>| {
            let waited = since.elapsed();
            let result = call(py);
            let (result, interrupt) = match result {
                Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                    (Err(STOPPED.to_owned()), Err(error))
                }
                result => (result.map_err(|error| reason(py, &error)), Ok(())),
            };
            // Nobody waits for the calls of a run that was stopped.
            reply.send((result, waited)).unwrap_or_default();
            interrupt
        });
        let came = self.wait_for(Message::Call(call), &answer);
        came.unwrap_or_else(|| (Err(STOPPED.to_owned()), since.elapsed()))
    }

    /// Sends a message and waits for its answer. Returns `None` if the run was stopped.
    fn wait_for<T>(&self, message: Message, answer: &Receiver<T>) -> Option<T> {
        self.0.send(message).ok()?;
        loop {
            match answer.recv_timeout(LOOK_EVERY) {
                Ok(came) => return Some(came),
                Err(RecvTimeoutError::Timeout) if !halt::is_raised() => {}
                Err(_) => return None,
            }
        }
    }
}

/// Does a call of an agent, as [`Calls::call`].
///
/// # Errors
/// If the call raises an exception, the run was stopped, or there is none: the reason, in one line.
pub(crate) fn call_agent<T: Send + 'static>(
    call: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static,
) -> (Result<T, String>, Duration) {
    let calls = of_agents().clone();
    calls.map_or_else(|| (Err(STOPPED.to_owned()), Duration::ZERO), |calls| calls.call(call))
}

/// Calls a function with a leaf of a game in a run, and returns its answer. Leaves of other games that wait meanwhile
/// share the call, up to `most`.
///
/// # Errors
/// If the call fails, the run was stopped, or there is none: the reason, in one line.
pub(crate) fn ask_in_run(
    function: &Arc<Py<PyAny>>,
    most: usize,
    question: Question,
) -> Result<Evaluated, String> {
    let (reply, answer) = mpsc::channel();
    let waiting = Waiting { function: Arc::clone(function), most, question, reply };
    let calls = of_agents().clone();
    let came = calls.and_then(|calls| calls.wait_for(Message::Question(waiting), &answer));
    came.unwrap_or_else(|| Err(STOPPED.to_owned()))
}
