//! Commands inside another program: their text is kept for it, and it stops them.

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Text and exit code of a command that ran inside another program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// The exit code.
    pub code: u8,
    /// The text for stdout.
    pub printed: String,
    /// The text for stderr: notes, and the error if there is one.
    pub notes: String,
}

#[derive(Debug)]
struct Running {
    stop: Arc<AtomicBool>,
    /// True if another program runs it; a step is run by a command of this one.
    is_hosted: bool,
    printed: String,
    notes: String,
}

impl Running {
    const fn new(stop: Arc<AtomicBool>, is_hosted: bool) -> Self {
        Self { stop, is_hosted, printed: String::new(), notes: String::new() }
    }
}

/// The running commands: each is a step of the one before it.
static RUNNING: Mutex<Vec<Running>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the command given by `args` (the first is the program) without a terminal and without signals. A raised `stop`
/// ends it as Ctrl-C does; the caller also raises [`agents::halt`]. Returns `None` if this process runs one already.
///
/// # Example
/// ```
/// let args = ["caesar", "tournament", "--game", "pig", "--blocks", "2"].map(Into::into);
/// let ended = caesar::cli::run_within(args, Default::default()).expect("no other command runs");
/// assert_eq!(ended.code, 0);
/// assert!(ended.printed.starts_with("Standings in pig"));
/// ```
pub fn run_within(
    args: impl IntoIterator<Item = OsString>,
    stop: Arc<AtomicBool>,
) -> Option<Ended> {
    {
        let mut running = running();
        if !running.is_empty() {
            return None;
        }
        running.push(Running::new(stop, true));
    }
    ended(args)
}

/// Runs a command as a step of the one that calls this. Its text is kept, and a raised `stop` ends it.
pub(super) fn step(
    args: impl IntoIterator<Item = OsString>,
    stop: Arc<AtomicBool>,
) -> Option<Ended> {
    running().push(Running::new(stop, false));
    ended(args)
}

fn ended(args: impl IntoIterator<Item = OsString>) -> Option<Ended> {
    let code = sim::game_loop::guarded(|| super::run(args));
    let ended = running().pop()?;
    let (code, fault) =
        code.map_or_else(|fault| (1, format!("error: {fault}\n")), |code| (code, String::new()));
    Some(Ended { code, printed: ended.printed, notes: ended.notes + &fault })
}

/// Returns whether the command runs inside another program, or as a step of another command.
pub(super) fn is_within() -> bool {
    !running().is_empty()
}

/// Returns whether another program runs the command, or the command of which it is a step.
pub(super) fn has_host() -> bool {
    running().first().is_some_and(|running| running.is_hosted)
}

/// Keeps a text for stdout. Returns whether there is somebody to keep it for.
pub(super) fn keep_printed(text: &str) -> bool {
    running().last_mut().map(|running| running.printed.push_str(text)).is_some()
}

/// Keeps a line for stderr. Returns whether there is somebody to keep it for.
pub(super) fn keep_note(line: &str) -> bool {
    running().last_mut().map(|running| running.notes.extend([line, "\n"])).is_some()
}

/// Returns the flag with which the other program stops the command.
pub(super) fn stop() -> Option<Arc<AtomicBool>> {
    running().last().map(|running| Arc::clone(&running.stop))
}
