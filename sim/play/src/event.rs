//! A finished game in plain numbers, and the observers of a run.
//!
//! Nothing after this point is generic over games.

use std::ops::ControlFlow;

use agents::SearchTally;
use engine::MAX_PLAYERS;

use crate::record::Record;

/// An agent that broke off a game by an illegal action, a fault or a panic.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    /// The seat of the agent.
    pub player: usize,
    /// The reason: the action, fault or panic.
    pub reason: String,
}

/// A finished game. Seats beyond the table hold zeros.
#[derive(Clone, Debug, Default)]
pub struct GameResult {
    /// The index of the game in the run.
    pub index: u64,
    /// The index of its block.
    pub block: u64,
    /// The number of the position in the suite where it began, from 1; `None` in a run without a suite.
    pub start: Option<u32>,
    /// The entrant in each seat.
    pub seating: [u8; MAX_PLAYERS],
    /// The points by seat, in `[0, 1]`, adding up to one.
    pub points: [f32; MAX_PLAYERS],
    /// The score by seat under the rules; the points if the game has no scores.
    pub scores: [f32; MAX_PLAYERS],
    /// The number of choices of players.
    pub plies: u32,
    /// The number of times that the lead in score passed to another seat, if requested and if the game has scores.
    ///
    /// It is checked after every event. In a tie no seat leads, and the first leader takes the lead from no seat.
    pub lead_changes: Option<u32>,
    /// Other public numbers of the game, if requested: by number, then by seat.
    pub extras: Vec<[i32; MAX_PLAYERS]>,
    /// The dice luck of each seat relative to their exact odds ([`DiceLuck`](agents::DiceLuck)), in points, if
    /// requested.
    ///
    /// Its mean is 0 for all agents.
    pub luck: Option<[f32; MAX_PLAYERS]>,
    /// The search counts of the agent in each seat; `None` if no agent searched.
    pub searched: Option<Box<[SearchTally; MAX_PLAYERS]>>,
    /// The agent that broke off the game, if any.
    pub forfeit: Option<Box<Forfeit>>,
    /// The record of the game, if requested.
    pub record: Option<Record>,
}

impl GameResult {
    /// Returns the rank by seat, 1 the best: by points, then by score; equal seats share the mean of their ranks.
    #[must_use]
    pub fn ranks(&self, players: usize) -> [f64; MAX_PLAYERS] {
        let key = |seat: usize| (self.points[seat], self.scores[seat]);
        let mut ranks = [0.0; MAX_PLAYERS];
        for (seat, rank) in ranks.iter_mut().enumerate().take(players) {
            let ahead = (0..players).filter(|&other| key(other) > key(seat)).count();
            let level = (0..players).filter(|&other| key(other) == key(seat)).count();
            *rank = ahead as f64 + (level as f64 + 1.0) / 2.0;
        }
        ranks
    }
}

/// An event of a run; events come in the order of the games.
#[derive(Debug)]
pub enum Event<'a> {
    /// The run begins.
    Started {
        /// The number of games to play.
        n_games: u64,
    },
    /// A game is over.
    GameOver(&'a GameResult),
    /// The run is over, complete or not.
    Finished,
}

/// An observer of events in game order, one at a time, that may stop the run.
pub trait Observer: Send {
    /// Processes `event`; `Break` stops the run.
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_rank_before_scores_and_equals_share() {
        let result = GameResult {
            points: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            scores: [50.0, 50.0, 7.0, 7.0, 0.0, 0.0],
            ..GameResult::default()
        };
        assert_eq!(result.ranks(4)[..4], [2.0, 1.0, 3.5, 3.5]);
    }
}
