//! The house rules that no compiler checks.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

pub(crate) fn files_of(krate: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for dir in ["src", "tests", "benches", "examples"] {
        sources(&root().join(krate).join(dir), &mut found);
    }
    found.sort();
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

pub(crate) const CRATES: [&str; 11] = [
    "engine",
    "stats",
    "agents",
    "draw",
    "sim/play",
    "sim/lab",
    "play",
    "sim/caesar",
    "python",
    "benches",
    "experiments",
];
/// The folders of the libraries that others build upon, and of the command. Each depends only on those before it.
pub(crate) const LIBRARIES: [&str; 8] =
    ["engine", "stats", "agents", "draw", "sim/play", "sim/lab", "play", "sim/caesar"];
/// The folders of the crates that play.
const PLAYING: [&str; 4] = ["sim/play", "sim/lab", "play", "sim/caesar"];

/// The name of the library in a folder.
fn name_of(folder: &str) -> &str {
    if folder == "sim/play" { "sim" } else { folder.rsplit('/').next().unwrap() }
}

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    for (path, text) in CRATES.into_iter().flat_map(files_of) {
        assert!(text.starts_with("//! "), "{}: the first line is no //! line", path.display());
        let lines = text.lines().count();
        // The unit tests at the end do not count.
        let code = text.split("\n#[cfg(test)]\nmod tests").next().unwrap().lines().count();
        assert!(code <= 500, "{}: {code} lines (500 allowed, {lines} with tests)", path.display());
    }
}

#[test]
fn crates_keep_to_their_business() {
    // No tested build has debug assertions in these crates: see the profiles of the workspace.
    let forbidden: [(&str, &[&str]); 8] = [
        ("engine/src", &["println!", "std::fs", "std::time", "std::thread", "std::env"]),
        ("stats/src", &["println!", "std::fs", "std::io", "std::time", "std::env", "debug_assert"]),
        ("agents/src", &["println!", "std::fs", "std::env", "std::process", "debug_assert"]),
        ("draw/src", &["println!", "std::fs", "std::io", "std::time", "std::env", "debug_assert"]),
        ("sim/play/src", &["println!", "SystemTime", "debug_assert", "std::fs"]),
        ("sim/lab/src", &["println!", "SystemTime", "debug_assert", "std::fs"]),
        ("play/src", &["println!", "SystemTime", "debug_assert", "std::fs"]),
        // Files have times; the clock is not read.
        ("sim/caesar/src", &["println!", "SystemTime::now", "debug_assert"]),
    ];
    for (dir, words) in forbidden {
        let mut found = Vec::new();
        sources(&root().join(dir), &mut found);
        // The external agent alone starts a program, which it must find, and keeps a log of its lines.
        found.retain(|path| {
            let may = ["program.rs", "launch.rs", "log.rs"];
            !may.iter().any(|name| path.ends_with(Path::new("agents/src/external").join(name)))
        });
        for path in found {
            let text = fs::read_to_string(&path).unwrap();
            // Unit tests at the end may print what they measured.
            let code = text.split("\n#[cfg(test)]\nmod tests").next().unwrap();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for word in words {
                    assert!(!line.contains(word), "{}: {word} in {line:?}", path.display());
                }
            }
        }
    }
}

#[test]
fn only_the_command_line_opens_files_and_knows_concrete_games_nowhere() {
    for (path, text) in PLAYING.into_iter().flat_map(files_of) {
        let is_in = |name: &str| path.components().any(|part| part.as_os_str() == name);
        if is_in("src") && !is_in("cli") {
            assert!(!text.contains("std::fs"), "{}: opens files", path.display());
        }
        if is_in("src") {
            assert!(!text.contains("engine::games"), "{}: names a game", path.display());
        }
    }
}

#[test]
fn only_the_command_line_spells_options() {
    // The files that print the command that reproduces a run.
    let spell = ["config/options.rs", "ladder/command.rs"];
    for (path, text) in PLAYING.into_iter().flat_map(files_of) {
        let name = path.display().to_string();
        if !name.contains("/src/")
            || name.contains("/cli/")
            || spell.iter().any(|end| name.ends_with(end))
        {
            continue;
        }
        let code = text.split("\n#[cfg(test)]").next().unwrap();
        let code = code.split("\n#[cfg(all(test,").next().unwrap();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let option =
                line.split("--").nth(1).is_some_and(|rest| rest.starts_with(char::is_lowercase));
            assert!(!option, "{name}: {line}");
        }
    }
}

#[test]
fn statistics_are_pure() {
    let forbidden = [
        "clap",
        "anstream",
        "anstyle",
        "terminal_size",
        "unicode_width",
        "csv",
        "ctrlc",
        "indicatif",
        "parquet",
        "same_file",
        "std::io",
        "std::time",
    ];
    let above = ["cli", "export", "manifest", "play", "record", "report", "runner", "tournament"];
    let mut found = Vec::new();
    ["stats/src", "sim/play/src/stats"]
        .iter()
        .for_each(|dir| sources(&root().join(dir), &mut found));
    assert!(found.len() > 15, "{found:?}");
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        // Tests may simulate games.
        let code = text.split("\n#[cfg(test)]").next().unwrap();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let outside = forbidden.iter().find(|word| line.contains(&format!("{word}::")));
            let room = above.iter().find(|room| line.contains(&format!("crate::{room}")));
            assert!(outside.or(room).is_none(), "{}: {line}", path.display());
        }
    }
}

/// Optional parts: a program that plays tournaments compiles no terminal code, and the first build no Parquet and no
/// server.
#[test]
fn the_command_line_parquet_and_the_server_can_be_left_out() {
    for krate in ["sim/play", "sim/lab"] {
        let names = dependencies(krate);
        for name in ["anstyle", "ctrlc", "indicatif", "same-file"] {
            assert!(!names.iter().any(|used| used == name), "{krate} depends on {name}");
        }
    }
    let manifest = fs::read_to_string(root().join("sim/play/Cargo.toml")).unwrap();
    assert!(manifest.contains("parquet = { workspace = true, optional = true }"), "{manifest}");
    let manifest = fs::read_to_string(root().join("play/Cargo.toml")).unwrap();
    for name in ["hyper", "hyper-util", "tokio"] {
        let line = format!("\n{name} = {{ workspace = true, optional = true }}\n");
        assert!(manifest.contains(&line), "{manifest}");
    }
    for krate in ["play", "sim/caesar"] {
        let manifest = fs::read_to_string(root().join(krate).join("Cargo.toml")).unwrap();
        assert!(!manifest.contains("default = ["), "{manifest}");
    }
}

/// The words that belong to single games.
const WORDS_OF_GAMES: [&str; 13] = [
    "season",
    "battle",
    "province",
    "senat",
    "chariot",
    "legion",
    "catapult",
    "galley",
    "talent",
    "capital",
    "hannibal",
    "carthage",
    "proconsul",
];

/// The words of `balance` studies and of their documents' keys on the command line, for every game: places are
/// provinces there, stages seasons, and money talents.
const WORDS_OF_BALANCE: [&str; 3] = ["season", "province", "talent"];
const ROOMS_OF_BALANCE: [&str; 4] =
    ["lab/src/balance/", "src/cli/balance/", "src/report/balance/", "src/cli/report/"];

/// The contract of games that compute the odds of their fights, and the lab's question about them.
const WORDS_OF_ODDS: [&str; 1] = ["battle"];
const ROOMS_OF_ODDS: [&str; 4] =
    ["agents/src/odds.rs", "agents/src/observable.rs", "lab/src/battles.rs", "lab/src/lib.rs"];

#[test]
fn generic_code_has_no_words_of_single_games() {
    let mut found = Vec::new();
    LIBRARIES.iter().for_each(|krate| sources(&root().join(krate).join("src"), &mut found));
    for path in found {
        let path_text = path.display().to_string();
        let is_of_games = ["engine/src/games/", "agents/src/heuristics/", "draw/src/"].iter();
        // The command for one game alone may name it, and so may examples, which belong to some game.
        let may_name = ["caesar/src/cli/odds.rs", "caesar/src/cli/examples.rs"];
        if is_of_games.chain(&may_name).any(|part| path_text.contains(part)) {
            continue;
        }
        let is_of_balance = ROOMS_OF_BALANCE.iter().any(|room| path_text.contains(room));
        let is_of_odds = ROOMS_OF_ODDS.iter().any(|room| path_text.contains(room));
        let is_named = |bad: &str| {
            is_of_balance && WORDS_OF_BALANCE.contains(&bad)
                || is_of_odds && WORDS_OF_ODDS.contains(&bad)
        };
        let is_of_one =
            |word: &str| WORDS_OF_GAMES.iter().any(|bad| word.starts_with(bad) && !is_named(bad));
        for line in fs::read_to_string(&path).unwrap().lines() {
            let words = line.to_lowercase();
            let mut words = words.split(|c: char| !c.is_alphabetic());
            let bad = words.find(|word| is_of_one(word));
            assert!(bad.is_none(), "{path_text}: {bad:?} in {line:?}");
        }
    }
}

/// Returns the names in the `[dependencies]` of a crate.
fn dependencies(krate: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join(krate).join("Cargo.toml")).unwrap();
    let table = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let lines = table.lines().skip(1).take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn crates_depend_downwards_only() {
    for (height, krate) in LIBRARIES.into_iter().enumerate() {
        let names = dependencies(krate);
        for above in &LIBRARIES[height..] {
            assert!(!names.iter().any(|name| name == name_of(above)), "{krate} depends on {above}");
        }
    }
    for library in ["engine", "stats", "agents", "draw"] {
        for name in ["clap", "indicatif", "csv", "anyhow"] {
            assert!(!dependencies(library).iter().any(|n| n == name), "{library} uses {name}");
        }
    }
    // The trees of one search may grow on several threads; the rules use none.
    assert!(!dependencies("engine").iter().any(|name| name == "rayon"), "engine uses rayon");
}

/// The row of a crate in the table of ARCHITECTURE.md equals its manifest.
#[test]
fn the_architecture_has_the_arrows_of_the_manifests() {
    let architecture = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for krate in CRATES {
        let mut uses = dependencies(krate);
        uses.retain(|used| CRATES.iter().any(|folder| name_of(folder) == *used));
        uses.sort();
        let uses = uses.iter().map(|used| format!("`{used}`")).collect::<Vec<_>>().join(", ");
        let uses = if uses.is_empty() { "nothing" } else { &uses };
        let row = format!("| `{}` | `{krate}` | {uses} |", name_of(krate));
        assert!(architecture.contains(&row), "ARCHITECTURE.md lacks {row}");
        assert!(architecture.contains(&format!("**`{}`**", name_of(krate))), "{krate}");
    }
}

#[test]
fn the_recipe_of_a_new_game_counts_the_items_that_it_has_to_read() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let items = |path: &str, contract: &str| {
        let text = read(path);
        let (_, body) = text.split_once(&format!("\npub trait {contract}: ")).unwrap();
        let (body, _) = body.split_once("\n}\n").unwrap();
        let starts = ["    fn ", "    const ", "    type "];
        body.lines().filter(|line| starts.iter().any(|start| line.starts_with(start))).count()
    };
    let recipe = read("CONTRIBUTING.md");
    let example = read("sim/play/examples/your_first_game.rs");
    let (configure, playable) = (
        items("engine/src/rules/configure.rs", "Configure"),
        items("agents/src/playable.rs", "Playable"),
    );
    assert!(configure <= 8 && playable <= 8, "{configure} {playable}");
    assert!(recipe.contains(&format!("the {configure} items of `Configure`")), "{configure}");
    for text in [recipe, example] {
        assert!(text.contains(&format!("the {playable} items of `Playable`")), "{playable}");
    }
}

/// Integration tests of a crate are one binary, which is linked once and contains all of their files.
#[test]
fn every_integration_test_is_in_the_one_binary_of_its_crate() {
    for krate in LIBRARIES {
        let tests = root().join(krate).join("tests");
        let named = |path: &Path| path.file_name().unwrap().display().to_string();
        for path in fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().path()) {
            // It counts the allocations of the whole process.
            let is_apart = named(&path) == "allocation.rs";
            let is_binary = path.extension().is_some_and(|ext| ext == "rs");
            assert!(is_apart || !is_binary, "{}: tests belong into it/", path.display());
        }
        let main = fs::read_to_string(tests.join("it/main.rs")).unwrap();
        for path in fs::read_dir(tests.join("it")).unwrap().map(|entry| entry.unwrap().path()) {
            let name = named(&path).trim_end_matches(".rs").to_owned();
            let is_run = name == "main" || main.contains(&format!("\nmod {name};"));
            assert!(is_run, "{}: it/main.rs has no mod {name}", path.display());
        }
    }
}

/// Slow tests are easy to find: each names the command that runs it, and that command is a recipe for its file.
#[test]
fn every_slow_test_is_run_by_a_recipe() {
    let recipes = fs::read_to_string(root().join("justfile")).unwrap();
    let mut slow = 0;
    for (path, text) in LIBRARIES.into_iter().flat_map(files_of) {
        for reason in text.lines().filter_map(|line| line.strip_prefix("#[ignore")) {
            let place = path.display();
            let named = reason.strip_prefix(" = \"slow: ").and_then(|why| why.split('`').nth(1));
            let recipe = named.and_then(|command| command.strip_prefix("just "));
            let recipe = recipe.unwrap_or_else(|| panic!("{place}: no recipe in {reason}"));
            let body = recipes.split(&format!("\n{recipe}:\n")).nth(1).unwrap_or_default();
            let body = body.split("\n\n").next().unwrap();
            // A test in several files has the name of its folder.
            let has_file = path.iter().filter_map(|part| part.to_str()).any(|part| {
                let name = part.trim_end_matches(".rs");
                body.contains(&format!(" {name}::"))
            });
            let has_file = has_file && body.contains(" --test it ");
            assert!(has_file && body.contains("--ignored"), "{place}: just {recipe}: {body}");
            slow += 1;
        }
    }
    assert!(slow > 5, "{slow}");
}
