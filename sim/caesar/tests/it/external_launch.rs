//! Tests of how programs start: working directory, variables, and what is refused.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::shared::{Ran, command, ran};

/// A program for the shell that plays the first option, notes its directory and two variables, and needs a file beside
/// it.
const BOT: &str = "test -f here || exit 7\necho \"$PWD:$DEPTH:$MODE\" >> mark\nwhile read -r line; do\n  \
                   n=${line#*\\\"request\\\":}; n=${n%%[!0-9]*}\n  case $line in '{\"type\":\"start\"'*) ;; *) \
                   echo \"{\\\"request\\\":$n,\\\"index\\\":0}\";; esac\ndone\n";

/// Returns a directory with the program in `my bots`.
fn with_bot() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let bots = dir.path().join("my bots");
    fs::create_dir(&bots).unwrap();
    fs::write(bots.join("here"), "").unwrap();
    fs::write(bots.join("bot.sh"), format!("#!/bin/sh\n{BOT}")).unwrap();
    fs::set_permissions(bots.join("bot.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    dir
}

fn caesar(dir: &Path, args: &[&str]) -> Ran {
    ran(command("").current_dir(dir).args(args))
}

/// Plays a block against `agent` with `more` options; returns exit code, stdout and stderr.
fn played(dir: &Path, agent: &str, more: &[&str]) -> Ran {
    let run = ["tournament", "--game", "kuhn-poker", "--blocks", "1", "--threads", "1", "--quiet"];
    caesar(dir, &[&run[..], &["--agent", agent, "--agent", "random"], more].concat())
}

#[test]
fn a_program_runs_in_its_directory_with_its_variables() {
    let dir = with_bot();
    let bots = dir.path().join("my bots");
    for bot in ["sh bot.sh", "./bot.sh"] {
        let agent =
            format!("external(command=\"{bot}\", cwd=\"my bots\", env=\"DEPTH=3 'MODE=a b'\")");
        let (code, stdout, stderr) = played(dir.path(), &agent, &["--json"]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{bot}");
        assert!(!stdout.contains("forfeit"), "{bot}: {stdout}");
        // Another directory or variable is another agent.
        let identity = "cwd=\\\"my bots\\\", env=\\\"DEPTH=3 'MODE=a b'\\\"";
        assert!(stdout.contains(identity), "{stdout}");
        let noted = fs::read_to_string(bots.join("mark")).unwrap();
        let first = noted.lines().next().unwrap();
        let place = bots.canonicalize().unwrap();
        assert_eq!(first, format!("{}:3:a b", place.display()), "{bot}");
        fs::remove_file(bots.join("mark")).unwrap();
    }
}

#[test]
fn what_was_typed_goes_on_until_a_file_in_its_directory_changes() {
    let dir = with_bot();
    let typed = "external(command=\"sh bot.sh\", cwd=\"my bots\", env=\"DEPTH=3\")";
    let (code, _, stderr) = played(dir.path(), typed, &["--out", "run"]);
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = played(dir.path(), typed, &["--out", "run", "--resume"]);
    assert_eq!(code, 0, "{stderr}");
    // Only a file names the program here.
    let (code, _, stderr) = caesar(dir.path(), &["replay", "run", "--game", "1"]);
    let asked = "env -C 'my bots' DEPTH=3 sh bot.sh";
    assert!(code == 2 && stderr.contains(asked), "{stderr}");
    fs::write(dir.path().join("my bots/bot.sh"), format!("{BOT}# changed\n")).unwrap();
    let (code, _, stderr) = played(dir.path(), typed, &["--out", "run", "--resume"]);
    assert!(code == 2 && stderr.contains("bot.sh"), "{code}: {stderr}");
}

#[test]
fn wrong_directories_and_variables_are_refused_before_the_first_game() {
    let dir = with_bot();
    for (agent, complaint) in [
        (
            "external(command=\"sh bot.sh\", cwd=bots)",
            "cwd = \"bots\": there is no such directory (accepted: one as seen from where caesar runs)",
        ),
        (
            "external(command=\"./bot.sh\", cwd=\".\")",
            "there is no program \"./bot.sh\" (accepted: the path of an executable file, or a name on PATH)",
        ),
        (
            "external(command=sh, env=DEPTH)",
            "env = \"DEPTH\": DEPTH is no variable (accepted: names and values, as in DEPTH=3 'MODE=a b')",
        ),
        ("external(command=sh, env=\"A=1 A=2\")", "env = \"A=1 A=2\": A is there twice: keep one"),
        ("external(command=sh, env=\"\")", "env"),
    ] {
        let (code, stdout, stderr) = played(dir.path(), agent, &[]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{agent}: {stderr}");
        assert!(stderr.contains(complaint) && stderr.lines().count() == 1, "{agent}: {stderr}");
    }
}
