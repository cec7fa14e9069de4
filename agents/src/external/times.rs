//! The times of a program's choices, counted over all games of a run.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Buckets for each doubling of the time: one is 4.4 % wide.
const PER_DOUBLING: f64 = 16.0;

/// Times of choices by wall clock, in buckets; clones count together.
#[derive(Clone, Default, Debug)]
pub struct ChoiceTimes(Arc<Mutex<Counts>>);

#[derive(Default, Debug)]
struct Counts {
    /// Choices by bucket of the time in microseconds.
    buckets: Vec<u64>,
    longest: Duration,
}

/// Times that half, 95 % and all of some choices do not exceed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeSummary {
    /// Number of choices, at least 1.
    pub choices: u64,
    /// Time that half of them do not exceed, to 4.4 %.
    pub median: Duration,
    /// Time that 95 % of them do not exceed, to 4.4 %.
    pub p95: Duration,
    /// Longest time, exactly.
    pub longest: Duration,
}

impl ChoiceTimes {
    /// Counts the time of a choice.
    pub(super) fn add(&self, time: Duration) {
        let bucket = (PER_DOUBLING * (time.as_secs_f64() * 1e6).max(1.0).log2()) as usize;
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.buckets.len() <= bucket {
            counts.buckets.resize(bucket + 1, 0);
        }
        counts.buckets[bucket] += 1;
        counts.longest = counts.longest.max(time);
    }

    /// Returns the times so far; `None` before the first choice.
    #[must_use]
    pub fn summary(&self) -> Option<TimeSummary> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let choices: u64 = counts.buckets.iter().sum();
        let within = |share: f64| {
            let needed = (share * choices as f64).ceil() as u64;
            let mut seen = 0;
            let bucket = counts.buckets.iter().position(|count| {
                seen += count;
                seen >= needed
            });
            let microseconds = ((bucket.unwrap_or_default() + 1) as f64 / PER_DOUBLING).exp2();
            Duration::from_secs_f64(microseconds / 1e6).min(counts.longest)
        };
        let longest = counts.longest;
        (choices > 0).then(|| TimeSummary {
            choices,
            median: within(0.5),
            p95: within(0.95),
            longest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_known_to_a_bucket_and_clones_count_together() {
        let times = ChoiceTimes::default();
        assert_eq!(times.summary(), None);
        let milliseconds = |n: u64| Duration::from_millis(n);
        let clone = times.clone();
        (1..=100).for_each(|n| clone.add(milliseconds(n)));
        let TimeSummary { choices, median, p95, longest } = times.summary().unwrap();
        assert_eq!((choices, longest), (100, milliseconds(100)));
        for (time, exact) in [(median, 50.0), (p95, 95.0)] {
            let ratio = time.as_secs_f64() * 1e3 / exact;
            assert!((1.0..1.045).contains(&ratio), "{time:?}");
        }
        let at_once = ChoiceTimes::default();
        at_once.add(Duration::ZERO);
        assert_eq!(at_once.summary().unwrap().p95, Duration::ZERO);
    }
}
