//! Words of lanes: one small count per player, for the galleys of a zone or the influence in a province.

use crate::player::MAX_PLAYERS;

/// Bits per player in a word of galleys or influence.
pub(super) const LANE: u32 = 5;
/// The largest count of a lane.
pub(super) const LANE_MAX: u32 = 31;

/// The count of `player` in a word of lanes.
pub(super) const fn lane(word: u32, player: u8) -> u8 {
    (word >> (LANE * player as u32) & LANE_MAX) as u8
}

/// Adds to the count of `player` in a word of lanes.
pub(super) const fn add_lane(word: &mut u32, player: u8, number: i8) {
    let change = (number as i32 as u32).wrapping_mul(1 << (LANE * player as u32));
    *word = word.wrapping_add(change);
}

/// All lanes of a set of players.
pub(super) const fn lanes(players: u8) -> u32 {
    LANES[(players & 63) as usize]
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
        add_lane(&mut word, 5, 31);
        add_lane(&mut word, 0, 7);
        add_lane(&mut word, 5, -30);
        assert_eq!([0, 1, 5].map(|q| lane(word, q)), [7, 0, 1]);
        assert_eq!(lanes(0b10_0001) & word, word);
    }
}
