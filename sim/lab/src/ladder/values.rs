//! The numbers of a ladder's rungs: listed, or each a multiple of the one before.

use sim::error::Error;
use sim::units;

/// The largest number of rungs.
pub const MOST_RUNGS: u64 = 64;
/// The default number of rungs.
pub const DEFAULT_RUNGS: u64 = 5;
/// The default ratio of the numbers of neighbouring rungs.
pub const DEFAULT_FACTOR: f64 = 2.0;
/// The digits to which multiples are rounded, so that 0.1 times 3 is 0.3.
const DIGITS: usize = 11;

/// The requested numbers.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Listed numbers.
    Listed(Vec<f64>),
    /// Multiples of the first number.
    By {
        /// The first number.
        from: f64,
        /// The ratio of each number to the one before.
        factor: f64,
        /// The number of rungs.
        rungs: u64,
    },
}

impl Values {
    /// Returns the numbers from the lowest up, as integers if the parameter is one.
    ///
    /// # Errors
    /// If there are fewer than two or more than [`MOST_RUNGS`], or they do not increase.
    pub fn numbers(&self, is_whole: bool) -> Result<Vec<f64>, Error> {
        match self {
            Self::Listed(values) => listed(values),
            &Self::By { from, factor, rungs } => multiples(from, factor, rungs, is_whole),
        }
    }
}

fn listed(values: &[f64]) -> Result<Vec<f64>, Error> {
    let text = || values.iter().map(|&x| units::given(x)).collect::<Vec<_>>().join(",");
    check_number("values", &text(), values.len() as u64)?;
    match values.windows(2).find(|two| !rises(two)) {
        None => Ok(values.to_vec()),
        Some(two) => {
            let [before, after] = [two[0], two[1]].map(units::given);
            let message = format!(
                "they must rise, and {after} follows {before}: list them from the lowest up"
            );
            Err(Error::value("values", text(), message))
        }
    }
}

fn multiples(from: f64, factor: f64, rungs: u64, is_whole: bool) -> Result<Vec<f64>, Error> {
    check_number("rungs", &rungs.to_string(), rungs)?;
    if !(from > 0.0 && from.is_finite()) {
        let message = "it is out of range (accepted: above 0, since no factor leads away from 0): list the values";
        return Err(Error::value("from", units::given(from), message));
    }
    if !(factor > 1.0 && factor.is_finite()) {
        let message = "it is out of range (accepted: above 1, since the numbers of a ladder rise)";
        return Err(Error::value("factor", units::given(factor), message));
    }
    let rounded = |x: f64| {
        if is_whole { x.round() } else { format!("{x:.DIGITS$e}").parse().unwrap_or(x) }
    };
    // The first stays as given, so that a parameter that refuses it can quote it.
    let multiple = |i: i32| if i == 0 { from } else { rounded(from * factor.powi(i)) };
    let values: Vec<f64> = (0..rungs as i32).map(multiple).collect();
    match values.windows(2).find(|two| !rises(two)) {
        None => Ok(values),
        Some(two) => {
            let [before, after] = [two[0], two[1]].map(units::given);
            let message = format!(
                "it makes {after} of {before}, and the numbers of a ladder rise: give a larger one, or list the values"
            );
            Err(Error::value("factor", units::given(factor), message))
        }
    }
}

/// Returns true if the second of two numbers is larger, and finite.
fn rises(two: &[f64]) -> bool {
    two[0] < two[1] && two[1].is_finite()
}

fn check_number(name: &'static str, text: &str, rungs: u64) -> Result<(), Error> {
    let message = match rungs {
        0 | 1 => format!(
            "a ladder of {} has nothing to climb (accepted: 2 to {MOST_RUNGS} rungs)",
            units::counted(rungs, "rung")
        ),
        2..=MOST_RUNGS => return Ok(()),
        _ => format!("it is out of range (accepted: 2 to {MOST_RUNGS} rungs)"),
    };
    Err(Error::value(name, text, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(from: f64, factor: f64, rungs: u64) -> Values {
        Values::By { from, factor, rungs }
    }

    #[test]
    fn multiples_are_whole_or_short() {
        assert_eq!(by(100.0, 2.0, 5).numbers(true).unwrap(), [100.0, 200.0, 400.0, 800.0, 1600.0]);
        assert_eq!(by(5.0, 1.5, 4).numbers(true).unwrap(), [5.0, 8.0, 11.0, 17.0]);
        assert_eq!(by(0.1, 3.0, 3).numbers(false).unwrap(), [0.1, 0.3, 0.9]);
        assert_eq!(Values::Listed(vec![-1.0, 0.0, 7.0]).numbers(false).unwrap(), [-1.0, 0.0, 7.0]);
    }

    #[test]
    fn numbers_that_do_not_rise_are_refused_by_name() {
        let refused = |values: Values| values.numbers(true).unwrap_err().to_string();
        for (values, complaint) in [
            (
                by(100.0, 2.0, 1),
                "rungs 1: a ladder of 1 rung has nothing to climb (accepted: 2 to 64 rungs)",
            ),
            (by(100.0, 2.0, 65), "rungs 65: it is out of range (accepted: 2 to 64 rungs)"),
            (by(0.0, 2.0, 3), "from 0: it is out of range (accepted: above 0, "),
            (by(1.0, 1.0, 3), "factor 1: it is out of range (accepted: above 1, "),
            (by(1.0, 1.2, 3), "factor 1.2: it makes 1 of 1, and the numbers of a ladder rise"),
            (by(1.0, 1e200, 3), "factor 1e200: it makes inf of 1e200"),
            (Values::Listed(vec![3.0]), "values 3: a ladder of 1 rung has nothing to climb"),
            (Values::Listed(vec![1.0, 3.0, 3.0]), "values 1,3,3: they must rise, and 3 follows 3"),
        ] {
            let text = refused(values);
            assert!(text.starts_with(complaint), "{text}");
        }
    }
}
