//! Forced turn orders, with their sides if there are any, and recorded bids for the turn order.
//!
//! At a stage the order is forced in a **Latin square**: in game r of a block seat r is first and the others follow as
//! they sit. Every seat therefore has every place once, and the worth of a place is free of the worth of a seat, and
//! vice versa. The square is played once for every division of the places into two sides (equal halves at even
//! tables). Each pair of seats is on one side equally often, at every place, so that place, seat and side are not
//! confounded. All games use the same seed and start from the same position.
//!
//! A second square forces only the first bidder: seat r in game r.

use agents::Playable;
use engine::{ByPlayer, Player, Precedence, Treatable};

use super::uptake::{Auction, Placed};

use super::facts::Facts;

/// The games with forced orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The game's declaration of the turn order.
    pub precedence: Precedence,
    /// The stages.
    pub stages: Vec<u8>,
    /// The divisions of the places: true for a place on the second side.
    pub patterns: Vec<Vec<bool>>,
}

/// Returns all divisions of `players` places into two sides whose sizes differ by at most one, each once.
fn patterns(players: usize) -> Vec<Vec<bool>> {
    let is_one = |bits: u32| {
        bits.count_ones() as usize == players / 2 && (players % 2 == 1 || bits & 1 == 0)
    };
    let pattern = |bits: u32| (0..players).map(|place| bits >> place & 1 == 1).collect();
    (0..1 << players).filter(|&bits| is_one(bits)).map(pattern).collect()
}

impl Order {
    /// Returns the games that force orders at `stages`; `None` if the order never changes. Without sides, all places
    /// are on one side.
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

/// A recorder of the bids in an observed game.
#[derive(Clone, Debug, Default)]
pub(super) struct Bids {
    /// The last stage whose order is recorded.
    noted: u8,
    /// A stage, and the money that each player could bid at its start.
    purse: Option<(u8, ByPlayer<i32>)>,
    /// The outcomes, stage after stage.
    pub(super) auctions: Vec<Auction>,
}

impl Bids {
    /// Records the order once it is settled.
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

    /// Over all patterns and rotations, each pair of seats is on one side equally often, and so is each seat at every
    /// place.
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
