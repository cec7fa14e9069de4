//! Configurations of hannibal: a damaged one is refused in one line or can be played, and settings are overrides.

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
