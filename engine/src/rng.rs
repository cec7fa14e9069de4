//! Random numbers by address.
//!
//! Every random number of a run follows from *(run seed, game index, purpose)*: [`stream`] gives the `ChaCha8` stream
//! at that address. Therefore an agent that draws one number more never changes the dice, and two line-ups or two rule
//! sets meet the same decks. Inside a search a stream per playout would cost more than the playout, so a [`Fast`]
//! generator is seeded from the agent's stream.
//!
//! Bounded draws are ten lines of our own, so that a release of `rand` cannot change a replay.

use rand::SeedableRng;

/// An addressed `ChaCha8` stream.
pub type Stream = rand_chacha::ChaCha8Rng;

/// The generator of playouts and searches, seeded from a [`Stream`].
pub type Fast = rand_xoshiro::Xoshiro256PlusPlus;

/// The purpose of a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Purpose {
    /// First player and layout before the first ply.
    Setup,
    /// Cards and tokens drawn during the game.
    Decks,
    /// Dice, and random picks from hands.
    Dice,
    /// The decisions of the agent in a seat.
    Agent(u8),
    /// Uses outside games: schedules, bootstrap, test positions.
    Analysis,
}

impl Purpose {
    /// The purposes of chance events, in the order of [`ChanceStreams`].
    pub const OF_CHANCE: [Self; 3] = [Self::Setup, Self::Decks, Self::Dice];

    const fn tag(self) -> u64 {
        match self {
            Self::Setup => 1,
            Self::Decks => 2,
            Self::Dice => 3,
            Self::Analysis => 4,
            Self::Agent(seat) => 16 + seat as u64,
        }
    }
}

/// Returns the stream at *(seed, game, purpose)*.
#[must_use]
pub fn stream(seed: u64, game: u64, purpose: Purpose) -> Stream {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&purpose.tag().to_le_bytes());
    key[16..24].copy_from_slice(b"caesar/1");
    let mut stream = Stream::from_seed(key);
    stream.set_stream(game);
    stream
}

/// Returns a fast generator seeded with the next 32 bytes of `source`.
pub fn fast<R: rand::Rng + ?Sized>(source: &mut R) -> Fast {
    let mut seed = [0; 32];
    source.fill_bytes(&mut seed);
    Fast::from_seed(seed)
}

/// The streams of chance of one game, one for each [`Purpose::OF_CHANCE`].
#[derive(Clone, Debug)]
pub struct ChanceStreams([Stream; 3]);

impl ChanceStreams {
    /// Returns the streams of game `game` in the run with seed `seed`.
    #[must_use]
    pub fn new(seed: u64, game: u64) -> Self {
        Self(Purpose::OF_CHANCE.map(|purpose| stream(seed, game, purpose)))
    }

    /// Returns streams of several games, one game for each [`Purpose::OF_CHANCE`]. An experiment measures the effect of
    /// one stream by dealing it anew while the others stay.
    #[must_use]
    pub fn dealt(seed: u64, games: [u64; 3]) -> Self {
        let [setup, decks, dice] = games;
        let [a, b, c] = Purpose::OF_CHANCE;
        Self([stream(seed, setup, a), stream(seed, decks, b), stream(seed, dice, c)])
    }

    /// Returns the stream of `purpose`.
    ///
    /// # Panics
    /// If `purpose` is not one of [`Purpose::OF_CHANCE`].
    pub fn of(&mut self, purpose: Purpose) -> &mut Stream {
        match purpose {
            Purpose::Setup => &mut self.0[0],
            Purpose::Decks => &mut self.0[1],
            Purpose::Dice => &mut self.0[2],
            other => panic!("{other:?} is no purpose of chance"),
        }
    }
}

/// Bounded draws over any generator, with values fixed across releases.
pub trait Randomness: rand::Rng {
    /// Returns a uniform number in `0..n`, unbiased (Lemire 2019).
    ///
    /// # Panics
    /// If `n` is zero, in debug builds.
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0);
        let mut product = u64::from(self.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Returns a uniform number in `[0, 1)`, with 53 bits.
    #[inline]
    fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Returns a uniformly random element.
    ///
    /// # Panics
    /// If `items` is empty.
    #[inline]
    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T
    where
        Self: Sized,
    {
        &items[self.below(items.len() as u32) as usize]
    }

    /// Shuffles `items` (Fisher–Yates).
    fn shuffle<T>(&mut self, items: &mut [T])
    where
        Self: Sized,
    {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

impl<R: rand::Rng + ?Sized> Randomness for R {}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    #[test]
    fn an_address_gives_the_same_numbers_for_ever() {
        let mut dice = stream(42, 7, Purpose::Dice);
        let first: Vec<u32> = (0..8).map(|_| dice.below(6)).collect();
        expect_test::expect!["[1, 0, 1, 4, 2, 1, 2, 0]"].assert_eq(&format!("{:?}", &first));
        let mut fast = fast(&mut stream(42, 7, Purpose::Agent(3)));
        expect_test::expect!["18246084273762866863"].assert_eq(&fast.next_u64().to_string());
    }

    #[test]
    fn streams_of_other_games_seeds_and_purposes_differ() {
        let word = |s, g, p| stream(s, g, p).next_u64();
        let base = word(1, 1, Purpose::Dice);
        assert_ne!(base, word(2, 1, Purpose::Dice));
        assert_ne!(base, word(1, 2, Purpose::Dice));
        assert_ne!(base, word(1, 1, Purpose::Decks));
        assert_eq!(base, ChanceStreams::new(1, 1).of(Purpose::Dice).next_u64());
        assert_eq!(base, ChanceStreams::dealt(1, [7, 8, 1]).of(Purpose::Dice).next_u64());
    }

    #[test]
    fn bounded_draws_are_uniform() {
        let mut rng = stream(1, 0, Purpose::Analysis);
        let mut counts = [0u32; 7];
        (0..70_000).for_each(|_| counts[rng.below(7) as usize] += 1);
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi2 < 22.46, "chi-square {chi2} with 6 degrees of freedom (p = 0.001)");
    }
}
