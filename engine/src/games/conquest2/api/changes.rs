//! Differences between two positions, for an evaluation that computes only the changes of an action.

use super::read::Situation;
use crate::games::conquest2::model::place::{Key, KeySet};
use crate::player::Player;

impl Situation<'_> {
    /// Returns the key provinces where influence differs from that in `other`.
    #[inline]
    #[must_use]
    pub fn changed_influence(&self, other: &Situation<'_>) -> KeySet {
        // A fast test first: most positions do not differ here from the one before.
        if self.state.influence == other.state.influence {
            return KeySet::EMPTY;
        }
        let pairs = self.state.influence.iter().zip(&other.state.influence);
        let differs = pairs.enumerate().map(|(i, (now, then))| u64::from(now != then) << i);
        KeySet::from_bits(differs.sum())
    }

    /// Returns the key provinces where the troops or generals of a player differ from those in `other`.
    #[must_use]
    pub fn changed_troops(&self, other: &Situation<'_>, player: Player) -> KeySet {
        let [now, then] = [self.state, other.state].map(|state| &state.land[player]);
        if now.iter().zip(then).fold(0, |found, (a, b)| found | (a.0 ^ b.0)) == 0 {
            return KeySet::EMPTY;
        }
        let has_changed = |key: &Key| {
            let place = self.place_of(*key).idx();
            now[place] != then[place]
        };
        self.all_keys().filter(has_changed).collect()
    }

    /// Returns the key provinces where the tokens for sale differ from those in `other`.
    #[inline]
    #[must_use]
    pub fn changed_tokens(&self, other: &Situation<'_>) -> KeySet {
        if self.state.tokens == other.state.tokens {
            return KeySet::EMPTY;
        }
        let pairs = self.state.tokens.iter().zip(&other.state.tokens);
        let differs = pairs.enumerate().map(|(i, (now, then))| u64::from(now != then) << i);
        KeySet::from_bits(differs.sum())
    }

    /// Returns whether a player has as many units of each kind on the map as in `other`.
    #[must_use]
    pub fn has_same_units(&self, other: &Situation<'_>, player: Player) -> bool {
        self.state.pool[player] == other.state.pool[player]
    }

    /// Returns whether a player holds the same cards as in `other`, Senators apart.
    #[must_use]
    pub fn has_same_cards(&self, other: &Situation<'_>, player: Player) -> bool {
        self.state.multi[player] == other.state.multi[player]
            && self.state.passive[player] == other.state.passive[player]
    }

    /// Returns whether cities stand in the same places and belong to the same players as in `other`.
    #[must_use]
    pub const fn has_same_cities(&self, other: &Situation<'_>) -> bool {
        self.state.cities == other.state.cities
    }

    /// Returns whether all players have the same chaos as in `other`.
    #[must_use]
    pub fn has_same_chaos(&self, other: &Situation<'_>) -> bool {
        self.state.chaos == other.state.chaos
    }

    /// Returns whether all players have the same victory points as in `other`.
    #[must_use]
    pub fn has_same_points(&self, other: &Situation<'_>) -> bool {
        self.state.vp == other.state.vp
    }
}
