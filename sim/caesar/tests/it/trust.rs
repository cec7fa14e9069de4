//! Programs named in files: they start only with consent, and none outlives a run that is ended at once.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::shared::{Ran, command, ran};

/// Returns a directory with a program that leaves a mark when it starts, and then runs `script`.
fn with_program(script: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("it's mine.sh");
    let mark = dir.path().join("mark");
    fs::write(&program, format!("echo $$ > '{}'\n{script}\n", mark.display())).unwrap();
    let quoted = program.display().to_string().replace('\'', "''");
    (dir, format!("external(command=\"sh '{quoted}'\", seconds=600)"))
}

fn started(dir: &Path) -> bool {
    let mark = dir.join("mark");
    let was_there = mark.exists();
    fs::remove_file(mark).unwrap_or_default();
    was_there
}

fn caesar(args: &[&str], dir: &Path) -> Ran {
    ran(command("").current_dir(dir).args(args))
}

const GAME: [&str; 7] =
    ["tournament", "--quiet", "--game", "goofspiel", "--blocks", "1", "--threads=1"];

#[test]
fn a_directory_or_configuration_of_somebody_else_starts_no_program_unasked() {
    let (dir, spec) = with_program("exit 3");
    let dir = dir.path();
    let typed =
        caesar(&[&GAME[..], &["--agent=random", "--agent", &spec, "--out=run"]].concat(), dir);
    assert_eq!(typed.0, 1, "its games are forfeited: {}", typed.2);
    assert!(started(dir), "typing it is consent");
    let config = format!("game = \"goofspiel\"\nagents = [\"random\", '''{spec}''']\nblocks = 1\n");
    fs::write(dir.join("c.toml"), config).unwrap();
    let all = [
        vec!["replay", "run", "--game", "1"],
        vec!["tournament", "--config", "c.toml"],
        vec!["tournament", "--config", "c.toml", "--out", "new"],
        vec!["tournament", "--config", "c.toml", "--out", "run", "--resume"],
    ];
    for args in all {
        let (code, _, stderr) = caesar(&args, dir);
        assert_eq!(code, 2, "{args:?}: {stderr}");
        assert!(stderr.contains("mine.sh") && stderr.contains("--run-programs"), "{stderr}");
        assert!(!started(dir) && !dir.join("new").exists(), "{args:?}");
    }
    for args in [vec!["check", "run"], vec!["report", "run", "--out", "page.html"]] {
        let (code, _, stderr) = caesar(&args, dir);
        assert!(code == 0 && !started(dir), "{args:?}: {stderr}");
    }
    for args in [vec!["replay", "run", "--game", "1"], vec!["tournament", "--config", "c.toml"]] {
        let (code, _, stderr) = caesar(&[args.clone(), vec!["--run-programs"]].concat(), dir);
        assert!(code != 2 && started(dir), "{args:?}: {stderr}");
    }
}

#[test]
fn results_are_read_although_the_programs_that_played_are_gone() {
    let dir = tempfile::tempdir().unwrap();
    let (dir, bot) = (dir.path(), dir.path().join("bot.sh"));
    fs::write(&bot, "#!/bin/sh\nexit 3\n").unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    let agents = ["--agent=random", "--agent=external(command=\"./bot.sh\")"];
    let (code, ..) = caesar(&[&GAME[..], &agents, &["--out=run"]].concat(), dir);
    assert_eq!(code, 1, "its games are forfeited");
    let compare = ["compare", "--quiet", "--game=goofspiel", "--fixed=5", "--out=test"];
    assert_eq!(caesar(&[&compare[..], &agents].concat(), dir).0, 1);
    fs::remove_file(&bot).unwrap();
    for (name, page) in [("run", "run.html"), ("test", "test.html")] {
        let (code, _, stderr) = caesar(&["report", name, "--out", page], dir);
        assert!(code == 0 && stderr.contains("1 run"), "{name}: {stderr}");
        assert!(fs::read_to_string(dir.join(page)).unwrap().contains("./bot.sh"));
        assert_eq!(caesar(&["check", name], dir).0, 0, "{name}");
    }
    let (code, _, stderr) = caesar(&["replay", "run", "--game=1", "--run-programs"], dir);
    assert!(code == 2 && stderr.contains("there is no program \"./bot.sh\""), "{stderr}");
}

#[test]
fn records_outside_of_a_directory_are_read_only_when_they_are_named_by_hand() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let played = caesar(
        &[&GAME[..], &["--agent=random", "--agent=random", "--out=run", "--records=run/r.jsonl"]]
            .concat(),
        dir,
    );
    assert_eq!(played.0, 0, "{}", played.2);
    let place = dir.join("run/manifest.json");
    let manifest = fs::read_to_string(&place).unwrap();
    fs::create_dir(dir.join("run/a")).unwrap();
    fs::write(dir.join("r.jsonl"), "").unwrap();
    for outside in ["../r.jsonl", "/etc/passwd", "a/../../r.jsonl"] {
        let other = manifest.replace("\"r.jsonl\"", &format!("\"{outside}\""));
        assert_ne!(other, manifest);
        fs::write(&place, other).unwrap();
        let (code, _, stderr) = caesar(&["check", "run"], dir);
        assert!(code == 2 && stderr.contains("only if you name it"), "{code}: {stderr}");
        assert!(stderr.contains(outside), "{stderr}");
    }
}

/// Returns a text as a transfer, an editor or a packer may change it.
fn disguised(text: &str) -> [(&'static str, Vec<u8>, &'static str); 5] {
    let utf_16 = text.encode_utf16().flat_map(u16::to_le_bytes);
    [
        ("CR LF", text.replace('\n', "\r\n").into_bytes(), "convert them to LF"),
        ("BOM", [b"\xef\xbb\xbf", text.as_bytes()].concat(), "byte order mark"),
        ("UTF-16", b"\xff\xfe".iter().copied().chain(utf_16).collect(), "UTF-16"),
        ("gzip", b"\x1f\x8b\x08\0".to_vec(), "gzip"),
        ("zstd", b"\x28\xb5\x2f\xfd\0".to_vec(), "zstd"),
    ]
}

#[test]
fn a_file_that_was_converted_is_recognised_and_never_to_be_cut() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run =
        [&GAME[..], &["--agent=random", "--agent=random", "--out=run", "--records=run/r.jsonl"]]
            .concat();
    assert_eq!(caesar(&run, dir).0, 0);
    for (file, reader) in [
        ("run/r.jsonl", ["check", "run"]),
        ("run/games.csv", ["check", "run"]),
        ("run/manifest.json", ["check", "run"]),
        ("run/r.jsonl", ["check", "run/r.jsonl"]),
    ] {
        let place = dir.join(file);
        let text = fs::read_to_string(&place).unwrap();
        for (name, bytes, advice) in disguised(&text) {
            fs::write(&place, bytes).unwrap();
            let (code, stdout, stderr) = caesar(&reader, dir);
            let outcome = format!("{reader:?}, {file} as {name}: {code}: {stdout}{stderr}");
            assert!(!outcome.contains("delete"), "{outcome}");
            // A file without a checksum over its bytes is still read.
            let is_read = matches!(name, "CR LF" | "BOM") && code == 0;
            assert!(is_read || (outcome.contains(advice) && code != 0), "{outcome}");
        }
        fs::write(&place, text).unwrap();
    }
    for (name, bytes, advice) in disguised("options.rounds = 5\n") {
        fs::write(dir.join("rules.toml"), bytes).unwrap();
        let (code, _, stderr) = caesar(&["rules", "conquest2", "--rules", "rules.toml"], dir);
        let is_read = matches!(name, "CR LF" | "BOM") && code == 0;
        assert!(is_read || (stderr.contains(advice) && code == 2), "{name}: {code}: {stderr}");
    }
}

#[test]
fn a_seed_that_floats_cannot_hold_is_a_text_in_documents_and_the_run_goes_on_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = [
        &GAME[..],
        &["--agent=random", "--agent=random", "--seed=18446744073709551615", "--out=run"],
    ]
    .concat();
    let (code, json, stderr) = caesar(&[&run[..], &["--json"]].concat(), dir);
    assert_eq!(code, 0, "{stderr}");
    let text = "\"seed\":\"18446744073709551615\"";
    let place = dir.join("run/manifest.json");
    let manifest = fs::read_to_string(&place).unwrap();
    assert!(json.contains(text) && manifest.contains(text), "{json}{manifest}");
    let older = manifest.replace(text, "\"seed\":18446744073709551615");
    for manifest in [manifest, older] {
        fs::write(&place, manifest).unwrap();
        let (code, _, stderr) = caesar(&["replay", "run", "--game", "1"], dir);
        assert_eq!(code, 0, "{stderr}");
        let (code, _, stderr) = caesar(&[&run[..], &["--resume"]].concat(), dir);
        assert_eq!(code, 0, "{stderr}");
    }
}

#[test]
fn a_signal_ends_the_programs_too_and_says_what_a_second_does() {
    for signals in [1, 2] {
        let (dir, spec) = with_program("exec sleep 600");
        let mut caesar = command("");
        caesar.args(["tournament", "--game", "goofspiel", "--blocks", "1", "--threads=1"]);
        caesar.args(["--agent", "random", "--agent", &spec]);
        let mut child = caesar.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mark = dir.path().join("mark");
        let pause = || std::thread::sleep(Duration::from_millis(20));
        while fs::read_to_string(&mark).map_or(true, |text| !text.ends_with('\n')) {
            assert!(child.try_wait().unwrap().is_none());
            pause();
        }
        let kill = |signal: &str, id: &str| {
            let mut kill = Command::new("kill");
            kill.args([signal, id]).stderr(Stdio::null()).status().unwrap().success()
        };
        // The handler is installed before the first game, and the game waits for the program.
        for _ in 0..signals {
            kill("-TERM", &child.id().to_string());
        }
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        // The first may end the run before the second comes.
        let code = output.status.code();
        assert!(code == Some(3) || signals == 2 && code == Some(130), "{code:?}: {stderr}");
        assert!(stderr.contains("a second signal stops at once"), "{stderr}");
        let program = fs::read_to_string(&mark).unwrap();
        while kill("-0", program.trim()) {
            // Another process reaps it; it must not be alive.
            let stat = fs::read_to_string(format!("/proc/{}/stat", program.trim()));
            if stat.is_ok_and(|stat| stat.contains(") Z ")) {
                break;
            }
            pause();
        }
    }
}
