//! Existing results: every command refuses to overwrite them, or replaces them with `--force`.

use std::fs;
use std::path::Path;

use super::{bytes, caesar, done, refused};

const PIG: &str = "tournament --game pig --players 2 --quiet";

/// Every command that writes a directory, with small arguments.
const RUNS: [(&str, &str); 11] = [
    ("tournament", "--game pig --players 2 --blocks 2 --seed SEED --quiet --out {}/run"),
    (
        "tournament",
        "--adaptive --game pig --players 2 --agent greedy --agent random --agent greedy(epsilon=0.5) --blocks 20 \
         --seed SEED --quiet --out {}/run",
    ),
    ("compare", "--game pig --agent random --agent greedy --seed SEED --quiet --out {}/run"),
    (
        "ladder",
        "--game tic-tac-toe --agent mcts(iterations=?) --from 2 --rungs 2 --max-blocks 30 --seed SEED --quiet \
         --out {}/run",
    ),
    (
        "tune",
        "--game pig --players 2 --agent greedy(epsilon=?0..1) --against random --method random --games 700 --confirm 200 --seed SEED \
         --quiet --out {}/run",
    ),
    (
        "balance",
        "seats --game pig --players 2 --effect 0.4 --blocks 20 --seed SEED --quiet --out {}/run",
    ),
    (
        "balance",
        "all --game pig --players 2 --study seats --effect 0.4 --blocks 20 --seed SEED --quiet --out {}/run",
    ),
    (
        "balance",
        "rules --game pig --players 2 --study seats --effect 0.4 --blocks 20 --set target=20 --seed SEED --quiet --out {}/run",
    ),
    (
        "balance",
        "rules --game pig --players 2 --study seats --effect 0.4 --blocks 20 --range target=[20,30] --joint-draws 20 --seed SEED \
         --quiet --out {}/run",
    ),
    ("balance", "win-model --game pig --players 2 --games 100 --seed SEED --quiet --out {}/run"),
    ("merge", "{}/SEED-1 {}/SEED-2 --quiet --out {}/run"),
];

/// Returns all bytes of a directory and of its subdirectories.
fn whole(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let inner = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let (mut dirs, all): (Vec<_>, Vec<_>) = inner.partition(|path| path.is_dir());
    dirs.sort();
    let of_dir = |dir: &std::path::PathBuf| {
        let dir = dir.clone();
        bytes(&dir).into_iter().map(move |(name, text)| (format!("{}/{name}", dir.display()), text))
    };
    let mut files: Vec<_> = all
        .iter()
        .map(|path| (path.display().to_string(), fs::read(path).unwrap()))
        .chain(dirs.iter().flat_map(of_dir))
        .collect();
    files.sort();
    files
}

#[test]
fn results_of_the_same_kind_of_run_are_refused_and_replaced_only_if_that_is_asked_for() {
    for (command, options) in RUNS {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        for seed in [1, 2] {
            for shard in [1, 2] {
                let shard = format!("{seed}-{shard} --shard {shard}/2 --seed {seed} --blocks 4");
                done(&format!("{PIG} --out {{}}/{shard}"), dir);
            }
        }
        let run = |seed: &str| format!("{command} {}", options.replace("SEED", seed));
        done(&run("1"), dir);
        let before = whole(&dir.join("run"));
        for seed in ["1", "2"] {
            let complaint = refused(&run(seed), dir);
            assert!(complaint.contains("/run holds a finished "), "{command}: {complaint}");
            assert!(complaint.contains("--force replaces it"), "{command}: {complaint}");
            let resumes = command != "merge" && command != "ladder";
            assert_eq!(complaint.contains("--resume prints it again"), resumes, "{complaint}");
            assert_eq!(whole(&dir.join("run")), before, "{command}");
        }
        let (code, _, stderr) = caesar(&format!("{} --force", run("2")), dir);
        assert_eq!(code, 0, "{stderr}");
        assert!(
            stderr.contains("--force: ") && stderr.contains("is replaced"),
            "{command}: {stderr}"
        );
        assert_ne!(whole(&dir.join("run")), before, "{command} {options}");
        // The result equals that in a fresh directory.
        let forced = whole(&dir.join("run"));
        fs::remove_dir_all(dir.join("run")).unwrap();
        done(&run("2"), dir);
        let fresh = whole(&dir.join("run"));
        if command == "tune" {
            // A second look at the same pool is recorded in the manifest.
            assert_eq!(forced.len(), fresh.len());
        } else {
            assert!(forced == fresh, "{command} {options}");
        }
    }
}

#[test]
fn results_stand_beside_files_of_others_and_never_in_the_place_of_one() {
    let mine = ["summary.json", "games.csv", "trace.csv", "ladder.json", "steps.csv", "winner.txt"];
    for (command, options) in [0, 2, 3, 4, 5, 6].map(|i| RUNS[i]) {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        fs::create_dir(dir.join("run")).unwrap();
        let run = format!("{command} {}", options.replace("SEED", "1"));
        fs::write(dir.join("run/notes.txt"), "mine").unwrap();
        done(&run, dir);
        assert_eq!(fs::read_to_string(dir.join("run/notes.txt")).unwrap(), "mine");
        let written = names(&dir.join("run"));
        for name in mine.iter().filter(|name| written.iter().any(|own| own == *name)) {
            fs::remove_dir_all(dir.join("run")).unwrap();
            fs::create_dir(dir.join("run")).unwrap();
            fs::write(dir.join("run").join(name), "mine").unwrap();
            let complaint = refused(&run, dir);
            assert!(
                complaint.contains(&format!("{name} exists and belongs to no run")),
                "{complaint}"
            );
            assert_eq!(names(&dir.join("run")), [*name], "{command}");
            assert_eq!(fs::read_to_string(dir.join("run").join(name)).unwrap(), "mine");
            let (code, _, stderr) = caesar(&format!("{run} --force"), dir);
            assert!(code == 0 && stderr.contains(&format!("held {name}")), "{stderr}");
        }
    }
}

fn names(dir: &Path) -> Vec<String> {
    let files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> =
        files.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A directory with one kind of results refuses another kind, even with `--force`.
#[test]
fn the_directory_of_another_kind_of_results_is_refused_also_by_force() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for (i, (command, options)) in
        RUNS.iter().enumerate().filter(|(i, _)| [0, 2, 3, 4, 5].contains(i))
    {
        let options = options.replace("SEED", "1");
        done(&format!("{command} {}", options.replace("/run", &format!("/{i}"))), dir);
        let before = bytes(&dir.join(i.to_string()));
        for (other, options) in
            RUNS.iter().filter(|(other, _)| other != command && *other != "merge")
        {
            let options = options.replace("SEED", "1").replace("/run", &format!("/{i}"));
            let complaint = refused(&format!("{other} {options} --force"), dir);
            assert!(complaint.contains("name another directory"), "{other}: {complaint}");
            assert_eq!(bytes(&dir.join(i.to_string())), before, "{other} into {command}");
        }
    }
}

/// Returns the commands that write one file, without its name, which comes last.
fn files(dir: &Path) -> Vec<&'static str> {
    done(&format!("{PIG} --blocks 2 --out {{}}/results --records {{}}/r.jsonl"), dir);
    vec![
        "tournament --game pig --players 2 --blocks 2 --quiet --records",
        "tournament --game pig --players 2 --blocks 2 --quiet --out {}/own --records",
        "replay {}/results --game 1 --records",
        "leaks --game kuhn-poker --positions 2 --agent greedy --quiet --records",
        "show {}/r.jsonl --html",
        "report {}/results --quiet --out",
        "fit weights --game imperium --games 50 --out",
        "fit weights --game imperium --games 50 --export",
        "tune --game pig --players 2 --agent greedy(epsilon=?0..1) --against random --method random --games 700 --confirm 200 --quiet \
         --out {}/own --export",
    ]
}

#[test]
fn a_file_that_is_there_is_refused_and_replaced_only_if_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for command in files(dir) {
        // The directory does not exist yet.
        let place = dir.join("new/deep/file.csv");
        done(&format!("{command} {{}}/new/deep/file.csv"), dir);
        assert!(place.is_file(), "{command}");
        fs::remove_dir_all(dir.join("own")).unwrap_or_default();
        fs::write(&place, "mine").unwrap();
        let complaint = refused(&format!("{command} {{}}/new/deep/file.csv"), dir);
        assert!(complaint.contains("it exists already (1 kB): --force"), "{command}: {complaint}");
        assert_eq!(fs::read_to_string(&place).unwrap(), "mine");
        assert!(!dir.join("own").exists(), "{command}");
        // An empty file, as made by mktemp, has nothing to lose.
        let (code, _, stderr) = caesar(&format!("{command} {{}}/new/deep/file.csv --force"), dir);
        assert!(code == 0 && stderr.contains("existed (1 kB); it is replaced"), "{stderr}");
        assert_ne!(fs::read_to_string(&place).unwrap_or_default(), "mine", "{command}");
        fs::remove_dir_all(dir.join("new")).unwrap();
        fs::remove_dir_all(dir.join("own")).unwrap_or_default();
    }
}

/// A temporary file is never written through a link, and an existing pipe blocks no command.
#[cfg(unix)]
#[test]
fn a_link_under_the_name_aside_leads_nobody_to_another_file() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let all = files(dir);
    let precious = dir.join("precious.txt");
    for (i, command) in all.into_iter().enumerate() {
        let aside = dir.join("file.csv.caesar-tmp");
        fs::write(&precious, "precious").unwrap();
        match i % 3 {
            0 => std::os::unix::fs::symlink("precious.txt", &aside).unwrap(),
            1 => fs::hard_link(&precious, &aside).unwrap(),
            _ => {
                let made = std::process::Command::new("mkfifo").arg(&aside).status().unwrap();
                assert!(made.success());
            }
        }
        // Records of a run with a directory grow in place and need no temporary file.
        if command.contains("/own --records") {
            fs::remove_file(&aside).unwrap();
        }
        done(&format!("{command} {{}}/file.csv"), dir);
        let place = dir.join("file.csv");
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious", "{command}");
        assert!(fs::symlink_metadata(&place).unwrap().is_file(), "{command}");
        assert!(fs::symlink_metadata(&aside).is_err(), "{command}");
        fs::remove_file(&place).unwrap();
        fs::remove_dir_all(dir.join("own")).unwrap_or_default();
    }
}

/// Other hard links to the old files keep their content.
#[cfg(unix)]
#[test]
fn a_copy_by_hard_links_outlives_what_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = format!("{PIG} --blocks 3 --out {{}}/run --records {{}}/run/r.jsonl");
    done(&run, dir);
    fs::create_dir(dir.join("copy")).unwrap();
    for (name, _) in bytes(&dir.join("run")) {
        fs::hard_link(dir.join("run").join(&name), dir.join("copy").join(&name)).unwrap();
    }
    let before = bytes(&dir.join("copy"));
    done(&format!("{run} --seed 2 --force"), dir);
    assert_eq!(bytes(&dir.join("copy")), before);
    assert_ne!(bytes(&dir.join("run")), before);
}

/// An export never overwrites the log of its own search, by any path, whether it exists or not.
#[cfg(unix)]
#[test]
fn an_export_never_lands_in_the_log_of_its_own_search() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    std::os::unix::fs::symlink("fresh", dir.join("link")).unwrap();
    let run = "tune --game pig --players 2 --agent greedy(epsilon=?0..1) --against random --method random --games 700 \
               --confirm 200 --quiet --force";
    for export in
        ["fresh/log.csv", "link/log.csv", "fresh/none/../log.csv", "fresh/../link/log.csv"]
    {
        let complaint = refused(&format!("{run} --out {{}}/fresh --export {{}}/{export}"), dir);
        assert!(complaint.contains("are one file; name another"), "{export}: {complaint}");
        assert!(!dir.join("fresh").exists());
    }
    done(&format!("{PIG} --blocks 2 --out {{}}/other"), dir);
    let before = bytes(&dir.join("other"));
    let run = run.replace(" --force", "");
    let complaint = refused(&format!("{run} --out {{}}/fresh --export {{}}/other/games.csv"), dir);
    assert!(complaint.contains("it exists already"), "{complaint}");
    assert_eq!(bytes(&dir.join("other")), before);
}

#[test]
fn a_way_that_goes_up_from_a_directory_that_is_not_there_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(&format!("{PIG} --blocks 2 --out {{}}/p/q/../z --records {{}}/new/../deep/r.jsonl"), dir);
    assert!(dir.join("p/z/summary.json").is_file() && dir.join("deep/r.jsonl").is_file());
}

/// A dash means stdout or is refused; it is never a file name.
#[test]
fn nothing_is_ever_called_by_a_dash() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let here = |args: &str| {
        let mut command = crate::shared::command_at(args, dir);
        crate::shared::ran(command.current_dir(dir))
    };
    for command in files(dir) {
        let (code, stdout, stderr) = here(&format!("{command} -"));
        if command.ends_with("--export") {
            assert!(
                code == 2 && stderr.contains("--export -: its ending names no format"),
                "{stderr}"
            );
        } else {
            assert_eq!(code, 0, "{command}: {stderr}");
            let starts = ["<!DOCTYPE", "{\"format\"", "#", ""];
            let is_what = starts.iter().any(|start| stdout.starts_with(start));
            assert!(is_what && !stdout.contains("games/s"), "{command}: {stdout}");
        }
        fs::remove_dir_all(dir.join("own")).unwrap_or_default();
    }
    let runs = RUNS.map(|(command, options)| {
        format!("{command} {}", options.replace("SEED", "1").replace("{}/run", "-"))
    });
    let iterate =
        "fit iterate --game hannibal --start greedy --games 20 --folds 2 --out -".to_owned();
    for run in runs.into_iter().filter(|run| !run.starts_with("merge")).chain([iterate]) {
        let (code, _, stderr) = here(&run);
        assert!(
            code == 2 && stderr.contains("--out -: results need a directory"),
            "{run}: {stderr}"
        );
    }
    assert!(!names(dir).contains(&"-".to_owned()), "{:?}", names(dir));
}
