//! The order of files within each crate: which file uses which, without any cycle.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{LIBRARIES, files_of, root};

/// The texts of a crate's files, by module path (`record::write`; the root is empty).
type Modules = BTreeMap<String, String>;

/// The modules that each module uses. Parents and children do not count: a `mod.rs` introduces its children, and they
/// share its declarations.
type Arrows = BTreeMap<String, BTreeSet<String>>;

fn modules(krate: &str) -> Modules {
    let source = root().join(krate).join("src");
    let module = |path: &std::path::Path| {
        let path = path.strip_prefix(&source).unwrap().with_extension("");
        let mut names: Vec<_> = path.iter().map(|name| name.display().to_string()).collect();
        if names.last().is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str())) {
            names.pop();
        }
        names.join("::")
    };
    let mut modules = Modules::new();
    for (path, text) in files_of(krate).into_iter().filter(|(path, _)| path.starts_with(&source)) {
        // The main file of a binary and the root of the library are both the root.
        *modules.entry(module(&path)).or_default() += &text;
    }
    modules
}

/// Returns the code of a file, without comments and without its tests.
pub(crate) fn code(text: &str) -> String {
    let until_tests = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = until_tests.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Reads the path at the beginning of `text`, which continues `prefix`, with all its branches in braces, into `found`;
/// returns the rest of the text.
fn branch<'a>(text: &'a str, prefix: &[&'a str], found: &mut Vec<Vec<&'a str>>) -> &'a str {
    let (mut text, mut path) = (text.trim_start(), prefix.to_vec());
    loop {
        if let Some(inner) = text.strip_prefix('{') {
            text = inner.trim_start();
            while !text.is_empty() && !text.starts_with('}') {
                let before = text.len();
                text = branch(text, &path, found).trim_start_matches([',', ' ', '\n']);
                if text.len() == before {
                    return text;
                }
            }
            return text.strip_prefix('}').unwrap_or(text);
        }
        let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        if !name.is_empty() && (name != "self" || path.is_empty()) {
            path.push(name);
        }
        text = rest;
        match text.strip_prefix("::") {
            Some(rest) if rest.starts_with(|c| is_name(c) || c == '{') => text = rest,
            _ => break,
        }
    }
    text = text.strip_prefix("::*").unwrap_or(text);
    // The new name of a renamed branch is not part of the path.
    if let Some(renamed) = text.strip_prefix(" as ") {
        text = renamed.trim_start_matches(is_name);
    }
    found.push(path);
    text
}

/// Returns the paths within the crate in this code, in `use` lines and elsewhere.
fn paths(code: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            let is_start = !code[..at].ends_with(|c| is_name(c) || c == ':' || c == '$');
            if is_start {
                branch(&code[at..], &[], &mut found);
            }
        }
    }
    found
}

fn arrows(modules: &Modules) -> Arrows {
    let target = |from: &str, path: &[&str]| {
        let mut base: Vec<&str> = from.split("::").filter(|name| !name.is_empty()).collect();
        let mut path = path;
        match path.first() {
            Some(&"crate") => {
                base.clear();
                path = &path[1..];
            }
            Some(&"self") => path = &path[1..],
            _ => {
                while path.first() == Some(&"super") {
                    base.pop();
                    path = &path[1..];
                }
            }
        }
        base.extend(path);
        (0..=base.len()).rev().map(|n| base[..n].join("::")).find(|name| modules.contains_key(name))
    };
    let is_within = |inner: &str, outer: &str| {
        outer.is_empty()
            || inner == outer
            || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with("::"))
    };
    let mut arrows = Arrows::new();
    for (from, text) in modules {
        let code = code(text);
        let used = paths(&code).into_iter().filter_map(|path| target(from, &path));
        let used = used.filter(|to| !is_within(from, to) && !is_within(to, from)).collect();
        arrows.insert(from.clone(), used);
    }
    arrows
}

/// Returns the arrows of cycles, and of modules between two cycles; empty without a cycle. It removes modules that use
/// none or are used by none, until nothing changes.
fn circles(mut arrows: Arrows) -> Arrows {
    loop {
        let used: BTreeSet<String> = arrows.values().flatten().cloned().collect();
        let before = arrows.len();
        arrows.retain(|from, to| !to.is_empty() && used.contains(from));
        let left: BTreeSet<String> = arrows.keys().cloned().collect();
        arrows.values_mut().for_each(|to| to.retain(|to| left.contains(to)));
        if arrows.len() == before {
            return arrows;
        }
    }
}

#[test]
fn files_of_a_crate_use_each_other_in_no_circle() {
    for krate in LIBRARIES {
        let circles = circles(arrows(&modules(krate)));
        assert!(circles.is_empty(), "{krate}: these files use each other in circles: {circles:#?}");
    }
}

/// The names that mark a function as compiled for each game.
const PER_GAME: [&str; 7] =
    ["Playable", "Observable", "Configure", "WithGame", "WithType", "with_game", "with_type"];

/// Returns the files of `modules` whose code contains a name of [`PER_GAME`].
fn compiled_for_each_game(modules: &Modules) -> Vec<&String> {
    let says = |text: &String| {
        let code = code(text);
        code.split(|c| !is_name(c)).any(|word| PER_GAME.contains(&word))
    };
    modules.iter().filter(|(_, text)| says(text)).map(|(module, _)| module).collect()
}

#[test]
fn the_command_is_compiled_for_no_game() {
    let mut modules = modules("sim/caesar");
    assert_eq!(compiled_for_each_game(&modules), [""; 0]);
    modules.insert("planted".to_owned(), "impl WithGame for Planted {}".to_owned());
    assert_eq!(compiled_for_each_game(&modules), ["planted"]);
}

#[test]
fn one_line_that_points_upwards_is_found() {
    let ways: [fn(&str) -> String; 4] = [
        |high| format!("use crate::{high}::Planted;"),
        |high| format!("use crate::{{\n    {high}::{{self, Planted as Other}},\n}};"),
        |high| format!("#[arg(value_parser = crate::{high}::planted)]"),
        |high| format!("pub(super) use crate::{high}::*;"),
    ];
    for krate in LIBRARIES {
        let modules = modules(krate);
        let arrows_now = arrows(&modules);
        let pair = arrows_now.iter().rev().find_map(|(high, to)| Some((high, to.first()?)));
        let (high, low) = pair.expect("a file that uses another");
        for line in ways.map(|way| way(high)) {
            let mut planted = modules.clone();
            planted.get_mut(low).unwrap().insert_str(0, &format!("{line}\n"));
            let found = circles(arrows(&planted));
            assert!(found.get(low).is_some_and(|to| to.contains(high)), "{krate}: {low}: {line}");
        }
    }
}

#[test]
fn paths_are_read_with_their_branches() {
    let text = "use crate::a::{self, b::{c as d, e}, f::*};\nlet x = super::super::g::h(self.i);\n// use crate::no;\n";
    let code = code(text);
    let read: Vec<String> = paths(&code).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(
        read,
        ["crate::a", "crate::a::b::c", "crate::a::b::e", "crate::a::f", "super::super::g::h"]
    );
}
