//! Shared by the tests of the command: runs of `caesar`, what it prints and refuses, kills and Ctrl-C.
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

/// The command, as it was built for these tests.
pub(crate) const CAESAR: &str = env!("CARGO_BIN_EXE_caesar");

/// `caesar` with `args` separated by blanks.
pub(crate) fn command(args: &str) -> Command {
    let mut command = Command::new(CAESAR);
    command.args(args.split_whitespace());
    command
}

pub(crate) fn ran(command: &mut Command) -> Ran {
    said(&command.stdin(Stdio::null()).output().unwrap())
}

fn said(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// The same with something to read, of which a command that refuses it need not read all.
pub(crate) fn ran_with(command: &mut Command, stdin: &str) -> Ran {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || pipe.write_all(stdin.as_bytes()).ok());
        child.wait_with_output().unwrap()
    });
    said(&output)
}

/// What a command says that has to end with `code`.
pub(crate) fn ended(code: i32, command: &mut Command) -> Output {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{command:?}: {:?}", said(&output));
    output
}

/// `caesar` with `args` separated by blanks; `{}` stands for `dir`.
pub(crate) fn command_at(args: &str, dir: &Path) -> Command {
    let mut command = command("");
    let dir = dir.display().to_string();
    command.args(args.split_whitespace().map(|arg| arg.replace("{}", &dir)));
    command
}

/// What `caesar` says to `args` separated by blanks.
pub(crate) fn caesar(args: &str) -> Ran {
    ran(&mut command(args))
}

/// What it prints if all goes well; `{}` stands for `dir`.
pub(crate) fn done_at(args: &str, dir: &Path) -> String {
    let (code, stdout, stderr) = ran(&mut command_at(args, dir));
    assert_eq!(code, 0, "{args}: {stderr}");
    stdout
}

/// The JSON document that `args` ask for, without a complaint.
pub(crate) fn json(args: &str) -> Json {
    let (code, stdout, stderr) = caesar(&format!("{args} --json --quiet"));
    assert_eq!((code, stderr.as_str()), (0, ""), "{args}");
    serde_json::from_str(&stdout).unwrap()
}

/// That `args` are refused in one or two lines.
pub(crate) fn refused(args: &str, complaint: &Expect) {
    let (code, stdout, stderr) = caesar(args);
    complaint.assert_eq(stderr.trim_end());
    assert_eq!((code, stdout.as_str()), (2, ""), "{args}");
    assert!(stderr.lines().count() <= 2, "{args}: {stderr}");
}

/// That `args` print `text`, apart from the line that has times in it.
pub(crate) fn prints(args: &str, text: &ExpectFile) {
    let (code, stdout, stderr) = caesar(args);
    assert_eq!((code, stderr.as_str()), (0, ""), "{args}");
    let is_timed = |line: &&str| line.starts_with("speed ") || line.contains(" games/s on ");
    let lines = stdout.lines().filter(|line| !is_timed(line));
    text.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

/// What a command says that is interrupted as by Ctrl-C after it has played for a while.
#[cfg(unix)]
pub(crate) fn interrupted(command: &mut Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    child.wait_with_output().unwrap()
}

/// Waits for `patience`; whether the child ended well by itself. If not it is killed.
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

/// Kills a run by signal 9 again and again at random moments drawn from `address`, until it ends; each try gets a part of
/// `took`, the time of a whole run, longer from try to try. `rows` counts what is told; some kill must come half way.
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

/// Rows below the header of a table of comma-separated values; none if it is not there.
pub(crate) fn rows(table: &Path) -> usize {
    std::fs::read_to_string(table).unwrap_or_default().lines().count().saturating_sub(1)
}

/// Tells how many intervals held what they should: a line of the table of `docs/validation.md` that a recipe collects.
pub(crate) fn measured(row: &str, what: &str, [held, n]: [u64; 2], test: &str) {
    println!("measured | {row} | {what} | {held} | {n} | {test}");
}
