//! Configurations of circus: a damaged one is refused in one line or can be played, and numbers are held to their
//! ranges.

use engine::games::circus::Circus;
use engine::{Configure, Rules, Walk};
use proptest::prelude::*;

/// Events of a game on damaged rules that are played.
const EVENTS: usize = 200;

/// What a slip of the hand may put in.
const SLIPS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "9",
    "99999",
    "9223372036854775807",
    "1.5",
    "[]",
    "[0]",
    "[[]]",
    "{}",
    "{ id = 0 }",
    "true",
    "\"\"",
    "\"left\"",
    "=",
    "\n",
    "[",
    "]",
    "#",
    ",",
    "nan",
    "\u{fc}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    /// The list of cells is most of the file, so half of the cuts fall into what stands before it.
    #[test]
    fn a_damaged_rules_file_is_refused_or_played(
        place in 0.0..1.0f64,
        is_in_head: bool,
        length in 0usize..12,
        slip in 0..SLIPS.len(),
        n_players in 2usize..=5,
    ) {
        let text = Circus::default_rules();
        prop_assert!(text.is_ascii(), "every byte is a place to cut");
        let head = text.find("[board]").expect("a board");
        let start = (place * if is_in_head { head } else { text.len() } as f64) as usize;
        let end = (start + length).min(text.len());
        let damaged = format!("{}{}{}", &text[..start], SLIPS[slip], &text[end..]);
        let mut rules = Rules::of::<Circus>();
        let game = rules
            .overlay("damaged.toml", &damaged)
            .and_then(|()| Circus::configure(n_players, &rules));
        match game {
            Ok(game) => prop_assert!(Walk::new(&game, 1, 0).take(EVENTS).count() > 0),
            Err(refusal) => {
                let text = refusal.to_string();
                prop_assert!(!text.contains('\n') && text.len() < 1_000, "{text}");
            }
        }
    }
}

/// Every number with the least and the most that it may be.
const RANGES: [(&str, i64, i64); 7] = [
    ("max-rounds", 1, 1000),
    ("cards.per-chariot", 1, 8),
    ("cards.two-cards", 1, 8),
    ("cards.must-stay", 1, 8),
    ("chariots.per-player", 1, 3),
    ("chariots.start-leg", 0, 0),
    ("chariots.finish-leg", 1, 40),
];

/// The game with one setting; with eight cards for one chariot, so that no range contradicts another.
fn configured(setting: &str) -> Result<Circus, String> {
    let mut rules = Rules::of::<Circus>();
    for setting in ["cards.values=[1,2,3,4,5,6,7,8]", "chariots.per-player=1", setting] {
        rules.set(setting).map_err(|bad| bad.to_string())?;
    }
    Circus::configure(2, &rules).map_err(|bad| bad.to_string())
}

#[test]
fn every_number_is_taken_to_the_ends_of_its_range_and_refused_beyond() {
    for (key, least, most) in RANGES {
        // A race ends after whole laps of four sections.
        let least_taken = if key == "chariots.finish-leg" { 4 } else { least };
        for value in [least_taken, most] {
            let game = configured(&format!("{key}={value}")).unwrap_or_else(|bad| panic!("{bad}"));
            assert!(Walk::new(&game, 1, 0).take(EVENTS).count() > 0, "{key}={value}");
        }
        for value in [least - 1, most + 1, i64::MIN, i64::MAX] {
            let bad = configured(&format!("{key}={value}")).expect_err(key);
            let range = format!("{value} is out of range ({least} to {most})");
            assert_eq!(bad, format!("--set {key}={value}: {key}: {range}"));
        }
    }
}

#[test]
fn no_number_of_the_rules_is_left_unchecked() {
    let rules = Rules::of::<Circus>().to_json();
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
fn a_table_has_two_to_five_players() {
    let complaint = |n| Circus::configure(n, &Rules::of::<Circus>()).expect_err("bad").to_string();
    assert_eq!(complaint(1), "--players 1: circus is for 2 to 5 players");
    assert_eq!(complaint(6), "--players 6: circus is for 2 to 5 players");
}
