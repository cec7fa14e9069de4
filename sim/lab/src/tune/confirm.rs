//! The report on the chosen candidate, with its verdict: the gain on fresh blocks that played no part in the choice.
//!
//! **Futility.** Most candidates of a search are no better than the start, and a full report on each would waste
//! games. The blocks against the pool are therefore played in [`QUARTERS`] equal parts. The report stops after a part
//! if the gain so far is below [`LEAST_LEAD`] standard errors: −1 after a quarter, 0 after a half, ½ after three
//! quarters. A stopped report never calls a candidate better, so the rule only lowers that error. Consider a true gain
//! that a report without the rule finds in 80.0 of 100 cases. With the rule it is found in 79.1. Without a gain 65 of
//! 100 blocks are played, and 35 of 100 if the candidate is worse by as much (normal values, 120,000 simulated reports
//! each; Jennison and Turnbull, Group Sequential Methods, 1999, describe such rules).
//!
//! **Intervals.** After a stop the interval of the gain is simultaneous over all four moments at which the report
//! could have ended (Bonferroni). In the same simulations at most 4.7 of 100 intervals of all reports miss the true
//! gain, whatever it is. With the usual interval after a stop up to 7.6 would miss it.

use super::evaluator::{Evaluator, Halt, Wanted};
use super::gain::Gain;
use super::objective::Field;
use super::pools::{Evidence, Opened, Report};
use super::space::Point;
use sim::stats::{Family, Interval, Moments};

/// The number of equal parts of the blocks against the pool; the report may end after each.
pub const QUARTERS: u64 = 4;
/// The standard errors by which the candidate must lead after each part but the last for the report to continue.
pub const LEAST_LEAD: [f64; QUARTERS as usize - 1] = [-1.0, 0.0, 0.5];

/// A verdict on the candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is better than the start, and not shown to be worse against any opponent.
    Better,
    /// It is better against the pool, but worse against a held-out opponent or against the start itself.
    PoolOnly,
    /// It is not shown to be better.
    NoBetter,
}

impl Verdict {
    /// Returns the words, for people and programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::PoolOnly => "better against the pool only",
            Self::NoBetter => "no better",
        }
    }
}

/// The results of a report.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// The number of the look at the report pool, from 1.
    pub look: u64,
    /// The planned blocks against the pool; a stopped report plays fewer.
    pub planned: u64,
    /// The gain of the candidate over the start against the pool.
    pub gain: Moments,
    /// The gain against each held-out opponent; empty if the report stopped before.
    pub held_out: Vec<Moments>,
    /// The candidate's share, less an equal share, with the start in all other seats; agents only.
    pub duel: Option<Moments>,
    /// The values of the candidate and of the start against the pool: shares less an equal share, or minus the losses.
    pub shares: [Moments; 2],
    /// The parts of the losses with the candidate and with the start; rules only.
    pub parts: Vec<[Moments; 2]>,
}

impl Confirmation {
    /// Returns true if the report stopped early because the candidate was behind.
    #[must_use]
    pub const fn is_early(&self) -> bool {
        self.gain.n() < self.planned
    }

    /// Returns the family of moments at which this report could have ended; intervals are simultaneous over it.
    #[must_use]
    pub fn family(&self) -> Family {
        Family::of(if self.is_early() { QUARTERS as usize } else { 1 })
    }

    /// Returns the 95 % interval of the gain against the pool.
    #[must_use]
    pub fn interval(&self, gain: Gain) -> Interval {
        gain.together(&self.gain, self.family())
    }

    /// Returns the verdict, for gains in the measure `gain`.
    #[must_use]
    pub fn verdict(&self, gain: Gain) -> Verdict {
        match (self.is_early() || self.interval(gain).low <= 0.0, self.worse(gain).is_empty()) {
            (true, _) => Verdict::NoBetter,
            (false, true) => Verdict::Better,
            (false, false) => Verdict::PoolOnly,
        }
    }

    /// Returns the opponents outside the pool against which the candidate is shown to be worse than the start.
    #[must_use]
    pub fn worse(&self, gain: Gain) -> Vec<Field> {
        let held_out = self.held_out.iter().enumerate().map(|(i, came)| (Field::HeldOut(i), came));
        let all = held_out.chain(self.duel.iter().map(|came| (Field::Start, came)));
        all.filter(|(_, came)| gain.interval(came).high < 0.0).map(|(field, _)| field).collect()
    }
}

/// Returns true if a report of `gain` stops after part number `part`, from 0; not for the last part.
fn is_futile(part: usize, gain: &Moments) -> bool {
    let error = (gain.variance() / gain.n().max(1) as f64).sqrt();
    gain.mean() < LEAST_LEAD[part] * error
}

/// A report of `candidate` over `start` with `blocks` blocks for each side.
pub(super) struct Reported<'a> {
    /// The chosen candidate.
    pub candidate: &'a Point,
    /// The start of the search.
    pub start: &'a Point,
    /// The number of blocks of each side.
    pub blocks: u64,
    /// The number of held-out opponents.
    pub held_out: usize,
    /// The measure of gains.
    pub gain: Gain,
}

impl Reported<'_> {
    /// Plays the report.
    pub(super) fn play(
        &self,
        evaluator: &mut Evaluator<'_>,
        mut opened: Opened,
    ) -> Result<Confirmation, Halt> {
        let pool = self.against_the_pool(evaluator, &mut opened)?;
        let mut confirmation = Confirmation {
            look: opened.look(),
            planned: self.blocks,
            gain: pool[0].over(&pool[1]),
            held_out: Vec::new(),
            duel: None,
            shares: [pool[0].moments(), pool[1].moments()],
            parts: in_pairs(pool[0].parts(), pool[1].parts()),
        };
        if confirmation.is_early() {
            return Ok(confirmation);
        }
        for i in 0..self.held_out {
            let came = self.both(evaluator, &mut opened, Field::HeldOut(i), self.blocks)?;
            confirmation.held_out.push(came[0].over(&came[1]));
        }
        if self.gain == Gain::Share {
            let (blocks, field) = (opened.fresh(self.blocks), Field::Start);
            let wanted = Wanted { point: self.candidate.clone(), field, blocks };
            confirmation.duel = Some(evaluator.evaluate(&[wanted])?[0].moments());
        }
        Ok(confirmation)
    }

    /// Plays both sides against the pool, part after part, until the end or until success is unlikely.
    fn against_the_pool(
        &self,
        evaluator: &mut Evaluator<'_>,
        opened: &mut Opened,
    ) -> Result<Vec<Evidence<Report>>, Halt> {
        let until = |part: u64| self.blocks * part / QUARTERS;
        let mut all = self.both(evaluator, opened, Field::Pool, until(1))?;
        for part in 1..QUARTERS {
            if is_futile(part as usize - 1, &all[0].over(&all[1])) {
                break;
            }
            let more = self.both(evaluator, opened, Field::Pool, until(part + 1) - until(part))?;
            all.iter_mut().zip(more).for_each(|(side, more)| side.extend(more));
        }
        Ok(all)
    }

    /// Plays the candidate, then the start, on the same fresh blocks.
    fn both(
        &self,
        evaluator: &mut Evaluator<'_>,
        opened: &mut Opened,
        field: Field,
        blocks: u64,
    ) -> Result<Vec<Evidence<Report>>, Halt> {
        let blocks = opened.fresh(blocks);
        let wanted = [self.candidate, self.start].map(|point| Wanted {
            point: point.clone(),
            field,
            blocks: blocks.clone(),
        });
        evaluator.evaluate(&wanted)
    }
}

/// Returns the moments of each part, for `one` and for `other`.
fn in_pairs(one: &[Vec<f64>], other: &[Vec<f64>]) -> Vec<[Moments; 2]> {
    let of_part = |blocks: &[Vec<f64>], part: usize| {
        let mut moments = Moments::default();
        blocks.iter().for_each(|block| moments.add(block[part]));
        moments
    };
    let n = one.first().map_or(0, Vec::len);
    (0..n).map(|part| [of_part(one, part), of_part(other, part)]).collect()
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, rng};

    use super::*;
    use crate::tune::space::normal;

    /// Simulates `reports` reports of a gain of `standard_errors`. Returns the fraction that calls it better, the
    /// fraction of intervals that miss the truth, and the mean fraction of the blocks played.
    fn simulated(standard_errors: f64, reports: u64) -> (f64, f64, f64) {
        const BLOCKS: u64 = 400;
        let truth = standard_errors * 0.01 / (BLOCKS as f64).sqrt();
        let (mut better, mut missed, mut played) = (0, 0, 0);
        for report in 0..reports {
            let mut stream = rng::stream(21, report, Purpose::Analysis);
            let mut gain = Moments::default();
            for block in 1..=BLOCKS {
                gain.add(truth + 0.01 * normal(&mut stream));
                let (part, rest) = (block / (BLOCKS / QUARTERS), block % (BLOCKS / QUARTERS));
                if rest == 0 && part < QUARTERS && is_futile(part as usize - 1, &gain) {
                    break;
                }
            }
            let confirmation = Confirmation {
                look: 1,
                planned: BLOCKS,
                gain,
                held_out: Vec::new(),
                duel: None,
                shares: [Moments::default(); 2],
                parts: Vec::new(),
            };
            better += u64::from(confirmation.verdict(Gain::Loss) == Verdict::Better);
            missed += u64::from(!confirmation.interval(Gain::Loss).contains(truth));
            played += gain.n();
        }
        let part = |n: u64| n as f64 / reports as f64;
        (part(better), part(missed), part(played) / BLOCKS as f64)
    }

    #[test]
    fn a_report_stops_where_the_candidate_is_behind_and_keeps_its_errors_and_its_power() {
        let (better, missed, played) = simulated(0.0, 1_500);
        assert!(better < 0.038 && missed < 0.057 && played < 0.70, "{better} {missed} {played}");
        let (better, missed, played) = simulated(2.8, 1_500);
        assert!(better > 0.75 && missed < 0.064 && played > 0.95, "{better} {missed} {played}");
        let (better, missed, played) = simulated(-2.8, 1_500);
        assert!(better < 0.001 && missed < 0.057 && played < 0.40, "{better} {missed} {played}");
    }

    #[test]
    fn whoever_is_held_out_and_the_start_itself_count() {
        let moments = |mean: f64| {
            let mut moments = Moments::default();
            (0..100).for_each(|i| moments.add(mean + if i % 2 == 0 { 0.05 } else { -0.05 }));
            moments
        };
        let confirmed = |pool: f64, held_out: f64, duel: f64| {
            let confirmation = Confirmation {
                look: 1,
                planned: 100,
                gain: moments(pool),
                held_out: vec![moments(0.0), moments(held_out)],
                duel: Some(moments(duel)),
                shares: [Moments::default(); 2],
                parts: Vec::new(),
            };
            (confirmation.verdict(Gain::Share), confirmation.worse(Gain::Share))
        };
        assert_eq!(confirmed(0.1, 0.1, 0.1), (Verdict::Better, vec![]));
        assert_eq!(confirmed(0.1, 0.0, 0.0), (Verdict::Better, vec![]));
        assert_eq!(confirmed(0.1, -0.1, 0.1), (Verdict::PoolOnly, vec![Field::HeldOut(1)]));
        assert_eq!(confirmed(0.1, 0.1, -0.1), (Verdict::PoolOnly, vec![Field::Start]));
        assert_eq!(confirmed(0.0, -0.1, 0.1).0, Verdict::NoBetter);
        assert_eq!(confirmed(-0.1, 0.1, 0.1).0, Verdict::NoBetter);
    }
}
