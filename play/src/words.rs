//! Parser from words, typed or of gestures, to choices; one line can hold several.

use engine::Player;
use sim::any::{AnyState, Due};

/// The choices of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The numbers of the legal actions, one after another.
    pub numbers: Vec<usize>,
    /// Remaining words after the end of the turn, or after a choice that can tell the seat something.
    pub rest: Option<String>,
}

/// Largest number of options in an error message.
const LISTED: usize = 12;

/// Reads `lines` one after another as choices of `seat` from `state` on; nothing is played.
///
/// # Errors
/// If a word fits no option, or several: the message lists them.
pub fn understood(state: &AnyState, seat: Player, lines: &[&str]) -> Result<Found, String> {
    let (mut state, mut numbers) = (state.clone(), Vec::new());
    // True after a choice from which the seat learns: words that come later must not be tried out.
    let mut is_told = false;
    for (i, line) in lines.iter().enumerate() {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        let mut left = &words[..];
        // A gesture names whole options.
        let whole = state.labels(seat).iter().position(|label| label == line);
        while !left.is_empty() {
            let is_own = state.due() == Due::Player(seat) && !state.has_secret_choices();
            if is_told || (!is_own && !numbers.is_empty()) {
                let after = lines[i + 1..].iter().map(|&line| line.to_owned());
                let rest: Vec<String> = std::iter::once(left.join(" ")).chain(after).collect();
                return Ok(Found { numbers, rest: Some(rest.join(" ")) });
            }
            let labels = state.labels(seat);
            let (number, used) = match whole.filter(|_| left.len() == words.len()) {
                Some(number) => (number, left.len()),
                None => option_of(&labels, left)?,
            };
            is_told = state.may_reveal(seat, number);
            state.apply(seat, number).map_err(|e| e.to_string())?;
            numbers.push(number);
            left = &left[used..];
        }
    }
    Ok(Found { numbers, rest: None })
}

/// Returns the option that the first of `words` name, and how many of the words it takes.
fn option_of(labels: &[String], words: &[String]) -> Result<(usize, usize), String> {
    if let Some(number) = number_of(labels, &words[0]) {
        return Ok((number, 1));
    }
    let split: Vec<Vec<&str>> = labels.iter().map(|label| label.split(' ').collect()).collect();
    let most = split.iter().map(Vec::len).max().unwrap_or(0).min(words.len());
    for used in (1..=most).rev() {
        let fits = |exact: bool| -> Vec<usize> {
            let fit = |i: &usize| is_named(&split[*i], &words[..used], exact);
            (0..labels.len()).filter(fit).collect()
        };
        let exact = fits(true);
        let found = if exact.is_empty() { fits(false) } else { exact };
        match found[..] {
            [] => {}
            [one] => return Ok((one, used)),
            _ if used == most || used == words.len() => {
                // The shortest may be the intended one.
                let whole = found.iter().find(|&&i| split[i].len() == used);
                return match whole {
                    Some(&whole) if is_named(&split[whole], &words[..used], true) => {
                        Ok((whole, used))
                    }
                    _ => Err(complaint("fits several options", words, used, labels, &found)),
                };
            }
            _ => {
                let all: Vec<usize> = found.clone();
                return Err(complaint("fits several options", words, used, labels, &all));
            }
        }
    }
    let all: Vec<usize> = (0..labels.len()).collect();
    Err(complaint("fits no option", words, 1, labels, &all))
}

/// Returns the option that a number names: the one with this value where all options are values, else the one with this
/// number in the list, from 1. `#N` is the N-th of the list everywhere.
fn number_of(labels: &[String], word: &str) -> Option<usize> {
    let in_list = |number: usize| number.checked_sub(1).filter(|&i| i < labels.len());
    if let Some(number) = word.strip_prefix('#') {
        return number.parse().ok().and_then(in_list);
    }
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: usize = digits.parse().ok()?;
    let value = |label: &String| label.split_once(' ').and_then(|(_, value)| value.parse().ok());
    let values: Option<Vec<usize>> = labels.iter().map(value).collect();
    match values {
        Some(values) => values.iter().position(|&value| value == number),
        None if digits.len() == word.len() => in_list(number),
        None => None,
    }
}

/// Returns whether `words` name an option: each word, or its beginning unless `exact`, in order; words of the option may be
/// left out.
fn is_named(option: &[&str], words: &[String], exact: bool) -> bool {
    let mut parts = option.iter();
    words.iter().all(|word| {
        // "20" is no prefix of "200" here: numbers must match as a whole.
        let is_whole = exact || word.starts_with(|c: char| c.is_ascii_digit());
        parts.any(|part| if is_whole { part == word } else { part.starts_with(word.as_str()) })
    })
}

fn complaint(
    what: &str,
    words: &[String],
    used: usize,
    labels: &[String],
    fit: &[usize],
) -> String {
    let said = words[..used].join(" ");
    let mut list: Vec<&str> = fit.iter().take(LISTED).map(|&i| labels[i].as_str()).collect();
    let more = fit.len().saturating_sub(LISTED);
    let more_text = format!("and {more} more");
    if more > 0 {
        list.push(&more_text);
    }
    format!("\"{said}\" {what}: {}. Nothing was played.", list.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(labels: &[&str], line: &str) -> Result<(usize, usize), String> {
        let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        option_of(&labels, &words)
    }

    #[test]
    fn options_are_named_by_words_their_beginnings_values_and_numbers() {
        let areas = ["from sicilia", "from italia", "from italia-nova"];
        assert_eq!(named(&areas, "sic italia"), Ok((0, 1)));
        assert_eq!(named(&areas, "from sicilia italia"), Ok((0, 2)));
        assert_eq!(
            named(&areas, "italia"),
            Ok((1, 1)),
            "the whole word comes before its beginning"
        );
        assert_eq!(named(&areas, "3"), Ok((2, 1)));
        let counts = ["count 0", "count 2", "count 4"];
        assert_eq!(named(&counts, "2"), Ok((1, 1)), "a value, and no place in the list");
        assert_eq!(named(&counts, "4i"), Ok((2, 1)));
        assert!(named(&counts, "3").is_err());
        assert_eq!(named(&counts, "#3"), Ok((2, 1)), "the place in the list");
        assert!(named(&["amount 20", "amount 25"], "2").unwrap_err().contains("fits no option"));
        let verbs = ["pass", "move", "buy"];
        assert_eq!(named(&verbs, "m sicilia"), Ok((1, 1)));
        assert_eq!(named(&verbs, "1"), Ok((0, 1)));
    }

    #[test]
    fn words_that_fit_several_options_or_none_are_refused_with_the_options() {
        let areas = ["from sicilia", "from sardinia", "to sicilia"];
        let several = named(&areas, "s").unwrap_err();
        assert!(several.contains("fits several options: from sicilia, from sardinia, to sicilia"));
        let none = named(&areas, "rome").unwrap_err();
        assert!(none.contains("\"rome\" fits no option") && none.contains("Nothing was played"));
        let many: Vec<String> = (0..40).map(|i| format!("go x{i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(named(&many, "go").unwrap_err().contains("and 28 more"));
    }
}
