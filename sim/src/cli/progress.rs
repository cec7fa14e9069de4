//! How far a run is: a bar on a terminal, a plain line every ten seconds elsewhere, always on stderr.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::note;
use crate::event::{Event, Observer};
use crate::units;

/// A run that is over before this shows nothing.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// Time between plain lines.
pub(super) const LINE_EVERY: Duration = Duration::from_secs(10);
/// Games between looks at the clock.
const LOOK_EVERY: u64 = 16;

/// Shows the progress of a run.
#[derive(Debug)]
pub(super) struct Progress {
    quiet: bool,
    since: Instant,
    last_line: Instant,
    done: u64,
    total: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new(quiet: bool) -> Self {
        let now = Instant::now();
        Self { quiet, since: now, last_line: now, done: 0, total: 0, bar: None }
    }

    /// Time since the start.
    pub(super) fn seconds(&self) -> f64 {
        self.since.elapsed().as_secs_f64()
    }

    fn look(&mut self) {
        if let Some(bar) = &self.bar {
            bar.set_message(self.line());
            bar.set_position(self.done);
        } else if io::stderr().is_terminal() {
            if self.since.elapsed() >= PATIENCE {
                self.bar = Some(self.new_bar());
            }
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            note(&self.line());
        }
    }

    fn new_bar(&self) -> ProgressBar {
        let bar =
            ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr_with_hz(5));
        let style = ProgressStyle::with_template("[{bar:30}] {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        bar.with_message(self.line()).with_position(self.done)
    }

    fn line(&self) -> String {
        let rate = self.done as f64 / self.seconds();
        let left = (self.total - self.done) as f64 / rate;
        format!(
            "{} of {} games, {} games/s, {} left",
            units::count(self.done),
            units::count(self.total),
            units::rate(rate),
            units::seconds(left)
        )
    }
}

impl Observer for Progress {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Started { n_games } => self.total = *n_games,
            Event::GameOver(_) => {
                self.done += 1;
                if !self.quiet && self.done.is_multiple_of(LOOK_EVERY) {
                    self.look();
                }
            }
            Event::Finished => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
            }
        }
        ControlFlow::Continue(())
    }
}
