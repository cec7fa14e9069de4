//! Parameter words of an earlier release, which this release still reads.

/// A parameter word with its new name.
#[derive(Clone, Copy, Debug)]
pub struct RenamedWord {
    /// The parameter.
    pub param: &'static str,
    /// The word of the earlier release.
    pub old: &'static str,
    /// The word of this release.
    pub new: &'static str,
}

/// All renamed words.
pub const RENAMED_WORDS: &[RenamedWord] =
    &[RenamedWord { param: "preset", old: "bf4a058", new: "2026-11-22" }];

/// Returns the present word for `text`, a word of `param`.
pub(super) fn word_of_today<'a>(param: &str, text: &'a str) -> &'a str {
    let renamed = RENAMED_WORDS.iter().find(|word| word.param == param && word.old == text);
    renamed.map_or(text, |word| word.new)
}
