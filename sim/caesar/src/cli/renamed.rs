//! Names of an earlier release that are still accepted; a line on stderr gives the new name.

use std::ffi::OsString;

use agents::param::RENAMED_WORDS;

use super::note;

/// Prints on stderr that `place` has a name of the last release.
pub(super) fn note_renamed(place: &str, old: &str, new: &str) {
    note(&format!("{place}: {old} is now called {new}; the next release reads the new name only"));
}

/// Prints on stderr the new name of each word in `args` that was renamed.
pub(super) fn note_words(args: &[OsString]) {
    for word in RENAMED_WORDS {
        let [old, new] = [word.old, word.new].map(|name| format!("{}={name}", word.param));
        if args.iter().filter_map(|arg| arg.to_str()).any(|arg| arg.contains(&old)) {
            note(&format!("{old} is now called {new}; the next release reads the new name only"));
        }
    }
}
