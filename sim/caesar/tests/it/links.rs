//! The links of the documents: every relative link leads to a file, and to a heading if it names one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::tidy::root;

/// Returns every page of the repository.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_built =
                matches!(name.as_str(), ".git" | "target" | "out" | "shared" | "node_modules");
            if path.is_dir() && !path.is_symlink() && !is_built {
                folders.push(path);
            } else if name.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Returns the prose of a page, without fenced blocks and spans of code.
fn prose(page: &str) -> String {
    let mut is_code = false;
    let mut text = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let spans = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
            text += &spans;
            text.push('\n');
        }
    }
    text
}

/// Returns the anchor of a heading on the usual hosts.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns true if `page` has a heading with this anchor.
fn has_anchor(page: &Path, wanted: &str) -> bool {
    let text = fs::read_to_string(page).unwrap();
    text.lines().any(|line| line.starts_with('#') && anchor(line) == wanted)
}

/// Returns the targets of the links in a text; for an image also true if it has a text.
fn links(text: &str) -> Vec<(&str, bool)> {
    let mut links = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        if let Some((target, _)) = after.split_once(')') {
            let is_wordless_image = before.ends_with("![");
            links.push((target.split_whitespace().next().unwrap_or_default(), !is_wordless_image));
        }
        rest = after;
    }
    links
}

#[test]
fn every_link_leads_somewhere_and_every_image_has_words() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in pages() {
        let text = prose(&fs::read_to_string(&page).unwrap());
        for (target, has_words) in links(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path =
                if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let is_there = path.exists() && (anchor.is_empty() || has_anchor(&path, anchor));
            if !is_there || !has_words {
                wrong.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 100, "{count} links");
}

/// Pages that are no chapters of the book: its list of chapters, parts of other pages, templates, expected texts.
const NO_CHAPTERS: [&str; 4] =
    ["docs/SUMMARY.md", "experiments/balance/head.md", "/.github/", "/tests/golden/"];

#[test]
fn the_book_has_every_page_once() {
    let folder = root().canonicalize().unwrap().join("docs");
    let summary = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let chapter = |target: &str| folder.join(target).canonicalize().unwrap();
    let mut chapters: Vec<PathBuf> = links(&summary).iter().map(|link| chapter(link.0)).collect();
    let mut wanted: Vec<PathBuf> =
        pages().iter().map(|page| page.canonicalize().unwrap()).collect();
    wanted.retain(|page| !NO_CHAPTERS.iter().any(|part| page.to_string_lossy().contains(part)));
    chapters.sort();
    wanted.sort();
    assert_eq!(chapters, wanted);
    // mdBook reads titles, chapters with a list mark, and one page before them.
    let is_known =
        |line: &str| ["# ", "- [", "[Caesar]"].iter().any(|start| line.starts_with(start));
    let lines = summary.lines().map(str::trim_start).filter(|line| !line.is_empty());
    assert_eq!(lines.filter(|line| !is_known(line)).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn a_heading_has_the_anchor_of_the_usual_hosts() {
    assert_eq!(anchor("## Sequential tests: `compare`"), "sequential-tests-compare");
    assert_eq!(anchor("## [0.2.0] - Unreleased"), "020---unreleased");
    assert_eq!(
        links("a [b](c.md#d) ![](e.png) ![f](g.png)"),
        [("c.md#d", true), ("e.png", false), ("g.png", true)]
    );
    assert_eq!(prose("a `[b](c)` d\n```\n[e](f)\n```\ng\n"), "a ` d\ng\n");
}
