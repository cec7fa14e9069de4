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
use engine::{ByPlayer, MAX_PLAYERS, Precedence, Treatable};

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

/// How a player came out of the bids of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// His place in the turn order.
    pub place: usize,
    /// Whether he is on the second side.
    pub second: bool,
    /// What he has paid.
    pub price: i32,
    /// His score when the order was settled.
    pub score: i32,
}

/// Notes of the bids of a game that is watched.
#[derive(Clone, Debug, Default)]
pub(super) struct Bids {
    /// The last stage whose order is noted.
    noted: u8,
    /// What everybody had to bid with at a stage.
    purse: Option<(u8, ByPlayer<i32>)>,
    /// A word for each stage, as `2@PLACE/SIDE/PRICE/SCORE;…` by seat.
    pub(super) words: Vec<String>,
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
        let mut by_seat = vec![String::new(); n];
        for (place, &seat) in now.order.iter().take(n).enumerate() {
            let side = u8::from(now.second.contains(seat));
            let price = (purse[seat] - now.money[seat]).max(0);
            by_seat[seat.idx()] = format!("{place}/{side}/{price}/{}", scores[seat]);
        }
        self.words.push(format!("{stage}@{}", by_seat.join(";")));
        self.noted = stage;
    }
}

/// What the deeds of a row tell of the bids of a stage, by seat.
#[must_use]
pub fn placed(deeds: &str, stage: u8) -> Option<Vec<Placed>> {
    let one = |text: &str| {
        let mut numbers = text.split('/').map(|n| n.parse::<i32>().ok());
        let mut next = || numbers.next().flatten();
        let (place, side, price, score) = (next()?, next()?, next()?, next()?);
        let place = usize::try_from(place).ok().filter(|&place| place < MAX_PLAYERS)?;
        Some(Placed { place, second: side == 1, price, score })
    };
    let of_stage = |word: &str| {
        let (of, seats) = word.split_once('@')?;
        (of.parse() == Ok(stage)).then_some(seats.to_owned())
    };
    deeds.split(' ').find_map(of_stage)?.split(';').map(one).collect()
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

    #[test]
    fn what_is_noted_is_read() {
        let deeds = "1.loot=0 2@1/0/15/-3;0/1/0/7 2.roma:3/0";
        let one = |place, second, price, score| Placed { place, second, price, score };
        assert_eq!(placed(deeds, 2), Some(vec![one(1, false, 15, -3), one(0, true, 0, 7)]));
        assert_eq!((placed(deeds, 1), placed("2@1/0/x/0", 2)), (None, None));
    }
}
