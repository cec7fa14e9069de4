//! Full disks: a run continues from the written files to the same bytes.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{assert_same, caesar, done, rows};
use crate::shared::CAESAR;

/// A device that is always full replaces a full disk.
#[test]
fn a_full_disk_ends_the_run_with_exit_1_and_the_rest_intact() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 4000 --quiet --out {}/run";
    std::os::unix::fs::symlink("/dev/full", dir.join("full.jsonl")).unwrap();
    let (code, _, stderr) = caesar(&format!("{run} --records {{}}/full.jsonl"), dir);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("full.jsonl: No space left on device"), "{stderr}");
    assert!(stderr.contains("are intact: the same command with --resume continues"), "{stderr}");
    let manifest = fs::read_to_string(dir.join("run/manifest.json")).unwrap();
    assert!(manifest.contains("\"blocks\":4000"), "{manifest}");
    // Without the records, the run continues from the other files.
    done(&format!("{run} --resume"), dir);
    assert_eq!(rows(&dir.join("run")), 8000);
}

/// Runs `caesar` in a shell that limits files to `blocks` of 512 bytes; a larger file ends the run by an error, or at
/// once by a signal.
fn confined(args: &str, dir: &Path, blocks: u32, by_signal: bool) -> Option<i32> {
    let trap = if by_signal { "" } else { "trap '' XFSZ; " };
    let script = format!("ulimit -c 0; {trap}ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(CAESAR);
    let dir = dir.display().to_string();
    command.args(args.split_whitespace().map(|arg| arg.replace("{}", &dir)));
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.lines().count() <= 3, "{stderr}");
    output.status.code()
}

/// With any limit the run continues from the written part, and ends with the same bytes.
#[test]
fn a_run_that_ran_out_of_room_goes_on_with_the_same_bytes() {
    let run = "tournament --game kuhn-poker --blocks 24 --seed 3 --quiet --threads 1 --export parquet --out {}/run";
    for records in ["", " --records {}/run/r.jsonl", " --records {}/r.jsonl"] {
        let whole = tempfile::tempdir().unwrap();
        let run = format!("{run}{records}");
        done(&run, whole.path());
        let (mut failed, mut through) = (0, 0);
        for blocks in 1..40 {
            let dir = tempfile::tempdir().unwrap();
            match confined(&run, dir.path(), blocks, blocks % 2 == 0) {
                Some(0) => through += 1,
                Some(1) | None => failed += 1,
                code => panic!("{blocks} blocks: exit code {code:?}"),
            }
            // A second try without more space makes nothing worse.
            confined(&format!("{run} --resume"), dir.path(), blocks, false);
            done(&format!("{run} --resume"), dir.path());
            assert_same(&whole.path().join("run"), &dir.path().join("run"));
            let read = |dir: &Path| fs::read(dir.join("r.jsonl")).ok();
            assert_eq!(read(whole.path()), read(dir.path()));
            if through > 1 {
                break;
            }
        }
        assert!(failed > 2, "{records}: {failed} of them ran out of room");
    }
}
