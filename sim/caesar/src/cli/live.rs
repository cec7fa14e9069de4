//! Status line for work of unknown length: in place on a terminal, every ten seconds elsewhere, always on stderr.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::note;
use super::output::draws_in_place;
use super::progress::{LINE_EVERY, PATIENCE};
use sim::visible::visible;

/// Shows a line about a run.
#[derive(Debug)]
pub(super) struct Live {
    quiet: bool,
    since: Instant,
    last_look: Instant,
    spinner: Option<ProgressBar>,
}

impl Live {
    pub(super) fn new(quiet: bool) -> Self {
        let now = Instant::now();
        Self { quiet, since: now, last_look: now, spinner: None }
    }

    /// Returns the time since the start.
    pub(super) fn seconds(&self) -> f64 {
        self.since.elapsed().as_secs_f64()
    }

    /// Shows `line`, if it is time for it.
    pub(super) fn look(&mut self, line: impl FnOnce() -> String) {
        let is_terminal = draws_in_place();
        let pause = if is_terminal { PATIENCE / 10 } else { LINE_EVERY };
        if self.quiet || self.since.elapsed() < PATIENCE || self.last_look.elapsed() < pause {
            return;
        }
        self.last_look = Instant::now();
        if !is_terminal {
            return note(&line());
        }
        let spinner = self.spinner.get_or_insert_with(|| {
            let target = ProgressDrawTarget::stderr_with_hz(5);
            let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
            ProgressBar::with_draw_target(None, target)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        spinner.set_message(visible(&line()).into_owned());
        spinner.tick();
    }

    /// Clears the line.
    pub(super) fn finish(&mut self) {
        if let Some(spinner) = self.spinner.take() {
            spinner.finish_and_clear();
        }
    }
}
