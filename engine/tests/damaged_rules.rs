//! A rules file that was damaged anywhere is taken or refused, and never crashes anything: every configuration
//! that is taken can be played.

use engine::games::conquest2::Conquest2;
use engine::{Configure, Rules, Walk};
use proptest::prelude::*;

/// Events of a game on damaged rules that are played.
const EVENTS: usize = 400;

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
    "{}",
    "true",
    "\"\"",
    "\"italia\"",
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
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_rules_file_is_refused_or_played(
        place in 0.0..1.0f64,
        length in 0usize..12,
        slip in 0..SLIPS.len(),
        n_players in 2usize..=6,
    ) {
        let text = Conquest2::default_rules();
        let start = floor_char(text, (place * text.len() as f64) as usize);
        let end = floor_char(text, (start + length).min(text.len()));
        let damaged = format!("{}{}{}", &text[..start], SLIPS[slip], &text[end..]);
        try_rules(&damaged, n_players)?;
    }

    /// Values rather than bytes: a number, list or switch is replaced by something else.
    #[test]
    fn a_value_of_any_kind_is_refused_or_played(line in 0usize..400, slip in 0..SLIPS.len(), n_players in 2usize..=6) {
        let text = Conquest2::default_rules();
        let with_values: Vec<&str> = text.lines().filter(|l| l.contains(" = ") && !l.starts_with('#')).collect();
        let old = with_values[line % with_values.len()];
        let (key, value) = old.split_once(" = ").expect("a line with a value");
        let comment = value.find('#').map_or("", |at| &value[at..]);
        let new = format!("{key} = {} {comment}", SLIPS[slip]);
        try_rules(&text.replacen(old, &new, 1), n_players)?;
    }
}

fn floor_char(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Lays `text` over the default rules and plays a while, if they are taken.
fn try_rules(text: &str, n_players: usize) -> Result<(), TestCaseError> {
    let mut rules = Rules::of::<Conquest2>();
    let refusal = match rules.overlay("damaged.toml", text) {
        Err(refusal) => Some(refusal),
        Ok(()) => match Conquest2::configure(n_players, &rules) {
            Err(refusal) => Some(refusal),
            Ok(game) => {
                Walk::new(&game, 1, 0).take(EVENTS).for_each(drop);
                None
            }
        },
    };
    if let Some(refusal) = refusal {
        let text = refusal.to_string();
        prop_assert!(!text.contains('\n') && text.len() < 1_000, "{text}");
    }
    Ok(())
}
