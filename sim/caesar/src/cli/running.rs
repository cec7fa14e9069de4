//! Common parts of commands that play: threads, the stop signal, and the line on speed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use agents::AgentSpec;
use agents::external::{TimeSummary, kill_all_programs};
use agents::halt;
use clap::Args;

use super::{note, within};
use sim::config::numbers::ranged;
use sim::error::Error;
use sim::units;

/// Polling interval of the stop flag, for work that does not check it itself.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// `--threads`, wherever games are played.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Threads {
    /// Worker threads (do not change results) [default: all cores]
    #[arg(long, value_name = "T", value_parser = ranged::<u16>(1, 1024))]
    threads: Option<u16>,
}

/// Returns the requested number of threads, or one for each core.
pub(super) fn threads(options: Threads) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    options.threads.map_or_else(all, usize::from)
}

pub(super) fn speed_line(games: u64, threads: usize, seconds: f64) -> String {
    let rate = games as f64 / seconds;
    format!(
        "{} games/s on {threads} thread{} ({})\n",
        units::rate(rate),
        if threads == 1 { "" } else { "s" },
        units::seconds(seconds)
    )
}

/// Returns a line for each external agent with the times of its choices.
pub(super) fn choice_time_lines(lineup: &[AgentSpec]) -> String {
    let ms = |time: Duration| units::fixed(time.as_secs_f64() * 1e3, 2);
    let line = |spec: &AgentSpec| {
        let TimeSummary { choices, median, p95, longest } = spec.choice_times()?;
        Some(format!(
            "time of a choice of {}: median {} ms, 95 % within {} ms, longest {} ms ({} choices)\n",
            spec.name(),
            ms(median),
            ms(p95),
            ms(longest),
            units::count(choices)
        ))
    };
    lineup.iter().filter_map(line).collect()
}

/// Runs `work`, which may be abandoned at any moment. Returns `None` as soon as `stop` is raised, without waiting for
/// the work.
pub(super) fn unless_stopped<T: Send + 'static>(
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (done, came) = mpsc::channel();
    // Nobody waits for abandoned work, so its result is dropped.
    let thread = std::thread::spawn(move || done.send(work()).unwrap_or_default());
    while !stop.load(Ordering::Relaxed) {
        match came.recv_timeout(LOOK_EVERY) {
            // Interrupted work has no result.
            Ok(came) => return Some(came).filter(|_| !stop.load(Ordering::Relaxed)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Ok(()) => return came.recv().ok(),
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
    }
    None
}

/// The message after the first signal.
const STOPPING: &str = "stopping: unfinished games are dropped; a second signal stops at once";

/// The flag of the process, which has one handler and may play several runs.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Returns a flag that Ctrl-C raises, with which all agents answer at once and their games are dropped; a second Ctrl-C
/// waits for nothing. Inside another program the flag is that program's.
pub(super) fn stop_on_signal() -> Result<Arc<AtomicBool>, Error> {
    if let Some(stop) = within::stop() {
        return Ok(stop);
    }
    if let Some(stop) = STOP.get() {
        return Ok(Arc::clone(stop));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            // Programs have separate process groups, so only this ends them.
            kill_all_programs();
            std::process::exit(130);
        }
        halt::raise();
        note(STOPPING);
    })
    .map_err(|e| Error::Failed(format!("cannot listen for Ctrl-C: {e}")))?;
    Ok(Arc::clone(STOP.get_or_init(|| stop)))
}
