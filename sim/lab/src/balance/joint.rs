//! A joint sensitivity analysis: uncertain numbers of the rules are drawn together, and effects are tested for
//! survival.
//!
//! **Ranges** name keys of the rules with the values that each may have. A **draw** takes one value from every range.
//! All values are equally likely and independent, and depend on the seed alone. An effect under the printed rules
//! **survives** if it has the same sign in 95 of 100 draws. Each draw is played on its own seeds.
//!
//! A draw has few blocks, so noise alone sometimes flips the sign of a small effect. The **power** is therefore
//! printed beside the count: the probability of survival if no draw changes anything, from the intervals of the draws
//! themselves. If the power is low, a failure to survive is no evidence against the effect. The mean over the draws
//! has the draw as its unit. The **spread** is the standard deviation over the draws after removal of each draw's
//! noise.

use engine::rng::{Purpose, stream};
use engine::{Randomness, hash_of};
use serde_json::{Map, Value as Json};

use super::estimate::{Estimate, moments};
use super::statements::Statement;
use sim::catalogue::Setup;
use sim::error::Error;
use sim::stats::multiple::benjamini_hochberg;
use sim::stats::quantiles::normal_tail;

/// The fraction of draws in which a statement must keep its sign.
pub const KEPT: f64 = 0.95;
/// The default number of draws.
pub const DRAWS: u64 = 50;
/// The smallest number of draws for a statement about 95 of 100.
pub const FEWEST: u64 = 20;
/// The largest number of draws: each one is a directory.
pub const MOST: u64 = 10_000;
/// Half a 95 % interval, in standard errors.
const Z: f64 = 1.959_964;

/// Keys of the rules with the values that each may have, sorted by key.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ranges(Vec<(String, Vec<Json>)>);

impl Ranges {
    /// Reads a file that has a list of values instead of each value, and otherwise the shape of a rules file.
    ///
    /// # Errors
    /// If it is not TOML, or a key has no list of at least two values.
    pub fn read(name: &str, text: &str) -> Result<Self, Error> {
        let refuse = |message: String| Error::Usage(format!("{name}: {message}"));
        let json: Json = toml_edit::de::from_str(text)
            .map_err(|e| refuse(e.to_string().trim().replace('\n', " ")))?;
        let mut ranges = Self::default();
        let mut tables = vec![(String::new(), json)];
        while let Some((path, json)) = tables.pop() {
            let Json::Object(entries) = json else {
                ranges.add(path, json).map_err(refuse)?;
                continue;
            };
            tables.extend(entries.into_iter().map(|(key, value)| {
                (if path.is_empty() { key } else { format!("{path}.{key}") }, value)
            }));
        }
        Ok(ranges)
    }

    /// Adds a range given as `KEY=[VALUE, VALUE]`.
    ///
    /// # Errors
    /// If it has another form.
    pub fn add_text(&mut self, text: &str) -> Result<(), Error> {
        let refuse = |message: String| Error::value("range", text, message);
        let form = "expected KEY=[VALUE, VALUE], as in options.rounds=[3, 4, 5]";
        let (key, values) = text.split_once('=').ok_or_else(|| refuse(form.to_owned()))?;
        let value: Map<String, Json> = toml_edit::de::from_str(&format!("values = {values}"))
            .map_err(|_| refuse(form.to_owned()))?;
        self.add(key.trim().to_owned(), value["values"].clone()).map_err(refuse)
    }

    fn add(&mut self, key: String, values: Json) -> Result<(), String> {
        let values = match values {
            Json::Array(values) if values.len() > 1 => values,
            _ => return Err(format!("{key}: a list of two values or more is expected")),
        };
        if self.0.iter().any(|(known, _)| *known == key) {
            return Err(format!("{key}: its values are named twice"));
        }
        let place = self.0.partition_point(|(known, _)| *known < key);
        self.0.insert(place, (key, values));
        Ok(())
    }

    /// Returns true if there are no ranges.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks every key and value against the rules of `setup`.
    ///
    /// # Errors
    /// At the first key or value that the rules refuse.
    pub fn check(&self, setup: &Setup) -> Result<(), Error> {
        for (key, values) in &self.0 {
            for value in values {
                let mut setup = setup.clone();
                setup.overrides.settings.push(setting(key, value));
                super::facts::Facts::of(&setup).map_err(|error| match error {
                    Error::Rules { bad, .. } => {
                        Error::value("range", setting(key, value), bad.message)
                    }
                    other => other,
                })?;
            }
        }
        Ok(())
    }

    /// Returns the settings of a draw, which depend on the seed and the draw's number alone.
    #[must_use]
    pub fn drawn(&self, seed: u64, draw: u64) -> Vec<String> {
        let mut rng = stream(hash_of(&("joint draws", seed)), draw, Purpose::Analysis);
        let one = |(key, values): &(String, Vec<Json>)| {
            let value = &values[rng.below(values.len() as u32) as usize];
            setting(key, value)
        };
        self.0.iter().map(one).collect()
    }

    /// Returns the JSON of the keys with their values.
    #[must_use]
    pub fn json(&self) -> Json {
        self.0.iter().map(|(key, values)| (key.clone(), Json::from(values.clone()))).collect()
    }
}

fn setting(key: &str, value: &Json) -> String {
    format!("{key}={value}")
}

/// A statement under the printed rules, and its results over the draws.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The name of the statement.
    pub name: String,
    /// The estimate under the printed rules.
    pub printed: Estimate,
    /// Its p-value adjusted over all statements of the study (Benjamini and Hochberg).
    pub adjusted_p: f64,
    /// The number of draws with the same sign.
    pub same: u64,
    /// The number of draws that have an estimate.
    pub draws: u64,
    /// The mean over the draws.
    pub mean: Estimate,
    /// The standard deviation over the draws, after removal of each draw's noise.
    pub spread: f64,
    /// The probability that it survives if no draw changes anything.
    pub power: f64,
}

impl Judged {
    /// Returns true if the effect is found under the printed rules, at a false discovery rate of 10 %.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.adjusted_p < super::cards::FALSE_DISCOVERIES
    }

    /// Returns true if it has the same sign in 95 of 100 draws.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.same >= needed(self.draws)
    }
}

/// Returns the number of draws, of `draws`, in which a sign must be the same.
#[must_use]
pub fn needed(draws: u64) -> u64 {
    (KEPT * draws as f64 - 1e-9).ceil() as u64
}

/// Compares each effect under the printed rules with its estimates in the draws.
#[must_use]
pub fn judged(printed: &[Statement], draws: &[Vec<Statement>]) -> Vec<Judged> {
    let effects: Vec<&Statement> = printed.iter().filter(|one| one.is_effect).collect();
    let p: Vec<f64> = effects.iter().map(|one| one.estimate.p.unwrap_or(1.0)).collect();
    let all = effects.into_iter().zip(benjamini_hochberg(&p));
    all.filter_map(|(line, p)| judge(line, p, draws)).collect()
}

fn judge(line: &Statement, adjusted_p: f64, draws: &[Vec<Statement>]) -> Option<Judged> {
    let of = |draw: &Vec<Statement>| {
        draw.iter().find(|other| other.name == line.name).map(|other| other.estimate)
    };
    let drawn: Vec<Estimate> = draws.iter().filter_map(of).collect();
    let values: Vec<f64> = drawn.iter().map(|estimate| estimate.value).collect();
    let mean = Estimate::of_numbers(&values)?;
    let is_same = |value: &&f64| value.signum() == line.estimate.value.signum() && **value != 0.0;
    let same = values.iter().filter(is_same).count() as u64;
    let noise: Vec<f64> = drawn.iter().filter_map(variance).collect();
    let noise = moments(&noise).mean();
    let spread = (moments(&values).variance() - noise).max(0.0).sqrt();
    let kept = match noise > 0.0 {
        true => 1.0 - normal_tail(line.estimate.value.abs() / noise.sqrt()),
        false => 1.0,
    };
    let n = values.len() as u64;
    Some(Judged {
        name: line.name.clone(),
        printed: line.estimate,
        adjusted_p,
        same,
        draws: n,
        mean,
        spread,
        power: at_least(needed(n), n, kept),
    })
}

/// Returns the variance of an estimate, from its interval.
fn variance(estimate: &Estimate) -> Option<f64> {
    let interval = estimate.interval?;
    let error = (interval.high - interval.low) / (2.0 * Z);
    Some(error * error)
}

/// Returns the probability of at least `least` successes of `n`, each with probability `p`.
fn at_least(least: u64, n: u64, p: f64) -> f64 {
    if p >= 1.0 {
        return 1.0;
    }
    // From the largest count down, by the ratio of consecutive terms: with p near one those terms are the largest.
    let mut term = p.powi(n as i32);
    let mut sum = 0.0;
    for k in (least..=n).rev() {
        sum += term;
        term *= k as f64 / (n - k + 1) as f64 * (1.0 - p) / p;
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(name: &str, values: &[f64]) -> Statement {
        Statement {
            name: name.to_owned(),
            estimate: Estimate::of_share(values, 4).unwrap(),
            is_effect: true,
            is_share: true,
        }
    }

    #[test]
    fn a_file_and_the_command_line_name_the_same_ranges() {
        let text = "[province]\nitalia.vp = [[20, 10, 5], [15, 10, 5]]\n[options]\nrounds = [3, 4]";
        let read = Ranges::read("ranges.toml", text).unwrap();
        let mut typed = Ranges::default();
        typed.add_text("province.italia.vp=[[20, 10, 5], [15, 10, 5]]").unwrap();
        typed.add_text("options.rounds = [3, 4]").unwrap();
        assert_eq!(read, typed);
        assert!(typed.add_text("options.rounds=[3, 4]").is_err(), "named twice");
        for bad in ["options.rounds", "options.rounds=3", "options.rounds=[3]", "a=[1,", "=[1]"] {
            assert!(Ranges::default().add_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn draws_follow_from_the_seed_and_take_every_value_equally_often() {
        let mut ranges = Ranges::default();
        ranges.add_text("a=[1, 2]").unwrap();
        ranges.add_text("b=[1, 2]").unwrap();
        assert_eq!(ranges.drawn(1, 7), ranges.drawn(1, 7));
        let mut counts = std::collections::BTreeMap::new();
        for draw in 0..4_000 {
            *counts.entry(ranges.drawn(1, draw)).or_insert(0) += 1;
        }
        // Four pairs of 1,000 each; five standard deviations are 137.
        assert_eq!(counts.len(), 4);
        assert!(counts.values().all(|&n: &i32| (863..=1_137).contains(&n)), "{counts:?}");
    }

    #[test]
    fn the_binomial_tail_is_that_of_tables() {
        assert_eq!(needed(50), 48);
        assert_eq!(needed(20), 19);
        assert!((at_least(48, 50, 0.95) - 0.540_533).abs() < 1e-5);
        assert!((at_least(1, 2, 0.5) - 0.75).abs() < 1e-12);
        assert!((at_least(19, 20, 0.99) - 0.983_141).abs() < 1e-5);
    }

    /// Statements with the same effect in all draws survive as often as their power predicts. A statement that flips
    /// with the draw does not survive, and neither does a null effect. The spread is found.
    #[test]
    fn what_does_not_depend_on_the_draw_survives_as_often_as_its_power_says() {
        let mut rng = stream(77, 0, Purpose::Analysis);
        let mut share = |name: &str, p: f64| {
            let values: Vec<f64> =
                (0..60).map(|_| f64::from(u8::from(rng.unit() < p)) - 0.25).collect();
            statement(name, &values)
        };
        let (mut kept, mut power, mut turned, mut none, mut spread) = (0.0, 0.0, 0, 0, 0.0);
        let runs = 200;
        for _ in 0..runs {
            let draws: Vec<Vec<Statement>> = (0..50)
                .map(|i| {
                    let turning = if i % 2 == 0 { 0.45 } else { 0.10 };
                    vec![share("same", 0.37), share("turning", turning), share("none", 0.25)]
                })
                .collect();
            // The statement is the true effect, so that the power is that of the draws alone.
            let truth = |name: &str, value: f64| Statement {
                estimate: Estimate { value, interval: None, p: Some(0.001), n: 1_000 },
                name: name.to_owned(),
                is_effect: true,
                is_share: true,
            };
            let all = judged(
                &[truth("same", 0.12), truth("turning", 0.025), truth("none", 0.01)],
                &draws,
            );
            kept += f64::from(u8::from(all[0].is_kept())) / f64::from(runs);
            power += all[0].power / f64::from(runs);
            turned += u32::from(all[1].is_kept());
            none += u32::from(all[2].is_kept());
            spread += all[1].spread / f64::from(runs);
        }
        assert!((kept - power).abs() < 0.15 && power > 0.5, "{kept} {power}");
        assert_eq!((turned, none), (0, 0));
        assert!((spread - 0.175).abs() < 0.02, "{spread}");
    }
}
