//! The examples at the end of each command's help: there are two, and each of them runs.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::external::has_python;
use crate::shared::{CAESAR, caesar, ran};

/// Returns the help of the command `path`, as in `fit value`, after that of its parent commands.
fn helps(path: &str) -> Vec<(String, String)> {
    let (code, help, error) = caesar(&format!("{path} --help"));
    assert_eq!((code, error.as_str()), (0, ""), "{path}");
    // Those of caesar stand by purpose, up to its general options.
    let begin = if path.is_empty() { "\n\n" } else { "\nCommands:\n" };
    let list = help.split_once(begin).unwrap_or_default().1;
    let lines = list.split_once("\nGeneral:").unwrap_or_default().0.lines();
    let lines = lines.take_while(|line| path.is_empty() || !line.is_empty());
    let named = lines
        .filter(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    let deeper = named
        .filter(|name| *name != "help")
        .flat_map(|name| helps(format!("{path} {name}").trim()));
    let deeper: Vec<_> = deeper.collect();
    deeper.into_iter().chain([(path.to_owned(), help.clone())]).collect()
}

/// Returns the examples at the end of a help text. A continued line has a larger indent.
fn examples(help: &str) -> Vec<String> {
    let (_, block) = help.split_once("\nExamples:\n").unwrap_or_default();
    let mut examples: Vec<String> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("    "), examples.last_mut()) {
            (Some(more), Some(last)) => *last += &format!("\n{more}"),
            _ => examples.push(line.strip_prefix("  ").unwrap_or(line).to_owned()),
        }
    }
    examples
}

#[test]
fn every_help_ends_with_two_examples_and_all_of_them_run() {
    let dir = tempfile::tempdir().unwrap();
    // What examples read and nobody writes.
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/agents/buyer.py");
    fs::copy(bot, dir.path().join("bot.py")).unwrap();
    fs::write(dir.path().join("requests.jsonl"), "{\"ask\":[{\"op\":\"new\"}]}\n").unwrap();
    let paths = env::var_os("PATH").unwrap_or_default();
    let programs = Path::new(CAESAR).parent().map(Path::to_path_buf);
    let paths = env::join_paths(programs.into_iter().chain(env::split_paths(&paths))).unwrap();
    let mut helps = helps("");
    // Some read what others write.
    let reads = |path: &str| ["check", "diff", "replay", "report", "runs", "show"].contains(&path);
    helps.sort_by_key(|(path, _)| reads(path));
    assert!(helps.len() > 30, "{helps:?}");
    for (path, help) in helps {
        let examples = examples(&help);
        let is_of_it = |line: &String| line.contains(format!("caesar {path}").trim());
        assert!(examples.len() == 2 && examples.iter().any(is_of_it), "{path}: {examples:?}");
        for example in examples.into_iter().filter(|line| !line.contains("python3") || has_python())
        {
            let mut shell = Command::new("sh");
            shell.args(["-e", "-c", &example]).env("PATH", &paths).current_dir(dir.path());
            let (code, _, error) = ran(&mut shell);
            assert_eq!(code, 0, "{example}: {error}");
        }
    }
}

#[test]
fn a_short_help_is_shorter_has_the_examples_and_leads_to_the_long_one() {
    for path in ["tournament", "compare", "ladder", "balance game", "fit iterate", "tune", "show"] {
        let (_, long, _) = caesar(&format!("{path} --help"));
        let (code, short, error) = caesar(&format!("{path} -h"));
        assert_eq!((code, error.as_str()), (0, ""), "{path}");
        let lines = |text: &str| text.lines().count();
        assert!(2 * lines(&short) < lines(&long) + 30, "{path}: {short}");
        assert!(lines(&short) <= 50, "{path}: {short}");
        let (_, block) = long.split_once("\nExamples:\n").unwrap();
        assert!(short.contains(block.trim_end()), "{path}: {short}");
        let last = format!("All options: caesar {path} --help");
        assert_eq!(short.lines().last(), Some(last.as_str()), "{path}");
    }
}
