//! Bytes as text: base64 with the alphabet of RFC 4648, in lines.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Bytes of a line: a multiple of three, so that only the last line is filled up.
const LINE: usize = 90;

/// Returns the bytes as lines of text.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 7 / 5 + 4);
    for line in bytes.chunks(LINE) {
        for three in line.chunks(3) {
            let word = three.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
            let word = word << (8 * (3 - three.len()));
            for place in 0..4 {
                let is_there = place <= three.len();
                let letter = ALPHABET[(word >> (18 - 6 * place) & 63) as usize];
                text.push(if is_there { char::from(letter) } else { '=' });
            }
        }
        text.push('\n');
    }
    text
}

/// Returns the bytes of such a text; nothing if it is none.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut values = [None; 256];
    ALPHABET
        .iter()
        .zip(0u32..)
        .for_each(|(letter, value)| values[usize::from(*letter)] = Some(value));
    let letters: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let (quads, rest) = letters.as_chunks::<4>();
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3);
    for (number, quad) in quads.iter().enumerate() {
        let is_last = number + 1 == quads.len();
        let filled = quad.iter().rev().take_while(|letter| **letter == b'=').count();
        if filled > 2 || filled > 0 && !is_last {
            return None;
        }
        let value =
            |letter: &u8| if *letter == b'=' { Some(0) } else { values[usize::from(*letter)] };
        let mut word = 0;
        for (place, letter) in quad.iter().enumerate() {
            let is_filling = *letter == b'=';
            if is_filling && place < 4 - filled {
                return None;
            }
            word = word << 6 | value(letter)?;
        }
        bytes.extend_from_slice(&word.to_be_bytes()[1..4 - filled]);
    }
    rest.is_empty().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_standard_come_out_and_back() {
        let known = [
            ("", ""),
            ("f", "Zg==\n"),
            ("fo", "Zm8=\n"),
            ("foo", "Zm9v\n"),
            ("foobar", "Zm9vYmFy\n"),
        ];
        for (bytes, text) in known {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        let long: Vec<u8> = (0..1000u32).map(|i| (i * 7 % 251) as u8).collect();
        assert_eq!(decode(&encode(&long)), Some(long));
    }

    #[test]
    fn what_is_no_such_text_is_refused() {
        for text in ["Zg=", "Z", "Zg==Zg==", "Z===", "Zm9v!", "=Zm9", "Zm*v"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
