//! Who sits where in which game: pure arithmetic on the game's index.
//!
//! A *block* is the unit of chance and of statistics: all its games meet the same dice and decks, and intervals
//! treat it as one observation.

use engine::MAX_PLAYERS;

/// How line-ups become games.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Each block is the line-up rotated through all seats, under the same chance.
    Balanced,
    /// The seating as given; each game is a block of its own.
    Fixed,
}

impl Schedule {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Fixed => "fixed",
        }
    }

    /// Number of games in a block at a table of `players`.
    #[must_use]
    pub const fn games_per_block(self, players: usize) -> u64 {
        match self {
            Self::Balanced => players as u64,
            Self::Fixed => 1,
        }
    }

    /// Which entrant (place in the line-up) sits in each seat of game `index`.
    #[must_use]
    pub fn seating(self, players: usize, index: u64) -> [u8; MAX_PLAYERS] {
        let turn = (index % self.games_per_block(players)) as usize;
        let mut seating = [0; MAX_PLAYERS];
        for (seat, entrant) in seating.iter_mut().enumerate().take(players) {
            *entrant = ((seat + players - turn) % players) as u8;
        }
        seating
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_balanced_block_everyone_sits_everywhere_once() {
        for players in 1..=MAX_PLAYERS {
            let mut seen = [[0; MAX_PLAYERS]; MAX_PLAYERS];
            for index in 0..players as u64 {
                let seating = Schedule::Balanced.seating(players, 5 * players as u64 + index);
                for seat in 0..players {
                    seen[seat][seating[seat] as usize] += 1;
                }
            }
            assert!(seen.iter().take(players).all(|row| row[..players].iter().all(|&n| n == 1)));
        }
    }

    #[test]
    fn a_fixed_schedule_never_moves_anyone() {
        assert_eq!(Schedule::Fixed.seating(4, 7)[..4], [0, 1, 2, 3]);
        assert_eq!(Schedule::Balanced.seating(4, 0)[..4], [0, 1, 2, 3]);
        assert_eq!(Schedule::Balanced.seating(4, 1)[..4], [3, 0, 1, 2]);
    }
}
