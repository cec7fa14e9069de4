//! Rules of a result: their source and changes, in one wording.

use engine::rules::Change;

use super::table::Note;
use sim::catalogue::about;
use sim::changes::in_words;

/// Returns the footer on the rules of `game`: changes and reconstructed numbers. Returns `None` if there are neither.
#[must_use]
pub fn line(game: &str, changes: &[Change]) -> Option<String> {
    let provenance = about(game).ok()?.provenance;
    match in_words(changes) {
        Some(changed) => Some(format!("{changed}; all else: {provenance}")),
        None => provenance.is_reconstructed().then(|| provenance.to_string()),
    }
}

/// Returns the note on the rules under which a result holds, if they were changed.
#[must_use]
pub fn note(game: &str, changes: &[Change]) -> Option<Note> {
    let line = line(game, changes).filter(|_| !changes.is_empty());
    line.map(|line| Note::new(format!("rules: {line}")))
}

#[cfg(test)]
mod tests {
    use engine::Rules;

    use super::*;

    fn changes(settings: &[&str]) -> Vec<Change> {
        let mut rules = Rules::new("a = 1  # rulebook\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\n");
        settings.iter().for_each(|setting| rules.set(setting).unwrap());
        rules.changes()
    }

    #[test]
    fn a_footer_never_calls_a_changed_number_one_of_the_rulebook() {
        assert_eq!(line("pig", &[]), None);
        let published = about("pig").unwrap().provenance.to_string();
        assert_eq!(
            line("pig", &changes(&["a=9", "b=3"])).unwrap(),
            format!(
                "a = 9, changed (was 1; rulebook); b = 3, changed (was 2); all else: {published}"
            )
        );
        assert!(
            line("conquest2", &[]).unwrap().starts_with("rulebook; map and some numbers recon")
        );
        let all = changes(&["a=9", "b=9", "c=9", "d=9", "e=9", "f=9", "g=9"]);
        assert!(in_words(&all).unwrap().ends_with("f = 9, changed (was 6); and 1 change more"));
        assert_eq!((note("pig", &[]), in_words(&[])), (None, None));
        let shown = note("pig", &changes(&["a=9"])).unwrap().text;
        assert!(shown.starts_with("rules: a = 9, changed (was 1; rulebook); all else"), "{shown}");
    }
}
