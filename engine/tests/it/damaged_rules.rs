//! Tests with damaged rules files: each is accepted or refused, without a crash. Every accepted configuration can be
//! played, and a refusal is one line.

use engine::games::circus::Circus;
use engine::games::classic::Classic;
use engine::games::conquest2::Conquest2;
use engine::games::hannibal::Hannibal;
use engine::games::imperium::Imperium;
use engine::games::rise::Rise;
use engine::{Configure, Game, RuleSource, Rules, Walk};
use proptest::prelude::*;

/// Number of events that are played on damaged rules.
const EVENTS: usize = 300;

/// Typical errors.
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
    "[9, 9, 9, 9, 9]",
    "[[]]",
    "{}",
    "{ id = 0 }",
    "true",
    "false",
    "\"\"",
    "\"italia\"",
    "\"roma\"",
    "[\"roma\"]",
    "[[\"roma\"]]",
    "\"syria\"",
    "[\"syria\"]",
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

/// Damage to a text: some characters are replaced, or the value of a line.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// Replaced characters: the place as a share of the text, and the number of bytes.
    Cut { place: f64, length: usize },
    /// Replaced value: the index among the lines with a value.
    Value { line: usize },
}

fn damage() -> impl Strategy<Value = (Damage, &'static str)> {
    // Lists of cells or provinces are most of a file, so half of the cuts fall before them.
    let place = prop_oneof![0.0..0.2f64, 0.0..1.0f64];
    let cut = (place, 0usize..12).prop_map(|(place, length)| Damage::Cut { place, length });
    let value = (0usize..400).prop_map(|line| Damage::Value { line });
    (prop_oneof![cut, value], proptest::sample::select(SLIPS))
}

impl Damage {
    /// Returns `text` after this damage, which puts `slip` in.
    fn done_to(self, text: &str, slip: &str) -> String {
        match self {
            Self::Cut { place, length } => {
                let start = floor_char(text, (place * text.len() as f64) as usize);
                let end = floor_char(text, (start + length).min(text.len()));
                format!("{}{slip}{}", &text[..start], &text[end..])
            }
            Self::Value { line } => {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                let has_value = |l: &&mut String| l.contains(" = ") && !l.starts_with('#');
                let mut with_values: Vec<&mut String> =
                    lines.iter_mut().filter(has_value).collect();
                let at = line % with_values.len();
                let (key, value) = with_values[at].split_once(" = ").expect("a line with a value");
                let comment = value.find('#').map_or("", |at| &value[at..]);
                *with_values[at] = format!("{key} = {slip} {comment}");
                lines.join("\n")
            }
        }
    }
}

fn floor_char(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Lays `text` over the default rules and, if they are accepted, plays a while.
fn try_rules<G: Game + Configure>(text: &str, n_players: usize) -> Result<(), TestCaseError> {
    let mut rules = Rules::of::<G>();
    match rules.overlay("damaged.toml", text).and_then(|()| G::configure(n_players, &rules)) {
        Ok(game) => prop_assert!(Walk::new(&game, 1, 0).take(EVENTS).count() > 0),
        Err(refusal) => {
            let text = refusal.to_string();
            prop_assert!(!text.contains('\n') && text.len() < 1_000, "{text}");
        }
    }
    Ok(())
}

/// Returns the line of the value that was replaced, if one was.
fn line_of(damage: Damage, text: &str) -> Option<usize> {
    let Damage::Value { line } = damage else { return None };
    let with_values = |(_, l): &(usize, &str)| l.contains(" = ") && !l.starts_with('#');
    let lines: Vec<usize> =
        text.lines().enumerate().filter(with_values).map(|(at, _)| at + 1).collect();
    Some(lines[line % lines.len()])
}

/// Checks that a complaint after a single changed value stands at its line.
fn blames_the_damage<G: Game + Configure>(
    damage: Damage,
    slip: &str,
    n_players: usize,
) -> Result<(), TestCaseError> {
    let text = G::default_rules();
    let (Some(line), mut rules) = (line_of(damage, text), Rules::of::<G>()) else { return Ok(()) };
    // A list over several lines is one value.
    let is_own =
        !text.lines().nth(line - 1).is_some_and(|l| l.starts_with([' ', ']']) || l.ends_with('['));
    if is_own
        && rules.overlay("damaged.toml", &damage.done_to(text, slip)).is_ok()
        && let Err(refusal) = G::configure(n_players, &rules)
    {
        let place = RuleSource::File { name: "damaged.toml".to_owned(), line };
        prop_assert_eq!(&refusal.place, &place, "{}", refusal);
    }
    Ok(())
}

macro_rules! damaged {
    ($($name:ident: $game:ty, $players:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
            $(#[test]
            fn $name((damage, slip) in damage(), n_players in $players) {
                try_rules::<$game>(&damage.done_to(<$game>::default_rules(), slip), n_players)?;
                blames_the_damage::<$game>(damage, slip, n_players)?;
            })*
        }
    };
}
damaged! {
    damaged_rules_of_conquest2_are_refused_or_played: Conquest2, 2usize..=6;
    damaged_rules_of_classic_are_refused_or_played: Classic, 2usize..=6;
    damaged_rules_of_hannibal_are_refused_or_played: Hannibal, 2usize..=2;
    damaged_rules_of_imperium_are_refused_or_played: Imperium, 2usize..=5;
    damaged_rules_of_circus_are_refused_or_played: Circus, 2usize..=5;
    damaged_rules_of_rise_are_refused_or_played: Rise, 2usize..=5;
}

#[test]
fn a_slip_changes_what_it_says() {
    let text = "# a = 1\na = 1\nb = 2 # two\n";
    let slip = |damage: Damage| damage.done_to(text, "x");
    assert_eq!(slip(Damage::Value { line: 0 }), "# a = 1\na = x \nb = 2 # two");
    assert_eq!(slip(Damage::Value { line: 3 }), "# a = 1\na = 1\nb = x # two");
    assert_eq!(slip(Damage::Cut { place: 0.0, length: 2 }), "xa = 1\na = 1\nb = 2 # two\n");
}
