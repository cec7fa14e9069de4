//! Ranges for tests of configurations: every number of a game's rules, and a check of its range.

use engine::{Configure, Game, Rules, Walk};

/// A key with the smallest and the largest allowed number.
pub(crate) type Range = (&'static str, i64, i64);

/// Number of events that are played on rules at the end of a range.
const EVENTS: usize = 200;

/// Plays with the number `key` at its smallest and largest value. `taken` is the smallest, or the smallest that is
/// compatible with the other rules. Beyond the range, `configured` must refuse it and print the range.
pub(crate) fn check_range<G: Game>(
    configured: impl Fn(&str) -> Result<G, String>,
    (key, least, most): Range,
    taken: i64,
) {
    for value in [taken, most] {
        let game = configured(&format!("{key}={value}")).unwrap_or_else(|bad| panic!("{bad}"));
        assert!(Walk::new(&game, 1, 0).take(EVENTS).count() > 0, "{key}={value}");
    }
    for value in [least - 1, most + 1, i64::MIN, i64::MAX] {
        let bad = configured(&format!("{key}={value}"))
            .err()
            .unwrap_or_else(|| panic!("{key}={value} was taken"));
        // Other rules may narrow the printed range.
        assert!(bad.starts_with(&format!("{key}={value}: ")), "{bad}");
        assert!(bad.contains(&format!("{key}: {value} is out of range (")), "{bad}");
    }
}

/// Checks that `ranges` names every number of the rules of `G`, except those in the lists `but`.
pub(crate) fn check_that_none_is_left_out<G: Configure>(ranges: &[Range], but: &[&str]) {
    let rules = Rules::of::<G>().to_json();
    let mut keys = Vec::new();
    for (key, value) in rules.as_object().expect("a table") {
        if but.contains(&key.as_str()) {
            continue;
        }
        let inner = value.as_object().into_iter().flatten();
        let inner =
            inner.filter(|(_, value)| value.is_number()).map(|(at, _)| format!("{key}.{at}"));
        keys.extend(inner.chain(value.is_number().then(|| key.clone())));
    }
    let mut checked: Vec<&str> = ranges.iter().map(|(key, ..)| *key).collect();
    keys.sort_unstable();
    checked.sort_unstable();
    assert_eq!(keys, checked);
}
