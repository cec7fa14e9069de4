//! Schedules in rounds: their size, and the pairings of a Swiss round.

use super::Schedule;
use crate::error::Error;
use crate::units;

/// The rounds of a Swiss schedule beyond those that single out a winner: they sort the middle of the table.
const MORE_ROUNDS: u64 = 2;

/// The largest number of blocks of a schedule in rounds, so that its games can be counted.
const MOST_BLOCKS: u64 = 4_000_000_000_000_000_000;

/// The size of a schedule in rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundPlan {
    /// The number of rounds.
    pub rounds: u64,
    /// The number of pairings of all rounds; byes do not count.
    pub pairings: u64,
}

impl RoundPlan {
    /// Returns the size of `schedule` for `agents` agents; `None` if it is not played in rounds.
    ///
    /// A Swiss schedule has as many rounds as a knock-out and two more. At most it has half as many as agents: in more,
    /// a pair might have to meet again.
    ///
    /// # Errors
    /// If `wanted` is a number of rounds that the schedule cannot have.
    pub fn of(
        schedule: Schedule,
        agents: usize,
        wanted: Option<u64>,
    ) -> Result<Option<Self>, Error> {
        let n = agents as u64;
        let knock_out = u64::from(n.next_power_of_two().ilog2());
        let refuse =
            |rounds: u64, message: String| Err(Error::value("rounds", rounds.to_string(), message));
        match (schedule, wanted) {
            (Schedule::Swiss, wanted) => {
                let most = n.div_ceil(2);
                let rounds = wanted.unwrap_or_else(|| most.min(knock_out + MORE_ROUNDS));
                if !(1..=most).contains(&rounds) {
                    let message = format!(
                        "a swiss schedule of {agents} agents has 1 to {most} rounds, in which no pair meets twice; \
                         schedule round-robin plays all pairs"
                    );
                    return refuse(rounds, message);
                }
                Ok(Some(Self { rounds, pairings: rounds * (n / 2) }))
            }
            (Schedule::KnockOut, None) => Ok(Some(Self { rounds: knock_out, pairings: n - 1 })),
            (schedule, Some(rounds)) => {
                let name = schedule.name();
                refuse(
                    rounds,
                    format!(
                        "schedule {name} leaves no choice of rounds (swiss does): leave rounds out"
                    ),
                )
            }
            (
                Schedule::Balanced
                | Schedule::RoundRobin
                | Schedule::Gauntlet
                | Schedule::Exhaustive
                | Schedule::Fixed
                | Schedule::Adaptive,
                None,
            ) => Ok(None),
        }
    }

    /// Returns `blocks` rounded up to as many for each pairing; a note gives the size of the run.
    ///
    /// # Errors
    /// If they are too many to count.
    pub fn whole(self, blocks: u64, notes: &mut Vec<String>) -> Result<u64, Error> {
        let each = blocks.div_ceil(self.pairings);
        let whole = each.checked_mul(self.pairings).filter(|&all| all <= MOST_BLOCKS);
        let too_many = || Error::value("blocks", blocks.to_string(), "too many: the most are 4e18");
        let whole = whole.ok_or_else(too_many)?;
        let rounded = match whole == blocks {
            true => String::new(),
            false => format!("{blocks} blocks are rounded up to {whole}: "),
        };
        notes.push(format!(
            "{rounded}{}, {} of {} each",
            units::counted(self.rounds, "round"),
            units::counted(self.pairings, "pairing"),
            units::counted(each, "block"),
        ));
        Ok(whole)
    }
}

/// Returns pairs of neighbours in `standing` that have not met, from the top down.
///
/// Each takes the nearest below that it has not met. Two that are left over exchange opponents with the lowest pair
/// that allows it. This succeeds while everybody has met fewer than half of the others: the two then have not met at
/// least as many as sit in pairs, so three of the four links to some pair are free (the argument of Dirac's theorem).
///
/// # Panics
/// If the number is odd, or somebody has met too many of the others.
#[must_use]
pub fn neighbours(standing: &[usize], has_met: impl Fn(usize, usize) -> bool) -> Vec<[usize; 2]> {
    assert!(standing.len().is_multiple_of(2), "a bye makes the number even");
    let mut rest = standing.to_vec();
    let (mut pairs, mut left) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let upper = rest.remove(0);
        match rest.iter().position(|&lower| !has_met(upper, lower)) {
            Some(place) => pairs.push([upper, rest.remove(place)]),
            None => left.push(upper),
        }
    }
    for two in left.chunks_exact(2) {
        let is_free = |&[a, b]: &[usize; 2]| !has_met(two[0], a) && !has_met(two[1], b);
        let place = pairs.iter().rposition(|&[a, b]| is_free(&[a, b]) || is_free(&[b, a]));
        let [a, b] = pairs.remove(place.expect("nobody has met half of the others"));
        let [a, b] = if is_free(&[a, b]) { [a, b] } else { [b, a] };
        pairs.extend([[a, two[0]], [b, two[1]]]);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, rng};

    use super::*;

    #[test]
    fn no_pair_meets_twice_in_as_many_rounds_as_are_allowed() {
        for agents in (2..=64).step_by(2) {
            for seed in 0..20 {
                let mut rng = rng::stream(seed, agents as u64, Purpose::Analysis);
                let mut met = vec![vec![false; agents]; agents];
                // Few agents that move up and down meet their neighbours again and again.
                let mut standing: Vec<usize> = (0..agents).collect();
                for _ in 0..agents.div_ceil(2) {
                    let pairs = neighbours(&standing, |a, b| met[a][b]);
                    let mut seated: Vec<usize> = pairs.iter().flatten().copied().collect();
                    seated.sort_unstable();
                    assert_eq!(seated, (0..agents).collect::<Vec<_>>(), "everybody plays once");
                    for [a, b] in pairs {
                        assert!(!met[a][b], "{a} and {b} of {agents} meet again");
                        (met[a][b], met[b][a]) = (true, true);
                    }
                    let up = rng.below(agents as u32 - 1) as usize;
                    standing.swap(up, up + 1);
                }
            }
        }
    }

    #[test]
    fn neighbours_meet_first() {
        assert_eq!(neighbours(&[3, 1, 0, 2], |_, _| false), [[3, 1], [0, 2]]);
        // The first two have met.
        let met = |a: usize, b: usize| a.min(b) == 1 && a.max(b) == 3;
        assert_eq!(neighbours(&[3, 1, 0, 2], met), [[3, 0], [1, 2]]);
        // The last two have met, so the pair above them is parted.
        let met = |a: usize, b: usize| a.min(b) == 0 && a.max(b) == 2;
        assert_eq!(neighbours(&[3, 1, 0, 2], met), [[3, 0], [1, 2]]);
    }

    #[test]
    fn sizes_are_those_of_the_schedule() {
        let size = |schedule, agents, wanted| {
            RoundPlan::of(schedule, agents, wanted)
                .unwrap()
                .map(|plan| (plan.rounds, plan.pairings))
        };
        assert_eq!(size(Schedule::Swiss, 64, None), Some((8, 256)));
        assert_eq!(size(Schedule::Swiss, 5, None), Some((3, 6)));
        assert_eq!(size(Schedule::Swiss, 2, None), Some((1, 1)));
        assert_eq!(size(Schedule::Swiss, 20, Some(10)), Some((10, 100)));
        assert_eq!(size(Schedule::KnockOut, 20, None), Some((5, 19)));
        assert_eq!(size(Schedule::KnockOut, 2, None), Some((1, 1)));
        assert_eq!(size(Schedule::RoundRobin, 20, None), None);
    }
}
