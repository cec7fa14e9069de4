//! All stacks of cards that can ever be legal, in an order that makes the legal ones of every decision a range.
//!
//! The number of a stack identifies it. Stacks of equal size stand together, first those without Ear of the Emperor. So
//! a player of `n` cards chooses from one range, which ends earlier if their Ear is gone (clauses I2, I2b, I2c). The
//! Oracle, chosen alone, has a separate number.

use super::{Action, MOST_SEATS};

/// Number of provinces on the board, each of which has a card.
pub const PROVINCES: usize = 8;
/// The card Ear of the Emperor; cards below it are those of the provinces.
pub const EAR: u8 = 8;
/// The card Bread & Circuses.
pub const BREAD: u8 = 9;
/// The card Oracle.
pub const ORACLE: u8 = 10;
/// Largest number of cards in a stack.
pub const MOST_CARDS: usize = 3;

/// A stack of cards, top first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stack {
    cards: [u8; MOST_CARDS],
    n_cards: u8,
    has_ear: bool,
    /// Number of pieces placed: a byte for each province, the first in the lowest.
    pub(super) placed: u64,
}

impl Stack {
    const EMPTY: Self = Self { cards: [0; MOST_CARDS], n_cards: 0, has_ear: false, placed: 0 };

    /// Returns the stack of `cards`, in which the province before Bread & Circuses places `doubled` pieces.
    fn new(cards: &[u8], doubled: u64) -> Self {
        let mut stack = Self { n_cards: cards.len() as u8, ..Self::EMPTY };
        stack.cards[..cards.len()].copy_from_slice(cards);
        stack.has_ear = cards.contains(&EAR);
        for (place, &card) in cards.iter().enumerate().filter(|(_, card)| **card < EAR) {
            let n = if cards.get(place + 1) == Some(&BREAD) { doubled } else { 1 };
            stack.placed += n << (8 * card);
        }
        stack
    }

    /// Returns the cards, top first: provinces by number from 0, then [`EAR`], [`BREAD`], [`ORACLE`].
    #[must_use]
    pub fn cards(&self) -> &[u8] {
        &self.cards[..usize::from(self.n_cards)]
    }

    /// Returns whether Ear of the Emperor is in the stack.
    #[must_use]
    pub const fn has_ear(&self) -> bool {
        self.has_ear
    }

    /// Returns the number of pieces placed: a byte for each province, the first in the lowest.
    #[must_use]
    pub const fn placed(&self) -> u64 {
        self.placed
    }
}

/// All stacks by number, and the range of each kind of decision.
#[derive(Clone, Debug)]
pub(super) struct Stacks {
    all: [Stack; 256],
    /// The first stack, by number of cards.
    first: [u8; MOST_CARDS + 1],
    /// Number of stacks, by number of cards, without and with Ear.
    count: [[u8; 2]; MOST_CARDS + 1],
}

impl Stacks {
    /// Returns the stacks, where Bread & Circuses turns one piece into `doubled`.
    pub(super) fn new(doubled: u64) -> Self {
        let mut all = [Stack::EMPTY; 256];
        let (mut first, mut count) = ([0; MOST_CARDS + 1], [[0; 2]; MOST_CARDS + 1]);
        let mut n = 0;
        for size in 0..=MOST_CARDS {
            first[size] = n as u8;
            let mut stacks = of_size(size);
            stacks.sort_by_key(|cards| (cards.contains(&EAR), cards.contains(&BREAD), *cards));
            let without = stacks.iter().filter(|cards| !cards.contains(&EAR)).count();
            count[size] = [without as u8, stacks.len() as u8];
            for cards in stacks {
                all[n] = Stack::new(&cards[..size], doubled);
                n += 1;
            }
        }
        all[usize::from(Action::ORACLE.0)] = Stack::new(&[ORACLE], doubled);
        Self { all, first, count }
    }

    #[inline]
    pub(super) const fn get(&self, action: Action) -> &Stack {
        &self.all[action.0 as usize]
    }

    /// Returns the number of stacks of `n_cards`.
    #[inline]
    pub(super) fn count(&self, n_cards: usize, has_ear: bool) -> u32 {
        self.count[n_cards][usize::from(has_ear)].into()
    }

    /// Returns the number of stacks of at most `n_cards`.
    pub(super) fn n_up_to(&self, n_cards: usize) -> u32 {
        u32::from(self.first[n_cards]) + self.count(n_cards, true)
    }

    /// Returns the stack of `n_cards` with number `k` among those of that size.
    #[inline]
    pub(super) const fn nth(&self, n_cards: usize, k: u32) -> Action {
        Action(self.first[n_cards] + k as u8)
    }

    /// Returns whether `action` is a stack of `n_cards` that can be played.
    #[inline]
    pub(super) fn is_of(&self, action: Action, n_cards: usize, has_ear: bool) -> bool {
        u32::from(action.0.wrapping_sub(self.first[n_cards])) < self.count(n_cards, has_ear)
    }
}

/// Returns the canonical stacks of `size` cards without Oracle (clause I2c); entries beyond `size` hold a number that
/// stands for no card.
fn of_size(size: usize) -> Vec<[u8; MOST_CARDS]> {
    let mut stacks = Vec::new();
    for set in 0u16..1 << BREAD {
        let cards = (0..BREAD).filter(|card| set >> card & 1 == 1);
        let n = set.count_ones() as usize;
        if n == size {
            stacks.push(filled(cards.clone()));
        }
        if n + 1 == size && n == 0 {
            stacks.push(filled([BREAD]));
        } else if n + 1 == size {
            for before in cards.clone() {
                let above = cards.clone().filter(|&card| card != before);
                stacks.push(filled(above.chain([before, BREAD])));
            }
        }
    }
    stacks
}

fn filled(cards: impl IntoIterator<Item = u8>) -> [u8; MOST_CARDS] {
    let mut stack = [u8::MAX; MOST_CARDS];
    stack.iter_mut().zip(cards).for_each(|(place, card)| *place = card);
    stack
}

/// The stacks that each seat can play where some are banned.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    /// The stacks by seat, number of cards, and presence of the Ear.
    pub(super) lists: [[[Vec<Action>; 2]; MOST_CARDS + 1]; MOST_SEATS],
}

impl Allowed {
    /// Returns the stacks of `n_cards` cards that a seat can play.
    pub(super) fn of(&self, seat: usize, n_cards: usize, has_ear: bool) -> &[Action] {
        &self.lists[seat][n_cards][usize::from(has_ear)]
    }
}
