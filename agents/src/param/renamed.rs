//! Words of parameters that an earlier release had: this one reads them on.

/// A word of a parameter that has another name now.
#[derive(Clone, Copy, Debug)]
pub struct RenamedWord {
    /// The parameter.
    pub param: &'static str,
    /// The word of the earlier release.
    pub old: &'static str,
    /// The word of today.
    pub new: &'static str,
}

/// All of them.
pub const RENAMED_WORDS: &[RenamedWord] =
    &[RenamedWord { param: "preset", old: "bf4a058", new: "2026-11-22" }];

/// Returns what `text`, a word of `param`, is called today.
pub(super) fn word_of_today<'a>(param: &str, text: &'a str) -> &'a str {
    let renamed = RENAMED_WORDS.iter().find(|word| word.param == param && word.old == text);
    renamed.map_or(text, |word| word.new)
}
