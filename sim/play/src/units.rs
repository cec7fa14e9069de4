//! Number formats for people, all in one module. No number is a negative zero.

/// Formats a number with `digits` digits after the point.
#[must_use]
pub fn fixed(x: f64, digits: usize) -> String {
    positive_zero(format!("{x:.digits$}"))
}

/// Formats a difference, with its sign unless it is zero: `+0.0123`, `-4.0000`, `0.0000`.
#[must_use]
pub fn signed(x: f64, digits: usize) -> String {
    let text = format!("{x:+.digits$}");
    if is_zero(&text) { text[1..].to_owned() } else { text }
}

/// Returns the digits after the point that an interval of this half-width bears: down to the second significant digit
/// of the half-width, at most 4. `None` if there is no width.
#[must_use]
pub fn digits_borne(half: f64) -> Option<usize> {
    const MOST: f64 = 4.0;
    let place = half.log10().floor();
    (half > 0.0 && half.is_finite()).then(|| (1.0 - place).clamp(0.0, MOST) as usize)
}

/// Formats a number as given, with a power of ten where it would have dozens of digits.
#[must_use]
pub fn given(x: f64) -> String {
    let is_plain = x == 0.0 || (1e-9..1e15).contains(&x.abs());
    if is_plain { positive_zero(x.to_string()) } else { format!("{x:e}") }
}

fn positive_zero(text: String) -> String {
    if text.starts_with('-') && is_zero(&text) { text[1..].to_owned() } else { text }
}

/// Returns whether a number was rounded to zero.
fn is_zero(text: &str) -> bool {
    text.contains('0') && text.chars().all(|c| "+-0.".contains(c))
}

/// Formats a share of points: `0.9731`.
#[must_use]
pub fn share(x: f64) -> String {
    fixed(x, 4)
}

/// Formats a rating or a difference of ratings in Elo: `+123.4`, `0.0`.
#[must_use]
pub fn elo(x: f64) -> String {
    let tenths = (10.0 * x).round() / 10.0;
    signed(tenths, 1)
}

/// Formats a mean of scores or ranks: `61.37`.
#[must_use]
pub fn mean(x: f64) -> String {
    fixed(x, 2)
}

/// Formats a p-value: `p = 0.0123`, `p < 0.0001`.
#[must_use]
pub fn p_value(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") }
}

/// Formats a p-value in a column of p-values: `0.0123`, `< 0.0001`.
#[must_use]
pub fn p(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { fixed(p, 4) }
}

/// Formats a confidence in percent, never as certain: `97.5 %`, `> 99.9 %`.
#[must_use]
pub fn confidence(x: f64) -> String {
    match x {
        x if x < 0.0005 => "< 0.1 %".to_owned(),
        x if x > 0.9995 => "> 99.9 %".to_owned(),
        x => format!("{} %", fixed(100.0 * x, 1)),
    }
}

/// Formats a level or another exact part as a number of hundredths: `95`, `97.5`, `0.13`.
#[must_use]
pub fn hundredths(part: f64) -> String {
    given((1e4 * part).round() / 100.0)
}

/// Shortens a text to at most `longest` characters; a longer text ends in an ellipsis.
#[must_use]
pub fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}

/// Formats a whole number with thin groups: `1 234 567`.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of things: `1 game`, `2 games`, `3 searches`.
#[must_use]
pub fn counted(n: u64, thing: &str) -> String {
    let ending = match (n, thing.ends_with("ch")) {
        (1, _) => "",
        (_, false) => "s",
        (_, true) => "es",
    };
    format!("{} {thing}{ending}", count(n))
}

/// Formats a place: `1st`, `12th`.
#[must_use]
pub fn ordinal(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// Formats a rate per second with three significant digits or whole: `41 235`, `3.21`.
#[must_use]
pub fn rate(x: f64) -> String {
    if x >= 100.0 { count(x.round() as u64) } else { fixed(x, 2) }
}

/// Formats a duration: `0.84 s`, `12.3 s`, `4 min 05 s`.
#[must_use]
pub fn seconds(x: f64) -> String {
    if x < 10.0 {
        format!("{x:.2} s")
    } else if x < 120.0 {
        format!("{x:.1} s")
    } else if x < 3_600.0 {
        let whole = x.round() as u64;
        format!("{} min {:02} s", whole / 60, whole % 60)
    } else {
        let minutes = (x / 60.0).round() as u64;
        format!("{} h {:02} min", minutes / 60, minutes % 60)
    }
}

/// The size above which a number is no real value of a game: an estimator's guard value, or infinity.
const BEYOND: f64 = 1e12;

/// The words that replace such a number.
pub const BEYOND_ANY_BOUND: &str = "beyond any bound";

/// Returns whether `x` is finite and of a size that shares, scores, prices and lengths can have.
#[must_use]
pub fn is_sensible(x: f64) -> bool {
    x.abs() < BEYOND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_that_end_in_ch_are_counted_as_english_counts_them() {
        let printed =
            [(1, "search"), (3, "search"), (2, "game")].map(|(n, thing)| counted(n, thing));
        assert_eq!(printed, ["1 search", "3 searches", "2 games"]);
    }

    #[test]
    fn groups_stand_from_the_right() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1 234 567");
        let places = [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal).join(" ");
        assert_eq!(places, "1st 2nd 3rd 4th 11th 12th 13th 21st 112th");
        assert_eq!([elo(12.34), elo(-0.04), elo(-7.0)], ["+12.3", "0.0", "-7.0"]);
        assert_eq!([share(-0.0), share(-1e-9), share(-0.5)], ["0.0000", "0.0000", "-0.5000"]);
        assert_eq!([signed(0.0, 2), signed(-0.001, 2), signed(0.1, 2)], ["0.00", "0.00", "+0.10"]);
        assert_eq!([mean(-0.004), fixed(-0.4, 0), fixed(f64::NAN, 1)], ["0.00", "0", "NaN"]);
        assert_eq!(
            [given(1e300), given(1e-12), given(0.05), given(-0.0)],
            ["1e300", "1e-12", "0.05", "0"]
        );
        assert_eq!(rate(41_234.6), "41 235");
        assert_eq!([seconds(245.2), seconds(20_811.0)], ["4 min 05 s", "5 h 47 min"]);
        assert_eq!([p(0.5), p(0.0)], ["0.5000", "< 0.0001"]);
        assert_eq!([0.95, 0.975, 0.99875, 1.0].map(hundredths), ["95", "97.5", "99.88", "100"]);
        assert_eq!([0.0, 0.975, 1.0].map(confidence), ["< 0.1 %", "97.5 %", "> 99.9 %"]);
        assert_eq!([shortened("abcd", 4), shortened("abcde", 4)], ["abcd", "abc…"]);
    }
}
