//! The English of comments: openings without a subject or verb of their own, and singular pronouns for players.

use crate::tidy::{CRATES, files_of};

/// Words with which no documentation comment begins: they open half a sentence (STYLE.md, "Comments and documentation").
const OPENINGS: [&str; 28] = [
    "All that",
    "As",
    "Asks",
    "Everything",
    "Hears",
    "How",
    "If",
    "Knows",
    "Nobody",
    "Nothing",
    "One who",
    "Says",
    "So",
    "Somebody",
    "Tells",
    "That",
    "The same",
    "Those",
    "What",
    "Whatever",
    "When",
    "Where",
    "Whether",
    "Which",
    "Who",
    "Whoever",
    "Whom",
    "Whose",
];

/// Returns whether `text` begins with `words`, as words of their own.
fn begins_with(text: &str, words: &str) -> bool {
    text.strip_prefix(words)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Returns the text of a documentation comment in `line`.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    // Four slashes are an ordinary comment.
    (!text.starts_with('/')).then(|| text.trim_start())
}

/// Returns the numbers and texts of first lines of documentation that begin with a forbidden word.
fn bad_openings(text: &str) -> Vec<(usize, &str)> {
    let mut is_inside = false;
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let doc = documentation(line);
        if let Some(doc) = doc
            && !is_inside
            && OPENINGS.iter().any(|words| begins_with(doc, words))
        {
            found.push((i + 1, doc));
        }
        is_inside = doc.is_some();
    }
    found
}

/// Returns the numbers of lines with a comment that has a masculine pronoun.
fn he(text: &str) -> Vec<(usize, &str)> {
    let is_he =
        |word: &str| ["he", "his", "him", "himself"].contains(&word.to_lowercase().as_str());
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    lines
        .filter_map(|(i, line)| line.split_once("//").map(|(_, comment)| (i, comment)))
        .filter(|(_, comment)| comment.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_he))
        .collect()
}

#[test]
fn comments_begin_with_a_subject_or_a_verb() {
    for (path, text) in CRATES.into_iter().flat_map(files_of) {
        let bad = bad_openings(&text);
        assert!(bad.is_empty(), "{}: openings that STYLE.md forbids: {bad:?}", path.display());
    }
}

#[test]
fn players_are_they() {
    for (path, text) in CRATES.into_iter().flat_map(files_of) {
        let bad = he(&text);
        assert!(bad.is_empty(), "{}: players are \"they\": {bad:?}", path.display());
    }
}

#[test]
fn planted_comments_are_found() {
    let text = "/// What is told.\n/// Where it goes on is free.\nfn a() {}\n\n    //! The same of it.\n/// Whatsoever.\n//// What\n";
    assert_eq!(bad_openings(text), [(1, "What is told."), (5, "The same of it.")]);
    let text = "@ He plays.\nlet he = 1; @ the one that he has\n@ the heron, hers\n";
    let text = text.replace('@', "//");
    assert_eq!(he(&text).iter().map(|(i, _)| *i).collect::<Vec<_>>(), [1, 2]);
}
