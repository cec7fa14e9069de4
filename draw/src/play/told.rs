//! Sentences of the story for the people at a table: [`told`].

use super::drawn_game::{DrawnGame, with_names};
use crate::names::capital;
use crate::story::Sentence;

/// The name of the only person at a table, in whose sentences verbs change.
const YOU: &str = "you";

/// Returns a sentence with the names of areas, cards and seats.
#[must_use]
pub fn told(game: &DrawnGame, names: &[String], sentence: &Sentence) -> String {
    let text = with_names(names, &game.spoken(&sentence.text));
    let is_own = sentence.seat.and_then(|seat| names.get(seat)).is_some_and(|name| name == YOU);
    let text = addressed(&text);
    let text = if is_own { text.replace(" their ", " your ") } else { text };
    let is_named = names.iter().any(|name| name != YOU && text.starts_with(name));
    if is_named { text } else { capital(&text) }
}

/// Returns a text with the verbs after `you` in the second person: `you move` for `you moves`.
fn addressed(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    // True while the next word can be the verb of `you`.
    let mut is_verb = false;
    for word in text.split(' ') {
        let is_aside = word.starts_with('(') && word.ends_with(')');
        out.push(if is_verb && !is_aside { second_person(word) } else { word.to_owned() });
        is_verb = word == YOU || (is_verb && is_aside);
    }
    out.join(" ")
}

/// Returns a verb of the third person in the second; other words stay.
fn second_person(verb: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| verb.ends_with(ending));
    let cut = |n: usize| verb[..verb.len() - n].to_owned();
    match verb {
        "is" => "are".to_owned(),
        "has" => "have".to_owned(),
        "does" | "goes" => cut(2),
        _ if !verb.chars().all(|letter| letter.is_ascii_lowercase()) => verb.to_owned(),
        _ if ends(&["ies"]) => cut(3) + "y",
        _ if ends(&["sses", "ches", "shes", "xes"]) => cut(2),
        _ if ends(&["s"]) && !ends(&["ss"]) => cut(1),
        _ => verb.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Level;

    #[test]
    fn the_only_person_is_addressed_and_others_have_names() {
        let game = DrawnGame::new("a-game", &serde_json::Value::Null, 2);
        let names = ["you".to_owned(), "greedy".to_owned()];
        let told = |seat, what| told(&game, &names, &Sentence::of(Level::Deed, seat, what));
        assert_eq!(told(0, "passes"), "You pass");
        assert_eq!(told(0, "raises a tax of 3 talents"), "You raise a tax of 3 talents");
        assert_eq!(told(0, "(Rome) moves a fleet"), "You (Rome) move a fleet");
        assert_eq!(told(0, "takes back their disc"), "You take back your disc");
        assert_eq!(told(1, "takes italia from seat 1"), "greedy takes italia from you");
        assert_eq!(told(0, "fortifies it; seat 2 marches"), "You fortify it; greedy marches");
        assert_eq!(
            told(0, "has all; the city is of seat 1 now"),
            "You have all; the city is of you now"
        );
    }
}
