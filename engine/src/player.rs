//! Seats at the table: [`Player`], sets of them and one value for each.
//!
//! A player *is* a seat here; the agent in it is no business of the rules.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, Index, IndexMut, Sub};

/// The largest table of any game.
pub const MAX_PLAYERS: usize = 6;

/// A seat at the table, counted from 0 clockwise.
///
/// It takes one byte, and so does an `Option` of it; it hashes as the bare number does. The type admits no more than
/// [`MAX_PLAYERS`] seats, so an array of that length needs no check when it is indexed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Player(Seat);

/// The seats of the largest table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
enum Seat {
    #[default]
    S0,
    S1,
    S2,
    S3,
    S4,
    S5,
}

impl Player {
    /// Returns the player in seat `seat`.
    ///
    /// # Panics
    /// If `seat` is not below [`MAX_PLAYERS`].
    #[inline]
    #[must_use]
    pub const fn new(seat: usize) -> Self {
        Self(match seat {
            0 => Seat::S0,
            1 => Seat::S1,
            2 => Seat::S2,
            3 => Seat::S3,
            4 => Seat::S4,
            5 => Seat::S5,
            _ => panic!("there is no such seat"),
        })
    }

    /// Returns the player whose seat has this number.
    ///
    /// # Panics
    /// If the number is not below [`MAX_PLAYERS`].
    #[inline]
    #[must_use]
    pub const fn of(number: u8) -> Self {
        Self::new(number as usize)
    }

    /// Returns the seat number, `0..MAX_PLAYERS`.
    #[inline]
    #[must_use]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    /// Returns the seat number as a byte.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 as u8
    }

    /// Returns the seat as people count it, `1..=MAX_PLAYERS`. Texts for people use it; records, protocols and keys
    /// count from 0, as [`Display`](fmt::Display) does.
    #[inline]
    #[must_use]
    pub const fn ordinal(self) -> u8 {
        self.number() + 1
    }

    /// Returns all players of a table of `n`, in seat order.
    #[inline]
    pub fn all(n: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..n).map(Self::new)
    }

    /// Returns the next seat clockwise at a table of `n`.
    #[inline]
    #[must_use]
    pub const fn next(self, n: usize) -> Self {
        let next = self.idx() + 1;
        if next >= n || next >= MAX_PLAYERS { Self::new(0) } else { Self::new(next) }
    }
}

impl Hash for Player {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u8(self.number());
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Player").field(&self.number()).finish()
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// A set of players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlayerSet(u8);

impl PlayerSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns the set of the first `n` seats.
    #[inline]
    #[must_use]
    pub const fn first(n: usize) -> Self {
        Self(((1u16 << n) - 1) as u8)
    }

    /// Returns the set of one player.
    #[inline]
    #[must_use]
    pub const fn of(player: Player) -> Self {
        Self(1 << player.number())
    }

    /// Returns the members as bits, seat 0 in the lowest.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Adds `player`.
    #[inline]
    pub const fn insert(&mut self, player: Player) {
        self.0 |= 1 << player.number();
    }

    /// Removes `player`.
    #[inline]
    pub const fn remove(&mut self, player: Player) {
        self.0 &= !(1 << player.number());
    }

    /// Returns the set with `player` if `is_in`, and without them otherwise.
    #[inline]
    #[must_use]
    pub const fn with(mut self, player: Player, is_in: bool) -> Self {
        let bit = 1 << player.number();
        self.0 = if is_in { self.0 | bit } else { self.0 & !bit };
        self
    }

    /// Returns whether `player` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, player: Player) -> bool {
        self.0 >> player.number() & 1 == 1
    }

    /// Returns the number of members.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set has no member.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the member with the lowest seat.
    #[inline]
    #[must_use]
    pub const fn lowest(self) -> Option<Player> {
        if self.0 == 0 { None } else { Some(Player::of(self.0.trailing_zeros() as u8)) }
    }

    /// Returns the members in seat order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Player> + Clone {
        let mut left = self;
        std::iter::from_fn(move || {
            let lowest = left.lowest()?;
            left.0 &= left.0 - 1;
            Some(lowest)
        })
    }
}

impl From<PlayerSet> for u64 {
    fn from(set: PlayerSet) -> Self {
        set.0.into()
    }
}

impl BitOr for PlayerSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
impl BitAnd for PlayerSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
/// The members of the first set that are not in the second.
impl Sub for PlayerSet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl FromIterator<Player> for PlayerSet {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Self {
        players.into_iter().fold(Self::EMPTY, |set, player| set.with(player, true))
    }
}

/// One value for each seat; seats beyond the table hold the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByPlayer<T>(pub [T; MAX_PLAYERS]);

impl<T> ByPlayer<T> {
    /// Returns the values that `value` gives for each seat.
    #[inline]
    pub fn from_fn(mut value: impl FnMut(Player) -> T) -> Self {
        Self(std::array::from_fn(|seat| value(Player::new(seat))))
    }

    /// Returns the values of the first `n` seats.
    #[must_use]
    pub fn first(&self, n: usize) -> &[T] {
        &self.0[..n]
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;
    #[inline]
    fn index(&self, player: Player) -> &T {
        &self.0[player.idx()]
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    #[inline]
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
        assert_eq!(set.lowest(), Some(Player::new(1)));
        assert_eq!(set - PlayerSet::of(Player::new(1)), PlayerSet::of(Player::new(4)));
        assert_eq!((PlayerSet::EMPTY.lowest(), PlayerSet::EMPTY.iter().next()), (None, None));
    }

    #[test]
    fn a_seat_is_a_byte_even_if_nobody_may_sit_there() {
        assert_eq!((size_of::<Player>(), size_of::<Option<Player>>()), (1, 1));
        for seat in 0..MAX_PLAYERS {
            let player = Player::new(seat);
            assert_eq!((player.idx(), player.to_string()), (seat, seat.to_string()));
            assert_eq!(crate::hash_of(&player), crate::hash_of(&(seat as u8)));
            assert_eq!(player.next(MAX_PLAYERS).idx(), (seat + 1) % MAX_PLAYERS);
        }
    }

    #[test]
    fn tied_winners_share_the_point() {
        assert_eq!(share_the_point(&[3, 7, 7]).first(3), [0.0, 0.5, 0.5]);
    }
}
