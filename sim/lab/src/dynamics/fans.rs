//! Fans: the distribution of win probabilities over many games, round by round.
//!
//! For each snapshot of a round, over all games that reach it: the median of a chance, and its quantiles of 5, 25, 75
//! and 95 %. They describe games, not the uncertainty of a mean, and do not shrink with more games. Games have
//! different lengths, and the last rounds belong to long games only. A round is omitted if fewer than [`FEWEST`]
//! games, or fewer than one in [`MOST_ENDED`], reach it.

use sim::win_model::probes::{Trace, leader};

/// The smallest number of games in a round for 5 % quantiles.
pub const FEWEST: usize = 40;
/// The inverse of the smallest fraction of games that must reach a round.
pub const MOST_ENDED: usize = 4;
/// The quantiles.
pub const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The owner of a chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// The seat with the highest chance at the snapshot.
    Leader,
    /// The seat that wins alone in the end.
    Winner,
    /// One seat, from 0.
    Seat(usize),
}

impl Whose {
    /// Returns the name in tables.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Leader => "leader".to_owned(),
            Self::Winner => "winner".to_owned(),
            Self::Seat(seat) => format!("seat {}", seat + 1),
        }
    }

    fn of(self, trace: &Trace, chances: &[f64]) -> Option<f64> {
        match self {
            Self::Leader => chances.iter().copied().max_by(f64::total_cmp),
            Self::Winner => chances.get(leader(&trace.points, 0.0)?).copied(),
            Self::Seat(seat) => chances.get(seat).copied(),
        }
    }
}

/// The distribution of a chance at one round.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread {
    /// The owner of the chance.
    pub whose: Whose,
    /// The number of rounds that are over.
    pub round: usize,
    /// The current stage in most games, from 1.
    pub stage: usize,
    /// The number of games.
    pub n: usize,
    /// The chances at [`QUANTILES`].
    pub at: [f64; 5],
}

/// Returns the fans of some games, grouped by owner.
#[must_use]
pub fn of(traces: &[Trace]) -> Vec<Spread> {
    let seats = traces.first().map_or(0, |trace| trace.points.len());
    let rounds = traces.iter().map(|trace| trace.rounds.len()).max().unwrap_or_default();
    let all = [Whose::Leader, Whose::Winner].into_iter().chain((0..seats).map(Whose::Seat));
    all.flat_map(|whose| (0..rounds).filter_map(move |round| spread(traces, whose, round)))
        .collect()
}

fn spread(traces: &[Trace], whose: Whose, round: usize) -> Option<Spread> {
    let looks = traces.iter().filter_map(|trace| Some((trace, trace.rounds.get(round)?)));
    let mut stages: Vec<usize> = Vec::new();
    let mut chances = Vec::new();
    for (trace, look) in looks {
        stages.resize(stages.len().max(look.stage + 1), 0);
        stages[look.stage] += 1;
        chances.extend(whose.of(trace, &look.chances));
    }
    if chances.len() < FEWEST || chances.len() * MOST_ENDED < traces.len() {
        return None;
    }
    chances.sort_by(f64::total_cmp);
    // The first of equally frequent stages.
    let stage = (0..stages.len()).rev().max_by_key(|&stage| stages[stage])?;
    let at = QUANTILES.map(|q| quantile(&chances, q));
    Some(Spread { whose, round, stage: stage + 1, n: chances.len(), at })
}

/// Returns a quantile of sorted numbers, interpolated linearly (type 7 of Hyndman and Fan 1996).
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let (below, part) = (place as usize, place.fract());
    let above = sorted[(below + 1).min(sorted.len() - 1)];
    sorted[below].mul_add(1.0 - part, above * part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::win_model::probes::{Snapshot, Turns};

    fn game(at: f64, rounds: usize) -> Trace {
        let snapshot =
            |round: usize| Snapshot { stage: round / 2, chances: vec![at, 1.0 - at], scores: None };
        let won = f64::from(u8::from(at > 0.5));
        Trace {
            block: 0,
            rounds: (0..rounds).map(snapshot).collect(),
            turns: Turns::default(),
            points: vec![won, 1.0 - won],
            plies: 0,
        }
    }

    #[test]
    fn a_fan_has_the_quantiles_of_its_games_and_no_round_that_few_reach() {
        // Chances of the first seat 0.00, 0.01, … 1.00; one game in five reaches the fourth round.
        let games: Vec<Trace> =
            (0..=100).map(|i| game(f64::from(i) / 100.0, if i % 5 == 0 { 4 } else { 3 })).collect();
        let fans = of(&games);
        let first = |whose| fans.iter().find(|spread| spread.whose == whose).unwrap();
        let seat = first(Whose::Seat(0));
        assert!(seat.at.iter().zip(QUANTILES).all(|(at, q)| (at - q).abs() < 1e-9), "{seat:?}");
        assert_eq!((seat.n, seat.stage), (101, 1));
        // The leader has at least a half, and wins here.
        let leader = first(Whose::Leader);
        assert!((leader.at[2] - 0.75).abs() < 0.01 && leader.at[0] > 0.5, "{leader:?}");
        let winner = first(Whose::Winner);
        assert!(winner.at.iter().zip(leader.at).all(|(a, b)| (a - b).abs() < 1e-12));
        let last = fans.iter().rfind(|spread| spread.whose == Whose::Seat(1)).unwrap();
        assert_eq!((last.round, last.stage), (2, 2), "too few games go on");
        assert!(of(&games[..30]).is_empty() && of(&[]).is_empty());
    }
}
