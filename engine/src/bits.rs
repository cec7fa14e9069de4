//! Sets as bits: the members of a word, and typed sets of numbered things.
//!
//! The things of a board are numbered, and the bits of a word are a set of them. [`numbered!`](crate::bits) gives each
//! kind a type of its own, so that a place on land cannot stand for one at sea. [`Set`] does this for its sets. Both
//! cost what bare numbers cost, and an `Option` of a numbered thing still takes one byte.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// Returns the members of a set of at most 64 things, the lowest first.
#[inline]
pub fn each(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let member = set.trailing_zeros() as u8;
            set &= set - 1;
            member
        })
    })
}

/// Returns the member with `index` lower members, which must exist: one instruction where the processor has it.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline]
#[must_use]
pub fn nth(set: u64, index: u32) -> u8 {
    safe_arch::population_deposit_u64(1 << index, set).trailing_zeros() as u8
}

/// Returns the member with `index` lower members, which must exist.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
#[must_use]
pub fn nth(mut set: u64, index: u32) -> u8 {
    (0..index).for_each(|_| set &= set - 1);
    set.trailing_zeros() as u8
}

/// Returns the indices of those `words` that have a bit of `mask`, as a set.
#[inline]
#[must_use]
pub fn marked<const N: usize>(words: &[u32; N], mask: u32) -> u64 {
    let (eights, rest) = words.as_chunks::<8>();
    let first = eights
        .iter()
        .rev()
        .fold(0, |marked, &eight| marked << 8 | u64::from(marked_of_eight(eight, mask)));
    let rest = rest.iter().rev().fold(0, |marked, word| marked << 1 | u64::from(word & mask != 0));
    first | rest << (8 * eights.len())
}

/// Returns [`marked`] of eight words, all compared at once where the processor can.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[inline]
fn marked_of_eight(words: [u32; 8], mask: u32) -> u8 {
    use safe_arch::*;
    let found = bitand_m256i(m256i::from(words), set_splat_i32_m256i(mask as i32));
    let is_none = cmp_eq_mask_i32_m256i(found, zeroed_m256i());
    !(move_mask_m256(cast_to_m256_from_m256i(is_none)) as u8)
}

/// Returns [`marked`] of eight words.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
fn marked_of_eight(words: [u32; 8], mask: u32) -> u8 {
    words.iter().rev().fold(0, |marked, word| marked << 1 | u8::from(word & mask != 0))
}

/// A thing with a number below 64.
pub trait Numbered: Copy {
    /// Returns the thing with this number.
    ///
    /// # Panics
    /// If the number is 255, which no thing has.
    #[must_use]
    fn of(number: u8) -> Self;

    /// Returns the number of the thing.
    #[must_use]
    fn number(self) -> u8;
}

/// A set of numbered things.
pub struct Set<T> {
    bits: u64,
    of: PhantomData<T>,
}

impl<T> Set<T> {
    /// The empty set.
    pub const EMPTY: Self = Self::from_bits(0);

    /// Returns the set whose members are the set bits.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self { bits, of: PhantomData }
    }

    /// Returns the members as bits.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.bits
    }

    /// Returns the number of members.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.bits.count_ones()
    }

    /// Returns whether there is no member.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }
}

impl<T: Numbered> Set<T> {
    /// Returns the set of one thing.
    #[inline]
    #[must_use]
    pub fn of(member: T) -> Self {
        Self::from_bits(1 << member.number())
    }

    /// Returns whether `member` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(self, member: T) -> bool {
        self.bits >> member.number() & 1 == 1
    }

    /// Returns the set with `member` if `is_in`, and without it otherwise.
    #[inline]
    #[must_use]
    pub fn with(self, member: T, is_in: bool) -> Self {
        let bit = 1 << member.number();
        Self::from_bits(if is_in { self.bits | bit } else { self.bits & !bit })
    }

    /// Adds `member`.
    #[inline]
    pub fn insert(&mut self, member: T) {
        *self = self.with(member, true);
    }

    /// Removes `member`.
    #[inline]
    pub fn remove(&mut self, member: T) {
        *self = self.with(member, false);
    }

    /// Returns the lowest member.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<T> {
        (self.bits != 0).then(|| T::of(self.bits.trailing_zeros() as u8))
    }

    /// Returns the highest member.
    #[inline]
    #[must_use]
    pub fn last(self) -> Option<T> {
        self.bits.checked_ilog2().map(|bit| T::of(bit as u8))
    }

    /// Removes the lowest member and returns it.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        if self.bits == 0 {
            return None;
        }
        let lowest = self.bits.trailing_zeros() as u8;
        self.bits &= self.bits - 1;
        Some(T::of(lowest))
    }

    /// Returns the member with `index` lower members, which must exist.
    #[inline]
    #[must_use]
    pub fn nth(self, index: u32) -> T {
        T::of(nth(self.bits, index))
    }

    /// Returns the members above `member`.
    #[inline]
    #[must_use]
    pub fn above(self, member: T) -> Self {
        Self::from_bits(self.bits & u64::MAX << member.number() << 1)
    }

    /// Returns the members, the lowest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = T> {
        each(self.bits).map(T::of)
    }
}

// Derived implementations would require these traits of `T` as well.
impl<T> Clone for Set<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Set<T> {}
impl<T> PartialEq for Set<T> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}
impl<T> Eq for Set<T> {}
impl<T> Default for Set<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}
impl<T> Hash for Set<T> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.bits);
    }
}
impl<T> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(each(self.bits)).finish()
    }
}

impl<T> From<Set<T>> for u64 {
    fn from(set: Set<T>) -> Self {
        set.bits
    }
}

impl<T: Numbered> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        members.into_iter().fold(Self::EMPTY, |set, member| set.with(member, true))
    }
}

impl<T> BitOr for Set<T> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self::from_bits(self.bits | other.bits)
    }
}
impl<T> BitAnd for Set<T> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self::from_bits(self.bits & other.bits)
    }
}
/// The members of the first set that are not in the second.
impl<T> Sub for Set<T> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::from_bits(self.bits & !other.bits)
    }
}
impl<T> BitOrAssign for Set<T> {
    fn bitor_assign(&mut self, other: Self) {
        self.bits |= other.bits;
    }
}
impl<T> BitAndAssign for Set<T> {
    fn bitand_assign(&mut self, other: Self) {
        self.bits &= other.bits;
    }
}
impl<T> SubAssign for Set<T> {
    fn sub_assign(&mut self, other: Self) {
        self.bits &= !other.bits;
    }
}

/// Declares numbered things: for each kind a type, and a type of its sets.
///
/// The stored number is larger by one, so that no thing is zero and an `Option` of it takes no more room. The hash is
/// that of the bare number.
macro_rules! numbered {
    ($($(#[$doc:meta])* $Thing:ident, $(#[$set_doc:meta])* $Things:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $Thing(std::num::NonZeroU8);

        impl $Thing {
            /// Returns the thing with this number.
            ///
            /// # Panics
            /// If the number is 255, which no thing has.
            #[inline]
            #[must_use]
            pub const fn new(number: u8) -> Self {
                match std::num::NonZeroU8::new(number.wrapping_add(1)) {
                    Some(next) => Self(next),
                    None => panic!("255 is the number of nothing"),
                }
            }

            /// Returns the number, in the order of the configuration.
            #[inline]
            #[must_use]
            pub const fn number(self) -> u8 {
                self.0.get() - 1
            }

            /// Returns the number as an index.
            #[inline]
            #[must_use]
            pub const fn idx(self) -> usize {
                self.number() as usize
            }

            /// Returns the first `n` things, in order.
            pub fn first(n: usize) -> impl DoubleEndedIterator<Item = Self> + Clone {
                (0..n as u8).map(Self::new)
            }
        }

        impl $crate::bits::Numbered for $Thing {
            #[inline]
            fn of(number: u8) -> Self {
                Self::new(number)
            }
            #[inline]
            fn number(self) -> u8 {
                self.number()
            }
        }

        #[cfg(feature = "data")]
        impl $crate::data::Data for $Thing {
            fn to_data(&self) -> serde_json::Value {
                self.number().into()
            }
            fn from_data(json: &serde_json::Value) -> Result<Self, $crate::data::BadData> {
                let number = u8::from_data(json).ok().filter(|&number| number < u8::MAX);
                let word = stringify!($Thing);
                number.map(Self::new).ok_or_else(|| $crate::data::BadData::new(json, word))
            }
        }

        impl std::hash::Hash for $Thing {
            fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
                hasher.write_u8(self.number());
            }
        }

        impl std::fmt::Debug for $Thing {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({})", stringify!($Thing), self.number())
            }
        }

        $(#[$set_doc])*
        pub type $Things = $crate::bits::Set<$Thing>;
    )*};
}
pub(crate) use numbered;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::conquest2::{Place as Thing, PlaceSet as Things};

    #[test]
    fn words_with_a_bit_of_a_mask_are_found() {
        for set in [0u64, 1, 1 << 17, 0x2_a5c3, 0x3_ffff] {
            let word = |i: usize| if set >> i & 1 == 1 { 0b1010 } else { 0b1000 };
            assert_eq!(marked(&std::array::from_fn::<u32, 18, _>(word), 0b110), set);
            assert_eq!(marked(&std::array::from_fn::<u32, 12, _>(word), 0b110), set & 0xfff);
        }
    }

    #[test]
    fn members_come_in_order() {
        let set = 0b1010_0100 | 1 << 63;
        assert_eq!(each(set).collect::<Vec<_>>(), [2, 5, 7, 63]);
        assert_eq!((0..4).map(|i| nth(set, i)).collect::<Vec<_>>(), [2, 5, 7, 63]);
        assert!((0..64).all(|i| nth(u64::MAX, i) == i as u8));
    }

    #[test]
    fn a_numbered_thing_takes_a_byte_even_if_it_may_be_missing() {
        assert_eq!((size_of::<Thing>(), size_of::<Option<Thing>>()), (1, 1));
        assert_eq!((Thing::new(0).number(), Thing::new(254).idx()), (0, 254));
        assert_eq!(format!("{:?}", Thing::new(7)), "Place(7)");
        assert_eq!(crate::hash_of(&Thing::new(7)), crate::hash_of(&7u8));
    }

    #[test]
    fn sets_do_what_their_bits_do() {
        let thing = Thing::new;
        let mut set: Things = [9, 3, 63].into_iter().map(thing).collect();
        assert_eq!((set.len(), set.contains(thing(3)), set.contains(thing(4))), (3, true, false));
        assert_eq!(set.above(thing(3)).iter().collect::<Vec<_>>(), [thing(9), thing(63)]);
        assert_eq!(set.above(thing(63)), Set::EMPTY);
        assert_eq!((set.pop(), set.nth(1)), (Some(thing(3)), thing(63)));
        set.insert(thing(1));
        set.remove(thing(63));
        let low = Set::of(thing(1));
        assert_eq!(
            (set - low, set & low, (set | low).first()),
            (Set::of(thing(9)), low, Some(thing(1)))
        );
        let mut none = Things::EMPTY;
        assert_eq!((none.first(), none.last(), none.pop()), (None, None, None));
        assert_eq!(set.last(), Some(thing(9)));
        assert_eq!(format!("{set:?}"), "{1, 9}");
    }
}
