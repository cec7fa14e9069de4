//! Promises of a release: one version in all places, formats that are listed, records that are read, licences.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use crate::shared::{caesar, command_at, done_at, ran};
use crate::tidy::root;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

#[test]
fn all_places_have_one_version() {
    let manifest: toml_edit::DocumentMut = read("Cargo.toml").parse().unwrap();
    let crates = manifest["workspace"]["dependencies"].as_table().unwrap();
    let own: Vec<_> = crates.iter().filter(|(_, krate)| krate.get("path").is_some()).collect();
    assert!(own.len() >= 7, "{own:?}");
    own.iter()
        .for_each(|(name, krate)| assert_eq!(krate["version"].as_str(), Some(VERSION), "{name}"));
    assert!(read("CITATION.cff").contains(&format!("\nversion: {VERSION}\n")));
    // The section of the version has its day as soon as there is one, and so have the manual pages.
    let changelog = read("CHANGELOG.md");
    let section = changelog.split(&format!("\n## [{VERSION}] - ")).nth(1).unwrap();
    let day = section.lines().next().unwrap();
    let page = caesar("man").1;
    assert!(page.contains(&format!("\"caesar {VERSION}\"")), "{page}");
    assert!(day == "Unreleased" || page.contains(&format!(".TH CAESAR 1 {day} ")), "{day}: {page}");
}

/// Returns the names of formats in a text, as in `caesar-record/1`.
fn formats(text: &str, quote: char) -> BTreeSet<String> {
    let quoted = text.split(quote).filter(|name| name.starts_with("caesar-"));
    let is_numbered = |name: &&str| {
        let (words, number) = name.split_once('/').unwrap_or_default();
        let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
        words.chars().all(is_word) && number.parse::<u32>().is_ok()
    };
    quoted.filter(is_numbered).map(str::to_owned).collect()
}

/// Adds the formats that the sources in `folder` declare as constants.
fn declared(folder: &Path, found: &mut BTreeSet<String>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            declared(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            let text = fs::read_to_string(path).unwrap();
            let constants = text.lines().filter(|line| line.contains("const FORMAT: "));
            constants.for_each(|line| found.extend(formats(line, '"')));
        }
    }
}

#[test]
fn every_format_is_listed_with_its_promise() {
    let mut found = BTreeSet::new();
    for folder in ["agents/src", "sim/play/src", "sim/lab/src", "sim/caesar/src"] {
        declared(&root().join(folder), &mut found);
    }
    assert!(found.len() >= 10, "{found:?}");
    let text = read("docs/stability.md");
    assert_eq!(formats(&text, '`'), found);
    // The tests of the Python package hold files to these schemas.
    for format in found {
        let name = format.trim_start_matches("caesar-").replace('/', "-");
        assert!(text.contains(&format!("](schemas/{name}.json)")), "{format}: no link to a schema");
        let schema: serde_json::Value =
            serde_json::from_str(&read(&format!("docs/schemas/{name}.json"))).unwrap();
        assert_eq!(schema["title"], format.as_str());
    }
}

/// Returns the files and folders in `folder`, in order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn records_and_results_of_each_release_are_read_or_refused_with_a_sentence() {
    let games = caesar("games --json").1;
    let games: Json = serde_json::from_str(&games).unwrap();
    let count = games.as_array().unwrap().len();
    for release in entries(&root().join("sim/caesar/tests/releases")) {
        let version = release.file_name().unwrap().to_string_lossy().into_owned();
        let (results, records): (Vec<_>, Vec<_>) =
            entries(&release).into_iter().partition(|path| path.is_dir());
        assert!(records.len() <= count && !records.is_empty(), "{version}: {records:?}");
        for path in records.iter().chain(&results) {
            let said = done_at("check {}", path);
            assert!(said.contains(", 0 with faults"), "{}: {said}", path.display());
        }
        for path in &records {
            assert!(done_at("show {} --game 1 --brief", path).starts_with("game 1: "));
        }
        for path in &results {
            let (code, text, error) = ran(&mut command_at("replay {} --game 1", path));
            let refusal = format!("version {version} there, {VERSION} here");
            let is_read = code == 0 && text.contains("agrees with games.csv");
            let is_refused = code == 2 && error.contains(&refusal) && error.lines().count() <= 2;
            assert!(if version == VERSION { is_read } else { is_refused }, "{code} {text}{error}");
        }
    }
}

#[test]
fn every_published_crate_has_the_licences_and_the_readme() {
    let mut published = 0;
    for folder in ["engine", "stats", "agents", "draw", "play", "sim/play", "sim/lab", "sim/caesar"]
    {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        assert!(manifest.contains("\nreadme.workspace = true\n"), "{folder}");
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(read(&format!("{folder}/{name}")), read(name), "{folder}");
        }
        published += 1;
    }
    let manifest: toml_edit::DocumentMut = read("Cargo.toml").parse().unwrap();
    let crates = manifest["workspace"]["dependencies"].as_table().unwrap();
    assert_eq!(crates.iter().filter(|(_, krate)| krate.get("path").is_some()).count(), published);
}

/// Licences under which a dependency may be used. Only `tiny-keccak`, which runs while others are compiled, is in the
/// public domain (CC0).
const LICENCES: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Zlib",
    "MPL-2.0",
];

/// Splits an SPDX expression at a word outside of brackets.
fn split<'text>(expression: &'text str, word: &str) -> Vec<&'text str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in expression.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 && at >= start && expression[at..].starts_with(word) {
            parts.push(&expression[start..at]);
            start = at + word.len();
        }
    }
    parts.push(&expression[start..]);
    parts
}

/// Returns true if an SPDX expression can be met with the licences of the list.
fn is_allowed(expression: &str) -> bool {
    let one = |term: &str| {
        let inner = term.strip_prefix('(').and_then(|term| term.strip_suffix(')'));
        inner.map_or_else(|| LICENCES.contains(&term), is_allowed)
    };
    split(expression, " OR ")
        .iter()
        .any(|all| split(all, " AND ").iter().all(|term| one(term.trim())))
}

#[test]
fn every_dependency_has_a_licence_that_allows_its_use() {
    let host =
        String::from_utf8(Command::new("rustc").arg("-vV").output().unwrap().stdout).unwrap();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    // Packages for other systems need not be there.
    let args =
        ["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", host];
    let output = Command::new(env!("CARGO")).args(args).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "{}", packages.len());
    let licence =
        |package: &Json| package["license"].as_str().unwrap_or("none").replace('/', " OR ");
    let wrong: Vec<String> = packages
        .iter()
        .filter(|package| !is_allowed(&licence(package)))
        .map(|package| format!("{}: {}", package["name"], licence(package)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_expression_is_met_by_one_alternative_of_which_every_part_is_allowed() {
    assert!(
        is_allowed("MIT")
            && is_allowed("GPL-3.0 OR MIT")
            && is_allowed("(MIT OR GPL-3.0) AND Unicode-3.0")
    );
    assert!(is_allowed("Apache-2.0 WITH LLVM-exception OR GPL-3.0"));
    assert!(!is_allowed("GPL-3.0") && !is_allowed("MIT AND GPL-3.0") && !is_allowed("none"));
    assert!(!is_allowed("(MIT AND GPL-3.0) OR AGPL-3.0"));
}
