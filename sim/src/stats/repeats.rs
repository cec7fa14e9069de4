//! Whether games are the same ones again and again ([`Repeats`]): where neither the game nor the agents draw lots, another
//! seed plays the same game, and what many blocks agree on is known from one.

use std::collections::BTreeMap;

use engine::MAX_PLAYERS;

use crate::event::GameResult;

/// How often each must have come again before anybody is told.
const LEAST_AGAIN: usize = 4;

/// The games of a run by who sat where, as long as no two of the same seating differ in points, scores or length.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    first: BTreeMap<[u8; MAX_PLAYERS], Outcome>,
    again: usize,
    differ: bool,
}

/// What a game came to.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Outcome {
    points: [f32; MAX_PLAYERS],
    scores: [f32; MAX_PLAYERS],
    plies: u32,
}

impl Repeats {
    /// Takes note of a game.
    pub fn add(&mut self, game: &GameResult) {
        if self.differ {
            return;
        }
        let outcome = Outcome { points: game.points, scores: game.scores, plies: game.plies };
        match self.first.get(&game.seating) {
            None => drop(self.first.insert(game.seating, outcome)),
            Some(first) if *first == outcome => self.again += 1,
            Some(_) => {
                self.differ = true;
                self.first.clear();
            }
        }
    }

    /// The number of different games, if all came again and again to the same.
    #[must_use]
    pub fn all_the_same(&self) -> Option<u64> {
        let is_so = !self.differ && self.again >= LEAST_AGAIN * self.first.len().max(1);
        is_so.then_some(self.first.len() as u64)
    }

    /// What people are told of it.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let games = crate::units::counted(self.all_the_same()?, "game");
        Some(format!(
            "whoever sat where, every game ended with the same scores after as many choices: unless lots are drawn \
             that do not show, these are {games} again and again, and intervals and tests say nothing of others"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(seating: u8, plies: u32) -> GameResult {
        let mut all = [0; MAX_PLAYERS];
        all[0] = seating;
        GameResult {
            index: 0,
            block: 0,
            seating: all,
            points: [0.0; MAX_PLAYERS],
            scores: [0.0; MAX_PLAYERS],
            plies,
            lead_changes: None,
            extras: Vec::new(),
            luck: None,
            searched: None,
            forfeit: None,
            record: None,
        }
    }

    #[test]
    fn the_same_games_again_are_seen_and_one_that_differs_ends_it() {
        let mut repeats = Repeats::default();
        for round in 0..5 {
            assert_eq!(repeats.all_the_same(), None, "{round}");
            for seating in 0..2 {
                repeats.add(&game(seating, 40 + u32::from(seating)));
            }
        }
        assert_eq!(repeats.all_the_same(), Some(2));
        assert!(repeats.sentence().unwrap().contains("these are 2 games again"));
        repeats.add(&game(1, 40));
        assert_eq!(repeats.all_the_same(), None);
        (0..20).for_each(|_| repeats.add(&game(0, 40)));
        assert_eq!(repeats.all_the_same(), None);
    }
}
