//! Progress of a run: a bar on a terminal, a plain line every ten seconds elsewhere, always on stderr.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::stderr_is_terminal;
use super::{look_of_stderr, note};
use sim::event::{Event, Observer};
use sim::units;
use sim::visible::visible;

/// Shortest time after which a run shows progress.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// Time between plain lines.
pub(super) const LINE_EVERY: Duration = Duration::from_secs(10);
/// Time between drawings of the bar.
const DRAW_EVERY: Duration = Duration::from_millis(200);
/// Games between looks at the clock, once there have been many.
const LOOK_EVERY: u64 = 64;
/// Smallest number of games that counts as many.
const MANY: u64 = 1024;

/// Progress display of a run.
#[derive(Debug)]
pub(super) struct Progress {
    quiet: bool,
    since: Instant,
    last_line: Instant,
    done: u64,
    total: u64,
    /// Games from before the run.
    skipped: u64,
    /// Text after the numbers.
    suffix: String,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new(quiet: bool) -> Self {
        let now = Instant::now();
        Self {
            quiet,
            since: now,
            last_line: now,
            done: 0,
            total: 0,
            skipped: 0,
            suffix: String::new(),
            bar: None,
        }
    }

    /// Counts `games` as done before the run began.
    pub(super) fn skip(&mut self, games: u64) {
        self.skipped = games;
    }

    /// Returns whether the next game updates the display.
    pub(super) fn is_due(&self) -> bool {
        let looks = self.done < MANY || (self.done + 1).is_multiple_of(LOOK_EVERY);
        !self.quiet && looks && self.since.elapsed() >= PATIENCE && {
            let is_terminal = self.bar.is_some() || stderr_is_terminal();
            self.last_line.elapsed() >= if is_terminal { DRAW_EVERY } else { LINE_EVERY }
        }
    }

    /// Sets the text after the numbers.
    pub(super) fn say(&mut self, text: &str) {
        self.suffix = visible(text).into_owned();
    }

    /// Returns the time since the start.
    pub(super) fn seconds(&self) -> f64 {
        self.since.elapsed().as_secs_f64()
    }

    fn look(&mut self) {
        self.last_line = Instant::now();
        if let Some(bar) = &self.bar {
            bar.set_message(self.numbers());
            bar.set_prefix(self.suffix.clone());
            bar.set_position(self.done + self.skipped);
        } else if stderr_is_terminal() {
            self.bar = Some(self.new_bar());
        } else {
            note(&self.line());
        }
    }

    fn new_bar(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(
            Some(self.total + self.skipped),
            ProgressDrawTarget::stderr_with_hz(5),
        );
        // The text has a separate line: both parts exceed a usual terminal.
        let style = ProgressStyle::with_template("[{bar:20}] {wide_msg}\n{prefix}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        let bar = bar.with_message(self.numbers()).with_prefix(self.suffix.clone());
        bar.with_position(self.done + self.skipped)
    }

    /// Returns the number of characters available for the text.
    pub(super) fn room(&self) -> usize {
        let width = look_of_stderr().width;
        match self.bar.is_some() || stderr_is_terminal() {
            true => width.saturating_sub(1),
            false => width.saturating_sub(self.numbers().chars().count() + 2),
        }
    }

    /// Returns all on one line.
    fn line(&self) -> String {
        let suffix =
            if self.suffix.is_empty() { String::new() } else { format!("; {}", self.suffix) };
        self.numbers() + &suffix
    }

    fn numbers(&self) -> String {
        let rate = self.done as f64 / self.seconds();
        let left = (self.total - self.done) as f64 / rate;
        format!(
            "{} of {} games, {} games/s, {} left",
            units::count(self.done + self.skipped),
            units::count(self.total + self.skipped),
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
                let is_due = self.is_due();
                self.done += 1;
                if is_due {
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
