//! Names of places and cards for people, instead of the names in records.

use std::collections::BTreeMap;

use crate::board::Board;

/// Hyphenated words of the language, which are not names.
const WORDS: [&str; 2] = ["set-up", "re-roll"];

/// Words within a name that have no capital.
const SMALL: [&str; 5] = ["and", "in", "of", "or", "the"];

/// The names of the areas of a board, and of cards and tiles.
#[derive(Clone, Debug, Default)]
pub struct Names(BTreeMap<String, String>);

impl Names {
    /// Returns the names that a board shows.
    #[must_use]
    pub fn of(board: Option<&Board>) -> Self {
        let areas = board.into_iter().flat_map(|board| &board.areas);
        let named = areas.filter(|area| area.label.iter().any(|line| !line.is_empty()));
        Self(named.map(|area| (area.id.clone(), name_of(&area.label))).collect())
    }

    /// Returns the names with those of cards or tiles that have one word. Areas of the same word keep their names.
    #[must_use]
    pub fn with(mut self, things: Vec<(String, String)>) -> Self {
        for (id, name) in things {
            self.0.entry(id).or_insert(name);
        }
        self
    }

    /// Returns a sentence with the names of areas and cards for people: `Mare Pelusium` for `mare-pelusium`.
    #[must_use]
    pub fn spoken(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            out += &self.0.get(word).cloned().unwrap_or_else(|| title(word));
            let next = after.find(is_part).unwrap_or(after.len());
            out += &after[..next];
            rest = &after[next..];
        }
        out
    }
}

/// Returns the lines of a label as a name.
fn name_of(lines: &[String]) -> String {
    lines.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ")
}

/// Returns a name of several words, each with a capital; other words stay as they are.
fn title(word: &str) -> String {
    let parts: Vec<&str> = word.split('-').collect();
    let is_name = parts.len() > 1
        && parts
            .iter()
            .all(|part| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_lowercase()));
    if !is_name || WORDS.contains(&word) {
        return word.to_owned();
    }
    let spelled = |(i, part): (usize, &&str)| match i > 0 && SMALL.contains(part) {
        true => (*part).to_owned(),
        false => capital(part),
    };
    parts.iter().enumerate().map(spelled).collect::<Vec<_>>().join(" ")
}

/// Returns a text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_and_cards_are_named_and_the_rest_of_a_sentence_stays() {
        let rules = json!({ "province": [{ "id": "egypt", "at": [0.0, 0.0] }] });
        let mut board = Board::of_rules(&rules).unwrap();
        board.areas[0].label = vec!["Egypt".to_owned()];
        let names = Names::of(Some(&board));
        let text = "seat 1 recruits in egypt (set-up) and takes bread-and-circuses; +3 a-1";
        let due = "seat 1 recruits in Egypt (set-up) and takes Bread and Circuses; +3 a-1";
        assert_eq!(names.spoken(text), due);
    }
}
