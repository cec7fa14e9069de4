//! Small counts packed into words: lanes of five bits by player, slots of four bits by card.

use crate::player::{MAX_PLAYERS, Player, PlayerSet};

/// Number of bits per player in a word of galleys or influence.
pub(crate) const LANE: u32 = 5;
/// Largest count of a lane.
pub(crate) const LANE_MAX: u32 = 31;

/// Returns the slots of a word that are not empty, with their counts.
pub(crate) fn nibbles(mut word: u64) -> impl Iterator<Item = (u8, u8)> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let slot = (word.trailing_zeros() / 4) as u8;
            let number = nibble(word, slot);
            word &= !(15 << (4 * slot));
            (slot, number)
        })
    })
}

pub(crate) const fn nibble(word: u64, slot: u8) -> u8 {
    (word >> (4 * slot) & 15) as u8
}

/// The form of a word of lanes as the list of its counts, by seat.
#[cfg(feature = "data")]
pub(crate) struct Lanes;

#[cfg(feature = "data")]
impl crate::data::Form<u32> for Lanes {
    fn show(word: &u32) -> serde_json::Value {
        Player::all(MAX_PLAYERS).map(|player| lane(*word, player)).collect()
    }
    fn read(json: &serde_json::Value) -> Result<u32, crate::data::BadData> {
        let counts = <[u8; MAX_PLAYERS] as crate::data::Data>::from_data(json)?;
        if let Some(n) = counts.iter().find(|&&n| u32::from(n) > LANE_MAX) {
            let fault = format_args!("{n} is not a number from 0 to {LANE_MAX}");
            return Err(crate::data::BadData::of(fault));
        }
        Ok(counts.iter().rev().fold(0, |word, &n| word << LANE | u32::from(n)))
    }
}

/// Returns the count of `player` in a word of lanes.
pub(crate) const fn lane(word: u32, player: Player) -> u8 {
    (word >> (LANE * player.number() as u32) & LANE_MAX) as u8
}

/// Returns the players whose count in a word of lanes is not zero, with their counts.
#[inline]
pub(crate) fn counts(mut word: u32) -> impl Iterator<Item = (Player, u8)> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let player = Player::of((word.trailing_zeros() / LANE) as u8);
            let number = lane(word, player);
            word &= !(LANE_MAX << (LANE * u32::from(player.number())));
            (player, number)
        })
    })
}

/// Adds to the count of `player` in a word of lanes.
pub(crate) const fn add_lane(word: &mut u32, player: Player, number: i8) {
    let change = (number as i32 as u32).wrapping_mul(1 << (LANE * player.number() as u32));
    *word = word.wrapping_add(change);
}

/// Returns all lanes of a set of players.
pub(crate) const fn lanes(players: PlayerSet) -> u32 {
    LANES[(players.bits() & 63) as usize]
}

/// [`lanes`] as a table.
const LANES: [u32; 1 << MAX_PLAYERS] = {
    let mut table = [0; 1 << MAX_PLAYERS];
    let mut players = 0;
    while players < table.len() {
        let mut q = 0;
        while q < MAX_PLAYERS as u32 {
            table[players] |= (players as u32 >> q & 1) * (LANE_MAX << (LANE * q));
            q += 1;
        }
        players += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_do_not_disturb_each_other() {
        let mut word = 0;
        let [first, second, last] = [0, 1, 5].map(Player::new);
        add_lane(&mut word, last, 31);
        add_lane(&mut word, first, 7);
        add_lane(&mut word, last, -30);
        assert_eq!([first, second, last].map(|q| lane(word, q)), [7, 0, 1]);
        assert_eq!(counts(word).collect::<Vec<_>>(), [(first, 7), (last, 1)]);
        assert_eq!(lanes([first, last].into_iter().collect()) & word, word);
    }
}
