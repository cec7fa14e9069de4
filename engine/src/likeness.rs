//! The likeness of words, for complaints about a wrong one.

/// Returns the name among `names` that is most like `word`, or `None` if no name is similar. Case does not count.
#[must_use]
pub fn nearest<'a, S: AsRef<str>>(word: &str, names: &'a [S]) -> Option<&'a str> {
    let word = word.to_lowercase();
    names
        .iter()
        .map(|name| (strsim::jaro_winkler(&word, &name.as_ref().to_lowercase()), name.as_ref()))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
