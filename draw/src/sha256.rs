//! SHA-256 (FIPS 180-4) and Base64 (RFC 4648), for the hashes by which a page names its own script and style: only these
//! are carried out.

const INITIAL: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The first primes, of whose cube roots the constants are the fractions.
const fn primes() -> [u32; 64] {
    let mut found = [2; 64];
    let (mut n, mut candidate) = (1, 3);
    while n < 64 {
        let (mut i, mut is_prime) = (0, true);
        while i < n {
            if candidate % found[i] == 0 {
                is_prime = false;
            }
            i += 1;
        }
        if is_prime {
            found[n] = candidate;
            n += 1;
        }
        candidate += 1;
    }
    found
}

/// The first 32 bits of the fraction of the cube root of `n`: the largest `x` with `x³ ≤ n · 2⁹⁶`, less whole units.
const fn cube_root_fraction(n: u32) -> u32 {
    // Bit by bit; the root of the largest prime, 311, is below 8, so that 35 bits hold it and 128 its cube.
    let (mut root, mut bit) = (0u128, 1u128 << 34);
    let target = (n as u128) << 96;
    while bit > 0 {
        let next = root | bit;
        if next * next * next <= target {
            root = next;
        }
        bit >>= 1;
    }
    root as u32
}

const ROUND: [u32; 64] = {
    let primes = primes();
    let mut all = [0; 64];
    let mut i = 0;
    while i < 64 {
        all[i] = cube_root_fraction(primes[i]);
        i += 1;
    }
    all
};

/// The SHA-256 of `bytes`.
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend_from_slice(&(8 * bytes.len() as u64).to_be_bytes());
    let mut state = INITIAL;
    message.chunks_exact(64).for_each(|block| compress(&mut state, block));
    let mut hash = [0; 32];
    for (to, word) in hash.chunks_exact_mut(4).zip(state) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    hash
}

fn compress(state: &mut [u32; 8], block: &[u8]) {
    let mut schedule = [0u32; 64];
    for (word, bytes) in schedule.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for i in 16..64 {
        let (a, b) = (schedule[i - 15], schedule[i - 2]);
        let low = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let high = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        let sum = schedule[i - 16].wrapping_add(low).wrapping_add(schedule[i - 7]);
        schedule[i] = sum.wrapping_add(high);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in schedule.into_iter().zip(ROUND) {
        let high = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let chosen = (e & f) ^ (!e & g);
        let one =
            h.wrapping_add(high).wrapping_add(chosen).wrapping_add(constant).wrapping_add(word);
        let low = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let two = low.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e) = (g, f, e, d.wrapping_add(one));
        (d, c, b, a) = (c, b, a, one.wrapping_add(two));
    }
    for (sum, word) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.wrapping_add(word);
    }
}

/// `bytes` in Base64.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
        let word = word << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn hashes_are_those_of_the_standard() {
        assert_eq!((ROUND[0], ROUND[63]), (0x428a_2f98, 0xc671_78f2));
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hex(&sha256(b"")), empty);
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(&sha256(b"abc")), abc);
        let two = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        let hash = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        assert_eq!(hex(&sha256(two)), hash);
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (text, coded) in pairs {
            assert_eq!(base64(text.as_bytes()), coded);
        }
    }
}
