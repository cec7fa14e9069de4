//! Configurations of hannibal: numbers are held to their ranges, and settings are overrides.

use engine::games::hannibal::Hannibal;
use engine::{Configure, Rules};

use crate::ranges::{self, Range};

/// Every number with its smallest and largest allowed value.
const RANGES: [Range; 7] = [
    ("max-turns", 1, 10_000),
    ("passes-to-draw", 1, 100),
    ("rules.hannibal-bonus", 0, 15),
    ("carthage.legions", 0, 15),
    ("carthage.fleets", 0, 15),
    ("rome.legions", 1, 15),
    ("rome.fleets", 0, 15),
];

#[test]
fn every_number_is_taken_to_the_ends_of_its_range_and_refused_beyond() {
    let configured = |setting: &str| {
        let mut rules = Rules::of::<Hannibal>();
        let game = rules.set(setting).and_then(|()| Hannibal::configure(2, &rules));
        game.map_err(|bad| bad.to_string())
    };
    RANGES.iter().for_each(|&range| ranges::check_range(configured, range, range.1));
}

#[test]
fn no_number_of_the_rules_is_left_unchecked() {
    ranges::check_that_none_is_left_out::<Hannibal>(&RANGES, &[]);
}

#[test]
fn the_header_of_a_record_names_map_and_turn_limit() {
    let mut rules = Rules::of::<Hannibal>();
    rules.set("map=mirror").unwrap();
    rules.set("max-turns=60").unwrap();
    assert_eq!(rules.overrides().to_string(), r#"{"map":"mirror","max-turns":60}"#);
    let mut read = Rules::of::<Hannibal>();
    read.overlay_json(&rules.overrides()).unwrap();
    let game = Hannibal::configure(2, &read).unwrap();
    assert_eq!(game.max_turns(), 60);
    assert_eq!([game.area("numidia"), game.area("hispania-ulterior")], [Some(10), None]);
}
