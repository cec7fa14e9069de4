//! Seats at the table: [`Player`], sets of them and one value for each.
//!
//! A player *is* a seat here; who sits there (an agent) is no business of the rules.

use std::fmt;
use std::ops::{Index, IndexMut};

/// The largest table of any game.
pub const MAX_PLAYERS: usize = 6;

/// A seat at the table, counted from 0 clockwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Player(u8);

impl Player {
    /// The player in seat `seat`.
    ///
    /// # Panics
    /// If `seat` is not below [`MAX_PLAYERS`].
    #[must_use]
    pub const fn new(seat: usize) -> Self {
        assert!(seat < MAX_PLAYERS);
        Self(seat as u8)
    }

    /// The seat number, `0..MAX_PLAYERS`.
    #[must_use]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    /// All players of a table of `n`, in seat order.
    pub fn all(n: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..n).map(Self::new)
    }

    /// The next seat clockwise at a table of `n`.
    #[must_use]
    pub const fn next(self, n: usize) -> Self {
        let next = self.0 + 1;
        Self(if next as usize >= n { 0 } else { next })
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlayerSet(u8);

impl PlayerSet {
    /// The set of the first `n` seats.
    #[must_use]
    pub const fn first(n: usize) -> Self {
        Self(((1u16 << n) - 1) as u8)
    }

    /// Adds `player`.
    pub const fn insert(&mut self, player: Player) {
        self.0 |= 1 << player.0;
    }

    /// Removes `player`.
    pub const fn remove(&mut self, player: Player) {
        self.0 &= !(1 << player.0);
    }

    /// Whether `player` is in the set.
    #[must_use]
    pub const fn contains(self, player: Player) -> bool {
        self.0 >> player.0 & 1 == 1
    }

    /// Number of members.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Members in seat order.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        Player::all(MAX_PLAYERS).filter(move |&p| self.contains(p))
    }
}

impl FromIterator<Player> for PlayerSet {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Self {
        let mut set = Self::default();
        players.into_iter().for_each(|p| set.insert(p));
        set
    }
}

/// One value for each seat; seats beyond the table hold the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByPlayer<T>(pub [T; MAX_PLAYERS]);

impl<T> ByPlayer<T> {
    /// The values of the first `n` seats.
    #[must_use]
    pub fn first(&self, n: usize) -> &[T] {
        &self.0[..n]
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;
    fn index(&self, player: Player) -> &T {
        &self.0[player.idx()]
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    fn index_mut(&mut self, player: Player) -> &mut T {
        &mut self.0[player.idx()]
    }
}

/// Shares one point among those with the best score: a sole winner gets 1, `k` tied winners 1/k each.
#[must_use]
pub fn share_the_point<S: PartialOrd + Copy>(scores: &[S]) -> ByPlayer<f32> {
    let is_best = |s: S| scores.iter().all(|&other| s >= other);
    let winners = scores.iter().filter(|&&s| is_best(s)).count();
    let mut points = ByPlayer::default();
    for (seat, &s) in scores.iter().enumerate() {
        if is_best(s) {
            points.0[seat] = 1.0 / winners as f32;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_its_members_in_seat_order() {
        let set: PlayerSet = [Player::new(4), Player::new(1)].into_iter().collect();
        assert_eq!(set.iter().map(Player::idx).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(PlayerSet::first(6).len(), 6);
    }

    #[test]
    fn tied_winners_share_the_point() {
        assert_eq!(share_the_point(&[3, 7, 7]).first(3), [0.0, 0.5, 0.5]);
    }
}
