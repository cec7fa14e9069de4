//! The rule changes of a run, in words and in documents.

use engine::rules::Change;
use serde_json::{Value as Json, json};

use crate::units;

/// The largest number of changes that are listed in words; `caesar rules` prints all.
const SHOWN: usize = 6;

/// The key of the changes in documents; it is absent without changes.
pub const KEY: &str = "changed_rules";

/// Returns the changes in words; `None` if there are none.
#[must_use]
pub fn in_words(changes: &[Change]) -> Option<String> {
    let mut parts: Vec<String> = changes.iter().take(SHOWN).map(Change::to_string).collect();
    if changes.len() > SHOWN {
        parts
            .push(format!("and {} more", units::counted((changes.len() - SHOWN) as u64, "change")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Returns `document` with the changes, if there are any.
#[must_use]
pub fn with_changes(mut document: Json, changes: &[Change]) -> Json {
    if !changes.is_empty() {
        document[KEY] = json!(changes);
    }
    document
}

#[cfg(test)]
mod tests {
    use engine::Rules;

    use super::*;

    /// In documents, keys count seats from 0.
    #[test]
    fn a_key_that_names_a_seat_has_it_counted_from_1_beside_it_for_people() {
        let mut rules = Rules::new("a = 1\nseats = 4\nseat0 = 2\n");
        ["seats=5", "seat0=3"].iter().for_each(|setting| rules.set(setting).unwrap());
        let printed = in_words(&rules.changes()).unwrap();
        assert_eq!(printed, "seat0 (seat 1) = 3, changed (was 2); seats = 5, changed (was 4)");
        assert_eq!(with_changes(json!({}), &rules.changes())[KEY][0]["key"], "seat0");
    }

    #[test]
    fn documents_say_what_was_changed_and_nothing_if_nothing_was() {
        assert_eq!(with_changes(json!({"x": 1}), &[]), json!({"x": 1}));
        let mut rules = Rules::new("a = 1  # rulebook\n");
        rules.set("a=9").unwrap();
        let changes = rules.changes();
        let change = json!({"key": "a", "was": 1, "now": 9, "sources": ["rulebook"]});
        let printed = with_changes(json!({"x": 1}), &changes);
        assert_eq!(printed, json!({"x": 1, "changed_rules": [change]}));
    }
}
