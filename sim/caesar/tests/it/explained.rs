//! `balance game --explain`: early causes are named, or the reason why none is.

use crate::shared::{caesar, json};

/// A study of the course alone.
const FEW: &str = "--fit-games 400 --games 400 --treated 0 --deals 0 --steps 0 --restrictions 0";

/// A bet of the first player ends a game of Kuhn poker after two choices; after a check it may have three.
#[test]
fn a_cause_of_the_length_is_named_with_its_size() {
    let study = format!("balance game --game kuhn-poker --agent random {FEW} --explain length");
    let told = json(&study);
    let causes = told["explained"].as_array().expect("the table is there");
    let opens =
        causes.iter().find(|row| row["fact"] == "opens bet" || row["fact"] == "opens check");
    let opens = opens.unwrap_or_else(|| panic!("{told}"));
    let is_bet = opens["fact"] == "opens bet";
    assert_eq!(opens["verdict"], if is_bet { "less" } else { "more" }, "{told}");
    let (code, text, _) = caesar(&study);
    assert_eq!(code, 0);
    assert!(text.contains("length of 400 games: early facts explain "), "{text}");
}

#[test]
fn where_nothing_early_varies_the_reason_stands_in_place_of_causes() {
    let study = format!("balance game --game pig --agent random {FEW} --explain length");
    assert_eq!(json(&study)["explained"].as_array().map(Vec::len), Some(0));
    let (code, text, _) = caesar(&study);
    assert_eq!(code, 0);
    assert!(text.starts_with("length of 400 games: "), "{text}");
    let (code, _, error) = caesar("balance game --explain width");
    assert_eq!(code, 2);
    assert!(error.contains("expected length, margin or leader"), "{error}");
}
