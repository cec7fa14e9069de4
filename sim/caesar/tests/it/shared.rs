//! Shared functions of the command's tests: runs of `caesar`, its output and refusals, kills and Ctrl-C.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use engine::{Purpose, Randomness, rng};
use expect_test::{Expect, ExpectFile};
use serde_json::Value as Json;

/// Exit code, stdout, stderr.
pub(crate) type Ran = (i32, String, String);

/// The command, as built for these tests.
pub(crate) const CAESAR: &str = env!("CARGO_BIN_EXE_caesar");

/// Returns `caesar` with `args` separated by blanks.
pub(crate) fn command(args: &str) -> Command {
    let mut command = Command::new(CAESAR);
    command.args(args.split_whitespace());
    command
}

pub(crate) fn ran(command: &mut Command) -> Ran {
    outcome_of(&command.stdin(Stdio::null()).output().unwrap())
}

fn outcome_of(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// Runs a command with input, which a command that refuses it need not read completely.
pub(crate) fn ran_with(command: &mut Command, stdin: &str) -> Ran {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || pipe.write_all(stdin.as_bytes()).ok());
        child.wait_with_output().unwrap()
    });
    outcome_of(&output)
}

/// Runs a command that must exit with `code`.
pub(crate) fn ended(code: i32, command: &mut Command) -> Output {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{command:?}: {:?}", outcome_of(&output));
    output
}

/// Returns `caesar` with `args` separated by blanks; `{}` stands for `dir`.
pub(crate) fn command_at(args: &str, dir: &Path) -> Command {
    let mut command = command("");
    let dir = dir.display().to_string();
    command.args(args.split_whitespace().map(|arg| arg.replace("{}", &dir)));
    command
}

/// Runs `caesar` with `args` separated by blanks.
pub(crate) fn caesar(args: &str) -> Ran {
    ran(&mut command(args))
}

/// Returns the stdout of a successful command; `{}` stands for `dir`.
pub(crate) fn done_at(args: &str, dir: &Path) -> String {
    let (code, stdout, stderr) = ran(&mut command_at(args, dir));
    assert_eq!(code, 0, "{args}: {stderr}");
    stdout
}

/// Runs `caesar` with `args` separated by blanks in `dir`.
pub(crate) fn inside(args: &str, dir: &Path) -> Ran {
    ran(command(args).current_dir(dir))
}

/// Returns the stdout of a successful command that runs in `dir`.
pub(crate) fn done_inside(args: &str, dir: &Path) -> String {
    let (code, stdout, stderr) = inside(args, dir);
    assert_eq!(code, 0, "{args}: {stderr}");
    stdout
}

/// Returns the JSON document of a command without any message.
pub(crate) fn json(args: &str) -> Json {
    let (code, stdout, stderr) = caesar(&format!("{args} --json --quiet"));
    assert_eq!((code, stderr.as_str()), (0, ""), "{args}");
    serde_json::from_str(&stdout).unwrap()
}

/// Asserts that `args` are refused in one or two lines.
pub(crate) fn refused(args: &str, complaint: &Expect) {
    let (code, stdout, stderr) = caesar(args);
    complaint.assert_eq(stderr.trim_end());
    assert_eq!((code, stdout.as_str()), (2, ""), "{args}");
    assert!(stderr.lines().count() <= 2, "{args}: {stderr}");
}

/// Asserts that `args` print `text`, apart from the line with times.
pub(crate) fn prints(args: &str, text: &ExpectFile) {
    let (code, stdout, stderr) = caesar(args);
    assert_eq!((code, stderr.as_str()), (0, ""), "{args}");
    let is_timed = |line: &&str| line.starts_with("speed ") || line.contains(" games/s on ");
    let lines = stdout.lines().filter(|line| !is_timed(line));
    text.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

/// Runs a command, interrupts it as by Ctrl-C after a while, and returns its output.
#[cfg(unix)]
pub(crate) fn interrupted(command: &mut Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    child.wait_with_output().unwrap()
}

/// Waits for `patience` and returns true if the child has exited well; otherwise kills it.
fn wait(child: &mut std::process::Child, patience: Duration) -> bool {
    let began = Instant::now();
    while began.elapsed() < patience {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    false
}

/// Kills a run by signal 9 at random moments drawn from `address`, again and again, until it ends. Each try gets a
/// part of `took`, the time of a whole run, longer from try to try. `rows` counts the written rows; some kill must
/// come half way.
pub(crate) fn killed_until_it_ends(
    took: Duration,
    address: u64,
    again: impl Fn() -> Command,
    rows: impl Fn() -> usize,
) {
    let mut rng = rng::stream(address, 0, Purpose::Analysis);
    let (mut kills, mut progress) = (0, Vec::new());
    for attempt in 1..=200 {
        let mut child = again().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let ended = wait(&mut child, took.mul_f64(rng.unit() * f64::from(attempt) / 6.0));
        progress.push(rows());
        if ended {
            break;
        }
        kills += 1;
    }
    assert!(kills > 0, "it was never killed");
    let is_half_way = progress.windows(2).any(|pair| pair[0] != pair[1]);
    assert!(is_half_way, "no kill ever found it half way: {progress:?}");
}

/// Returns the number of rows below the header of a CSV table; 0 if the file does not exist.
pub(crate) fn rows(table: &Path) -> usize {
    std::fs::read_to_string(table).unwrap_or_default().lines().count().saturating_sub(1)
}

/// Prints how many intervals covered the truth: a line of the table of `docs/validation.md` that a recipe collects.
pub(crate) fn measured(row: &str, what: &str, [held, n]: [u64; 2], test: &str) {
    println!("measured | {row} | {what} | {held} | {n} | {test}");
}
