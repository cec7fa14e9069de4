//! Plays the pages: runs the commands of every document and compares the output with the page.
//!
//! A fenced block whose first line begins with `$ ` is a session. Each `$ ` line is a command, and a line that ends
//! with `\` continues. The lines below a command are its output; `...` alone on a line stands for any number of lines.
//! A command without lines below it is only run. Words after the language are options: `slow` (only `just docs-slow`
//! plays the block) and `fails` (the exit code is 1). Any other block with a second word is a file of that name for
//! later commands. All blocks of a page share a directory, in which `experiments` is that of the repository.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shared::{CAESAR, ran};
use crate::tidy::root;

/// A fenced block of a page.
struct Block<'page> {
    /// The words behind the fence.
    info: Vec<&'page str>,
    body: Vec<&'page str>,
}

/// A part of a page, in order.
enum Part<'page> {
    Prose(&'page str),
    Block(Block<'page>),
}

/// A command of a session, with the lines that the page prints below it.
struct Step<'page> {
    command: Vec<&'page str>,
    output: Vec<&'page str>,
}

/// Splits a page into prose and blocks.
fn parts(page: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            parts.push(Part::Prose(line));
            continue;
        };
        let body = lines.by_ref().take_while(|line| *line != "```").collect();
        parts.push(Part::Block(Block { info: info.split_whitespace().collect(), body }));
    }
    parts
}

/// Splits a session into its steps; `None` if the block is not a session.
fn steps<'page>(block: &Block<'page>) -> Option<Vec<Step<'page>>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    let mut goes_on = false;
    for &line in &block.body {
        if line.starts_with("$ ") {
            steps.push(Step { command: vec![line], output: Vec::new() });
        } else if goes_on {
            steps.last_mut()?.command.push(line);
        } else {
            steps.last_mut()?.output.push(line);
        }
        let is_command = line.starts_with("$ ") || goes_on;
        goes_on = is_command && line.ends_with('\\');
    }
    (!steps.is_empty()).then_some(steps)
}

fn is_gap(line: &str) -> bool {
    matches!(line, "..." | "…")
}

/// Returns true if two lines agree; in a line with times or threads only the words must.
fn agree(page: &str, seen: &str) -> bool {
    let words = |line: &str| line.replace(|c: char| c.is_ascii_digit() || " .".contains(c), "");
    let is_timed = |line: &str| line.contains(" threads") || line.contains(" games/s");
    page == seen || is_timed(page) && is_timed(seen) && words(page) == words(seen)
}

/// Returns true if `seen` matches the page, with any lines in each gap.
fn fits(page: &[&str], seen: &[&str]) -> bool {
    match page.split_first() {
        None => seen.is_empty(),
        Some((&gap, rest)) if is_gap(gap) => (0..=seen.len()).any(|n| fits(rest, &seen[n..])),
        Some((&line, rest)) => {
            seen.split_first().is_some_and(|(&first, more)| agree(line, first) && fits(rest, more))
        }
    }
}

/// Returns the lines of `seen` in the form of the page. The parts between gaps keep their lengths. A part after a gap
/// begins at its first line, or ends with the output if it is the last.
fn redrawn(page: &[&str], seen: &[&str]) -> Vec<String> {
    let (mut lines, mut at) = (Vec::new(), 0);
    let runs: Vec<&[&str]> = page.split(|line| is_gap(line)).collect();
    for (index, run) in runs.iter().enumerate() {
        let is_last = index + 1 == runs.len();
        if index > 0 {
            lines.push("...".to_owned());
            let found = run.first().and_then(|first| seen[at..].iter().position(|l| l == first));
            at = match found {
                Some(skipped) => at + skipped,
                None if is_last => seen.len().saturating_sub(run.len()).max(at),
                None => continue,
            };
        }
        let end = if is_last && index == 0 { seen.len() } else { (at + run.len()).min(seen.len()) };
        lines.extend(seen[at..end].iter().map(|&line| line.to_owned()));
        at = end;
    }
    lines
}

/// Returns a directory in which the commands of a page run.
fn workplace() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        root().canonicalize().unwrap().join("experiments"),
        dir.path().join("experiments"),
    )
    .unwrap();
    dir
}

/// Runs a command in `dir` and returns its stdout.
fn run(command: &str, dir: &Path, may_fail: bool) -> Result<String, String> {
    let command = command.replace("cargo run --release -- ", "caesar ");
    let paths = env::var_os("PATH").unwrap_or_default();
    let programs = Path::new(CAESAR).parent().map(Path::to_path_buf);
    let paths = env::join_paths(programs.into_iter().chain(env::split_paths(&paths))).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &command]).env("PATH", &paths).current_dir(dir);
    let (code, stdout, stderr) = ran(&mut shell);
    let is_right = if may_fail { code == 1 } else { code == 0 };
    if is_right { Ok(stdout) } else { Err(format!("exit code {code}\n{stdout}{stderr}")) }
}

/// Plays a page and returns its correct text; differences go to `wrong`.
fn played(path: &Path, page: &str, with_slow: bool, wrong: &mut String) -> (String, usize) {
    let dir = workplace();
    let (mut text, mut count) = (String::new(), 0);
    for part in parts(page) {
        let block = match part {
            Part::Prose(line) => {
                writeln!(text, "{line}").unwrap();
                continue;
            }
            Part::Block(block) => block,
        };
        writeln!(text, "```{}", block.info.join(" ")).unwrap();
        let more = block.info.get(1..).unwrap_or_default();
        let is_played = with_slow || !more.contains(&"slow");
        match steps(&block).filter(|_| is_played) {
            Some(steps) => {
                for step in steps {
                    count += 1;
                    let command = step.command.join("\n");
                    let seen = run(&command[2..], dir.path(), more.contains(&"fails"));
                    writeln!(text, "{command}").unwrap();
                    let lines: Vec<String> = match &seen {
                        Ok(seen) if step.output.is_empty() => {
                            let _ = seen;
                            Vec::new()
                        }
                        Ok(seen) if fits(&step.output, &seen.lines().collect::<Vec<_>>()) => {
                            step.output.iter().map(|&line| line.to_owned()).collect()
                        }
                        Ok(seen) => {
                            let place = path.display();
                            let page = step.output.join("\n");
                            let seen: Vec<&str> = seen.lines().collect();
                            let all = seen.join("\n");
                            writeln!(
                                wrong,
                                "{place}: {command}\n--- page\n{page}\n--- seen\n{all}\n"
                            )
                            .unwrap();
                            redrawn(&step.output, &seen)
                        }
                        Err(complaint) => {
                            writeln!(wrong, "{}: {command}\n{complaint}", path.display()).unwrap();
                            step.output.iter().map(|&line| line.to_owned()).collect()
                        }
                    };
                    lines.iter().for_each(|line| writeln!(text, "{line}").unwrap());
                }
            }
            None => {
                block.body.iter().for_each(|line| writeln!(text, "{line}").unwrap());
                if let (Some(name), true) = (more.first(), steps(&block).is_none()) {
                    fs::write(dir.path().join(name), block.body.join("\n") + "\n").unwrap();
                }
            }
        }
        writeln!(text, "```").unwrap();
    }
    (text, count)
}

/// Returns the README and every page under `docs`.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Plays all pages; with `UPDATE_GOLDEN` it writes the commands' output into them.
fn play(with_slow: bool) -> usize {
    let (mut wrong, mut count) = (String::new(), 0);
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let before = wrong.len();
        let (text, played) = played(&path, &page, with_slow, &mut wrong);
        count += played;
        if wrong.len() > before && env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, text).unwrap();
        }
    }
    let is_update = env::var_os("UPDATE_GOLDEN").is_some();
    assert!(wrong.is_empty() || is_update, "{wrong}\nUPDATE_GOLDEN=1 writes the pages");
    count
}

#[test]
fn every_command_of_the_pages_prints_what_the_page_says() {
    let count = play(false);
    assert!(count >= 20, "{count} commands");
}

#[test]
#[ignore = "slow: the blocks that are marked so take minutes: `just docs-slow` runs it"]
fn every_slow_command_of_the_pages_prints_what_the_page_says() {
    play(true);
}

#[test]
fn a_page_is_compared_line_by_line_with_gaps() {
    let seen = ["a", "b", "c", "9 games/s on 2 threads"];
    assert!(fits(&["a", "...", "c", "12 games/s on 16 threads"], &seen));
    assert!(fits(&["a", "..."], &seen) && fits(&["...", "b", "..."], &seen));
    assert!(!fits(&["a", "b", "c"], &seen) && !fits(&["b", "..."], &seen));
    assert!(!fits(&["a", "...", "d", "..."], &seen));
    assert_eq!(redrawn(&["x", "..."], &seen), ["a", "..."]);
    assert_eq!(redrawn(&["x", "...", "y"], &seen), ["a", "...", "9 games/s on 2 threads"]);
    assert_eq!(redrawn(&["x", "y"], &seen), seen);
    let page =
        "p\n```console slow\n$ one \\\n  two\nout\n$ three\n```\n```toml v.toml\nk = 1\n```\n";
    let parts = parts(page);
    let [Part::Prose("p"), Part::Block(session), Part::Block(file)] = &parts[..] else {
        panic!("{} parts", parts.len());
    };
    let steps = steps(session).unwrap();
    assert_eq!(session.info, ["console", "slow"]);
    assert_eq!(steps[0].command, ["$ one \\", "  two"]);
    assert_eq!((&steps[0].output[..], &steps[1].output[..]), (&["out"][..], &[][..]));
    assert!(self::steps(file).is_none() && file.info == ["toml", "v.toml"]);
}
