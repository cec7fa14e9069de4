//! The token of a seat: whoever has it plays the seat.

use std::fmt;

/// Bytes of a token: 128 bits cannot be guessed.
const BYTES: usize = 16;

/// A secret of 128 bits from the system, in hexadecimal digits.
pub(super) struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// Draws a token.
    pub(super) fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0_u8; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Returns the digits, for the address of the seat.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Returns whether `said` is the token. The time does not depend on where they differ.
    pub(super) fn is(&self, said: &[u8]) -> bool {
        let difference = self.0.bytes().zip(said).fold(0, |sum, (own, &said)| sum | (own ^ said));
        said.len() == self.0.len() && difference == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_alone_and_no_two_are_the_same() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(one.text().len(), 32);
        assert!(one.is(one.text().as_bytes()) && !one.is(other.text().as_bytes()));
        assert!(!one.is(b"") && !one.is(&one.text().as_bytes()[..31]));
        assert!(!one.is(format!("{}0", one.text()).as_bytes()));
        assert_eq!(format!("{one:?}"), "Token(…)");
    }
}
