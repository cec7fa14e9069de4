//! Configurations of hannibal: a damaged one is refused in one line or can be played, numbers are held to their
//! ranges, and settings are overrides.

use engine::games::hannibal::Hannibal;
use engine::{Configure, Rules, Walk};
use proptest::prelude::*;

/// Events of a game on damaged rules that are played.
const EVENTS: usize = 300;

/// What a slip of the hand may put in.
const SLIPS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "9",
    "99999",
    "1.5",
    "[]",
    "[0]",
    "[[]]",
    "{}",
    "true",
    "\"\"",
    "\"roma\"",
    "[\"roma\"]",
    "[[\"roma\"]]",
    "=",
    "\n",
    "[",
    "]",
    "#",
    ",",
];

/// Lays `text` over the default rules and plays a while, if they are taken.
fn try_rules(text: &str) -> Result<(), TestCaseError> {
    let mut rules = Rules::of::<Hannibal>();
    let game = rules.overlay("damaged.toml", text).and_then(|()| Hannibal::configure(2, &rules));
    match game {
        Ok(game) => Walk::new(&game, 1, 0).take(EVENTS).for_each(drop),
        Err(refusal) => {
            let text = refusal.to_string();
            prop_assert!(!text.contains('\n') && text.len() < 1_000, "{text}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_rules_file_is_refused_or_played(place in 0.0..1.0f64, length in 0usize..12, slip in 0..SLIPS.len()) {
        let text = Hannibal::default_rules();
        let start = (place * text.len() as f64) as usize;
        let end = (start + length).min(text.len());
        try_rules(&format!("{}{}{}", &text[..start], SLIPS[slip], &text[end..]))?;
    }

    #[test]
    fn a_value_of_any_kind_is_refused_or_played(line in 0usize..400, slip in 0..SLIPS.len()) {
        let text = Hannibal::default_rules();
        let with_values: Vec<&str> = text.lines().filter(|l| l.contains(" = ") && !l.starts_with('#')).collect();
        let old = with_values[line % with_values.len()];
        let (key, _) = old.split_once(" = ").expect("a line with a value");
        try_rules(&text.replacen(old, &format!("{key} = {}", SLIPS[slip]), 1))?;
    }
}

/// Every number with the least and the most that it may be.
const RANGES: [(&str, i64, i64); 7] = [
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
        rules.set(setting).and_then(|()| Hannibal::configure(2, &rules))
    };
    for (key, least, most) in RANGES {
        for value in [least, most] {
            let game = configured(&format!("{key}={value}")).unwrap_or_else(|bad| panic!("{bad}"));
            assert!(Walk::new(&game, 1, 0).take(EVENTS).count() > 0, "{key}={value}");
        }
        for value in [least - 1, most + 1, i64::MIN, i64::MAX] {
            let bad = configured(&format!("{key}={value}")).expect_err(key).to_string();
            let range = format!("{value} is out of range ({least} to {most})");
            assert_eq!(bad, format!("--set {key}={value}: {key}: {range}"));
        }
    }
}

#[test]
fn no_number_of_the_rules_is_left_unchecked() {
    let rules = Rules::of::<Hannibal>().to_json();
    let mut keys = Vec::new();
    for (key, value) in rules.as_object().expect("a table") {
        let inner = value.as_object().into_iter().flatten();
        let inner =
            inner.filter(|(_, value)| value.is_number()).map(|(at, _)| format!("{key}.{at}"));
        keys.extend(inner.chain(value.is_number().then(|| key.clone())));
    }
    let mut checked: Vec<&str> = RANGES.iter().map(|(key, ..)| *key).collect();
    keys.sort_unstable();
    checked.sort_unstable();
    assert_eq!(keys, checked);
}

#[test]
fn the_header_of_a_record_names_map_and_turn_limit() {
    let mut rules = Rules::of::<Hannibal>();
    rules.set("map=mirror").unwrap();
    rules.set("max-turns=60").unwrap();
    assert_eq!(rules.overrides().to_string(), r#"{"map":"mirror","max-turns":60}"#);
    let mut read = Rules::of::<Hannibal>();
    read.overlay_json("rules", &rules.overrides()).unwrap();
    let game = Hannibal::configure(2, &read).unwrap();
    assert_eq!(game.max_turns(), 60);
    assert_eq!([game.area("numidia"), game.area("hispania-ulterior")], [Some(10), None]);
}
