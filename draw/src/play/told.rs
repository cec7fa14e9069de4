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
    let text = owned(&addressed(&text));
    let text = if is_own { agreed(&text.replace(" their ", " your ")) } else { text };
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
        let (verb, mark) = word.split_at(word.trim_end_matches([',', ':', ';']).len());
        out.push(match is_verb && !is_aside {
            true => second_person(verb) + mark,
            false => word.to_owned(),
        });
        is_verb = word == YOU || (is_verb && is_aside);
    }
    out.join(" ")
}

/// Returns a text in which things of `you` are yours: `your galleys` for `the galleys of you`.
fn owned(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let (name, mark) = word.split_at(word.trim_end_matches([',', ':', ';', ')']).len());
        match &out[..] {
            [.., the, thing, of]
                if name == YOU && of == "of" && the.eq_ignore_ascii_case("the") =>
            {
                let yours = format!("your {thing}{mark}");
                out.truncate(out.len() - 3);
                out.push(yours);
            }
            [.., verb, of] if name == YOU && of == "of" && verb == "is" => {
                out.pop();
                out.push(format!("yours{mark}"));
            }
            [.., of] if name == YOU && of == "of" => out.push(format!("yours{mark}")),
            _ => out.push(word.to_owned()),
        }
    }
    out.join(" ")
}

/// Verbs that follow another one in the same sentence of a seat.
const SECOND: [&str; 8] = ["builds", "does", "gives", "keeps", "loses", "places", "sends", "takes"];

/// Returns a sentence of `you` with its later verbs in the second person: `you take it and build`.
fn agreed(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let follows = out.last().is_some_and(|last| last == "and" || last.ends_with(','));
        let is_later = follows && SECOND.contains(&word);
        out.push(if is_later { second_person(word) } else { word.to_owned() });
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
        assert_eq!(told(1, "meets 2 infantry of seat 1"), "greedy meets 2 infantry of yours");
        assert_eq!(told(1, "takes italia from seat 1"), "greedy takes italia from you");
        assert_eq!(told(0, "fortifies it; seat 2 marches"), "You fortify it; greedy marches");
        assert_eq!(
            told(0, "has all; the city is of seat 1 now"),
            "You have all; the city is yours now"
        );
        assert_eq!(told(0, "takes a disc and builds it"), "You take a disc and build it");
        assert_eq!(told(1, "takes a disc and builds it"), "greedy takes a disc and builds it");
        assert_eq!(
            told(1, "sees that seat 1 passes: nothing"),
            "greedy sees that you pass: nothing"
        );
        assert_eq!(
            told(1, "attacks the galleys of seat 1 at sea"),
            "greedy attacks your galleys at sea"
        );
    }
}
