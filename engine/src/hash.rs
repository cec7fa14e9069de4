//! Hashes of values: a stable one for files, and a faster one for keys that live in memory only.

use std::hash::{Hash, Hasher};

/// Returns a stable 64-bit hash (FNV-1a over words in two lanes, with a finishing mix), equal on every machine and
/// release.
#[must_use]
pub fn hash_of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = StableHasher { next: 0xcbf2_9ce4_8422_2325, other: 0x8422_2325_cbf2_9ce4 };
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns a 64-bit hash for keys that live in memory, as those of search nodes. It is faster than [`hash_of`] for
/// large values. It is equal on every machine, but another release may change it, so no file may depend on it.
#[must_use]
pub fn key_of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = KeyHasher { lanes: LANES };
    value.hash(&mut hasher);
    hasher.finish()
}

/// Initial values of the lanes of a [`KeyHasher`]: any numbers that differ.
const LANES: [u64; 4] =
    [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4, 0x9ae1_6a3b_2f90_404f, 0xc3a5_c85c_97cb_3127];

/// Hasher that feeds words to four lanes in turn: a multiplication takes four clocks.
struct KeyHasher {
    lanes: [u64; 4],
}

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        write_words(bytes, |word| self.write_u64(word));
    }
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }
    fn write_u16(&mut self, n: u16) {
        self.write_u64(u64::from(n));
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }
    #[inline]
    fn write_u64(&mut self, n: u64) {
        let [next, b, c, d] = self.lanes;
        self.lanes = [b, c, d, folded(next ^ n)];
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    fn finish(&self) -> u64 {
        let [a, b, c, d] = self.lanes;
        stirred(folded(folded(folded(a ^ LANES[1]) ^ b) ^ c) ^ d)
    }
}

/// Returns both halves of a product in one word, so that its high bits count as much as its low bits (as `wyhash`
/// does).
#[inline]
const fn folded(word: u64) -> u64 {
    let product = word as u128 * 0x9e37_79b9_7f4a_7c15;
    product as u64 ^ (product >> 64) as u64
}

/// Returns a lane after it has taken in one more word.
#[inline]
const fn mixed_in(lane: u64, word: u64) -> u64 {
    (lane ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
}

/// Writes bytes as words, the last word filled up with zeros.
#[inline]
fn write_words(bytes: &[u8], mut write: impl FnMut(u64)) {
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        write(u64::from_le_bytes(word));
    }
}

/// Returns a word in which every bit depends on every bit of `h` (`SplitMix64`, Steele, Lea & Flood 2014).
const fn stirred(mut h: u64) -> u64 {
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

/// Hasher that feeds words to two lanes in turn, so that a word need not wait for the one before it.
struct StableHasher {
    next: u64,
    other: u64,
}

impl StableHasher {
    #[inline]
    fn word(&mut self, word: u64) {
        let after = mixed_in(self.next, word);
        self.next = self.other;
        self.other = after;
    }
}

impl Hasher for StableHasher {
    fn write(&mut self, bytes: &[u8]) {
        write_words(bytes, |word| self.word(word));
    }
    fn write_u8(&mut self, n: u8) {
        self.word(u64::from(n));
    }
    fn write_u16(&mut self, n: u16) {
        self.word(u64::from(n));
    }
    fn write_u32(&mut self, n: u32) {
        self.word(u64::from(n));
    }
    fn write_u64(&mut self, n: u64) {
        self.word(n);
    }
    fn write_usize(&mut self, n: usize) {
        self.word(n as u64);
    }
    fn finish(&self) -> u64 {
        stirred(self.next ^ self.other.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(31))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns words that differ in one bit from each other, and in length.
    fn values() -> Vec<Vec<u64>> {
        let of_bits = (0..64).flat_map(|bit| (0..9).map(move |at| (bit, at)));
        let changed = of_bits.map(|(bit, at)| {
            let mut words = vec![0; 9];
            words[at] = 1 << bit;
            words
        });
        changed.chain((0..20).map(|n| vec![0; n])).collect()
    }

    #[test]
    fn what_differs_in_a_bit_or_in_length_has_another_key() {
        let all = values();
        let mut found: Vec<u64> = all.iter().map(key_of).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), all.len());
    }

    /// Checks the low bits of keys, since tables look keys up by them.
    #[test]
    fn keys_spread_over_their_low_bits() {
        let mut slots = [0u32; 1 << 8];
        values().iter().for_each(|value| slots[(key_of(value) & 255) as usize] += 1);
        // 596 values in 256 slots: more than 12 in one slot happen once in about 10,000 times.
        assert!(slots.iter().all(|&n| n <= 12), "{slots:?}");
    }

    #[test]
    fn the_hash_is_the_same_on_every_release() {
        assert_eq!(hash_of(&(1u8, 2u64, "three")), 0xc677_bab2_22fe_8483);
    }
}
