//! Configurations of circus: numbers are held to their ranges.

use engine::games::circus::Circus;
use engine::{Configure, Rules};

use crate::ranges::{self, Range};

/// Every number with its smallest and largest allowed value.
const RANGES: [Range; 7] = [
    ("max-rounds", 1, 1000),
    ("cards.per-chariot", 1, 8),
    ("cards.two-cards", 1, 8),
    ("cards.must-stay", 1, 8),
    ("chariots.per-player", 1, 3),
    ("chariots.start-leg", 0, 0),
    ("chariots.finish-leg", 1, 40),
];

/// Returns the game with one setting, and eight cards for one chariot, so that no range contradicts another.
fn configured(setting: &str) -> Result<Circus, String> {
    let mut rules = Rules::of::<Circus>();
    for setting in ["cards.values=[1,2,3,4,5,6,7,8]", "chariots.per-player=1", setting] {
        rules.set(setting).map_err(|bad| bad.to_string())?;
    }
    Circus::configure(2, &rules).map_err(|bad| bad.to_string())
}

#[test]
fn every_number_is_taken_to_the_ends_of_its_range_and_refused_beyond() {
    for range in RANGES {
        // A race ends after whole laps of four sections.
        let taken = if range.0 == "chariots.finish-leg" { 4 } else { range.1 };
        ranges::check_range(configured, range, taken);
    }
}

#[test]
fn no_number_of_the_rules_is_left_unchecked() {
    ranges::check_that_none_is_left_out::<Circus>(&RANGES, &[]);
}

#[test]
fn a_table_has_two_to_five_players() {
    let complaint = |n| Circus::configure(n, &Rules::of::<Circus>()).expect_err("bad").to_string();
    assert_eq!(complaint(1), "a table of 1: circus is for 2 to 5 players");
    assert_eq!(complaint(6), "a table of 6: circus is for 2 to 5 players");
}
