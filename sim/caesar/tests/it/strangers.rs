//! Directories and configurations from others: they start no program and read no outside file without the user's
//! consent.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::shared::{caesar, command_at, done_at, ran};

/// Writes a program that leaves a mark where it is started, and plays the first action.
fn bot(dir: &Path) -> String {
    let mark = dir.join("started").display().to_string();
    let script = dir.join("bot.sh");
    let answers = [("choose", ",\"index\":0"), ("end", "")].map(|(kind, more)| {
        format!("    *'\"type\":\"{kind}\"'*) printf '{{\"request\":%s{}}}\\n' \"$n\";;\n", more)
    });
    let text = format!(
        "touch {mark}\nwhile read -r line; do\n  n=$(printf '%s' \"$line\" | sed 's/.*\"request\":\\([0-9]*\\).*/\\1/')\n  \
         case \"$line\" in\n{}  esac\ndone\n",
        answers.concat()
    );
    fs::write(&script, text).unwrap();
    format!("external(command=\"sh {}\")", script.display())
}

#[test]
fn a_directory_of_somebody_else_starts_no_program_unless_it_is_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let (dir, agent) = (dir.path(), bot(dir.path()));
    let mut run = command_at(
        "tournament --game goofspiel --blocks 2 --quiet --agent random --out {}/run",
        dir,
    );
    assert_eq!(ran(run.args(["--agent", &agent])).0, 0);
    let mark = dir.join("started");
    assert!(mark.exists(), "what is typed is started");
    fs::remove_file(&mark).unwrap();
    let replay = "replay {}/run --game 1";
    let (code, stdout, stderr) = ran(&mut command_at(replay, dir));
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    assert!(stderr.contains("bot.sh") && stderr.contains("--run-programs"), "{stderr}");
    assert!(stderr.lines().count() <= 2, "{stderr}");
    for args in ["report {}/run --out {}/page.html", "check {}/run", "merge {}/run --out {}/all"] {
        ran(&mut command_at(args, dir));
    }
    assert!(!mark.exists(), "nothing has started it");
    done_at(&format!("{replay} --run-programs"), dir);
    assert!(mark.exists());
}

#[test]
fn a_configuration_starts_no_program_unless_it_is_allowed_or_typed() {
    let dir = tempfile::tempdir().unwrap();
    let (dir, agent) = (dir.path(), bot(dir.path()));
    let config =
        format!("game = \"goofspiel\"\nplayers = 2\nblocks = 1\nagents = ['{agent}', 'random']\n");
    fs::write(dir.join("c.toml"), config).unwrap();
    let run = "tournament --config {}/c.toml --quiet";
    let (code, _, stderr) = ran(&mut command_at(run, dir));
    assert_eq!(code, 2, "{stderr}");
    assert!(
        stderr.contains("c.toml") && stderr.contains("bot.sh") && stderr.contains("--run-programs"),
        "{stderr}"
    );
    assert!(!dir.join("started").exists());
    done_at(&format!("{run} --run-programs"), dir);
    assert!(dir.join("started").exists());
    // A typed program needs no consent.
    let typed = ran(command_at(run, dir).args(["--agent", &agent, "--agent", "random"]));
    assert_eq!(typed.0, 0, "{}", typed.2);
}

#[test]
fn records_outside_of_a_directory_are_read_only_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run =
        "tournament --game pig --players 2 --blocks 2 --quiet --out {}/run --records {}/mine.jsonl";
    done_at(run, dir);
    let (code, stdout, stderr) = ran(&mut command_at("check {}/run", dir));
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    assert!(stderr.contains("mine.jsonl") && stderr.contains("--records"), "{stderr}");
    assert!(done_at("check {}/run --records {}/mine.jsonl", dir).contains("0 with faults"));
    // Only the file in the manifest may be named.
    fs::write(dir.join("other.jsonl"), "").unwrap();
    assert_eq!(ran(&mut command_at("check {}/run --records {}/other.jsonl", dir)).0, 2);
    // A file inside needs no consent.
    done_at(&run.replace("{}/run", "{}/in").replace("{}/mine", "{}/in/mine"), dir);
    assert!(done_at("check {}/in", dir).contains("0 with faults"));
    assert_eq!(caesar("check --records x").0, 2);
}

#[test]
fn a_program_that_was_changed_is_another_player() {
    let dir = tempfile::tempdir().unwrap();
    let (dir, agent) = (dir.path(), bot(dir.path()));
    let run = "tournament --game goofspiel --blocks 4 --quiet --agent random --out {}/run --resume";
    let played =
        |more: &str| ran(command_at(&format!("{run} {more}"), dir).args(["--agent", &agent]));
    assert_eq!(played("").0, 0);
    let manifest = || fs::read_to_string(dir.join("run/manifest.json")).unwrap();
    let first = manifest();
    assert!(first.contains("\"programs\":{") && first.contains("bot.sh\":\""), "{first}");
    assert_eq!(played("").0, 0, "the same file goes on");
    let script = dir.join("bot.sh");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, text.clone() + "# another\n").unwrap();
    let (code, _, stderr) = played("");
    assert_eq!(code, 2, "{stderr}");
    assert!(
        stderr.contains("bot.sh has changed") && stderr.contains("--accept-changed"),
        "{stderr}"
    );
    assert_eq!(manifest(), first, "nothing is written by a refusal");
    let (code, _, stderr) = played("--accept-changed");
    assert_eq!(code, 0, "{stderr}");
    assert!(manifest().contains("\"accepted_changes\":[\"the program file"), "{}", manifest());
    // Shards with different programs are not one run.
    let shard = |n: u64| {
        let shard = format!(
            "tournament --game goofspiel --blocks 4 --quiet --agent random --shard {n}/2 --out {{}}/s{n}"
        );
        assert_eq!(ran(command_at(&shard, dir).args(["--agent", &agent])).0, 0);
    };
    shard(1);
    fs::write(&script, text).unwrap();
    shard(2);
    let merge = "merge {}/s1 {}/s2 --out {}/all --quiet";
    let (code, _, stderr) = ran(&mut command_at(merge, dir));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("bot.sh has changed"), "{stderr}");
    done_at(&format!("{merge} --accept-changed"), dir);
    assert!(
        fs::read_to_string(dir.join("all/manifest.json")).unwrap().contains("accepted_changes")
    );
}
