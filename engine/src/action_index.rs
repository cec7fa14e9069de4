//! Numbers of actions: each action that a player can ever choose has one number, the same in all positions.
//!
//! [`ActionIndex`] numbers the actions of a game from 0, for policies that are vectors. The numbers lie in blocks, one
//! for each word ([`ActionBlock`]): an action is the word of a block and up to four values, read as digits. Outcomes of
//! chance have no numbers. The numbers of a game follow from its rules and its number of players. A test holds them to
//! golden hashes, since stored policies depend on them.
//!
//! # Example
//! ```
//! use engine::games::kuhn_poker::{Action, KuhnPoker};
//! use engine::{ActionIndex, Configure, Rules};
//!
//! let game = KuhnPoker::configure(2, &Rules::of::<KuhnPoker>())?;
//! assert_eq!(game.n_numbers(), 2);
//! assert_eq!(game.number_of(Action::Bet), 1);
//! assert_eq!(game.action_of(1), Some(Action::Bet));
//! # Ok::<(), engine::BadRules>(())
//! ```

use crate::game::Game;

/// Largest number of values of an action.
pub const MOST_VALUES: usize = 4;

/// The values of an action within its block; unused ones are 0.
pub type Values = [u32; MOST_VALUES];

/// A block of action numbers: all actions with the same word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ActionBlock {
    /// The word, or the kind of action.
    pub word: &'static str,
    /// The first number of the block.
    pub first: u32,
    /// Exclusive upper bounds of the values; 1 for a value that the word does not have.
    pub bounds: Values,
}

impl ActionBlock {
    /// Lays out blocks one after the other, each with its word and the bounds of its values.
    ///
    /// # Panics
    /// If a word has more than [`MOST_VALUES`] values.
    #[must_use]
    pub const fn lay_out<const N: usize>(words: [(&'static str, &[u32]); N]) -> [Self; N] {
        let mut blocks = [Self { word: "", first: 0, bounds: [1; MOST_VALUES] }; N];
        let (mut next, mut i) = (0, 0);
        while i < N {
            let (word, bounds) = words[i];
            blocks[i].word = word;
            blocks[i].first = next;
            let mut j = 0;
            while j < bounds.len() {
                blocks[i].bounds[j] = bounds[j];
                j += 1;
            }
            next += blocks[i].len();
            i += 1;
        }
        blocks
    }

    /// Returns how many numbers the block has.
    #[must_use]
    pub const fn len(&self) -> u32 {
        let [a, b, c, d] = self.bounds;
        a * b * c * d
    }

    /// Returns whether the block has no number, as for a word that the rules switch off.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of the action with these values.
    #[inline]
    fn number(&self, values: Values) -> u32 {
        let [_, b, c, d] = self.bounds;
        debug_assert!(
            values.iter().zip(self.bounds).all(|(&v, bound)| v < bound),
            "{self:?} {values:?}"
        );
        self.first + ((values[0] * b + values[1]) * c + values[2]) * d + values[3]
    }

    /// Returns the values of the action with this number of the block.
    const fn values(&self, number: u32) -> Values {
        let [_, b, c, d] = self.bounds;
        let rest = number - self.first;
        [rest / d / c / b, rest / d / c % b, rest / d % c, rest % d]
    }
}

/// A game whose actions have numbers.
pub trait ActionIndex: Game {
    /// Returns the blocks of numbers in order, without gaps.
    fn action_blocks(&self) -> &[ActionBlock];

    /// Returns the block of an action of a player, and its values.
    ///
    /// # Panics
    /// If `action` is an outcome of chance; it may panic if no position of the game has the action.
    fn split(&self, action: Self::Action) -> (usize, Values);

    /// Returns the action with these values of a block; the inverse of [`Self::split`].
    ///
    /// # Panics
    /// It may panic if the block does not exist, or a value is not below its bound.
    fn join(&self, block: usize, values: Values) -> Self::Action;

    /// Returns how many numbers there are: all are below it, and each is that of one action.
    fn n_numbers(&self) -> usize {
        self.action_blocks().last().map_or(0, |last| (last.first + last.len()) as usize)
    }

    /// Returns the number of an action of a player.
    ///
    /// # Panics
    /// As [`Self::split`].
    #[inline]
    fn number_of(&self, action: Self::Action) -> usize {
        let (block, values) = self.split(action);
        self.action_blocks()[block].number(values) as usize
    }

    /// Returns the action with a number; `None` if no action has it.
    fn action_of(&self, number: usize) -> Option<Self::Action> {
        let number = u32::try_from(number).ok()?;
        let blocks = self.action_blocks();
        let block = blocks.partition_point(|block| block.first + block.len() <= number);
        Some(self.join(block, blocks.get(block)?.values(number)))
    }
}

/// Returns the position of `other` among the numbers that differ from `one`.
pub(crate) const fn beside(one: u32, other: u32) -> u32 {
    if other > one { other - 1 } else { other }
}

/// Returns the number with this position among those that differ from `one`; the inverse of [`beside`].
pub(crate) const fn not_beside(one: u32, position: u32) -> u32 {
    if position >= one { position + 1 } else { position }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_digits_in_blocks() {
        let blocks =
            ActionBlock::lay_out([("a", &[]), ("b", &[3, 2]), ("none", &[0]), ("c", &[5])]);
        assert_eq!(blocks.map(|block| block.first), [0, 1, 7, 7]);
        assert_eq!(blocks[1].number([2, 1, 0, 0]), 6);
        assert_eq!(blocks[1].values(6), [2, 1, 0, 0]);
        assert!(blocks[2].is_empty() && !blocks[3].is_empty());
    }

    #[test]
    fn numbers_beside_another_come_back() {
        for one in 0..4 {
            let others: Vec<u32> = (0..3).map(|position| not_beside(one, position)).collect();
            assert!(!others.contains(&one));
            assert!(others.iter().enumerate().all(|(i, &other)| beside(one, other) == i as u32));
        }
    }
}
