//! Readers of whole numbers in options, with their ranges and error messages.

/// The largest number of games that may be requested if something of each game stays in memory.
const MOST_GAMES: u64 = 10_000_000;

/// Reads a number of games, of each of which something stays in memory.
///
/// # Errors
/// If it is no whole number, or out of range.
pub fn games_kept(text: &str) -> Result<u64, String> {
    ranged(0, MOST_GAMES)(text)
}

/// Reads a whole number.
///
/// # Errors
/// If it is no whole number, or beyond 64 bits.
pub fn whole(text: &str) -> Result<u64, String> {
    ranged(0, u64::MAX)(text)
}

/// Reads a number of seats. The number is checked against the game's tables later.
///
/// # Errors
/// If it is no whole number, or out of range.
pub fn seats(text: &str) -> Result<usize, String> {
    ranged(0, u64::MAX)(text)
}

/// Returns a reader of whole numbers from `least` to `most`, which the type holds.
pub fn ranged<T: TryFrom<u64>>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    use std::num::IntErrorKind::PosOverflow;
    move |text| {
        let number = match text.parse::<u64>() {
            Ok(number) => Some(number).filter(|n| (least..=most).contains(n)),
            Err(e) if *e.kind() == PosOverflow => None,
            Err(_) if text.parse::<f64>().is_ok_and(|number| number < 0.0) => None,
            Err(_) => return Err("expected a whole number".to_owned()),
        };
        let is_below = text.starts_with('-') || text.parse().is_ok_and(|n: u64| n < least);
        let out = || match is_below {
            true if most == u64::MAX => format!("it is below {least}, the least that is accepted"),
            _ => format!("it is out of range ({least} to {most})"),
        };
        number.and_then(|number| number.try_into().ok()).ok_or_else(out)
    }
}
