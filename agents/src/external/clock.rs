//! The clock of a program: time for a whole game, and what each answer adds.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Clock for all answers of a game, written `60+0.5`: seconds, and an increment for each answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time at the start of a game, greater than 0.
    pub time: Duration,
    /// Time that each answer adds.
    pub increment: Duration,
}

/// Longest time of a clock, in seconds.
const LONGEST: f64 = 1e6;

impl FromStr for Clock {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        let read = |part: &str, least: f64| {
            let seconds = part.parse().ok().filter(|seconds| (least..=LONGEST).contains(seconds));
            seconds.map(Duration::from_secs_f64)
        };
        let clock = read(time, 0.001).zip(read(increment, 0.0));
        let clock = clock.map(|(time, increment)| Self { time, increment });
        clock.ok_or_else(|| {
            format!(
                "clock = \"{text}\": no clock (accepted: seconds, and what an answer adds, as in 60+0.5)"
            )
        })
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.time.as_secs_f64(), self.increment.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_read_and_written() {
        for (text, written) in [("60+0.5", "60+0.5"), ("5", "5+0"), ("0.25+10", "0.25+10")] {
            assert_eq!(
                text.parse::<Clock>().map(|clock| clock.to_string()),
                Ok(written.to_owned())
            );
        }
        for text in ["", "0", "0+1", "-1", "5+-1", "five", "5+", "5+1+1", "inf", "NaN", "1e9"] {
            let refused = text.parse::<Clock>().unwrap_err();
            assert!(refused.contains(&format!("\"{text}\"")), "{refused}");
        }
    }
}
