//! Turn orders that are forced, with their sides where there are any, and those that are bid for and noted.
//!
//! At a stage the order is forced in a **Latin square**: in game r of a block seat r is first and the others follow as
//! they sit, so that every seat has every place once. What a place is worth is then free of what a seat is worth, and the
//! other way round. That square is played once for every way to divide the places into two sides (of even tables, into
//! equal halves): so every seat meets every other as often on its side as any other does, at every place, and neither
//! place nor seat nor side stands in for another. All of them are played under the same seed from the same position.
//!
//! In another square nobody is forced but who bids first: seat r in game r.

use agents::Playable;
use engine::{ByPlayer, Player, Precedence, Treatable};

use super::uptake::{Auction, Placed};

use super::facts::Facts;

/// The games in which orders are forced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// What the game declares.
    pub precedence: Precedence,
    /// The stages.
    pub stages: Vec<u8>,
    /// The ways to divide the places: whether each is on the second side.
    pub patterns: Vec<Vec<bool>>,
}

/// All ways to divide `players` places into two sides whose sizes differ by one at most, each once.
fn patterns(players: usize) -> Vec<Vec<bool>> {
    let is_one = |bits: u32| {
        bits.count_ones() as usize == players / 2 && (players % 2 == 1 || bits & 1 == 0)
    };
    let pattern = |bits: u32| (0..players).map(|place| bits >> place & 1 == 1).collect();
    (0..1 << players).filter(|&bits| is_one(bits)).map(pattern).collect()
}

impl Order {
    /// The games of a table in which orders are forced at `stages`; nothing where none change. Without sides all places
    /// are on one.
    #[must_use]
    pub fn of(facts: &Facts, stages: &[u8]) -> Option<Self> {
        let precedence = facts.precedence?;
        let patterns = match precedence.bids {
            Some(_) => patterns(facts.players),
            None => vec![vec![false; facts.players]],
        };
        Some(Self { precedence, stages: stages.to_vec(), patterns })
    }
}

/// Notes of the bids of a game that is watched.
#[derive(Clone, Debug, Default)]
pub(super) struct Bids {
    /// The last stage whose order is noted.
    noted: u8,
    /// What everybody had to bid with at a stage.
    purse: Option<(u8, ByPlayer<i32>)>,
    /// Their outcomes, stage after stage.
    pub(super) auctions: Vec<Auction>,
}

impl Bids {
    /// Takes note of the order when it is settled.
    pub(super) fn see<G: Playable>(&mut self, game: &G, state: &G::State) {
        let stage = Treatable::stage(game, state);
        if stage == self.noted {
            return;
        }
        let Some(now) = game.placings(state) else { return };
        let n = game.n_players();
        if now.settled == 0 {
            self.purse = Some((stage, now.money));
        }
        if usize::from(now.settled) < n {
            return;
        }
        let purse = self.purse.filter(|(of, _)| *of == stage).map_or(now.money, |(_, purse)| purse);
        let scores = game.scores(state).unwrap_or_default();
        let placed = |seat: Player| Placed {
            place: now.order.iter().position(|&other| other == seat).unwrap_or_default(),
            second: now.second.contains(seat),
            price: (purse[seat] - now.money[seat]).max(0),
            score: scores[seat],
        };
        self.auctions.push(Auction { stage, seats: Player::all(n).map(placed).collect() });
        self.noted = stage;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the games of all patterns and rotations every pair of seats is as often on one side as any other, and each of
    /// them at every place as often.
    #[test]
    fn places_seats_and_sides_are_balanced() {
        for players in 2..=6 {
            let patterns = patterns(players);
            assert_eq!(patterns.len(), [1, 3, 3, 10, 10][players - 2]);
            let (mut together, mut at) = (vec![vec![0; players]; players], Vec::new());
            at.resize_with(players, || vec![vec![0; players]; players]);
            for (pattern, first) in patterns.iter().flat_map(|p| (0..players).map(move |r| (p, r)))
            {
                let side = |seat: usize| pattern[(seat + players - first) % players];
                for (i, j) in (0..players).flat_map(|i| (0..players).map(move |j| (i, j))) {
                    if i != j && side(i) == side(j) {
                        together[i][j] += 1;
                        at[i][j][(i + players - first) % players] += 1;
                    }
                }
            }
            for (i, j) in (0..players).flat_map(|i| (0..players).map(move |j| (i, j))) {
                if i != j {
                    assert_eq!(together[i][j], together[0][1], "{players} players: {i} and {j}");
                }
            }
            let per_place =
                |i: usize, place: usize| (0..players).map(|j| at[i][j][place]).sum::<i32>();
            for (i, place) in (0..players).flat_map(|i| (0..players).map(move |p| (i, p))) {
                assert_eq!(
                    per_place(i, place),
                    per_place(0, 0),
                    "{players} players: {i} at {place}"
                );
            }
        }
    }
}
