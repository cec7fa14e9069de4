//! The evidence that a report accepts from a directory: rows and records by their checksums, tests by their rows,
//! nothing else.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::shared::{Ran, command_at, done_at, ran};

fn report(dir: &Path, more: &str) -> (Ran, String) {
    let page = dir.join("p.html");
    fs::remove_file(&page).ok();
    let ran = ran(&mut command_at(&format!("report {{}}/run --out {{}}/p.html {more}"), dir));
    (ran, fs::read_to_string(page).unwrap_or_default())
}

fn edit(place: &Path, what: &str, with: &str) {
    let text = fs::read_to_string(place).unwrap();
    assert!(text.contains(what), "{}: {what}", place.display());
    fs::write(place, text.replacen(what, with, 1)).unwrap();
}

/// Changes a digit of the second field from the right, in the third row from the end.
fn damage(place: &Path) {
    let text = fs::read_to_string(place).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let row = lines.len() - 3;
    let line = lines[row].clone();
    let digit = line.rfind(|c: char| c.is_ascii_digit()).unwrap();
    let other = if &line[digit..=digit] == "1" { "2" } else { "1" };
    lines[row].replace_range(digit..=digit, other);
    fs::write(place, lines.join("\n") + "\n").unwrap();
}

fn tournament(dir: &Path, name: &str, seed: u32) {
    let args = format!(
        "tournament --game goofspiel --agent random --agent greedy --blocks 4 --seed {seed} --out {{}}/{name} --records \
         {{}}/{name}/r.jsonl --quiet"
    );
    done_at(&args, dir);
}

#[test]
fn records_that_do_not_have_the_checksums_of_their_rows_are_not_shown_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    tournament(dir, "run", 1);
    tournament(dir, "other", 9);
    let records = dir.join("run/r.jsonl");
    let good = fs::read_to_string(&records).unwrap();
    let ((code, _, stderr), page) = report(dir, "");
    assert_eq!((code, page.matches("class=\"replay-data\"").count()), (0, 3), "{stderr}");
    assert!(!stderr.contains("checksum"), "{stderr}");
    // Records of another run; none; one changed; one missing; one cut in the middle.
    fs::copy(dir.join("other/r.jsonl"), &records).unwrap();
    let ((code, _, stderr), page) = report(dir, "");
    assert_eq!((code, page.matches("class=\"replay-data\"").count()), (0, 0));
    for text in [&stderr, &page] {
        assert!(
            text.contains("8 games with a record that disagrees with the checksum in games.csv"),
            "{text}"
        );
    }
    fs::write(&records, "").unwrap();
    let ((code, _, stderr), page) = report(dir, "");
    assert!(code == 0 && stderr.contains("8 games without a whole record"), "{stderr}");
    assert!(
        page.contains("8 games without a whole record") && !page.contains("class=\"replay-data\"")
    );
    let lines: Vec<&str> = good.lines().collect();
    fs::write(&records, lines[..lines.len() / 2].join("\n") + "\n").unwrap();
    let ((code, _, stderr), _) = report(dir, "");
    assert!(code == 0 && stderr.contains("without a whole record"), "{stderr}");
    fs::remove_file(&records).unwrap();
    let ((code, _, stderr), page) = report(dir, "");
    assert!(code == 0 && stderr.contains("the records are missing"), "{stderr}");
    assert!(page.contains("the records are missing"));
    let ((_, _, stderr), page) = report(dir, "--quiet");
    assert!(stderr.is_empty() && page.contains("the records are missing"));
}

#[test]
fn records_that_a_manifest_names_elsewhere_are_read_only_if_a_person_names_them() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    tournament(dir, "run", 1);
    let manifest = dir.join("run/manifest.json");
    fs::rename(dir.join("run/r.jsonl"), dir.join("elsewhere.jsonl")).unwrap();
    edit(&manifest, "\"r.jsonl\"", "\"../elsewhere.jsonl\"");
    let ((code, _, stderr), page) = report(dir, "");
    assert!(code == 0 && stderr.contains("read only if you name it also: --records "), "{stderr}");
    assert!(page.contains("read only if you name it") && !page.contains("class=\"replay-data\""));
    let ((code, _, stderr), page) = report(dir, "--records {}/elsewhere.jsonl");
    assert_eq!((code, page.matches("class=\"replay-data\"").count()), (0, 3), "{stderr}");
    edit(&manifest, "\"../elsewhere.jsonl\"", "\"/etc/passwd\"");
    let ((code, _, stderr), page) = report(dir, "--records {}/elsewhere.jsonl");
    assert!(code == 0 && stderr.contains("/etc/passwd") && !page.contains("root:"), "{stderr}");
    #[cfg(unix)]
    {
        edit(&manifest, "\"/etc/passwd\"", "\"r.jsonl\"");
        std::os::unix::fs::symlink(dir.join("elsewhere.jsonl"), dir.join("run/r.jsonl")).unwrap();
        let ((_, _, stderr), page) = report(dir, "");
        assert!(
            stderr.contains("outside of it") && !page.contains("class=\"replay-data\""),
            "{stderr}"
        );
    }
}

#[test]
fn a_comparison_is_what_its_trace_gives_whatever_its_summary_says() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done_at("compare --game goofspiel --agent greedy --agent random --out {}/run --quiet", dir);
    let ((code, _, stderr), good) = report(dir, "");
    assert!(code == 0 && !stderr.contains("It is ignored"), "{stderr}");
    let summary = dir.join("run/summary.json");
    let text = fs::read_to_string(&summary).unwrap();
    edit(&summary, "\"effect\":", "\"effect\":0.98765,\"was\":");
    let ((code, _, stderr), page) = report(dir, "");
    assert!(code == 0 && stderr.contains("It is ignored"), "{stderr}");
    assert!(page.contains("It is ignored") && !page.contains("0.9877"));
    fs::write(&summary, text).unwrap();
    damage(&dir.join("run/trace.csv"));
    let ((code, _, stderr), page) = report(dir, "");
    assert!(code == 2 && stderr.contains("checksum does not fit") && page.is_empty(), "{stderr}");
    assert!(!good.is_empty());
}

#[test]
fn rows_and_tables_of_studies_searches_and_ladders_are_refused_if_they_were_changed() {
    let tune = "tune --game pig --players 2 --agent greedy(epsilon=?0..0.5) --against random --games 2000 \
                --out {}/run --quiet";
    let commands = [
        (
            "ladder --game pig --agent greedy(epsilon=?) --values 0.1,0.5 --max-blocks 60 --out {}/run --quiet",
            None,
        ),
        (
            "balance seats --game hannibal --agent random --quick --out {}/run --quiet",
            Some("cells.csv"),
        ),
        (tune, Some("log.csv")),
    ];
    for (command, rows) in commands {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let (code, _, stderr) = ran(&mut command_at(command, dir));
        assert_eq!(code, 0, "{command}: {stderr}");
        let run = dir.join("run");
        let ((code, _, stderr), _) = report(dir, "");
        assert!(code == 0 && !stderr.contains("checksums"), "{command}: {stderr}");
        if let Some(rows) = rows.map(|name| run.join(name)) {
            let text = fs::read_to_string(&rows).unwrap();
            damage(&rows);
            let ((code, _, stderr), page) = report(dir, "");
            assert!(code == 2 && stderr.contains("checksum does not fit"), "{command}: {stderr}");
            assert!(page.is_empty());
            let kept = text.lines().enumerate().filter(|(i, _)| *i != 2).map(|(_, line)| line);
            fs::write(&rows, kept.collect::<Vec<_>>().join("\n") + "\n").unwrap();
            let ((code, _, stderr), _) = report(dir, "");
            assert!(code == 2 && stderr.contains("it has the number"), "{command}: {stderr}");
            fs::write(&rows, text).unwrap();
        }
        let sums = run.join("checksums.json");
        let text = fs::read_to_string(&sums).unwrap();
        let names: Vec<&str> = text.split('"').filter(|name| name.ends_with(".csv")).collect();
        assert!(!names.is_empty(), "{command}");
        for name in names {
            let place = run.join(name);
            let good = fs::read_to_string(&place).unwrap();
            fs::write(&place, good.clone() + "forged,1\n").unwrap();
            let ((code, _, stderr), _) = report(dir, "");
            assert!(
                code == 2 && stderr.contains("has changed since the run wrote it"),
                "{name}: {stderr}"
            );
            fs::write(&place, good).unwrap();
        }
        fs::remove_file(&sums).unwrap();
        let ((code, _, stderr), page) = report(dir, "");
        assert!(code == 0 && stderr.contains("without checksums"), "{command}: {stderr}");
        assert!(page.contains("without checksums"));
    }
}
